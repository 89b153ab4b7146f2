//! Which names each item uses, and what is reached through them.

use std::collections::BTreeSet;
use std::sync::Arc;

use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, Item, ItemKind};

use super::items::{ItemId, ItemKey, item_tree};
use super::scope::{Binding, scope};
use crate::db::{Db, SourceFile};

/// The name before a dot, or the only one, and the one behind it.
pub(crate) type Used = (String, Option<String>);

/// The names that an item uses; its own parameters are none.
pub(crate) fn uses<'db>(db: &'db dyn Db, item: &ItemId) -> &'db [Used] {
    uses_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn uses_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Vec<Used> {
    of_tree(&item_tree(db, &ItemId { file, key }).item)
}

/// The names that an item uses, as they stand in it.
pub(crate) fn used_names<'db>(db: &'db dyn Db, item: &ItemId) -> impl Iterator<Item = &'db str> + use<'db> {
    uses(db, item).iter().map(|(name, _)| name.as_str())
}

/// The names of a file that some of its names reach, themselves among them.
pub(crate) fn reach<'db>(db: &'db dyn Db, file: SourceFile, from: Vec<&'db str>) -> BTreeSet<&'db str> {
    let (scope, mut open) = (scope(db, file), from);
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some((name, binding)) = scope.names.get_key_value(name) else { continue };
        if reached.insert(name.as_str()) {
            let (Binding::Item(item) | Binding::Imported(item, _) | Binding::Module(item)) = binding;
            open.extend(used_names(db, item));
        }
    }
    reached
}

fn of_tree(item: &Item) -> Vec<Used> {
    let mut used = Vec::new();
    for attribute in &item.attributes {
        attribute.arguments.iter().for_each(|argument| collect(&argument.value, &mut used));
    }
    match &item.kind {
        ItemKind::Type(one) | ItemKind::Rule(one) | ItemKind::Output(one) => {
            collect(&one.body, &mut used);
            one.parameters.iter().filter_map(|one| one.default.as_ref()).for_each(|value| collect(value, &mut used));
            used.retain(|(name, _)| !is_parameter(one, name));
        }
        ItemKind::Test(test) => used.extend(test.target.segments.first().map(|name| (name.text.clone(), None))),
        ItemKind::Import(import) => import.overrides.iter().for_each(|one| collect(&one.value, &mut used)),
        ItemKind::Policy(policy) => policy.settings.iter().for_each(|one| collect(&one.value, &mut used)),
        ItemKind::Error(_) => {}
    }
    used
}

fn is_parameter(definition: &Definition, name: &str) -> bool {
    definition.parameters.iter().any(|parameter| parameter.name.text == name)
}

fn collect(expr: &Expr, used: &mut Vec<Used>) {
    expr.walk(&mut |inner| {
        if let ExprKind::Reference(reference) = &inner.kind
            && let Some((first, rest)) = reference.path.segments.split_first()
        {
            used.push((first.text.clone(), rest.first().map(|name| name.text.clone())));
        }
    });
}
