//! `textDocument/documentLink`: the paths of imports and references lead to files.

use ogc_ide::links;
use tower_lsp_server::ls_types::{DocumentLink, DocumentLinkParams};

use crate::failure::Failure;
use crate::files;
use crate::view::View;

/// Returns the links of a document.
pub(crate) fn document(view: &View, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let found = links::links(&view.snapshot, file).into_iter().filter_map(|link| {
        let opened = view.open.get(&link.target).map(|opened| opened.uri.clone());
        let target = Some(opened.or_else(|| files::uri(&link.target))?);
        Some(DocumentLink { range: view.to_range(file, link.span), target, tooltip: None, data: None })
    });
    Ok(Some(found.collect()))
}
