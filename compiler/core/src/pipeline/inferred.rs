//! Facts about free texts that the compiler infers: where the texts end, and which literals begin a region in them.

use std::sync::Arc;

use ogc_grammar::Span;
use ogc_runtime::vocabulary::shown;
use ogc_schema::source::Origin;

use super::ogc::externals;
use crate::budget::within;
use crate::db::{Db, SourceFile};
use crate::hir::Module;
use crate::hir::elaborate::module;
use crate::ir::{ExprId, ExprKind};
use crate::pass::stops::{FirstLiterals, Stops, beginnings};

/// The kind of an inferred fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InferredKind {
    /// The literals and tokens at which a free text ends.
    Stops,
    /// The literals and tokens that begin the regions of a mix.
    Triggers,
}

/// Literals and tokens that were inferred for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// The kind of fact that they state.
    pub kind: InferredKind,
    /// Place of the text in the definition's file.
    pub span: Span,
    /// The literals in readable form, in order; empty if the text ends only with the output.
    pub literals: Vec<String>,
}

/// Returns the facts inferred in a definition, ordered by place; none for definitions of values, or if there are
/// errors.
#[salsa::tracked]
pub fn inferences(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Vec<Inferred> {
    module(db, file, name).map(|module| inferred_in(db, file, &module)).unwrap_or_default()
}

/// Returns the facts inferred in a module of a file, ordered by place.
pub(super) fn inferred_in(db: &dyn Db, file: SourceFile, module: &Module) -> Vec<Inferred> {
    let has_free = module.grammar.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Free { .. }));
    if !has_free && module.grammar.mixes.is_empty() {
        return Vec::new();
    }
    let limits = file.options(db).limits(db);
    let found = within(&limits, || in_module(module, &limits), |_| Vec::new());
    let placed = found.into_iter().filter_map(|(kind, origin, literals)| {
        let place = module.place(origin).filter(|place| place.file == file)?;
        Some(Inferred { kind, span: place.absolute(db), literals })
    });
    let mut placed: Vec<Inferred> = placed.collect();
    placed.sort_by_key(|one| one.span);
    placed.dedup();
    placed
}

type Found = (InferredKind, Origin, Vec<String>);

fn in_module(module: &Module, limits: &crate::db::Limits) -> Vec<Found> {
    let grammar = &module.grammar;
    let Some(externals) = externals(module, limits) else { return Vec::new() };
    let stops = Stops::find(grammar, &externals, &mut Vec::new());
    let origin = |id: ExprId| grammar.exprs[id.index()].origin;
    let known = stops.ends().filter(|(_, end)| !end.unknown);
    let mut found: Vec<Found> = known.map(|(id, end)| (InferredKind::Stops, origin(id), literals(end))).collect();
    let begins = beginnings(grammar, &externals);
    for mix in &grammar.mixes {
        let all = mix.regions.iter().flat_map(|region| literals(&begins[region.index()])).collect();
        found.push((InferredKind::Triggers, mix.origin, all));
    }
    found
}

fn literals(set: &FirstLiterals) -> Vec<String> {
    set.literals.iter().filter(|literal| !literal.is_empty()).map(|literal| shown(literal)).collect()
}
