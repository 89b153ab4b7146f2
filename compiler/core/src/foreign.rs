//! Queries that read files in other languages, for their own compilation and for `.ogc` files that import them.
//!
//! They stand between [`crate::frontend`], which reads text and knows no database, and [`crate::hir`], which resolves names
//! of imported files.

mod finder;
mod linked;
mod policy;
mod rules;
mod schema;
mod tagged;

use crate::db::{Db, Language, SourceFile};

pub use finder::places_of;
pub use linked::{Linked, links};
pub use policy::SchemaPolicy;
pub(crate) use rules::word_at;
pub use rules::{foreign_grammar, imported_grammar, named_rule, numbers_tokens, read_rules, start_rule};
pub use schema::{ForeignSchema, foreign_fates, foreign_schema, foreign_schema_by, is_tool_list, read_schema};
pub use tagged::{ROOT as TAG_ROOT, StructuralTag, structural_tag};

/// Returns the names that a file in another language defines.
#[salsa::tracked]
pub fn foreign_names_of(db: &dyn Db, file: SourceFile) -> Vec<String> {
    match file.language(db) {
        Language::JsonSchema => foreign_schema(db, file).definitions().into_iter().map(|(name, _)| name).collect(),
        Language::Ogc => Vec::new(),
        _ => {
            let grammar = &imported_grammar(db, file).0;
            let rules = grammar.iter().flat_map(|placed| &placed.grammar.rules).map(|rule| rule.name.clone());
            let mut names: Vec<String> = rules.collect();
            let is_whole = file.language(db) == Language::Regex || start_rule(db, file).is_some();
            if grammar.is_some() && is_whole && !names.iter().any(|name| name == "root") {
                names.push("root".to_owned());
            }
            names
        }
    }
}

/// Returns the first error of a file in another language.
pub fn foreign_error(db: &dyn Db, file: SourceFile) -> Option<String> {
    foreign_error_by(db, file, SchemaPolicy::default())
}

/// Returns the first error of a file in another language; a schema is read under the `policy` of its importer.
pub fn foreign_error_by(db: &dyn Db, file: SourceFile, policy: SchemaPolicy) -> Option<String> {
    let found = match file.language(db) {
        Language::Ogc => return None,
        Language::JsonSchema => &foreign_schema_by(db, file, policy).0.diagnostics,
        _ => &imported_grammar(db, file).1,
    };
    found.iter().find(|found| found.is_error()).map(|found| found.message.clone())
}
