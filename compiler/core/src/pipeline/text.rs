//! The query of grammars and patterns: rules of the IR -> automaton.

use std::sync::Arc;

use always_assert::never;
use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::Captures;

use crate::budget::within;
use crate::db::{Db, Language, SourceFile};
use crate::foreign::foreign_grammar;
use crate::frontend::grammar::value_base;
use crate::frontend::regex::automaton_limits;
use crate::ir::PlacedGrammar;
use crate::pass::{Base, compile_captures, compile_on};

/// The result of compiling a grammar or a pattern; there is an automaton exactly if no diagnostic is an error.
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
    let Some(placed) = grammar else { return LoweredText { automaton: None, diagnostics } };
    let limits = file.options(db).limits(db);
    let of_passes = match file.language(db) {
        Language::Regex => automaton_limits(&limits.grammar),
        Language::Ogc | Language::JsonSchema | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            limits.grammar
        }
    };
    let PlacedGrammar { grammar, places, .. } = placed;
    let work = || match value_base(placed, file.options(db).json(db), &limits.schema) {
        Ok(base) => {
            let (automaton, found) = compile_on(grammar.clone(), base, &of_passes);
            (automaton, found.iter().map(|one| places.resolve(one)).collect())
        }
        Err(errors) => (None, errors),
    };
    let (automaton, found) = within(&limits, work, |refused| (None, vec![places.resolve(&refused)]));
    diagnostics.extend(found);
    LoweredText { automaton: automaton.map(Arc::new), diagnostics }
}

/// Lowers the values in the texts of a grammar; `None` if there are errors.
pub(super) fn text_base(db: &dyn Db, file: SourceFile) -> Option<Base> {
    let placed = foreign_grammar(db, file).0.as_ref()?;
    value_base(placed, file.options(db).json(db), &file.options(db).limits(db).schema).ok()
}

/// Returns the automaton that finds the parts of a valid grammar's texts, or the error that prevented it; neither if
/// it has no captures.
pub(super) fn text_captures(db: &dyn Db, file: SourceFile) -> (Option<Captures>, Option<Diagnostic>) {
    let placed = foreign_grammar(db, file).0.as_ref().filter(|placed| !placed.grammar.captures.is_empty());
    let Some(placed) = placed else { return (None, None) };
    let limits = file.options(db).limits(db);
    let make = || {
        let Some(base) = text_base(db, file) else {
            never!("a grammar that compiles has a base");
            return (None, Vec::new());
        };
        compile_captures(placed.grammar.clone(), base, &limits.grammar)
    };
    let (captures, found) = within(&limits, make, |found| (None, vec![found]));
    let refused = found.iter().find(|one| one.is_error()).map(|error| placed.places.resolve(error));
    (captures, refused)
}
