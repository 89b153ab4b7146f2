//! Completes members of records: the fields of types that the record is joined to or spreads, and the records that it
//! can spread.

use std::collections::BTreeSet;

use always_assert::never;
use ogc_compiler::hir::names::Symbol;
use ogc_grammar::ogc::token::TokenKind;

use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use super::modules::key_text;
use super::{names, other_files};
use crate::lookup;
use crate::shape::{Field, Shape, Shapes};
use crate::snapshot::Snapshot;
use crate::walk::{Frame, Open, Walk};

/// Adds the fields that the record at the cursor may repeat: those of the types that it is joined to by `&`, and of the
/// records that it spreads.
pub(super) fn members(walk: &Walk<'_>, items: &mut Items) {
    let Some(frame) = walk.frames.last() else {
        never!("a member stands in no brackets");
        return;
    };
    let mut shapes = Shapes::new(walk.snapshot);
    let mut found: Vec<Field<'_>> = Vec::new();
    for shape in partners(walk, &mut shapes, walk.frames.len()) {
        found.extend(shapes.fields(&shape));
    }
    for path in walk.spreads_in(frame) {
        let spread = lookup::path(walk.snapshot, walk.position.file, &path).and_then(|symbol| shapes.of(&symbol));
        found.extend(spread.map(|shape| shapes.fields(&shape)).unwrap_or_default());
    }
    let written: BTreeSet<&str> = walk.keys_in(frame).into_iter().collect();
    let named = [TokenKind::Colon, TokenKind::Question].into_iter().any(|kind| names::next_is(walk, kind));
    for (at, field) in found.iter().enumerate().filter(|(_, field)| !written.contains(field.name.as_str())) {
        if items.has(&field.name) {
            continue;
        }
        let key = key_of(walk.snapshot, field);
        let item = items.add(CompletionKind::Field, Rank::First, &field.name, key);
        item.at(at).says(shapes.shown(&field.value));
        let (name, sign) = (key_text(&field.name), if field.optional { "?" } else { "" });
        item.writes(if named { name } else { format!("{name}{sign}: ") });
    }
    items.add(CompletionKind::Keyword, Rank::Rare, "...", None).says("any other key, or the members of another record");
}

/// Adds a record with placeholders for all required fields of the types that `&` joins it to.
pub(super) fn narrowed(walk: &Walk<'_>, joined: &[Vec<String>], items: &mut Items) {
    let mut shapes = Shapes::new(walk.snapshot);
    for path in joined {
        let symbol = lookup::path(walk.snapshot, walk.position.file, path);
        let Some(shape) = symbol.and_then(|symbol| shapes.of(&symbol)) else { continue };
        let (object, _) = shapes.brackets(&shape);
        if object {
            let item = items.add(CompletionKind::Snippet, Rank::First, "{ …, ... }", None);
            item.filter = Some("{".to_owned());
            item.writes_snippet("{ $1, ... }").says(format!("some fields of {} narrowed", path.join(".")));
        }
        for (at, field) in shapes.fields(&shape).iter().enumerate() {
            let name = key_text(&field.name);
            let label = format!("{{ {name}: …, ... }}");
            let sign = if field.optional { "?" } else { "" };
            let item = items.add(CompletionKind::Field, Rank::First, label, key_of(walk.snapshot, field));
            item.filter = Some(field.name.clone());
            item.at(at).says(shapes.shown(&field.value));
            item.writes_snippet(format!("{{ {}{sign}: $1, ... }}", escaped(&name)));
        }
    }
}

/// Adds the records that can be spread.
pub(super) fn spreads(walk: &Walk<'_>, items: &mut Items) {
    let snapshot = walk.snapshot;
    let own = walk.item;
    let is_record = |symbol: &Symbol| match symbol {
        Symbol::File(_) => true,
        Symbol::Definition(item) if Some(item) == own => false,
        symbol => {
            let mut shapes = Shapes::new(snapshot);
            shapes.of(symbol).is_some_and(|shape| shapes.brackets(&shape).0)
        }
    };
    for parameter in walk.parameters() {
        items.add(CompletionKind::Parameter, Rank::First, parameter, None).says("parameter");
    }
    names::known(walk, items, is_record);
    other_files::listed(walk, items, |symbol| !matches!(symbol, Symbol::File(_)) && is_record(symbol));
}

/// Returns the types with which a record must agree; the record's frame is the last of `depth` frames.
fn partners<'s>(walk: &Walk<'s>, shapes: &mut Shapes<'s>, depth: usize) -> Vec<Shape<'s>> {
    let Some(frame) = depth.checked_sub(1).and_then(|at| walk.frames.get(at)) else { return Vec::new() };
    if frame.open != Open::Record {
        return Vec::new();
    }
    let joined = walk.joined_before(frame.start).into_iter();
    let symbols = joined.filter_map(|path| lookup::path(walk.snapshot, walk.position.file, &path));
    let mut found: Vec<Shape<'s>> = symbols.filter_map(|symbol| shapes.of(&symbol)).collect();
    // `Order & { customer: { | } }`: the type of `customer` in `Order`.
    let outer = depth.checked_sub(2).and_then(|at| walk.frames.get(at));
    if let Some(key) = outer.and_then(|outer| key_before(walk, outer, frame.start)) {
        for shape in partners(walk, shapes, depth - 1) {
            found.extend(shapes.values_of(&shape, key));
        }
    }
    found
}

/// Returns the key whose value starts at `start`, directly after the key's colon.
fn key_before<'w>(walk: &'w Walk<'_>, outer: &Frame, start: usize) -> Option<&'w str> {
    let colon = start.checked_sub(1).filter(|at| walk.is(*at, TokenKind::Colon))?;
    let before = colon.checked_sub(1)?;
    let key = if walk.is(before, TokenKind::Question) { before.checked_sub(1)? } else { before };
    (outer.open == Open::Record).then(|| walk.written(key).trim_matches(['"', '\'']))
}

/// Returns the completion key of a field's documentation.
pub(super) fn key_of(snapshot: &Snapshot, field: &Field<'_>) -> Option<CompletionKey> {
    let (item, place) = field.written?;
    Some(CompletionKey::Field(snapshot.name(item.file).to_owned(), item.key.name.clone(), place.start))
}
