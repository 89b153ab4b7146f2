//! The algebra of JSON values: what a schema *means*, as boolean combinations that are resolved, never approximated.
//!
//! A front end turns the schema it has read into a [`source::Schemas`] graph (references resolved, keywords checked).
//! The algebra expands conjunctions of its nodes into normal forms per JSON type and decides emptiness by a fixpoint.
//! This crate knows only `ogc-regular`: no text, no spans (an opaque [`source::Origin`] stands for them), no automaton
//! and no tokens. Besides the algebra, [`keyword`] has the table of the keywords, which front ends, exports, lints and
//! editors read.
//!
//! # Steps
//!
//! 1. [`Table::new`]: the source nodes, nodes for the arrays and objects listed by `enum`, and for each node the JSON
//!    types of its values.
//! 2. [`Algebra::solve`]: every reachable conjunction ([`ValueId`]) is expanded into a [`Shape`]: `terms` writes it as
//!    alternatives of atoms, one JSON type at a time (`negate` and `one_of` expand complements and exclusive choices);
//!    `assemble` makes an arm of each alternative. If objects have many alternatives, choices about their keys alone
//!    are kept as conditions on the keys (`formulas`, `assemble/conditions`).
//! 3. `satisfy`: decides which values are inhabited, as a least fixpoint.

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
mod words;

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
pub use words::Words;
