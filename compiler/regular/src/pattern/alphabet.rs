//! The alphabet of a pattern: classes of characters that no character set of the pattern distinguishes.

use super::ast::SetId;
use crate::charset::CharSet;
use crate::utf8::ALL;

/// The classes, and the classes in each set of the pattern.
#[derive(Debug)]
pub(super) struct Alphabet {
    /// Runs of characters of one class; together all scalar values, ascending.
    pub(super) runs: Vec<(u32, u32, u32)>,
    /// The number of classes.
    pub(super) classes: usize,
    /// Per set: one bit for each class.
    members: Vec<Vec<u64>>,
}

impl Alphabet {
    /// Computes the coarsest classes for `sets`.
    pub(super) fn new(sets: &[CharSet]) -> Self {
        let mut runs = cut(sets);
        let mut classes = 1;
        for set in sets {
            classes = refine(&mut runs, classes, set);
        }
        let members = sets.iter().map(|set| bits(&runs, classes, set)).collect();
        Self { runs, classes, members }
    }

    /// Returns whether `set` contains the characters of `class`.
    pub(super) fn holds(&self, set: SetId, class: usize) -> bool {
        self.members[set.0 as usize][class / 64] >> (class % 64) & 1 == 1
    }

    /// Returns the classes within `set`, ascending.
    pub(super) fn classes_of(&self, set: SetId) -> impl Iterator<Item = usize> {
        let rest = |&word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
        let words = move |word: u64| std::iter::successors(Some(word).filter(|&word| word != 0), rest);
        let bits =
            move |(at, &word): (usize, &u64)| words(word).map(move |rest| at * 64 + rest.trailing_zeros() as usize);
        self.members[set.0 as usize].iter().enumerate().flat_map(bits)
    }
}

/// Returns all characters, cut at every boundary of a set.
fn cut(sets: &[CharSet]) -> Vec<(u32, u32, u32)> {
    let edges = sets.iter().flat_map(CharSet::ranges).flat_map(|&(lo, hi)| [lo, hi + 1]);
    let whole = ALL.iter().flat_map(|&(lo, hi)| [lo, hi + 1]);
    let mut cuts: Vec<u32> = edges.chain(whole).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let runs = cuts.windows(2).map(|pair| (pair[0], pair[1] - 1, 0));
    runs.filter(|run| run.0 != 0xD800).collect()
}

/// Splits classes into members and others of `set`; returns the number of classes.
fn refine(runs: &mut [(u32, u32, u32)], classes: usize, set: &CharSet) -> usize {
    const NONE: u32 = u32::MAX;
    let mut inside = vec![NONE; classes];
    let mut outside = vec![false; classes];
    for_each(runs, set, |run, member| {
        if !member {
            outside[run.2 as usize] = true
        }
    });
    let mut next = classes as u32;
    for_each(runs, set, |run, member| {
        let class = run.2 as usize;
        if member && outside[class] {
            if inside[class] == NONE {
                inside[class] = next;
                next += 1;
            }
            run.2 = inside[class];
        }
    });
    next as usize
}

/// Calls `visit` for every run, with whether `set` contains it.
fn for_each(runs: &mut [(u32, u32, u32)], set: &CharSet, mut visit: impl FnMut(&mut (u32, u32, u32), bool)) {
    let mut ranges = set.ranges().iter().peekable();
    for run in runs {
        while ranges.next_if(|range| range.1 < run.0).is_some() {}
        let member = ranges.peek().is_some_and(|range| range.0 <= run.0);
        visit(run, member);
    }
}

fn bits(runs: &[(u32, u32, u32)], classes: usize, set: &CharSet) -> Vec<u64> {
    let mut bits = vec![0; classes.div_ceil(64)];
    let mut ranges = set.ranges().iter().peekable();
    for run in runs {
        while ranges.next_if(|range| range.1 < run.0).is_some() {}
        if ranges.peek().is_some_and(|range| range.0 <= run.0) {
            bits[run.2 as usize / 64] |= 1 << (run.2 % 64);
        }
    }
    bits
}
