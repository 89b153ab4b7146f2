//! What an edit does *not* run again: every query that executes is recorded, by name.

use std::sync::{Arc, Mutex};

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Space};
use ogc_compiler::pipeline::{automaton, diagnostics, machine};
use salsa::Setter;

/// A database and the names of the queries that ran in it.
struct Recorder {
    db: Compiler,
    ran: Arc<Mutex<Vec<String>>>,
    options: Options,
}

impl Recorder {
    fn new() -> Self {
        let ran = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&ran);
        let db = Compiler::with_events(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                let name = format!("{database_key:?}");
                let name = name.split('(').next().unwrap_or_default().to_owned();
                log.lock().unwrap().push(name);
            }
        });
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        Self { db, ran, options }
    }

    fn file(&self, text: &str, language: Language) -> SourceFile {
        SourceFile::new(&self.db, "test".to_owned(), text.to_owned(), language, self.options)
    }

    fn edit(&mut self, file: SourceFile, text: &str) {
        file.set_text(&mut self.db).to(text.to_owned());
    }

    /// Builds a file and says which queries ran for it, sorted.
    fn build(&self, file: SourceFile) -> Vec<String> {
        self.ran.lock().unwrap().clear();
        assert!(machine(&self.db, file).is_some(), "{:?}", diagnostics(&self.db, file));
        let mut ran = std::mem::take(&mut *self.ran.lock().unwrap());
        ran.sort();
        ran
    }
}

#[test]
fn a_first_build_runs_every_stage_and_a_second_none() {
    let recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null"}"#, Language::JsonSchema);
    assert_eq!(recorder.build(file), ["automaton", "lower_schema", "machine", "read_schema", "schema_graph"]);
    assert!(recorder.build(file).is_empty());
}

#[test]
fn white_space_and_descriptions_do_not_lower_again() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null", "description": "one"}"#, Language::JsonSchema);
    recorder.build(file);
    for edited in [
        "{\n  \"type\": \"null\",\n  \"description\": \"one\"\n}",
        r#"{"type": "null", "description": "something else, and longer"}"#,
    ] {
        recorder.edit(file, edited);
        assert_eq!(recorder.build(file), ["read_schema", "schema_graph"], "{edited}");
    }
}

#[test]
fn places_follow_the_text_although_nothing_is_lowered_again() {
    let mut recorder = Recorder::new();
    let impossible = r#"{"type": "string", "minLength": 3, "maxLength": 1}"#;
    let file = recorder.file(impossible, Language::JsonSchema);
    let before = diagnostics(&recorder.db, file).clone();
    assert!(automaton(&recorder.db, file).is_none());
    recorder.edit(file, &format!("\n\n{impossible}"));
    recorder.ran.lock().unwrap().clear();
    let after = diagnostics(&recorder.db, file).clone();
    assert!(!recorder.ran.lock().unwrap().iter().any(|name| name == "lower_schema"));
    assert_eq!(after[0].span.start, before[0].span.start + 2);
}

#[test]
fn a_change_of_meaning_lowers_again() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null"}"#, Language::JsonSchema);
    recorder.build(file);
    recorder.edit(file, r#"{"type": "boolean"}"#);
    assert_eq!(recorder.build(file), ["automaton", "lower_schema", "machine", "read_schema", "schema_graph"]);
}

#[test]
fn files_are_independent() {
    let mut recorder = Recorder::new();
    let edited = recorder.file(r#"{"type": "null"}"#, Language::JsonSchema);
    let other = recorder.file(r#"root ::= "a" | "b""#, Language::Gbnf);
    recorder.build(edited);
    recorder.build(other);
    recorder.edit(edited, r#"{"type": "boolean"}"#);
    assert!(recorder.build(other).is_empty());
}

#[test]
fn a_comment_in_a_grammar_leaves_the_machine_alone() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"root ::= "a" | "b""#, Language::Gbnf);
    recorder.build(file);
    let before = machine(&recorder.db, file);
    recorder.edit(file, "# moved by a comment\nroot ::= \"a\" | \"b\"");
    recorder.build(file);
    assert_eq!(machine(&recorder.db, file), before);
    recorder.edit(file, "# moved by a comment\nroot ::= \"a\" | \"b\" # and one behind");
    assert_eq!(recorder.build(file), ["read_rules"]);
}

#[test]
fn a_policy_lowers_again_but_does_not_read_again() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "array"}"#, Language::JsonSchema);
    recorder.build(file);
    let compact = JsonPolicy { space: Space::Compact, ..JsonPolicy::default() };
    recorder.options.set_json(&mut recorder.db).to(compact);
    assert_eq!(recorder.build(file), ["automaton", "lower_schema", "machine"]);
}
