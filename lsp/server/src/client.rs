//! The capabilities of the client, as it announces them at initialization.

use ogc_ide::ColumnUnit;
use serde_json::Value;
use tower_lsp_server::ls_types::{
    ClientCapabilities, DiagnosticTag, InitializeParams, PositionEncodingKind, ResourceOperationKind,
};

/// The capabilities of the client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Client {
    /// The unit of columns.
    pub(crate) unit: ColumnUnit,
    /// Whether the client pulls diagnostics, so that the server does not push them.
    pub(crate) pulls_diagnostics: bool,
    /// Whether the client pulls diagnostics again on request.
    pub(crate) refreshes_diagnostics: bool,
    /// Whether diagnostics may name further places.
    pub(crate) related_information: bool,
    /// Tags of diagnostics that the client shows.
    pub(crate) tags: Vec<DiagnosticTag>,
    /// Whether diagnostics may carry data.
    pub(crate) data: bool,
    /// Whether the client watches files for the server.
    pub(crate) watches_files: bool,
    /// Whether the client shows the progress of work that the server starts.
    pub(crate) progress: bool,
    /// Whether the client answers questions about settings.
    pub(crate) configuration: bool,
    /// Whether definitions may come with the name that leads to them.
    pub(crate) links: bool,
    /// Whether symbols of a document may be a tree.
    pub(crate) nested_symbols: bool,
    /// Whether the client can only collapse whole lines.
    pub(crate) folds_lines: bool,
    /// Kinds of results that the client requests again on request.
    pub(crate) refreshes: Refreshes,
    /// Whether code actions may be more than commands.
    pub(crate) actions: bool,
    /// Whether the change of a code action may be computed when the user chooses it.
    pub(crate) resolves_actions: bool,
    /// Kinds of workspace edits that the client can make.
    pub(crate) edits: Edits,
    /// Whether completions may be snippets.
    pub(crate) snippets: bool,
    /// Whether completions may have a detail beside their label.
    pub(crate) label_details: bool,
    /// Whether the client supports the notifications beyond the protocol.
    pub(crate) notifications: bool,
}

/// The kinds of results that a client requests again on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refreshes {
    /// Semantic tokens.
    pub(crate) tokens: bool,
    /// Inlay hints.
    pub(crate) hints: bool,
    /// Code lenses.
    pub(crate) lenses: bool,
}

/// The kinds of workspace edits that a client can make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits {
    /// Edits may state document versions and an order (the client's capability `documentChanges`).
    pub(crate) documents: bool,
    /// Files may be created.
    pub(crate) creates: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            unit: ColumnUnit::Utf16,
            pulls_diagnostics: false,
            refreshes_diagnostics: false,
            related_information: false,
            tags: Vec::new(),
            data: false,
            watches_files: false,
            progress: false,
            configuration: false,
            links: false,
            nested_symbols: false,
            folds_lines: false,
            refreshes: Refreshes::default(),
            actions: false,
            resolves_actions: false,
            edits: Edits::default(),
            snippets: false,
            label_details: false,
            notifications: false,
        }
    }
}

impl Client {
    /// Reads the capabilities that the client announces.
    pub(crate) fn new(params: &InitializeParams) -> Self {
        let all = &params.capabilities;
        let document = all.text_document.as_ref();
        let published = document.and_then(|document| document.publish_diagnostics.as_ref());
        let workspace = all.workspace.as_ref();
        let pulled = workspace.and_then(|workspace| workspace.diagnostics.as_ref());
        let watched = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        let window = all.window.as_ref();
        let symbols = document.and_then(|document| document.document_symbol.as_ref());
        let folding = document.and_then(|document| document.folding_range.as_ref());
        let actions = document.and_then(|document| document.code_action.as_ref());
        let completion = document.and_then(|document| document.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let yes = |said: Option<bool>| said == Some(true);
        Self {
            unit: unit(all),
            pulls_diagnostics: document.is_some_and(|document| document.diagnostic.is_some()),
            refreshes_diagnostics: yes(pulled.and_then(|one| one.refresh_support)),
            related_information: yes(published.and_then(|one| one.related_information)),
            tags: published
                .and_then(|one| one.tag_support.as_ref())
                .map(|tags| tags.value_set.clone())
                .unwrap_or_default(),
            data: yes(published.and_then(|one| one.data_support)),
            watches_files: yes(watched.and_then(|watched| watched.dynamic_registration)),
            progress: yes(window.and_then(|window| window.work_done_progress)),
            configuration: yes(workspace.and_then(|workspace| workspace.configuration)),
            links: yes(document.and_then(|document| document.definition).and_then(|one| one.link_support)),
            nested_symbols: yes(symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support)),
            folds_lines: yes(folding.and_then(|folding| folding.line_folding_only)),
            refreshes: refreshes(all),
            snippets: yes(item.and_then(|item| item.snippet_support)),
            label_details: yes(item.and_then(|item| item.label_details_support)),
            notifications: all.experimental.as_ref().and_then(|all| all.pointer("/ogc/notifications"))
                == Some(&Value::Bool(true)),
            actions: actions.is_some_and(|one| one.code_action_literal_support.is_some()),
            resolves_actions: actions
                .and_then(|one| one.resolve_support.as_ref())
                .is_some_and(|support| support.properties.iter().any(|property| property == "edit")),
            edits: Edits {
                documents: yes(edits.and_then(|edits| edits.document_changes)),
                creates: edits
                    .and_then(|edits| edits.resource_operations.as_ref())
                    .is_some_and(|kinds| kinds.contains(&ResourceOperationKind::Create)),
            },
        }
    }
}

fn refreshes(client: &ClientCapabilities) -> Refreshes {
    let Some(workspace) = &client.workspace else { return Refreshes::default() };
    let yes = |said: Option<bool>| said == Some(true);
    Refreshes {
        tokens: yes(workspace.semantic_tokens.as_ref().and_then(|one| one.refresh_support)),
        hints: yes(workspace.inlay_hint.as_ref().and_then(|one| one.refresh_support)),
        lenses: yes(workspace.code_lens.as_ref().and_then(|one| one.refresh_support)),
    }
}

/// Selects the unit of columns: bytes if the client supports them, because they are cheapest; otherwise the first unit
/// that it offers.
fn unit(client: &ClientCapabilities) -> ColumnUnit {
    let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
    let units: Vec<ColumnUnit> = offered.iter().filter_map(unit_of).collect();
    if units.contains(&ColumnUnit::Bytes) {
        return ColumnUnit::Bytes;
    }
    units.first().copied().unwrap_or(ColumnUnit::Utf16)
}

fn unit_of(encoding: &PositionEncodingKind) -> Option<ColumnUnit> {
    match encoding.as_str() {
        "utf-8" => Some(ColumnUnit::Bytes),
        "utf-16" => Some(ColumnUnit::Utf16),
        "utf-32" => Some(ColumnUnit::Characters),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tower_lsp_server::ls_types::GeneralClientCapabilities;

    use super::*;

    fn check(offered: Option<&[&'static str]>, expected: ColumnUnit) {
        let encodings = |offered: &[&'static str]| offered.iter().map(|one| PositionEncodingKind::new(one)).collect();
        let general = GeneralClientCapabilities { position_encodings: offered.map(encodings), ..Default::default() };
        let client = ClientCapabilities { general: Some(general), ..Default::default() };
        assert_eq!(unit(&client), expected, "{offered:?}");
    }

    #[test]
    fn columns_use_an_encoding_that_the_client_offers() {
        check(None, ColumnUnit::Utf16);
        check(Some(&[]), ColumnUnit::Utf16);
        check(Some(&["utf-7"]), ColumnUnit::Utf16);
        check(Some(&["utf-16", "utf-8"]), ColumnUnit::Bytes);
        check(Some(&["utf-32", "utf-16"]), ColumnUnit::Characters);
    }
}
