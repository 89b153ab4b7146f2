//! `idle-operation` of types: a difference that takes nothing away, because no value is on both sides of `-`.
//!
//! The compiler finds the same in text. Where types meet, what they have in common is computed: `User - "password"` takes a text
//! from records. A definition with parameters is passed over: with other arguments it may take something away.

use std::collections::BTreeMap;

use ogc_compiler::hir::Module;
use ogc_compiler::hir::items::item_tree;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin, Schemas};
use ogc_schema::{Algebra, Table};

use super::compiled::Compiled;
use super::one_of::{add, all};

/// The most differences of a format that are looked at.
const DIFFERENCES: usize = 64;

/// A type that is taken away from another.
struct Difference {
    /// The place of the whole.
    origin: Origin,
    kept: Vec<NodeId>,
    taken: NodeId,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(module) = compiled.module().filter(|_| compiled.is_cheap()) else {
        return Vec::new();
    };
    let mut differences = differences(&module.schemas);
    differences.retain(|one| is_written_here(compiled, module, one.origin));
    differences.truncate(DIFFERENCES);
    idle(compiled, &module.schemas, &differences).into_iter().map(found).collect()
}

/// Returns the differences of a graph: `all_of` with schemas that are only a `not`.
fn differences(schemas: &Schemas) -> Vec<Difference> {
    let mut found = Vec::new();
    for node in &schemas.nodes {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        let removed = |part: &NodeId| removed(schemas, *part);
        let kept: Vec<NodeId> = keywords.all_of.iter().copied().filter(|part| removed(part).is_none()).collect();
        // The place of the `not` is that of the difference; a definition repeats the schema at its name.
        let one = |taken: At<NodeId>| Difference { origin: taken.origin, kept: kept.clone(), taken: taken.value };
        found.extend(keywords.all_of.iter().filter_map(removed).map(one));
    }
    found
}

/// Returns what a schema excludes, if it is a `not` and nothing else.
fn removed(schemas: &Schemas, node: NodeId) -> Option<At<NodeId>> {
    let NodeKind::Keywords(keywords) = &schemas.nodes.get(node.0 as usize)?.kind else { return None };
    let not = keywords.not.clone()?;
    let alone = Keywords { not: Some(not.clone()), ..Keywords::default() };
    (**keywords == alone).then_some(not)
}

/// Returns whether a place is in a definition of the format's own file that has no parameters.
fn is_written_here(compiled: &Compiled<'_>, module: &Module, origin: Origin) -> bool {
    let place = module.place(origin).filter(|place| place.file == compiled.file);
    let Some(item) = place.and_then(|place| place.item.as_ref()) else { return false };
    let definition = item_tree(compiled.db, item).item.definition();
    definition.is_some_and(|definition| definition.parameters.is_empty())
}

/// Returns the places of the differences that take nothing away, wherever they stand. What cannot be computed says nothing.
fn idle(compiled: &Compiled<'_>, schemas: &Schemas, differences: &[Difference]) -> Vec<Origin> {
    if differences.is_empty() {
        return Vec::new();
    }
    let mut with_common = schemas.clone();
    let common: Vec<NodeId> = differences
        .iter()
        .map(|one| {
            let kept = add(&mut with_common, one.origin, Keywords { all_of: one.kept.clone(), ..Keywords::default() });
            all(&mut with_common, vec![kept, one.taken])
        })
        .collect();
    let table = Table::new(&with_common);
    let mut algebra = Algebra::new(&table, compiled.file.options(compiled.db).limits(compiled.db).schema);
    let mut takes: BTreeMap<Origin, bool> = BTreeMap::new();
    for (one, common) in differences.iter().zip(common) {
        let value = algebra.value_of(common);
        let takes_something = algebra.solve(value).is_err() || algebra.holds_something(value);
        *takes.entry(one.origin).or_default() |= takes_something;
    }
    takes.into_iter().filter(|(_, takes)| !takes).map(|(origin, _)| origin).collect()
}

fn found(origin: Origin) -> Diagnostic<Origin> {
    let message = "nothing is taken away: no value is on both sides of `-`";
    let help = "`-` takes away values; a record without a field is `omit<T, \"field\">`";
    Diagnostic::warning(Code::IdleOperation, origin, message).help(help)
}
