//! Requests beyond the standard protocol: samples, texts matched against a format, masks, diagrams, differences.
//!
//! `lsp/REQUESTS.md` describes them for authors of clients. Every request has a file.

mod add_test;
mod attempt;
mod convert;
mod diagram;
mod difference;
mod export;
mod formats;
mod mask;
mod sample;

use ogc_compiler::db::SourceFile;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::{Code, Diagnostic};
use thiserror::Error;

use crate::snapshot::Snapshot;

pub use add_test::add_test;
pub use attempt::{Attempt, CapturedPart, TokenPiece, attempt};
pub use convert::convert;
pub use diagram::diagram;
pub use difference::{Difference, Other, difference};
pub use export::export;
pub use formats::{DefinitionAt, definition_at, formats};
pub use mask::{Mask, MaskGroup, MaskQuestion, TokenFacts, TokenName, mask, token};
pub use ogc_export::notation::Notation;
pub use ogc_workbench::sample::SampleOptions;
pub use sample::{Samples, sample};

/// The reason why a request about a format has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// The file has no format, or it has several and the request names none.
    #[error("{0}")]
    Undecided(String),
    /// The format has errors.
    #[error("`{name}` has an error: {message}")]
    Broken {
        /// The definition or the file.
        name: String,
        /// The first error.
        message: String,
    },
    /// The vocabulary is not configured, or not loaded yet.
    #[error(
        "the vocabulary `{0}` is not loaded; `build.vocab` in ogc.toml and the editor's settings name vocabularies"
    )]
    NoVocabulary(String),
    /// The engine gave up.
    #[error("{0}")]
    Engine(String),
}

/// Returns the format that a request names: a definition, or the only output of the file.
///
/// # Errors
/// There is no such definition, or there are several outputs.
pub fn decide(snapshot: &Snapshot, file: SourceFile, definition: Option<&str>) -> Result<Format, RequestError> {
    let selected = pipeline::select(&snapshot.db, file, definition);
    selected.map_err(|error| RequestError::Undecided(error.to_string()))
}

/// Returns the error of a format that does not compile.
fn broken(snapshot: &Snapshot, format: &Format) -> RequestError {
    let found = pipeline::format_diagnostics(&snapshot.db, format);
    let all = found.iter().chain(pipeline::diagnostics(&snapshot.db, format.file));
    let first = all.filter(|found| found.is_error()).find(|found| found.code != Code::MoreDiagnostics);
    let message = first.map_or("it does not compile", |found: &Diagnostic| &found.message).to_owned();
    let name = format.name.as_deref().unwrap_or_else(|| snapshot.name(format.file)).to_owned();
    RequestError::Broken { name, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, definition: Option<&str>, expected: Result<&str, &str>) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let decided = decide(&fixture.snapshot, file, definition);
        let decided = decided.map(|format| format.name.as_deref().unwrap_or("*").to_owned()).map_err(|e| e.to_string());
        assert_eq!(decided.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn the_format_of_a_request_is_resolved() {
        check("type A = int\noutput O = A\n", None, Ok("O"));
        check("type A = int\noutput O = A\n", Some("A"), Ok("A"));
        check("//- s.schema.json\n{}\n", None, Ok("*"));
        let unknown = "there is no definition `B` without parameters; the definitions are A, O";
        check("type A = int\noutput O = A\n", Some("B"), Err(unknown));
        check("type A = int\n", None, Err("there is no output; the definitions are A"));
        check("output A = int\noutput B = int\n", None, Err("there are several outputs; the definitions are A, B"));
    }
}
