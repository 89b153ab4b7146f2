//! Names of other files of the workspace, with the import that they need.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::items::{Keyword, file_items, item_start};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::scope::{import, import_target, scope};
use ogc_grammar::ogc::ast::Imported;

use super::imports::relative;
use super::item::{Insert, Items, Rank};
use super::kind::Kind;
use super::modules::is_word;
use super::names;
use crate::lookup;
use crate::place::TextEdit;
use crate::snapshot::Snapshot;
use crate::walk::Walk;

/// Maximum number of names listed at once.
const MOST: usize = 300;

/// Adds the names of other files that fit and that this file does not know yet.
pub(super) fn names(walk: &Walk<'_>, kind: Kind, items: &mut Items) {
    listed(walk, items, |symbol| names::fits(walk.snapshot, symbol, kind));
}

/// Adds the names of other files whose meanings pass a test and that this file does not know yet.
pub(super) fn listed(walk: &Walk<'_>, items: &mut Items, mut test: impl FnMut(&Symbol) -> bool) {
    let (snapshot, own) = (walk.snapshot, walk.position.file);
    let known = &scope(&snapshot.db, own).names;
    let mut found: Vec<(String, SourceFile, Symbol)> = Vec::new();
    for file in snapshot.files().into_iter().filter(|file| *file != own) {
        for (name, symbol) in lookup::definitions(snapshot, file) {
            let usable = name != "root" && is_free(&name) && !known.contains_key(&name);
            if usable && test(&symbol) {
                found.push((name, file, symbol));
            }
        }
    }
    if found.len() > MOST {
        let typed = walk.prefix().to_lowercase();
        found.retain(|(name, ..)| is_subsequence(&typed, &name.to_lowercase()));
        found.truncate(MOST);
        items.more();
    }
    for (name, file, symbol) in found {
        let Some(way) = way(snapshot, own, file, &name) else { continue };
        let path = relative(snapshot.name(own), snapshot.name(file));
        let item = names::definition(walk, &name, &symbol, Rank::Elsewhere, items);
        item.detail = path;
        match way {
            Way::Import(edit) => item.edits.push(edit),
            Way::Module(module) => match &mut item.insert {
                Insert::Plain(text) | Insert::Snippet(text) => *text = format!("{module}.{text}"),
            },
        }
    }
}

/// Returns whether a definition may have this name.
fn is_free(name: &str) -> bool {
    use ogc_grammar::ogc::token::TokenKind;
    let kinds: Vec<TokenKind> = ogc_grammar::ogc::tokens(name).iter().map(|token| token.kind).collect();
    is_word(name) && kinds == [TokenKind::Name] && Builtin::of(name).is_none()
}

/// Returns whether the characters of `typed` occur in `name` in this order.
fn is_subsequence(typed: &str, name: &str) -> bool {
    let mut rest = name.chars();
    typed.chars().all(|wanted| rest.any(|c| c == wanted))
}

/// The way to reach a name of another file.
enum Way {
    /// By adding or extending an import.
    Import(TextEdit),
    /// Through an import of the whole file under this name.
    Module(String),
}

/// Returns the way to reach a name of another file: through an existing import of that file, or a new import after the
/// last one.
fn way(snapshot: &Snapshot, file: SourceFile, other: SourceFile, name: &str) -> Option<Way> {
    let db = &snapshot.db;
    let all = &file_items(db, file).items;
    let mut imports = all.iter().filter(|(item, _)| item.key.kind == Keyword::Import);
    for (item, _) in imports.clone().filter(|(item, _)| import_target(db, item) == Some(other)) {
        match import(db, item).map(|import| &import.imported) {
            Some(Imported::Whole(module)) => return Some(Way::Module(module.text.clone())),
            Some(Imported::Names(names)) => {
                let last = names.last()?;
                let end = last.alias.as_ref().unwrap_or(&last.name).span.end + item_start(db, item);
                return Some(Way::Import(TextEdit::insert(end, format!(", {name}"))));
            }
            None => {}
        }
    }
    let path = relative(snapshot.name(file), snapshot.name(other));
    let line = format!("import {name} from {}", crate::shape::quoted(&path));
    Some(Way::Import(match (imports.next_back(), all.first()) {
        (Some((_, span)), _) => TextEdit::insert(span.end, format!("\n{line}")),
        (None, Some((_, span))) => TextEdit::insert(span.start, format!("{line}\n\n")),
        (None, None) => return None,
    }))
}
