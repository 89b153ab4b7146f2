//! `ogc/diagram`: the railroad diagram of a definition.

use ogc_ide::requests;
use serde::Serialize;

use super::FormatParams;
use crate::failure::Failure;
use crate::view::View;

/// The diagram of the definition, as SVG.
#[derive(Debug, Serialize)]
pub(crate) struct DiagramResult {
    name: String,
    svg: String,
}

/// Draws a definition.
pub(crate) fn draw(view: &View, params: FormatParams) -> Result<DiagramResult, Failure> {
    let (name, svg) = requests::diagram(&view.snapshot, &params.decide(view)?)?;
    Ok(DiagramResult { name, svg })
}
