//! All integration tests of this crate: one program, so that one is linked.

mod advance;
mod bench;
mod checks;
mod compare;
mod crowded;
mod draft;
mod drafted;
mod driver;
mod escaped;
mod fake;
mod fill;
#[path = "../../core/tests/formats/mod.rs"]
mod formats;
mod framed;
mod host;
mod interpreter;
mod kernel;
mod keys;
mod kinds;
mod launch;
mod layout;
mod locate;
mod located;
mod masks;
mod mirror;
mod model;
mod objects;
mod random;
mod rows;
mod script;
mod sequences;
mod slot_drafts;
mod slots;
mod slots_driver;
mod step;
mod verdict;
