//! Any text as a grammar, in each notation: there is an automaton exactly if there is no error, and no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::frontend::regex::compile_regex;
use ogc_compiler::pass::Limits;
use ogc_grammar::Diagnostic;

fuzz_target!(|input: (u8, &str)| {
    let limits = Limits { nfa_states: 5_000, rule_states: 500, states: 5_000, work: 200_000, ..Limits::default() };
    let (automaton, found) = match input.0 % 4 {
        0 => compile_grammar(input.1, Dialect::Gbnf, &limits),
        1 => compile_grammar(input.1, Dialect::Ebnf, &limits),
        2 => compile_grammar(input.1, Dialect::Abnf, &limits),
        _ => compile_regex(input.1, &limits),
    };
    assert_eq!(automaton.is_none(), found.iter().any(Diagnostic::is_error), "{found:?}");
});
