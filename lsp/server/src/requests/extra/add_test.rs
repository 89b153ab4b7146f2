//! `ogc/addTest`: a text as a case of the test of its definition.

use ogc_ide::requests;
use serde::Deserialize;
use tower_lsp_server::ls_types::WorkspaceEdit;

use super::FormatParams;
use crate::failure::Failure;
use crate::requests::edits;
use crate::view::View;

/// Parameters of `ogc/addTest`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AddTestParams {
    /// The definition.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    text: String,
}

/// Makes the change.
pub(crate) fn case(view: &View, params: AddTestParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let format = params.format.decide(view)?;
    let change = requests::add_test(&view.snapshot, &format, &params.text)?;
    Ok(edits::workspace(view, &[], &change.edits))
}
