//! Finds texts of different values for the items of arrays without duplicates ([`ItemChoices`]).
//!
//! The search is best-first by the bytes read and the bytes left. A byte left counts three times, so that long values are finished before
//! all others are begun. White space and escapes that are not needed come late, as they make no new value.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::Below;
use super::choices::{Callee, ItemChoices, ItemTexts};
use super::costs::{Costs, MemoSize};
use crate::automaton::{Automaton, StateKind};
use crate::item::ItemReader;
use crate::step::{BOTTOM, Head, Scratch, Stack, can_finish, candidates, entered, ones, step};
use crate::watch;

/// Cap on the bytes that are tried for the texts of one call.
const MAX_STEPS: usize = 100_000;

/// Cap on the bytes that are tried for all calls of a format.
const MAX_STEPS_OF_FORMAT: usize = 2_000_000;

/// The weight of a byte that is left; a byte that was read has weight 1.
const LEFT: u32 = 3;

/// The extra weight of unneeded white space, or of an unneeded escape.
const ODD: u32 = 16;

/// Lists items for the arrays of a format that need several different ones.
pub(super) fn different_items(automaton: &Automaton) -> ItemChoices {
    let (mut choices, plain) = (ItemChoices::default(), ItemChoices::default());
    // The memo of plain completions, in which items may be equal.
    let (memo, size) = (Mutex::default(), MemoSize::default());
    let mut left = MAX_STEPS_OF_FORMAT;
    for (callee, most) in wanted(automaton) {
        let mut enumeration = Enumeration::new(Costs::new(automaton, &plain, (&memo, &size)));
        choices.add(callee, enumeration.texts(callee, most as usize, left.min(MAX_STEPS)));
        left = left.saturating_sub(enumeration.steps);
    }
    choices
}

/// Returns the calls whose items are listed, in a fixed order, each with the greatest number of texts that an array wants of it.
fn wanted(automaton: &Automaton) -> Vec<(Callee, u32)> {
    let mut wanted: FxHashMap<Callee, u32> = FxHashMap::default();
    for rule in automaton.rules.iter().filter(|rule| rule.item_choices > 0) {
        for call in rule.state_ids().flat_map(|state| automaton.calls(state)) {
            let most = wanted.entry((call.rule, call.a, call.b)).or_default();
            *most = rule.item_choices.max(*most);
        }
    }
    let mut wanted: Vec<(Callee, u32)> = wanted.into_iter().collect();
    wanted.sort_unstable();
    wanted
}

/// A prefix of an item.
struct Place {
    head: Head,
    text: Vec<u8>,
    reader: ItemReader,
    odd: u32,
}

/// A search for texts with different values.
struct Enumeration<'a> {
    costs: Costs<'a>,
    below: Below<'static>,
    stack: Stack,
    scratch: Scratch,
    places: Vec<Place>,
    queue: BinaryHeap<(Reverse<u32>, Reverse<usize>)>,
    /// The number of bytes tried so far.
    steps: usize,
}

impl<'a> Enumeration<'a> {
    fn new(costs: Costs<'a>) -> Self {
        Self {
            costs,
            below: Below::bytes(),
            stack: Stack::of_text(true),
            scratch: Scratch::default(),
            places: Vec::new(),
            queue: BinaryHeap::new(),
            steps: 0,
        }
    }

    /// Returns texts of up to `most` different values of a called rule; fewer if there are no more, or after `max_steps` bytes.
    fn texts(&mut self, (rule, a, b): Callee, most: usize, max_steps: usize) -> ItemTexts {
        let automaton = self.costs.automaton();
        let head = entered(&automaton.rules[rule.index()], a, b, BOTTOM);
        self.push(Place { head, text: Vec::new(), reader: ItemReader::default(), odd: 0 });
        let (mut found, mut values) = (Vec::new(), FxHashSet::<Arc<[u8]>>::default());
        while let Some((_, Reverse(at))) = self.queue.pop() {
            let Place { head, text, reader, .. } = &self.places[at];
            if can_finish(automaton, &self.stack, *head)
                && let Some(value) = reader.clone().finish()
                && values.insert(value)
            {
                found.push(text.clone().into_boxed_slice());
            }
            let is_over = found.len() >= most || self.steps >= max_steps || watch::is_stopped();
            if is_over || !self.go_on(at) {
                return ItemTexts { texts: found.into(), is_whole: false };
            }
        }
        ItemTexts { texts: found.into(), is_whole: true }
    }

    /// Adds the places one byte after place `at`; `false` if the format is too ambiguous.
    fn go_on(&mut self, at: usize) -> bool {
        let automaton = self.costs.automaton();
        let Place { head, text, reader, odd } = &self.places[at];
        let (head, text, reader, odd) = (*head, text.clone(), reader.clone(), *odd);
        if head.is_returned() {
            return true;
        }
        let bytes: Vec<u8> = ones(candidates(automaton, &self.stack, &[head])).collect();
        let in_text = automaton.states[head.state.index()].kind == StateKind::Text;
        let may_be_left = |byte: &u8| match in_text {
            true => *byte == b'\\' && head.esc == 0,
            false => b" \n\r\t".contains(byte),
        };
        let has_others = bytes.iter().any(|byte| !may_be_left(byte));
        for byte in bytes {
            self.steps += 1;
            self.stack.set_text(0, &text);
            let mut heads = Vec::new();
            step(automaton, &mut self.stack, &mut self.scratch, &[head], byte, &mut heads);
            if self.stack.take_overflow() {
                return false;
            }
            let mut reader = reader.clone();
            reader.push(byte);
            if heads.is_empty() || reader.repeats_key() {
                continue;
            }
            let text: Vec<u8> = text.iter().copied().chain([byte]).collect();
            let odd = odd + u32::from(has_others && may_be_left(&byte));
            for head in heads {
                self.push(Place { head, text: text.clone(), reader: reader.clone(), odd });
            }
        }
        true
    }

    /// Adds a place, if it can be completed.
    fn push(&mut self, place: Place) {
        let Some(left) = self.costs.cheapest(&self.stack, &[place.head], &mut self.below) else { return };
        let read = place.text.len() as u32;
        let weight = left.cost.saturating_mul(LEFT).saturating_add(read).saturating_add(place.odd.saturating_mul(ODD));
        self.queue.push((Reverse(weight), Reverse(self.places.len())));
        self.places.push(place);
    }
}
