//! Steps the heads of a walk by one byte, to the next depth.
//!
//! The fastest applicable method is used: the table of the single head's state, then an edge that only ticks countdowns, then a step that
//! the walk has taken before ([`super::known_steps`]), and finally the general step.

use super::Walker;
use super::level::{Level, LevelKind, Number};
use crate::automaton::{Automaton, ByteSet, Op, has, insert};
use crate::mask::table::{ByTable, Countdown, Link};
use crate::step::{BOTTOM, Head, Mark, apply, go, step};
use crate::watch;

impl Walker {
    /// Steps the heads of the parent node by one byte, and stores the result at `depth`. Returns `false` if no head reads the byte.
    #[inline]
    pub(super) fn enter(&mut self, automaton: &Automaton, depth: usize, byte: u8) -> bool {
        let above = self.levels.plain(depth - 1);
        match self.by_table(automaton, above.table, above.on_frame, byte) {
            ByTable::Dead => false,
            ByTable::To(table) => {
                self.levels.step(depth, above, table);
                true
            }
            ByTable::Edge(edge) if self.tick(automaton, depth, edge) => true,
            ByTable::Slow | ByTable::Edge(_) => self.enter_slowly(automaton, self.level(depth - 1), depth, byte),
        }
    }

    /// Moves the single head of the parent node along an edge that only ticks countdowns. Returns `false` if the guard fails, or if the
    /// edge does more.
    #[inline]
    fn tick(&mut self, automaton: &Automaton, depth: usize, edge: usize) -> bool {
        let (edge, above) = (automaton.edges[edge], self.level(depth - 1));
        let (LevelKind::One(mut head), Op::Count { .. }) = (above.kind, &automaton.ops[edge.op.index()]) else {
            return false;
        };
        if automaton.derived.is_bare(edge.to) || !apply(automaton, &mut self.stack, edge.op, &mut head) {
            return false;
        }
        head.state = edge.to;
        let table = self.table_for(automaton, &head);
        self.levels.set(depth, above.with(head, table));
        true
    }

    pub(super) fn enter_slowly(&mut self, automaton: &Automaton, above: Level, depth: usize, byte: u8) -> bool {
        let is_over = !self.affords(self.effort) || self.left.is_some_and(|left| self.effort.work > left);
        if is_over || watch::spend(1) {
            self.stack.overflow();
            return false;
        }
        self.rewind(above.mark, above.heads);
        let (kind, number) = self.step(automaton, &above, depth, byte);
        let level = self.level_of(automaton, kind, number);
        self.levels.set(depth, level);
        !matches!(kind, LevelKind::Dead)
    }

    /// Steps the heads of the level above a depth.
    fn step(&mut self, automaton: &Automaton, above: &Level, depth: usize, byte: u8) -> (LevelKind, Number) {
        match above.kind {
            LevelKind::Dead => return (LevelKind::Dead, Number::NONE),
            LevelKind::One(head) if refuses(head, byte) => return (LevelKind::Dead, Number::NONE),
            LevelKind::One(head) => {
                if let ByTable::Edge(edge) = self.by_table(automaton, above.table, head.parent != BOTTOM, byte) {
                    let edge = automaton.edges[edge];
                    self.out.clear();
                    go(automaton, &mut self.stack, head, edge.op, edge.to, &mut self.out);
                    return (self.collect(), Number::NONE);
                }
            }
            LevelKind::Many(..) => {}
        }
        if self.known_steps.is_on()
            && let Some(number) = self.known_step(automaton, above, depth, byte)
        {
            return (self.known_steps.get(number).kind, number);
        }
        self.new_step(automaton, &above.kind, byte);
        (self.collect(), Number::NONE)
    }

    /// Steps heads one by one or together; the heads after the byte are in `out`.
    fn new_step(&mut self, automaton: &Automaton, kind: &LevelKind, byte: u8) {
        self.out.clear();
        let heads = kind.heads(&self.heads);
        step(automaton, &mut self.stack, &mut self.scratch, heads, byte, &mut self.out);
        self.effort.step(self.scratch.seen());
        self.known_steps.note(self.scratch.seen());
    }

    /// Returns the configuration after a byte, by a known step or a new one; `None` if there are too many configurations.
    fn known_step(&mut self, automaton: &Automaton, above: &Level, depth: usize, byte: u8) -> Option<Number> {
        let has_room = self.known_steps.has_room(&self.stack);
        let mut from = above.number;
        if from == Number::NONE {
            if !has_room {
                return None;
            }
            self.out.clear();
            self.out.extend_from_slice(above.kind.heads(&self.heads));
            from = self.number_out(automaton);
            self.levels.set_number(depth - 1, &above.kind, from);
        }
        if let Some(known) = self.known_steps.after(from, byte) {
            return Some(known);
        }
        if !has_room {
            return None;
        }
        self.new_step(automaton, &above.kind, byte);
        let to = self.number_out(automaton);
        self.known_steps.keep(from, byte, to);
        Some(to)
    }

    /// Returns the number of the configuration of the heads in `out`.
    fn number_out(&mut self, automaton: &Automaton) -> Number {
        let Self { known_steps, stack, out, heads, .. } = self;
        known_steps.number(automaton, stack, out.drain(..), heads)
    }

    /// Returns the effect of a byte by the table of the head's state. It is [`ByTable::Slow`] if there is no table, or if a frame below the
    /// head may read the byte after a return.
    #[inline]
    pub(super) fn by_table(&mut self, automaton: &Automaton, table: Link, on_frame: bool, byte: u8) -> ByTable {
        if table == Link::NONE || on_frame && table.accepts() && has(&self.tables.get(table).follow, byte) {
            return ByTable::Slow;
        }
        self.tables.step(automaton, table, byte)
    }

    pub(super) fn collect(&mut self) -> LevelKind {
        match *self.out.as_slice() {
            [] => LevelKind::Dead,
            [head] => LevelKind::One(head),
            _ => {
                let from = self.heads.len() as u32;
                self.heads.extend_from_slice(&self.out);
                LevelKind::Many(from, self.heads.len() as u32)
            }
        }
    }

    /// Makes the level of heads that have just been computed.
    pub(super) fn level_of(&mut self, automaton: &Automaton, kind: LevelKind, number: Number) -> Level {
        let table = match kind {
            LevelKind::One(head) => self.table_for(automaton, &head),
            LevelKind::Many(..) | LevelKind::Dead => Link::NONE,
        };
        Level { kind, table, mark: self.stack.mark(), heads: self.heads.len() as u32, number }
    }

    /// Truncates the stack and the list of heads to these lengths, but keeps what known steps need.
    pub(super) fn rewind(&mut self, mark: Mark, heads: u32) {
        let (mark, heads) = self.known_steps.floor(mark, heads);
        self.stack.truncate(mark);
        self.heads.truncate(heads as usize);
    }

    /// Returns the table of the head's state; [`Link::NONE`] if the head is in an escape or has returned.
    #[inline]
    pub(super) fn table_for(&mut self, automaton: &Automaton, head: &Head) -> Link {
        if head.is_returned() || head.esc != 0 {
            return Link::NONE;
        }
        self.tables.of(automaton, head.state, Countdown::of(head))
    }
}

/// The bytes that can occur inside escapes.
pub(super) const IN_ESCAPES: ByteSet = byte_set(b"\"\\/nrtu0123456789abcdefABCDEF");

/// Makes a set of bytes. It loops by index, as constants cannot use iterators.
const fn byte_set(bytes: &[u8]) -> ByteSet {
    let mut set = [0; 4];
    let mut at = 0;
    while at < bytes.len() {
        insert(&mut set, bytes[at]);
        at += 1;
    }
    set
}

/// Returns whether the head is inside an escape and the byte cannot occur in escapes: a quick test that refuses most bytes.
pub(super) fn refuses(head: Head, byte: u8) -> bool {
    head.esc != 0 && !has(&IN_ESCAPES, byte)
}
