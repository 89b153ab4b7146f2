//! Finds texts that one of two formats accepts and the other refuses.
//!
//! The search visits pairs of configurations (one of each format after the same text), shortest texts first. A pair is
//! visited only once, so the search is complete for formats without recursion. If one format can no longer read the
//! text, every completion of the text in the other format is a witness; the search directly takes a short one.
//!
//! A pair is skipped if its frames stand at the same places of rules with the same content, because both sides then
//! continue alike. If only the top frames are alike, as inside a value that both formats have, the search continues
//! after their end ([`Likeness`]). This is sound: if the top frames read the same texts and the rests are completed by
//! the same texts, so are both configurations. The converse does not hold (`a*` before `ab` and before `b`), so a
//! witness found in this way is verified by reading it again.
//!
//! If formats recurse through rules that differ, new pairs never end and the search reaches its limits. [`inclusion`]
//! then decides the open questions rule by rule; its texts may be longer.
//!
//! Bounds on tokens are not compared, because the search reads bytes. Items that must differ are not compared either: a
//! search that reads bytes of such an array decides nothing, unless it finds a witness.

mod completion;
mod inclusion;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::step::{ConfigurationId, Explorer, Likeness, TooAmbiguous, byte_groups};

use crate::vocabulary::is_text;
use completion::completion;
use inclusion::{Inclusion, included};

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Cap on the visited pairs of configurations.
    pub pairs: usize,
    /// Approximate cap on the memory of configurations, in bytes.
    pub memory: usize,
}

impl Default for SearchLimits {
    /// Returns limits for an editor: one or two seconds.
    fn default() -> Self {
        Self { pairs: 200_000, memory: 256 << 20 }
    }
}

/// The difference of two formats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// A text that the first format accepts and the second refuses. Named tokens appear as markers.
    pub only_first: Option<Vec<u8>>,
    /// A text that the second format accepts and the first refuses.
    pub only_second: Option<Vec<u8>>,
    /// Whether a missing witness proves that none exists, for `only_first` and `only_second`; `false` if the search
    /// reached a limit.
    pub decided: [bool; 2],
}

impl Difference {
    /// Returns whether both questions are decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.decided == [true; 2]
    }
}

/// Finds the difference of two formats. `poll` is called regularly, so that a caller can unwind out of a long search.
#[must_use]
pub fn difference(
    first: &Arc<Automaton>,
    second: &Arc<Automaton>,
    limits: SearchLimits,
    poll: &dyn Fn(),
) -> Difference {
    let mut sides = [Explorer::new(Arc::clone(first)), Explorer::new(Arc::clone(second))];
    if likeness(&mut sides, [ConfigurationId::START; 2]) == Likeness::Same {
        return Difference { decided: [true; 2], ..Difference::default() };
    }
    let (bytes, bounds) = (representatives(first, second), Bounds { limits, poll });
    let mut search = Search {
        formats: [first, second],
        sides,
        bytes: bytes.clone(),
        bounds: Bounds { limits: SearchLimits { pairs: limits.pairs / BYTE_BY_BYTE, ..limits }, poll },
        all: Vec::new(),
        open: BinaryHeap::new(),
        known: HashSet::new(),
        completions: HashMap::new(),
        doubts: 0,
        found: [None, None],
    };
    // The explorers treat each item as different from all earlier ones. So the texts that they find are verified, and
    // they may miss some.
    let is_exact = !first.has_distinct_items() && !second.has_distinct_items();
    let is_complete = search.run().is_ok() && is_exact && search.doubts == 0;
    let found = search.found;
    let side = |side: usize, found: Option<Vec<u8>>| {
        let [this, other] = [[first, second][side], [first, second][1 - side]];
        match found.filter(|text| is_exact || is_text(this, text)) {
            Some(text) => Inclusion::Refuted(text),
            None if is_complete => Inclusion::Proven,
            None => included([this, other], &bytes, bounds),
        }
    };
    let [only_first, only_second] = found;
    let answers = [side(0, only_first), side(1, only_second)];
    let decided = answers.each_ref().map(|answer| *answer != Inclusion::Open);
    let [only_first, only_second] = answers.map(Inclusion::witness);
    Difference { only_first, only_second, decided }
}

/// Maximum number of supposed witnesses that fail verification; after them, no more are tried.
const MOST_DOUBTS: usize = 100;

/// One in this many pairs, those with the shortest texts, is searched byte by byte.
const BYTE_BY_BYTE: usize = 8;

/// The limits of a search, and the function that it calls regularly.
#[derive(Clone, Copy)]
struct Bounds<'p> {
    limits: SearchLimits,
    poll: &'p dyn Fn(),
}

/// The reason why a search ends early.
#[derive(Clone, Copy, Debug)]
struct Stopped;

impl From<TooAmbiguous> for Stopped {
    fn from(_: TooAmbiguous) -> Self {
        Self
    }
}

/// The configurations of both formats after the same text; `None` for a format that cannot read it.
type Pair = [Option<ConfigurationId>; 2];

/// The step from one pair to the next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Byte(u8),
    /// A text that completes this configuration of the first format, and thus the top frames of both.
    Inner(ConfigurationId),
}

/// A pair that was reached, the pair before it, and the step from there.
#[derive(Clone, Copy, Debug)]
struct Node {
    pair: Pair,
    before: usize,
    step: Step,
    /// Minimum number of bytes that lead to this node.
    length: u32,
}

struct Search<'p> {
    formats: [&'p Arc<Automaton>; 2],
    sides: [Explorer; 2],
    /// One byte of each group of bytes that neither format distinguishes, readable ones first.
    bytes: Vec<u8>,
    bounds: Bounds<'p>,
    /// The tree of the search.
    all: Vec<Node>,
    /// The nodes to continue from, shortest texts first.
    open: BinaryHeap<Reverse<(u32, usize)>>,
    known: HashSet<Pair>,
    /// Cache of texts that complete configurations of the first format, as steps need them.
    completions: HashMap<ConfigurationId, Option<Vec<u8>>>,
    /// Number of supposed witnesses that failed verification.
    doubts: usize,
    /// For each side, a text that only this side accepts.
    found: [Option<Vec<u8>>; 2],
}

fn likeness([one, other]: &mut [Explorer; 2], [at, other_at]: [ConfigurationId; 2]) -> Likeness {
    one.likeness(at, other, other_at)
}

/// Returns whether both sides are inside an escape of a character that the string may also contain plain: whatever
/// follows the escape also follows the plain character.
fn spell_plain(sides: &[Explorer; 2], pair: [ConfigurationId; 2]) -> bool {
    sides.iter().zip(pair).all(|(side, id)| side.spells_plain(id)) && sides[0].escapes() == sides[1].escapes()
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        self.visit(Node { pair: [Some(ConfigurationId::START); 2], before: 0, step: Step::Byte(0), length: 0 })?;
        while let Some(Reverse((length, at))) = self.open.pop() {
            (self.bounds.poll)();
            if self.found.iter().all(Option::is_some) {
                return Ok(());
            }
            let Some(&Node { pair, .. }) = self.all.get(at) else { return Err(Stopped) };
            for byte in self.bytes.clone() {
                let mut next = [None; 2];
                for ((next, side), from) in next.iter_mut().zip(&mut self.sides).zip(pair) {
                    *next = from.map(|from| side.after(from, byte)).transpose()?.flatten();
                }
                let length = length.saturating_add(1);
                self.visit(Node { pair: next, before: at, step: Step::Byte(byte), length })?;
            }
            if self.sides.iter().map(Explorer::memory).sum::<usize>() > self.bounds.limits.memory {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Visits a pair. If the top frames are alike, visits the pair after their end instead, and so on until a pair must
    /// be searched further.
    fn visit(&mut self, node: Node) -> Result<(), Stopped> {
        let mut next = Some(node);
        while let Some(node) = next.take().filter(|node| node.pair != [None; 2]) {
            if !self.known.insert(node.pair) {
                return Ok(());
            }
            if self.known.len() > self.bounds.limits.pairs {
                return Err(Stopped);
            }
            let at = self.all.len();
            self.all.push(node);
            self.look(at, node.pair)?;
            let [Some(one), Some(other)] = node.pair else { return Ok(()) };
            match likeness(&mut self.sides, [one, other]) {
                Likeness::Same => {}
                Likeness::Begin { inner, rest } => {
                    let length = node.length.saturating_add(self.sides[0].least_left(inner));
                    next = Some(Node { pair: rest.map(Some), before: at, step: Step::Inner(inner), length });
                }
                Likeness::Unknown if spell_plain(&self.sides, [one, other]) => {}
                Likeness::Unknown => self.open.push(Reverse((node.length, at))),
            }
        }
        Ok(())
    }

    /// Checks whether a pair tells the formats apart.
    fn look(&mut self, at: usize, pair: Pair) -> Result<(), Stopped> {
        let complete = [0, 1].map(|side| pair[side].is_some_and(|id| self.sides[side].is_complete(id)));
        for side in [0, 1] {
            let Some(id) = pair[side].filter(|_| self.found[side].is_none()) else { continue };
            if complete[side] && !complete[1 - side] {
                self.witness(side, at, Vec::new())?;
            } else if pair[1 - side].is_none()
                && let Some(rest) = self.completion(side, id)?
            {
                self.witness(side, at, rest)?;
            }
        }
        Ok(())
    }

    /// Records the text of a node followed by `rest` as a witness for this side, if verification confirms it.
    fn witness(&mut self, side: usize, at: usize, rest: Vec<u8>) -> Result<(), Stopped> {
        if self.doubts > MOST_DOUBTS {
            return Ok(());
        }
        let Some((text, is_read)) = self.text(at)? else { return Ok(()) };
        let text = [text, rest].concat();
        let [this, other] = [self.formats[side], self.formats[1 - side]];
        if is_read || is_text(this, &text) && !is_text(other, &text) {
            self.found[side] = Some(text);
        } else {
            self.doubts += 1;
        }
        Ok(())
    }

    /// Returns a shortest text that completes a configuration of one side.
    fn completion(&mut self, side: usize, from: ConfigurationId) -> Result<Option<Vec<u8>>, Stopped> {
        completion(&mut self.sides[side], from, &self.bytes, self.bounds)
    }

    /// Returns a text that leads to a node, and whether both formats have read all of it; `None` if there is no such
    /// text.
    fn text(&mut self, mut at: usize) -> Result<Option<(Vec<u8>, bool)>, Stopped> {
        let (mut parts, mut is_read) = (Vec::new(), true);
        while let Some(&node) = self.all.get(at).filter(|_| at > 0) {
            match node.step {
                Step::Byte(byte) => parts.push(vec![byte]),
                Step::Inner(inner) => {
                    is_read = false;
                    let Some(text) = self.inner(inner)? else { return Ok(None) };
                    parts.push(text);
                }
            }
            at = node.before;
        }
        parts.reverse();
        Ok(Some((parts.concat(), is_read)))
    }

    /// Returns a text that completes a configuration of the first format.
    fn inner(&mut self, inner: ConfigurationId) -> Result<Option<Vec<u8>>, Stopped> {
        if let Some(known) = self.completions.get(&inner) {
            return Ok(known.clone());
        }
        let text = self.completion(0, inner)?;
        self.completions.insert(inner, text.clone());
        Ok(text)
    }
}

/// Returns the most readable byte of each group of bytes that neither format distinguishes, readable ones first.
pub(crate) fn representatives(first: &Automaton, second: &Automaton) -> Vec<u8> {
    let starts = [byte_groups(first), byte_groups(second)];
    let mut groups: Vec<u8> = Vec::new();
    for byte in 0..=u8::MAX {
        let begins = starts.iter().any(|starts| starts[usize::from(byte)]);
        match groups.last_mut() {
            Some(best) if !begins => {
                if rank(byte) < rank(*best) {
                    *best = byte;
                }
            }
            _ => groups.push(byte),
        }
    }
    groups.sort_by_key(|&byte| (rank(byte), byte));
    groups
}

/// Returns the rank of a byte by readability; lower is more readable.
fn rank(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'!'..=b'~' => 3,
        b' ' => 4,
        0x80..=0xFF => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests;
