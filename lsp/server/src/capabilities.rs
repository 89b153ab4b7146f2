//! The abilities that the server announces to the client.

use ogc_ide::ColumnUnit;
use serde_json::json;
use tower_lsp_server::ls_types::{
    CallHierarchyServerCapability, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    DeclarationCapability, DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions, ExecuteCommandOptions,
    FileOperationFilter, FileOperationPattern, FileOperationPatternKind, FileOperationRegistrationOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, ImplementationProviderCapability, InitializeResult, OneOf,
    PositionEncodingKind, RenameOptions, SaveOptions, SelectionRangeProviderCapability, SemanticTokensFullOptions,
    SemanticTokensOptions, SemanticTokensServerCapabilities, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    TypeDefinitionProviderCapability, WorkDoneProgressOptions, WorkspaceFileOperationsServerCapabilities,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::client::Client;
use crate::files;
use crate::requests::extra::REQUESTS;
use crate::requests::{actions, commands, completion, formatting, semantic_tokens, signature_help};

/// The version of the requests beyond the protocol.
const VERSION: u32 = 1;

fn encoding(unit: ColumnUnit) -> PositionEncodingKind {
    match unit {
        ColumnUnit::Bytes => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        ColumnUnit::Characters => PositionEncodingKind::UTF32,
    }
}

/// Returns the server's name, version and capabilities.
pub(crate) fn server(client: &Client) -> InitializeResult {
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    let info = ServerInfo { name: "ogc".to_owned(), version };
    InitializeResult { capabilities: capabilities(client), server_info: Some(info), ..InitializeResult::default() }
}

fn capabilities(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding(client.unit)),
        text_document_sync: Some(sync()),
        diagnostic_provider: client.pulls_diagnostics.then(diagnostics),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(formatting::triggers()),
        code_action_provider: client.actions.then(|| actions(client)),
        completion_provider: Some(completion::options()),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(signature_help::options()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::COMMANDS.map(str::to_owned).into(),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(semantic_tokens()),
        workspace: Some(workspace()),
        experimental: Some(json!({ "ogc": { "version": VERSION, "requests": REQUESTS } })),
        ..ServerCapabilities::default()
    }
}

fn sync() -> TextDocumentSyncCapability {
    TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        will_save: None,
        will_save_wait_until: None,
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
    })
}

fn workspace() -> WorkspaceServerCapabilities {
    WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: Some(WorkspaceFileOperationsServerCapabilities {
            will_rename: Some(renamed()),
            ..WorkspaceFileOperationsServerCapabilities::default()
        }),
    }
}

/// Returns the files and folders whose renames update imports.
fn renamed() -> FileOperationRegistrationOptions {
    let filter = |glob: &str, matches| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    };
    let files = filter(files::FORMATS, FileOperationPatternKind::File);
    FileOperationRegistrationOptions { filters: vec![files, filter("**", FileOperationPatternKind::Folder)] }
}

fn actions(client: &Client) -> CodeActionProviderCapability {
    CodeActionProviderCapability::Options(CodeActionOptions {
        code_action_kinds: Some(actions::kinds()),
        work_done_progress_options: WorkDoneProgressOptions::default(),
        resolve_provider: Some(client.resolves_actions),
    })
}

fn semantic_tokens() -> SemanticTokensServerCapabilities {
    SemanticTokensServerCapabilities::SemanticTokensOptions(SemanticTokensOptions {
        work_done_progress_options: WorkDoneProgressOptions::default(),
        legend: semantic_tokens::legend(),
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
    })
}

fn diagnostics() -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("ogc".to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: true,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    })
}
