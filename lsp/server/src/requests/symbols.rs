//! `textDocument/documentSymbol` and `workspace/symbol`: the parts of files that have names.

use ogc_ide::SourceFile;
use ogc_ide::symbols::{self, SymbolKind};
use tower_lsp_server::ls_types::{
    self as lsp, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolTag, Uri,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use crate::failure::Failure;
use crate::view::View;

/// Returns the symbols of a document, as a tree if the client can show one.
pub(crate) fn document(view: &View, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let found = symbols::document_symbols(&view.snapshot, file);
    if view.client.nested_symbols {
        let nested = found.into_iter().map(|symbol| nested(view, file, symbol)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut flat = Vec::new();
    found.into_iter().for_each(|symbol| flatten(view, file, &params.text_document.uri, None, symbol, &mut flat));
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

/// Returns the symbols of all files whose names match.
pub(crate) fn workspace(
    view: &View,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>, Failure> {
    let found = symbols::workspace_symbols(&view.snapshot, &params.query).into_iter();
    let found = found.filter_map(|symbol| {
        let location = view.to_location(symbol.place)?;
        Some(information(symbol.name, symbol.kind, symbol.is_deprecated, location, symbol.container))
    });
    Ok(Some(WorkspaceSymbolResponse::Flat(found.collect())))
}

/// Converts a symbol and its children. The reader's depth limit bounds the recursion.
#[allow(deprecated, reason = "the protocol's type has a field that tags replace")]
fn nested(view: &View, file: SourceFile, symbol: symbols::DocumentSymbol) -> lsp::DocumentSymbol {
    let children: Vec<_> = symbol.children.into_iter().map(|child| nested(view, file, child)).collect();
    lsp::DocumentSymbol {
        name: shown(symbol.name),
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: kind(symbol.kind),
        tags: tags(symbol.is_deprecated),
        deprecated: None,
        range: view.to_range(file, symbol.span),
        selection_range: view.to_range(file, symbol.name_span),
        children: (!children.is_empty()).then_some(children),
    }
}

/// Adds a symbol and those in it.
fn flatten(
    view: &View,
    file: SourceFile,
    uri: &Uri,
    container: Option<&str>,
    symbol: symbols::DocumentSymbol,
    found: &mut Vec<SymbolInformation>,
) {
    let location = Location::new(uri.clone(), view.to_range(file, symbol.span));
    let container = container.map(str::to_owned);
    found.push(information(symbol.name.clone(), symbol.kind, symbol.is_deprecated, location, container));
    for child in symbol.children {
        flatten(view, file, uri, Some(&symbol.name), child, found);
    }
}

#[allow(deprecated, reason = "the protocol's type has a field that tags replace")]
fn information(
    name: String,
    of: SymbolKind,
    is_deprecated: bool,
    location: Location,
    container_name: Option<String>,
) -> SymbolInformation {
    let (name, kind, tags) = (shown(name), kind(of), tags(is_deprecated));
    SymbolInformation { name, kind, tags, deprecated: None, location, container_name }
}

/// Returns a name that editors accept: some reject an empty one.
fn shown(name: String) -> String {
    if name.trim().is_empty() { "?".to_owned() } else { name }
}

fn tags(is_deprecated: bool) -> Option<Vec<SymbolTag>> {
    is_deprecated.then(|| vec![SymbolTag::DEPRECATED])
}

/// Returns the protocol's kind, which decides the icon.
pub(crate) fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Type => lsp::SymbolKind::STRUCT,
        SymbolKind::Rule => lsp::SymbolKind::FUNCTION,
        SymbolKind::Output => lsp::SymbolKind::INTERFACE,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
        SymbolKind::Capture => lsp::SymbolKind::VARIABLE,
        SymbolKind::Test => lsp::SymbolKind::METHOD,
        SymbolKind::Import => lsp::SymbolKind::MODULE,
        SymbolKind::Policy => lsp::SymbolKind::CONSTANT,
    }
}
