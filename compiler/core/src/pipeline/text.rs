//! The queries of grammars and patterns: text -> rule tree -> automaton.

use std::sync::Arc;

use ogc_grammar::{Diagnostic, Grammar, Span};
use ogc_runtime::automaton::Automaton;

use crate::budget::within;
use crate::db::{Db, Limits, SourceFile};
use crate::foreign::read_rules;
use crate::frontend::grammar::Dialect;
use crate::frontend::regex::{compile_regex, pattern_of};
use crate::ir;
use crate::lower::grammar::lower;
use crate::pass::compile;

/// What compiling a grammar or a pattern gives; the automaton is there exactly if no diagnostic is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredText {
    /// The automaton.
    pub automaton: Option<Arc<Automaton>>,
    /// Everything that was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a grammar's rules and runs the passes.
#[salsa::tracked]
pub fn lower_rules(db: &dyn Db, file: SourceFile) -> LoweredText {
    let (tree, found) = read_rules(db, file);
    let mut diagnostics = found.clone();
    if found.iter().any(Diagnostic::is_error) {
        return LoweredText { automaton: None, diagnostics };
    }
    let limits = file.options(db).limits(db);
    let (automaton, found) =
        within(&limits, || automaton_of(tree, root(db, file), &limits), |found| (None, vec![found]));
    diagnostics.extend(found);
    LoweredText { automaton: automaton.map(Arc::new), diagnostics }
}

fn automaton_of(tree: &Grammar, root: Option<&str>, limits: &Limits) -> (Option<Automaton>, Vec<Diagnostic>) {
    let (grammar, mut found) = lower(tree, root);
    let Some(grammar) = grammar else { return (None, found) };
    let (automaton, more) = compile(grammar, &limits.grammar);
    found.extend(more);
    (automaton, found)
}

/// The rule that derives the whole output, by name where the notation says which.
fn root(db: &dyn Db, file: SourceFile) -> Option<&'static str> {
    file.language(db).dialect().and_then(Dialect::root)
}

/// A grammar's rules before the passes; `None` of other languages, and beside errors.
pub(crate) fn rules_grammar(db: &dyn Db, file: SourceFile) -> Option<ir::Grammar> {
    lower(&read_rules(db, file).0, root(db, file)).0
}

/// Compiles a pattern: what follows the leading lines that begin with `# `, without the line break at the end.
#[salsa::tracked]
pub fn lower_regex(db: &dyn Db, file: SourceFile) -> LoweredText {
    let text = file.text(db);
    let (pattern, start) = pattern_of(text);
    let limits = file.options(db).limits(db);
    let (automaton, mut diagnostics) =
        within(&limits, || compile_regex(pattern, &limits.grammar), |found| (None, vec![found]));
    diagnostics.iter_mut().for_each(|diagnostic| shift(diagnostic, start));
    LoweredText { automaton: automaton.map(Arc::new), diagnostics }
}

/// Moves a diagnostic to where its text begins in the file.
fn shift(diagnostic: &mut Diagnostic, by: usize) {
    let moved = |span: Span| Span::of(span.start as usize + by, span.end as usize + by);
    diagnostic.span = moved(diagnostic.span);
    for (span, _) in &mut diagnostic.labels {
        *span = moved(*span);
    }
}
