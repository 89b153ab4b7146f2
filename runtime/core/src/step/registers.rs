//! Runs operations on the registers of one frame as plain data: the reference for engines that step formats themselves.

use super::frame::{BOTTOM, Head};
use super::memory::Memory;
use super::stack::Stack;
use crate::automaton::{Automaton, OpId, StateId};

/// The registers of a frame. An object with keys in any order uses `seen`, any other frame `aux`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainRegisters {
    pub a: u32,
    pub b: u32,
    pub aux: u32,
    /// One bit for each of the first 128 keys, lowest key first.
    pub seen: [u32; 4],
}

impl Automaton {
    /// Returns the registers after an operation; `None` if its guard fails.
    #[doc(hidden)]
    #[must_use]
    pub fn registers_after(&self, op: OpId, before: PlainRegisters) -> Option<PlainRegisters> {
        let PlainRegisters { a, b, aux, seen } = before;
        let mut stack = Stack::default();
        let words = seen.map(u64::from);
        let set = [words[0] | words[1] << 32, words[2] | words[3] << 32];
        let memory = if set == [0; 2] { Memory::of_number(aux) } else { stack.add_set(set.into()) };
        let mut head = Head { state: StateId(0), a, b, memory, esc: 0, parent: BOTTOM };
        super::apply(self, &mut stack, op, &mut head).then(|| {
            let set = stack.set(head.memory).map(|set| set.as_slice()).unwrap_or_default();
            let word = |at: usize| set.get(at / 2).map_or(0, |word| (word >> (32 * (at % 2))) as u32);
            let aux = if set.is_empty() { head.memory.word() } else { before.aux };
            PlainRegisters { a: head.a, b: head.b, aux, seen: std::array::from_fn(word) }
        })
    }
}
