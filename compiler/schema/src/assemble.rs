//! From a conjunction of atoms to an arm of a shape, one file per JSON type.

mod array;
mod conditions;
mod conditions_compile;
mod conditions_keys;
mod conditions_prune;
mod exists;
mod key_order;
mod number;
mod object;
mod object_draft;
mod rest;
mod string;

pub(crate) use string::string_dfa;
