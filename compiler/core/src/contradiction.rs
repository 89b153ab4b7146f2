//! Names the contradiction in a schema that no value satisfies: the fewest conditions that exclude each other, and their places.
//!
//! The named conditions are a contradiction for certain: the algebra finds that nothing satisfies them together, and that something does
//! without any one of them.
//!
//! # Steps
//!
//! 1. [`condition`]: a conjunction of schemas becomes a list of conditions, each a node of its own.
//! 2. [`least`]: picks the fewest of these conditions that no value satisfies together.
//! 3. [`search`]: if those conditions are a required member and its schemas, the search goes on in the member's value,
//!    and so on inwards.
//! 4. [`words`]: the sentence, in the words of JSON Schema and of `.ogc`.

mod condition;
mod least;
mod search;
mod words;

use ogc_schema::source::Origin;

pub(crate) use search::find;

use condition::Condition;

/// The reason why no value satisfies a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Path from the value to its unsatisfiable part.
    path: Vec<Step>,
    cause: Cause,
    /// The conflicting conditions and where they are written.
    places: Vec<(Origin, Condition)>,
    /// Closed objects that lack a required key, if opening them would leave values; otherwise empty.
    to_open: Vec<Origin>,
}

/// One step of a path into a required member or item.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

/// The reason why a part of a value is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// The schema itself allows nothing.
    Never,
    /// Each value of the schema must contain another value of the same schema, without end.
    Endless,
    /// A closed object does not declare a required key. `near` is a declared key that may be meant; `both` says that
    /// another closed object declares the key.
    Undeclared { key: String, near: Option<String>, both: bool },
    /// No branch of a choice agrees with the other conditions. `first` says why the first branch does not.
    NoBranch { choice: Condition, others: Vec<Condition>, first: Option<Box<Contradiction>> },
    /// Every value that one branch of a `oneOf` accepts under the other conditions, another branch accepts, too.
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

    /// Returns the closed objects that must be opened to leave any values; empty if opening does not help.
    pub(crate) fn to_open(&self) -> &[Origin] {
        &self.to_open
    }
}
