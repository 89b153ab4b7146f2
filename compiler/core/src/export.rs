//! Graphs of schemas in another notation that means exactly the same: any import can be read as `.ogc`, and any format
//! with JSON values leaves as JSON Schema.
//!
//! Nothing is approximated. What a notation cannot say is a finding.

mod edges;
mod graph;
pub mod json_schema;
pub mod ogc;

pub use graph::Graph;
