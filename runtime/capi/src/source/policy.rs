//! How the values of a schema are spelled, as numbers in a source.

use ogc_compiler::db::{JsonPolicy, Space};
use ogc_runtime::automaton::{Escapes, KeyOrder};

use super::ogc_source;
use crate::status::Failure;

/// White space between the parts of a JSON text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_space {
    /// What JSON allows, in runs of at most 32.
    ANY = 0,
    /// None.
    COMPACT = 1,
    /// One space behind each comma and colon.
    SPACED = 2,
}

/// The order of the keys of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_key_order {
    /// As the schema declares them.
    DECLARED = 0,
    /// Any.
    ANY = 1,
}

/// Escapes in strings.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_escapes {
    /// All that JSON allows.
    ANY = 0,
    /// Each character in one way: as it is, where JSON allows it.
    CANONICAL = 1,
}

/// Reads the policy of a source; `None` if it says nothing.
pub(super) fn read(source: &ogc_source) -> Result<Option<JsonPolicy>, Failure> {
    if [source.space, source.order, source.escapes] == [0; 3] {
        return Ok(None);
    }
    let unknown = |field: &str, number: u32| Err(Failure::argument(&format!("source.{field} is {number}")));
    let mut policy = JsonPolicy::default();
    match source.space {
        0 => {}
        1 => policy.space = Space::Compact,
        2 => policy.space = Space::Spaced,
        other => return unknown("space", other),
    }
    match source.order {
        0 => {}
        1 => policy.order = KeyOrder::Any,
        other => return unknown("order", other),
    }
    match source.escapes {
        0 => {}
        1 => policy.escapes = Escapes::Canonical,
        other => return unknown("escapes", other),
    }
    Ok(Some(policy))
}
