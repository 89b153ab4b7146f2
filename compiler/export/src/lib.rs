//! Exports formats to the notations of other tools, meaning exactly the same: any import can be read as `.ogc`, any
//! format with JSON values leaves as JSON Schema, and texts leave as rules, which are written as GBNF, Lark or a
//! regular expression.
//!
//! Nothing is approximated. What a notation cannot say is a finding.

mod edges;
mod graph;
pub mod json_schema;
pub mod notation;
pub mod ogc;
mod prompt;
pub mod rules;
mod text;

pub use graph::ExportGraph;
pub use prompt::prompt;
pub use rules::{NoRegex, add_values, origin_of, values_to_rules, without_patterns, without_recursion};
pub use text::{grammar_rules, module_rules};

pub use ogc_compiler::{SchemaFault, SchemaFaultKind};

/// Returns the limits of reading patterns, unless the caller has others.
#[must_use]
pub fn pattern_limits() -> ogc_regular::Limits {
    ogc_regular::Limits::default()
}

/// Returns the limits of resolving values, unless the caller has others.
#[must_use]
pub fn schema_limits() -> ogc_schema::Limits {
    ogc_schema::Limits::default()
}
