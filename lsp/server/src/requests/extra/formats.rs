//! `ogc/formats` and `ogc/definitionAt`: the definitions that can be compiled.

use ogc_ide::requests;
use serde::Serialize;
use tower_lsp_server::ls_types::{Range, TextDocumentPositionParams};

use super::{DocumentParams, file};
use crate::failure::Failure;
use crate::view::View;

/// A definition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Definition {
    name: Option<String>,
    is_output: bool,
    range: Range,
}

/// Lists the definitions of a file.
pub(crate) fn all(view: &View, params: DocumentParams) -> Result<Vec<Definition>, Failure> {
    let file = file(view, &params.text_document.uri)?;
    Ok(requests::formats(&view.snapshot, file).iter().map(|one| convert(view, one)).collect())
}

/// Names the definition around a position.
pub(crate) fn around(view: &View, params: TextDocumentPositionParams) -> Result<Option<Definition>, Failure> {
    let file = file(view, &params.text_document.uri)?;
    let found = requests::definition_at(&view.snapshot, view.at(file, params.position));
    Ok(found.map(|one| convert(view, &one)))
}

fn convert(view: &View, found: &requests::DefinitionAt) -> Definition {
    let name = found.format.name.as_deref().map(str::to_owned);
    Definition { name, is_output: found.is_output, range: view.to_range(found.format.file, found.span) }
}
