//! The names that a file knows: its definitions and imports.

use ogc_compiler::db::Language;
use ogc_compiler::foreign::is_tool_list;
use ogc_compiler::hir::items::{Keyword, item_tree, signature};
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::scope::{Binding, scope};
use ogc_compiler::hir::{Builtin, items::ItemId};
use ogc_grammar::ogc::print_expr;
use ogc_grammar::ogc::token::TokenKind;

use super::item::{CompletionItem, CompletionKey, CompletionKind, Items, Rank, escaped};
use super::kind::Kind;
use crate::lookup;
use crate::shape::shortened;
use crate::snapshot::Snapshot;
use crate::walk::Walk;

/// Adds the names of the file that fit the kind.
pub(super) fn names(walk: &Walk<'_>, kind: Kind, items: &mut Items) {
    known(walk, items, |symbol| fits(walk.snapshot, symbol, kind));
}

/// Adds the imported lists of tools.
pub(super) fn tools(walk: &Walk<'_>, items: &mut Items) {
    known(walk, items, |symbol| matches!(symbol, Symbol::File(file) if is_tool_list(&walk.snapshot.db, *file)));
}

/// Adds the definitions that can serve as templates of calls: those with one parameter for the name and one for the
/// arguments.
pub(super) fn call_styles(walk: &Walk<'_>, items: &mut Items) {
    let styles = |symbol: &Symbol| matches!(symbol, Symbol::Definition(item) if signature(&walk.snapshot.db, item).parameters.len() >= 2);
    let found = scope(&walk.snapshot.db, walk.position.file).names.iter();
    for (name, binding) in found {
        let Some(symbol) = lookup::bound(walk.snapshot, binding).filter(styles) else { continue };
        // Each tool provides the arguments, so none are written.
        let (kind, key) = kind_and_key(walk.snapshot, &symbol);
        items.add(kind, rank(binding), name, key).says(detail(walk.snapshot, &symbol));
    }
}

/// Adds the names of the file whose meanings pass a test.
pub(super) fn known(walk: &Walk<'_>, items: &mut Items, mut test: impl FnMut(&Symbol) -> bool) {
    let snapshot = walk.snapshot;
    for (name, binding) in &scope(&snapshot.db, walk.position.file).names {
        if Builtin::of(name).is_some() {
            continue;
        }
        let symbol = match lookup::bound(snapshot, binding) {
            Some(symbol) if test(&symbol) => symbol,
            _ => continue,
        };
        definition(walk, name, &symbol, rank(binding), items);
    }
}

fn rank(binding: &Binding) -> Rank {
    match binding {
        Binding::Item(_) => Rank::Own,
        Binding::Imported(..) | Binding::WholeFile(_) => Rank::Imported,
    }
}

/// Adds a definition under a name. Its required arguments become placeholders.
pub(super) fn definition<'i>(
    walk: &Walk<'_>,
    name: &str,
    symbol: &Symbol,
    rank: Rank,
    items: &'i mut Items,
) -> &'i mut CompletionItem {
    let snapshot = walk.snapshot;
    let (kind, key) = kind_and_key(snapshot, symbol);
    let item = items.add(kind, rank, name, key);
    item.says(detail(snapshot, symbol));
    if let Symbol::Definition(id) = symbol {
        let signature = signature(&snapshot.db, id);
        item.is_deprecated = signature.deprecated.is_some();
        let needed = signature.parameters.iter().filter(|(_, has_default)| !has_default);
        let places: Vec<String> =
            needed.enumerate().map(|(at, (name, _))| format!("${{{}:{}}}", at + 1, escaped(name))).collect();
        if !places.is_empty() && !next_is(walk, TokenKind::Less) {
            item.writes_snippet(format!("{}<{}>", escaped(name), places.join(", ")));
        }
    }
    item
}

/// Returns whether a token of a kind directly follows the word at the cursor.
pub(super) fn next_is(walk: &Walk<'_>, kind: TokenKind) -> bool {
    let end = walk.replaced().end;
    walk.all.iter().find(|token| token.span.start >= end).is_some_and(|token| token.kind == kind)
}

/// Returns whether a symbol fits where an operand of a kind is expected.
pub(super) fn fits(snapshot: &Snapshot, symbol: &Symbol, kind: Kind) -> bool {
    let is_value = match symbol {
        Symbol::Definition(item) => item.key.kind == Keyword::Type,
        Symbol::Foreign { file, .. } => snapshot.language(*file) == Language::JsonSchema,
        Symbol::File(_) => true,
        _ => return false,
    };
    match kind {
        Kind::Value => is_value,
        Kind::Text | Kind::Either => true,
        Kind::Number | Kind::Bool | Kind::Tools | Kind::CallStyle | Kind::Literal => false,
    }
}

/// Returns the kind of item for a symbol, and its key.
pub(super) fn kind_and_key(snapshot: &Snapshot, symbol: &Symbol) -> (CompletionKind, Option<CompletionKey>) {
    match symbol {
        Symbol::Definition(item) => (of_keyword(item), Some(key_of(snapshot, item))),
        Symbol::Foreign { file, name } => {
            let is_schema = snapshot.language(*file) == Language::JsonSchema;
            let kind = if is_schema { CompletionKind::Type } else { CompletionKind::Rule };
            (kind, Some(CompletionKey::Definition(snapshot.name(*file).to_owned(), name.clone())))
        }
        Symbol::File(file) => (CompletionKind::Module, Some(CompletionKey::File(snapshot.name(*file).to_owned()))),
        _ => (CompletionKind::Value, None),
    }
}

fn of_keyword(item: &ItemId) -> CompletionKind {
    match item.key.kind {
        Keyword::Type => CompletionKind::Type,
        Keyword::Rule => CompletionKind::Rule,
        Keyword::Output => CompletionKind::Output,
        Keyword::Test | Keyword::Import | Keyword::Policy | Keyword::Unknown => CompletionKind::Value,
    }
}

fn key_of(snapshot: &Snapshot, item: &ItemId) -> CompletionKey {
    CompletionKey::Definition(snapshot.name(item.file).to_owned(), item.key.name.clone())
}

/// Returns a few words about the meaning of a symbol.
pub(super) fn detail(snapshot: &Snapshot, symbol: &Symbol) -> String {
    match symbol {
        Symbol::Definition(item) => match item_tree(&snapshot.db, item).item.definition() {
            Some(definition) => shortened(&print_expr(&definition.body)),
            None => String::new(),
        },
        Symbol::Foreign { file, .. } | Symbol::File(file) => {
            let name = snapshot.name(*file);
            name.rsplit_once('/').map_or(name, |(_, file)| file).to_owned()
        }
        _ => String::new(),
    }
}
