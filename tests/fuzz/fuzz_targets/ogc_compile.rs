//! Any text as an `.ogc` file with files that it may import, compiled to the automata of its outputs. There is no panic
//! and no hang, and places are within the text, also places of names and their definitions. A text without errors has
//! an automaton, lints, tests that can be run, and exports that compile again.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::hir::items::file_items;
use ogc_compiler::hir::names::{definition_of, names};
use ogc_compiler::hir::{Module, Root};
use ogc_compiler::pass;
use ogc_compiler::pipeline::{Format, automaton, captures, diagnostics, formats, tests};
use ogc_export::{ExportGraph, json_schema, module_rules, without_patterns};
use ogc_grammar::{Code, Diagnostic, rules};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::{CaptureReader, Captures};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::Vocabulary;

/// The files that the program may import.
const BESIDE: [(&str, &str); 5] = [
    ("lib.ogc", "type A<T = int> = { a?: A<T>, b: T | null }\nrule r = x: /[a-z]+/ | \"(\" r \")\"\noutput O = r"),
    ("back.ogc", "import \"fuzz.ogc\" as back\ntype B = int[..3]"),
    ("g.gbnf", "root ::= a-b | \"(\" root \")\"\na-b ::= [a-z]{1,3}"),
    ("g.lark", "start: WORD (\",\" WORD)*\nWORD: /[a-z]+/"),
    (
        "s.json",
        r##"{"$defs": {"t": {"anyOf": [{"$ref": "#"}, {"type": "string"}]}},
        "type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "b": {"enum": [1, "x", null]}}, "required": ["b"]}"##,
    ),
];

fuzz_target!(|text: &str| {
    if text.len() > 4_096 {
        return;
    }
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), limits());
    let open = |name: &str, text: &str, language| {
        (name.to_owned(), SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options))
    };
    let fuzzed = open("fuzz.ogc", text, Language::Ogc);
    let file = fuzzed.1;
    let beside = BESIDE.map(|(name, text)| open(name, text, Language::of_name(name).expect("a language")));
    Workspace::new(&db, beside.into_iter().chain([fuzzed]).collect());
    let found = diagnostics(&db, file);
    found.iter().for_each(|one| has_places(one, text));
    named(&db, file);
    if found.iter().any(Diagnostic::is_error) {
        return;
    }
    ogc_lint::file_lints(&db, file).iter().for_each(|one| has_places(one, text));
    let _cases = tests(&db, file);
    for format in formats(&db, file) {
        let automaton = automaton(&db, format.clone());
        assert!(automaton.is_some(), "{format:?} has no automaton and no error");
        ogc_lint::lints(&db, &format, None).iter().for_each(|one| has_places(one, text));
        if let Some(module) = format.name.clone().and_then(|name| module(&db, file, name)) {
            exported(&db, options, &module);
        }
        captured(&db, automaton, format, text);
    }
});

/// Checks that every name has a place in the file, and its definition a place in the file that contains it.
fn named(db: &Compiler, file: SourceFile) {
    let is_in = |file: SourceFile, start: u32, end: u32| file.text(db).get(start as usize..end as usize).is_some();
    for (item, span) in &file_items(db, file).items {
        for name in names(db, item) {
            let place = name.span.shifted(span.start);
            assert!(is_in(file, place.start, place.end), "{name:?} has no place");
            if let Some((there, place)) = definition_of(db, &name.symbol) {
                assert!(is_in(there, place.start, place.end), "the definition of {name:?} has no place");
            }
        }
    }
}

/// Limits that are small enough for thousands of programs a minute.
fn limits() -> Limits {
    let grammar =
        pass::Limits { nfa_states: 20_000, rule_states: 2_000, states: 20_000, work: 500_000, ..Default::default() };
    let mut limits = Limits { grammar, ..Limits::default() };
    let schema = &mut limits.schema;
    (schema.values, schema.work, schema.steps) = (2_000, 5_000, 50_000);
    (schema.regular.states, schema.regular.work) = (2_000, 200_000);
    limits
}

/// Checks that all places of a finding lie in the text, and that its correction can be applied there.
fn has_places(one: &Diagnostic, text: &str) {
    let edits = one.fix.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.0));
    let places = one.labels.iter().map(|label| label.0).chain([one.span]).chain(edits);
    for place in places {
        assert!(text.get(place.start as usize..place.end as usize).is_some(), "{one:?}");
    }
}

/// Checks that exports are read without errors. They may exceed limits that the format itself did not.
fn exported(db: &Compiler, options: Options, module: &Module) {
    let again = |name: &str, text: String, language| {
        let file = SourceFile::new(db, name.to_owned(), text, language, options);
        let limit = |one: &Diagnostic| one.code.name().contains("limit") || one.code == Code::NestingTooDeep;
        let wrong = diagnostics(db, file).iter().find(|one| one.is_error() && !limit(one));
        assert!(wrong.is_none(), "{wrong:?} in the export {}", file.text(db));
    };
    if let Root::Value(value) = module.root {
        let schemas = module.rooted(value.node);
        let names = module.names.iter().map(|(node, name)| (name.as_str(), *node)).collect();
        let graph = ExportGraph { schemas: &schemas, names, targets: &[], docs: &module.docs, origins: &[] };
        again("export.json", json_schema::print(&graph), Language::JsonSchema);
    }
    let Ok(tree) = module_rules(module, &limits()) else { return };
    let plain = without_patterns(&tree, &limits().schema.regular);
    if let Some(text) = plain.ok().and_then(|plain| rules::print(&plain).ok()) {
        again("export.gbnf", text, Language::Gbnf);
    }
    if let Ok(text) = rules::print_lark(&tree, "root") {
        again("export.lark", text, Language::Lark);
    }
}

fn captured(db: &Compiler, automaton: Option<Arc<Automaton>>, format: Format, text: &str) {
    if let (Some(automaton), Some(captures)) = (automaton, captures(db, format).captures) {
        same_texts(automaton, captures, text);
    }
}

/// Checks that the machine of captures accepts exactly the texts of the format; pieces of the program serve as texts.
fn same_texts(automaton: Arc<Automaton>, captures: Arc<Captures>, program: &str) {
    let vocabulary = Vocabulary::from_tokens(&[Some("a")], &[]).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(vocabulary));
    for text in program.split('"').take(16) {
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        let mut reader = CaptureReader::new(Arc::clone(&captures));
        let (matched, read) = (matcher.accept_bytes(text.as_bytes()), reader.accept_bytes(text.as_bytes()));
        let limited = [matched, read].iter().any(|one| matches!(one, Err(MatchError::Limit { .. })));
        assert!(limited || matched == read, "{text:?}: {matched:?}, {read:?}");
        assert!(limited || matcher.is_complete() == reader.is_complete(), "{text:?}");
    }
}
