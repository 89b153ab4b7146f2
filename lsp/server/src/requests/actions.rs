//! `textDocument/codeAction` and `codeAction/resolve`: corrections and refactorings. An action that was offered without
//! its change is found again by its selection and title.

use ogc_ide::actions::{self, Action, ActionKind, Change};
use ogc_ide::{FileSpan, SourceFile};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Diagnostic, NumberOrString,
    Range, Uri, WorkspaceEdit,
};

use crate::failure::Failure;
use crate::files;
use crate::requests::edits;
use crate::view::View;

/// The data by which a chosen action is found again.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Chosen {
    /// The document.
    pub(crate) uri: Uri,
    range: Range,
}

/// All kinds.
const KINDS: [ActionKind; 6] = [
    ActionKind::QuickFix,
    ActionKind::Extract,
    ActionKind::Inline,
    ActionKind::Rewrite,
    ActionKind::FixAll,
    ActionKind::Organize,
];

/// Returns the kinds in the protocol's form.
pub(crate) fn kinds() -> Vec<CodeActionKind> {
    KINDS.map(kind).into()
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::FixAll => CodeActionKind::SOURCE_FIX_ALL,
        ActionKind::Organize => CodeActionKind::SOURCE_ORGANIZE_IMPORTS,
    }
}

/// Returns the actions at a selection.
pub(crate) fn offered(view: &View, params: CodeActionParams) -> Result<Option<CodeActionResponse>, Failure> {
    let Some(file) = view.file(&params.text_document.uri).filter(|_| view.client.actions) else { return Ok(None) };
    let wanted = wanted(params.context.only.as_deref());
    if wanted.is_empty() {
        return Ok(None);
    }
    let selection = FileSpan::new(file, view.span(file, params.range));
    let chosen = Chosen { uri: params.text_document.uri, range: params.range };
    let found = actions::actions(&view.snapshot, selection, &wanted);
    // Some changes are expensive. A client that cannot resolve actions gets them only if it requests their kind.
    let is_cheap = |action: &&Action| action.change.is_some() || view.client.resolves_actions;
    let found = found.iter().filter(|action| params.context.only.is_some() || is_cheap(action));
    let found = found.filter_map(|action| convert(view, action, &chosen, &params.context.diagnostics));
    Ok(Some(found.map(CodeActionOrCommand::CodeAction).collect()))
}

/// Returns the requested kinds: the named ones and their subkinds.
fn wanted(only: Option<&[CodeActionKind]>) -> Vec<ActionKind> {
    let is_within = |kind: &str, outer: &str| {
        outer.is_empty() || kind.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let is_wanted = |one: &ActionKind| {
        only.is_none_or(|only| only.iter().any(|outer| is_within(kind(*one).as_str(), outer.as_str())))
    };
    KINDS.into_iter().filter(is_wanted).collect()
}

fn convert(view: &View, action: &Action, chosen: &Chosen, shown: &[Diagnostic]) -> Option<CodeAction> {
    let is_later = action.change.is_none() && view.client.resolves_actions;
    let edit = match (&action.change, is_later) {
        (_, true) => None,
        (Some(change), false) => Some(edit(view, change)?),
        (None, false) => Some(edit(view, &actions::resolve(&view.snapshot, &action.id)?)?),
    };
    let fixed = action.fixes.map(|(code, place)| (code.name(), view.to_range(place.file, place.span)));
    let is_fixed = |one: &&Diagnostic| {
        let code = match &one.code {
            Some(NumberOrString::String(code)) => code.as_str(),
            Some(NumberOrString::Number(_)) | None => "",
        };
        fixed == Some((code, one.range))
    };
    let diagnostics: Vec<Diagnostic> = shown.iter().filter(is_fixed).cloned().collect();
    Some(CodeAction {
        title: action.title.clone(),
        kind: Some(kind(action.kind)),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        edit,
        command: None,
        is_preferred: action.is_preferred.then_some(true),
        disabled: None,
        data: is_later.then(|| serde_json::json!(chosen)),
    })
}

/// Makes the change of an action that was chosen.
pub(crate) fn resolve(view: &View, mut action: CodeAction) -> Result<CodeAction, Failure> {
    let gone = || Failure::Refused("this action does not apply any more; ask for actions again".to_owned());
    let chosen = chosen(&action).ok_or_else(gone)?;
    let file: SourceFile = view.file(&chosen.uri).ok_or_else(gone)?;
    let selection = FileSpan::new(file, view.span(file, chosen.range));
    let all = actions::actions(&view.snapshot, selection, &wanted(action.kind.as_ref().map(std::slice::from_ref)));
    let found = all.into_iter().find(|one| one.title == action.title).ok_or_else(gone)?;
    let change = found.change.or_else(|| actions::resolve(&view.snapshot, &found.id)).ok_or_else(gone)?;
    let cannot = || Failure::Refused("the editor cannot make this change, which creates files".to_owned());
    action.edit = Some(edit(view, &change).ok_or_else(cannot)?);
    Ok(action)
}

/// Returns the data by which an offered action is found again.
pub(crate) fn chosen(action: &CodeAction) -> Option<Chosen> {
    serde_json::from_value(action.data.clone()?).ok()
}

fn edit(view: &View, change: &Change) -> Option<WorkspaceEdit> {
    let creates = change.creates.iter().map(|one| Some((files::uri(&one.name)?, one.text.clone())));
    edits::workspace(view, &creates.collect::<Option<Vec<_>>>()?, &change.edits)
}
