//! `loose-space`: free white space between the tokens of JSON, if it costs much more than no white space.
//!
//! The finding is at the setting that allows free white space ([`setting`]). If that is not in the file but a flag, or
//! the default for JSON Schema, the finding is at the format.

pub(super) mod setting;

use ogc_compiler::db::{JsonPolicy, Space};
use ogc_compiler::hir::{Module, Root};
use ogc_compiler::lower::json::PolicyChange;
use ogc_compiler::pipeline::lower_as;
use ogc_grammar::{Code, Cost, Diagnostic};
use ogc_runtime::automaton::Automaton;
use ogc_schema::source::Origin;

use super::compiled::{Compiled, Source};

/// Report white space only if it adds at least this many states: fewer cost a fraction of a millisecond.
const STATES: usize = 4_000;

/// Report white space only if it adds at least this many rows. Formats share rows of white space, so few of them are
/// new to a store.
const ROWS: usize = 1_000;

/// Cap on the states of a format that is compiled a second time for this measurement.
const CHEAP_STATES: usize = 40_000;

/// Cap on the runs of bases of a format whose masks are built a second time for this measurement; for a larger format,
/// states are enough.
const CHEAP_BASES: usize = 20_000;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    // Free white space adds two states to each gap, so a format with few states cannot gain much without it.
    let states = compiled.automaton.states.len();
    let bases = compiled.masks.as_ref().map_or(0, |masks| masks.report().bases);
    if states > CHEAP_STATES || states < STATES && bases < ROWS {
        return Vec::new();
    }
    let Some(compact) = compact(compiled) else { return Vec::new() };
    let tight = if bases > CHEAP_BASES { compiled.instead(compact) } else { compiled.masked(compact) };
    let (loose, tight) = (compiled.whole(), tight.whole());
    let more = |loose: usize, tight: usize| loose.saturating_sub(tight);
    let rows = tight.masks.map_or(0, |tight| more(loose.row_count(), tight.rows));
    let many = more(loose.states, tight.states) > STATES || rows > ROWS;
    many.then(|| found(&compiled.source, loose, tight)).into_iter().collect()
}

fn found(source: &Source, loose: Cost, tight: Cost) -> Diagnostic<Origin> {
    let message = format!("with white space wherever JSON allows it, this needs {loose}; compact, it needs {tight}");
    let help = match source {
        Source::Schema(_) => {
            "a schema does not say how it is written: `--space compact`, or `space = \"compact\"` under `[policy]` in \
             `ogc.toml`, if the text is to be read by programs; a model writes what its masks allow"
        }
        Source::Module(_) | Source::Other => {
            "`space = \"compact\"` or `\"pretty\"`, if the text is to be read by programs: a model writes what its masks \
             allow"
        }
    };
    Diagnostic::note(Code::LooseSpace, Compiled::place(0), message).help(help).cost(loose)
}

/// Compiles the format without white space; `None` if it has none, or if it is text without values.
fn compact(compiled: &Compiled<'_>) -> Option<Automaton> {
    let limits = compiled.limits();
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

/// Returns the policy without white space, if it has any.
fn tight(policy: JsonPolicy) -> Option<JsonPolicy> {
    matches!(policy.space, Space::Any { .. }).then_some(JsonPolicy { space: Space::Compact, ..policy })
}

/// Returns the module with no white space in any of its values, if one has any.
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
    for change in made.policies.changes.values_mut() {
        if let PolicyChange { space: Some(space @ Space::Any { .. }), .. } = change {
            *space = Space::Compact;
            changed = true;
        }
    }
    changed.then_some(made)
}
