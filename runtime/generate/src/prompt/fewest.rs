//! A lower bound of the tokens of a text, computed without making the tokens. A prompt that cannot fit is rejected
//! early: making its tokens takes a hundred times its memory, and seconds if it is one long word.
//!
//! # How it counts
//!
//! The count keeps the furthest place that some number of tokens can reach. One token more reaches at most the furthest
//! end of a token that begins at or before that place: with the tokens `ab`, `a` and `bc`, the text `abc` gets to 2
//! with one token, and to 3 with two. The tokenizer may need more tokens, never fewer.
//!
//! A tokenizer may put something in front of a text or of a part of it, and this becomes part of the first token. So
//! the first bytes, as many as the longest token has, are free. Bytes that no token spells are free, too.

use std::borrow::Cow;

use ogc_runtime::trie::TokenTrie;
use ogc_runtime::vocabulary::Vocabulary;
use serde_json::json;
use tokenizers::{
    ModelWrapper, NormalizedString, Normalizer, NormalizerWrapper, PreTokenizerWrapper, SplitDelimiterBehavior,
    Tokenizer,
};

use super::encode::refused;
use super::room::Room;
use crate::error::GenerateError;

/// The size of a part that is counted by itself, in bytes; a part is longer where it cannot be cut.
const PART: usize = 1 << 16;

/// The character that SentencePiece writes for a space.
const SPACE_MARK: char = '\u{2581}';

/// Computes lower bounds on the number of tokens of texts.
#[derive(Debug)]
pub(super) struct FewestTokens {
    /// The texts and the names of all tokens.
    trie: TokenTrie,
    /// The compositions of characters that the tokenizer makes before it makes tokens.
    compositions: Vec<NormalizerWrapper>,
    /// Whether it writes spaces as `▁`, so that a `▁` in a text counts as a space.
    writes_spaces: bool,
}

impl FewestTokens {
    /// Makes the counter for a tokenizer; `None` if the tokenizer may leave out parts of a text.
    pub(super) fn of(tokenizer: &Tokenizer, vocabulary: &Vocabulary) -> Option<Self> {
        let texts = vocabulary.texts().map(|(_, text)| text);
        let spelled: Vec<&[u8]> = texts.chain(vocabulary.named_tokens().map(|(_, name)| name.as_bytes())).collect();
        let takes_space = |(_, token): (&u32, &tokenizers::AddedToken)| token.lstrip || token.rstrip;
        let keeps_all = spelled.len() >= tokenizer.get_vocab_size(true)
            && merges_bytes(tokenizer.get_model())
            && tokenizer.get_pre_tokenizer().is_none_or(keeps_text)
            && !tokenizer.get_added_tokens_decoder().iter().any(takes_space);
        let compositions = tokenizer.get_normalizer().map_or(Some(Vec::new()), compositions).filter(|_| keeps_all)?;
        let spelled: Vec<Option<&[u8]>> = spelled.into_iter().filter(|text| !text.is_empty()).map(Some).collect();
        let trie = TokenTrie::new(&Vocabulary::from_tokens(&spelled, &[]).ok()?);
        Some(Self { trie, compositions, writes_spaces: writes_spaces(tokenizer) })
    }

    /// Rejects a text whose tokens do not fit.
    pub(super) fn check(&self, text: &str, room: &Room<'_>) -> Result<(), GenerateError> {
        let (mut rest, mut count) = (text, 0);
        while !rest.is_empty() {
            let (part, behind) = rest.split_at(self.cut(rest));
            rest = behind;
            count += self.count(self.normalized(part)?.as_bytes());
            room.check_more(count)?;
        }
        Ok(())
    }

    /// Returns a part as the tokenizer normalizes it, with spaces as tokens have them.
    fn normalized<'a>(&self, part: &'a str) -> Result<Cow<'a, str>, GenerateError> {
        if self.writes_spaces && part.contains(SPACE_MARK) {
            return Ok(Cow::Owned(part.replace(SPACE_MARK, " ")));
        }
        if self.compositions.is_empty() || part.is_ascii() {
            return Ok(Cow::Borrowed(part));
        }
        let mut composed = NormalizedString::from(part);
        for composition in &self.compositions {
            composition.normalize(&mut composed).map_err(|error| refused(&*error))?;
        }
        Ok(Cow::Owned(composed.get().to_owned()))
    }

    /// Returns the end of a part: a place across which nothing is composed.
    fn cut(&self, text: &str) -> usize {
        let mut ends = text.char_indices().skip_while(|(at, _)| *at < PART);
        let is_end = |character: char| self.compositions.is_empty() || may_begin_part(character);
        ends.find(|(_, character)| is_end(*character)).map_or(text.len(), |(at, _)| at)
    }

    fn count(&self, text: &[u8]) -> usize {
        let (mut reached, mut furthest, mut count) = (self.trie.max_depth(), 0, 0);
        for at in 0..text.len() {
            let longest = self.trie.longest_prefix(&text[at..]).map_or(0, |token| self.trie.depth(token));
            furthest = furthest.max(at + longest);
            if at == reached {
                count += usize::from(furthest > at);
                reached = furthest.max(at + 1);
            }
        }
        count
    }
}

/// Returns whether a part may begin with a character: it neither composes with the one before it nor decomposes.
fn may_begin_part(character: char) -> bool {
    character.is_ascii() || matches!(character, '\u{4e00}'..='\u{9fff}')
}

/// Returns whether all tokens of a model are parts of the text.
fn merges_bytes(model: &ModelWrapper) -> bool {
    let is_empty = |affix: &Option<String>| affix.as_ref().is_none_or(String::is_empty);
    match model {
        ModelWrapper::BPE(bpe) => is_empty(&bpe.continuing_subword_prefix) && is_empty(&bpe.end_of_word_suffix),
        ModelWrapper::Unigram(_) => true,
        ModelWrapper::WordPiece(_) | ModelWrapper::WordLevel(_) => false,
    }
}

/// Returns whether the parts into which a text is cut make up the whole text.
fn keeps_text(cut: &PreTokenizerWrapper) -> bool {
    let keeps = |behavior| behavior != SplitDelimiterBehavior::Removed;
    match cut {
        PreTokenizerWrapper::ByteLevel(_)
        | PreTokenizerWrapper::Metaspace(_)
        | PreTokenizerWrapper::Digits(_)
        | PreTokenizerWrapper::UnicodeScripts(_)
        | PreTokenizerWrapper::FixedLength(_) => true,
        PreTokenizerWrapper::Split(split) => keeps(split.behavior),
        PreTokenizerWrapper::Punctuation(split) => keeps(split.behavior),
        PreTokenizerWrapper::Sequence(all) => all.as_ref().iter().all(keeps_text),
        PreTokenizerWrapper::BertPreTokenizer(_)
        | PreTokenizerWrapper::Delimiter(_)
        | PreTokenizerWrapper::Whitespace(_)
        | PreTokenizerWrapper::WhitespaceSplit(_) => false,
    }
}

/// Returns the compositions of characters in a normalizer that only composes characters, puts something in front of the
/// text, and writes spaces as `▁`; `None` for other normalizers.
fn compositions(normalizer: &NormalizerWrapper) -> Option<Vec<NormalizerWrapper>> {
    match normalizer {
        NormalizerWrapper::NFC(_) => Some(vec![normalizer.clone()]),
        NormalizerWrapper::Prepend(_) => Some(Vec::new()),
        NormalizerWrapper::Replace(_) => {
            let spaces = json!({ "type": "Replace", "pattern": { "String": " " }, "content": SPACE_MARK });
            serde_json::to_value(normalizer).is_ok_and(|value| value == spaces).then(Vec::new)
        }
        NormalizerWrapper::Sequence(all) => {
            let parts: Option<Vec<_>> = all.as_ref().iter().map(compositions).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

/// Returns whether a tokenizer writes spaces as `▁`, before or while it cuts a text.
fn writes_spaces(tokenizer: &Tokenizer) -> bool {
    let has_mark = |value: Result<String, _>| value.is_ok_and(|json| json.contains(SPACE_MARK));
    has_mark(serde_json::to_string(&tokenizer.get_normalizer()))
        || has_mark(serde_json::to_string(&tokenizer.get_pre_tokenizer()))
}

#[cfg(test)]
mod tests;
