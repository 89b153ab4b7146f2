//! Finds the keys in test cases that can only mean renamed fields.
//!
//! A value is matched with the type of the test's target: members with fields, items with arrays. If a union has
//! several fields with that name and only some are renamed, the key is ambiguous and stays as it is.

use ogc_compiler::hir::items::ItemId;
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind, Json, JsonKind, Reference, Subject};
use rustc_hash::FxHashSet;

use super::{FieldPlace, at, fields_of};
use crate::items::{PlacedItem, items, placed};
use crate::rename::place::NamedPlace;
use crate::snapshot::Snapshot;

/// Maximum length of a chain of definitions without a key or an item between.
const DEPTH: usize = 16;

/// Returns the keys in test cases that mean one of the fields.
pub(super) fn keys(snapshot: &Snapshot, fields: &FxHashSet<FieldPlace>, name: &str) -> Vec<NamedPlace> {
    let mut found = Vec::new();
    for item in snapshot.files().into_iter().flat_map(|file| items(snapshot, file)) {
        let ItemKind::Test(test) = &item.tree.kind else { continue };
        let Some(target) = target(snapshot, &item) else { continue };
        let Some(definition) = placed(snapshot, &target).definition() else { continue };
        let mut follower = Follower { snapshot, fields, name, test: item.id, found: Vec::new() };
        for case in &test.cases {
            if let Subject::Json(value) = &case.subject {
                follower.value(value, &[(target.clone(), &definition.body)]);
            }
        }
        found.extend(follower.found);
    }
    found
}

/// Returns the definition that a test is about.
fn target(snapshot: &Snapshot, item: &PlacedItem<'_>) -> Option<ItemId> {
    let ItemKind::Test(test) = &item.tree.kind else { return None };
    match &resolution(&snapshot.db, item.id).get(&test.reference()?.path)?.target {
        Target::Item(target) => Some(target.clone()),
        _ => None,
    }
}

/// A possible type of a value: an expression, and the item that contains it.
type Typed<'s> = (ItemId, &'s Expr);

struct Follower<'s> {
    snapshot: &'s Snapshot,
    fields: &'s FxHashSet<FieldPlace>,
    name: &'s str,
    test: &'s ItemId,
    found: Vec<NamedPlace>,
}

impl<'s> Follower<'s> {
    /// Matches a value with one of several types. The parser's nesting limit bounds the recursion.
    fn value(&mut self, value: &Json, types: &[Typed<'s>]) {
        let mut plain = Vec::new();
        for (item, expr) in types {
            if !self.flattened(item, expr, DEPTH, &mut plain) {
                return;
            }
        }
        match &value.kind {
            JsonKind::Object(members) => {
                for member in members {
                    let (renamed, inner) = self.declared(&plain, &member.name.text);
                    if renamed && member.name.text == self.name {
                        self.found.push(at(self.snapshot, self.test, member.name.span));
                    }
                    self.value(&member.value, &inner);
                }
            }
            JsonKind::Array(values) => {
                let inner: Vec<Typed<'s>> =
                    plain.iter().filter_map(|(item, expr)| Some((item.clone(), item_of(expr)?))).collect();
                values.iter().for_each(|value| self.value(value, &inner));
            }
            _ => {}
        }
    }

    /// Returns whether all fields for a key among the types are renamed, and the types of their values.
    fn declared(&self, types: &[Typed<'s>], key: &str) -> (bool, Vec<Typed<'s>>) {
        let (mut all, mut inner) = (true, Vec::new());
        for (item, expr) in types {
            let ExprKind::Record(record) = &expr.kind else { continue };
            for field in fields_of(record).filter(|field| field.name.text == key) {
                all &= self.fields.contains(&(item.clone(), field.name.span));
                inner.push((item.clone(), &field.value));
            }
        }
        (all && !inner.is_empty(), inner)
    }

    /// Splits unions, names and attributes into their parts; `false` if an expression is of an unsupported kind.
    fn flattened(&self, item: &ItemId, expr: &'s Expr, depth: usize, out: &mut Vec<Typed<'s>>) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match &expr.kind {
            ExprKind::Group(inner) | ExprKind::Attributed { item: inner, .. } => {
                self.flattened(item, inner, depth, out)
            }
            ExprKind::Union(arms) => arms.iter().all(|arm| self.flattened(item, &arm.expr, depth, out)),
            ExprKind::Reference(reference) => self.reference(item, reference, depth, out),
            ExprKind::Intersection(_) | ExprKind::Difference { .. } | ExprKind::Error => false,
            _ => {
                out.push((item.clone(), expr));
                true
            }
        }
    }

    fn reference(&self, item: &ItemId, reference: &'s Reference, depth: usize, out: &mut Vec<Typed<'s>>) -> bool {
        let snapshot = self.snapshot;
        let Some(resolved) = resolution(&snapshot.db, item).get(&reference.path) else { return false };
        match &resolved.target {
            Target::Item(target) | Target::Imported { item: target, .. } if reference.arguments.is_empty() => {
                let body = placed_body(snapshot, target);
                body.is_some_and(|body| self.flattened(target, body, depth, out))
            }
            // `json<T>` is a value of `T`; other built-in names have no fields.
            Target::Builtin(builtin) if builtin.name == "json" => {
                let first = reference.arguments.first();
                first.is_some_and(|first| self.flattened(item, &first.value, depth, out))
            }
            Target::Builtin(_) => true,
            _ => false,
        }
    }
}

fn placed_body<'s>(snapshot: &'s Snapshot, item: &ItemId) -> Option<&'s Expr> {
    let tree = &ogc_compiler::hir::items::item_tree(&snapshot.db, item).item;
    tree.definition().map(|definition| &definition.body)
}

/// Returns the type of an array's items.
fn item_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Repeat { item, .. } => Some(item),
        _ => None,
    }
}
