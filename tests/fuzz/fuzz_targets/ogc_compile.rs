//! Any text as an `.ogc` file, to the automata of its outputs: no panic, no hang, places in the text; what compiles without
//! errors has an automaton.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pass;
use ogc_compiler::pipeline::{automaton, diagnostics, formats};

fuzz_target!(|text: &str| {
    if text.len() > 4_096 {
        return;
    }
    let db = Compiler::default();
    let small =
        pass::Limits { nfa_states: 20_000, rule_states: 2_000, states: 20_000, work: 500_000, ..Default::default() };
    let limits = Limits { grammar: small, ..Limits::default() };
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), limits);
    let file = SourceFile::new(&db, "fuzz.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
    Workspace::new(&db, [("fuzz.ogc".to_owned(), file)].into());
    let found = diagnostics(&db, file);
    for one in found {
        let places = one.labels.iter().map(|label| label.0).chain([one.span]);
        for place in places {
            assert!(text.get(place.start as usize..place.end as usize).is_some(), "{one:?}");
        }
    }
    if !found.iter().any(|one| one.is_error()) {
        for format in formats(&db, file) {
            assert!(automaton(&db, format.clone()).is_some(), "{format:?} has no automaton and no error");
        }
    }
});
