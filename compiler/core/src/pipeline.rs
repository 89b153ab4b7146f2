//! The pipeline as queries: source text -> schema graph or rule tree -> automaton -> masks -> artifact.
//!
//! Each query runs again only if something that it read has changed. Two projections keep edits from spreading:
//!
//! * [`schema_graph`] is equal as long as the schema's meaning is; white space, comments and descriptions move only the
//!   source map, which no later stage reads;
//! * [`machine`] is an automaton without its places in the source, so that masks outlive any edit that leaves the
//!   automaton's tables alone.
//!
//! The whole pipeline is [`compile`].

mod behaviour;
mod emit;
mod place;
mod schema;
mod text;

use std::sync::Arc;

use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;

pub use behaviour::{Machine, machine};
pub use emit::{Built, artifact, bare_artifact, masks};
pub use place::place;
pub use schema::{Graph, LoweredSchema, lower_schema, read_schema, schema_graph};
pub use text::{LoweredText, lower_regex, lower_rules, read_rules};

use crate::db::{Db, Language, SourceFile, VocabularyInput};

/// Compiles a file for a vocabulary: everything that was found, and the artifact if nothing of it is an error.
pub fn compile(db: &dyn Db, file: SourceFile, vocabulary: VocabularyInput) -> (Built<[u8]>, Vec<Diagnostic>) {
    // source -> schema graph or rules -> automaton -> masks -> artifact: each asks the one before it.
    (artifact(db, file, vocabulary), diagnostics(db, file).clone())
}

/// The automaton of a file; `None` beside errors.
#[salsa::tracked(returns(clone))]
pub fn automaton(db: &dyn Db, file: SourceFile) -> Option<Arc<Automaton>> {
    match file.language(db) {
        Language::JsonSchema => lower_schema(db, file).automaton.clone(),
        Language::Gbnf | Language::Ebnf | Language::Lark => lower_rules(db, file).automaton.clone(),
        Language::Regex => lower_regex(db, file).automaton.clone(),
    }
}

/// Everything that is to be said about a file, in source order.
#[salsa::tracked]
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = match file.language(db) {
        Language::JsonSchema => schema::diagnostics(db, file),
        Language::Gbnf | Language::Ebnf | Language::Lark => lower_rules(db, file).diagnostics.clone(),
        Language::Regex => lower_regex(db, file).diagnostics.clone(),
    };
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity));
    found
}
