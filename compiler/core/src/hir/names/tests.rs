//! Tests names across files and languages: their meaning, their definition, and their other occurrences.

use std::collections::BTreeMap;

use super::{Symbol, SymbolKind, definition_at, name_at, names, references};
use crate::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use crate::hir::items::file_items;

const MAIN: &str = "import root as Order, line from \"order.schema.json\" with { line = Word }
import \"parts.ogc\" as parts
import Word from \"parts.ogc\"
import \"digits.gbnf\" as digits
policy space = \"any\", states = 400
type Page<T, least = 3> = { items: T[least..], key: int<multiple_of = 2> }
@title(\"All\") type Orders = Page<Order, least = 5> | parts.Word | line
@discriminator(\"kind\") type Shape = Circle | { kind: \"square\" }
type Circle = { @depth(2) kind: \"circle\" }
rule answer = said: digits.number json<Shape, space = \"pretty\">
type Wrong = { a: Odrers }
test Orders { accept \"[]\" }
";

const FILES: [(&str, &str); 4] = [
    ("main.ogc", MAIN),
    ("parts.ogc", "type Old = int\ntype Word = string<1..9> | Old\n"),
    ("order.schema.json", r#"{"type": "object", "$defs": {"line": {"type": "string"}}}"#),
    ("digits.gbnf", "root ::= number\nnumber ::= [0-9]+\n"),
];

fn workspace() -> (Compiler, BTreeMap<String, SourceFile>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let files = FILES.map(|(name, text)| {
        let language = Language::of_name(name).expect("a language");
        (name.to_owned(), SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options))
    });
    let files = BTreeMap::from(files);
    Workspace::new(&db, files.clone());
    (db, files)
}

/// Returns the file that defines the name at `at`, and the text at that place.
fn defined(db: &Compiler, file: SourceFile, at: usize) -> Option<(String, String)> {
    let (there, place) = definition_at(db, file, u32::try_from(at).expect("a place"))?;
    let text: String = there.text(db).get(place.start as usize..)?.chars().take(12).collect();
    Some((there.name(db).to_owned(), text))
}

#[test]
fn every_name_resolves_to_its_definition() {
    let (db, files) = workspace();
    let main = files["main.ogc"];
    let cases = [
        ("root as Order", "order.schema.json", "{\"type\": \"ob"),
        ("line from", "order.schema.json", "{\"type\": \"st"),
        ("\"parts.ogc\" as", "parts.ogc", "type Old = i"),
        ("line = Word", "order.schema.json", "{\"type\": \"st"),
        ("T[least", "main.ogc", "T, least = 3"),
        ("least..", "main.ogc", "least = 3> ="),
        ("Page<Order", "main.ogc", "Page<T, leas"),
        ("Order, least", "order.schema.json", "{\"type\": \"ob"),
        ("least = 5", "main.ogc", "least = 3> ="),
        ("parts.Word", "parts.ogc", "type Old = i"),
        ("Word | line", "parts.ogc", "Word = string"),
        ("\"kind\")", "main.ogc", "kind: \"circ"),
        ("Circle |", "main.ogc", "Circle = { @"),
        ("number json", "digits.gbnf", "number ::= ["),
        ("Shape, space", "main.ogc", "Shape = Circ"),
        ("said:", "main.ogc", "said: digits"),
        ("Orders {", "main.ogc", "Orders = Pag"),
    ];
    for (written, file, text) in cases {
        let at = MAIN.find(written).expect("it is written");
        let (there, from) = defined(&db, main, at).unwrap_or_else(|| panic!("{written} leads nowhere"));
        assert!(there == file && from.starts_with(&text[..text.len().min(12)]), "{written}: {there} {from}");
    }
}

#[test]
fn name_at_tells_the_kind_of_a_name() {
    let (db, files) = workspace();
    let cases = [
        ("space = \"any\"", SymbolKind::Setting),
        ("states =", SymbolKind::Setting),
        ("multiple_of", SymbolKind::Parameter),
        ("title", SymbolKind::Attribute),
        ("depth", SymbolKind::Attribute),
        ("space = \"pretty\"", SymbolKind::Setting),
        ("int<multiple", SymbolKind::Value),
        ("json<", SymbolKind::Text),
        ("answer", SymbolKind::Text),
        ("kind: \"square\"", SymbolKind::Field),
        ("digits.number", SymbolKind::File),
        ("Odrers", SymbolKind::Unknown),
    ];
    for (written, kind) in cases {
        let at = u32::try_from(MAIN.find(written).expect("it is written")).expect("a place");
        let name = name_at(&db, files["main.ogc"], at).unwrap_or_else(|| panic!("{written} is no name"));
        assert_eq!(name.symbol.kind(&db), kind, "{written}");
    }
    let blank = u32::try_from(MAIN.find(" = { items").expect("it is written") + 2).expect("a place");
    assert_eq!(name_at(&db, files["main.ogc"], blank), None);
}

#[test]
fn references_are_found_in_all_files() {
    let (db, files) = workspace();
    let text =
        |(file, span): &(SourceFile, ogc_grammar::Span)| format!("{}: {}", file.name(&db), span.text(file.text(&db)));
    let at = |file: &str, written: &str| {
        let file = files[file];
        let at = u32::try_from(file.text(&db).find(written).expect("it is written")).expect("a place");
        name_at(&db, file, at).expect("a name").symbol
    };
    let named: Vec<String> = references(&db, &at("parts.ogc", "Word")).iter().map(text).collect();
    assert_eq!(named, [&["main.ogc: Word"; 3][..], &["parts.ogc: Word"]].concat());
    let named: Vec<String> = references(&db, &at("main.ogc", "least = 3")).iter().map(text).collect();
    assert_eq!(named, ["main.ogc: least"; 3]);
    let named: Vec<String> = references(&db, &at("main.ogc", "kind: \"circle")).iter().map(text).collect();
    assert_eq!(named, ["main.ogc: \"kind\"", "main.ogc: kind"]);
}

/// If a name leads to a definition in an `.ogc` file, the place of the definition names the same thing.
#[test]
fn a_definition_names_the_symbol_that_resolves_to_it() {
    let (db, files) = workspace();
    for file in files.values() {
        for (item, span) in &file_items(&db, *file).items {
            for name in names(&db, item) {
                let at = name.span.shifted(span.start);
                let Some((there, place)) = super::definition_of(&db, &name.symbol) else { continue };
                if there.language(&db) != Language::Ogc || matches!(name.symbol, Symbol::File(_)) {
                    continue;
                }
                let back = name_at(&db, there, place.start).map(|back| (back.symbol, back.is_definition));
                assert_eq!(back, Some((name.symbol.clone(), true)), "{}", at.text(file.text(&db)));
            }
        }
    }
}
