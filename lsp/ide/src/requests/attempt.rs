//! Matches a text against a format: how far it is accepted, the texts that may come there, and why it is refused.

use always_assert::never;
use ogc_compiler::pipeline::Format;
use ogc_runtime::captures::Capture;
use ogc_runtime::vocabulary::shown;
use ogc_workbench::attempt::{self as workbench, Trial, greedy_pieces};

use super::{RequestError, broken};
use crate::items::rule_title;
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// The result of matching a text. Places in the text are byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Whether the whole text is accepted.
    pub is_accepted: bool,
    /// Length of the longest accepted prefix, in bytes.
    pub prefix: usize,
    /// Whether that prefix is a complete text.
    pub is_complete: bool,
    /// Description of the texts that may follow that prefix.
    pub expected: String,
    /// The reason why the text is refused.
    pub reason: Option<String>,
    /// Advice on how to fix it.
    pub help: Option<String>,
    /// The path in a JSON value, if the text is one.
    pub path: Option<String>,
    /// The rules that are open after that prefix, innermost first.
    pub rules: Vec<(String, Option<FileSpan>)>,
    /// The tokens of the text in a vocabulary, and the vocabulary's name.
    pub tokens: Option<(String, Vec<TokenPiece>)>,
    /// The captures of an accepted text.
    pub captures: Vec<CapturedPart>,
}

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPiece {
    /// Number of the token in the vocabulary.
    pub id: u32,
    /// Text of the token, in readable form.
    pub text: String,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
    /// Whether the format accepts it.
    pub is_accepted: bool,
}

/// A captured part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedPart {
    /// The name of the capture.
    pub name: String,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
    /// The captures in it.
    pub inner: Vec<CapturedPart>,
}

fn named(snapshot: &Snapshot, rule: &workbench::OpenRule) -> (String, Option<FileSpan>) {
    let place = rule.place.map(FileSpan::from);
    (rule_title(snapshot, &rule.name, place), place)
}

/// Tries a text on a format. With the name of a vocabulary, it also splits the text into tokens, each the longest
/// possible at its place. A tokenizer may split the text differently.
///
/// # Errors
/// The format has errors, the vocabulary is not loaded, or the format is too ambiguous for the engine.
pub fn attempt(
    snapshot: &Snapshot,
    format: &Format,
    text: &str,
    vocabulary: Option<&str>,
) -> Result<Attempt, RequestError> {
    let engine = |message: String| RequestError::Engine(message);
    let trial = Trial::of(&snapshot.db, format).map_err(|error| engine(error.to_string()))?;
    let trial = trial.ok_or_else(|| broken(snapshot, format))?;
    let bytes = workbench::with_tokens(text.as_bytes(), &trial.automaton().tokens);
    let done = workbench::attempt(&snapshot.db, format, &trial, &bytes).map_err(|error| engine(error.to_string()))?;
    let tokens = match vocabulary {
        Some(name) => Some((name.to_owned(), pieces(snapshot, name, &bytes, done.accepted)?)),
        None => None,
    };
    let reason = done.reason.unwrap_or_default();
    Ok(Attempt {
        is_accepted: done.is_accepted,
        prefix: done.accepted,
        is_complete: done.is_complete,
        expected: done.expected,
        reason: (!done.is_accepted).then_some(reason.message),
        help: reason.help,
        path: reason.path,
        rules: done.rules.into_iter().map(|rule| named(snapshot, &rule)).collect(),
        tokens,
        captures: done.captured.captures.iter().map(|capture| captured(capture, text.len())).collect(),
    })
}

fn pieces(snapshot: &Snapshot, name: &str, text: &[u8], accepted: usize) -> Result<Vec<TokenPiece>, RequestError> {
    let known = snapshot.settings.vocabularies.get(name);
    let vocabulary = known.ok_or_else(|| RequestError::NoVocabulary(name.to_owned()))?;
    let piece = |piece: workbench::Piece| TokenPiece {
        id: piece.id.0,
        text: shown(text.get(piece.start..piece.end).unwrap_or_else(|| {
            never!("{}..{} is no part of a text of {} bytes", piece.start, piece.end, text.len());
            &[]
        })),
        start: piece.start,
        end: piece.end,
        is_accepted: piece.end <= accepted,
    };
    Ok(greedy_pieces(&vocabulary.store(&snapshot.db), text).into_iter().map(piece).collect())
}

fn captured(capture: &Capture, len: usize) -> CapturedPart {
    CapturedPart {
        name: capture.name.to_string(),
        start: capture.start,
        end: capture.end.unwrap_or(len),
        inner: capture.inner.iter().map(|inner| captured(inner, len)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn tried(fixture: &str, text: &str) -> Attempt {
        let fixture = Fixture::new(fixture);
        let format = Format::named(fixture.snapshot.files()[0], "O");
        attempt(&fixture.snapshot, &format, text, None).unwrap()
    }

    #[test]
    fn accepted_texts_have_captures() {
        let done = tried("rule w = /[a-z]+/\noutput O = x: w \"-\" y: w\n", "ab-c");
        assert!(done.is_accepted && done.is_complete && done.reason.is_none());
        let captures: Vec<_> = done.captures.iter().map(|one| (one.name.as_str(), one.start, one.end)).collect();
        assert_eq!(captures, [("x", 0, 2), ("y", 3, 4)]);
    }

    #[test]
    fn refused_texts_say_where_and_why() {
        let done = tried("output O = { a: int<0..9> }\n", "{\"a\":12}");
        assert!(!done.is_accepted && !done.is_complete);
        assert_eq!((done.prefix, done.path.as_deref()), (6, Some("$.a")));
        assert!(done.reason.is_some() && !done.expected.is_empty() && !done.rules.is_empty(), "{done:?}");
    }

    #[test]
    fn an_unknown_vocabulary_is_an_error() {
        let fixture = Fixture::new("output O = int\n");
        let format = Format::named(fixture.snapshot.files()[0], "O");
        let error = attempt(&fixture.snapshot, &format, "1", Some("none")).unwrap_err();
        assert_eq!(error, RequestError::NoVocabulary("none".to_owned()));
    }
}
