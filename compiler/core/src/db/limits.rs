//! Budgets of a compilation, stage by stage.

use crate::frontend::json_schema;
use crate::pass;

/// The budgets of every stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Reading a JSON Schema.
    pub read: json_schema::Limits,
    /// Resolving a schema's boolean combinations.
    pub schema: ogc_schema::Limits,
    /// Building the automaton of a grammar or a pattern.
    pub grammar: pass::Limits,
}
