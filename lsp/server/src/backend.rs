//! The handlers: each puts an event into the owner's queue before it waits for anything, and then waits for the answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::ls_types::Uri;
use tower_lsp_server::ls_types::request::{
    GotoDeclarationParams, GotoDeclarationResponse, GotoImplementationParams, GotoImplementationResponse,
    GotoTypeDefinitionParams, GotoTypeDefinitionResponse,
};
use tower_lsp_server::{LanguageServer, LspService};

use crate::event::Event;
use crate::job::{Answer, Asked, Parking, Stale, question};
use crate::pool::Lane;
use crate::requests::extra::{self, DocumentParams, FormatParams};
use crate::requests::{self, commands};

/// The server in the form that tower-lsp-server requires.
#[derive(Debug)]
pub(crate) struct Backend {
    events: Sender<Event>,
    binary: Option<Arc<Path>>,
}

/// Makes the service that finds handlers by the names of requests.
pub(crate) fn service(backend: Backend) -> LspService<Backend> {
    let (service, _) = LspService::build(|_| backend)
        .custom_method("ogc/formats", Backend::formats)
        .custom_method("ogc/definitionAt", Backend::definition_at)
        .custom_method("ogc/sample", Backend::sample)
        .custom_method("ogc/match", Backend::attempt)
        .custom_method("ogc/mask", Backend::mask)
        .custom_method("ogc/token", Backend::token)
        .custom_method("ogc/diagram", Backend::diagram)
        .custom_method("ogc/difference", Backend::difference)
        .custom_method("ogc/costs", Backend::costs)
        .custom_method("ogc/convert", Backend::convert)
        .custom_method("ogc/tests", Backend::tests)
        .custom_method("ogc/testResults", Backend::test_results)
        .custom_method("ogc/acceptTest", Backend::accept_test)
        .custom_method("ogc/addTest", Backend::add_test)
        .custom_method("ogc/export", Backend::export)
        .finish();
    service
}

impl Backend {
    /// Makes the handlers that send to a queue.
    pub(crate) fn new(events: Sender<Event>, binary: Option<PathBuf>) -> Self {
        Self { events, binary: binary.map(Arc::from) }
    }

    fn tell(&self, event: Event) {
        // The owner's thread ends after the last sender is dropped.
        drop(self.events.send(event));
    }

    /// Puts a request into the queue and waits for its answer.
    async fn ask<P, R>(&self, way: Way<'_>, params: P, answer: Answer<P, R>) -> Result<R>
    where
        P: Clone + Send + 'static,
        R: Send + 'static,
    {
        let Way { about, lane, title, parking, stale } = way;
        let (job, answered) = question(params, answer, stale);
        // The owner fills in the version when it takes the request.
        self.tell(Event::Ask(Asked { about: about.cloned(), version: None, lane, title, parking, job }));
        received(answered.await)
    }

    /// Sends a short request about a document.
    async fn quick<P, R>(&self, about: &Uri, params: P, answer: Answer<P, R>) -> Result<R>
    where
        P: Clone + Send + 'static,
        R: Send + 'static,
    {
        self.ask(Way::quick(Some(about)), params, answer).await
    }

    /// Sends a request that may take long, about a document or the whole workspace.
    async fn long<P, R>(&self, about: Option<&Uri>, title: &'static str, params: P, answer: Answer<P, R>) -> Result<R>
    where
        P: Clone + Send + 'static,
        R: Send + 'static,
    {
        self.ask(Way::long(about, title), params, answer).await
    }

    /// Sends a request about masks, which waits for vocabularies.
    async fn masks<P, R>(&self, about: &Uri, title: &'static str, params: P, answer: Answer<P, R>) -> Result<R>
    where
        P: Clone + Send + 'static,
        R: Send + 'static,
    {
        let way = Way { parking: Parking::Vocabularies, ..Way::long(Some(about), title) };
        self.ask(way, params, answer).await
    }

    /// Sends a request for findings.
    async fn findings<P, R>(&self, about: Option<&Uri>, parking: Parking, params: P, answer: Answer<P, R>) -> Result<R>
    where
        P: Clone + Send + 'static,
        R: Send + 'static,
    {
        let way = Way { parking, stale: Stale::AskAgain, ..Way::long(about, "Checking") };
        self.ask(way, params, answer).await
    }
}

/// The route of a request through the queue and the pool.
struct Way<'a> {
    about: Option<&'a Uri>,
    lane: Lane,
    title: &'static str,
    parking: Parking,
    stale: Stale,
}

impl<'a> Way<'a> {
    fn quick(about: Option<&'a Uri>) -> Self {
        Self { about, lane: Lane::Quick, title: "", parking: Parking::Never, stale: Stale::Modified }
    }

    fn long(about: Option<&'a Uri>, title: &'static str) -> Self {
        Self { lane: Lane::Long, title, ..Self::quick(about) }
    }
}

/// The requests beyond the protocol.
impl Backend {
    async fn formats(&self, params: DocumentParams) -> Result<Vec<extra::formats::Definition>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, extra::formats::all).await
    }

    async fn definition_at(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<extra::formats::Definition>> {
        self.quick(&document(&params), params, extra::formats::around).await
    }

    async fn sample(&self, params: extra::sample::SampleParams) -> Result<extra::sample::SampleResult> {
        let about = params.format.text_document.uri.clone();
        self.long(Some(&about), "Writing samples", params, extra::sample::texts).await
    }

    async fn attempt(&self, params: extra::attempt::MatchParams) -> Result<extra::attempt::MatchResult> {
        let about = params.format.text_document.uri.clone();
        self.masks(&about, "Trying a text", params, extra::attempt::attempt).await
    }

    async fn mask(&self, params: extra::mask::MaskParams) -> Result<extra::mask::MaskResult> {
        let about = params.format.text_document.uri.clone();
        self.masks(&about, "Computing a mask", params, extra::mask::mask).await
    }

    async fn token(&self, params: extra::mask::TokenParams) -> Result<extra::mask::TokenResult> {
        let about = params.format.text_document.uri.clone();
        self.masks(&about, "Computing a mask", params, extra::mask::token).await
    }

    async fn diagram(&self, params: FormatParams) -> Result<extra::diagram::DiagramResult> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Drawing", params, extra::diagram::draw).await
    }

    async fn difference(
        &self,
        params: extra::difference::DifferenceParams,
    ) -> Result<extra::difference::DifferenceResult> {
        let about = params.format.text_document.uri.clone();
        self.long(Some(&about), "Comparing", params, extra::difference::compare).await
    }

    async fn costs(&self, params: FormatParams) -> Result<extra::costs::CostsResult> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Measuring", params, extra::costs::of_format).await
    }

    async fn convert(&self, params: DocumentParams) -> Result<extra::convert::ConvertResult> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Converting", params, extra::convert::to_ogc).await
    }

    async fn tests(&self, params: DocumentParams) -> Result<Vec<extra::tests::Test<extra::tests::TestCase>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, extra::tests::list).await
    }

    async fn test_results(
        &self,
        params: extra::tests::ResultsParams,
    ) -> Result<Vec<extra::tests::Test<extra::tests::CaseResult>>> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Running tests", params, extra::tests::results).await
    }

    async fn add_test(&self, params: extra::add_test::AddTestParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let about = params.format.text_document.uri.clone();
        self.long(Some(&about), "Trying a text", params, extra::add_test::case).await
    }

    async fn export(&self, params: extra::export::ExportParams) -> Result<extra::export::ExportResult> {
        let about = params.format.text_document.uri.clone();
        self.long(Some(&about), "Exporting", params, extra::export::format).await
    }

    async fn accept_test(&self, params: lsp::TextDocumentPositionParams) -> Result<Option<lsp::WorkspaceEdit>> {
        self.long(Some(&document(&params)), "Running tests", params, extra::tests::accept).await
    }
}

/// Returns an answer; an error if the thread that computed it failed.
fn received<R>(answer: std::result::Result<Result<R>, oneshot::error::RecvError>) -> Result<R> {
    answer.unwrap_or_else(|_| {
        let message = "the server failed at this request; it goes on with others".into();
        Err(Error { message, ..Error::internal_error() })
    })
}

/// Returns the document of a request about a place.
fn document(params: &lsp::TextDocumentPositionParams) -> Uri {
    params.text_document.uri.clone()
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let (reply, answered) = oneshot::channel();
        self.tell(Event::Initialize { params: Box::new(params), reply });
        answered.await.map_err(|_| Error::internal_error())
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        self.tell(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        self.tell(Event::Opened(params));
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        self.tell(Event::Changed(params));
    }

    async fn did_save(&self, _: lsp::DidSaveTextDocumentParams) {
        self.tell(Event::Saved);
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.tell(Event::Closed(params));
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        self.tell(Event::Watched(params.changes));
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        self.tell(Event::Folders(params));
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        self.tell(Event::Configuration(params.settings));
    }

    async fn formatting(&self, params: lsp::DocumentFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::formatting::document).await
    }

    async fn range_formatting(&self, params: lsp::DocumentRangeFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::formatting::range).await
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let about = document(&params.text_document_position);
        self.quick(&about, params, requests::formatting::on_type).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        self.quick(&document(&params), params, requests::rename::prepare).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let about = document(&params.text_document_position);
        self.long(Some(&about), "Renaming", params, requests::rename::rename).await
    }

    async fn will_rename_files(&self, params: lsp::RenameFilesParams) -> Result<Option<lsp::WorkspaceEdit>> {
        self.long(None, "Renaming", params, requests::rename::files).await
    }

    async fn completion(&self, params: lsp::CompletionParams) -> Result<Option<lsp::CompletionResponse>> {
        let about = document(&params.text_document_position);
        self.quick(&about, params, requests::completion::list).await
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        self.ask(Way::quick(None), item, requests::completion::resolve).await
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::hover::at).await
    }

    async fn signature_help(&self, params: lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::signature_help::at).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::lenses::document).await
    }

    async fn code_lens_resolve(&self, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
        let about = requests::lenses::seen(&lens).map(|seen| seen.uri);
        self.long(about.as_ref(), "Running tests", lens, requests::lenses::resolve).await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let about = commands::about(&params);
        if params.command != commands::BUILD {
            return self.long(about.as_ref(), "Running a command", params, commands::execute).await;
        }
        let path = self.long(about.as_ref(), "Building", params, commands::to_build).await?;
        let binary = self.binary.clone();
        let built = tokio::task::spawn_blocking(move || commands::build(binary.as_deref(), &path)).await;
        Ok(Some(built.map_err(|_| Error::internal_error())??))
    }

    async fn code_action(&self, params: lsp::CodeActionParams) -> Result<Option<lsp::CodeActionResponse>> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Looking for actions", params, requests::actions::offered).await
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let about = requests::actions::chosen(&action).map(|chosen| chosen.uri);
        self.long(about.as_ref(), "Changing", action, requests::actions::resolve).await
    }

    async fn diagnostic(&self, params: lsp::DocumentDiagnosticParams) -> Result<lsp::DocumentDiagnosticReportResult> {
        let about = params.text_document.uri.clone();
        self.findings(Some(&about), Parking::Never, params, requests::diagnostic::document).await
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        let parking = if params.previous_result_ids.is_empty() { Parking::Scan } else { Parking::Change };
        self.findings(None, parking, params, requests::diagnostic::workspace).await
    }

    async fn goto_definition(&self, params: lsp::GotoDefinitionParams) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::goto::definition).await
    }

    async fn goto_declaration(&self, params: GotoDeclarationParams) -> Result<Option<GotoDeclarationResponse>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::goto::definition).await
    }

    async fn goto_type_definition(
        &self,
        params: GotoTypeDefinitionParams,
    ) -> Result<Option<GotoTypeDefinitionResponse>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::goto::type_definition).await
    }

    async fn goto_implementation(
        &self,
        params: GotoImplementationParams,
    ) -> Result<Option<GotoImplementationResponse>> {
        let about = document(&params.text_document_position_params);
        self.long(Some(&about), "Searching", params, requests::goto::implementation).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let about = document(&params.text_document_position);
        self.long(Some(&about), "Searching", params, requests::references::all).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::references::highlights).await
    }

    async fn document_symbol(&self, params: lsp::DocumentSymbolParams) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::symbols::document).await
    }

    async fn symbol(&self, params: lsp::WorkspaceSymbolParams) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        self.long(None, "Searching", params, requests::symbols::workspace).await
    }

    async fn folding_range(&self, params: lsp::FoldingRangeParams) -> Result<Option<Vec<lsp::FoldingRange>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::folding::folds).await
    }

    async fn selection_range(&self, params: lsp::SelectionRangeParams) -> Result<Option<Vec<lsp::SelectionRange>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::folding::selections).await
    }

    async fn document_link(&self, params: lsp::DocumentLinkParams) -> Result<Option<Vec<lsp::DocumentLink>>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::links::document).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: lsp::CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyItem>>> {
        let about = document(&params.text_document_position_params);
        self.quick(&about, params, requests::call_hierarchy::prepare).await
    }

    async fn incoming_calls(
        &self,
        params: lsp::CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
        let about = params.item.uri.clone();
        self.long(Some(&about), "Searching", params, requests::call_hierarchy::incoming).await
    }

    async fn outgoing_calls(
        &self,
        params: lsp::CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
        let about = params.item.uri.clone();
        self.long(Some(&about), "Searching", params, requests::call_hierarchy::outgoing).await
    }

    async fn inlay_hint(&self, params: lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>> {
        let about = params.text_document.uri.clone();
        self.long(Some(&about), "Measuring formats", params, requests::inlay_hints::range).await
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::semantic_tokens::full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::semantic_tokens::delta).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        let about = params.text_document.uri.clone();
        self.quick(&about, params, requests::semantic_tokens::range).await
    }
}
