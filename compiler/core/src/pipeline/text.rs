//! The query of grammars and patterns: rules of the IR -> automaton.

use std::sync::Arc;

use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;

use crate::budget::within;
use crate::db::{Db, Language, SourceFile};
use crate::foreign::foreign_grammar;
use crate::frontend::regex::automaton_limits;
use crate::ir::PlacedGrammar;
use crate::pass::compile;

/// What compiling a grammar or a pattern gives; the automaton is there exactly if no diagnostic is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredText {
    /// The automaton.
    pub automaton: Option<Arc<Automaton>>,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs the passes over the rules of a grammar or over a pattern.
#[salsa::tracked]
pub fn lower_text(db: &dyn Db, file: SourceFile) -> LoweredText {
    let (grammar, found) = foreign_grammar(db, file);
    let mut diagnostics = found.clone();
    let Some(PlacedGrammar { grammar, places }) = grammar else { return LoweredText { automaton: None, diagnostics } };
    let limits = file.options(db).limits(db);
    let of_passes = match file.language(db) {
        Language::Regex => automaton_limits(&limits.grammar),
        Language::Ogc | Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            limits.grammar
        }
    };
    let (automaton, found) = within(&limits, || compile(grammar.clone(), &of_passes), |refused| (None, vec![refused]));
    diagnostics.extend(found.iter().map(|one| places.resolve(one)));
    LoweredText { automaton: automaton.map(Arc::new), diagnostics }
}
