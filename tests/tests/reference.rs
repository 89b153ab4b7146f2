//! Tests that the documented language is the compiled language. Every example of README, of the pages in `docs/` and of
//! `examples/` compiles, its `test` blocks hold, and random texts of its definitions are accepted again. Definitions
//! and the oracle agree about texts and masks; `OGC_SEED` chooses other texts. Blocks that are marked as errors give
//! exactly the code on their fence.

#![allow(clippy::disallowed_methods, reason = "the documents are files; see clippy.toml")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::hir::scope::imports;
use ogc_compiler::pipeline::{Format, automaton, definitions, diagnostics, format_diagnostics, tests};
use ogc_grammar::Diagnostic;
use ogc_kit::documents::{self, root};
use ogc_kit::{Random, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker};
use ogc_tests::oracle::ogc::Program;
use ogc_tests::oracle::ogc::agree::{Counts, Pair};

/// The token that ends a sequence; the named ones follow.
const END: u32 = 256;

/// The number of random texts of a definition.
const WALKS: usize = 8;

/// Bytes that walks prefer.
const LIKED: &[u8] = b"abcxyz015;,.-:\"{}[]()<>/=\\ \nnullt_k\xc3\xa9";

/// Cap on the steps of a walk; a longer walk is given up.
const STEPS: usize = 4_000;

/// Imports of the reference are found in `grammar/tests/reference`, those of other pages in `examples/`.
#[test]
fn examples_of_the_documentation_behave_as_documented() {
    let root = root();
    let mut faults = Vec::new();
    let mut examples = [0, 0];
    for page in documents::pages() {
        let is_reference = page.starts_with(root.join("docs/reference"));
        let folder = root.join(if is_reference { "grammar/tests/reference" } else { "examples" });
        for block in documents::blocks(&documents::read(&page)) {
            if !block.fence.starts_with("ogc") {
                continue;
            }
            examples[usize::from(is_reference)] += 1;
            let found = check_text(&block.text, &folder, block.fence.strip_prefix("ogc,error "));
            faults.extend(found.into_iter().map(|fault| format!("{}:{}: {fault}", page.display(), block.line)));
        }
    }
    assert!(examples[0] >= 6 && examples[1] >= 42, "only {examples:?} examples");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Checks that the page about Rust shows the quick start of `ogc-runtime`, which is compiled there.
#[test]
fn the_documented_quick_start_of_the_runtime_is_up_to_date() {
    let source = read(&root().join("runtime/core/src/lib.rs"));
    let source: Vec<&str> = source.lines().map(|line| line.trim_start_matches("//!").trim_start()).collect();
    let page = documents::blocks(&documents::read(&root().join("docs/use/rust.md")));
    let shown = page.iter().find(|block| block.fence == "rust").expect("a block of Rust");
    let missing: Vec<&str> = shown.text.lines().map(str::trim_start).filter(|line| !source.contains(line)).collect();
    assert!(missing.is_empty(), "not in runtime/core/src/lib.rs: {missing:#?}");
}

#[test]
fn example_files_pass_their_tests() {
    let folder = root().join("examples");
    let mut faults = Vec::new();
    let files: Vec<PathBuf> = entries(&folder).into_iter().filter(|path| is_ogc(path)).collect();
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        let found = check_text(&read(&file), &folder, None);
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", file.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the faults of a program whose imports are in `folder`; with a code, the program must have this error and no
/// other.
fn check_text(text: &str, folder: &Path, code: Option<&str>) -> Vec<String> {
    let db = Compiler::default();
    let file = workspace(&db, text, folder);
    let found = diagnostics(&db, file);
    if let Some(code) = code {
        let errors: Vec<&str> = found.iter().filter(|one| one.is_error()).map(|one| one.code.name()).collect();
        return if errors == [code] { Vec::new() } else { vec![format!("gives {errors:?}, not {code}")] };
    }
    let mut faults: Vec<String> = found.iter().map(|one| shown(text, one)).collect();
    for format in definitions(&db, file) {
        faults.extend(format_diagnostics(&db, &format).iter().map(|one| shown(text, one)));
        match automaton(&db, format.clone()) {
            Some(automaton) => faults.extend(walk_all(&automaton)),
            None => faults.push(format!("{} does not compile", name(&format))),
        }
    }
    faults.extend(judged(&db, file, text));
    for (format, cases) in tests(&db, file) {
        let Some(automaton) = automaton(&db, format.clone()) else { continue };
        let wrong = cases.iter().filter(|case| accepts(&automaton, &case.text) != case.accept);
        faults.extend(wrong.map(|case| format!("{}: the case {} does not hold", name(&format), case.span.text(text))));
    }
    faults
}

/// Returns the disagreements between the definitions of a program and the oracle about texts, and between masks and the
/// tokens that are accepted. The oracle knows no other files, no limits in tokens, and no lists of tools.
fn judged(db: &Compiler, file: SourceFile, text: &str) -> Vec<String> {
    let mut random = Random::new(setting("OGC_SEED", 11));
    let mut faults = Vec::new();
    for format in
        definitions(db, file).into_iter().filter(|_| !["max_tokens", "any_tool"].iter().any(|one| text.contains(one)))
    {
        let Some(automaton) = automaton(db, format.clone()) else { continue };
        let Some(program) = Program::read(&format!("{text}\noutput Judged__ = {}\n", name(&format))) else { continue };
        let pair = Pair { program: &program, automaton, liked: LIKED };
        let mut counts = Counts::new();
        let texts = pair.texts(WALKS, &mut random, &mut counts);
        let checked = texts.and_then(|texts| pair.masks(&texts, &mut random));
        faults.extend(checked.err().map(|fault| format!("{}: {fault}", name(&format))));
    }
    faults
}

fn name(format: &Format) -> &str {
    format.name.as_deref().unwrap_or_default()
}

fn shown(text: &str, found: &Diagnostic) -> String {
    format!("{}: {} at `{}`", found.code, found.message, found.span.text(text))
}

/// Adds the program and its imports, from file to file.
fn workspace(db: &Compiler, text: &str, folder: &Path) -> SourceFile {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    let main = SourceFile::new(db, "main.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
    let mut files = BTreeMap::from([("main.ogc".to_owned(), main)]);
    let mut open = vec![main];
    while let Some(file) = open.pop() {
        for (path, _) in imports(db, file) {
            let (Ok(language), Ok(text)) = (Language::of_name(&path), std::fs::read_to_string(folder.join(&path)))
            else {
                continue;
            };
            let known = files.contains_key(&path);
            let file = *files.entry(path.clone()).or_insert_with(|| SourceFile::new(db, path, text, language, options));
            if language == Language::Ogc && !known {
                open.push(file);
            }
        }
    }
    Workspace::new(db, files);
    main
}

/// A store of single bytes, an end, and the tokens that a format names.
fn store(automaton: &Automaton) -> Arc<MaskStore> {
    let tokens: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let named = automaton.tokens.iter().map(String::as_str).zip(END + 1..);
    let specials: Vec<(&str, u32)> = std::iter::once(("</s>", END)).chain(named).collect();
    MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &specials).expect("a vocabulary")))
}

fn accepts(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    let mut matcher = Matcher::new(Arc::clone(automaton), store(automaton));
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

/// Returns texts of random walks through the masks that are rejected when they are read again.
fn walk_all(automaton: &Arc<Automaton>) -> Vec<String> {
    let store = store(automaton);
    let mut random = Random::new(7);
    let mut faults = Vec::new();
    for _ in 0..WALKS {
        match walk(automaton, &store, &mut random) {
            Ok(Some(text)) if !accepts(automaton, &text) => {
                faults.push(format!("{:?} was written and is refused", String::from_utf8_lossy(&text)));
            }
            Ok(_) => {}
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// Returns a text, or `None` if the walk does not end.
fn walk(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random) -> Result<Option<Vec<u8>>, String> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let mut text = Vec::new();
    for step in 0..STEPS {
        let mask = matcher.mask().map_err(|error| error.to_string())?;
        let tokens: Vec<TokenId> = mask.tokens().into_iter().filter(|token| token.0 != END).collect();
        if mask.allows_end() && (tokens.is_empty() || random.one_in(4)) {
            return Ok(Some(text));
        }
        // The longer a text is, the more likely it ends.
        let closing: Vec<TokenId> = tokens.iter().copied().filter(|token| closes(*token)).collect();
        let from = if closing.is_empty() || random.below(STEPS) > 400 + step * 2 { &tokens } else { &closing };
        let Some(&token) = random.choose(from) else {
            return Err(format!("nothing may follow {:?}", String::from_utf8_lossy(&text)));
        };
        matcher.accept_token(token).map_err(|error| error.to_string())?;
        // Some named tokens end a text in every format, as `<|end|>` does.
        if matcher.is_terminated() {
            return Ok(Some(text));
        }
        match u8::try_from(token.0) {
            Ok(byte) => text.push(byte),
            Err(_) => text.extend(marker(&automaton.tokens[(token.0 - END - 1) as usize])),
        }
    }
    Ok(None)
}

fn closes(token: TokenId) -> bool {
    token.0 >= END || u8::try_from(token.0).is_ok_and(|byte| b"\"]}>)\n;,:".contains(&byte))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a readable file")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn is_ogc(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ogc")
}
