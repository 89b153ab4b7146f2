//! `ogc/convert`: a schema or a grammar as `.ogc`.

use ogc_ide::requests;
use serde::Serialize;

use super::{DocumentParams, file};
use crate::failure::Failure;
use crate::view::View;

/// The text, and the messages about it.
#[derive(Debug, Serialize)]
pub(crate) struct ConvertResult {
    text: String,
    notes: Vec<String>,
}

/// Writes a file as `.ogc`.
pub(crate) fn to_ogc(view: &View, params: DocumentParams) -> Result<ConvertResult, Failure> {
    let file = file(view, &params.text_document.uri)?;
    let (text, notes) = requests::convert(&view.snapshot, file)?;
    Ok(ConvertResult { text, notes })
}
