//! The difference of two formats, as texts that one accepts and the other refuses.

use std::sync::Arc;

use ogc_compiler::db::SourceFile;
use ogc_compiler::pipeline::{self, Format};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::vocabulary::shown;
use ogc_workbench::difference::{SearchLimits, difference as search};
use salsa::Database;

use super::{RequestError, broken, decide};
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;

/// The other side of a comparison with a format.
#[derive(Clone, Copy, Debug)]
pub enum Other<'q> {
    /// Another format.
    Format(&'q Format),
    /// A definition in another text of the file; without a name, the definition with the same name.
    Text(&'q str, Option<&'q str>),
}

/// The difference of two formats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// A text that the format accepts and the other one refuses.
    pub only_this: Option<String>,
    /// A text that the other one accepts and the format refuses.
    pub only_other: Option<String>,
    /// Whether a missing text proves that none exists; `false` if the search reached a limit.
    pub is_complete: bool,
}

/// Compares two formats.
///
/// # Errors
/// One of them has errors, or there is no such definition in the other text.
pub fn difference(snapshot: &Snapshot, format: &Format, other: Other<'_>) -> Result<Difference, RequestError> {
    let this = compiled(snapshot, format)?;
    let other = match other {
        Other::Format(other) => compiled(snapshot, other)?,
        Other::Text(text, name) => in_text(snapshot, format.file, text, name.or(format.name.as_deref()))?,
    };
    let poll = || snapshot.db.unwind_if_revision_cancelled();
    let found = search(&this, &other, SearchLimits::default(), &poll);
    Ok(Difference {
        only_this: found.only_first.as_deref().map(shown),
        only_other: found.only_second.as_deref().map(shown),
        is_complete: found.is_complete(),
    })
}

fn compiled(snapshot: &Snapshot, format: &Format) -> Result<Arc<Automaton>, RequestError> {
    pipeline::automaton(&snapshot.db, format.clone()).ok_or_else(|| broken(snapshot, format))
}

/// Compiles a definition in another text of a file; all other files stay as they are.
fn in_text(
    snapshot: &Snapshot,
    file: SourceFile,
    text: &str,
    name: Option<&str>,
) -> Result<Arc<Automaton>, RequestError> {
    let mut scratch = Scratch::of(snapshot);
    scratch.set(file, text);
    let gone = || RequestError::Undecided("the file is not there any more".to_owned());
    let copy = scratch.copy(file).ok_or_else(gone)?;
    scratch.read(|other| {
        let format = decide(other, copy, name)?;
        compiled(other, &format).map_err(|error| match error {
            RequestError::Broken { name, message } => {
                RequestError::Broken { name: format!("{name}` in the other text, `{name}"), message }
            }
            error => error,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(text: &str, other: &str, expected: (Option<&str>, Option<&str>)) {
        let fixture = Fixture::new(text);
        let format = Format::named(fixture.snapshot.files()[0], "O");
        let found = difference(&fixture.snapshot, &format, Other::Text(other, None)).unwrap();
        assert!(found.is_complete);
        assert_eq!((found.only_this.as_deref(), found.only_other.as_deref()), expected);
    }

    #[test]
    fn a_difference_has_one_example_text_per_side() {
        check("output O = int<0..5>\n", "output O = int<0..5>\n", (None, None));
        check("output O = int<0..5>\n", "output O = int<0..4>\n", (Some("5"), None));
        check("output O = \"a\" | \"b\"\n", "rule r = \"b\" | \"c\"\noutput O = r\n", (Some("a"), Some("c")));
    }

    #[test]
    fn errors_in_either_version_are_reported() {
        let fixture = Fixture::new("output O = int\noutput P = string\n");
        let file = fixture.snapshot.files()[0];
        let format = Format::named(file, "O");
        let ask = |other| difference(&fixture.snapshot, &format, other).map_err(|error| error.to_string());
        assert!(ask(Other::Text("output O = Nope\n", None)).unwrap_err().contains("Nope"));
        assert!(ask(Other::Text("output Q = int\n", None)).unwrap_err().contains("no definition `O`"));
        let other = Format::named(file, "P");
        assert!(ask(Other::Format(&other)).unwrap().only_this.is_some());
    }
}
