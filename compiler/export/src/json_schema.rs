//! Exports graphs as JSON Schema, draft 2020-12.
//!
//! # Steps
//!
//! 1. [`names`](mod@names): which nodes go to `$defs`, and under which names.
//! 2. [`keywords`]: one object for each node; uses of a named node are references. Objects of `.ogc` files are then
//!    simplified to the usual style ([`simple`]).
//! 3. [`text`]: the objects as text, keys in order, numbers exact.
//!
//! `format` constrains values only for readers that assert formats, as this compiler does. In draft 4, an `integer` is
//! a literal without fraction; this is a rule of spelling, which a graph does not record.

mod docs;
mod keywords;
mod names;
mod simple;
mod text;

use always_assert::never;
use ogc_compiler::hir::Module;
use ogc_schema::source::{Keywords, NodeId, NodeKind};

use super::graph::ExportGraph;
use super::ogc::ROOT;
use keywords::{SchemaWriter, Style};
use text::Json;

/// Writes a value as JSON on one line, with exact numbers.
///
/// ```
/// use ogc_export::json_schema::value_text;
/// use ogc_schema::source::Value;
/// assert_eq!(value_text(&Value::Array(vec![Value::Null, Value::Bool(true)])), "[null, true]");
/// ```
#[must_use]
pub fn value_text(value: &ogc_schema::source::Value) -> String {
    let mut out = String::new();
    Json::value(value).flat(&mut out);
    out
}

/// Writes a graph as an equivalent schema of draft 2020-12, with keys in the same order.
///
/// ```
/// use ogc_export::{ExportGraph, json_schema};
/// use ogc_compiler::frontend::json_schema::{ReadOptions, read};
/// let imported = read(r#"{"minimum": 0.50, "title": "Share"}"#, &ReadOptions { definitions: true, ..ReadOptions::default() });
/// let text = json_schema::print(&ExportGraph::of(&imported));
/// assert!(text.contains("\"title\": \"Share\",\n  \"minimum\": 0.5\n"), "{text}");
/// ```
#[must_use]
pub fn print(graph: &ExportGraph<'_>) -> String {
    written(SchemaWriter::new(graph, Style::AsRead), graph)
}

fn written(mut writer: SchemaWriter<'_, '_>, graph: &ExportGraph<'_>) -> String {
    let mut root = vec![("$schema".to_owned(), Json::text("https://json-schema.org/draft/2020-12/schema"))];
    if let Some(node) = graph.schemas.root {
        match writer.root(node) {
            Json::Object(members) => root.extend(members),
            Json::Bool(false) => root.push(("not".to_owned(), Json::Object(Vec::new()))),
            Json::Bool(true) => {}
            other => never!("the schema of {:?} is written as {:?}", node, other),
        }
    }
    let definitions = writer.definitions();
    if !definitions.is_empty() {
        root.push(("$defs".to_owned(), Json::Object(definitions)));
    }
    Json::Object(root).print()
}

/// Writes the values of a definition of an `.ogc` file as a JSON Schema.
///
/// A definition that only refers to a type with a title is exported as that type, as the title names it already. The
/// same holds for a definition that refers to the type of a schema without a title, as exports to `.ogc` produce it.
#[must_use]
pub fn print_module(module: &Module, node: NodeId) -> String {
    let meant = match module.schemas.nodes.get(node.0 as usize).map(|node| &node.kind) {
        Some(NodeKind::Keywords(keywords)) => keywords.reference.as_ref().map(|target| target.value).filter(|target| {
            let alone = Keywords { reference: keywords.reference.clone(), ..Keywords::default() };
            let is_titled = module.docs.get(target).is_some_and(|docs| docs.title.is_some());
            let is_root = module.names.iter().any(|(node, name)| node == target && name == ROOT);
            alone == **keywords && (is_titled || is_root) && !module.docs.contains_key(&node)
        }),
        _ => None,
    };
    let schemas = module.rooted(meant.unwrap_or(node));
    let mut graph = ExportGraph::of_module(module, &schemas);
    graph.names.retain(|(_, named)| meant != Some(*named));
    written(SchemaWriter::new(&graph, Style::Simple), &graph)
}

#[cfg(test)]
mod tests;
