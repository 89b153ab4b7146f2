//! Runs: countdowns with the same answer, found without asking for each.
//!
//! With everything else equal, a greater countdown `b` allows whatever a smaller one allows: guards ask for "room for at
//! least so many" only. So where the ends of a range have equal answers, all between have the same, and a range is asked
//! for by halves until its ends agree. A pattern with a length of thousands costs as many walks as it has distinct masks,
//! times a logarithm.

use std::ops::Range;

/// The answers for all items. In each group, items ascend by countdown; `compute` is asked for batches of items, and
/// `same` compares two answers.
pub(super) fn settle<R: Clone>(
    len: usize,
    groups: &[Range<usize>],
    mut compute: impl FnMut(&[usize]) -> Vec<R>,
    same: impl Fn(&R, &R) -> bool,
) -> Vec<Option<R>> {
    let mut answers: Vec<Option<R>> = vec![None; len];
    let mut wanted: Vec<usize> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let (first, last) = (group.start, group.end - 1);
        wanted.push(first);
        if last > first {
            wanted.push(last);
            open.push((first, last));
        }
    }
    while !wanted.is_empty() {
        for (&item, answer) in wanted.iter().zip(compute(&wanted)) {
            answers[item] = Some(answer);
        }
        wanted.clear();
        for (first, last) in std::mem::take(&mut open) {
            let agree = matches!((&answers[first], &answers[last]), (Some(a), Some(b)) if same(a, b));
            if agree {
                let answer = answers[first].clone();
                answers[first + 1..last].fill(answer);
            } else if last > first + 1 {
                let middle = first.midpoint(last);
                wanted.push(middle);
                open.extend([(first, middle), (middle, last)]);
            }
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::settle;

    #[test]
    fn every_answer_is_there_and_few_are_asked_for() {
        let mut asked = 0;
        let work = |item: usize| (item / 300) as u32;
        let compute = |items: &[usize]| {
            asked += items.len();
            items.iter().map(|&item| work(item)).collect()
        };
        let answers = settle(2_001, &[0..1_000, 1_000..2_000, 2_000..2_001], compute, |a, b| a == b);
        assert!(answers.iter().enumerate().all(|(item, answer)| *answer == Some(work(item))));
        assert!(asked < 150, "{asked}");
    }

    #[test]
    fn a_group_of_none_asks_for_nothing() {
        assert!(settle(0, &[0..0], |_| Vec::<u32>::new(), |a, b| a == b).is_empty());
    }
}
