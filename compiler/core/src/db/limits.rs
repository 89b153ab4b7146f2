//! The limits of a compilation, as a whole and stage by stage.

use ogc_regular::budget::Allowance;

use crate::frontend::json_schema;
use crate::pass;

/// The budget of one compilation, and the limits of single steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Budget that all stages of one compilation share: reading a file, elaborating a definition, building its
    /// automaton.
    pub budget: Allowance,
    /// Limits of reading a JSON Schema.
    pub read: json_schema::Limits,
    /// Limits of resolving a schema's boolean combinations.
    pub schema: ogc_schema::Limits,
    /// Limits of building the automaton of a grammar or a pattern.
    pub grammar: pass::Limits,
}
