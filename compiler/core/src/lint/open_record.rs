//! `open-record`: a record that has any other keys beside many of its own, or a vocabulary that makes that expensive.

use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::{Automaton, Rule, StateId, StateKind};

use super::compiled::Compiled;

/// What is found.
const CODE: &str = "open-record";

/// From so many states of keys on it is said: every one of them can leave the declared keys for a free one, so every one
/// needs a row of nearly the whole vocabulary.
const KEY_STATES: usize = 400;

/// The same in bytes of rows: a row of 128 Ki tokens is 16 KiB, so this is some 64 rows of that width.
const ROW_BYTES: usize = 1 << 20;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    compiled.automaton.rules.iter().filter_map(|rule| record(compiled, rule)).collect()
}

fn record(compiled: &Compiled<'_>, rule: &Rule) -> Option<Diagnostic> {
    let shape = &compiled.automaton.objects[rule.object?.index()];
    if !shape.extra || !free_keys(&compiled.automaton, rule) {
        return None;
    }
    let keys = compiled.cost(key_states(&compiled.automaton, rule));
    if keys.states <= KEY_STATES && keys.row_bytes() <= ROW_BYTES {
        return None;
    }
    let message = format!("any other key may stand beside the {} declared ones: their keys need {keys}", shape.keys);
    let help = "close the record: without `...` (in JSON Schema, with `additionalProperties: false`) a key is decided by \
                its first letters; many engines ignore or refuse open records";
    Some(Diagnostic::note(CODE, Compiled::place(rule.origin), message).help(help))
}

/// The states in which a key of the record is read.
pub(super) fn key_states(automaton: &Automaton, rule: &Rule) -> impl Iterator<Item = StateId> + Clone {
    Compiled::states(rule).filter(|state| automaton.states[state.index()].kind == StateKind::Text)
}

/// A key may begin with any character.
pub(super) fn free_keys(automaton: &Automaton, rule: &Rule) -> bool {
    let outside = Compiled::states(rule).filter(|state| automaton.states[state.index()].kind == StateKind::Bytes);
    let mut quotes = outside.flat_map(|state| automaton.edges(state)).filter(|edge| edge.lo <= b'"' && b'"' <= edge.hi);
    quotes.next().is_some_and(|quote| {
        let first = automaton.edges(quote.to);
        (b' '..=b'~').all(|byte| first.iter().any(|edge| (edge.lo..=edge.hi).contains(&byte)))
    })
}
