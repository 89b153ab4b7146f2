//! Programs that are well-formed but meaningless, and the expected findings for each. `OGC_BLESS=1` rewrites the
//! expectations. Imported files are in `broken/files`.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use crate::programs;
use crate::snapshot;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::diagnostics;
use ogc_grammar::Diagnostic;
use ogc_grammar::fix::apply;

#[test]
fn broken_programs_are_explained() {
    let programs = programs::programs(&folder());
    assert!(programs.len() >= 100, "{} programs", programs.len());
    let db = Compiler::default();
    let files = workspace(&db, &programs);
    let mut wrong = Vec::new();
    let mut codes = BTreeSet::new();
    for program in programs {
        let file = files[&name(&program)];
        let found = diagnostics(&db, file);
        codes.extend(found.iter().map(|found| found.code));
        wrong.extend(snapshot::compare(&program, file.text(&db), found).err());
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
    assert!(codes.len() >= 40, "only {codes:?}");
    let reference = ogc_kit::documents::reference_text();
    codes.retain(|code| !reference.contains(&format!("`{code}`")));
    assert!(codes.is_empty(), "docs/reference does not name {codes:?}");
}

#[test]
fn applied_corrections_remove_their_findings() {
    let programs = programs::programs(&folder());
    let db = Compiler::default();
    let files = workspace(&db, &programs);
    let mut codes = BTreeSet::new();
    for program in programs {
        let file = files[&name(&program)];
        let found = diagnostics(&db, file);
        let correctable: Vec<&Diagnostic> = found.iter().filter(|one| one.fix.is_some()).collect();
        let (text, applied) = apply(file.text(&db), correctable.iter().filter_map(|one| one.fix.as_ref()));
        let corrected = SourceFile::new(&db, name(&program), text, Language::Ogc, file.options(&db));
        let left = diagnostics(&db, corrected);
        for one in applied.into_iter().map(|at| correctable[at]) {
            let same = |other: &&Diagnostic| (other.code, &other.message) == (one.code, &one.message);
            let (before, after) = (found.iter().filter(same).count(), left.iter().filter(same).count());
            assert!(after < before, "{}: {} is left in\n{}", program.display(), one.message, corrected.text(&db));
            codes.insert(one.code);
        }
    }
    assert!(codes.len() >= 7, "only {codes:?} have corrections");
}

#[test]
fn applied_suggestions_remove_their_findings() {
    let programs = programs::programs(&folder());
    let db = Compiler::default();
    let files = workspace(&db, &programs);
    let mut codes = BTreeSet::new();
    for program in programs {
        let file = files[&name(&program)];
        for one in diagnostics(&db, file).iter().filter(|one| !one.guesses.is_empty()) {
            assert!(one.fix.is_none(), "{}: {} has a correction and guesses", program.display(), one.message);
            for guess in &one.guesses {
                let (text, _) = apply(file.text(&db), std::iter::once(guess));
                let corrected = SourceFile::new(&db, name(&program), text, Language::Ogc, file.options(&db));
                let same = |other: &&Diagnostic| (other.code, &other.message) == (one.code, &one.message);
                let count = |found: &[Diagnostic]| found.iter().filter(same).count();
                let (before, after) = (count(diagnostics(&db, file)), count(diagnostics(&db, corrected)));
                assert!(after < before, "{}: {} is left in\n{}", program.display(), one.message, corrected.text(&db));
            }
            codes.insert(one.code);
        }
    }
    assert!(codes.len() >= 7, "only {codes:?} have guesses");
}

/// All programs and the files that they import, by their names in the folder.
fn workspace(db: &Compiler, programs: &[PathBuf]) -> BTreeMap<String, SourceFile> {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    let mut files = BTreeMap::new();
    for path in programs.iter().cloned().chain(programs::entries(&folder().join("files"))) {
        let Ok(language) = Language::of_name(&name(&path)) else { continue };
        let text = std::fs::read_to_string(&path).expect("a readable program");
        files.insert(name(&path), SourceFile::new(db, name(&path), text, language, options));
    }
    Workspace::new(db, files.clone());
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// Returns the path relative to the folder, with `/`.
fn name(path: &Path) -> String {
    let inside = path.strip_prefix(folder()).expect("a program of the folder");
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
