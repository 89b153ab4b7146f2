//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`: formats a document and parts of it.

use ogc_ide::{FileSpan, formatting};
use tower_lsp_server::ls_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingOptions, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, TextEdit,
};

use crate::failure::Failure;
use crate::view::View;

/// Returns the edits that format a document. The editor's options are ignored, because formats have a fixed layout.
pub(crate) fn document(view: &View, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    Ok(Some(view.to_edits(file, &formatting::document(&view.snapshot, file))))
}

/// Returns the edits that format the items touched by a selection.
pub(crate) fn range(view: &View, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let selection = FileSpan::new(file, view.span(file, params.range));
    Ok(Some(view.to_edits(file, &formatting::range(&view.snapshot, selection))))
}

/// Returns the edits after a character was typed.
pub(crate) fn on_type(view: &View, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
    let Some(at) = view.asked_at(&params.text_document_position) else { return Ok(None) };
    let Some(typed) = params.ch.chars().next() else { return Ok(None) };
    Ok(Some(view.to_edits(at.file, &formatting::on_type(&view.snapshot, at, typed))))
}

/// Returns the characters after which an editor asks.
pub(crate) fn triggers() -> DocumentOnTypeFormattingOptions {
    let [first, rest @ ..] = formatting::TRIGGERS;
    let more: Vec<String> = rest.iter().map(char::to_string).collect();
    DocumentOnTypeFormattingOptions { first_trigger_character: first.to_string(), more_trigger_character: Some(more) }
}
