//! The tokens that may follow a prefix, and why a token may not.

use std::sync::Arc;

use ogc_compiler::pipeline::{self, Format};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, shown};
use ogc_workbench::attempt::{Trial, with_tokens};
use ogc_workbench::mask_view::{MaskError, find_token, mask_view, why};

use super::{RequestError, broken};
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// The tokens that may follow a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The name of the vocabulary.
    pub vocabulary: String,
    /// The number of tokens that may follow.
    pub allowed: usize,
    /// The number of tokens of the vocabulary.
    pub total: usize,
    /// Whether the text may end here.
    pub is_complete: bool,
    /// The tokens, grouped by their first character.
    pub groups: Vec<MaskGroup>,
}

/// Tokens with the same kind of first character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskGroup {
    /// The kind of first character, in words.
    pub title: &'static str,
    /// Number of tokens in the group.
    pub count: usize,
    /// The first tokens of the group: numbers and texts.
    pub tokens: Vec<(u32, String)>,
}

/// A question about a mask.
#[derive(Clone, Copy, Debug)]
pub struct MaskQuestion<'q> {
    /// The prefix of a text.
    pub prefix: &'q str,
    /// The name of a vocabulary; if `None`, the first one of the file's settings.
    pub vocabulary: Option<&'q str>,
    /// A text that the shown tokens must contain.
    pub filter: &'q str,
    /// Maximum number of tokens shown per group.
    pub per_group: usize,
}

/// The token of a question.
#[derive(Clone, Copy, Debug)]
pub enum TokenName<'q> {
    /// Number of the token.
    Id(u32),
    /// Text of the token, or its name.
    Text(&'q str),
}

/// The facts about one token after a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenFacts {
    /// Number of the token.
    pub id: u32,
    /// Text of the token.
    pub text: String,
    /// Whether it may follow.
    pub is_allowed: bool,
    /// The accepted part of its text.
    pub accepted: String,
    /// The reason why the rest is refused.
    pub reason: Option<String>,
    /// The place in the source that decides this.
    pub place: Option<FileSpan>,
}

/// Cap on the tokens shown per group.
const MOST: usize = 200;

/// Shows the tokens that may follow a prefix, in groups.
///
/// # Errors
/// The format has errors or refuses the prefix, or the vocabulary is not loaded.
pub fn mask(snapshot: &Snapshot, format: &Format, question: MaskQuestion<'_>) -> Result<Mask, RequestError> {
    let automaton = pipeline::automaton(&snapshot.db, format.clone()).ok_or_else(|| broken(snapshot, format))?;
    let (name, store) = vocabulary(snapshot, format, question.vocabulary)?;
    let prefix = with_tokens(question.prefix.as_bytes(), &automaton.tokens);
    let per_group = question.per_group.min(MOST);
    let view = mask_view(&automaton, &store, &prefix, question.filter, per_group).map_err(|error| refused(&error))?;
    let groups = view.groups.iter().map(|group| MaskGroup {
        title: group.kind.title(),
        count: group.count,
        tokens: group.tokens.iter().map(|token| (token.0, text_of(store.vocabulary(), *token))).collect(),
    });
    let groups = groups.collect();
    Ok(Mask { vocabulary: name, allowed: view.allowed, total: view.total, is_complete: view.is_complete, groups })
}

/// Tells whether a token may follow a prefix, and the reason if it may not.
///
/// # Errors
/// The format has errors or refuses the prefix, or the vocabulary is not loaded or lacks the token.
pub fn token(
    snapshot: &Snapshot,
    format: &Format,
    prefix: &str,
    vocabulary_name: Option<&str>,
    wanted: TokenName<'_>,
) -> Result<TokenFacts, RequestError> {
    let trial = Trial::of(&snapshot.db, format).map_err(|error| RequestError::Engine(error.to_string()))?;
    let trial = trial.ok_or_else(|| broken(snapshot, format))?;
    let (name, store) = vocabulary(snapshot, format, vocabulary_name)?;
    let known = store.vocabulary();
    let id = match wanted {
        TokenName::Id(id) => Some(TokenId(id)).filter(|id| id.index() < known.len()),
        TokenName::Text(text) => find_token(known, text),
    };
    let id = id.ok_or_else(|| RequestError::Engine(format!("the vocabulary `{name}` has no such token")))?;
    let prefix = with_tokens(prefix.as_bytes(), &trial.automaton().tokens);
    let answer = why(&snapshot.db, format, &trial, &store, &prefix, id).map_err(|error| refused(&error))?;
    Ok(TokenFacts {
        id: id.0,
        text: text_of(known, id),
        is_allowed: answer.is_allowed,
        accepted: shown(&answer.accepted),
        reason: answer.reason,
        place: answer.place.map(FileSpan::from),
    })
}

/// Returns a vocabulary by name, or the first one of the file's settings.
fn vocabulary(
    snapshot: &Snapshot,
    format: &Format,
    name: Option<&str>,
) -> Result<(String, Arc<MaskStore>), RequestError> {
    let settings = snapshot.settings(format.file);
    let name = name.or(settings.vocabularies.first().map(String::as_str)).unwrap_or("o200k");
    let known = snapshot.settings.vocabularies.get(name);
    let known = known.ok_or_else(|| RequestError::NoVocabulary(name.to_owned()))?;
    Ok((name.to_owned(), known.store(&snapshot.db)))
}

fn text_of(vocabulary: &Vocabulary, token: TokenId) -> String {
    match (vocabulary.text(token), vocabulary.name_of(token)) {
        (_, Some(name)) => name.to_owned(),
        (Some(text), None) => shown(text),
        (None, None) => String::new(),
    }
}

fn refused(error: &MaskError) -> RequestError {
    RequestError::Engine(error.to_string())
}

#[cfg(test)]
mod tests {
    use ogc_workbench::vocabulary::bytes_and;

    use super::*;
    use crate::fixture::Fixture;

    fn fixture(text: &str) -> (Fixture, Format) {
        let mut fixture = Fixture::new(text);
        fixture.edit(|host| host.set_vocabulary("o200k", bytes_and(&["<x>".to_owned()]).unwrap()));
        let format = Format::named(fixture.snapshot.files()[0], "O");
        (fixture, format)
    }

    fn question(prefix: &str) -> MaskQuestion<'_> {
        MaskQuestion { prefix, vocabulary: None, filter: "", per_group: 3 }
    }

    #[test]
    fn tokens_are_grouped() {
        let (fixture, format) = fixture("output O = \"a\" /[0-9]/ | \"b\" tok\"<x>\" \"c\"\n");
        let found = mask(&fixture.snapshot, &format, question("")).unwrap();
        assert_eq!((found.allowed, found.is_complete), (2, false));
        let digits = mask(&fixture.snapshot, &format, question("a")).unwrap();
        let shown: Vec<_> = digits.groups.iter().map(|group| (group.title, group.count, group.tokens.len())).collect();
        assert_eq!(shown, [("digits", 10, 3)]);
        let named = mask(&fixture.snapshot, &format, question("b")).unwrap();
        assert_eq!(named.groups[0].tokens[0].1, "<x>");
        let error = mask(&fixture.snapshot, &format, question("z")).unwrap_err().to_string();
        assert!(error.contains("refused after 0 bytes"), "{error}");
    }

    #[test]
    fn a_refused_token_says_why() {
        let (fixture, format) = fixture("output O = \"ab\"\n");
        let ask = |wanted| token(&fixture.snapshot, &format, "a", None, wanted);
        assert!(ask(TokenName::Text("b")).unwrap().is_allowed);
        let facts = ask(TokenName::Text("c")).unwrap();
        assert!(!facts.is_allowed && facts.reason.is_some() && facts.place.is_some(), "{facts:?}");
        assert_eq!(ask(TokenName::Id(98)).unwrap().text, "b");
        assert!(ask(TokenName::Id(9_999)).is_err());
    }
}
