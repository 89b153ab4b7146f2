//! Finds the countdown from which on a rule's guards cannot tell greater values apart.

use crate::automaton::{Automaton, Op, OpId, StateId};

fn finite(value: u32) -> u32 {
    if value == u32::MAX { 0 } else { value }
}

/// Returns the least countdown from which on the operation's guard gives the same answer for all values.
///
/// `a <= 5` tells 5 and 6 apart, but not 6 and 7, so that its threshold is 6. An object that counts members compares with its number of
/// keys.
fn op_threshold(automaton: &Automaton, op: OpId) -> u32 {
    match &automaton.ops[op.index()] {
        Op::None => 0,
        Op::Count { max_a, min_total, .. } => finite(*max_a).max(*min_total).saturating_add(1),
        Op::Owing { declared, undeclared, op } => {
            let plain =
                if matches!(automaton.ops[op.index()], Op::Owing { .. }) { 0 } else { op_threshold(automaton, *op) };
            plain.saturating_add(*declared.max(undeclared))
        }
        Op::KeyAlive { object, .. }
        | Op::KeyTake { object, .. }
        | Op::KeyTakeExtra { object }
        | Op::KeyNext { object }
        | Op::ObjectClose { object } => {
            let shape = &automaton.objects[object.index()];
            if shape.counted { shape.keys.saturating_add(2) } else { 0 }
        }
    }
}

/// Computes for each rule the greatest threshold of its operations.
pub(super) fn thresholds(automaton: &Automaton) -> Vec<u32> {
    let of_op: Vec<u32> = (0..automaton.ops.len()).map(|op| op_threshold(automaton, OpId(op as u32))).collect();
    let mut found = vec![0u32; automaton.rules.len()];
    for (id, state) in automaton.states.iter().enumerate() {
        let id = StateId(id as u32);
        let edges = automaton.edges(id).iter().map(|edge| edge.op);
        let calls = automaton.calls(id).iter().map(|call| call.op);
        let close = state.close.map(|(op, _)| op);
        let most = edges.chain(calls).chain(close).map(|op| of_op[op.index()]).max();
        let slot = &mut found[state.rule.index()];
        *slot = (*slot).max(most.unwrap_or(0));
    }
    found
}
