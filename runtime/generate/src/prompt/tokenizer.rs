//! The tokenizer of prompts: from a `tokenizer.json`, or from the metadata of a GGUF file. These describe byte-level
//! BPE with the merges that the file lists, or [`sentencepiece`] with its scores.
//!
//! A GGUF file only names the way in which a text is cut into the parts that are merged (`tokenizer.ggml.pre`); the
//! pattern of each name is written here.

use std::sync::Arc;

use ogc_runtime::vocabulary::{Gguf, GgufValue, TokenId, Vocabulary, without_leading_space};
use serde_json::Value;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{AddedToken, SplitDelimiterBehavior, Tokenizer};

use super::context::PromptContext;
use super::encode::refused;
use super::foreign::{Reading, TextTokenizer};
use super::room::{Room, Stop};
use super::sentencepiece;
use crate::error::GenerateError;

/// The name, in errors, of the step that cuts texts into the parts that are merged.
const PRE_TOKENIZER: &str = "the pre-tokenizer";

/// The pattern of Llama 3.
const LLAMA3: &str = concat!(
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// The pattern of Qwen 2 and 3.
const QWEN2: &str = concat!(
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// Makes tokens of prompts, and of texts that a format forces.
///
/// ```
/// use ogc_generate::LoadedModel;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
/// let tokens = loaded.tokenizer.tokens("<|im_start|>hello")?;
/// assert_eq!(loaded.vocabulary.name_of(tokens[0]), Some("<|im_start|>"));
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PromptTokenizer {
    readings: Arc<Readings>,
    /// The token that begins a text, if the model wants one.
    begin: Option<TokenId>,
    context: Option<Arc<PromptContext>>,
    stop: Stop,
}

/// The ways in which one tokenizer reads a text.
#[derive(Debug)]
struct Readings {
    /// Reads the names of special tokens as these tokens.
    marked: Reading,
    /// Like `marked`, for text that continues another: without the space that the model's tokenizer may put in front of
    /// a text.
    going_on: Reading,
    /// Encodes a text that continues another, as `going_on` does, but reads names of special tokens as text.
    plain: Reading,
}

impl PromptTokenizer {
    /// Makes the tokenizer reject prompts that are too long for a context of `context` tokens of a vocabulary, before
    /// their tokens are made.
    pub(crate) fn bounded(self, context: usize, vocabulary: &Arc<Vocabulary>) -> Self {
        let context = PromptContext::new(context, vocabulary, &self.readings.marked);
        Self { context: Some(Arc::new(context)), ..self }
    }

    /// Makes a tokenizer that ends with [`GenerateError::Stopped`] soon after `is_stopped` returns true. It is called for each part of a
    /// prompt, such as a word.
    ///
    /// ```
    /// use ogc_generate::{GenerateError, LoadedModel};
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// let stopped = loaded.tokenizer.stopped_when(|| true);
    /// assert!(matches!(stopped.tokens("hello"), Err(GenerateError::Stopped(_))));
    /// # Ok::<(), GenerateError>(())
    /// ```
    #[must_use]
    pub fn stopped_when(&self, is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { stop: Stop::when(is_stopped), ..self.clone() }
    }

    /// Returns the room for the tokens of one prompt.
    fn room(&self) -> Room<'_> {
        Room::new(self.context.as_ref().map_or(usize::MAX, |context| context.tokens), &self.stop)
    }

    /// Makes the tokens of a part of a prompt.
    fn encode(&self, reading: &Reading, text: &str, room: &Room<'_>) -> Result<Vec<TokenId>, GenerateError> {
        if let Some(context) = &self.context {
            context.check(&self.readings.marked, text, room)?;
        }
        reading.encode(text, room)
    }

    /// Makes the tokenizer of a GGUF file.
    pub(crate) fn from_gguf(gguf: &Gguf) -> Result<Self, GenerateError> {
        let missing = |key: &str| GenerateError::Missing { what: key.to_owned() };
        let tokens = gguf.texts("tokenizer.ggml.tokens").ok_or_else(|| missing("tokenizer.ggml.tokens"))?;
        let (mut marked, mut going_on) = match gguf.text("tokenizer.ggml.model") {
            None | Some("gpt2") => {
                let merges = gguf.texts("tokenizer.ggml.merges").ok_or_else(|| missing("tokenizer.ggml.merges"))?;
                let mut marked = Tokenizer::new(merging(tokens, merges)?);
                marked.with_pre_tokenizer(Some(cutting(gguf.text("tokenizer.ggml.pre"))?));
                (marked.clone(), marked)
            }
            Some("llama") => both(sentencepiece::json(gguf, tokens)?)?,
            Some(other) => {
                let reason = "prompts can be read by `gpt2` and `llama` tokenizers";
                return Err(GenerateError::Unsupported { what: "the tokenizer", given: other.to_owned(), reason });
            }
        };
        for tokenizer in [&mut marked, &mut going_on] {
            tokenizer.add_special_tokens(named(gguf, tokens)).map_err(|error| refused(&*error))?;
        }
        Ok(Self { begin: begin(gguf), ..Self::of(marked, going_on) })
    }

    /// Makes the tokenizer of a `tokenizer.json`.
    ///
    /// # Errors
    /// The text is not a tokenizer.
    ///
    /// ```
    /// assert!(ogc_generate::PromptTokenizer::from_json(b"{}").is_err());
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Self, GenerateError> {
        let json = serde_json::from_slice(text).map_err(|error| refused(&error))?;
        let (marked, going_on) = both(json)?;
        // The token that begins a text is the one that the tokenizer puts in front of any text.
        let framed = marked.encode_fast("a", true).map_err(|error| refused(&*error))?;
        let bare = marked.encode_fast("a", false).map_err(|error| refused(&*error))?;
        let begin = framed.get_ids().first().filter(|id| bare.get_ids().first() != Some(id));
        Ok(Self { begin: begin.map(|&id| TokenId(id)), ..Self::of(marked, going_on) })
    }

    /// Makes all readings of one tokenizer.
    fn of(marked: Tokenizer, going_on: Tokenizer) -> Self {
        let mut plain = going_on.clone();
        plain.set_encode_special_tokens(true);
        let [marked, going_on, plain] = [marked, going_on, plain].map(|tokenizer| Reading::Own(Box::new(tokenizer)));
        let readings = Arc::new(Readings { marked, going_on, plain });
        Self { readings, begin: None, context: None, stop: Stop::default() }
    }

    /// Makes the tokenizer of a GGUF file; uses the tokenizer of another engine if this crate does not support the
    /// file's pre-tokenizer.
    pub(crate) fn from_gguf_or(gguf: &Gguf, tokenizer: Arc<dyn TextTokenizer>) -> Result<Self, GenerateError> {
        match Self::from_gguf(gguf) {
            Err(GenerateError::Unsupported { what: PRE_TOKENIZER, .. }) => {}
            own => return own,
        }
        let reading = |names| Reading::Foreign { tokenizer: Arc::clone(&tokenizer), names };
        let readings = Arc::new(Readings { marked: reading(true), going_on: reading(true), plain: reading(false) });
        Ok(Self { readings, begin: begin(gguf), context: None, stop: Stop::default() })
    }

    /// Makes tokens of a prompt; the names of special tokens in it become these tokens.
    ///
    /// # Errors
    /// The tokenizer rejects the text, or its tokens do not fit into the model's context.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert_eq!(loaded.tokenizer.tokens("<|im_end|>")?.len(), 1);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn tokens(&self, prompt: &str) -> Result<Vec<TokenId>, GenerateError> {
        self.encode(&self.readings.marked, prompt, &self.room())
    }

    /// Makes tokens of a prompt that is not framed by a chat template: they follow the token that begins a text, if the model wants one.
    ///
    /// # Errors
    /// The tokenizer rejects the text, or its tokens do not fit into the model's context.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert_eq!(loaded.tokenizer.raw_tokens("hi")?, loaded.tokenizer.tokens("hi")?);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn raw_tokens(&self, prompt: &str) -> Result<Vec<TokenId>, GenerateError> {
        let tokens = self.tokens(prompt)?;
        Ok(self.begin.into_iter().chain(tokens).collect())
    }

    /// Makes tokens of a text in which no name stands for a special token; empty if the bytes are not UTF-8.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.tokenizer.text_tokens(b"<|im_end|>").len() > 1);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn text_tokens(&self, text: &[u8]) -> Vec<TokenId> {
        let text = std::str::from_utf8(text).ok();
        let room = Room::new(usize::MAX, &self.stop);
        text.and_then(|text| self.readings.plain.encode(text, &room).ok()).unwrap_or_default()
    }
}

impl PromptTokenizer {
    /// Makes tokens of a prompt with parts that came from outside. In these parts, no name stands for a special token.
    /// The part with the number n replaces [`outside`]`(n)` in the prompt.
    ///
    /// # Errors
    /// The tokenizer rejects the text, or its tokens do not fit into the model's context.
    ///
    /// ```
    /// use ogc_generate::{LoadedModel, outside};
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// let prompt = format!("<|im_start|>{}<|im_end|>", outside(0));
    /// let tokens = loaded.tokenizer.tokens_with_outside(&prompt, &["a<|im_end|>"])?;
    /// let special = |token| loaded.vocabulary.name_of(token).is_some();
    /// assert_eq!(tokens.iter().filter(|token| special(**token)).count(), 2);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn tokens_with_outside(&self, prompt: &str, parts: &[&str]) -> Result<Vec<TokenId>, GenerateError> {
        let (readings, room) = (&self.readings, self.room());
        // A part is read by itself only if it contains such a name, because cutting it out could change tokens at its
        // ends.
        let is_named: Vec<bool> = parts.iter().map(|part| self.names_special(part)).collect();
        let (mut tokens, mut pending, mut reading) = (Vec::new(), String::new(), &readings.marked);
        let mut pieces = prompt.split(OUTSIDE);
        pending.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let (number, rest) = piece.split_once(OUTSIDE_END).unwrap_or(("", piece));
            match number.parse::<usize>().ok().and_then(|number| Some((parts.get(number)?, is_named[number]))) {
                Some((part, false)) => pending.push_str(part),
                Some((part, true)) => {
                    tokens.extend(self.encode(reading, &pending, &room)?);
                    pending.clear();
                    tokens.extend(self.encode(&readings.plain, part, &room)?);
                    reading = &readings.going_on;
                }
                None => {
                    let message =
                        "the template changes or repeats the contents of messages in a way that is not supported";
                    return Err(GenerateError::Template(message.to_owned()));
                }
            }
            pending.push_str(rest);
        }
        tokens.extend(self.encode(reading, &pending, &room)?);
        Ok(tokens)
    }

    /// Returns whether a text contains the name of a special token, which a prompt would read as that token. False for
    /// a text that is too long for a prompt: it is rejected in any case.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.tokenizer.names_special("a<|im_end|>") && !loaded.tokenizer.names_special("im_end"));
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn names_special(&self, text: &str) -> bool {
        if !self.may_name_special(text) {
            return false;
        }
        let tokens = |reading| self.encode(reading, text, &self.room()).ok();
        let Some(marked) = tokens(&self.readings.going_on) else { return false };
        tokens(&self.readings.plain).is_some_and(|plain| plain != marked)
    }

    /// Returns false if a text contains no name of a special token; this takes much less time than making its tokens.
    fn may_name_special(&self, text: &str) -> bool {
        // Only the other engine knows the names that it reads.
        let Some(own) = self.readings.going_on.own() else { return true };
        let special = own.get_added_tokens_decoder();
        // If the tokenizer changes a text before it searches for names, only the tokenizer knows whether there are any.
        special.values().filter(|token| token.special).any(|token| token.normalized || text.contains(&token.content))
    }
}

/// Begins the place of a part from outside; a noncharacter, so that no text contains it.
const OUTSIDE: char = '\u{fdd0}';

/// Ends the place of a part from outside.
const OUTSIDE_END: char = '\u{fdd1}';

/// Returns the placeholder, in a prompt, of the part from outside with this number.
///
/// ```
/// assert_ne!(ogc_generate::outside(0), ogc_generate::outside(1));
/// ```
#[must_use]
pub fn outside(number: usize) -> String {
    format!("{OUTSIDE}{number}{OUTSIDE_END}")
}

/// Makes the tokenizer of a `tokenizer.json` for texts that begin, and the tokenizer for texts that continue others.
fn both(json: Value) -> Result<(Tokenizer, Tokenizer), GenerateError> {
    let begins = serde_json::from_value(json.clone()).map_err(|error| refused(&error))?;
    let going_on = without_leading_space(json);
    Ok((begins, serde_json::from_value(going_on).map_err(|error| refused(&error))?))
}

/// Makes the model that merges bytes to tokens.
fn merging(tokens: &[String], merges: &[String]) -> Result<BPE, GenerateError> {
    let ids: Vocab = tokens.iter().zip(0..).map(|(token, id)| (token.clone(), id)).collect();
    let pair = |merge: &String| {
        let pair = merge.split_once(' ').map(|(one, two)| (one.to_owned(), two.to_owned()));
        pair.ok_or_else(|| GenerateError::Tokenizer(format!("the merge {merge:?} is no pair")))
    };
    let merges = merges.iter().map(pair).collect::<Result<_, _>>()?;
    BPE::builder().vocab_and_merges(ids, merges).build().map_err(|error| refused(&*error))
}

/// Makes the pre-tokenizer, which cuts a text into the parts that are merged.
fn cutting(name: Option<&str>) -> Result<PreTokenizerWrapper, GenerateError> {
    match name {
        None | Some("gpt-2" | "gpt2") => Ok(ByteLevel::new(false, false, true).into()),
        Some("smollm") => {
            Ok(Sequence::new(vec![Digits::new(true).into(), ByteLevel::new(false, false, true).into()]).into())
        }
        Some("llama-bpe" | "llama3" | "llama-v3") => by_pattern(LLAMA3),
        Some("qwen2") => by_pattern(QWEN2),
        Some(other) => Err(GenerateError::Unsupported {
            what: PRE_TOKENIZER,
            given: other.to_owned(),
            reason: "`gpt-2`, `smollm`, `llama-bpe` and `qwen2` are",
        }),
    }
}

fn by_pattern(pattern: &str) -> Result<PreTokenizerWrapper, GenerateError> {
    let pattern = SplitPattern::Regex(pattern.to_owned());
    let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false).map_err(|error| refused(&*error))?;
    Ok(Sequence::new(vec![split.into(), ByteLevel::new(false, false, false).into()]).into())
}

/// Returns the control tokens and the user-defined tokens.
fn named(gguf: &Gguf, tokens: &[String]) -> Vec<AddedToken> {
    let Some(GgufValue::Integers(kinds)) = gguf.get("tokenizer.ggml.token_type") else { return Vec::new() };
    let named = tokens.iter().zip(kinds).filter(|(_, kind)| matches!(kind, 3 | 4));
    named.map(|(token, _)| AddedToken::from(token.clone(), true).normalized(false)).collect()
}

/// Returns the token that begins a text, if the model wants one.
fn begin(gguf: &Gguf) -> Option<TokenId> {
    let wanted = gguf.flag("tokenizer.ggml.add_bos_token").unwrap_or(false);
    let id = gguf.integer("tokenizer.ggml.bos_token_id").filter(|_| wanted)?;
    u32::try_from(id).ok().map(TokenId)
}
