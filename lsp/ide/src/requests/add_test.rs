//! Adds a text to the test of its definition.

use ogc_compiler::db::Language;
use ogc_compiler::pipeline::{self, Format};

use super::{RequestError, attempt, broken};
use crate::actions::{Change, with_text};
use crate::snapshot::Snapshot;

/// Returns the change that adds a text to the test of a definition, as an `accept` or a `reject` case, whichever holds.
///
/// # Errors
/// The format has errors, or is none of the definitions of an `.ogc` file.
pub fn add_test(snapshot: &Snapshot, format: &Format, text: &str) -> Result<Change, RequestError> {
    if snapshot.language(format.file) != Language::Ogc {
        return Err(RequestError::Undecided("only `.ogc` files have tests".to_owned()));
    }
    let tried = attempt(snapshot, format, text, None)?;
    let automaton = pipeline::automaton(&snapshot.db, format.clone()).ok_or_else(|| broken(snapshot, format))?;
    let change = with_text(snapshot, format, text, tried.is_accepted, &automaton.tokens);
    change.ok_or_else(|| RequestError::Undecided("the file has no such definition of its own".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::place::applied;
    use crate::tests::{CaseOutcome, outcomes, test_items};

    /// Adds a text to the test of `O`, and checks that its case holds.
    #[track_caller]
    fn check(file: &str, text: &str, expected: &str) {
        let read = Fixture::new(file);
        let file = read.snapshot.files()[0];
        let change = add_test(&read.snapshot, &Format::named(file, "O"), text).unwrap();
        let after = applied(read.snapshot.text(file), &change.edits[0].edits);
        assert_eq!(after, expected);
        let read = Fixture::new(&after);
        let file = read.snapshot.files()[0];
        let test = test_items(&read.snapshot, file).remove(0);
        assert!(outcomes(&read.snapshot, file, &test).iter().all(|end| *end == CaseOutcome::Holds), "{after}");
    }

    #[test]
    fn tried_texts_become_passing_test_cases() {
        let record = "output O = { a: int }\n";
        check(record, "{\"a\":1}", "output O = { a: int }\ntest O {\n  accept '{\"a\":1}'\n}\n");
        check(record, "{}\n", "output O = { a: int }\ntest O {\n  reject \"{}\\n\"\n}\n");
        check(record, "", "output O = { a: int }\ntest O {\n  reject \"\"\n}\n");
        let tested = "rule O = \"a\"\ntest O {\n  accept \"a\"\n}\n";
        check(tested, "b", "rule O = \"a\"\ntest O {\n  accept \"a\"\n  reject \"b\"\n}\n");
        let token = "output O = \"a\" tok\"<|end|>\"\n";
        check(
            token,
            "a<|end|>",
            &format!("{token}test O {{\n  accept \"a\" tok\"<|end|>\"\n}}\n").replace("\n\ntest", "\ntest"),
        );
        check(token, "<|end|>b", &format!("{token}test O {{\n  reject tok\"<|end|>\" \"b\"\n}}\n"));
    }

    #[test]
    fn formats_without_tests_are_refused() {
        let read = Fixture::new("//- s.json\n{}");
        let error = add_test(&read.snapshot, &Format { file: read.snapshot.files()[0], name: None }, "{}").unwrap_err();
        assert_eq!(error.to_string(), "only `.ogc` files have tests");
        let read = Fixture::new("output O = Nope\n");
        assert!(add_test(&read.snapshot, &Format::named(read.snapshot.files()[0], "O"), "{}").is_err());
    }
}
