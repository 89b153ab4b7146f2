//! `textDocument/prepareCallHierarchy` and `callHierarchy/*`: the uses of a definition, and the definitions that it
//! uses. An item is found again by the place of its name.

use ogc_ide::call_hierarchy::{self, Call, HierarchyItem};
use ogc_ide::{SourceFile, Span};
use tower_lsp_server::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range, TextDocumentIdentifier,
    TextDocumentPositionParams,
};

use crate::failure::Failure;
use crate::requests::symbols;
use crate::view::View;

/// Returns the definition that the cursor names.
pub(crate) fn prepare(
    view: &View,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let at = view.asked_at(&params.text_document_position_params);
    let found = at.and_then(|at| call_hierarchy::prepare(&view.snapshot, at));
    Ok(found.and_then(|found| item(view, &found)).map(|item| vec![item]))
}

/// Returns the definitions that use a definition.
pub(crate) fn incoming(
    view: &View,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let Some(asked) = asked(view, &params.item) else { return Ok(None) };
    let calls = call_hierarchy::incoming(&view.snapshot, &asked.id).into_iter().filter_map(|call| {
        let from_ranges = ranges(view, call.item.place.file, &call.places);
        Some(CallHierarchyIncomingCall { from: item(view, &call.item)?, from_ranges })
    });
    Ok(Some(calls.collect()))
}

/// Returns the definitions that a definition uses.
pub(crate) fn outgoing(
    view: &View,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let Some(asked) = asked(view, &params.item) else { return Ok(None) };
    let calls: Vec<Call> = call_hierarchy::outgoing(&view.snapshot, &asked.id);
    let calls = calls.into_iter().filter_map(|call| {
        let from_ranges = ranges(view, asked.place.file, &call.places);
        Some(CallHierarchyOutgoingCall { to: item(view, &call.item)?, from_ranges })
    });
    Ok(Some(calls.collect()))
}

/// Returns the definition for an item that the client sends back.
fn asked(view: &View, item: &CallHierarchyItem) -> Option<HierarchyItem> {
    let text_document = TextDocumentIdentifier::new(item.uri.clone());
    let at = view.asked_at(&TextDocumentPositionParams { text_document, position: item.selection_range.start })?;
    call_hierarchy::prepare(&view.snapshot, at)
}

fn ranges(view: &View, file: SourceFile, places: &[Span]) -> Vec<Range> {
    places.iter().map(|span| view.to_range(file, *span)).collect()
}

fn item(view: &View, found: &HierarchyItem) -> Option<CallHierarchyItem> {
    Some(CallHierarchyItem {
        name: found.name.clone(),
        kind: symbols::kind(found.kind),
        tags: None,
        detail: None,
        uri: view.uri(found.place.file)?,
        range: view.to_range(found.place.file, found.place.span),
        selection_range: view.to_range(found.name_place.file, found.name_place.span),
        data: None,
    })
}
