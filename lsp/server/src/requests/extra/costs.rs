//! `ogc/costs`: the costs of a format.

use ogc_ide::costs::{self, MaskState};
use serde::Serialize;
use tower_lsp_server::ls_types::Location;

use super::{FormatParams, location};
use crate::failure::Failure;
use crate::view::View;

/// The figures of a format's costs.
#[derive(Debug, Serialize)]
pub(crate) struct CostsResult {
    rules: usize,
    states: usize,
    edges: usize,
    bytes: usize,
    vocabularies: Vec<Vocabulary>,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Vocabulary {
    name: String,
    #[serde(flatten)]
    state: State,
}

#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum State {
    Ready { rows: usize, row_bytes: usize, build_ms: f64, complete: bool },
    Computing,
    Failed { message: String },
}

#[derive(Debug, Serialize)]
struct Part {
    name: String,
    states: usize,
    bytes: usize,
    location: Option<Location>,
}

/// Returns the costs of a format.
pub(crate) fn of_format(view: &View, params: FormatParams) -> Result<CostsResult, Failure> {
    let format = params.decide(view)?;
    let found = costs::costs(&view.snapshot, &format);
    let found = found.ok_or_else(|| Failure::Refused("the format has errors; mend them first".to_owned()))?;
    let vocabularies = found.vocabularies.into_iter().map(|(name, state)| Vocabulary { name, state: of_masks(state) });
    let part = |part: costs::PartCost| {
        let location = location(view, part.place);
        Part { name: part.name, states: part.states, bytes: part.bytes, location }
    };
    Ok(CostsResult {
        rules: found.rules,
        states: found.states,
        edges: found.edges,
        bytes: found.bytes,
        vocabularies: vocabularies.collect(),
        parts: found.parts.into_iter().map(part).collect(),
    })
}

fn of_masks(state: MaskState) -> State {
    match state {
        MaskState::Ready(figures) => State::Ready {
            rows: figures.rows,
            row_bytes: figures.row_bytes,
            build_ms: figures.build.as_secs_f64() * 1e3,
            complete: figures.is_complete,
        },
        MaskState::Computing => State::Computing,
        MaskState::Failed(message) => State::Failed { message },
    }
}
