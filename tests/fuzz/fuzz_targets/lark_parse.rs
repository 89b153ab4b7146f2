//! Any text as a Lark grammar: no panic, places within the text, and an automaton exactly if there is no error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_grammar::Diagnostic;

fuzz_target!(|text: &str| {
    let limits = Limits { nfa_states: 5_000, rule_states: 500, states: 5_000, work: 200_000, ..Limits::default() };
    let (automaton, found) = compile_grammar(text, Dialect::Lark, &limits);
    for diagnostic in &found {
        let places = diagnostic.labels.iter().map(|label| label.0).chain([diagnostic.span]);
        for place in places {
            assert!(text.get(place.start as usize..place.end as usize).is_some(), "{diagnostic:?}");
        }
    }
    assert_eq!(automaton.is_none(), found.iter().any(Diagnostic::is_error), "{found:?}");
});
