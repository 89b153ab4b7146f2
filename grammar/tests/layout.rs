//! The example files are in the one layout of ogc files. `OGC_BLESS=1` lays them out anew.

#![allow(clippy::disallowed_methods, reason = "the examples are files")]

use ogc_grammar::ogc::format;
use std::path::Path;

#[test]
fn examples_are_in_their_layout() {
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
