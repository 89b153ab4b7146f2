//! Different items to choose from, for arrays in which no two may be equal and that need more than one.
//!
//! A completion with the fewest bytes would write the cheapest item again and again. So each call of an item in such an array gets a list
//! of texts with different values ([`Rule::item_choices`]), one more than the items that can come before one that must come. Whatever has
//! come, one of the texts is new, and none costs more than the longest. [`super::costs`] counts the longest for each item, and the code
//! that writes a completion takes any text that is new. [`super::different`] finds the texts.
//!
//! With two strings needed, the texts are `""` and `"a"`. After `["a"`, the completion is counted as `,"a"]`, and `,""]` is written.
//!
//! [`Rule::item_choices`]: crate::automaton::Rule::item_choices

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Call, RuleId, StateId};

/// Identifies a call whose items are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChoiceId(u32);

/// A called rule and its countdowns.
pub(super) type Callee = (RuleId, u32, u32);

/// The items to choose from, by call.
#[derive(Debug, Default)]
pub(crate) struct ItemChoices {
    ids: FxHashMap<Callee, ChoiceId>,
    lists: Vec<ItemTexts>,
}

/// The texts of a call, each with another value.
#[derive(Debug)]
pub(super) struct ItemTexts {
    pub(super) texts: Box<[Box<[u8]>]>,
    /// Whether these are all values of the call.
    pub(super) is_whole: bool,
}

impl ItemChoices {
    /// Adds the texts of a call.
    pub(super) fn add(&mut self, callee: Callee, texts: ItemTexts) {
        self.ids.insert(callee, ChoiceId(self.lists.len() as u32));
        self.lists.push(texts);
    }

    /// Returns the items of a call; `None` if they are not chosen.
    pub(super) fn of(&self, automaton: &Automaton, from: StateId, call: &Call) -> Option<ChoiceId> {
        if automaton.rule_of(from).item_choices == 0 {
            return None;
        }
        self.ids.get(&(call.rule, call.a, call.b)).copied()
    }

    /// Returns the texts, each with another value.
    pub(crate) fn texts(&self, id: ChoiceId) -> &[Box<[u8]>] {
        self.lists.get(id.0 as usize).map_or(&[], |list| &list.texts)
    }

    /// Returns whether the texts cover all values of the call.
    pub(super) fn is_whole(&self, id: ChoiceId) -> bool {
        self.lists.get(id.0 as usize).is_some_and(|list| list.is_whole)
    }

    /// Returns the bytes of the longest text; `None` if there is none.
    pub(super) fn longest(&self, id: ChoiceId) -> Option<u32> {
        self.texts(id).iter().map(|text| text.len() as u32).max()
    }

    /// Returns the bytes of the texts.
    pub(super) fn bytes(&self) -> usize {
        let of_list = |list: &[Box<[u8]>]| list.iter().map(|text| size_of_val(text) + text.len()).sum::<usize>();
        self.lists.iter().map(|list| of_list(&list.texts)).sum::<usize>()
            + self.ids.len() * (size_of::<(Callee, ChoiceId)>() + 1)
    }
}
