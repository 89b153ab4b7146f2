//! `textDocument/rename`, `textDocument/prepareRename` and `workspace/willRenameFiles`: renames of things and files.

use ogc_ide::{file_rename, rename};
use tower_lsp_server::ls_types::{
    PrepareRenameResponse, RenameFilesParams, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
};

use crate::failure::Failure;
use crate::files;
use crate::requests::edits;
use crate::view::View;

/// Returns the name at the cursor.
pub(crate) fn prepare(
    view: &View,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Failure> {
    let Some(at) = view.asked_at(&params) else { return Ok(None) };
    let found = rename::prepare(&view.snapshot, at).map_err(|error| Failure::Refused(error.to_string()))?;
    let range = view.to_range(found.place.file, found.place.span);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: found.placeholder }))
}

/// Returns the edits that give the thing at the cursor another name.
pub(crate) fn rename(view: &View, params: RenameParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let Some(at) = view.asked_at(&params.text_document_position) else { return Ok(None) };
    let found = rename::rename(&view.snapshot, at, &params.new_name);
    let found = found.map_err(|error| Failure::Refused(error.to_string()))?;
    Ok(edits::workspace(view, &[], &found))
}

/// Returns the edits that update imports after renames of files and folders.
pub(crate) fn files(view: &View, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let name = |uri: &str| files::parse(uri).map(|uri| files::name(&uri));
    let renames: Vec<(String, String)> =
        params.files.iter().filter_map(|file| Some((name(&file.old_uri)?, name(&file.new_uri)?))).collect();
    let found = file_rename::will_rename(&view.snapshot, &renames);
    Ok(if found.is_empty() { None } else { edits::workspace(view, &[], &found) })
}
