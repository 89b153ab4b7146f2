//! Listed items to choose from, for arrays without duplicates that need more than one item.
//!
//! A completion with the fewest bytes would write the cheapest item again and again. So each call of an item in such an array gets a list
//! of texts with different values ([`Rule::item_choices`]): one text more than the greatest number of items before an item that must come.
//! Then one of the texts is always new, and none is longer than the longest. [`super::costs`] counts the longest for each item, and the
//! code that writes a completion takes any text that is new. [`super::different`] finds the texts.
//!
//! If two strings are needed, the texts are `""` and `"a"`. After `["a"`, the completion is counted as `,"a"]`, and `,""]` is written.
//!
//! [`Rule::item_choices`]: crate::automaton::Rule::item_choices

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Call, RuleId, StateId};

/// Identifies a call whose items are chosen from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChoiceId(u32);

/// A called rule and its countdowns.
pub(super) type Callee = (RuleId, u32, u32);

/// The lists of items, by call.
#[derive(Debug, Default)]
pub(crate) struct ItemChoices {
    ids: FxHashMap<Callee, ChoiceId>,
    lists: Vec<ItemTexts>,
}

/// The listed texts of a call, each with another value.
#[derive(Debug)]
pub(super) struct ItemTexts {
    pub(super) texts: Box<[Box<[u8]>]>,
    /// Whether the list has all values of the call.
    pub(super) is_whole: bool,
}

impl ItemChoices {
    /// Adds the texts of a call.
    pub(super) fn add(&mut self, callee: Callee, texts: ItemTexts) {
        self.ids.insert(callee, ChoiceId(self.lists.len() as u32));
        self.lists.push(texts);
    }

    /// Returns the list of a call's items; `None` if the call has none.
    pub(super) fn of(&self, automaton: &Automaton, from: StateId, call: &Call) -> Option<ChoiceId> {
        if automaton.rule_of(from).item_choices == 0 {
            return None;
        }
        self.ids.get(&(call.rule, call.a, call.b)).copied()
    }

    /// Returns the texts of a list, each with another value.
    pub(crate) fn texts(&self, id: ChoiceId) -> &[Box<[u8]>] {
        self.lists.get(id.0 as usize).map_or(&[], |list| &list.texts)
    }

    /// Returns whether the list has all values of its call.
    pub(super) fn is_whole(&self, id: ChoiceId) -> bool {
        self.lists.get(id.0 as usize).is_some_and(|list| list.is_whole)
    }

    /// Returns the length of the longest text in bytes; `None` if the list is empty.
    pub(super) fn longest(&self, id: ChoiceId) -> Option<u32> {
        self.texts(id).iter().map(|text| text.len() as u32).max()
    }

    /// Returns the memory of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_list = |list: &[Box<[u8]>]| list.iter().map(|text| size_of_val(text) + text.len()).sum::<usize>();
        self.lists.iter().map(|list| of_list(&list.texts)).sum::<usize>()
            + self.ids.len() * (size_of::<(Callee, ChoiceId)>() + 1)
    }
}
