//! `textDocument/references` and `textDocument/documentHighlight`: the places that name the thing at the cursor.

use ogc_ide::{highlight, references};
use tower_lsp_server::ls_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, ReferenceParams,
};

use crate::failure::Failure;
use crate::view::View;

/// Returns the references in all files.
pub(crate) fn all(view: &View, params: ReferenceParams) -> Result<Option<Vec<Location>>, Failure> {
    let Some(at) = view.asked_at(&params.text_document_position) else { return Ok(None) };
    let found = references::references(&view.snapshot, at, params.context.include_declaration);
    Ok(Some(found.into_iter().filter_map(|place| view.to_location(place)).collect()))
}

/// Returns the references in the document, to be highlighted.
pub(crate) fn highlights(
    view: &View,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let Some(at) = view.asked_at(&params.text_document_position_params) else { return Ok(None) };
    let found = highlight::highlights(&view.snapshot, at).into_iter().map(|one| DocumentHighlight {
        range: view.to_range(at.file, one.span),
        kind: Some(if one.is_definition { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }),
    });
    Ok(Some(found.collect()))
}
