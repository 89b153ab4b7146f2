//! Tests of completion, hover and diagnostics of `ogc.toml`; of several such files, the nearest decides.

use ogc_compiler::db::Language;

use super::{completion, diagnostics, hover};
use crate::completion::Insert;
use crate::host::Host;
use crate::place::{TextEdit, applied};

/// Returns the text without its cursor, and the cursor's offset.
fn at(text: &str) -> (String, u32) {
    let offset = u32::try_from(text.find("$0").unwrap()).unwrap();
    (text.replacen("$0", "", 1), offset)
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (text, offset) = at(text);
    let mut items = completion(&text, offset).items;
    items.sort_by(|a, b| a.sort.cmp(&b.sort));
    assert!(items.iter().all(|item| item.replaced.start <= offset && offset <= item.replaced.end));
    let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels, expected, "at {text}");
}

#[track_caller]
fn writes(text: &str, label: &str, expected: &str) {
    let (text, offset) = at(text);
    let items = completion(&text, offset).items;
    let item = items.iter().find(|item| item.label == label).unwrap();
    let (Insert::Plain(new) | Insert::Snippet(new)) = &item.insert;
    assert_eq!(applied(&text, &[TextEdit::replace(item.replaced, new.clone())]), expected);
}

const TABLES: [&str; 4] = ["[lints]", "[build]", "[policy]", "[resources]"];

#[test]
fn tables_keys_and_values_are_listed() {
    check("$0", &TABLES);
    check("[$0]", &TABLES);
    check("[build]\n$0", &["vocab", "end", "out", "[lints]", "[build]", "[policy]", "[resources]"]);
    check("[build]\nout = \"x\"\nvo$0", &["vocab", "end", "[lints]", "[build]", "[policy]", "[resources]"]);
    check("[policy]\norder = \"$0\"", &["declared", "any"]);
    check("[policy]\norder = \"$0", &["declared", "any"]);
    check("[policy]\norder = $0", &["declared", "any"]);
    check("[lints]\nunused-item = \"$0\"", &["allow", "warn", "deny"]);
    check("[build]\nvocab = \"$0\"", &["o200k"]);
}

#[test]
fn no_completions_outside_of_tables_keys_and_values() {
    for text in
        ["# $0", "[build]$0", "[build]\nout = \"$0\"", "[none]\nx = \"$0\"", "x = $0", "[policy]\norder = \"any\"$0"]
    {
        check(text, &[]);
    }
}

#[test]
fn completion_adds_missing_quotes() {
    writes("[policy]\norder = $0", "any", "[policy]\norder = \"any\"");
    writes("[policy]\norder = \"$0", "any", "[policy]\norder = \"any\"");
    writes("[policy]\norder = \"de$0clared\"", "any", "[policy]\norder = \"any\"");
    writes("[policy]\nor$0", "order", "[policy]\norder = \"$1\"");
    writes("$0", "[build]", "[build]\n");
    writes("[bu$0]", "[build]", "[build]");
}

#[test]
fn tables_keys_and_values_have_docs() {
    let shown = |text: &str| {
        let (text, offset) = at(text);
        hover(&text, offset).map(|found| found.parts.markdown()).unwrap_or_default()
    };
    assert!(shown("[li$0nts]").contains("levels of findings"));
    assert!(shown("[policy]\nor$0der = \"any\"").contains("order of an object"));
    assert!(shown("[policy]\norder = \"an$0y\"").contains("Any order"));
    assert!(shown("[lints]\nunused-i$0tem = \"allow\"").contains("**unused-item**"));
    assert_eq!(shown("# or$0der") + &shown("[build]\nout = \"x$0\"") + &shown("$0"), "");
}

#[test]
fn mistakes_in_the_settings_file_are_reported() {
    assert_eq!(diagnostics("[policy]\norder = \"wide\"").len(), 1);
    assert!(diagnostics("[policy]\norder = \"any\"").is_empty());
}

#[test]
fn the_nearest_file_decides() {
    let mut host = Host::new();
    let schema = |host: &mut Host, name: &str| host.set_file(name, "{}".to_owned(), Language::JsonSchema);
    let (outer, inner) = (schema(&mut host, "/w/a.json"), schema(&mut host, "/w/x/b.json"));
    host.set_settings_file("/w/ogc.toml", "[build]\nvocab = \"v.json\"\n[policy]\norder = \"any\"");
    let vocabularies = |host: &Host, file| host.snapshot().settings(file).vocabularies.clone();
    assert_eq!(
        (vocabularies(&host, outer), vocabularies(&host, inner)),
        (vec!["/w/v.json".to_owned()], vec!["/w/v.json".to_owned()])
    );
    host.set_settings_file("/w/x/ogc.toml", "[build]\nvocab = \"o200k\"");
    assert_eq!(
        (vocabularies(&host, outer), vocabularies(&host, inner)),
        (vec!["/w/v.json".to_owned()], vec!["o200k".to_owned()])
    );
    let later = schema(&mut host, "/w/x/y/c.json");
    assert_eq!(vocabularies(&host, later), ["o200k"]);
    let options = |host: &Host, file: crate::SourceFile| file.options(&host.snapshot().db);
    assert_ne!(options(&host, outer), options(&host, inner));
    host.remove_settings_file("/w/x/ogc.toml");
    assert_eq!(vocabularies(&host, inner), ["/w/v.json"]);
    assert_eq!(options(&host, outer), options(&host, later));
    host.remove_settings_file("/w/ogc.toml");
    assert!(vocabularies(&host, inner).is_empty());
    assert_eq!(host.snapshot().settings(outer).levels, crate::snapshot::FileSettings::default().levels);
}
