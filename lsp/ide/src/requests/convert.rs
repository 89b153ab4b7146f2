//! A schema or a grammar written as `.ogc`.

use ogc_compiler::db::{Language, SourceFile};

use super::RequestError;
use crate::actions::convert::written;
use crate::snapshot::Snapshot;

/// Converts a file in another language to `.ogc`; returns the text and the messages about it.
///
/// # Errors
/// The file is in ogc's own language, or something in it cannot be written exactly.
pub fn convert(snapshot: &Snapshot, file: SourceFile) -> Result<(String, Vec<String>), RequestError> {
    if snapshot.language(file) == Language::Ogc {
        return Err(RequestError::Undecided("the file is in this language already".to_owned()));
    }
    let (text, found) = written(snapshot, file);
    let notes = found.iter().filter(|found| !found.is_error()).map(|found| found.message.clone()).collect();
    match (text, found.iter().find(|found| found.is_error())) {
        (Some(text), None) => Ok((text, notes)),
        (_, Some(error)) => Err(RequestError::Engine(error.message.clone())),
        (None, None) => Err(RequestError::Engine("the file cannot be written in this language".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str) -> Result<String, String> {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        convert(&fixture.snapshot, file).map(|(text, _)| text).map_err(|error| error.to_string())
    }

    #[test]
    fn schemas_and_grammars_convert_to_ogc() {
        let schema = check("//- s.schema.json\n{ \"type\": \"integer\", \"minimum\": 3 }\n").unwrap();
        assert!(schema.contains("int<3..>"), "{schema}");
        let grammar = check("//- g.gbnf\nroot ::= \"a\" | w\nw ::= [b-c]\n").unwrap();
        assert!(grammar.contains("rule w"), "{grammar}");
    }

    #[test]
    fn files_that_cannot_convert_say_why() {
        assert_eq!(check("type A = int\n"), Err("the file is in this language already".to_owned()));
        assert!(check("//- g.gbnf\nroot ::= missing\n").is_err());
    }
}
