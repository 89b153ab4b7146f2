//! Checks that the examples of the documentation are well-formed or broken as stated, and that the reference names
//! every code of the corpus.

#![allow(clippy::disallowed_methods, reason = "the reference and the corpus are files")]

use ogc_grammar::Diagnostic;
use ogc_grammar::ogc::parse;
use ogc_kit::documents;
use std::path::Path;

#[test]
fn documentation_examples_parse_as_marked() {
    let mut seen = 0;
    for page in documents::pages() {
        let blocks = documents::blocks(&documents::read(&page));
        for block in blocks.iter().filter(|block| block.fence.starts_with("ogc")) {
            let (text, place) = (&block.text, format!("{}:{}", page.display(), block.line));
            let found = parse(text).diagnostics;
            match block.fence.strip_prefix("ogc,error ") {
                Some(code) => {
                    // Well-formed examples may have errors of meaning, which other crates test.
                    let errors: Vec<&str> = found.iter().filter(|d| d.is_error()).map(|d| d.code.name()).collect();
                    assert!(errors.is_empty() || errors == [code], "{place}: {errors:?} in {text}");
                }
                None => {
                    assert_eq!(found, [], "{place}: {text}");
                    assert_eq!(&ogc_grammar::ogc::format(text), text, "{place}: an example is not in the layout");
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} examples");
}

#[test]
fn every_code_of_a_broken_program_is_in_the_reference() {
    let reference = documents::reference_text();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for entry in std::fs::read_dir(folder).expect("the corpus").flatten() {
        if entry.path().extension().is_none_or(|extension| extension != "ogc") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).expect("a readable file");
        for Diagnostic { code, .. } in parse(&text).diagnostics {
            assert!(reference.contains(&format!("`{code}`")), "{code} has no line in docs/reference");
        }
    }
}
