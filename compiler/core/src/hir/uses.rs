//! Lists the names that an item uses, and the names of a file that others reach through uses.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::items::{ItemId, ItemKey};
use super::resolve::{Target, resolution};
use super::scope::{Binding, scope};
use crate::db::{Db, SourceFile};

/// A name of a file, and for `parts.Link` the name after the dot.
pub type Used = (String, Option<String>);

/// Returns the names of its file that an item uses, each with the name after its dot.
pub fn uses<'db>(db: &'db dyn Db, item: &ItemId) -> &'db BTreeSet<Used> {
    uses_of(db, item.file, Arc::clone(&item.key))
}

/// Returns the result of [`uses`]. Equal after edits of the item that add and remove no name.
#[salsa::tracked]
fn uses_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> BTreeSet<Used> {
    let item = ItemId { file, key };
    let names = resolution(db, &item).names();
    let own = names.filter(|(_, resolved)| !matches!(resolved.target, Target::Parameter(_) | Target::Builtin(_)));
    own.filter_map(|(path, _)| {
        let (first, rest) = path.segments.split_first()?;
        Some((first.text.clone(), rest.first().map(|name| name.text.clone())))
    })
    .collect()
}

/// Returns the names of its file that an item uses, without the names after dots.
pub fn used_names<'db>(db: &'db dyn Db, item: &ItemId) -> impl Iterator<Item = &'db str> + use<'db> {
    uses(db, item).iter().map(|(name, _)| name.as_str())
}

/// Returns whether an item uses at most `most` items, directly or through others, including items of imported files.
pub fn uses_at_most(db: &dyn Db, item: &ItemId, most: usize) -> bool {
    let mut seen: FxHashSet<ItemId> = FxHashSet::default();
    let mut open = vec![item.clone()];
    while let Some(item) = open.pop() {
        for (_, resolved) in resolution(db, &item).names() {
            let (Target::Item(used) | Target::Imported { item: used, .. }) = &resolved.target else { continue };
            if seen.insert(used.clone()) {
                open.push(used.clone());
            }
            if seen.len() > most {
                return false;
            }
        }
    }
    true
}

/// Returns all names of a file that the names in `from` reach through uses, these names included.
pub fn reach<'db>(db: &'db dyn Db, file: SourceFile, from: Vec<&'db str>) -> BTreeSet<&'db str> {
    let (scope, mut open) = (scope(db, file), from);
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some((name, binding)) = scope.names.get_key_value(name) else { continue };
        if reached.insert(name.as_str()) {
            let (Binding::Item(item) | Binding::Imported(item, _) | Binding::WholeFile(item)) = binding;
            open.extend(used_names(db, item));
        }
    }
    reached
}
