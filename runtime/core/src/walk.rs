//! Walks one reading of a format, move by move, for code that generates texts: samples, fillings, tests.
//!
//! A [`Matcher`](crate::matcher::Matcher) follows all readings of a text at once. A [`Walk`] follows one of them, and lists the moves to
//! choose from: the format's alternatives, not the bytes with which they begin. There are no dead ends: every walk can reach the end of the
//! text from any place.

use std::sync::Arc;

use always_assert::never;

use crate::automaton::{Automaton, Call, OpId, RuleId, StateId};
use crate::step::{BOTTOM, Frame, Head, Stack, apply, count_token, entered, go, start};

/// A move that a walk can make.
///
/// ```
/// use ogc_runtime::automaton::{OpId, StateId};
/// use ogc_runtime::walk::Way;
/// let way = Way::Read { lo: b'a', hi: b'z', op: OpId::NONE, to: StateId(1) };
/// assert_eq!(way.to(), Some(StateId(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Reads one byte of a range; in a `Text` state, of the decoded text.
    Read {
        /// Least byte.
        lo: u8,
        /// Greatest byte.
        hi: u8,
        /// The operation of the move.
        op: OpId,
        /// The target.
        to: StateId,
    },
    /// Reads the `"` that ends a JSON string.
    Close {
        /// The operation of the move.
        op: OpId,
        /// The target.
        to: StateId,
    },
    /// Enters a rule.
    Enter(Call),
    /// Leaves the rule, which may end here; leaving the lowest frame ends the text.
    Leave,
}

impl Way {
    /// Returns the state of the current rule to which the move leads; for a call, the state after it returns.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::walk::Way::Leave.to(), None);
    /// ```
    #[must_use]
    pub fn to(&self) -> Option<StateId> {
        match *self {
            Self::Read { to, .. } | Self::Close { to, .. } => Some(to),
            Self::Enter(call) => Some(call.ret),
            Self::Leave => None,
        }
    }
}

/// A walk of one reading of a format, chosen move by move.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_runtime::walk::{Walk, Way};
/// let mut walk = Walk::new(format);
/// let [first] = walk.ways()[..] else { unreachable!() };
/// assert!(matches!(first, Way::Read { lo: b'a', hi: b'a', .. }));
/// walk.take(&first);
/// let second = walk.ways()[0];
/// walk.take(&second);
/// assert!(walk.ways().contains(&Way::Leave));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Walk {
    automaton: Arc<Automaton>,
    stack: Stack,
    head: Head,
    nothing_read: bool,
    ended: bool,
}

impl Walk {
    /// Makes a walk at the beginning of a format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(!ogc_runtime::walk::Walk::new(format).has_ended());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(automaton: Arc<Automaton>) -> Self {
        let head = start(&automaton);
        Self { automaton, stack: Stack::default(), head, nothing_read: true, ended: false }
    }

    /// Returns whether the text has ended, so that no moves are left.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(!ogc_runtime::walk::Walk::new(format).has_ended());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended || self.head.is_returned()
    }

    /// Returns the state of the walk; `None` after the end.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let walk = ogc_runtime::walk::Walk::new(std::sync::Arc::clone(&format));
    /// assert_eq!(walk.state(), Some(format.rules[0].start));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> Option<StateId> {
        (!self.has_ended()).then_some(self.head.state)
    }

    /// Returns the number of open frames, including the current one.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(ogc_runtime::walk::Walk::new(format).depth(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        if self.has_ended() { 0 } else { self.frames().count() }
    }

    /// Returns a lower bound on the number of bytes to the end of the text, from the states alone; guards on registers may require more.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(ogc_runtime::walk::Walk::new(format).least_left(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn least_left(&self) -> u32 {
        if self.has_ended() {
            return 0;
        }
        self.frames().fold(0, |sum, state| sum.saturating_add(self.automaton.min_bytes[state.index()]))
    }

    /// Returns the states of the frames, innermost first.
    fn frames(&self) -> impl Iterator<Item = StateId> {
        let mut next = Some((self.head.state, self.head.parent));
        std::iter::from_fn(move || {
            let (state, parent) = next.take()?;
            if parent != BOTTOM {
                self.stack.frames(parent, |frame, parent| {
                    next.get_or_insert((frame.state, parent));
                });
            }
            Some(state)
        })
    }

    /// Returns the possible moves, in the order of the format: edges, then calls, then the end of the rule.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(ogc_runtime::walk::Walk::new(format).ways().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ways(&mut self) -> Vec<Way> {
        if self.has_ended() {
            return Vec::new();
        }
        let automaton = Arc::clone(&self.automaton);
        let state = &automaton.states[self.head.state.index()];
        let reads = automaton.edges(self.head.state).iter();
        let reads = reads.map(|edge| Way::Read { lo: edge.lo, hi: edge.hi, op: edge.op, to: edge.to });
        let close = state.close.map(|(op, to)| Way::Close { op, to });
        let calls = automaton.calls(self.head.state).iter().map(|&call| Way::Enter(call));
        let mut ways: Vec<Way> = reads.chain(close).chain(calls).filter(|way| self.is_open(way)).collect();
        ways.extend((state.accept || self.nothing_read && automaton.nullable).then_some(Way::Leave));
        ways
    }

    /// Returns whether the guard of the move allows it.
    fn is_open(&mut self, way: &Way) -> bool {
        let op = match way {
            Way::Read { op, .. } | Way::Close { op, .. } => *op,
            Way::Enter(call) => call.op,
            Way::Leave => return true,
        };
        let (mark, mut head) = (self.stack.mark(), self.head);
        let open = apply(&self.automaton, &mut self.stack, op, &mut head);
        self.stack.truncate(mark);
        open
    }

    /// Makes one of the moves that [`Walk::ways`] returned.
    ///
    /// If the format counts tokens, every byte counts as one token, as no tokenization of the text has more.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut walk = ogc_runtime::walk::Walk::new(format);
    /// let ways = walk.ways();
    /// walk.take(&ways[0]);
    /// assert_eq!(walk.least_left(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take(&mut self, way: &Way) {
        match *way {
            Way::Read { op, to, .. } | Way::Close { op, to } => self.read(op, to),
            Way::Enter(call) => self.enter(call),
            Way::Leave => self.leave(),
        }
    }

    fn read(&mut self, op: OpId, to: StateId) {
        let mut after = Vec::new();
        go(&self.automaton, &mut self.stack, self.head, op, to, &mut after);
        after.truncate(1);
        count_token(&self.automaton, &mut self.stack, &mut after);
        self.nothing_read = false;
        never!(after.is_empty(), "the way to {:?} was offered, and cannot be gone", to);
        self.head = after.first().copied().unwrap_or(Head::RETURNED);
    }

    fn enter(&mut self, call: Call) {
        let mut caller = self.head;
        let enters = apply(&self.automaton, &mut self.stack, call.op, &mut caller);
        never!(!enters, "the call of {:?} was offered, and cannot be entered", call.rule);
        let parent = if self.automaton.derived.is_bare(call.ret) {
            caller.parent
        } else {
            self.stack.push(Frame { state: call.ret, a: caller.a, b: caller.b, memory: caller.memory }, caller.parent)
        };
        self.head = entered(self.rule(call.rule), call.a, call.b, parent);
    }

    fn rule(&self, rule: RuleId) -> &crate::automaton::Rule {
        &self.automaton.rules[rule.index()]
    }

    fn leave(&mut self) {
        let mut below = None;
        if self.head.parent != BOTTOM && !self.nothing_read {
            self.stack.frames(self.head.parent, |frame, parent| {
                below.get_or_insert(frame.resume(parent));
            });
        }
        match below {
            Some(head) => self.head = head,
            None => self.ended = true,
        }
    }
}
