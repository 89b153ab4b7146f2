//! Generates texts for a program: random walks of the compiled format, and near misses of such walks.

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker};

use super::generate::TOKENS;
use ogc_kit::Random;

/// Makes a vocabulary of single bytes, some texts, an end and the tokens that programs name.
///
/// # Panics
/// The vocabulary does not build.
#[must_use]
pub fn store(more: &[Vec<u8>]) -> Arc<MaskStore> {
    store_with(more, &TOKENS)
}

/// Makes a vocabulary like [`store`], with other named tokens.
///
/// # Panics
/// The vocabulary does not build.
#[must_use]
pub fn store_with(more: &[Vec<u8>], names: &[&str]) -> Arc<MaskStore> {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let texts: Vec<Option<Vec<u8>>> = bytes.chain(more.iter().cloned()).map(Some).collect();
    let end = texts.len() as u32;
    let named = names.iter().copied().zip(end + 1..);
    let specials: Vec<(&str, u32)> = std::iter::once(("</s>", end)).chain(named).collect();
    let vocabulary = Vocabulary::from_tokens(&texts, &specials).expect("different tokens");
    MaskStore::new(Arc::new(vocabulary))
}

/// A text, and its tokens.
pub type Walk = (Vec<u8>, Vec<TokenId>);

/// Walks randomly along tokens that masks allow; returns the text and its tokens. Walks prefer `liked` bytes. `None` if
/// no small budget is enough.
///
/// # Errors
/// The walk does not end within its budget.
pub fn walk(
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    random: &mut Random,
    liked: &[u8],
) -> Result<Option<Walk>, String> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let fits = |budget: &u32| matcher.set_budget(Some(*budget)).is_ok();
    let Some(budget) = [12, 30, 80, 1_000].into_iter().find(fits) else { return Ok(None) };
    let (mut text, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..=budget {
        let mask = matcher.mask().map_err(|error| error.to_string())?;
        let ends = store.vocabulary().eos();
        let tokens: Vec<TokenId> = mask.tokens().into_iter().filter(|token| !ends.contains(token)).collect();
        if mask.allows_end() && (tokens.is_empty() || random.one_in(4)) {
            return Ok(Some((text, taken)));
        }
        let stuck = || format!("nothing is allowed after `{}`", text.escape_ascii());
        let token = choice(&tokens, store.vocabulary(), random, liked).ok_or_else(stuck)?;
        matcher.accept_token(token).map_err(|error| format!("allowed, then refused: {error}"))?;
        text.extend(spelled(store.vocabulary(), token));
        taken.push(token);
    }
    Err(format!("no end within {budget} tokens after `{}`", text.escape_ascii()))
}

/// Cuts a text into random tokens of the vocabulary.
#[must_use]
pub fn tokens(vocabulary: &Vocabulary, text: &[u8], random: &mut Random) -> Vec<TokenId> {
    let spelled: Vec<(TokenId, Vec<u8>)> = (0..vocabulary.len() as u32)
        .map(|id| (TokenId(id), spelled(vocabulary, TokenId(id))))
        .filter(|(_, text)| !text.is_empty() && *text != [0xff])
        .collect();
    let mut rest = text;
    let mut all = Vec::new();
    while !rest.is_empty() {
        let fitting: Vec<_> = spelled.iter().filter(|(_, token)| rest.starts_with(token)).collect();
        let Some((id, token)) = random.choose(&fitting) else { break };
        all.push(*id);
        rest = &rest[token.len()..];
    }
    all
}

fn choice(tokens: &[TokenId], vocabulary: &Vocabulary, random: &mut Random, liked: &[u8]) -> Option<TokenId> {
    let good = |token: &&TokenId| vocabulary.text(**token).is_none_or(|text| text.iter().all(|b| liked.contains(b)));
    let good: Vec<TokenId> = tokens.iter().filter(good).copied().collect();
    if good.is_empty() || random.one_in(30) { random.choose(tokens).copied() } else { random.choose(&good).copied() }
}

/// Returns the bytes of a token in a text.
#[must_use]
pub fn spelled(vocabulary: &Vocabulary, token: TokenId) -> Vec<u8> {
    match (vocabulary.text(token), vocabulary.name_of(token)) {
        (Some(text), _) if !text.is_empty() => text.to_vec(),
        (_, Some(name)) => marker(name),
        _ => Vec::new(),
    }
}

/// Spoils a text: returns a beginning of it, or the text with a piece removed, inserted, moved or repeated.
#[must_use]
pub fn nearly(text: &[u8], pieces: &[&str], random: &mut Random) -> Vec<u8> {
    let from = random.below(text.len() + 1);
    let to = from + random.below((text.len() - from).min(4) + 1);
    let (before, piece, behind) = (&text[..from], &text[from..to], &text[to..]);
    let new = random.choose(pieces).copied().unwrap_or("").as_bytes();
    match random.below(7) {
        0 => before.to_vec(),
        1 => [before, behind].concat(),
        2 => [before, new, piece, behind].concat(),
        3 => [before, piece, piece, behind].concat(),
        4 => [before, new, behind].concat(),
        5 => [behind, piece, before].concat(),
        _ => [text, new].concat(),
    }
}
