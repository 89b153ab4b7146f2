//! Tests the targets of names, across files and languages.

use std::collections::BTreeMap;

use super::{Target, resolution};
use crate::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use crate::hir::items::{ItemId, file_items};

const MAIN: &str = "import root as Order, line from \"order.schema.json\"\nimport \"parts.ogc\" as parts\nimport Word from \"parts.ogc\"
type Page<T, Key = string> = { items: T[0..], key: Key, word: Word, other: parts.Word }
type Orders = Page<Order>
type Wrong = { a: Odrers, b: parts.Wrod, c: parts, d: Page.x }\n";

const PARTS: &str = "@deprecated(\"old\") type Old = int\ntype Word = string<1..9> | Old\n";

const ORDER: &str = r#"{"type": "object", "$defs": {"line": {"type": "string"}}}"#;

fn workspace() -> (Compiler, BTreeMap<String, SourceFile>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let files = [("main.ogc", MAIN), ("parts.ogc", PARTS), ("order.schema.json", ORDER)].map(|(name, text)| {
        let language = Language::of_name(name).expect("a language");
        (name.to_owned(), SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options))
    });
    let files = BTreeMap::from(files);
    Workspace::new(&db, files.clone());
    (db, files)
}

fn item(db: &Compiler, file: SourceFile, name: &str) -> ItemId {
    let mut items = file_items(db, file).items.iter().map(|(item, _)| item);
    items.find(|item| item.key.name == name).expect("an item").clone()
}

/// Returns the targets of an item's names in order of place: the path, and the target in words.
fn targets(db: &Compiler, item: &ItemId) -> Vec<String> {
    let mut names: Vec<_> = resolution(db, item).names().collect();
    names.sort_by_key(|(path, _)| path.span);
    let shown = |(path, resolved): (&ogc_grammar::ogc::ast::Path, &super::Resolved)| {
        let target = match &resolved.target {
            Target::Parameter(_) => "parameter".to_owned(),
            Target::Builtin(_) => "built-in".to_owned(),
            Target::Item(item) => format!("item {}", item.key.name),
            Target::Imported { item, .. } => format!("{} of {}", item.key.name, item.file.name(db)),
            Target::Foreign { file, name, .. } => format!("{name} of {}", file.name(db)),
            Target::WholeFile(_) => "module".to_owned(),
            Target::Unknown => "unknown".to_owned(),
        };
        let path: Vec<&str> = path.segments.iter().map(|name| name.text.as_str()).collect();
        let said = resolved.finding.as_ref().map_or_else(String::new, |found| format!(" ({})", found.code));
        format!("{}: {target}{said}", path.join("."))
    };
    names.into_iter().map(shown).collect()
}

#[test]
fn names_of_an_item_resolve_in_scope() {
    let (db, files) = workspace();
    let of = |name: &str| targets(&db, &item(&db, files["main.ogc"], name));
    let page = ["string: built-in", "T: parameter", "Key: parameter", "Word: Word of parts.ogc"];
    assert_eq!(of("Page"), [&page[..], &["parts.Word: Word of parts.ogc"]].concat());
    assert_eq!(of("Orders"), ["Page: item Page", "Order: root of order.schema.json"]);
    let wrong =
        ["Odrers: unknown (unknown-name)", "parts.Wrod: unknown (unknown-name)", "parts: module (unknown-name)"];
    assert_eq!(of("Wrong"), [&wrong[..], &["Page.x: unknown (unknown-name)"]].concat());
    let word = targets(&db, &item(&db, files["parts.ogc"], "Word"));
    assert_eq!(word, ["string: built-in", "Old: item Old (deprecated)"]);
}
