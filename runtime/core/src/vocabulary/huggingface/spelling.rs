//! Maps the text of a token to its bytes, by applying the file's decoder to the token alone. Second step of reading a
//! `tokenizer.json`.
//!
//! A decoder works on the tokens of a whole text; here it is applied to each token alone. Both give the same bytes for text that continues
//! another text; a flag records whether one space is dropped at the very start of a text. Decoders for which the results differ elsewhere
//! are rejected. For files without a decoder, the spelling is derived from the pre-tokenizer and the normalizer, which determine how a
//! space is written.

use std::borrow::Cow;

use serde_json::Value;

use super::super::{MAX_TOKEN_BYTES, VocabularyError};
use super::byte_level;
use super::file::{File, unsupported};

/// Limit on the steps of a decoder, and on the bytes of a replacement, so that a file cannot make tokens grow without
/// bound.
const LIMIT: usize = 16;

/// The steps that turn a token's text into bytes. Invariants: at most [`LIMIT`] steps, replacements of at most
/// [`LIMIT`] bytes.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    steps: Vec<Step>,
    /// Whether a `Fuse` step has joined the tokens of a text, so that later steps see only the whole text.
    fused: bool,
    pub(super) strips_leading_space: bool,
}

/// A step of a decoder. `ByteLevel` and `ByteFallback` end the sequence of steps if they apply.
#[derive(Debug, PartialEq)]
enum Step {
    /// Maps each character to a byte, by the table of GPT-2.
    ByteLevel,
    /// Maps `<0x0A>` to a byte.
    ByteFallback,
    Replace {
        from: String,
        to: String,
    },
    /// Drops up to `start` and `stop` times the character at the beginning and the end of each token.
    Strip {
        character: char,
        start: u64,
        stop: u64,
    },
}

impl Spelling {
    pub(super) fn of(file: &File<'_>) -> Result<Self, VocabularyError> {
        let mut spelling = Self::default();
        match &file.decoder {
            Some(decoder) => spelling.decoder(decoder)?,
            None => spelling.without_decoder(file)?,
        }
        if file.model.has_byte_fallback() && !spelling.steps.contains(&Step::ByteFallback) {
            spelling.push(Step::ByteFallback)?;
        }
        Ok(spelling)
    }

    /// Overwrites `out` with the bytes of a token. Skips further steps for a text far beyond the limit of a token,
    /// which the builder then rejects.
    pub(super) fn write(&self, token: &str, out: &mut Vec<u8>) {
        out.clear();
        let mut text = Cow::Borrowed(token);
        for step in &self.steps {
            if text.len() > 4 * MAX_TOKEN_BYTES as usize {
                break;
            }
            match step {
                Step::ByteLevel => return byte_level::write(&text, out),
                Step::ByteFallback => {
                    if let Some(byte) = fallback_byte(&text) {
                        return out.push(byte);
                    }
                }
                Step::Replace { from, to } if text.contains(from) => text = text.replace(from, to).into(),
                Step::Replace { .. } => {}
                &Step::Strip { character, start, stop } => {
                    text = strip(&text, character, start, stop).to_owned().into()
                }
            }
        }
        out.extend_from_slice(text.as_bytes());
    }

    /// Adds the steps of a decoder. The JSON reader bounds the nesting depth.
    fn decoder(&mut self, decoder: &Value) -> Result<(), VocabularyError> {
        match kind(decoder) {
            "Sequence" => list(decoder, "decoders")?.iter().try_for_each(|decoder| self.decoder(decoder)),
            "ByteLevel" => self.per_token(Step::ByteLevel, "ByteLevel"),
            "ByteFallback" => self.per_token(Step::ByteFallback, "ByteFallback"),
            "Replace" => self.replace(decoder),
            "Strip" => self.strip(decoder),
            "Metaspace" => self.metaspace(decoder),
            "Fuse" => {
                self.fused = true;
                Ok(())
            }
            other => Err(unsupported("decoder", other, "a token's bytes would depend on the tokens beside it")),
        }
    }

    /// Adds a step that must see each token alone; rejects it after a `Fuse` step.
    fn per_token(&mut self, step: Step, name: &str) -> Result<(), VocabularyError> {
        if self.fused {
            return Err(unsupported("decoder", name, "it works on the whole text, after Fuse"));
        }
        self.push(step)
    }

    fn push(&mut self, step: Step) -> Result<(), VocabularyError> {
        if self.steps.len() >= LIMIT {
            return Err(unsupported("decoder", "Sequence", "it has more than 16 steps"));
        }
        if matches!(&step, Step::Replace { to, .. } if to.len() > LIMIT) {
            return Err(unsupported("decoder", "Replace", "its replacement is longer than 16 bytes"));
        }
        self.steps.push(step);
        Ok(())
    }

    /// Adds a replacement. A pattern of one character is also allowed after a `Fuse` step, as it works equally on
    /// tokens and on the whole text.
    fn replace(&mut self, decoder: &Value) -> Result<(), VocabularyError> {
        let pattern = decoder.get("pattern").and_then(|pattern| pattern.get("String"));
        let (Some(from), Some(to)) = (pattern.and_then(Value::as_str), text(decoder, "content")) else {
            return Err(unsupported("decoder", "Replace", "only a pattern that is a String can be read"));
        };
        let step = Step::Replace { from: from.to_owned(), to: to.to_owned() };
        match from.chars().count() {
            0 => Err(unsupported("decoder", "Replace", "its pattern is empty")),
            1 => self.push(step),
            _ => self.per_token(step, "Replace"),
        }
    }

    fn strip(&mut self, decoder: &Value) -> Result<(), VocabularyError> {
        let number = |key| decoder.get(key).and_then(Value::as_u64);
        let content = text(decoder, "content").map(|content| content.chars().collect::<Vec<_>>());
        let (Some([character]), Some(start), Some(stop)) = (content.as_deref(), number("start"), number("stop")) else {
            return Err(unsupported("decoder", "Strip", "it needs a `content` of one character, `start` and `stop`"));
        };
        match (self.fused, *character, start, stop) {
            (false, character, ..) => self.per_token(Step::Strip { character, start, stop }, "Strip"),
            (true, ' ', 0 | 1, 0) => {
                self.strips_leading_space |= start == 1;
                Ok(())
            }
            _ => Err(unsupported("decoder", "Strip", "of a whole text only one leading space can be stripped")),
        }
    }

    /// Adds the replacement of a metaspace (`▁` by default) by a space, and records whether the space before a text is
    /// dropped.
    fn metaspace(&mut self, part: &Value) -> Result<(), VocabularyError> {
        let from = text(part, "replacement").unwrap_or("▁").to_owned();
        let scheme = text(part, "prepend_scheme");
        let prefix = part.get("add_prefix_space").and_then(Value::as_bool).unwrap_or(true);
        self.strips_leading_space |= scheme.map_or(prefix, |scheme| scheme != "never");
        self.per_token(Step::Replace { from, to: " ".to_owned() }, "Metaspace")
    }

    fn without_decoder(&mut self, file: &File<'_>) -> Result<(), VocabularyError> {
        file.pre_tokenizer.iter().try_for_each(|part| self.undo_pre_tokenizer(part))?;
        if self.steps.is_empty() {
            file.normalizer.iter().try_for_each(|part| self.undo_normalizer(part))?;
        }
        Ok(())
    }

    fn undo_pre_tokenizer(&mut self, part: &Value) -> Result<(), VocabularyError> {
        let keeps_all = text(part, "behavior").is_none_or(|behavior| behavior != "Removed");
        match kind(part) {
            "Sequence" => list(part, "pretokenizers")?.iter().try_for_each(|part| self.undo_pre_tokenizer(part)),
            "ByteLevel" => self.per_token(Step::ByteLevel, "ByteLevel"),
            "Metaspace" => self.metaspace(part),
            "Digits" | "UnicodeScripts" | "FixedLength" => Ok(()),
            "Split" | "Punctuation" if keeps_all => Ok(()),
            other => Err(unsupported("pre_tokenizer", other, "it drops spaces, and no decoder says where they were")),
        }
    }

    /// Undoes a normalizer that writes spaces as another text. Other normalizers are ignored, as their changes cannot
    /// be undone from tokens.
    fn undo_normalizer(&mut self, part: &Value) -> Result<(), VocabularyError> {
        let space = part.get("pattern").and_then(|pattern| pattern.get("String")).and_then(Value::as_str) == Some(" ");
        match (kind(part), text(part, "content")) {
            ("Sequence", _) => list(part, "normalizers")?.iter().try_for_each(|part| self.undo_normalizer(part)),
            ("Replace", Some(from)) if space && !from.is_empty() => {
                self.per_token(Step::Replace { from: from.to_owned(), to: " ".to_owned() }, "Replace")
            }
            ("Prepend", _) => {
                self.strips_leading_space = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Returns the type of a part of the file.
fn kind(part: &Value) -> &str {
    text(part, "type").unwrap_or("without a type")
}

fn text<'a>(part: &'a Value, key: &str) -> Option<&'a str> {
    part.get(key)?.as_str()
}

fn list<'a>(part: &'a Value, key: &'static str) -> Result<&'a [Value], VocabularyError> {
    let list = part.get(key).and_then(Value::as_array).map(Vec::as_slice);
    list.ok_or_else(|| unsupported("Sequence", "without a list", "it has no parts"))
}

/// Returns the byte that `<0xNN>` stands for.
fn fallback_byte(token: &str) -> Option<u8> {
    let hex = token.strip_prefix("<0x")?.strip_suffix('>')?;
    let valid = hex.len() == 2 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    valid.then(|| u8::from_str_radix(hex, 16).ok()).flatten()
}

/// Drops the character up to `start` times at the beginning and up to `stop` times at the end.
fn strip(text: &str, character: char, start: u64, stop: u64) -> &str {
    let mut text = text;
    for _ in 0..start {
        let Some(rest) = text.strip_prefix(character) else {
            break;
        };
        text = rest;
    }
    for _ in 0..stop {
        let Some(rest) = text.strip_suffix(character) else {
            break;
        };
        text = rest;
    }
    text
}
