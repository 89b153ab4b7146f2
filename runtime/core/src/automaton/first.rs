//! First sets and the depths of first calls, and the two checks that make stepping one byte terminate: no nullable rule, no left recursion.

use super::{Automaton, BuildError};

/// The greatest depth to which first calls may nest: a step recurses as deep as this.
///
/// ```
/// assert!(ogc_runtime::automaton::MAX_FIRST_DEPTH >= 1_000);
/// ```
pub const MAX_FIRST_DEPTH: u32 = 2_000;

/// Adds the bytes `lo..=hi` to a 256-bit set.
pub(super) fn add_range(set: &mut [u64; 4], lo: u8, hi: u8) {
    for (word, first) in set.iter_mut().zip([0u8, 64, 128, 192]) {
        let (from, to) = (lo.max(first), hi.min(first | 63));
        if from <= to {
            *word |= u64::MAX >> (63 - (to - from)) << (from & 63);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Fills every rule's first set in the order of first calls.
pub(super) fn check_and_fill(automaton: &mut Automaton) -> Result<(), BuildError> {
    let mut marks = vec![Mark::New; automaton.rules.len()];
    let mut depths = vec![0u32; automaton.rules.len()];
    for root in 0..automaton.rules.len() {
        let mut stack = vec![root];
        while let Some(&rule) = stack.last() {
            match marks[rule] {
                Mark::New => {
                    marks[rule] = Mark::Open;
                    open(automaton, rule, &marks, &mut stack)?;
                }
                Mark::Open => {
                    marks[rule] = Mark::Done;
                    stack.pop();
                    close(automaton, rule, &mut depths)?;
                }
                Mark::Done => {
                    stack.pop();
                }
            }
        }
    }
    automaton.derived.set_first_depths(depths);
    Ok(())
}

fn open(automaton: &Automaton, rule: usize, marks: &[Mark], stack: &mut Vec<usize>) -> Result<(), BuildError> {
    let start = automaton.rules[rule].start;
    if automaton.states[start.index()].accept {
        return Err(BuildError::Nullable { rule: automaton.rules[rule].name.clone() });
    }
    for call in automaton.calls(start) {
        match marks[call.rule.index()] {
            Mark::New => stack.push(call.rule.index()),
            Mark::Open => {
                return Err(BuildError::LeftRecursion { rule: automaton.rules[call.rule.index()].name.clone() });
            }
            Mark::Done => {}
        }
    }
    Ok(())
}

fn close(automaton: &mut Automaton, rule: usize, depths: &mut [u32]) -> Result<(), BuildError> {
    let start = automaton.rules[rule].start;
    let mut first = [0; 4];
    for edge in automaton.edges(start) {
        add_range(&mut first, edge.lo, edge.hi);
    }
    let mut depth = 0;
    for call in automaton.calls(start) {
        let callee = &automaton.rules[call.rule.index()];
        for (word, more) in first.iter_mut().zip(callee.first) {
            *word |= more;
        }
        depth = depth.max(depths[call.rule.index()] + 1);
    }
    if depth > MAX_FIRST_DEPTH {
        return Err(BuildError::Limit {
            what: "nested first calls",
            given: u64::from(depth),
            limit: u64::from(MAX_FIRST_DEPTH),
        });
    }
    depths[rule] = depth;
    automaton.rules[rule].first = first;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::add_range;

    #[test]
    fn ranges_are_the_bytes_between_their_ends() {
        for (lo, hi) in [(0, 0), (0, 255), (63, 64), (10, 20), (64, 127), (100, 200), (255, 255)] {
            let mut set = [0u64; 4];
            add_range(&mut set, lo, hi);
            let has = |byte: u8| set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
            assert!((0..=u8::MAX).all(|byte| has(byte) == (lo..=hi).contains(&byte)), "{lo} to {hi}");
        }
    }
}
