//! Finds the coarsest partition of an automaton's states that refines a given one and is stable under the arrows.

use crate::budget::{self, Loan};
use crate::graph::{Arrow, Graph, push_arrow};
use crate::limits::LimitError;
use crate::lists::Lists;
use crate::partition::{Transition, blocks};

/// Rounds of refinement after which blocks are split one by one instead.
const ROUNDS: usize = 12;

/// Returns the block of each state; states of different `kind` are in different blocks.
pub(crate) fn refine(graph: &Graph, mut kind: Vec<u32>) -> Result<Vec<u32>, LimitError> {
    if refine_by_rounds(graph, &mut kind)? { Ok(kind) } else { refine_by_splitting(graph, &kind) }
}

/// Draws the budget for refining a partition: each state and each transition is in about ten tables of four bytes.
pub(crate) fn draw(loan: &mut Loan, states: usize, moves: usize) -> Result<(), LimitError> {
    budget::work(states + moves)?;
    loan.grow((states + moves) * 40)
}

/// Refines a partition in rounds (Moore's algorithm): two states stay together if they were together and their arrows
/// lead to equal blocks. Returns whether the partition is stable; most are after a few rounds.
fn refine_by_rounds(graph: &Graph, block: &mut Vec<u32>) -> Result<bool, LimitError> {
    let mut count = block.iter().max().map_or(0, |&last| last as usize + 1);
    let mut arrows = Vec::new();
    for round in 0..ROUNDS {
        budget::work((graph.len() + graph.arrows()) / 4)?;
        let mut blocks = Lists::default();
        let refined = (0..graph.len() as u32).map(|state| {
            arrows.clear();
            for arrow in graph.of(state) {
                push_arrow(&mut arrows, 0, Arrow { to: block[arrow.to as usize], ..*arrow });
            }
            blocks.number(block[state as usize], &arrows)
        });
        *block = refined.collect();
        if blocks.len() == count || blocks.len() == graph.len() {
            return Ok(true);
        }
        count = blocks.len();
        // Long cycles that count need a round for each step.
        if round >= ROUNDS / 3 && count < graph.len() / 4 {
            break;
        }
    }
    Ok(false)
}

/// Refines a partition by splitting blocks ([`blocks`]): slower than a few rounds, and much faster than many.
fn refine_by_splitting(graph: &Graph, block: &[u32]) -> Result<Vec<u32>, LimitError> {
    let states = 0..graph.len() as u32;
    let classes = label_classes(states.clone().flat_map(|state| graph.of(state)).copied());
    let labels = |arrow: &Arrow| classes[arrow.lo as usize]..=classes[arrow.hi as usize];
    let count = states.clone().flat_map(|state| graph.of(state)).map(|arrow| labels(arrow).count()).sum();
    let mut loan = Loan::default();
    draw(&mut loan, graph.len(), count)?;
    let mut moves = Vec::with_capacity(count);
    for from in states {
        for arrow in graph.of(from) {
            moves.extend(labels(arrow).map(|label| Transition { from, label, to: arrow.to }));
        }
    }
    Ok(blocks(graph.len(), &moves, |state| block[state as usize]))
}

/// Maps labels to classes, ascending, so that every arrow reads whole classes.
fn label_classes(arrows: impl Iterator<Item = Arrow> + Clone) -> Vec<u32> {
    let last = arrows.clone().map(|arrow| arrow.hi).max().unwrap_or(0);
    let mut classes = vec![0; last as usize + 2];
    for arrow in arrows {
        classes[arrow.lo as usize] = 1;
        classes[arrow.hi as usize + 1] = 1;
    }
    classes[0] = 0;
    for at in 1..classes.len() {
        classes[at] += classes[at - 1];
    }
    classes
}
