//! Tests that an edit does *not* rerun certain queries: the name of every executed query is recorded.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::sync::{Arc, Mutex};

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Space, VocabularyInput};
use ogc_compiler::pipeline::{artifact, automaton, compile, diagnostics, machine, masks};
use ogc_grammar::Code;
use ogc_runtime::artifact::Artifact;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;
use salsa::Setter;

/// A database, and the names of the queries that ran in it.
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

    fn vocabulary(&self, texts: &[&str]) -> VocabularyInput {
        let tokens: Vec<Option<&str>> = texts.iter().copied().map(Some).collect();
        VocabularyInput::of(&self.db, MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[]).unwrap())))
    }

    /// Builds an artifact; returns the names of the queries that ran, sorted.
    fn emit(&self, file: SourceFile, vocabulary: VocabularyInput) -> Vec<String> {
        self.ran.lock().unwrap().clear();
        assert!(artifact(&self.db, file, vocabulary).unwrap().is_some());
        let mut ran = std::mem::take(&mut *self.ran.lock().unwrap());
        ran.sort();
        ran
    }

    fn edit(&mut self, file: SourceFile, text: &str) {
        file.set_text(&mut self.db).to(text.to_owned());
    }

    /// Builds a file; returns the names of the queries that ran, sorted.
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
    assert_eq!(recorder.build(file), ["lower_schema", "machine_of", "read_schema", "schema_graph", "structural_tag"]);
    assert!(recorder.build(file).is_empty());
}

#[test]
fn edits_of_white_space_and_descriptions_do_not_lower_again() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null", "description": "one"}"#, Language::JsonSchema);
    recorder.build(file);
    for edited in [
        "{\n  \"type\": \"null\",\n  \"description\": \"one\"\n}",
        r#"{"type": "null", "description": "something else, and longer"}"#,
    ] {
        recorder.edit(file, edited);
        assert_eq!(recorder.build(file), ["read_schema", "schema_graph", "structural_tag"], "{edited}");
    }
}

#[test]
fn spans_follow_an_edit_that_lowers_nothing() {
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
    assert_eq!(recorder.build(file), ["lower_schema", "machine_of", "read_schema", "schema_graph", "structural_tag"]);
}

#[test]
fn an_edit_of_one_file_rebuilds_no_other() {
    let mut recorder = Recorder::new();
    let edited = recorder.file(r#"{"type": "null"}"#, Language::JsonSchema);
    let other = recorder.file(r#"root ::= "a" | "b""#, Language::Gbnf);
    recorder.build(edited);
    recorder.build(other);
    recorder.edit(edited, r#"{"type": "boolean"}"#);
    assert!(recorder.build(other).is_empty());
}

#[test]
fn a_comment_edit_in_a_grammar_keeps_the_machine() {
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
fn a_policy_change_lowers_again_but_does_not_read_again() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "array"}"#, Language::JsonSchema);
    recorder.build(file);
    let compact = JsonPolicy { space: Space::Compact, ..JsonPolicy::default() };
    recorder.options.set_json(&mut recorder.db).to(compact);
    assert_eq!(recorder.build(file), ["lower_schema", "machine_of"]);
}

#[test]
fn a_description_edit_does_not_rebuild_masks() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null", "description": "one"}"#, Language::JsonSchema);
    let vocabulary = recorder.vocabulary(&["null", "n", "u", "l"]);
    let first = recorder.emit(file, vocabulary);
    assert!(first.contains(&"masks_of".to_owned()) && first.contains(&"artifact_of".to_owned()), "{first:?}");
    recorder.edit(file, r#"{"type": "null", "description": "another one"}"#);
    let again = recorder.emit(file, vocabulary);
    assert!(!again.contains(&"masks_of".to_owned()) && !again.contains(&"lower_schema".to_owned()), "{again:?}");
}

#[test]
fn a_moved_rule_updates_the_source_map_and_keeps_the_masks() {
    let mut recorder = Recorder::new();
    let file = recorder.file(r#"root ::= "a" | "b""#, Language::Gbnf);
    let vocabulary = recorder.vocabulary(&["a", "b"]);
    recorder.emit(file, vocabulary);
    recorder.edit(file, "# moved\nroot ::= \"a\" | \"b\"");
    let ran = recorder.emit(file, vocabulary);
    assert!(ran.contains(&"artifact_of".to_owned()) && !ran.contains(&"masks_of".to_owned()), "{ran:?}");
    let bytes = artifact(&recorder.db, file, vocabulary).unwrap().unwrap();
    let loaded = Artifact::load(bytes.to_vec()).unwrap();
    assert!(loaded.format().sources.places.iter().all(|place| place.start >= 8));
    assert!(loaded.masks_for(&vocabulary.store(&recorder.db)).unwrap().is_some());
}

#[test]
fn another_vocabulary_rebuilds_only_masks_and_artifact() {
    let recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "null"}"#, Language::JsonSchema);
    let (one, two) = (recorder.vocabulary(&["null"]), recorder.vocabulary(&["nu", "ll"]));
    recorder.emit(file, one);
    assert_eq!(recorder.emit(file, two), ["artifact_of", "masks_of"]);
    assert!(recorder.emit(file, one).is_empty());
}

#[test]
fn a_file_with_errors_builds_no_artifact() {
    let recorder = Recorder::new();
    let file = recorder.file(r#"{"type": "nul"}"#, Language::JsonSchema);
    let vocabulary = recorder.vocabulary(&["a"]);
    let (built, found) = compile(&recorder.db, file, vocabulary);
    assert!(built.unwrap().is_none() && masks(&recorder.db, file, vocabulary).unwrap().is_none());
    assert!(found.iter().any(|diagnostic| diagnostic.code == Code::UnknownType), "{found:?}");
}
