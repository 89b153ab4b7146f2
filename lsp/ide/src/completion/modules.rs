//! Completes the names of an imported file, after `module.`.

use super::item::{Insert, Items, Rank};
use super::kind::kind_of;
use super::names;
use crate::lookup;
use crate::walk::{At, Walk};

/// Adds the definitions of an imported file. Names that are not words are written in quotes.
pub(super) fn names_of_module(walk: &Walk<'_>, module: &str, items: &mut Items) {
    let Some(file) = lookup::module_file(walk.snapshot, walk.position.file, module) else { return };
    let kind = kind_of(walk);
    let in_string = matches!(walk.at, At::String(..));
    for (name, symbol) in lookup::definitions(walk.snapshot, file) {
        if !names::fits(walk.snapshot, &symbol, kind) || in_string && name.contains(['"', '\'', '\\']) {
            continue;
        }
        let written = if in_string { name.clone() } else { key_text(&name) };
        let item = names::definition(walk, &name, &symbol, Rank::Imported, items);
        if let Insert::Plain(text) = &mut item.insert
            && !in_string
        {
            *text = written;
        }
    }
}

/// Returns a key in source form: a word, or a string.
pub(super) fn key_text(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { crate::shape::quoted(name) }
}

/// Returns whether a name is written without quotes.
pub(super) fn is_word(name: &str) -> bool {
    use ogc_grammar::ogc::tokens;
    matches!(tokens(name).as_slice(), [token] if token.kind.is_word())
}
