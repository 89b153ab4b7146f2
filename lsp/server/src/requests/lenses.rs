//! `textDocument/codeLens` and `codeLens/resolve`: commands for a definition. Test results are only computed for
//! visible lenses.

use ogc_ide::code_lens::{self, LensKind};
use ogc_ide::tests::run_tests;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp_server::ls_types::{CodeLens, CodeLensParams, Command, Uri};

use crate::failure::Failure;
use crate::requests::commands;
use crate::view::View;

/// The data by which a visible lens is found again.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Seen {
    /// The document.
    pub(crate) uri: Uri,
    kind: Kind,
    definition: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
enum Kind {
    Tests,
    Build,
    Sample,
}

/// Returns the lenses of a document.
pub(crate) fn document(view: &View, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Failure> {
    let uri = params.text_document.uri;
    let Some(file) = view.file(&uri).filter(|_| view.settings.code_lens) else { return Ok(None) };
    let lenses = code_lens::code_lenses(&view.snapshot, file).into_iter().map(|lens| {
        let kind = match lens.kind {
            LensKind::Tests => Kind::Tests,
            LensKind::Build => Kind::Build,
            LensKind::Sample => Kind::Sample,
        };
        let seen = Seen { uri: uri.clone(), kind, definition: lens.format.name.as_deref().map(str::to_owned) };
        CodeLens { range: view.to_range(file, lens.span), command: None, data: Some(json!(seen)) }
    });
    Ok(Some(lenses.collect()))
}

/// Returns the data by which a lens is found again.
pub(crate) fn seen(lens: &CodeLens) -> Option<Seen> {
    serde_json::from_value(lens.data.clone()?).ok()
}

/// Adds the title and the command to a lens.
pub(crate) fn resolve(view: &View, mut lens: CodeLens) -> Result<CodeLens, Failure> {
    let gone = || Failure::Refused("this lens does not apply any more; ask for lenses again".to_owned());
    let seen = seen(&lens).ok_or_else(gone)?;
    let (title, command) = match seen.kind {
        Kind::Tests => (tests_title(view, &seen).ok_or_else(gone)?, commands::RUN_TESTS),
        Kind::Build => ("Build".to_owned(), commands::BUILD),
        Kind::Sample => ("Samples".to_owned(), commands::SAMPLE),
    };
    let mut about = json!({ "textDocument": { "uri": seen.uri } });
    if let Some(definition) = seen.definition {
        about["definition"] = json!(definition);
    }
    lens.command = Some(Command { title, command: command.to_owned(), arguments: Some(vec![about]) });
    Ok(lens)
}

fn tests_title(view: &View, seen: &Seen) -> Option<String> {
    let file = view.file(&seen.uri)?;
    let result = run_tests(&view.snapshot, file, seen.definition.as_deref()).into_iter().next()?;
    let (passed, failed) = (result.passed, result.failures.len());
    Some(match (failed, result.is_broken) {
        (_, true) => "Tests cannot run".to_owned(),
        (0, false) if passed == 1 => "\u{2713} 1 case holds".to_owned(),
        (0, false) => format!("\u{2713} all {passed} cases hold"),
        (_, false) => format!("\u{2717} {failed} of {} cases failed", passed + failed),
    })
}
