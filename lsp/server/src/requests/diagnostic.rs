//! `textDocument/diagnostic`, `workspace/diagnostic` and `textDocument/publishDiagnostics`: findings in the protocol's form.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ogc_ide::tests::run_tests;
use ogc_ide::{Code, Fix, Severity, SourceFile, Span, diagnostics};
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport, NumberOrString, Range,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
    Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::disk;
use crate::failure::Failure;
use crate::requests::settings_file::SettingsText;
use crate::view::View;

/// A report on a document's findings, relative to the report that the client has.
enum Report {
    Full(FullDocumentDiagnosticReport),
    Unchanged(UnchangedDocumentDiagnosticReport),
}

/// Reports the findings of a document.
pub(crate) fn document(
    view: &View,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult, Failure> {
    let found = of_document(view, &params.text_document.uri, all);
    let report = match report(found, params.previous_result_id.as_deref()) {
        Report::Full(full) => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: full,
        }),
        Report::Unchanged(same) => DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: same,
        }),
    };
    Ok(report.into())
}

/// Reports the findings of all formats that are open or in a root, and clears those of documents that no longer have
/// any.
pub(crate) fn workspace(
    view: &View,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult, Failure> {
    let mut previous: BTreeMap<Uri, String> =
        params.previous_result_ids.into_iter().map(|one| (one.uri, one.value)).collect();
    let mut items = Vec::new();
    for file in view.snapshot.files() {
        if let Some(uri) = view.uri(file).filter(|_| is_reported(view, file)) {
            let report = report(all(view, file), previous.remove(&uri).as_deref());
            items.push(of_workspace(report, uri, view.version(file)));
        }
    }
    for opened in view.open.values().filter(|opened| opened.settings.is_some()) {
        let found = of_document(view, &opened.uri, all);
        let report = report(found, previous.remove(&opened.uri).as_deref());
        items.push(of_workspace(report, opened.uri.clone(), Some(opened.version)));
    }
    items.extend(previous.into_iter().filter(|(_, id)| *id != id_of(&[])).map(|(uri, _)| {
        let version = view.open.values().find(|opened| opened.uri == uri).map(|opened| opened.version);
        of_workspace(report(Vec::new(), None), uri, version)
    }));
    Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
}

fn is_reported(view: &View, file: SourceFile) -> bool {
    let name = view.snapshot.name(file);
    view.open.contains_key(name) || view.roots.iter().any(|root| disk::is_scanned(name, root))
}

fn of_workspace(report: Report, uri: Uri, version: Option<i32>) -> WorkspaceDocumentDiagnosticReport {
    let version = version.map(i64::from);
    match report {
        Report::Full(full_document_diagnostic_report) => {
            WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report }.into()
        }
        Report::Unchanged(unchanged_document_diagnostic_report) => {
            WorkspaceUnchangedDocumentDiagnosticReport { uri, version, unchanged_document_diagnostic_report }.into()
        }
    }
}

fn report(items: Vec<Diagnostic>, previous: Option<&str>) -> Report {
    let id = id_of(&items);
    if previous == Some(id.as_str()) {
        Report::Unchanged(UnchangedDocumentDiagnosticReport { result_id: id })
    } else {
        Report::Full(FullDocumentDiagnosticReport { result_id: Some(id), items })
    }
}

/// Returns an id for findings; equal findings have equal ids.
fn id_of(items: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    json!(items).to_string().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Returns the findings of a document: for a format by `find`, otherwise those of an `ogc.toml`.
pub(crate) fn of_document(view: &View, uri: &Uri, find: Find) -> Vec<Diagnostic> {
    if let Some(settings) = SettingsText::of(view, uri) {
        let range = |span| settings.to_range(view, span);
        let found = settings.findings().into_iter();
        return found.map(|one| convert(view, &range, Vec::new(), one)).collect();
    }
    view.file(uri).map(|file| find(view, file)).unwrap_or_default()
}

/// A function that returns the findings of a format.
pub(crate) type Find = fn(&View, SourceFile) -> Vec<Diagnostic>;

/// Returns all findings of a file, including failing tests.
pub(crate) fn all(view: &View, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = diagnostics::diagnostics(&view.snapshot, file);
    found.extend(run_tests(&view.snapshot, file, None).into_iter().flat_map(|result| result.failures));
    converted(view, file, found)
}

/// Returns the findings of a file without those of lints.
pub(crate) fn of_stages(view: &View, file: SourceFile) -> Vec<Diagnostic> {
    converted(view, file, diagnostics::stage_diagnostics(&view.snapshot, file))
}

fn converted(view: &View, file: SourceFile, found: Vec<ogc_ide::Diagnostic>) -> Vec<Diagnostic> {
    let range = |span| view.to_range(file, span);
    let one = |one| {
        let beside = if view.client.related_information { related(view, file, &one) } else { Vec::new() };
        convert(view, &range, beside, one)
    };
    found.into_iter().map(one).collect()
}

fn related(view: &View, file: SourceFile, found: &ogc_ide::Diagnostic) -> Vec<DiagnosticRelatedInformation> {
    let places = ogc_ide::related::related(&view.snapshot, file, found).into_iter();
    let shown = places.filter_map(|(place, message)| {
        Some(DiagnosticRelatedInformation { location: view.to_location(place)?, message })
    });
    shown.collect()
}

fn convert(
    view: &View,
    range: &dyn Fn(Span) -> Range,
    beside: Vec<DiagnosticRelatedInformation>,
    found: ogc_ide::Diagnostic,
) -> Diagnostic {
    let message = match &found.help {
        Some(help) => format!("{}\nhelp: {help}", found.message),
        None => found.message,
    };
    Diagnostic {
        range: range(found.span),
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.code.name().to_owned())),
        code_description: None,
        source: Some("ogc".to_owned()),
        message,
        related_information: (!beside.is_empty()).then_some(beside),
        tags: tag(found.code).filter(|tag| view.client.tags.contains(tag)).map(|tag| vec![tag]),
        data: view.client.data.then(|| data(range, found.code, found.fix.as_ref())),
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

fn tag(code: Code) -> Option<DiagnosticTag> {
    if code == Code::Deprecated {
        Some(DiagnosticTag::DEPRECATED)
    } else {
        code.name().starts_with("unused-").then_some(DiagnosticTag::UNNECESSARY)
    }
}

/// Returns the data that the client sends back when it requests actions: the summary of the code, and the correction.
fn data(range: &dyn Fn(Span) -> Range, code: Code, fix: Option<&Fix>) -> Value {
    let fix = fix.map(|fix| {
        let edits = fix.edits.iter().map(|(span, text)| json!({ "range": range(*span), "newText": text }));
        json!({ "title": fix.label, "edits": edits.collect::<Vec<_>>() })
    });
    json!({ "summary": code.summary(), "fix": fix })
}
