//! The queries that read grammars and patterns.

use ogc_grammar::{Diagnostic, Grammar, parse_ebnf, parse_gbnf, parse_lark};

use crate::budget::within;
use crate::db::{Db, Language, SourceFile};
use crate::frontend::grammar::Dialect;
use crate::frontend::regex::regex_grammar;
use crate::ir;
use crate::lower::grammar::lower;

/// Reads a grammar: its rules and findings.
#[salsa::tracked]
pub fn read_rules(db: &dyn Db, file: SourceFile) -> (Grammar, Vec<Diagnostic>) {
    match file.language(db) {
        Language::Gbnf => parse_gbnf(file.text(db)),
        Language::Ebnf => parse_ebnf(file.text(db)),
        Language::Lark => parse_lark(file.text(db)),
        Language::Ogc | Language::JsonSchema | Language::Regex => Default::default(),
    }
}

/// The rules of a grammar or a pattern for import by name, and what reading it found.
#[salsa::tracked]
pub fn foreign_grammar(db: &dyn Db, file: SourceFile) -> (Option<ir::Grammar>, Vec<Diagnostic>) {
    match file.language(db) {
        Language::Gbnf | Language::Ebnf | Language::Lark => {
            let (tree, found) = read_rules(db, file);
            let mut found = found.clone();
            if found.iter().any(Diagnostic::is_error) {
                return (None, found);
            }
            let root = file.language(db).dialect().and_then(Dialect::root);
            let limits = file.options(db).limits(db);
            let (grammar, more) = within(&limits, || lower(tree, root), |found| (None, vec![found]));
            found.extend(more);
            (grammar, found)
        }
        Language::Regex => {
            let limits = file.options(db).limits(db);
            within(&limits, || regex_grammar(file.text(db), &limits.grammar), |found| (None, vec![found]))
        }
        Language::Ogc | Language::JsonSchema => (None, Vec::new()),
    }
}
