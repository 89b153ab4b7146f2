//! Formats in the notations of other tools, meaning exactly the same: any import can be read as `.ogc`, any format with JSON
//! values leaves as JSON Schema, and texts leave as rules, which are written as GBNF, Lark or a regular expression.
//!
//! Nothing is approximated. What a notation cannot say is a finding.

mod edges;
mod graph;
pub mod json_schema;
pub mod ogc;
pub mod rules;

pub use graph::Graph;
pub use rules::{add_values, values_to_rules, without_patterns};
