//! Tests that the table of codes is complete and in order.

#![allow(clippy::disallowed_methods, reason = "explanations are files; see clippy.toml")]

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

#[test]
fn every_code_has_its_own_table_entry() {
    assert_eq!(Code::ALL.len(), table::ENTRIES.len());
    for &code in Code::ALL {
        assert_eq!(Code::from_name(code.name()), Some(code));
    }
    assert_eq!(Code::ALL.iter().collect::<BTreeSet<_>>().len(), Code::ALL.len());
}

#[test]
fn codes_stand_in_order_within_their_groups() {
    let key = |code: &Code| (code.group(), code.name());
    assert!(Code::ALL.is_sorted_by_key(key), "the table is not in order");
    for group in Group::ALL {
        assert!(Code::ALL.iter().any(|code| code.group() == *group), "{group:?}");
    }
}

#[test]
fn explanations_have_a_summary_an_example_and_a_remedy() {
    for code in Code::ALL {
        let (summary, text) = (code.summary(), code.explanation());
        assert!(text.starts_with(&format!("# {code}: {summary}\n\n")), "{code}");
        assert!(text.contains("\n## Example\n") && text.contains("\n## Remedy\n"), "{code}");
        assert!(!summary.is_empty() && !summary.ends_with('.'), "{code}");
    }
}

#[test]
fn every_explanation_is_that_of_a_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/code/explain");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.strip_suffix(".md").and_then(Code::from_name).is_some(), "{name} explains no code");
    }
}

#[test]
fn a_code_displays_as_its_name() {
    assert_eq!(format!("{} {:>14}", Code::Test, Code::UnknownName), "test   unknown-name");
}
