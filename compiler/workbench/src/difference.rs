//! Finds texts that one of two formats accepts and the other refuses.
//!
//! The search goes breadth first through pairs of configurations, one of each format after the same text. A pair that
//! was seen is not searched again, so that formats without recursion are searched to the end. Where one format can no
//! longer read the text, every text that the other one makes of it is a witness; the search goes straight for a short one.
//!
//! Bounds on tokens are not compared: bytes have none. Nor is it that items of an array may not be equal: where a format asks for that, a
//! difference may be missed, and the search is never complete.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::step::{ConfigurationId, Explorer, TooAmbiguous, byte_groups};

use crate::vocabulary::is_text;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most pairs of configurations that are looked at.
    pub pairs: usize,
    /// The most bytes of memory that configurations take, about.
    pub memory: usize,
}

impl Default for SearchLimits {
    /// Returns limits for an editor: a second or two.
    fn default() -> Self {
        Self { pairs: 50_000, memory: 256 << 20 }
    }
}

/// The difference of two formats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// A text that the first format accepts and the second refuses. Named tokens stand in it as markers.
    pub only_first: Option<Vec<u8>>,
    /// A text that the second format accepts and the first refuses.
    pub only_second: Option<Vec<u8>>,
    /// Whether a text that is not there does not exist; else the search reached a limit.
    pub complete: bool,
}

/// Finds the difference of two formats. `poll` is called now and then, so that a caller can unwind out of a long search.
#[must_use]
pub fn difference(
    first: &Arc<Automaton>,
    second: &Arc<Automaton>,
    limits: SearchLimits,
    poll: &dyn Fn(),
) -> Difference {
    let mut search = Search {
        sides: [Explorer::new(Arc::clone(first)), Explorer::new(Arc::clone(second))],
        bytes: representatives(first, second),
        same_escapes: first.escapes == second.escapes,
        limits,
        poll,
        all: Vec::new(),
        known: HashSet::new(),
        found: [None, None],
    };
    // The explorers step items as if each were a new one: what they find is read again, and they do not find all.
    let is_exact = !first.has_distinct_items() && !second.has_distinct_items();
    let complete = search.run().is_ok() && is_exact;
    let [only_first, only_second] = search.found;
    let only_first = only_first.filter(|text| is_exact || is_text(first, text));
    let only_second = only_second.filter(|text| is_exact || is_text(second, text));
    Difference { complete: complete || only_first.is_some() && only_second.is_some(), only_first, only_second }
}

/// The reason why a search ends early.
#[derive(Clone, Copy, Debug)]
struct Stopped;

impl From<TooAmbiguous> for Stopped {
    fn from(_: TooAmbiguous) -> Self {
        Self
    }
}

/// Configurations of both formats after one text; `None` where the format cannot read it.
type Pair = [Option<ConfigurationId>; 2];

/// A pair that was reached, and the byte and the pair before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    pair: Pair,
    before: usize,
    byte: u8,
}

struct Search<'p> {
    sides: [Explorer; 2],
    /// A byte of each group that neither format tells apart, readable ones first.
    bytes: Vec<u8>,
    same_escapes: bool,
    limits: SearchLimits,
    poll: &'p dyn Fn(),
    /// The queue of the search, and its tree.
    all: Vec<Node>,
    known: HashSet<Pair>,
    /// By side: a text that this side alone accepts.
    found: [Option<Vec<u8>>; 2],
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        self.visit([Some(ConfigurationId::START); 2], 0, 0)?;
        let mut at = 0;
        while let Some(&Node { pair, .. }) = self.all.get(at) {
            (self.poll)();
            if self.found.iter().all(Option::is_some) {
                return Ok(());
            }
            for byte in self.bytes.clone() {
                let mut next = [None; 2];
                for ((next, side), from) in next.iter_mut().zip(&mut self.sides).zip(pair) {
                    *next = from.map(|from| side.after(from, byte)).transpose()?.flatten();
                }
                self.visit(next, at, byte)?;
            }
            if self.sides.iter().map(Explorer::memory).sum::<usize>() > self.limits.memory {
                return Err(Stopped);
            }
            at += 1;
        }
        Ok(())
    }

    /// Looks at a pair that is reached by a byte, and adds it to the queue if more is to be learnt from it.
    fn visit(&mut self, pair: Pair, before: usize, byte: u8) -> Result<(), Stopped> {
        if pair == [None; 2] || !self.known.insert(pair) {
            return Ok(());
        }
        if self.known.len() > self.limits.pairs {
            return Err(Stopped);
        }
        let at = self.all.len();
        self.all.push(Node { pair, before, byte });
        let complete = [0, 1].map(|side| pair[side].is_some_and(|id| self.sides[side].is_complete(id)));
        let mut goes_on = pair.iter().all(Option::is_some);
        for side in [0, 1] {
            let Some(id) = pair[side].filter(|_| self.found[side].is_none()) else { continue };
            if complete[side] && !complete[1 - side] {
                self.found[side] = Some(self.text(at));
            } else if pair[1 - side].is_none() {
                let rest = self.completion(side, id)?;
                self.found[side] = rest.map(|rest| [self.text(at), rest].concat());
            }
        }
        if goes_on && self.same_escapes {
            let plain = |side: usize| pair[side].is_some_and(|id| self.sides[side].spells_plain(id));
            goes_on = !(plain(0) && plain(1));
        }
        if !goes_on {
            self.all.pop();
        }
        Ok(())
    }

    /// Returns a shortest text that ends a configuration of one side: best first, by the bytes that are needed at least.
    fn completion(&mut self, side: usize, from: ConfigurationId) -> Result<Option<Vec<u8>>, Stopped> {
        let explorer = &mut self.sides[side];
        let mut reached: HashMap<ConfigurationId, (ConfigurationId, u8)> = HashMap::new();
        let mut open = BinaryHeap::from([(Reverse(explorer.least_left(from)), 0_u32, Reverse(from))]);
        while let Some((_, depth, Reverse(at))) = open.pop() {
            (self.poll)();
            if explorer.is_complete(at) {
                return Ok(Some(path(&reached, from, at)));
            }
            if reached.len() > self.limits.pairs || explorer.memory() > self.limits.memory {
                return Err(Stopped);
            }
            for &byte in &self.bytes {
                let Some(next) = explorer.after(at, byte)? else { continue };
                if next == from || reached.contains_key(&next) {
                    continue;
                }
                reached.insert(next, (at, byte));
                let whole = explorer.least_left(next).saturating_add(depth + 1);
                open.push((Reverse(whole), depth + 1, Reverse(next)));
            }
        }
        Ok(None)
    }

    /// Returns the text that led to a node.
    fn text(&self, mut at: usize) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(node) = self.all.get(at).filter(|_| at > 0) {
            text.push(node.byte);
            at = node.before;
        }
        text.reverse();
        text
    }
}

/// Returns the bytes on the way to a configuration.
fn path(
    reached: &HashMap<ConfigurationId, (ConfigurationId, u8)>,
    from: ConfigurationId,
    mut at: ConfigurationId,
) -> Vec<u8> {
    let mut text = Vec::new();
    while let Some(&(before, byte)) = reached.get(&at).filter(|_| at != from) {
        text.push(byte);
        at = before;
    }
    text.reverse();
    text
}

/// Returns a byte of each group that neither format tells apart, the most readable of it, readable ones first.
fn representatives(first: &Automaton, second: &Automaton) -> Vec<u8> {
    let starts = [byte_groups(first), byte_groups(second)];
    let mut groups: Vec<u8> = Vec::new();
    for byte in 0..=u8::MAX {
        let begins = starts.iter().any(|starts| starts[usize::from(byte)]);
        match groups.last_mut() {
            Some(best) if !begins => {
                if rank(byte) < rank(*best) {
                    *best = byte;
                }
            }
            _ => groups.push(byte),
        }
    }
    groups.sort_by_key(|&byte| (rank(byte), byte));
    groups
}

/// Returns how readable a byte is: the least is best.
fn rank(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'!'..=b'~' => 3,
        b' ' => 4,
        0x80..=0xFF => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests;
