//! Finds arrays in which a further item is required and must differ, but may have no new value left.
//!
//! A required item always has a new value if it has more values than there can be items before it. If it has fewer values, only earlier
//! items that can equal one of them count: in `["point", 1, 2]` the name has one value, and the numbers have others.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::choices::{ChoiceId, ItemChoices};
use super::different::different_items;
use super::objects::ways;
use crate::automaton::{Automaton, Call, RuleId, StateId, has};
use crate::item::ItemReader;

impl Automaton {
    /// Returns the rule of an array that can run out of different values for its required items, if there is one. A text could come to a
    /// dead end there, or have no completion within a budget.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.scarce_items(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scarce_items(&self) -> Option<RuleId> {
        if !self.derived.chooses_items() {
            return None;
        }
        let choices = &different_items(self);
        let mut rules = (0..self.rules.len() as u32).map(RuleId);
        rules.find(|&rule| self.rules[rule.index()].item_choices > 0 && Array::new(self, choices, rule).is_scarce())
    }
}

/// The rule of an array.
struct Array<'a> {
    automaton: &'a Automaton,
    choices: &'a ItemChoices,
    /// The rule's `item_choices`: how many different texts are wanted of each item.
    wanted: u32,
    /// For each state: the least and the greatest number of items before it, counted up to `wanted`.
    before: BTreeMap<StateId, (u32, u32)>,
}

impl<'a> Array<'a> {
    fn new(automaton: &'a Automaton, choices: &'a ItemChoices, rule: RuleId) -> Self {
        let rule = &automaton.rules[rule.index()];
        let before = BTreeMap::from_iter([(rule.start, (0, 0))]);
        let mut array = Self { automaton, choices, wanted: rule.item_choices, before };
        let mut todo = vec![rule.start];
        while let Some(state) = todo.pop() {
            let (least, most) = array.before.get(&state).copied().unwrap_or_default();
            for (to, more) in steps(automaton, state) {
                let counts = (least + more, (most + more).min(array.wanted));
                let known = array.before.get(&to).copied();
                let joined = known.map_or(counts, |known| (known.0.min(counts.0), known.1.max(counts.1)));
                if known != Some(joined) {
                    array.before.insert(to, joined);
                    todo.push(to);
                }
            }
        }
        array
    }

    fn is_scarce(&self) -> bool {
        let mut all = self.before.iter();
        all.any(|(&state, counts)| self.automaton.calls(state).iter().any(|call| self.is_few(state, *counts, call)))
    }

    /// Returns whether an item of `call` may have no new value left, or no value of it is known.
    fn is_few(&self, state: StateId, (least, most): (u32, u32), call: &Call) -> bool {
        let Some(id) = self.choices.of(self.automaton, state, call) else { return true };
        let texts = self.choices.texts(id).len() as u32;
        let must_come = least < self.wanted;
        let before = if must_come { most.min(self.wanted - 1) } else { 0 };
        texts == 0 || texts <= before && texts <= self.equal_before(state, id)
    }

    /// Returns how many items before a state can equal one of the values of a call.
    fn equal_before(&self, state: StateId, id: ChoiceId) -> u32 {
        let mut places = FxHashSet::default();
        for (&from, counts) in &self.before {
            let can_be_equal = |call: &Call| {
                let other = self.choices.of(self.automaton, from, call);
                other.is_none_or(|other| self.can_be_equal(id, other, call))
            };
            if !self.automaton.calls(from).iter().any(can_be_equal) {
                continue;
            }
            let behind = self.behind(from);
            if behind.contains(&state) && behind.contains(&from) {
                return u32::MAX;
            }
            if behind.contains(&state) {
                places.insert(*counts);
            }
        }
        places.len() as u32
    }

    /// Returns whether an item of `call`, whose listed texts are `other`, can equal one of the texts of `id`.
    fn can_be_equal(&self, id: ChoiceId, other: ChoiceId, call: &Call) -> bool {
        let texts = self.choices.texts(id);
        if self.choices.is_whole(other) {
            let others: Vec<_> = self.choices.texts(other).iter().map(|text| value(text)).collect();
            return texts.iter().any(|text| others.contains(&value(text)));
        }
        let first = &self.automaton.rules[call.rule.index()].first;
        let begins_alike =
            |text: &[u8]| text.first().is_none_or(|byte| alike(*byte).iter().any(|byte| has(first, *byte)));
        texts.iter().any(|text| begins_alike(text))
    }

    /// Returns the states that can come after an item that begins in state `from`.
    fn behind(&self, from: StateId) -> FxHashSet<StateId> {
        let mut todo: Vec<StateId> = self.automaton.calls(from).iter().map(|call| call.ret).collect();
        let mut found: FxHashSet<StateId> = todo.iter().copied().collect();
        while let Some(state) = todo.pop() {
            todo.extend(steps(self.automaton, state).map(|(to, _)| to).filter(|to| found.insert(*to)));
        }
        found
    }
}

/// Returns the states one move after a state, each with the number of items that the move reads: 0 or 1.
fn steps(automaton: &Automaton, state: StateId) -> impl Iterator<Item = (StateId, u32)> {
    let called = move |to: StateId| automaton.calls(state).iter().any(|call| call.ret == to);
    ways(automaton, state).map(move |(_, to)| (to, u32::from(called(to))))
}

fn value(text: &[u8]) -> Option<Arc<[u8]>> {
    let mut reader = ItemReader::default();
    text.iter().for_each(|byte| reader.push(*byte));
    reader.finish()
}

/// Returns the possible first bytes of a value that is equal to a value beginning with `first`.
fn alike(first: u8) -> &'static [u8] {
    match first {
        b'"' => b"\"",
        b'[' => b"[",
        b'{' => b"{",
        b't' | b'T' => b"tT",
        b'f' | b'F' => b"fF",
        b'n' | b'N' => b"nN",
        _ => b"-0123456789",
    }
}
