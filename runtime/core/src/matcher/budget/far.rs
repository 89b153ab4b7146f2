//! Computes for how many tokens to come a budget stays far: a completion fits whichever tokens are accepted.
//!
//! Say a completion of the stack costs at most 300 bytes, one token can add 10 bytes by nesting deeper, and 1,400 tokens are left. Each
//! token to come uses one of the 1,400 and adds at most 10 to the 300, so that the next 99 tokens need no check.

use crate::automaton::Automaton;
use crate::completion::{Below, Completions, NEVER};
use crate::step::{Head, NodeId, Stack};

/// The range of lengths of the text, in accepted tokens, at which the budget is far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Far {
    /// The number of accepted tokens when the stack was checked.
    from: usize,
    /// The number of accepted tokens at which the stack must be checked again.
    until: usize,
}

impl Far {
    /// Returns whether any next token leaves room for a completion, once `len` tokens have been accepted.
    #[inline]
    pub(super) fn holds(&self, len: usize) -> bool {
        (self.from..self.until).contains(&len)
    }

    /// Returns the number of accepted tokens when the stack was checked, if the budget was far there.
    pub(super) fn place(&self) -> Option<usize> {
        (self.from < self.until).then_some(self.from)
    }

    /// Forgets the range if it begins at a token that was taken back; `len` tokens remain.
    pub(super) fn roll_back(&mut self, len: usize) {
        if len < self.from {
            *self = Self::default();
        }
    }

    /// Checks the stack once `len` tokens have been accepted and `left` more may come.
    pub(super) fn look(
        &mut self,
        completions: &Completions,
        automaton: &Automaton,
        stack: &Stack,
        heads: &[Head],
        (len, left): (usize, usize),
    ) {
        *self = Self::default();
        let Some(most) = &completions.most else { return };
        let growth = most.growth() as usize;
        let mut below = Below::bytes();
        let mut costs = completions.costs(automaton);
        let mut greatest = 0;
        for head in heads.iter().filter(|head| !head.is_returned()) {
            let rest = costs.below(stack, head.parent, &mut below);
            let own = most.of(automaton.states[head.state.index()].rule);
            greatest = greatest.max(own.saturating_add(rest));
        }
        let below_node = |node: NodeId| {
            let mut greatest = 0;
            stack.frames(node, |frame, parent| {
                let rest = below.cost(parent);
                let own = most.of(automaton.states[frame.state.index()].rule);
                greatest = greatest.max(own.saturating_add(rest));
            });
            greatest
        };
        greatest = greatest.max(below.nodes().map(below_node).max().unwrap_or(0));
        // Each token leaves one token less, and may raise the cost. For the n-th token, `left - n - 1 >= greatest + (n + 1) * growth` must
        // hold.
        let room = left.checked_sub(1 + greatest as usize + growth);
        if let Some(room) = room.filter(|_| greatest != NEVER) {
            (self.from, self.until) = (len, len + room / (growth + 1) + 1);
        }
    }
}
