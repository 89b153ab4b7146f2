//! Exports graphs and rule trees as `.ogc` files: any import can be read, edited and compiled as one.
//!
//! # Steps
//!
//! 1. [`names`](mod@names): which nodes become types of their own, and their names.
//! 2. [`printer`] walks the nodes; [`node`] splits one into the conditions on each JSON type ([`scalar`],
//!    [`mod@array`], [`object`]), the choices ([`choice`]), and the references.
//! 3. [`build`] joins the parts in their simplest form; [`docs`] adds titles and descriptions.
//! 4. [`mod@rules`] does the same for the trees of GBNF, EBNF and ABNF.
//! 5. [`mod@policy`] writes how the values are spelled.
//!
//! The printed types mean the same set of values *in the same key order*. If ogc cannot express the graph, an error
//! says so, and the text is not equivalent.

mod array;
mod build;
mod choice;
mod docs;
mod mask;
mod names;
mod node;
mod object;
mod pattern;
mod policy;
mod printer;
mod rules;
mod scalar;
#[cfg(test)]
mod tests;
mod value;

use ogc_grammar::ogc::ast::{Definition, File, Item, ItemKind};
use ogc_grammar::{Diagnostic, Span};
use ogc_schema::Table;

use super::graph::ExportGraph;
use build::{name, word};

pub(super) use names::ROOT;
pub(super) use pattern::without_group;
pub use policy::policy;
pub use rules::rules;

/// Builds the types of a graph, and an output for its root.
///
/// An error among the findings means that some part could not be expressed exactly; the file must then not replace the
/// graph.
///
/// ```
/// use ogc_export::{ExportGraph, ogc};
/// use ogc_compiler::frontend::json_schema::{ReadOptions, read};
/// let schema = r#"{"title": "Person", "type": "object", "required": ["name"], "additionalProperties": false,
///     "properties": {"name": {"type": "string", "maxLength": 80}, "age": {"type": "integer", "minimum": 0}}}"#;
/// let imported = read(schema, &ReadOptions { definitions: true, ..ReadOptions::default() });
/// let (file, findings) = ogc::types(&ExportGraph::of(&imported));
/// assert!(findings.is_empty());
/// assert_eq!(
///     ogc_grammar::ogc::print(&file),
///     "@title(\"Person\")\ntype Person = { name: string<..80>, age?: int<0..> }\noutput Output = Person\n"
/// );
/// ```
#[must_use]
pub fn types(graph: &ExportGraph<'_>) -> (File, Vec<Diagnostic>) {
    let table = Table::new(graph.schemas);
    let mut printer = printer::Printer::new(graph, &table);
    let (mut items, root) = printer.types();
    if let Some(root) = root {
        items.push(output(&root, printer.free_name("Output")));
    }
    (File { items }, printer.finish())
}

fn output(root: &str, free: String) -> Item {
    let definition = Definition { name: name(&free), parameters: Vec::new(), body: word(root) };
    Item { docs: Vec::new(), attributes: Vec::new(), kind: ItemKind::Output(definition), span: Span::default() }
}
