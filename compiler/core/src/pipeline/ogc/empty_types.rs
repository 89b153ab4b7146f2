//! Finds empty types among those that no output reaches. Only the algebra is asked; nothing is lowered.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::budget::{Usage, spend};
use ogc_schema::source::{NodeId, Origin};

use super::roots;
use crate::SchemaFault;
use crate::budget::exceeded;
use crate::db::{Db, SourceFile};
use crate::hir::elaborate::fresh_module;
use crate::hir::items::{ItemId, Keyword, file_items, item_tree, signature};
use crate::hir::scope::{item_named, scope};
use crate::hir::uses::{reach, used_names};
use crate::hir::{Module, Root};
use crate::lower::json::unsatisfiable;
use crate::pass::scc::components;

/// Returns the types that no root of the file reaches, in source order: nothing else would check them. Types with
/// parameters are left out.
#[salsa::tracked]
pub(super) fn types_beside(db: &dyn Db, file: SourceFile) -> IndexSet<Arc<str>> {
    let roots = roots(db, file);
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    let types = items.filter(|item| item.key.kind == Keyword::Type && item.key.nth == 0 && !item.key.name.is_empty());
    let meant = |item: &&ItemId| signature(db, item).parameters.is_empty() && !is_never(db, item);
    let mut types = types.filter(meant).peekable();
    if types.peek().is_none() {
        return IndexSet::new();
    }
    let names = scope(db, file).names.keys();
    let roots: BTreeSet<&str> = roots.iter().map(|root| &**root).collect();
    let from = names.map(String::as_str).filter(|name| roots.contains(name));
    let reached = reach(db, file, from.collect());
    types.filter(|item| !reached.contains(item.key.name.as_str())).map(|item| item.key.name.as_str().into()).collect()
}

/// Orders types so that each comes before the types that it uses, except in cycles: the answer for a type then covers
/// the types after it.
pub(super) fn users_first<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    types: &'db IndexSet<Arc<str>>,
) -> Vec<&'db Arc<str>> {
    let uses = |name: &Arc<str>| {
        let item = item_named(db, file, name);
        let names = item.iter().flat_map(|item| used_names(db, item)).filter_map(|name| types.get_index_of(name));
        names.map(|at| at as u32).collect::<Vec<u32>>()
    };
    let uses: Vec<Vec<u32>> = types.iter().map(uses).collect();
    // Edges lead to components with smaller numbers.
    let members = components(&uses).members;
    members.iter().rev().flatten().filter_map(|&at| types.get_index(at as usize)).collect()
}

/// Returns whether the type is written as empty: `any - any`.
fn is_never(db: &dyn Db, item: &ItemId) -> bool {
    let definition = item_tree(db, item).item.definition();
    definition.is_some_and(|definition| match &definition.body.ungrouped().kind {
        ExprKind::Difference { kept, removed } => {
            let is_any = |expr: &Expr| match &expr.ungrouped().kind {
                ExprKind::Reference(reference) => reference.path.segments.iter().all(|name| name.text == "any"),
                _ => false,
            };
            is_any(kept) && removed.iter().any(is_any)
        }
        _ => false,
    })
}

/// The result of checking whether a type, and the types that it uses, hold anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Emptiness {
    /// Findings about empty types.
    pub(super) found: Vec<Diagnostic<Origin>>,
    /// Names of the types that were decided.
    pub(super) decided: BTreeSet<String>,
    /// Usage of elaborating the type, and of asking the algebra.
    pub(super) usages: Vec<Usage>,
}

/// Checks whether a type, and the types of its file that it uses, hold anything. Only the algebra is asked; nothing is
/// lowered. The types are decided together, because otherwise each of thousands of types that refer to each other would
/// elaborate all of them.
#[salsa::tracked]
pub(super) fn emptiness(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Emptiness {
    // The module is not kept, because each of thousands of types would keep all that it uses.
    let Some(module) = fresh_module(db, file, &name) else { return Emptiness::default() };
    let elaborated = Usage { kept: 0, ..module.usage };
    let Root::Value(root) = module.root else {
        return Emptiness { usages: vec![elaborated], ..Emptiness::default() };
    };
    let limits = file.options(db).limits(db);
    let beside = types_beside(db, file);
    let others = plain_types(db, file, &module).filter(|(_, other)| *other != &*name && beside.contains(*other));
    let (nodes, mut decided): (Vec<NodeId>, BTreeSet<String>) =
        others.map(|(node, other)| (node, other.to_owned())).unzip();
    decided.insert(name.to_string());
    let ask = |nodes: &[NodeId]| spend(limits.budget, || unsatisfiable(&module.schemas, nodes, &limits.schema));
    let all: Vec<NodeId> = [root.node].into_iter().chain(nodes).collect();
    let (mut empty, mut usage) = ask(&all);
    if usage.exceeded.is_some() || empty.iter().any(|error| error.kind.code() != Code::EmptyFormat) {
        // All types together may exceed the budget, or one of the others may.
        decided = BTreeSet::from([name.to_string()]);
        (empty, usage) = ask(&[root.node]);
    }
    usage.kept = 0;
    let found = match usage.exceeded {
        Some((error, place)) => vec![exceeded(place, &error)],
        None => empty.iter().map(SchemaFault::in_ogc).collect(),
    };
    Emptiness { found, decided, usages: vec![elaborated, usage] }
}

/// Returns the parameterless types of a file that are nodes of a module, each with its name.
fn plain_types<'m>(db: &dyn Db, file: SourceFile, module: &'m Module) -> impl Iterator<Item = (NodeId, &'m str)> {
    let is_plain = move |(node, name): &(NodeId, &str)| {
        let origin = module.schemas.nodes.get(node.0 as usize).map(|node| node.origin);
        let item = origin.and_then(|origin| module.place(origin)).and_then(|place| place.item.as_ref());
        item.is_some_and(|item| {
            item.file == file
                && item.key.nth == 0
                && item.key.name == *name
                && signature(db, item).parameters.is_empty()
        })
    };
    module.names.iter().map(|(node, name)| (*node, name.as_str())).filter(is_plain)
}
