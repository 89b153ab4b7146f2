//! `loose-space`: free white space between the tokens of JSON, where it costs much more than none would.

use ogc_grammar::{Cost, Diagnostic};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, PackLimits};

use super::compiled::{Compiled, Source};
use crate::db::{JsonPolicy, Space};
use crate::hir::{Module, Root};
use crate::lower::json::PolicyChange;
use crate::pipeline::lower_as;

/// What is found.
const CODE: &str = "loose-space";

/// So many states more than without white space are worth a word: below, white space costs a fraction of a millisecond.
const STATES: usize = 4_000;

/// So many rows more. Rows of white space are shared between formats, so that few of them are new to a store.
const ROWS: usize = 1_000;

/// A format with more states is not compiled a second time only to say what it would cost.
const CHEAP_STATES: usize = 40_000;

/// A format with more runs of bases does not get masks a second time only to say what they would cost.
const CHEAP_BASES: usize = 20_000;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    // A gap has two states more than none: a format with few states cannot have saved many.
    let states = compiled.automaton.states.len();
    let bases = compiled.masks.as_ref().map_or(0, |masks| masks.report().bases);
    if states > CHEAP_STATES || bases > CHEAP_BASES || states < STATES && bases < ROWS {
        return Vec::new();
    }
    let Some(compact) = compact(compiled) else { return Vec::new() };
    let (loose, tight) = (compiled.whole(), masked(compiled, compact).whole());
    let more = |loose: usize, tight: usize| loose.saturating_sub(tight);
    let many = more(loose.states, tight.states) > STATES || more(loose.row_count(), tight.row_count()) > ROWS;
    many.then(|| found(loose, tight)).into_iter().collect()
}

fn found(loose: Cost, tight: Cost) -> Diagnostic {
    let message = format!("with white space wherever JSON allows it, this needs {loose}; compact, it needs {tight}");
    let help = "`space = \"compact\"` or `\"pretty\"`, if the text is to be read by programs: a model writes what its \
                masks allow";
    Diagnostic::note(CODE, Compiled::place(0), message).help(help).cost(loose).cost(loose)
}

/// The same format without white space; `None` if it has none, or if it is text without values.
fn compact(compiled: &Compiled<'_>) -> Option<Automaton> {
    let limits = compiled.file.options(compiled.db).limits(compiled.db);
    match &compiled.source {
        Source::Schema(graph) => {
            let policy = compiled.file.options(compiled.db).json(compiled.db);
            let tight = tight(policy)?;
            graph.lowered(&tight, &limits).ok().map(|lowered| lowered.automaton)
        }
        Source::Module(module) => {
            let module = tight_module(module)?;
            lower_as(&module, &limits).automaton.map(std::sync::Arc::unwrap_or_clone)
        }
        Source::Other => None,
    }
}

/// The policy without white space, if it has any.
fn tight(policy: JsonPolicy) -> Option<JsonPolicy> {
    matches!(policy.space, Space::Any { .. }).then_some(JsonPolicy { space: Space::Compact, ..policy })
}

/// The module with no white space in any of its values, if one has any.
fn tight_module(module: &Module) -> Option<Module> {
    let mut made = module.clone();
    let mut changed = false;
    let mut tighten = |policy: &mut JsonPolicy| {
        changed |= tight(*policy).map(|tight| *policy = tight).is_some();
    };
    if let Root::Value(value) = &mut made.root {
        tighten(&mut value.policy);
    }
    made.values.iter_mut().for_each(|value| tighten(&mut value.policy));
    for (_, change) in &mut made.policies {
        if let PolicyChange { space: Some(space @ Space::Any { .. }), .. } = change {
            *space = Space::Compact;
            changed = true;
        }
    }
    changed.then_some(made)
}

/// The other automaton with masks for the same vocabulary; without them where there are none.
fn masked<'db>(compiled: &Compiled<'db>, automaton: Automaton) -> Compiled<'db> {
    let mut other = compiled.instead(automaton);
    if let (Some(_), Some(store)) = (&compiled.masks, compiled.store()) {
        let cancelled = |_, _| compiled.db.unwind_if_revision_cancelled();
        let masks = MaskPack::build(&other.automaton, &store, &PackLimits::default(), cancelled);
        other.masks = masks.ok().map(std::sync::Arc::new);
    }
    other
}
