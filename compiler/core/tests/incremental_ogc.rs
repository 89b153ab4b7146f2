//! A workspace of 200 `.ogc` files: an edit reruns only the queries that depend on the edited item.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ogc_compiler::db::{
    Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput, Workspace,
};
use ogc_compiler::pipeline::{artifact, diagnostics, formats};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;
use salsa::Setter;

const FILES: usize = 200;
/// Number of files in a chain of imports.
const CHAIN: usize = 10;

/// A database with the workspace, and the number of runs of each query.
struct Workbench {
    db: Compiler,
    ran: Arc<Mutex<BTreeMap<String, usize>>>,
    files: Vec<SourceFile>,
    vocabulary: VocabularyInput,
}

fn text(at: usize) -> String {
    let import =
        if at.is_multiple_of(CHAIN) { String::new() } else { format!("import \"f{}.ogc\" as before\n", at - 1) };
    let inner = if at.is_multiple_of(CHAIN) { "string<1..8>" } else { "before.Shared" };
    format!(
        "{import}/// What others import.\ntype Shared = {{ id: int<0..{at}>, inner?: {inner} }}\n\
         // a comment\ntype Own = {{ kind: \"a{at}\", tags: string<1..9>[0..3] }}\n\
         type Spare = {{ n: int<1..9{at}> }}\n\
         rule wrapped = \"<\" json<Own> \">\"\noutput First = Shared\noutput Second = wrapped\n"
    )
}

/// Makes a vocabulary of single bytes, with its own rows.
fn vocabulary(db: &Compiler) -> VocabularyInput {
    let bytes: Vec<Option<[u8; 1]>> = (0..=255).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).unwrap();
    VocabularyInput::of(db, MaskStore::new(Arc::new(vocabulary)))
}

impl Workbench {
    fn new() -> Self {
        let ran: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
        let log = Arc::clone(&ran);
        let db = Compiler::with_events(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                let name = format!("{database_key:?}");
                let name = name.split('(').next().unwrap_or_default().to_owned();
                *log.lock().unwrap().entry(name).or_default() += 1;
            }
        });
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = |at| SourceFile::new(&db, format!("f{at}.ogc"), text(at), Language::Ogc, options);
        let files: Vec<SourceFile> = (0..FILES).map(file).collect();
        let names = files.iter().map(|&file| (file.name(&db).to_owned(), file)).collect();
        Workspace::new(&db, names);
        let vocabulary = vocabulary(&db);
        Self { db, ran, files, vocabulary }
    }

    /// Checks and builds everything; returns how often each query ran.
    fn build(&self) -> BTreeMap<String, usize> {
        self.ran.lock().unwrap().clear();
        for &file in &self.files {
            assert_eq!(diagnostics(&self.db, file), &[], "{}", file.name(&self.db));
            for format in formats(&self.db, file) {
                assert!(artifact(&self.db, format, self.vocabulary).unwrap().is_some());
            }
        }
        std::mem::take(&mut *self.ran.lock().unwrap())
    }

    fn replace(&mut self, at: usize, from: &str, to: &str) {
        let file = self.files[at];
        let edited = file.text(&self.db).replace(from, to);
        assert_ne!(edited, file.text(&self.db));
        file.set_text(&mut self.db).to(edited);
    }
}

/// Returns how often certain queries ran.
fn counts(ran: &BTreeMap<String, usize>, names: [&str; 5]) -> [usize; 5] {
    names.map(|name| ran.get(name).copied().unwrap_or(0))
}

const STAGES: [&str; 5] = ["read_item", "module", "lower_module", "masks_of", "artifact_of"];

#[test]
fn an_edit_reruns_only_the_queries_that_depend_on_it() {
    let mut bench = Workbench::new();
    let first = bench.build();
    assert_eq!(first["masks_of"], 2 * FILES);
    assert!(bench.build().is_empty(), "nothing was edited");

    // An edit in a type that one output of its file uses: one item is parsed, one output rebuilt.
    bench.replace(57, "0..3", "0..4");
    assert_eq!(counts(&bench.build(), STAGES), [1, 1, 1, 1, 1]);

    // An edit between items: nothing is parsed again. The file's outputs keep their masks; only source maps are
    // updated.
    bench.replace(57, "// a comment", "// a longer comment\n\n");
    assert_eq!(counts(&bench.build(), STAGES)[..4], [0, 0, 0, 0]);

    // An edit of a doc comment: the item is parsed and its outputs are elaborated, with equal results.
    bench.replace(57, "What others import.", "What others take.");
    let ran = bench.build();
    assert_eq!(counts(&ran, STAGES)[0], 1, "{ran:?}");
    assert_eq!(counts(&ran, STAGES)[3], 0, "masks do not depend on what people say");

    // An edit at the end of a chain of imports affects one output; at its beginning, one output of each file in the
    // chain.
    bench.replace(99, "id: int<0..99>", "id: int<0..98>");
    assert_eq!(counts(&bench.build(), STAGES), [1, 1, 1, 1, 1]);
    bench.replace(90, "id: int<0..90>", "id: int<0..17>");
    assert_eq!(counts(&bench.build(), STAGES), [1, CHAIN, CHAIN, CHAIN, CHAIN]);
}

#[test]
fn an_edit_of_an_unused_type_reruns_only_its_emptiness() {
    let mut bench = Workbench::new();
    assert_eq!(bench.build()["emptiness"], FILES);
    let stages = ["read_item", "module", "emptiness", "lower_module", "masks_of"];
    bench.replace(57, "int<1..957>", "int<2..957>");
    assert_eq!(counts(&bench.build(), stages), [1, 0, 1, 0, 0], "the question keeps no module");
    bench.replace(57, "0..3", "0..4");
    assert_eq!(counts(&bench.build(), stages), [1, 1, 0, 1, 1]);
}

#[test]
fn artifacts_of_unchanged_outputs_keep_their_bytes() {
    let mut bench = Workbench::new();
    bench.build();
    let of = |bench: &Workbench, at: usize| {
        let format = formats(&bench.db, bench.files[at]).into_iter().next().unwrap();
        artifact(&bench.db, format, bench.vocabulary).unwrap().unwrap()
    };
    let (before, other) = (of(&bench, 3), of(&bench, 120));
    bench.replace(120, "id: int<0..120>", "id: int<0..5>");
    assert!(Arc::ptr_eq(&before, &of(&bench, 3)));
    assert_ne!(other, of(&bench, 120));
}

/// Rows depend on the behaviour of rules: after an edit, only rows of new behaviours are built.
#[test]
fn an_edit_builds_rows_only_for_changed_rules() {
    let mut bench = Workbench::new();
    bench.build();
    let known = bench.vocabulary.store(&bench.db).stats().bases;
    bench.replace(57, "0..3", "0..4");
    bench.build();
    let made = bench.vocabulary.store(&bench.db).stats().bases - known;
    // The same outputs with an empty store.
    let alone = vocabulary(&bench.db);
    for format in formats(&bench.db, bench.files[57]) {
        assert!(artifact(&bench.db, format, alone).unwrap().is_some());
    }
    let all = alone.store(&bench.db).stats().bases;
    assert!(made > 0 && 4 * made < all, "{made} of {all}");
}
