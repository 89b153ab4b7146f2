//! Inspects masks: the tokens that may follow a prefix of a text, grouped for people, and why a token may follow or
//! not.

use std::sync::Arc;

use always_assert::never;
use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::pipeline::Format;
use ogc_grammar::Span;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker, shown};

use crate::attempt::{Reason, Trial, accept_most, may_follow, open_rules};
use crate::cut::cut;
use crate::describe::show;

/// The tokens that may follow a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskView {
    /// The number of allowed tokens.
    pub allowed: usize,
    /// The number of tokens in the vocabulary.
    pub total: usize,
    /// Whether the text may end here.
    pub is_complete: bool,
    /// The allowed tokens that match the filter, in non-empty groups.
    pub groups: Vec<TokenGroup>,
}

/// A group of allowed tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenGroup {
    /// The kind of its tokens.
    pub kind: GroupKind,
    /// The number of its tokens.
    pub count: usize,
    /// The first tokens of the group.
    pub tokens: Vec<TokenId>,
}

/// The kinds of tokens, mostly by their first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// Tokens that end the text.
    End,
    /// Tokens that the format names.
    Named,
    /// Quotes.
    Quotes,
    /// Brackets.
    Brackets,
    /// Digits.
    Digits,
    /// Letters, including those beyond ASCII.
    Letters,
    /// Other signs.
    Signs,
    /// White space followed by something else.
    SpaceAndMore,
    /// White space only.
    Space,
    /// Control characters.
    Controls,
    /// The rest of an incomplete character, or bytes that form no complete character.
    Bytes,
}

impl GroupKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 11] = [
        Self::End,
        Self::Named,
        Self::Quotes,
        Self::Brackets,
        Self::Digits,
        Self::Letters,
        Self::Signs,
        Self::SpaceAndMore,
        Self::Space,
        Self::Controls,
        Self::Bytes,
    ];

    /// Returns the title of the group.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::End => "end of the text",
            Self::Named => "named tokens",
            Self::Quotes => "quotes",
            Self::Brackets => "brackets",
            Self::Digits => "digits",
            Self::Letters => "letters",
            Self::Signs => "other signs",
            Self::SpaceAndMore => "white space and more",
            Self::Space => "white space",
            Self::Controls => "control characters",
            Self::Bytes => "parts of characters",
        }
    }

    /// Returns the kind of a token.
    #[must_use]
    pub fn of(vocabulary: &Vocabulary, token: TokenId) -> Self {
        if vocabulary.eos().contains(&token) {
            return Self::End;
        }
        if vocabulary.name_of(token).is_some() {
            return Self::Named;
        }
        let text = vocabulary.text(token).unwrap_or_default();
        let Some(valid) = text.utf8_chunks().next().map(|chunk| chunk.valid()) else { return Self::Bytes };
        match valid.chars().next() {
            None => Self::Bytes,
            Some('"' | '\'' | '`') => Self::Quotes,
            Some('{' | '}' | '[' | ']' | '(' | ')' | '<' | '>') => Self::Brackets,
            Some(c) if c.is_numeric() => Self::Digits,
            Some(c) if c.is_alphabetic() => Self::Letters,
            Some(c) if c.is_whitespace() && valid.len() == text.len() && valid.trim().is_empty() => Self::Space,
            Some(c) if c.is_whitespace() => Self::SpaceAndMore,
            Some(c) if c.is_control() => Self::Controls,
            Some(_) => Self::Signs,
        }
    }
}

/// The reason why there is no mask after a prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// The format refuses the prefix.
    #[error("the text is refused after {accepted} bytes; a mask follows an accepted beginning only")]
    Refused {
        /// The number of accepted bytes.
        accepted: usize,
    },
    /// The engine gives up.
    #[error(transparent)]
    Engine(#[from] MatchError),
}

/// Makes a matcher after a prefix.
fn after(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, prefix: &[u8]) -> Result<Matcher, MaskError> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let accepted = accept_most(&mut matcher, prefix)?;
    if accepted < prefix.len() { Err(MaskError::Refused { accepted }) } else { Ok(matcher) }
}

/// Shows the tokens that may follow a prefix and whose text or name contains `filter`: of each group, the first
/// `per_group`.
///
/// # Errors
///
/// The format refuses the prefix, or the engine gives up.
pub fn mask_view(
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    prefix: &[u8],
    filter: &str,
    per_group: usize,
) -> Result<MaskView, MaskError> {
    let mut matcher = after(automaton, store, prefix)?;
    let (mask, vocabulary) = (matcher.mask()?, store.vocabulary());
    let allowed = mask.tokens();
    let mut groups = GroupKind::ALL.map(|kind| TokenGroup { kind, count: 0, tokens: Vec::new() });
    for &token in allowed.iter().filter(|&&token| contains(vocabulary, token, filter)) {
        let kind = GroupKind::of(vocabulary, token);
        let Some(group) = groups.iter_mut().find(|group| group.kind == kind) else {
            never!("`GroupKind::ALL` lacks {:?}", kind);
            continue;
        };
        group.count += 1;
        if group.tokens.len() < per_group {
            group.tokens.push(token);
        }
    }
    let groups = groups.into_iter().filter(|group| group.count > 0).collect();
    Ok(MaskView { allowed: allowed.len(), total: vocabulary.len(), is_complete: matcher.is_complete(), groups })
}

/// Returns whether a token's text or name contains `wanted`.
fn contains(vocabulary: &Vocabulary, token: TokenId, wanted: &str) -> bool {
    let has = |text: &[u8]| text.windows(wanted.len()).any(|part| part == wanted.as_bytes());
    wanted.is_empty()
        || vocabulary.text(token).is_some_and(has)
        || vocabulary.name_of(token).is_some_and(|name| has(name.as_bytes()))
}

/// Finds a token by its text, by a name such as `<think>`, or by a number after `#`.
#[must_use]
pub fn find_token(vocabulary: &Vocabulary, wanted: &str) -> Option<TokenId> {
    let of_text = vocabulary.texts().find(|(_, text)| *text == wanted.as_bytes()).map(|(token, _)| token);
    let of_number = || wanted.strip_prefix('#')?.parse().ok().map(TokenId).filter(|id| id.index() < vocabulary.len());
    of_text.or_else(|| vocabulary.named(wanted)).or_else(of_number)
}

/// The answer about one token after a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAnswer {
    /// The token.
    pub id: TokenId,
    /// Whether it may follow.
    pub is_allowed: bool,
    /// The accepted prefix of its bytes.
    pub accepted: Vec<u8>,
    /// The reason why the rest is refused, in a sentence.
    pub reason: Option<String>,
    /// The reason why the text with the token is refused.
    pub detail: Option<Reason>,
    /// File and place of the innermost open rule that has a place: the rule that decides.
    pub place: Option<(SourceFile, Span)>,
}

/// Tells whether a token may follow a prefix, and the reason if it may not.
///
/// # Errors
///
/// The format refuses the prefix, or the engine gives up.
pub fn why(
    db: &dyn Db,
    format: &Format,
    trial: &Trial,
    store: &Arc<MaskStore>,
    prefix: &[u8],
    token: TokenId,
) -> Result<TokenAnswer, MaskError> {
    let mut matcher = after(trial.automaton(), store, prefix)?;
    let explanation = matcher.explain(token);
    let vocabulary = store.vocabulary();
    let bytes = vocabulary.text(token).map(<[u8]>::to_vec);
    let bytes = bytes.or_else(|| vocabulary.name_of(token).map(marker)).unwrap_or_default();
    let place = open_rules(db, format, &explanation.position).into_iter().find_map(|rule| rule.place);
    let read = explanation.accepted_bytes.min(bytes.len());
    let (accepted, rest) = cut(&bytes, read);
    let mut answer = TokenAnswer {
        id: token,
        is_allowed: explanation.allowed,
        accepted: accepted.to_vec(),
        reason: None,
        detail: None,
        place,
    };
    if explanation.allowed {
        return Ok(TokenAnswer { accepted: bytes, ..answer });
    }
    let expected = match matcher.accept_bytes(&answer.accepted) {
        Ok(()) => may_follow(&mut matcher),
        Err(error) => error.to_string(),
    };
    answer.reason = Some(match vocabulary.eos().contains(&token) {
        true => format!("the text cannot end here: expected {expected}"),
        false => format!("`{}` cannot follow: expected {expected}", show(shown(rest).as_bytes())),
    });
    let refused = trial.refusal(&[prefix, &bytes].concat())?;
    answer.detail = refused.filter(|refused| refused.accepted == prefix.len() + read).map(|refused| refused.reason);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options};
    use ogc_compiler::pipeline::formats;

    use super::*;
    use crate::random::Random;
    use crate::sample::{SampleOptions, samples};

    fn format(db: &Compiler, body: &str) -> (Format, Trial) {
        let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(db, "t.ogc".to_owned(), format!("output T = {body}\n"), Language::Ogc, options);
        let format = formats(db, file).remove(0);
        let trial = Trial::of(db, &format).expect("bytes").expect(body);
        (format, trial)
    }

    fn store() -> Arc<MaskStore> {
        let mut texts: Vec<Option<Vec<u8>>> = (0..=u8::MAX).map(|byte| Some(vec![byte])).collect();
        let more = ["ab", "true", "\":", "\",\"", " a", "  ", "12", "{\"", "}\n", "é", "nul", "x\"", "[1", "\\n"];
        texts.extend(more.map(|text| Some(text.as_bytes().to_vec())));
        let count = texts.len() as u32;
        let specials = [("</s>", count), ("<think>", count + 1)];
        MaskStore::new(Arc::new(Vocabulary::from_tokens(&texts, &specials).expect("a vocabulary")))
    }

    #[test]
    fn token_groups_partition_the_mask_and_answers_agree_with_it() {
        let (db, store, mut random) = (Compiler::default(), store(), Random::new(9));
        let total = store.vocabulary().len();
        for body in [
            "{ a: string, b?: int[0..3] }",
            "/[a-z\\n ]+/ \"12\"?",
            "tok\"<think>\" text<max_chars = 9>",
            "bool | null | \"é\"",
        ] {
            let (format, trial) = format(&db, body);
            let texts = samples(trial.automaton(), SampleOptions { count: 6, seed: 2, length: 40 }).expect(body);
            for text in texts {
                let prefix = &text[..random.below(text.len() as u64 + 1) as usize];
                let Ok(view) = mask_view(trial.automaton(), &store, prefix, "", 1_000) else { continue };
                assert_eq!(view.groups.iter().map(|group| group.count).sum::<usize>(), view.allowed, "{body}");
                let listed: Vec<TokenId> = view.groups.iter().flat_map(|group| group.tokens.clone()).collect();
                assert_eq!((listed.len(), view.total), (view.allowed, total));
                for id in (0..total as u32).map(TokenId) {
                    let answer = why(&db, &format, &trial, &store, prefix, id).expect("an answer");
                    assert_eq!(answer.is_allowed, listed.contains(&id), "{body} {id:?} after {prefix:?}");
                    assert_eq!(answer.reason.is_none(), answer.is_allowed);
                }
            }
        }
    }

    #[test]
    fn an_answer_names_the_refused_text_and_position() {
        let (db, store) = (Compiler::default(), store());
        let (format, trial) = format(&db, "{ a: bool }");
        let find = |text| find_token(store.vocabulary(), text).expect("a token");
        let answer = why(&db, &format, &trial, &store, b"{\"a\":", find("nul")).expect("an answer");
        assert_eq!((answer.is_allowed, answer.accepted.as_slice()), (false, &b""[..]));
        assert!(answer.reason.is_some_and(|reason| reason.starts_with("`nul` cannot follow: expected `")));
        assert!(answer.place.is_some() && answer.detail.is_some());
        let end = why(&db, &format, &trial, &store, b"{", find("</s>")).expect("an answer");
        assert!(end.reason.is_some_and(|reason| reason.starts_with("the text cannot end here")));
        assert_eq!(mask_view(trial.automaton(), &store, b"{x", "", 9), Err(MaskError::Refused { accepted: 1 }));
        let filtered = mask_view(trial.automaton(), &store, b"{\"a\":", "rue", 9).expect("a mask");
        assert_eq!(filtered.groups.iter().map(|group| group.count).sum::<usize>(), 1);
    }
}
