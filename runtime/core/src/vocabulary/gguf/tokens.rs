//! Makes a [`Vocabulary`] from the metadata of a GGUF file.
//!
//! # The bytes of a token
//!
//! A normal token of a `gpt2` tokenizer is spelt in GPT-2's alphabet of bytes; in a `llama` tokenizer (SentencePiece)
//! `▁` means a space. A byte token `<0x0A>` is that byte. A user-defined token is its own text. Control tokens and the
//! unknown token are special; unused tokens are gaps.

use super::super::huggingface::byte_level;
use super::super::{TokenId, Vocabulary, VocabularyBuilder, VocabularyError};
use super::{Gguf, GgufValue};

/// The key of the list of tokens.
const TOKENS: &str = "tokenizer.ggml.tokens";
/// The key of the list of token kinds.
const KINDS: &str = "tokenizer.ggml.token_type";
/// The key of the kind of tokenizer.
const MODEL: &str = "tokenizer.ggml.model";

/// The keys of the tokens that end a text, a turn and a message.
const ENDS: [&str; 3] = ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"];

/// The kind of normal tokens.
const NORMAL: i64 = 1;

/// The spelling of normal tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// GPT-2's alphabet of bytes.
    Bytes,
    /// Plain text with `▁` for a space.
    Metaspace,
}

/// Reads the vocabulary; its width of logits is the length of the list of tokens.
pub(in crate::vocabulary) fn read(gguf: &Gguf) -> Result<Vocabulary, VocabularyError> {
    let spelling = spelling(gguf)?;
    let tokens = gguf.texts(TOKENS).ok_or(VocabularyError::GgufKey { key: TOKENS, fault: "is not a list of texts" })?;
    let kinds = kinds(gguf, tokens.len())?;
    let mut builder = VocabularyBuilder::new();
    builder.reserve(tokens.len(), tokens.iter().map(String::len).sum());
    let prefix = gguf.flag("tokenizer.ggml.add_space_prefix").unwrap_or(true);
    builder.strips_leading_space(spelling == Spelling::Metaspace && prefix);
    for (id, token) in tokens.iter().enumerate() {
        let kind = kinds.and_then(|kinds| kinds.get(id)).copied().unwrap_or(NORMAL);
        define(&mut builder, id as u64, token, kind, spelling)?;
    }
    let vocabulary = builder.build()?;
    let ends = ends(gguf, &vocabulary)?;
    vocabulary.with_eos(&ends)?.with_padded_len(tokens.len())
}

fn spelling(gguf: &Gguf) -> Result<Spelling, VocabularyError> {
    match gguf.text(MODEL) {
        Some("gpt2") => Ok(Spelling::Bytes),
        Some("llama") => Ok(Spelling::Metaspace),
        Some(given) => Err(VocabularyError::Unsupported {
            what: "the tokenizer",
            given: given.to_owned(),
            reason: "`gpt2` and `llama` are",
        }),
        None => Err(VocabularyError::GgufKey { key: MODEL, fault: "is not a text" }),
    }
}

/// Returns the kinds of the tokens, if the file has them.
fn kinds(gguf: &Gguf, tokens: usize) -> Result<Option<&[i64]>, VocabularyError> {
    match gguf.get(KINDS) {
        None => Ok(None),
        Some(GgufValue::Integers(kinds)) if kinds.len() == tokens => Ok(Some(kinds)),
        Some(_) => Err(VocabularyError::GgufKey { key: KINDS, fault: "is not a list of one number for each token" }),
    }
}

/// Defines a token of a kind, given by its number.
fn define(
    builder: &mut VocabularyBuilder,
    id: u64,
    token: &str,
    kind: i64,
    spelling: Spelling,
) -> Result<(), VocabularyError> {
    match kind {
        2 | 3 => builder.special(id, token),
        4 => builder.named_text(id, token, token.as_bytes()),
        5 => Ok(()),
        6 => builder.text(id, &[byte(token).ok_or(VocabularyError::NoByte { id, token: token.to_owned() })?]),
        _ => builder.text(id, &spelt(token, spelling)),
    }
}

fn spelt(token: &str, spelling: Spelling) -> Vec<u8> {
    match spelling {
        Spelling::Metaspace => token.replace('▁', " ").into_bytes(),
        Spelling::Bytes => {
            let mut bytes = Vec::with_capacity(token.len());
            byte_level::write(token, &mut bytes);
            bytes
        }
    }
}

/// Returns the byte that a name such as `<0x0A>` stands for.
pub(in crate::vocabulary) fn byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_two.then(|| u8::from_str_radix(digits, 16).ok())?
}

/// Returns the tokens that end a sequence: those that the file gives, and those with well-known names.
fn ends(gguf: &Gguf, vocabulary: &Vocabulary) -> Result<Vec<TokenId>, VocabularyError> {
    let mut ends = vocabulary.eos().to_vec();
    for key in ENDS {
        if gguf.get(key).is_some() {
            let id = gguf.integer(key).and_then(|id| u32::try_from(id).ok());
            ends.push(TokenId(id.ok_or(VocabularyError::GgufKey { key, fault: "is not the number of a token" })?));
        }
    }
    Ok(ends)
}
