//! Names the contradiction in a schema that no value satisfies: the fewest conditions that exclude each other, and their places.
//!
//! The named conditions are a contradiction for certain: the algebra finds that nothing satisfies them together, and that something does
//! without any one of them.
//!
//! # Steps
//!
//! 1. [`condition`]: a conjunction of schemas becomes a list of conditions, each a node of its own.
//! 2. [`least`]: of these, the fewest that are empty together.
//! 3. [`search`]: if these are a required member and its schemas, the same for the member's value, and so on inwards.
//! 4. [`words`]: the sentence, in the words of JSON Schema and of `.ogc`.

mod condition;
mod least;
mod search;
mod words;

use ogc_schema::source::Origin;

pub(crate) use search::find;

use condition::Condition;

/// Why no value satisfies a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The way from the value to the part that cannot be.
    path: Vec<Step>,
    cause: Cause,
    /// The conditions and where they are written.
    places: Vec<(Origin, Condition)>,
    /// Closed objects that would have to be open for values to be left; empty if that does not help.
    to_open: Vec<Origin>,
}

/// One step into a value that must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

/// The reason why a part of a value cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// Its schema says itself that it allows nothing.
    Never,
    /// It needs another one like it inside.
    Endless,
    /// A closed object does not declare a required key. `near` is a declared one that may be meant; `both` says that the key is one of
    /// another closed object.
    Undeclared { key: String, near: Option<String>, both: bool },
    /// No branch of a choice agrees with the other conditions; why the first does not.
    NoBranch { choice: Condition, others: Vec<Condition>, first: Option<Box<Contradiction>> },
    /// Whatever one branch of a `oneOf` accepts beside other conditions, another accepts too.
    Overlap(Vec<Condition>),
    /// Conditions that exclude each other.
    Together(Vec<Condition>),
}

impl Contradiction {
    /// Returns the places of the conditions with their names, in the words of JSON Schema.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (Origin, String)> {
        self.places.iter().map(|(place, condition)| (*place, condition.in_schema()))
    }

    /// Returns the places of the conditions with their names, in the words of `.ogc`.
    pub(crate) fn labels_in_ogc(&self) -> impl Iterator<Item = (Origin, String)> {
        self.places.iter().map(|(place, condition)| (*place, condition.in_ogc()))
    }

    /// Returns the closed objects that would have to be open for values to be left.
    pub(crate) fn to_open(&self) -> &[Origin] {
        &self.to_open
    }
}
