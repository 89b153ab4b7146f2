//! A format written in another notation.

use ogc_compiler::pipeline::{self, Format};
use ogc_export::notation::{Notation, Refusal, exported};

use super::{RequestError, broken};
use crate::snapshot::Snapshot;

/// Writes a format in another notation with the same meaning; returns the text and the messages about it.
///
/// # Errors
/// The format has errors, or the notation cannot express it.
pub fn export(snapshot: &Snapshot, format: &Format, to: Notation) -> Result<(String, Vec<String>), RequestError> {
    let db = &snapshot.db;
    if pipeline::automaton(db, format.clone()).is_none() {
        return Err(broken(snapshot, format));
    }
    match exported(db, format, to) {
        Ok((text, found)) => Ok((text, found.into_iter().map(|found| found.message).collect())),
        Err(Refusal::NoStage(message)) => Err(RequestError::Engine(message)),
        Err(Refusal::Findings(found)) => {
            let first = found.into_iter().find(ogc_grammar::Diagnostic::is_error);
            let message = first.map_or_else(|| "this notation cannot say it".to_owned(), |found| found.message);
            Err(RequestError::Engine(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, to: Notation) -> Result<String, String> {
        let read = Fixture::new(fixture);
        let format = super::super::decide(&read.snapshot, read.snapshot.files()[0], None).unwrap();
        export(&read.snapshot, &format, to).map(|(text, _)| text).map_err(|error| error.to_string())
    }

    #[test]
    fn formats_export_to_every_notation() {
        let record = "output O = { a: 1..3 }\n";
        for to in Notation::ALL {
            let text = check(record, to);
            assert_eq!(text.is_ok(), to != Notation::Ogc, "{to:?}: {text:?}");
        }
        assert!(check(record, Notation::JsonSchema).unwrap().contains("\"properties\""));
        assert!(check(record, Notation::Gbnf).unwrap().contains("root ::="));
        assert_eq!(check("//- g.gbnf\nroot ::= \"a\" | \"b\"\n", Notation::Regex).unwrap().trim_end(), "a|b");
        assert!(check("//- g.gbnf\nroot ::= \"a\"\n", Notation::Ogc).unwrap().contains("rule root"));
    }

    #[test]
    fn formats_that_a_notation_cannot_express_are_errors() {
        let error = check("output O = \"a\" int\n", Notation::JsonSchema).unwrap_err();
        assert!(error.contains("JSON Schema describes values"), "{error}");
        let error = check("output O = \"(\" O? \")\"\n", Notation::Regex).unwrap_err();
        assert!(!error.is_empty());
        let error = check("output O = Nope\n", Notation::Gbnf).unwrap_err();
        assert!(error.starts_with("`O` has an error"), "{error}");
    }
}
