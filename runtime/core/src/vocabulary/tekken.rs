//! Reads Mistral's `tekken.json`: ranks in base64, whose ids follow a block of special tokens. A constructor of
//! [`Vocabulary`].
//!
//! The file holds more ranks than the model has; `default_vocab_size` is the number of ids in use, the special tokens
//! included; higher ranks are skipped. Older files do not name their special tokens; their names are then the published
//! ones below.

use std::borrow::Cow;

use serde::Deserialize;

use super::builder::check_source;
use super::{Vocabulary, VocabularyBuilder, VocabularyError, base64};

#[derive(Deserialize)]
struct File<'a> {
    config: Config,
    #[serde(borrow)]
    vocab: Vec<Rank<'a>>,
    #[serde(borrow, default)]
    special_tokens: Option<Vec<Special<'a>>>,
}

#[derive(Deserialize)]
struct Config {
    default_vocab_size: u64,
    default_num_special_tokens: u64,
}

#[derive(Deserialize)]
struct Rank<'a> {
    rank: u64,
    #[serde(borrow)]
    token_bytes: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Special<'a> {
    rank: u64,
    #[serde(borrow)]
    token_str: Cow<'a, str>,
}

/// Limit on the number of special tokens that a file may declare without listing them.
const MAX_SPECIALS: u64 = 1 << 16;

/// The names of the first special tokens in files that do not name them.
const UNNAMED: [&str; 17] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
];

pub(super) fn read(json: &[u8]) -> Result<Vocabulary, VocabularyError> {
    check_source(json)?;
    let file: File<'_> =
        serde_json::from_slice(json).map_err(|source| VocabularyError::Json { format: "tekken.json", source })?;
    let mut builder = VocabularyBuilder::new();
    specials(&file, &mut builder)?;
    ranks(&file, &mut builder)?;
    builder.build()
}

/// Defines the ordinary tokens that the model uses: a token's id is its rank plus the number of special tokens.
fn ranks(file: &File<'_>, builder: &mut VocabularyBuilder) -> Result<(), VocabularyError> {
    let Config { default_vocab_size: size, default_num_special_tokens: first } = file.config;
    let mut token = Vec::new();
    for (entry, rank) in file.vocab.iter().enumerate() {
        if rank.rank >= size.saturating_sub(first) {
            continue;
        }
        token.clear();
        base64::decode_into(rank.token_bytes.as_bytes(), &mut token)
            .ok_or(VocabularyError::Entry { entry, reason: "`token_bytes` is not base64" })?;
        builder.text(rank.rank.saturating_add(first), &token)?;
    }
    Ok(())
}

/// Defines all special tokens; a token without a name is called `<SPECIAL_n>`.
fn specials(file: &File<'_>, builder: &mut VocabularyBuilder) -> Result<(), VocabularyError> {
    let count = file.config.default_num_special_tokens;
    if count > MAX_SPECIALS {
        return Err(VocabularyError::TooManySpecials { given: count, limit: MAX_SPECIALS });
    }
    let mut names = vec![None; count as usize];
    for (entry, special) in file.special_tokens.iter().flatten().enumerate() {
        let name = usize::try_from(special.rank).ok().and_then(|rank| names.get_mut(rank));
        let name =
            name.ok_or(VocabularyError::Entry { entry, reason: "`rank` is not below the number of special tokens" })?;
        if name.replace(special.token_str.as_ref()).is_some() {
            return Err(VocabularyError::DuplicateId { id: special.rank as u32 });
        }
    }
    let unnamed: &[&str] = if file.special_tokens.is_some() { &[] } else { &UNNAMED };
    for (id, name) in names.into_iter().enumerate() {
        match name.or_else(|| unnamed.get(id).copied()) {
            Some(name) => builder.special(id as u64, name)?,
            None => builder.special(id as u64, &format!("<SPECIAL_{id}>"))?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::TokenId;

    #[test]
    fn tekken_vocabulary_sizes_and_special_names_are_obeyed() {
        let json = r#"{"config": {"default_vocab_size": 4, "default_num_special_tokens": 3},
            "special_tokens": [{"rank": 1, "token_str": "</s>", "is_control": true}],
            "vocab": [{"rank": 0, "token_bytes": "YQ=="}, {"rank": 1, "token_bytes": "Yg=="}]}"#;
        let vocabulary = read(json.as_bytes()).unwrap();
        assert_eq!(vocabulary.len(), 4);
        assert_eq!(vocabulary.eos(), [TokenId(1)]);
        assert_eq!(vocabulary.name_of(TokenId(2)), Some("<SPECIAL_2>"));
        assert_eq!(vocabulary.text(TokenId(3)), Some(&b"a"[..]));
    }

    #[track_caller]
    fn check_error(specials: u64, rank: u64, vocab: &str, expected: &str) {
        let json = format!(
            r#"{{"config": {{"default_vocab_size": 18446744073709551615, "default_num_special_tokens": {specials}}},
            "special_tokens": [{{"rank": {rank}, "token_str": "x"}}], "vocab": [{vocab}]}}"#
        );
        assert_eq!(read(json.as_bytes()).unwrap_err().to_string(), expected);
    }

    #[test]
    fn hostile_numbers_are_errors() {
        check_error(5_000_000, 0, "", "5000000 special tokens are declared; the limit is 65536");
        check_error(2, 2, "", "entry 0: `rank` is not below the number of special tokens");
        check_error(2, 0, r#"{"rank": 0, "token_bytes": "*"}"#, "entry 0: `token_bytes` is not base64");
        check_error(
            2,
            0,
            r#"{"rank": 9999999999, "token_bytes": ""}"#,
            "the highest token id makes 10000000002 ids; the limit is 4194304",
        );
    }
}
