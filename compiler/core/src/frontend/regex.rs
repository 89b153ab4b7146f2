//! A regular expression as a format: it matches the whole output.

use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::Dfa;
use ogc_regular::pattern::compile_anchored;
use ogc_runtime::automaton::Automaton;

use crate::ir::{Expr, ExprId, ExprKind, Grammar, MachineId, Rule, RuleId};
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
    let whole = Span::of(0, text.len());
    let regular = ogc_regular::Limits { states: limits.states.min(100_000), ..ogc_regular::Limits::default() };
    match compile_anchored(text, &regular) {
        Ok(dfa) => {
            // The language is deterministic already, so a rule may have as many states as the automaton.
            let limits = Limits { rule_states: limits.states, ..*limits };
            compile(one_rule(dfa, whole), &limits)
        }
        Err(error) => {
            let place = Span::of(error.span.start, error.span.end);
            (None, vec![Diagnostic::error(Code::Regex, place, error.to_string())])
        }
    }
}

/// A pattern file as a grammar of one rule, `regex`: what follows the leading lines that begin with `# `.
pub(crate) fn regex_grammar(text: &str, limits: &Limits) -> (Option<Grammar>, Vec<Diagnostic>) {
    let (pattern, start) = pattern_of(text);
    let regular = ogc_regular::Limits { states: limits.states.min(100_000), ..ogc_regular::Limits::default() };
    match compile_anchored(pattern, &regular) {
        Ok(dfa) => (Some(one_rule(dfa, Span::of(start, start + pattern.len()))), Vec::new()),
        Err(error) => {
            let place = Span::of(error.span.start + start, error.span.end + start);
            (None, vec![Diagnostic::error(Code::Regex, place, error.to_string())])
        }
    }
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

/// A grammar whose only rule is a regular language.
fn one_rule(dfa: Dfa, span: Span) -> Grammar {
    let rule = Rule { name: "regex".to_owned(), span, body: ExprId(0) };
    let expr = Expr { kind: ExprKind::Machine(MachineId(0)), span };
    Grammar { exprs: vec![expr], rules: vec![rule], machines: vec![dfa], root: RuleId(0), ..Grammar::default() }
}
