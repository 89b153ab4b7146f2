//! `idle-operation` of types: a difference that takes nothing away, because no value is on both sides of `-`.
//!
//! The compiler itself reports the same for operations on text. Here the intersection of both types is computed:
//! `User - "password"` subtracts a text from records. Definitions with parameters are skipped, as with other arguments
//! they may subtract something.

use std::collections::BTreeMap;

use ogc_compiler::hir::Module;
use ogc_compiler::hir::items::item_tree;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin, Schemas};
use ogc_schema::{Algebra, Table};

use super::compiled::Compiled;
use super::one_of::{add, all};

/// Cap on the differences of a format that are examined.
const DIFFERENCES: usize = 64;

/// A difference of two types.
struct Difference {
    /// The place of the whole expression.
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

/// Returns the differences of a graph: an `all_of` in which some schemas consist of a `not`.
fn differences(schemas: &Schemas) -> Vec<Difference> {
    let mut found = Vec::new();
    for node in &schemas.nodes {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        let removed = |part: &NodeId| removed(schemas, *part);
        let kept: Vec<NodeId> = keywords.all_of.iter().copied().filter(|part| removed(part).is_none()).collect();
        // The `not` has the place of the difference; a definition has the schema once more at its name.
        let one = |taken: At<NodeId>| Difference { origin: taken.origin, kept: kept.clone(), taken: taken.value };
        found.extend(keywords.all_of.iter().filter_map(removed).map(one));
    }
    found
}

/// Returns the negated schema, if a schema consists of a `not` alone.
fn removed(schemas: &Schemas, node: NodeId) -> Option<At<NodeId>> {
    let NodeKind::Keywords(keywords) = &schemas.nodes.get(node.0 as usize)?.kind else { return None };
    let not = keywords.not.clone()?;
    let alone = Keywords { not: Some(not.clone()), ..Keywords::default() };
    (**keywords == alone).then_some(not)
}

/// Returns whether a place is in a definition of the format's own file, and that definition has no parameters.
fn is_written_here(compiled: &Compiled<'_>, module: &Module, origin: Origin) -> bool {
    let place = module.place(origin).filter(|place| place.file == compiled.file);
    let Some(item) = place.and_then(|place| place.item.as_ref()) else { return false };
    let definition = item_tree(compiled.db, item).item.definition();
    definition.is_some_and(|definition| definition.parameters.is_empty())
}

/// Returns the places of the differences that subtract nothing at any of their uses. Differences that cannot be
/// computed are left out.
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
