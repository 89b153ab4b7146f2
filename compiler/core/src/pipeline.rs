//! The pipeline as queries: source text -> schema graph or rule tree -> automaton -> masks -> artifact.
//!
//! Each query runs again only if something that it read has changed. Two projections keep edits from spreading:
//!
//! * [`schema_graph`] stays equal as long as the schema's meaning does: white space, comments and descriptions change
//!   only the source map, which no later stage reads;
//! * [`machine`] is an automaton without its places in the source, so that masks outlive any edit that leaves the
//!   automaton's tables alone.
//!
//! An `.ogc` file has a format for each output. Its items are queries of their own ([`crate::hir`]), so that an edit
//! reruns only the queries that reach the edited item.
//!
//! The whole pipeline is [`compile`].

mod behaviour;
mod captures;
mod emit;
mod inferred;
mod inspect;
mod mask_budgets;
mod ogc;
mod place;
mod schema;
mod select;
mod tag;
mod text;
mod unkept;

use std::sync::Arc;

use ogc_grammar::{Diagnostic, Span};
use ogc_regular::budget::Usage;
use ogc_runtime::automaton::Automaton;

pub use crate::frontend::regex::pattern_of;
pub use behaviour::{Machine, machine};
pub use captures::{LoweredCaptures, captures, content, is_value};
pub use emit::{Built, artifact, bare_artifact, masks, pooled_artifact};
pub use inferred::{Inferred, InferredKind, inferences};
pub use inspect::{NoGrammar, after_pass, grammar};
pub use mask_budgets::build_findings;
pub use ogc::{LoweredModule, externals, lower_module, lowered as lower_as, tests};
pub use place::{place, place_in};
pub use schema::{Graph, LoweredSchema, imported_fates, lower_schema, schema_fates, schema_graph};
pub use select::{SelectError, select};
pub use text::{LoweredText, lower_text};
pub use unkept::{Definition, definition};

use crate::db::{Db, Language, SourceFile, VocabularyInput};
use crate::foreign::{is_tool_list, structural_tag};

/// A format: a definition of an `.ogc` file, or the whole of a file in another language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The file.
    pub file: SourceFile,
    /// The definition; `None` for a file in another language.
    pub name: Option<Arc<str>>,
}

impl Format {
    /// Makes a format of a definition of an `.ogc` file: an output, or a type or rule without parameters.
    #[must_use]
    pub fn named(file: SourceFile, name: &str) -> Self {
        Self { file, name: Some(name.into()) }
    }
}

/// Makes a format of a file in another language.
impl From<SourceFile> for Format {
    fn from(file: SourceFile) -> Self {
        Self { file, name: None }
    }
}

/// Returns the formats of a file: for an `.ogc` file its outputs in source order, for a list of tools none, otherwise
/// the file itself.
pub fn formats(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    match file.language(db) {
        Language::Ogc => ogc::outputs(db, file),
        Language::JsonSchema if is_tool_list(db, file) => Vec::new(),
        Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            vec![file.into()]
        }
    }
}

/// Returns the definitions of an `.ogc` file that can be compiled: those without parameters, outputs or not.
pub fn definitions(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    ogc::definitions(db, file)
}

/// Returns the definitions of a file that have a budget for their masks, outputs or not.
pub fn budgeted(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    match file.language(db) {
        Language::Ogc => ogc::budgeted(db, file),
        Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            Vec::new()
        }
    }
}

/// Compiles a format for a vocabulary; returns the findings of its file, and the artifact if none of them is an error.
pub fn compile(db: &dyn Db, format: impl Into<Format>, vocabulary: VocabularyInput) -> (Built<[u8]>, Vec<Diagnostic>) {
    let format = format.into();
    // source -> schema graph, rules or module -> automaton -> masks -> artifact: each step requests the one before it.
    let found = diagnostics(db, format.file).clone();
    (artifact(db, format, vocabulary), found)
}

/// Returns the automaton of a format; `None` if there are errors.
pub fn automaton(db: &dyn Db, format: impl Into<Format>) -> Option<Arc<Automaton>> {
    let Format { file, name } = tag::compiled(db, format.into());
    match (file.language(db), name) {
        (Language::Ogc, Some(name)) => lower_module(db, file, name).automaton.clone(),
        (Language::Ogc, None) => None,
        (Language::JsonSchema, _) => lower_schema(db, file).automaton.clone(),
        (Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex, _) => {
            lower_text(db, file).automaton.clone()
        }
    }
}

/// Returns the findings of a file, in source order.
#[salsa::tracked]
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = match file.language(db) {
        Language::Ogc => ogc::diagnostics(db, file),
        Language::JsonSchema => match structural_tag(db, file) {
            Some(tag) => tag::diagnostics(db, tag),
            None => schema::diagnostics(db, file),
        },
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => {
            lower_text(db, file).diagnostics.clone()
        }
    };
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity));
    // Several JSON types of a schema can have the same error.
    found.dedup();
    found
}

/// Returns the usage of elaborating and of lowering a definition of an `.ogc` file; zero for other formats, because
/// each of them is a file of its own.
pub fn usage(db: &dyn Db, format: &Format) -> [Usage; 2] {
    format.name.as_ref().map(|name| ogc::usage(db, format.file, name)).unwrap_or_default()
}

/// Returns the place of a format's name in its definition; the beginning of the file if the whole file is the format.
pub fn definition_span(db: &dyn Db, format: &Format) -> Span {
    format.name.as_ref().map(|name| ogc::definition_span(db, format.file, name)).unwrap_or_default()
}

/// Returns the findings about one definition of an `.ogc` file, with all that it uses.
pub fn format_diagnostics(db: &dyn Db, format: &Format) -> Vec<Diagnostic> {
    match &format.name {
        Some(name) => ogc::format_diagnostics(db, format.file, name),
        None => diagnostics(db, format.file).clone(),
    }
}
