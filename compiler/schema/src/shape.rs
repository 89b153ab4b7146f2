//! Normal forms: a value as a union of arms for each JSON type, without boolean combinations.

use std::rc::Rc;
use std::sync::Arc;

use ogc_regular::kept::Kept;
use ogc_regular::number::{Decimals, NumberError, NumberSet, Spelling};
use ogc_regular::{Dfa, DfaState, Edge, Limits};

use crate::error::{KeyCondition, SchemaError};
use crate::leaf::Text;
use crate::source::Origin;
use crate::term::MOST;
use crate::value::ValueId;

/// A value's normal form. Each part is a union.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// For diagnostics.
    pub origin: Origin,
    /// Whether the value contains `null`.
    pub null: bool,
    /// Whether the value contains `true`.
    pub yes: bool,
    /// Whether the value contains `false`.
    pub no: bool,
    /// Its numbers; `None` for none.
    pub number: Option<NumberSet>,
    /// Its numbers, as a union of sets with different spellings.
    pub numbers: Vec<NumberArm>,
    /// All its numbers have type `integer` (and are not merely whole because of other keywords).
    pub integers: bool,
    /// Its strings.
    pub strings: Vec<StringArm>,
    /// Its arrays.
    pub arrays: Vec<ArrayArm>,
    /// Its objects.
    pub objects: Vec<ObjectArm>,
    /// Parts that could not be written as arms; the user of this value must report them.
    pub errors: Vec<Rc<SchemaError>>,
}

/// Numbers with one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberArm {
    /// The numbers; not empty.
    pub set: NumberSet,
    /// The number of digits behind the point, where the source gives one.
    pub decimals: Option<Decimals>,
}

/// Cache key of the automaton of a set of numbers: the set, its digits behind the point, the spelling and the limits.
type NumberKey = (NumberSet, Option<Decimals>, Spelling, Limits);

/// Automata of sets of numbers that the process has made.
pub(crate) static LANGUAGES: Kept<NumberKey, Result<Arc<Dfa>, NumberError>> = Kept::new(MOST);

impl NumberArm {
    /// The texts of the numbers. If the number of digits behind the point is given, texts have no exponent.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::language`].
    pub fn language(&self, spelling: Spelling, limits: &Limits) -> Result<Arc<Dfa>, NumberError> {
        let key = (self.set.clone(), self.decimals, spelling, *limits);
        let make = |_: &NumberKey| match self.decimals {
            Some(decimals) => self.set.language_with_decimals(decimals, limits),
            None => self.set.language(spelling, limits),
        };
        let bytes =
            |made: &Result<Arc<Dfa>, NumberError>| made.as_ref().map_or(0, |dfa| dfa.bytes()) + self.set.bytes();
        LANGUAGES.get(&key, |key| make(key).map(Arc::new), bytes).as_ref().clone()
    }
}

/// Strings of one language, with separate bounds on the length in code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringArm {
    /// For diagnostics.
    pub origin: Origin,
    /// The language.
    pub language: StringLanguage,
    /// Least length; 0 where the language is finite.
    pub min: u64,
    /// Greatest length; `None` where the language is finite.
    pub max: Option<u64>,
}

/// A language of decoded texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StringLanguage {
    /// Every text.
    Any,
    /// The listed texts: sorted, without duplicates, not empty.
    Finite(Vec<String>),
    /// An automaton that is not empty. If there are length bounds, some text satisfies them; if there are both bounds,
    /// the lengths of every state's completions have no gaps that matter.
    Dfa(Text),
}

/// Arrays whose items are distinguished by position.
#[derive(Clone, Debug)]
pub struct ArrayArm {
    /// For diagnostics.
    pub origin: Origin,
    /// The items of the first positions.
    pub prefix: Vec<Item>,
    /// The items of all later positions.
    pub items: Item,
    /// Least number of items.
    pub min: u64,
    /// Greatest number of items.
    pub max: Option<u64>,
    /// Bounds on the numbers of items that satisfy conditions.
    pub counts: Vec<Count>,
    /// Set if no two items may be equal.
    pub unique: Option<Origin>,
    /// Error of a condition that could not be expressed; reported if the arm is inhabited.
    pub poison: Option<Rc<SchemaError>>,
}

/// The items of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The schema of the items.
    pub value: ValueId,
    /// The ways to read an item, if the array counts some of its items.
    pub moves: Vec<Move>,
}

/// One way to read an item that counts for some conditions and not for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Bit n: the item counts for the arm's n-th count.
    pub counted: u32,
    /// The schema of an item that is read in this way.
    pub value: ValueId,
}

/// Bounds on the number of an array's items that satisfy a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Least number.
    pub min: u64,
    /// Greatest number. If given, every item that satisfies the condition is counted.
    pub max: Option<u64>,
    /// For diagnostics.
    pub origin: Origin,
}

/// Objects whose members are distinguished by key.
#[derive(Clone, Debug)]
pub struct ObjectArm {
    /// For diagnostics.
    pub origin: Origin,
    /// The distinguished keys, in declared order. A key whose value is empty must be absent. Neighbours with one name
    /// are one key, whose values the conditions distinguish.
    pub keys: Vec<Key>,
    /// All other keys.
    pub rest: Rest,
    /// Least number of members.
    pub min: u64,
    /// Greatest number of members.
    pub max: Option<u64>,
    /// Conditions on which keys are present; all of them hold. No key is in two of them.
    pub conditions: Vec<KeyDiagram>,
    /// Demands that members with unnamed keys must meet.
    pub demands: KeyDemands,
    /// Error of a condition that could not be expressed; reported if the arm is inhabited.
    pub poison: Option<Rc<SchemaError>>,
}

/// A condition on which keys are present, as a decision diagram that starts at its first choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyDiagram {
    /// The choices; choices of the same key are adjacent.
    pub choices: Vec<KeyChoice>,
}

/// A choice between keys of one name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyChoice {
    /// The position of the first of these keys in [`ObjectArm::keys`]; the length of that list stands for undeclared
    /// keys.
    pub first: usize,
    /// The next step without such a key, followed by the next step for each of the keys.
    pub next: Vec<KeyWay>,
}

/// The result of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyWay {
    /// The condition fails.
    Fails,
    /// The condition holds.
    Holds,
    /// To a later choice.
    To(usize),
}

impl KeyDiagram {
    /// Whether the condition can be met if only some keys are possible.
    #[must_use]
    pub fn can_hold(&self, possible: impl Fn(usize) -> bool) -> bool {
        self.holds_by(|choice, option| option == 0 || possible(choice.first + option - 1))
    }

    /// Whether the condition can be met with the key `key` present, if only some other keys are possible.
    #[must_use]
    pub fn can_hold_with(&self, key: usize, possible: impl Fn(usize) -> bool) -> bool {
        self.holds_by(|choice, option| match key.checked_sub(choice.first).map(|at| at + 1) {
            Some(own) if own < choice.next.len() => own == option,
            _ => option == 0 || possible(choice.first + option - 1),
        })
    }

    /// The condition that is left when the choice of the keys from `first` on is decided: `option` is 0 if none is
    /// present, else the number of the key among them, counted from 1. `None` if the condition fails; a diagram without
    /// choices holds.
    ///
    /// ```
    /// use ogc_schema::{KeyChoice, KeyDiagram, KeyWay};
    /// // The first key requires the second.
    /// let condition = KeyDiagram {
    ///     choices: vec![
    ///         KeyChoice { first: 0, next: vec![KeyWay::Holds, KeyWay::To(1)] },
    ///         KeyChoice { first: 1, next: vec![KeyWay::Fails, KeyWay::Holds] },
    ///     ],
    /// };
    /// let with = condition.decided(0, 1).unwrap();
    /// assert_eq!(with.decided(1, 0), None);
    /// assert_eq!(with.decided(1, 1), Some(KeyDiagram::default()));
    /// ```
    #[must_use]
    pub fn decided(&self, first: usize, option: usize) -> Option<KeyDiagram> {
        let target = |mut way: KeyWay| {
            while let KeyWay::To(at) = way
                && self.choices[at].first == first
            {
                way = self.choices[at].next.get(option).copied().unwrap_or(KeyWay::Fails);
            }
            way
        };
        let root = match target(if self.choices.is_empty() { KeyWay::Holds } else { KeyWay::To(0) }) {
            KeyWay::Fails => return None,
            KeyWay::Holds => return Some(KeyDiagram::default()),
            KeyWay::To(root) => root,
        };
        let mut reached = vec![false; self.choices.len()];
        reached[root] = true;
        for at in root..self.choices.len() {
            if reached[at] {
                self.choices[at].next.iter().for_each(|&way| {
                    if let KeyWay::To(to) = target(way) {
                        reached[to] = true;
                    }
                });
            }
        }
        let order: Vec<usize> = (root..self.choices.len()).filter(|&at| reached[at]).collect();
        let moved = |way: &KeyWay| match target(*way) {
            KeyWay::To(to) => order.binary_search(&to).map_or(KeyWay::Fails, KeyWay::To),
            end => end,
        };
        let choice = |&at: &usize| KeyChoice {
            first: self.choices[at].first,
            next: self.choices[at].next.iter().map(moved).collect(),
        };
        Some(KeyDiagram { choices: order.iter().map(choice).collect() })
    }

    fn holds_by(&self, allowed: impl Fn(&KeyChoice, usize) -> bool) -> bool {
        let mut holds = vec![false; self.choices.len()];
        for (at, choice) in self.choices.iter().enumerate().rev() {
            let leads = |way: &KeyWay| match way {
                KeyWay::Fails => false,
                KeyWay::Holds => true,
                KeyWay::To(next) => holds.get(*next).copied().unwrap_or(false),
            };
            holds[at] = choice.next.iter().enumerate().any(|(option, way)| allowed(choice, option) && leads(way));
        }
        holds.first().copied().unwrap_or(true)
    }
}

/// Demands for exceptions: for each, some member with an unnamed key must meet it. If there are any, no key may occur
/// twice.
#[derive(Clone, Debug, Default)]
pub struct KeyDemands {
    /// The keywords that must be broken, one for each demand.
    pub all: Vec<KeyDemand>,
    /// Per class of unnamed keys: the ways to read the value. Bit n of `counted`: the member meets the n-th demand. The
    /// ways are disjoint.
    pub moves: Vec<Vec<Move>>,
    /// From this number of unnamed keys on, the keys that could meet a demand may be used up; `None` if they cannot be.
    pub fewest: Option<u64>,
}

/// A keyword about all keys that at least one member must break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyDemand {
    /// For diagnostics.
    pub origin: Origin,
    /// The keyword.
    pub condition: KeyCondition,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name, decoded.
    pub name: String,
    /// Its value, if present.
    pub value: ValueId,
    /// Set if the key must be present: the place that requires it.
    pub required: Option<Origin>,
}

/// The keys that an object does not name.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The value of each class of such keys.
    pub classes: Vec<ValueId>,
    /// Maps a key to its class; `None` if all keys are of class 0.
    pub keys: Option<Rc<RestKeys>>,
}

impl Rest {
    /// Returns whether there are no unnamed keys.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.classes.iter().all(|&class| class == ValueId::NONE)
    }

    /// Returns the language of the keys of a class; named keys may be among them.
    #[must_use]
    pub fn keys_of(&self, class: usize) -> Dfa {
        let Some(keys) = &self.keys else { return Dfa::any_text() };
        let state = |(edges, own): (&Vec<Edge>, &Option<u32>)| DfaState {
            accept: own.is_some_and(|own| own as usize == class),
            edges: edges.clone(),
        };
        Dfa::from_states(keys.edges.iter().zip(&keys.class).map(state).collect())
    }
}

/// An automaton over decoded keys. State 0 is the start.
#[derive(Clone, Debug)]
pub struct RestKeys {
    /// Transitions per state.
    pub edges: Vec<Vec<Edge>>,
    /// Per state: the class of a key that ends here; `None` if no key may.
    pub class: Vec<Option<u32>>,
}
