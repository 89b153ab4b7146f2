//! Any text as an `.ogc` file, to the automata of its outputs: no panic, no hang, places in the text; what compiles without
//! errors has an automaton.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pass;
use ogc_compiler::pipeline::{automaton, captures, diagnostics, formats};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::{CaptureReader, Captures};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::Vocabulary;

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
            let automaton = automaton(&db, format.clone());
            assert!(automaton.is_some(), "{format:?} has no automaton and no error");
            if let (Some(automaton), Some(captures)) = (automaton, captures(&db, format).captures) {
                same_texts(automaton, captures, text);
            }
        }
    }
});

/// The machine of captures follows what the format accepts, and nothing else: pieces of the program are texts as good as any.
fn same_texts(automaton: Arc<Automaton>, captures: Arc<Captures>, program: &str) {
    let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[]).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(vocabulary));
    for text in program.split('"').take(16) {
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        let mut reader = CaptureReader::new(Arc::clone(&captures));
        let (matched, read) = (matcher.accept_bytes(text.as_bytes()), reader.accept_bytes(text.as_bytes()));
        let limited = [matched, read].iter().any(|one| matches!(one, Err(MatchError::TooManyHeads { .. })));
        assert!(limited || matched == read, "{text:?}: {matched:?}, {read:?}");
        assert!(limited || matcher.is_complete() == reader.is_complete(), "{text:?}");
    }
}
