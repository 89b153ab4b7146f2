//! The algebra of JSON values: what a schema *means*, as boolean combinations that are resolved, never approximated.
//!
//! A front end writes the schema it read as a [`source::Schemas`] graph (references resolved, keywords checked); the
//! algebra expands conjunctions of its nodes into normal forms per JSON type and decides emptiness by a fixpoint.
//! This crate knows only `ogc-regular`: no text, no spans (an opaque [`source::Origin`] stands for them), no automaton
//! and no tokens.

pub mod source;
