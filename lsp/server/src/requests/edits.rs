//! Converts changes of several files to the protocol's form, as far as the client can make them.

use std::collections::HashMap;

use ogc_ide::FileEdits;
use tower_lsp_server::ls_types::{
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, Position,
    Range, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use crate::view::View;

/// A file that is created: its URI and its text.
pub(crate) type Created = (Uri, String);

/// Converts a change; `None` if the client cannot make it, or if any of its files is one that no editor can open.
pub(crate) fn workspace(view: &View, creates: &[Created], edits: &[FileEdits]) -> Option<WorkspaceEdit> {
    let can = view.client.edits;
    let files: Vec<(Uri, Option<i32>, Vec<TextEdit>)> = edits
        .iter()
        .map(|one| Some((view.uri(one.file)?, view.version(one.file), view.to_edits(one.file, &one.edits))))
        .collect::<Option<_>>()?;
    let can_create = can.documents && can.creates;
    if !creates.is_empty() && !can_create {
        return None;
    }
    if !can.documents {
        let changes: HashMap<Uri, Vec<TextEdit>> = files.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
        return Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let mut operations: Vec<DocumentChangeOperation> = creates.iter().flat_map(created).collect();
    operations.extend(files.into_iter().map(|(uri, version, edits)| edited(uri, version, edits)));
    let changes = DocumentChanges::Operations(operations);
    Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}

fn created((uri, text): &Created) -> [DocumentChangeOperation; 2] {
    let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    let write = edited(uri.clone(), None, vec![TextEdit::new(start, text.clone())]);
    [DocumentChangeOperation::Op(ResourceOp::Create(create)), write]
}

fn edited(uri: Uri, version: Option<i32>, edits: Vec<TextEdit>) -> DocumentChangeOperation {
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
    DocumentChangeOperation::Edit(TextDocumentEdit {
        text_document,
        edits: edits.into_iter().map(OneOf::Left).collect(),
    })
}
