//! Tests of the shipped kernels as texts: each form of instruction in them has a test here or among the checks, and no
//! instruction is approximate or may be fused.

#![allow(clippy::disallowed_methods, reason = "the kernels are files; see clippy.toml")]

use std::collections::BTreeMap;
use std::path::Path;

/// Returns the text of each shipped file of PTX, by its name.
fn kernels() -> BTreeMap<String, String> {
    texts("../../runtime/cuda/kernels/ptx")
}

/// Returns the texts of a folder, by the names of the files.
fn texts(folder: &str) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files
        .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(file).unwrap()))
        .collect()
}

/// Returns whether a word is the name of an instruction with all its parts, such as `ld.global.v4.f32`.
fn is_form(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.chars().all(|part| part.is_ascii_alphanumeric() || "._:".contains(part))
        && !word.ends_with(':')
        // Part of a call that spans several lines.
        && !word.starts_with("param")
}

/// Returns the forms of a text of PTX: the first word of each statement, behind its guard.
fn forms(ptx: &str) -> Vec<&str> {
    let lines = ptx.lines().map(|line| line.split("//").next().unwrap_or_default());
    let statements = lines.flat_map(|line| line.split([';', '{', '}']));
    let words = statements.filter_map(|statement| {
        let mut words = statement.split_whitespace();
        let first = words.next()?;
        if first.starts_with('@') { words.next() } else { Some(first) }
    });
    words.filter(|word| is_form(word)).collect()
}

/// Returns the words of a test that can be forms.
fn words_of(test: &str) -> Vec<String> {
    let text = test.replace("\\n", "\n");
    let words = text.split(|part: char| !(part.is_ascii_alphanumeric() || "._:".contains(part)));
    words.map(str::to_owned).collect()
}

#[test]
fn instruction_forms_are_extracted_from_ptx() {
    let text = "// add.s32\nLABEL:\n@%p1 bra L;\n.reg .b32 %r<2>;\n{ .reg .u64 %tmp;\n cvta.shared.u64 %rd1, %tmp; }\nadd.s32 \t%r1, %r2, 1;\nret;";
    assert_eq!(forms(text), ["bra", "cvta.shared.u64", "add.s32", "ret"]);
}

#[test]
fn each_form_in_a_shipped_kernel_has_a_test() {
    let tests = [texts("tests/instructions"), texts("tests/checks")];
    let own = file!().rsplit('/').next().unwrap();
    let tested: Vec<String> =
        tests.iter().flatten().filter(|(name, _)| *name != own).flat_map(|(_, text)| words_of(text)).collect();
    let mut missing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut found = 0;
    for (name, ptx) in kernels() {
        for form in forms(&ptx) {
            found += 1;
            if !tested.iter().any(|word| word == form) {
                let names = missing.entry(form.to_owned()).or_default();
                if names.last() != Some(&name) {
                    names.push(name.clone());
                }
            }
        }
    }
    assert!(found > 10_000, "{found}");
    assert!(missing.is_empty(), "no instruction test has these: add a line to one of tests/instructions\n{missing:#?}");
}

#[test]
fn shipped_kernels_use_no_approximate_or_fusible_instructions() {
    for (name, ptx) in kernels() {
        let module = ogc_ptx::parse(&ptx).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(module.approximate_lines(), Vec::<u32>::new(), "{name} has functions that a device approximates");
        assert_eq!(module.fusible_lines(), Vec::<u32>::new(), "{name} has sums or products that a compiler may fuse");
    }
}
