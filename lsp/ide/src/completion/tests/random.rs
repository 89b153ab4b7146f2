//! Properties of completion, hover and signature help at every byte of example programs, complete and cut off.

use ogc_compiler::db::Language;
use ogc_compiler::hir::names::{Symbol, name_at};

use super::super::{CompletionKey, completion, resolve};
use super::after;
use crate::host::Host;
use crate::hover::hover;
use crate::place::FilePosition;
use crate::signature_help::signature_help;

const EXAMPLES: [(&str, &str); 8] = [
    ("extraction.ogc", include_str!("../../../../../examples/extraction.ogc")),
    ("tool-calls.ogc", include_str!("../../../../../examples/tool-calls.ogc")),
    ("tools.ogc", include_str!("../../../../../examples/tools.ogc")),
    ("tickets.ogc", include_str!("../../../../../examples/tickets.ogc")),
    ("sql.ogc", include_str!("../../../../../examples/sql.ogc")),
    ("chess.gbnf", include_str!("../../../../../examples/chess.gbnf")),
    ("commands.lark", include_str!("../../../../../examples/commands.lark")),
    ("search-tool.schema.json", include_str!("../../../../../examples/search-tool.schema.json")),
];

const IMPORTED: [(&str, &str); 2] = [
    ("imports/tickets.schema.json", include_str!("../../../../../examples/imports/tickets.schema.json")),
    ("imports/tools.json", include_str!("../../../../../examples/imports/tools.json")),
];

fn host() -> Host {
    let mut host = Host::new();
    for (name, text) in EXAMPLES.into_iter().chain(IMPORTED) {
        host.set_file(&format!("/w/{name}"), text.to_owned(), Language::of_name(name).unwrap());
    }
    host
}

/// Calls every feature at a byte.
fn try_all(host: &Host, name: &str, offset: u32) {
    let snapshot = host.snapshot();
    let file = snapshot.file(name).unwrap();
    let position = snapshot.position(file, offset);
    for item in completion(&snapshot, position, None).items {
        assert!(
            item.replaced.start <= position.offset && position.offset <= item.replaced.end,
            "{item:?} {position:?}"
        );
        let lines = snapshot.slice(file, item.replaced).contains('\n');
        assert!(!lines, "{item:?}");
    }
    if let Some(found) = hover(&snapshot, position) {
        assert!(!found.parts.is_empty() && found.span.start <= position.offset && position.offset <= found.span.end);
    }
    drop(signature_help(&snapshot, position));
}

#[test]
fn every_feature_answers_at_every_byte() {
    let host = host();
    for (name, text) in EXAMPLES {
        for offset in 0..=u32::try_from(text.len()).unwrap() {
            try_all(&host, &format!("/w/{name}"), offset);
        }
    }
}

#[test]
fn every_feature_answers_on_truncated_texts() {
    let mut host = host();
    for (name, text) in EXAMPLES {
        let name = format!("/w/{name}");
        let language = Language::of_name(&name).unwrap();
        // Steps of a prime number reach all kinds of places.
        for cut in (0..text.len()).step_by(7).filter(|cut| text.is_char_boundary(*cut)) {
            host.set_file(&name, text[..cut].to_owned(), language);
            try_all(&host, &name, u32::try_from(cut).unwrap());
            try_all(&host, &name, u32::try_from(cut / 2).unwrap());
        }
        host.set_file(&name, text.to_owned(), language);
    }
}

#[test]
fn a_completed_name_resolves_to_the_listed_definition() {
    let mut host = host();
    for (name, text) in EXAMPLES.into_iter().filter(|(name, _)| name.ends_with(".ogc")) {
        let name = format!("/w/{name}");
        for (at, _) in text.match_indices(": ").chain(text.match_indices("= ")).step_by(3) {
            let offset = u32::try_from(at + 2).unwrap();
            let snapshot = host.snapshot();
            let file = snapshot.file(&name).unwrap();
            let list = completion(&snapshot, FilePosition { file, offset }, None).items;
            // An edit waits until all snapshots are dropped.
            drop(snapshot);
            for item in list.into_iter().filter(|item| matches!(item.key, Some(CompletionKey::Definition(..)))) {
                check_meaning(&mut host, &name, text, &item);
            }
        }
    }
}

/// Checks that a definition's name, once written, leads to that definition.
fn check_meaning(host: &mut Host, name: &str, text: &str, item: &super::CompletionItem) {
    let Some(CompletionKey::Definition(file, definition)) = &item.key else { return };
    let key = item.key.as_ref().unwrap();
    assert!(resolve(&host.snapshot(), key).is_some(), "{key:?}");
    let new = after(text, item);
    let inserted: usize = item.edits.iter().map(|edit| edit.text.len()).sum();
    // If a name character or dot follows directly, the inserted name is not a name by itself.
    if text[item.replaced.end as usize..].starts_with(|c: char| c.is_alphanumeric() || c == '.') {
        return;
    }
    host.set_file(name, new.clone(), Language::Ogc);
    let snapshot = host.snapshot();
    let start = item.replaced.start as usize + inserted;
    let label = new[start..].find(&item.label).map(|at| start + at).unwrap();
    let found = name_at(&snapshot.db, snapshot.file(name).unwrap(), u32::try_from(label).unwrap() + 1);
    if let Some(found) = found {
        let meant = match &found.symbol {
            Symbol::Definition(item) => (snapshot.name(item.file) == file) && item.key.name == *definition,
            Symbol::Foreign { file: foreign, name } => snapshot.name(*foreign) == file && name == definition,
            _ => false,
        };
        assert!(meant, "{:?} for {item:?} in {new}", found.symbol);
    }
    drop(snapshot);
    host.set_file(name, text.to_owned(), Language::Ogc);
}
