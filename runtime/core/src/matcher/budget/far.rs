//! Knows for how many tokens to come a budget is far: so far that whichever tokens are accepted, a completion fits.
//!
//! Where the greatest cost that a frame of the stack can have is 300 bytes, one token can add 10 by nesting deeper, and 1,400
//! tokens are left, each token to come takes one of those 1,400 and adds at most 10 to the 300: for 99 tokens nothing has to be
//! looked at.

use crate::automaton::Automaton;
use crate::completion::{Below, Completions, NEVER};
use crate::step::{Head, NodeId, Stack};

/// The numbers of accepted tokens at which the budget is far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Far {
    /// Where the stack was looked at.
    from: usize,
    /// The first number of accepted tokens at which it must be looked at again.
    until: usize,
}

impl Far {
    /// Returns whether any next token leaves room for a completion, when `len` tokens have been accepted.
    #[inline]
    pub(super) fn holds(&self, len: usize) -> bool {
        (self.from..self.until).contains(&len)
    }

    /// Returns where the stack was looked at, if the budget was far there.
    pub(super) fn place(&self) -> Option<usize> {
        (self.from < self.until).then_some(self.from)
    }

    /// Forgets what depends on tokens that are taken back, so that `len` remain.
    pub(super) fn roll_back(&mut self, len: usize) {
        if len < self.from {
            *self = Self::default();
        }
    }

    /// Looks at the stack when `len` tokens have been accepted and `left` may come.
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
        // After each token one less is left, and the cost may have grown: `left - n - 1 >= greatest + (n + 1) * growth` is to
        // hold for the n-th.
        let room = left.checked_sub(1 + greatest as usize + growth);
        if let Some(room) = room.filter(|_| greatest != NEVER) {
            (self.from, self.until) = (len, len + room / (growth + 1) + 1);
        }
    }
}
