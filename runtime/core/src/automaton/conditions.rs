//! Conditions on the presence of an object's keys, as decision diagrams: checked while keys come, and never expanded.

use std::ops::Range;

/// The conditions on the keys of one object. All must hold, and no key occurs in two of them.
///
/// ```
/// use ogc_runtime::automaton::{KeyChoice, KeyConditions, KeyDiagram};
/// // Key 1 must be there if key 0 is.
/// let first = KeyChoice { first: 0, next: [KeyDiagram::HOLDS, 1].into() };
/// let second = KeyChoice { first: 1, next: [KeyDiagram::FAILS, KeyDiagram::HOLDS].into() };
/// let conditions = KeyConditions::new([KeyDiagram { choices: [first, second].into() }].into());
/// assert!(!conditions.is_empty());
/// assert_eq!(conditions.diagrams().len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyConditions {
    diagrams: Box<[KeyDiagram]>,
    /// Groups of keys that exclude each other, ascending: the first key, the number of keys, and the index of their diagram.
    groups: Box<[[u32; 3]]>,
}

/// One condition: a decision diagram, followed from its first choice to [`KeyDiagram::HOLDS`] or [`KeyDiagram::FAILS`]. A choice leads to
/// later choices only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyDiagram {
    /// The choices; choices of the same keys are adjacent.
    pub choices: Box<[KeyChoice]>,
}

/// A choice among alternatives of one key, of which an object has at most one: they share a name, and their values exclude each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyChoice {
    /// The first of the keys. The number of declared keys, as an index, stands for all undeclared keys together.
    pub first: u32,
    /// The next choice or end for each option: first for "none of the keys", then for each key.
    pub next: Box<[u32]>,
}

impl KeyChoice {
    /// Returns the number of keys to choose from.
    pub(crate) fn options(&self) -> u32 {
        self.next.len().saturating_sub(1) as u32
    }
}

impl KeyDiagram {
    /// The end at which the condition holds.
    pub const HOLDS: u32 = u32::MAX - 1;
    /// The end at which the condition fails.
    pub const FAILS: u32 = u32::MAX;
}

impl KeyConditions {
    /// Makes conditions that must all hold. A key may occur in one diagram only.
    #[must_use]
    pub fn new(diagrams: Box<[KeyDiagram]>) -> Self {
        let group = |(at, choice): (u32, &KeyChoice)| [choice.first, choice.options(), at];
        let of_diagram = |(at, diagram): (u32, &KeyDiagram)| -> Vec<[u32; 3]> {
            diagram.choices.iter().map(|choice| group((at, choice))).collect()
        };
        let mut groups: Vec<[u32; 3]> = (0..).zip(&diagrams).flat_map(of_diagram).collect();
        groups.sort_unstable();
        groups.dedup();
        Self { diagrams, groups: groups.into() }
    }

    /// Returns whether there are no conditions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diagrams.is_empty()
    }

    /// Returns the conditions.
    #[must_use]
    pub fn diagrams(&self) -> &[KeyDiagram] {
        &self.diagrams
    }

    /// Returns the group of mutually exclusive keys that contains `key`, and its diagram; `None` for a key without conditions.
    pub(crate) fn of(&self, key: u32) -> Option<(Range<u32>, &KeyDiagram)> {
        let behind = self.groups.partition_point(|&[first, ..]| first <= key);
        let &[first, options, diagram] = self.groups.get(behind.checked_sub(1)?)?;
        let keys = first..first.saturating_add(options);
        Some((keys, self.diagrams.get(diagram as usize)?)).filter(|(keys, _)| keys.contains(&key))
    }

    /// Returns the groups of keys with conditions, ascending; the keys of a group exclude each other.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.groups.iter().map(|&[first, options, _]| first..first.saturating_add(options))
    }

    /// Returns whether a condition depends on the key.
    #[must_use]
    pub fn speak_of(&self, key: u32) -> bool {
        self.of(key).is_some()
    }

    /// Returns the size of the diagrams in bytes.
    pub(super) fn bytes(&self) -> usize {
        let choices = self.diagrams.iter().flat_map(|diagram| &diagram.choices);
        let choices: usize = choices.map(|choice| size_of::<KeyChoice>() + size_of_val(&*choice.next)).sum();
        size_of_val(&*self.diagrams) + size_of_val(&*self.groups) + choices
    }

    /// Encodes the diagrams as numbers: for each diagram the number of its choices, and for each choice its first key, the length of
    /// `next`, and `next`.
    pub(crate) fn words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        for diagram in &self.diagrams {
            words.push(diagram.choices.len() as u32);
            for choice in &diagram.choices {
                words.extend([choice.first, choice.next.len() as u32]);
                words.extend(&choice.next);
            }
        }
        words
    }

    /// Decodes the output of [`Self::words`]; `None` if it is truncated.
    pub(crate) fn from_words(mut words: &[u32]) -> Option<Self> {
        let mut diagrams = Vec::new();
        while let Some(count) = next(&mut words) {
            let mut choices = Vec::new();
            for _ in 0..count {
                let first = next(&mut words)?;
                let len = next(&mut words)? as usize;
                let (ways, after) = words.split_at_checked(len)?;
                choices.push(KeyChoice { first, next: ways.into() });
                words = after;
            }
            diagrams.push(KeyDiagram { choices: choices.into() });
        }
        Some(Self::new(diagrams.into()))
    }

    /// Checks that the diagrams are well formed: they have only keys of the object, each key in one group of one diagram; a choice leads
    /// only to later choices of other keys; and some path leads to [`KeyDiagram::HOLDS`].
    pub(super) fn check(&self, keys: u32, has_others: bool) -> Result<(), &'static str> {
        let apart = |pair: &[[u32; 3]]| pair[0][0].checked_add(pair[0][1]).is_some_and(|end| end <= pair[1][0]);
        if !self.groups.windows(2).all(apart) {
            return Err("a key in two conditions");
        }
        for &[first, options, _] in &self.groups {
            let is_others = has_others && first == keys && options == 1;
            let end = first.checked_add(options).ok_or("an unknown key")?;
            if options == 0 || end > keys && !is_others {
                return Err("an unknown key");
            }
        }
        for diagram in &self.diagrams {
            let levels = levels(diagram).ok_or("choices of the same keys lie apart")?;
            for (level, choice) in levels.iter().zip(&diagram.choices) {
                let later =
                    |&next: &u32| next >= KeyDiagram::HOLDS || levels.get(next as usize).is_some_and(|to| to > level);
                if !choice.next.iter().all(later) {
                    return Err("a choice leads back");
                }
            }
            if !holds_somewhere(diagram) {
                return Err("a condition cannot be met");
            }
        }
        Ok(())
    }
}

fn next(words: &mut &[u32]) -> Option<u32> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

/// Numbers the groups of choices among the same keys; `None` if the choices of a group are not adjacent.
fn levels(diagram: &KeyDiagram) -> Option<Vec<u32>> {
    let mut seen: Vec<u32> = Vec::new();
    let mut levels = Vec::new();
    for choice in &diagram.choices {
        if seen.last() != Some(&choice.first) {
            if seen.contains(&choice.first) {
                return None;
            }
            seen.push(choice.first);
        }
        levels.push(seen.len() as u32);
    }
    Some(levels)
}

/// Returns whether some path leads to [`KeyDiagram::HOLDS`]; choices lead to later choices only.
fn holds_somewhere(diagram: &KeyDiagram) -> bool {
    let mut reached = vec![false; diagram.choices.len()];
    reached.iter_mut().take(1).for_each(|first| *first = true);
    for (at, choice) in diagram.choices.iter().enumerate().filter(|(_, choice)| !choice.next.is_empty()) {
        if !reached[at] {
            continue;
        }
        for &next in &choice.next {
            if next == KeyDiagram::HOLDS {
                return true;
            }
            if let Some(slot) = reached.get_mut(next as usize) {
                *slot = true;
            }
        }
    }
    false
}
