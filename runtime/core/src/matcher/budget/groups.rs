//! The groups of tokens that may come next, part by part. All tokens of a group leave the same text to be written.

use smallvec::SmallVec;

use super::asked::Asked;
use crate::completion::{Below, Costs};
use crate::mask::{CostGroup, Costed, ExitSet, Walker};
use crate::step::{BOTTOM, Head, NodeId, Stack};

/// A part that must still be visited: its head; and for a tail, the exits after which it begins.
type Part = (Option<ExitSet>, Head);

/// Calls `f` with each group of tokens that may come next, and with the number of tokens that complete the text after it, where each frame
/// is completed by itself. `None` if the format is too ambiguous.
pub(super) fn each_group(
    asked: Asked<'_>,
    walker: &mut Walker,
    costs: &mut Costs<'_>,
    (stack, heads): (&Stack, &[Head]),
    mut f: impl FnMut(&CostGroup, u32),
) -> Option<()> {
    let Asked { store, completions, .. } = asked;
    let mut below = Below::tokens(asked.cutter());
    let live = heads.iter().copied().filter(|head| !head.is_returned());
    let mut todo: SmallVec<[Part; 8]> = live.map(|head| (None, head)).collect();
    let mut done = 0;
    while let Some((after, head)) = todo.get(done).cloned() {
        done += 1;
        let costed = store.costed(walker, stack, (after, head), (completions, &mut *costs))?;
        let rest = costs.below(stack, head.parent, &mut below);
        costed.groups.iter().for_each(|group| f(group, group.cost.saturating_add(rest)));
        let exits = store.exits_with_follow_if_many(costs.automaton(), head.state, costed.exits.clone());
        add_below(stack, &costed, exits, head.parent, &mut todo);
    }
    Some(())
}

/// Adds the parts of the frames below: their tails after the exits, and their bases if the top frame can return at once.
fn add_below(stack: &Stack, costed: &Costed, exits: ExitSet, parent: NodeId, todo: &mut SmallVec<[Part; 8]>) {
    let mut add = |after: Option<ExitSet>| {
        stack.frames(parent, |frame, below| {
            let part = (after.clone(), frame.resume(below));
            if !todo.contains(&part) {
                todo.push(part);
            }
        });
    };
    if exits != ExitSet::NONE && parent != BOTTOM {
        add(Some(exits));
    }
    if costed.at_once {
        add(None);
    }
}
