//! Tests: their targets, and keys and values of the JSON in their cases.

use std::collections::BTreeSet;

use always_assert::never;
use ogc_compiler::hir::items::signature;
use ogc_compiler::hir::names::Symbol;
use ogc_compiler::hir::scope::Binding;
use ogc_grammar::ogc::token::TokenKind;

use super::item::{CompletionKind, Items, Rank};
use super::modules::key_text;
use super::{names, records};
use crate::lookup;
use crate::shape::{Shape, Shapes};
use crate::walk::{At, Open, Walk};

/// Adds the definitions that can be tested: those of the file without parameters.
pub(super) fn targets(walk: &Walk<'_>, items: &mut Items) {
    let db = &walk.snapshot.db;
    let opened = names::next_is(walk, TokenKind::LeftBrace);
    for (name, binding) in &ogc_compiler::hir::scope::scope(db, walk.position.file).names {
        let Binding::Item(id) = binding else { continue };
        if !signature(db, id).parameters.is_empty() {
            continue;
        }
        let (kind, key) = names::kind_and_key(walk.snapshot, &Symbol::Definition(id.clone()));
        let item = items.add(kind, Rank::First, name, key);
        item.says(names::detail(walk.snapshot, &Symbol::Definition(id.clone())));
        if !opened {
            item.writes_snippet(format!("{name} {{\n  accept $0\n\\}}"));
        }
    }
}

/// Adds the starts of a subject: a text, and an object or array if the target has any.
pub(super) fn subjects(walk: &Walk<'_>, items: &mut Items) {
    let mut shapes = Shapes::new(walk.snapshot);
    items.add(CompletionKind::Snippet, Rank::Own, "'…'", None).writes_snippet("'$1'").says("a text");
    let (object, array) = target(walk, &shapes).map(|shape| shapes.brackets(&shape)).unwrap_or_default();
    brackets(object, array, items);
}

fn brackets(object: bool, array: bool, items: &mut Items) {
    if object {
        items.add(CompletionKind::Snippet, Rank::First, "{ … }", None).writes_snippet("{ $1 }").says("an object");
    }
    if array {
        items.add(CompletionKind::Snippet, Rank::First, "[…]", None).writes_snippet("[$1]").says("an array");
    }
}

/// Adds the keys that the object at the cursor may have.
pub(super) fn keys(walk: &Walk<'_>, items: &mut Items) {
    let Some(frame) = walk.frames.last() else {
        never!("a key stands in no brackets");
        return;
    };
    let mut shapes = Shapes::new(walk.snapshot);
    let written: BTreeSet<&str> = walk.keys_in(frame).into_iter().collect();
    let in_string = matches!(walk.at, At::String(..));
    let named = names::next_is(walk, TokenKind::Colon);
    for shape in expected(walk, &mut shapes) {
        for (at, field) in shapes.fields(&shape).iter().enumerate() {
            if written.contains(field.name.as_str()) || items.has(&field.name) {
                continue;
            }
            let key = records::key_of(walk.snapshot, field);
            let item = items.add(CompletionKind::Field, Rank::First, &field.name, key);
            item.at(at).says(shapes.shown(&field.value));
            if !in_string {
                let name = key_text(&field.name);
                item.writes(if named { name } else { format!("{name}: ") });
            }
        }
    }
}

/// Adds the literals that the value at the cursor may be, and opening brackets.
pub(super) fn values(walk: &Walk<'_>, items: &mut Items) {
    let mut shapes = Shapes::new(walk.snapshot);
    let in_string = matches!(walk.at, At::String(..));
    for shape in expected(walk, &mut shapes) {
        for (at, literal) in shapes.literals(&shape).into_iter().enumerate() {
            let content = literal.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let label = match (in_string, content) {
                (true, Some(content)) => content.to_owned(),
                (true, None) => continue,
                (false, _) => literal,
            };
            if !items.has(&label) {
                items.add(CompletionKind::Value, Rank::First, label, None).at(at);
            }
        }
        if !in_string {
            let (object, array) = shapes.brackets(&shape);
            brackets(object && !items.has("{ … }"), array && !items.has("[…]"), items);
        }
    }
}

/// Returns the type that the test is about.
fn target<'s>(walk: &Walk<'s>, shapes: &Shapes<'s>) -> Option<Shape<'s>> {
    let name = walk.written(walk.keyword? + 1);
    shapes.of(&lookup::named(walk.snapshot, walk.position.file, name)?)
}

/// Returns the possible types of the value at the cursor, found by following keys and arrays from the target.
fn expected<'s>(walk: &Walk<'s>, shapes: &mut Shapes<'s>) -> Vec<Shape<'s>> {
    let mut found: Vec<Shape<'s>> = target(walk, shapes).into_iter().collect();
    let json = walk.frames.iter().filter(|frame| matches!(frame.open, Open::JsonObject | Open::JsonArray));
    let frames: Vec<_> = json.collect();
    let in_key = frames.last().is_some_and(|frame| frame.open == Open::JsonObject && frame.segment == walk.before);
    let steps = frames.len() - usize::from(in_key);
    for frame in frames.into_iter().take(steps) {
        found = match frame.open {
            Open::JsonObject => {
                let key = walk.written(frame.segment).trim_matches(['"', '\'']);
                found.iter().flat_map(|shape| shapes.values_of(shape, key)).collect()
            }
            _ => found.iter().flat_map(|shape| shapes.items(shape)).collect(),
        };
    }
    found
}
