//! `ogc/tests`, `ogc/testResults` and `ogc/acceptTest`: the tests of a file, their results, and the change that makes a
//! failing case hold.

use ogc_ide::SourceFile;
use ogc_ide::actions::accepted_case;
use ogc_ide::tests::{CaseItem, CaseOutcome, Expectation, TestItem, nearest_text, outcomes, test_items};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{Range, TextDocumentIdentifier, TextDocumentPositionParams, WorkspaceEdit};

use super::{DocumentParams, file};
use crate::failure::Failure;
use crate::requests::edits;
use crate::view::View;

/// A `test` item, with its cases or their results.
#[derive(Debug, Serialize)]
pub(crate) struct Test<C> {
    definition: String,
    range: Range,
    cases: Vec<C>,
}

/// A case.
#[derive(Debug, Serialize)]
pub(crate) struct TestCase {
    range: Range,
    accept: bool,
    subject: String,
    reason: Option<String>,
}

/// The result of a case.
#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(crate) enum CaseResult {
    /// The case holds.
    Passed { range: Range },
    /// The case does not hold.
    Failed {
        range: Range,
        /// The message of the finding.
        message: String,
        /// Advice on how to fix it.
        help: Option<String>,
        /// Place of the refused byte, or of the whole case.
        at: Range,
        /// For a case that should be accepted: its text, and a similar accepted text.
        texts: Option<Texts>,
    },
    /// The case could not be run.
    Skipped { range: Range, message: String },
}

/// A refused text, and a similar text that is accepted.
#[derive(Debug, Serialize)]
pub(crate) struct Texts {
    refused: String,
    accepted: String,
}

/// Parameters of `ogc/testResults`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResultsParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
    definition: Option<String>,
}

/// Maximum number of failing cases per file for which similar accepted texts are searched.
const SEARCHED: usize = 20;

/// Lists the tests of a file.
pub(crate) fn list(view: &View, params: DocumentParams) -> Result<Vec<Test<TestCase>>, Failure> {
    let file = file(view, &params.text_document.uri)?;
    let case = |case: &CaseItem| TestCase {
        range: view.to_range(file, case.span),
        accept: case.expectation == Expectation::Accept,
        subject: view.snapshot.slice(file, case.subject).to_owned(),
        reason: case.reason.clone(),
    };
    let test = |test: TestItem| Test {
        range: view.to_range(file, test.span),
        cases: test.cases.iter().map(case).collect(),
        definition: test.definition,
    };
    Ok(test_items(&view.snapshot, file).into_iter().map(test).collect())
}

/// Runs the tests of a file, or of one definition.
pub(crate) fn results(view: &View, params: ResultsParams) -> Result<Vec<Test<CaseResult>>, Failure> {
    let file = file(view, &params.text_document.uri)?;
    let mut left = SEARCHED;
    let tests = test_items(&view.snapshot, file).into_iter();
    let wanted = tests.filter(|test| params.definition.as_ref().is_none_or(|name| *name == test.definition));
    Ok(wanted.map(|test| run(view, file, test, &mut left)).collect())
}

fn run(view: &View, file: SourceFile, test: TestItem, left: &mut usize) -> Test<CaseResult> {
    let outcomes = outcomes(&view.snapshot, file, &test);
    let cases = test.cases.iter().zip(outcomes).map(|(case, outcome)| {
        let range = view.to_range(file, case.span);
        match outcome {
            CaseOutcome::Holds => CaseResult::Passed { range },
            CaseOutcome::NotRun => {
                let name = &test.definition;
                CaseResult::Skipped { range, message: format!("the case or `{name}` has errors, or takes too long") }
            }
            CaseOutcome::Fails(found) => {
                let is_searched = case.expectation == Expectation::Accept && *left > 0;
                *left -= usize::from(is_searched);
                let near =
                    is_searched.then(|| nearest_text(&view.snapshot, file, &test.definition, case.span)).flatten();
                CaseResult::Failed {
                    range,
                    message: found.message,
                    help: found.help,
                    at: view.to_range(file, found.span),
                    texts: near.map(|(refused, accepted)| Texts { refused, accepted }),
                }
            }
        }
    });
    let cases = cases.collect();
    Test { range: view.to_range(file, test.span), cases, definition: test.definition }
}

/// Makes the change that makes the failing case at a position hold; `None` if no case fails there.
pub(crate) fn accept(view: &View, params: TextDocumentPositionParams) -> Result<Option<WorkspaceEdit>, Failure> {
    let file = file(view, &params.text_document.uri)?;
    let change = accepted_case(&view.snapshot, view.at(file, params.position));
    Ok(change.and_then(|change| edits::workspace(view, &[], &change.edits)))
}
