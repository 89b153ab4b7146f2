//! The algebra of JSON values: what a schema *means*, as boolean combinations that are resolved, never approximated.
//!
//! A front end writes the schema it read as a [`source::Schemas`] graph (references resolved, keywords checked); the
//! algebra expands conjunctions of its nodes into normal forms per JSON type and decides emptiness by a fixpoint.
//! This crate knows only `ogc-regular`: no text, no spans (an opaque [`source::Origin`] stands for them), no automaton
//! and no tokens. Beside the algebra, [`keyword`] has the table of the keywords, which front ends, exports, lints and editors read.
//!
//! # Steps
//!
//! 1. [`Table::new`]: the source nodes, the nodes that the array and object values of `enum` mean, and per node which
//!    JSON types it can hold.
//! 2. [`Algebra::solve`]: every reachable conjunction ([`ValueId`]) is expanded into a [`Shape`]: `terms` writes it as
//!    alternatives of atoms, one JSON type at a time (`negate` and `one_of` say what complements and exclusive choices
//!    are); `assemble` makes an arm of each alternative. Where objects have many alternatives, choices that speak of their keys alone stay
//!    conditions on them (`formulas`, `assemble/conditions`).
//! 3. `satisfy`: which values hold anything, as a least fixpoint.

mod algebra;
mod assemble;
mod atom;
mod context;
mod diagram;
mod error;
mod formulas;
mod key_formula;
pub mod keyword;
mod leaf;
mod limits;
mod negate;
mod one_of;
mod ordered_set;
mod relation;
mod satisfy;
mod shape;
mod shared;
pub mod source;
mod table;
mod tags;
mod term;
mod terms;
mod unquoted;
mod value;

pub use algebra::Algebra;
pub use error::{KeyCondition, SchemaError, SchemaErrorKind};
pub use leaf::Text;
pub use limits::Limits;
pub use satisfy::{CountVectors, ItemsNeeded};
pub use shape::{
    ArrayArm, Count, Item, Key, KeyChoice, KeyDemand, KeyDemands, KeyDiagram, KeyWay, Move, NumberArm, ObjectArm, Rest,
    RestKeys, Shape, StringArm, StringLanguage,
};
pub use shared::forget_shared;
pub use table::Table;
pub use term::Term;
pub use unquoted::{Unquoted, UnquotedStrings};
pub use value::ValueId;
