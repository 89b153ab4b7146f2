//! `textDocument/codeLens` and `codeLens/resolve`: commands for a definition. Lenses that run tests show the results,
//! which are only computed for visible lenses; the others have their commands at once.

use ogc_ide::code_lens::{self, Lens, LensKind};
use ogc_ide::tests::run_tests;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp_server::ls_types::{CodeLens, CodeLensParams, Command, Uri};

use crate::failure::Failure;
use crate::requests::commands;
use crate::view::View;

/// The data by which a visible lens of tests is found again.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Seen {
    /// The document.
    pub(crate) uri: Uri,
    definition: Option<String>,
}

impl Seen {
    fn command(&self, title: &str, command: &str) -> Command {
        let mut about = json!({ "textDocument": { "uri": self.uri } });
        if let Some(definition) = &self.definition {
            about["definition"] = json!(definition);
        }
        Command { title: title.to_owned(), command: command.to_owned(), arguments: Some(vec![about]) }
    }
}

/// Returns the lenses of a document.
pub(crate) fn document(view: &View, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Failure> {
    let uri = params.text_document.uri;
    let Some(file) = view.file(&uri).filter(|_| view.settings.code_lens) else { return Ok(None) };
    let shown = |Lens { span, kind, format }: Lens| {
        let seen = Seen { uri: uri.clone(), definition: format.name.as_deref().map(str::to_owned) };
        let (command, data) = match kind {
            LensKind::Tests => (None, Some(json!(seen))),
            LensKind::Build => (Some(seen.command("Build", commands::BUILD)), None),
            LensKind::Sample => (Some(seen.command("Samples", commands::SAMPLE)), None),
        };
        CodeLens { range: view.to_range(file, span), command, data }
    };
    Ok(Some(code_lens::code_lenses(&view.snapshot, file).into_iter().map(shown).collect()))
}

/// Returns the data by which a lens is found again.
pub(crate) fn seen(lens: &CodeLens) -> Option<Seen> {
    serde_json::from_value(lens.data.clone()?).ok()
}

/// Adds the results of its tests and the command to a lens; one with a command stays unchanged.
pub(crate) fn resolve(view: &View, mut lens: CodeLens) -> Result<CodeLens, Failure> {
    if lens.command.is_none() {
        let gone = || Failure::Refused("this lens does not apply any more; ask for lenses again".to_owned());
        let seen = seen(&lens).ok_or_else(gone)?;
        lens.command = Some(seen.command(&tests_title(view, &seen).ok_or_else(gone)?, commands::RUN_TESTS));
    }
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
