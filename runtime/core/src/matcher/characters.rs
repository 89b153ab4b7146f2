//! Computes the characters that may come next, by decoding the possible bytes from UTF-8.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Matcher;
use crate::step::{Head, step};

/// Ranges of numbers, ascending.
type Ranges = Vec<(u32, u32)>;

/// A memo: for heads and a number of continuation bytes, the low bits of the characters that the heads read, as ranges. Equal heads read
/// the same characters.
type Known = FxHashMap<(SmallVec<[Head; 2]>, u32), Rc<Ranges>>;

impl Matcher {
    /// Returns the characters that may come next, as ascending ranges that do not touch: exactly the characters whose whole UTF-8 can be
    /// read here. As surrogates are not characters, `\u{d7ff}` and `\u{e000}` are neighbours.
    ///
    /// Inside a character, the result is empty. Named tokens are not included. See [`Matcher::position`] for the bytes.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.next_characters(), [('a', 'a')]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next_characters(&mut self) -> Vec<(char, char)> {
        if self.terminated {
            return Vec::new();
        }
        // Frames pushed here stay until the end, so that equal heads have equal stacks.
        let mark = self.stack.mark();
        let (heads, mut known) = (self.heads.clone(), Known::default());
        let (mut found, len) = (Ranges::new(), self.stack.text_len());
        for lead in (0..0x80).chain(0xC2..0xF5_u8) {
            let (rest, payload) = match lead {
                0..0x80 => (0, u32::from(lead)),
                0xC0..0xE0 => (1, u32::from(lead & 0x1F)),
                0xE0..0xF0 => (2, u32::from(lead & 0x0F)),
                _ => (3, u32::from(lead & 0x07)),
            };
            self.stack.set_text(len, &[]);
            if let Some(after) = self.after_byte(&heads, lead) {
                extend(&mut found, payload << (6 * rest), &self.rests(after, rest, &mut known));
            }
        }
        self.stack.truncate(mark);
        joined(found.into_iter().flat_map(characters))
    }

    /// Returns the heads after a byte; `None` if it is refused.
    fn after_byte(&mut self, heads: &[Head], byte: u8) -> Option<SmallVec<[Head; 2]>> {
        self.after.clear();
        step(&self.automaton, &mut self.stack, &mut self.scratch, heads, byte, &mut self.after);
        let read = !self.stack.take_overflow() && self.leads_on_after();
        read.then(|| SmallVec::from_slice(&self.after))
    }

    /// Returns the low bits of the characters that `rest` more continuation bytes can spell.
    fn rests(&mut self, heads: SmallVec<[Head; 2]>, rest: u32, known: &mut Known) -> Rc<Ranges> {
        if rest == 0 {
            return Rc::new(vec![(0, 0)]);
        }
        // If the stack keeps the text, equal heads may read different texts, as earlier items differ.
        if let Some(known) = known.get(&(heads.clone(), rest)).filter(|_| !self.stack.keeps_text()) {
            return Rc::clone(known);
        }
        let (mut found, len) = (Ranges::new(), self.stack.text_len());
        for byte in 0x80..0xC0_u8 {
            self.stack.set_text(len, &[]);
            if let Some(after) = self.after_byte(&heads, byte) {
                let base = u32::from(byte & 0x3F) << (6 * (rest - 1));
                extend(&mut found, base, &self.rests(after, rest - 1, known));
            }
        }
        let found = Rc::new(found);
        known.insert((heads, rest), Rc::clone(&found));
        found
    }
}

/// Appends ranges, shifted by `base`.
fn extend(found: &mut Ranges, base: u32, ranges: &[(u32, u32)]) {
    for &(lo, hi) in ranges {
        match found.last_mut() {
            Some(last) if last.1 + 1 == base + lo => last.1 = base + hi,
            _ => found.push((base + lo, base + hi)),
        }
    }
}

/// Splits a range of code points at the surrogates, which are not characters.
fn characters((lo, hi): (u32, u32)) -> impl Iterator<Item = (char, char)> {
    let parts = [(lo, hi.min(0xD7FF)), (lo.max(0xE000), hi.min(0x10_FFFF))];
    let parts = parts.into_iter().filter(|(lo, hi)| lo <= hi);
    parts.filter_map(|(lo, hi)| Some((char::from_u32(lo)?, char::from_u32(hi)?)))
}

/// Joins adjacent ranges.
fn joined(ranges: impl Iterator<Item = (char, char)>) -> Vec<(char, char)> {
    let mut joined: Vec<(char, char)> = Vec::new();
    for (lo, hi) in ranges {
        match joined.last_mut() {
            Some(last) if (last.1..=lo).nth(1) == Some(lo) => last.1 = hi,
            _ => joined.push((lo, hi)),
        }
    }
    joined
}
