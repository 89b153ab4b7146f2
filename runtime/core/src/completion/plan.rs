//! Plans the keys that complete an object with conditions: missing required keys, and for each condition a cheap way to meet it.
//!
//! Costs of values become known only during the search for completions, so that a plan uses fixed weights: the least number of bytes after
//! a key, ignoring guards. It takes the path of least weight through each diagram, and the first of equal ones. When a key of the plan
//! comes, the plan stays the same without that key: fewer paths are left, and the best one is still among them. So a text that follows its
//! plan never costs more than was computed; a text that leaves its plan gets a new one. A plan may miss a cheaper completion, but it always
//! finds a completion if there is one.

use crate::automaton::{KeyDiagram, ObjectShape};
use crate::step::{KeySet, Seen};

/// Returns the keys that complete an object with conditions, ascending; `shape.keys` stands for an undeclared key.
pub(super) fn plan(shape: &ObjectShape, set: &KeySet, weight: impl Fn(u32) -> u32) -> Vec<u32> {
    let seen = Seen::of(shape, Some(set));
    let mut keys: Vec<u32> = shape.required.iter().copied().filter(|&key| !seen.has(key)).collect();
    for diagram in shape.conditions.diagrams() {
        add_least(diagram, seen, &weight, &mut keys);
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The weight of a path that leads to [`KeyDiagram::FAILS`].
const NEVER: u32 = u32::MAX;

/// Adds the keys on the path of least weight through a diagram, without those already seen.
fn add_least(diagram: &KeyDiagram, seen: Seen<'_>, weight: &impl Fn(u32) -> u32, keys: &mut Vec<u32>) {
    // Choices lead to later choices only. For each choice: the least weight of a path from it, and the first option of that path.
    let mut best = vec![(NEVER, 0); diagram.choices.len()];
    for (at, choice) in diagram.choices.iter().enumerate().rev() {
        let decided = seen.option(choice);
        for (option, &next) in (0..).zip(&choice.next).filter(|(option, _)| decided.is_none_or(|only| only == *option))
        {
            let own = if option == 0 || decided.is_some() { 0 } else { weight(choice.first + option - 1) };
            let rest = match best.get(next as usize) {
                Some(&(rest, _)) => rest,
                None if next == KeyDiagram::HOLDS => 0,
                None => NEVER,
            };
            let cost = if rest == NEVER { NEVER } else { own.saturating_add(rest).min(NEVER - 1) };
            if cost < best[at].0 {
                best[at] = (cost, option);
            }
        }
    }
    let mut at = 0;
    while let (Some(choice), Some(&(_, option))) = (diagram.choices.get(at as usize), best.get(at as usize)) {
        if option > 0 && seen.option(choice).is_none() {
            keys.push(choice.first + option - 1);
        }
        let Some(&next) = choice.next.get(option as usize) else { return };
        at = next;
    }
}
