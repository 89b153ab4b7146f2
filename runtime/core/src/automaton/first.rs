//! First sets and the depths of first calls, and the two checks that make stepping one byte terminate: no nullable rule, no left recursion.

use super::Automaton;
use super::byte_set::add_range;
use super::error::BuildError;

/// Cap on the nesting depth of first calls, which is the depth to which a step recurses.
///
/// ```
/// assert!(ogc_runtime::automaton::MAX_FIRST_DEPTH >= 1_000);
/// ```
pub const MAX_FIRST_DEPTH: u32 = 2_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Fills every rule's first set, callees before callers.
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
