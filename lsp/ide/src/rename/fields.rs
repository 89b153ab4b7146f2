//! The places of a field's name: its declaration, `@discriminator`s that name it, the fields with that name in the
//! other branches of such a union, and keys in test cases that can only mean one of these fields.

mod cases;

use ogc_compiler::hir::items::ItemId;
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Field, Member, MemberKind, Record};
use rustc_hash::FxHashSet;

use super::place::{Form, NamedPlace};
use super::{Line, RenameError};
use crate::items::{PlacedItem, items, placed};
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// A field: its item, and the place of its name in the item.
type FieldPlace = (ItemId, Span);

/// A union whose branches a key tells apart.
struct Discriminated {
    item: ItemId,
    /// The key in the attribute.
    key: Span,
    name: String,
    /// The fields of that name in its branches.
    fields: Vec<FieldPlace>,
}

/// Returns all places that must change with a field.
pub(super) fn places(snapshot: &Snapshot, item: &ItemId, place: Span) -> Vec<NamedPlace> {
    let Some(name) = name_of(snapshot, item, place) else { return Vec::new() };
    let all = discriminated(snapshot, &name);
    let mut fields: FxHashSet<FieldPlace> = FxHashSet::default();
    fields.insert((item.clone(), place));
    loop {
        let joined = all.iter().filter(|union| union.fields.iter().any(|field| fields.contains(field)));
        let more: Vec<FieldPlace> = joined.flat_map(|union| union.fields.iter().cloned()).collect();
        let before = fields.len();
        fields.extend(more);
        if fields.len() == before {
            break;
        }
    }
    let named = |(item, span): &FieldPlace| at(snapshot, item, *span);
    let unions = all.iter().filter(|union| union.name == name && union.fields.iter().any(|one| fields.contains(one)));
    let keys = unions.map(|union| at(snapshot, &union.item, union.key));
    let mut places: Vec<NamedPlace> = fields.iter().map(named).chain(keys).collect();
    places.extend(cases::keys(snapshot, &fields, &name));
    places
}

/// Makes the place of a key in an item.
fn at(snapshot: &Snapshot, item: &ItemId, span: Span) -> NamedPlace {
    let at = FileSpan::new(item.file, placed(snapshot, item).in_file(span));
    NamedPlace { at, form: Form::Key, item: Some(item.clone()) }
}

/// Returns the name of the field at a place.
fn name_of(snapshot: &Snapshot, item: &ItemId, place: Span) -> Option<String> {
    let mut found = None;
    each_record(&placed(snapshot, item), &mut |record| {
        let field = fields_of(record).find(|field| field.name.span == place);
        found = found.take().or(field.map(|field| field.name.text.clone()));
    });
    found
}

/// Returns the fields that a record declares itself.
fn fields_of(record: &Record) -> impl Iterator<Item = &Field> {
    record.members.iter().filter_map(|member: &Member| match &member.kind {
        MemberKind::Field(field) => Some(field),
        _ => None,
    })
}

/// Calls `visit` on every record of an item.
fn each_record<'s>(item: &PlacedItem<'s>, visit: &mut dyn FnMut(&'s Record)) {
    for root in item.tree.expressions() {
        root.walk(&mut |expr| {
            if let ExprKind::Record(record) = &expr.kind {
                visit(record);
            }
        });
    }
}

/// Returns the unions of all files whose discriminator is this key.
fn discriminated(snapshot: &Snapshot, name: &str) -> Vec<Discriminated> {
    let all = snapshot.files().into_iter().flat_map(|file| items(snapshot, file));
    all.filter_map(|item| {
        let (key, span) = item.tree.attributes.iter().find_map(key_of)?;
        let body = &item.definition()?.body;
        let ExprKind::Union(arms) = &body.ungrouped().kind else { return None };
        let fields = arms.iter().filter_map(|arm| {
            let (owner, record) = record_of(snapshot, item.id, &arm.expr)?;
            let field = fields_of(record).find(|field| field.name.text == key)?;
            Some((owner, field.name.span))
        });
        (key == name).then(|| Discriminated {
            item: item.id.clone(),
            key: span,
            name: key.to_owned(),
            fields: fields.collect(),
        })
    })
    .collect()
}

/// Returns the key of `@discriminator("key")`, and its place.
fn key_of(attribute: &Attribute) -> Option<(&str, Span)> {
    match attribute.arguments.as_slice() {
        [Argument { value: Expr { kind: ExprKind::String(key), span }, .. }]
            if attribute.name.text == "discriminator" =>
        {
            Some((key, *span))
        }
        _ => None,
    }
}

/// Returns the record that an expression is or refers to, with the item that contains it.
pub(crate) fn record_of<'s>(snapshot: &'s Snapshot, item: &'s ItemId, expr: &'s Expr) -> Option<(ItemId, &'s Record)> {
    match &expr.ungrouped().kind {
        ExprKind::Record(record) => Some((item.clone(), record)),
        ExprKind::Attributed { item: inner, .. } => record_of(snapshot, item, inner),
        ExprKind::Reference(reference) => match &resolution(&snapshot.db, item).get(&reference.path)?.target {
            Target::Item(target) | Target::Imported { item: target, .. } => {
                match &placed(snapshot, target).definition()?.body.ungrouped().kind {
                    ExprKind::Record(record) => Some((target.clone(), record)),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// Checks that no record with a renamed field already has the new name.
pub(super) fn check(snapshot: &Snapshot, places: &[NamedPlace], new: &str) -> Result<(), RenameError> {
    for item in places.iter().filter_map(|place| place.item.as_ref()) {
        let item = placed(snapshot, item);
        let changes = |field: &Field| {
            let span = item.in_file(field.name.span);
            places.iter().any(|place| place.at == FileSpan::new(item.id.file, span))
        };
        let mut taken = None;
        each_record(&item, &mut |record| {
            if fields_of(record).any(changes) {
                taken =
                    taken.or_else(|| fields_of(record).find(|field| field.name.text == new).map(|one| one.name.span));
            }
        });
        if let Some(span) = taken {
            let line = Line::of(snapshot, (item.id.file, item.in_file(span)).into());
            return Err(RenameError::Taken(new.to_owned(), line));
        }
    }
    Ok(())
}
