//! The front end of regular expressions: a pattern matches the whole output.

use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::pattern::{compile_anchored, help_for_slashes};
use ogc_runtime::automaton::Automaton;

use crate::ir::{Expr, ExprId, ExprKind, Grammar, MachineId, PlacedGrammar, Places, Rule, RuleId};
use crate::pass::{Limits, compile};

/// Compiles a regular expression (ECMA-262 with the `u` flag) that matches the whole output.
///
/// The automaton is there exactly if no diagnostic is an error.
///
/// ```
/// use ogc_compiler::frontend::regex::compile_regex;
/// let (automaton, found) = compile_regex("[0-9]+(\\.[0-9]+)?", &ogc_compiler::pass::Limits::default());
/// assert!(automaton.is_some() && found.is_empty());
/// ```
#[must_use]
pub fn compile_regex(text: &str, limits: &Limits) -> (Option<Automaton>, Vec<Diagnostic>) {
    match pattern_grammar(text, 0, limits) {
        Ok(PlacedGrammar { grammar, places, .. }) => {
            let (automaton, found) = compile(grammar, &automaton_limits(limits));
            (automaton, found.iter().map(|one| places.resolve(one)).collect())
        }
        Err(refused) => (None, vec![*refused]),
    }
}

/// The limits of building the automaton of a pattern: its language is deterministic already, so a rule may have as many states
/// as the automaton.
pub(crate) fn automaton_limits(limits: &Limits) -> Limits {
    Limits { rule_states: limits.states, ..*limits }
}

/// A pattern file as a grammar of one rule, `regex`: what follows the leading lines that begin with `# `.
pub(crate) fn regex_grammar(text: &str, limits: &Limits) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    let (pattern, start) = pattern_of(text);
    match pattern_grammar(pattern, start, limits) {
        Ok(grammar) => (Some(grammar), Vec::new()),
        Err(refused) => (None, vec![*refused]),
    }
}

/// A pattern that begins at `start` in its text, as a grammar whose only rule is a regular language.
fn pattern_grammar(pattern: &str, start: usize, limits: &Limits) -> Result<PlacedGrammar, Box<Diagnostic>> {
    let regular = ogc_regular::Limits { states: limits.states.min(100_000), ..ogc_regular::Limits::default() };
    let dfa = compile_anchored(pattern, &regular).map_err(|error| {
        let place = Span::of(error.span.start + start, error.span.end + start);
        Diagnostic::error(Code::Regex, place, error.to_string())
    })?;
    let whole = Span::of(start, start + pattern.len());
    if let Some(help) = help_for_slashes(pattern).filter(|_| dfa.is_empty()) {
        return Err(Box::new(Diagnostic::error(Code::Regex, whole, "no text matches this pattern").help(help)));
    }
    let mut places = Places::default();
    let origin = places.add(whole);
    let rules = vec![Rule { name: "regex".to_owned(), origin, body: ExprId(0) }];
    let exprs = vec![Expr { kind: ExprKind::Machine(MachineId(0)), origin }];
    let grammar = Grammar { exprs, rules, machines: vec![dfa], root: RuleId(0), ..Grammar::default() };
    Ok(PlacedGrammar { grammar, places, ..PlacedGrammar::default() })
}

/// The pattern of a file and where it begins, in bytes: without leading comment lines and the line break at the end.
///
/// ```
/// use ogc_compiler::pipeline::pattern_of;
/// assert_eq!(pattern_of("# A year.\n[0-9]{4}\n"), ("[0-9]{4}", 10));
/// ```
#[must_use]
pub fn pattern_of(text: &str) -> (&str, usize) {
    let start = text.split_inclusive('\n').take_while(|line| line.starts_with("# ")).map(str::len).sum();
    (text.get(start..).unwrap_or_default().trim_end_matches(['\r', '\n']), start)
}
