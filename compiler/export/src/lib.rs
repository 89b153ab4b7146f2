//! Exports formats to the notations of other tools with exactly the same meaning. Any import can be written as `.ogc`,
//! and any format with JSON values as JSON Schema. Texts become rules, which are written as GBNF, Lark or a regular
//! expression.
//!
//! Nothing is approximated: a notation that cannot express a format yields a finding.

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

/// Returns the limits for reading patterns, where the caller sets none.
#[must_use]
pub fn pattern_limits() -> ogc_regular::Limits {
    ogc_regular::Limits::default()
}

/// Returns the limits for resolving values, where the caller sets none.
#[must_use]
pub fn schema_limits() -> ogc_schema::Limits {
    ogc_schema::Limits::default()
}
