//! `ogc/export`: a format in another notation.

use ogc_ide::requests::{self, Notation};
use serde::{Deserialize, Serialize};

use super::FormatParams;
use crate::failure::Failure;
use crate::view::View;

/// Parameters of `ogc/export`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ExportParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    /// The name of the notation.
    to: String,
}

/// The text, and the messages about it.
#[derive(Debug, Serialize)]
pub(crate) struct ExportResult {
    text: String,
    notes: Vec<String>,
}

/// Writes a format in another notation.
pub(crate) fn format(view: &View, params: ExportParams) -> Result<ExportResult, Failure> {
    let to = Notation::ALL.into_iter().find(|one| one.name() == params.to).ok_or_else(|| {
        let known = Notation::ALL.map(Notation::name).join(", ");
        Failure::Refused(format!("there is no notation `{}`; the notations are {known}", params.to))
    })?;
    let format = params.format.decide(view)?;
    let (text, notes) = requests::export(&view.snapshot, &format, to)?;
    Ok(ExportResult { text, notes })
}
