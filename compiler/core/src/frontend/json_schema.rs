//! The JSON Schema front end: reads a schema's text into the graph that the algebra reads.
//!
//! # Steps
//!
//! 1. The JSON reader of `ogc-grammar` gives a tree with spans and exact number literals.
//! 2. [`walk`] goes through that tree from the root along keywords and references, never deeper on the stack than a few
//!    calls, and writes one [`Node`](ogc_schema::source::Node) of the [`mod@graph`] for each schema that it reaches. [`reader`]
//!    is its state.
//! 3. [`keywords`] reads one keyword each; [`mod@reference`], [`resources`], [`mod@pointer`] and [`uri`] resolve
//!    references, and [`outside`] requests other documents; [`scope`] carries the dialect, the base and the dynamic
//!    scope.
//! 4. [`mod@openapi`] adds what documents of OpenAPI mean beyond JSON Schema.
//! 5. [`definitions`] and [`annotations`] add definitions for imports by name and annotations for people; a plain
//!    reading skips them.
//! 6. [`closed`] closes objects, if the options ask for it.
//! 7. [`unevaluated`] rewrites `unevaluatedProperties` and `unevaluatedItems`, which look across neighbouring keywords,
//!    in terms of keywords that do not. After it, no such keyword exists.
//!
//! The drafts disagree about keywords; the table of [`ogc_schema::keyword`] says which drafts know a keyword. A schema
//! is read by the rules of its own draft; a constraining keyword that the draft does not know is named in a warning.

mod annotations;
mod by_name;
mod closed;
mod definitions;
pub(super) mod foreign_types;
mod formats;
mod graph;
mod head;
mod keywords;
mod metaschema;
mod misspelling;
mod names;
mod no_schema;
mod openapi;
mod options;
mod outside;
mod pointer;
mod reader;
mod reference;
mod report;
mod resources;
mod scope;
mod site;
mod traps;
mod undeclared;
mod unevaluated;
pub(crate) mod uri;
mod value;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use by_name::is_constraint;
pub use by_name::{Draft, subschemas};
pub use definitions::Definition;
pub(crate) use formats::BASE64;
pub use formats::narrowed;
pub use names::{DefinitionName, names};
pub use options::{Adjustments, Formats, Limits, OtherMembers, ReadOptions, annotated};
pub use outside::{Asked, FindSchema, refers_outside};
pub use report::{Fate, FateKind};

use super::docs::DocsByNode;
use ogc_grammar::json::{self, JsonValue};
use ogc_grammar::{Diagnostic, Span};
use ogc_regular::number::Spelling;
use ogc_schema::source::{NodeId, Origin, Schemas};
use resources::bundle::Bundle;

/// The result of reading a schema.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The graph. Its root is `None` if the text is not JSON or is a list of tools.
    pub schemas: Schemas,
    /// The place of each [`Origin`]; `Origin(0)` is the whole text. All places lie in the text that was read: a part of
    /// a remote schema has the place of the reference that led there.
    pub origins: Vec<Span>,
    /// The definitions of the root, if [`ReadOptions::definitions`] asked for them; for a list of tools, each tool's
    /// arguments under the tool's name.
    pub definitions: Vec<Definition>,
    /// The names of reference targets, as references spell them, if [`ReadOptions::definitions`] asked for them. A node
    /// may have several names.
    pub targets: Vec<(NodeId, String)>,
    /// The annotations of each node that has any, if [`ReadOptions::definitions`] asked for them.
    pub docs: DocsByNode,
    /// The fate of each keyword in source order, if [`ReadOptions::report`] asked for it.
    pub report: Vec<Fate>,
    /// Errors, warnings and notes. If one of them is an error, nothing may be built.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the text is a list of tools and not a schema.
    pub is_tools: bool,
    /// The documents that references asked for beyond the text and the given documents, each once, meta-schemas
    /// included.
    pub asked: Vec<Asked>,
    /// The draft of the root.
    pub draft: Draft,
    /// Whether `integer` means a literal without fraction and exponent (draft 4) instead of a whole number (later
    /// drafts).
    pub plain_integers: bool,
}

impl Imported {
    /// Returns the spelling of whole numbers that goes with a spelling of numbers.
    #[must_use]
    pub fn integers(&self, numbers: Spelling) -> Spelling {
        match numbers {
            Spelling::Json if self.plain_integers => Spelling::Signed,
            _ => numbers,
        }
    }

    /// Returns the place of `origin`; the whole text if the origin is not of this import.
    #[must_use]
    pub fn span(&self, origin: Origin) -> Span {
        let place = self.origins.get(origin.0 as usize).or(self.origins.first());
        place.copied().unwrap_or_default()
    }

    /// Returns whether an error forbids building anything.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a JSON Schema.
///
/// ```
/// use ogc_compiler::frontend::json_schema::{ReadOptions, read};
/// let imported = read(r#"{"type": "string", "maxLength": 3}"#, &ReadOptions::default());
/// assert!(!imported.has_errors());
/// assert_eq!(imported.schemas.nodes.len(), 1);
/// ```
#[must_use]
pub fn read(text: &str, options: &ReadOptions) -> Imported {
    read_finding(text, options, None)
}

/// Reads a JSON Schema as [`read`] does; `find` finds the documents that it refers to.
#[must_use]
pub fn read_finding(text: &str, options: &ReadOptions, find: FindSchema<'_>) -> Imported {
    let (value, diagnostics) = json::parse_with(text, options.limits.json());
    let Some(value) = value else {
        return Imported { origins: vec![Span::of(0, text.len())], diagnostics, ..Imported::default() };
    };
    let bundle = Bundle::new(text, options, find);
    reader::Reader::new(&value, &bundle, options, Span::of(0, text.len()), diagnostics).read("")
}

/// Reads a schema inside another JSON text, at `pointer`. References resolve within the schema alone; places are in the
/// whole text.
pub(crate) fn read_inside(
    text: &str,
    schema: &JsonValue,
    pointer: &str,
    options: &ReadOptions,
    find: FindSchema<'_>,
) -> Imported {
    let bundle = Bundle::new(schema.span.text(text), options, find);
    reader::Reader::new(schema, &bundle, options, schema.span, Vec::new()).read(pointer)
}
