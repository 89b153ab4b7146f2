//! The front end of regular expressions. The pattern always matches the whole output.

use std::ops::Range;

use ogc_grammar::doubts::{class_doubt, named_group, wrapped};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::pattern::{compile_anchored, empty_part, help_for_slashes};
use ogc_runtime::automaton::Automaton;

use crate::ir::{Expr, ExprId, ExprKind, Grammar, MachineId, PlacedGrammar, Places, Rule, RuleId};
use crate::pass::{Limits, compile};

/// Compiles a regular expression (ECMA-262 with the `u` flag) that matches the whole output.
///
/// Returns an automaton exactly if no diagnostic is an error.
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
            let compiled = found.iter().map(|one| places.resolve(one));
            (automaton, doubts(text, 0).into_iter().chain(compiled).collect())
        }
        Err(refused) => (None, vec![*refused]),
    }
}

/// Returns the limits of building a pattern's automaton: the pattern's language is deterministic already, so a rule may
/// have as many states as the automaton.
pub(crate) fn automaton_limits(limits: &Limits) -> Limits {
    Limits { rule_states: limits.states, ..*limits }
}

/// Reads a pattern file as a grammar with the single rule `regex`. Leading lines that begin with `# ` are comments.
pub(crate) fn regex_grammar(text: &str, limits: &Limits) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    let (pattern, start) = pattern_of(text);
    match pattern_grammar(pattern, start, limits) {
        Ok(grammar) => (Some(grammar), doubts(pattern, start)),
        Err(refused) => (None, vec![*refused]),
    }
}

/// Returns warnings about a pattern that was probably not meant as written; `start` is its offset in the text.
fn doubts(pattern: &str, start: usize) -> Vec<Diagnostic> {
    let place = |range: Range<usize>| Span::of(range.start, range.end).shifted(start as u32);
    if let Some(doubt) = wrapped(pattern).or_else(|| class_doubt(pattern)) {
        return vec![doubt.finding(place(doubt.place.clone()))];
    }
    let group = named_group(pattern).map(|(range, name)| {
        let message = format!("the group `{name}` captures nothing: a pattern tells no parts");
        let help = format!("write the parts in an `.ogc` file, `{name}: /.../`; a group without a name is `(?:...)`");
        Diagnostic::warning(Code::LostCapture, place(range), message).help(help)
    });
    group.into_iter().collect()
}

/// Makes a grammar whose only rule is the regular language of a pattern; `start` is the pattern's offset in the text.
fn pattern_grammar(pattern: &str, start: usize, limits: &Limits) -> Result<PlacedGrammar, Box<Diagnostic>> {
    let regular = ogc_regular::Limits { states: limits.states.min(100_000), ..ogc_regular::Limits::default() };
    let dfa = compile_anchored(pattern, &regular).map_err(|error| {
        let place = Span::of(error.span.start + start, error.span.end + start);
        let found = Diagnostic::error(Code::Regex, place, error.to_string());
        match error.kind.help() {
            Some(help) => found.help(help),
            None => found,
        }
    })?;
    let whole = Span::of(start, start + pattern.len());
    if let Some(help) = help_for_slashes(pattern).filter(|_| dfa.is_empty()) {
        return Err(Box::new(Diagnostic::error(Code::Regex, whole, "no text matches this pattern").help(help)));
    }
    if let Some((part, help)) = empty_part(pattern).filter(|_| dfa.is_empty()) {
        let place = Span::of(part.start + start, part.end + start);
        let found = Diagnostic::error(Code::EmptyGrammar, place, "because of this part, no text matches the pattern");
        return Err(Box::new(found.help(help)));
    }
    let mut places = Places::default();
    let origin = places.add(whole);
    let rules = vec![Rule { name: "regex".to_owned(), origin, body: ExprId(0) }];
    let exprs = vec![Expr { kind: ExprKind::Machine(MachineId(0)), origin }];
    let grammar = Grammar { exprs, rules, machines: vec![dfa], root: RuleId(0), ..Grammar::default() };
    Ok(PlacedGrammar { grammar, places, ..PlacedGrammar::default() })
}

/// Returns the pattern of a file and its start offset in bytes. Leading comment lines and trailing line breaks do not
/// belong to it.
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
