//! Checks that the example files are in the only layout of ogc files. `OGC_BLESS=1` reformats them.

#![allow(clippy::disallowed_methods, reason = "the examples are files")]

use ogc_grammar::ogc::format;
use std::path::Path;

#[test]
fn examples_are_formatted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    for entry in std::fs::read_dir(folder).expect("the folder of examples").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a readable example");
        let formatted = format(&text);
        assert_eq!(format(&formatted), formatted, "{}", entry.path().display());
        if std::env::var_os("OGC_BLESS").is_some() {
            std::fs::write(entry.path(), formatted).expect("a writable example");
        } else {
            assert_eq!(formatted, text, "{}", entry.path().display());
        }
    }
}

#[test]
fn line_ends_and_byte_order_marks_are_kept() {
    let text = "// one\ntype A={ // two\n  a:string,b:int}\n\n\n/// three\ntype B=A\n";
    let formatted = format(text);
    let pairs = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(format(&pairs(text)), pairs(&formatted));
    assert_eq!(format(&pairs(&formatted)), pairs(&formatted));
    assert_eq!(format(&format!("\u{feff}{text}")), format!("\u{feff}{formatted}"));
    assert_eq!(format(&format!("\u{feff}{}", pairs(text))), format!("\u{feff}{}", pairs(&formatted)));
}
