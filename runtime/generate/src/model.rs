//! Models of the Llama family (Llama, Mistral, SmolLM, Qwen 2 and 3) on a CPU: from tokens to logits.
//!
//! # Steps
//!
//! 1. [`config`] reads the shape of the model, [`weights`] its tensors; matrices stay quantised.
//! 2. [`Model::forward`] reads tokens behind those in a [`Cache`]: an embedding for each, then layer by layer attention to all
//!    positions before it and a feed-forward part ([`maths`]), and the logits of the last positions. [`Model::forward_all`] does so
//!    for several texts, each with its own cache, in the same passes ([`plan`]).
//!
//! # What is exact
//!
//! The logits of a position do not depend on what else is read in the same pass, be it of the same text or of others, to the last
//! bit: candle's products of quantised matrices are computed row by row, and everything else is computed here, position by
//! position. That is what makes a draft that is verified in one pass equal to steps by one token, and a text the same whatever is
//! written beside it.

mod cache;
mod config;
mod maths;
mod plan;
mod weights;

use std::io::{Read, Seek};

use ogc_runtime::vocabulary::{Gguf, TokenId};

pub use cache::Cache;
pub(crate) use config::Config;
use maths::{Angles, Kept, add, add_to_each, attend, gated, normalise};
use plan::Piece;
use weights::{Matrix, Weights};

use crate::error::GenerateError;

/// Tokens of one text that a model is to read, behind those in a cache.
///
/// ```
/// use ogc_generate::{LoadedModel, Part};
/// use ogc_runtime::vocabulary::TokenId;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
/// let mut caches = [loaded.model.cache(8), loaded.model.cache(8)];
/// let [one, two] = &mut caches;
/// let logits = loaded.model.forward_all(&mut [
///     Part { cache: one, tokens: &[TokenId(1), TokenId(2)], rows: 1 },
///     Part { cache: two, tokens: &[TokenId(3)], rows: 1 },
/// ])?;
/// assert_eq!(logits[1], loaded.model.forward(&mut loaded.model.cache(8), &[TokenId(3)], 1)?);
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct Part<'a> {
    /// The positions that were read before.
    pub cache: &'a mut Cache,
    /// The tokens to read.
    pub tokens: &'a [TokenId],
    /// The number of last tokens whose logits are wanted.
    pub rows: usize,
}

/// The weights of one layer.
#[derive(Debug)]
struct Layer {
    attention_norm: Vec<f32>,
    ask: Matrix,
    key: Matrix,
    value: Matrix,
    answer: Matrix,
    ask_bias: Option<Vec<f32>>,
    key_bias: Option<Vec<f32>>,
    value_bias: Option<Vec<f32>>,
    ask_norm: Option<Vec<f32>>,
    key_norm: Option<Vec<f32>>,
    inner_norm: Vec<f32>,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
}

/// What the new positions of a pass ask for in a layer, and their keys and values, a row for each.
struct AttentionRows {
    asked: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// A language model: from tokens to logits.
///
/// ```
/// use ogc_generate::LoadedModel;
/// use ogc_runtime::vocabulary::TokenId;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
/// let model = &loaded.model;
/// let tokens = [3, 1, 4, 1, 5].map(TokenId);
/// // All logits at once are those of one token after the other.
/// let at_once = model.forward(&mut model.cache(8), &tokens, tokens.len())?;
/// let mut cache = model.cache(8);
/// for (token, expected) in tokens.iter().zip(at_once.chunks_exact(model.width())) {
///     assert_eq!(model.forward(&mut cache, &[*token], 1)?, expected);
/// }
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct Model {
    config: Config,
    embeddings: Matrix,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    output: Matrix,
    /// Divisors of the frequencies of rotations, if the model has them.
    slowness: Option<Vec<f32>>,
}

impl Model {
    /// Reads the tensors of a GGUF file of `len` bytes, whose head was read; `tokens` is the length of its list of tokens.
    pub(crate) fn from_gguf<R: Read + Seek>(
        gguf: &Gguf,
        file: R,
        len: u64,
        tokens: usize,
    ) -> Result<Self, GenerateError> {
        let config = Config::from_gguf(gguf)?;
        let mut weights = Weights { gguf, file, len };
        let rows = gguf.tensor("token_embd.weight").and_then(|tensor| tensor.shape.get(1)).copied().unwrap_or(0);
        let rows = usize::try_from(rows).unwrap_or(0);
        if rows < tokens {
            let expected = format!("its vocabulary has {tokens}");
            return Err(GenerateError::Shape {
                what: "the number of embeddings".to_owned(),
                given: rows.to_string(),
                expected,
            });
        }
        let embeddings = weights.matrix("token_embd.weight", rows, config.width)?;
        let layers = (0..config.layers).map(|at| layer(&mut weights, &config, at)).collect::<Result<_, _>>()?;
        let norm = weights.row("output_norm.weight", config.width)?;
        let output = match gguf.tensor("output.weight") {
            Some(_) => weights.matrix("output.weight", rows, config.width)?,
            None => embeddings.clone(),
        };
        let slowness = weights.optional_row("rope_freqs.weight", config.head / 2)?;
        Ok(Self { config, embeddings, layers, norm, output, slowness })
    }

    /// Makes an empty cache with room for so many positions.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
    /// assert!(loaded.model.cache(100).is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn cache(&self, positions: usize) -> Cache {
        Cache::new(&self.config, positions)
    }

    /// Returns the number of logits of a position.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
    /// assert_eq!(loaded.model.width(), loaded.vocabulary.padded_len());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn width(&self) -> usize {
        self.output.rows
    }

    /// Returns the most positions that the model can read.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
    /// assert_eq!(loaded.model.context(), 2048);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn context(&self) -> usize {
        self.config.context
    }

    /// Reads tokens behind those in the cache, and returns the logits after each of the last `rows` of them, row by row.
    ///
    /// # Errors
    /// A token that the model does not have, or more positions than its context. The cache is as it was.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// use ogc_runtime::vocabulary::TokenId;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
    /// let mut cache = loaded.model.cache(8);
    /// let logits = loaded.model.forward(&mut cache, &[TokenId(1), TokenId(2)], 1)?;
    /// assert_eq!(logits.len(), loaded.model.width());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn forward(&self, cache: &mut Cache, tokens: &[TokenId], rows: usize) -> Result<Vec<f32>, GenerateError> {
        let mut logits = self.forward_all(&mut [Part { cache, tokens, rows }])?;
        Ok(logits.pop().unwrap_or_default())
    }

    /// Reads tokens of several texts, each behind those in its cache, as [`Model::forward`] reads those of one; returns the logits
    /// of each.
    ///
    /// # Errors
    /// A token that the model does not have, or more positions than its context. All caches are as they were.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_generate::tiny::gguf()?))?;
    /// assert!(loaded.model.forward_all(&mut [])?.is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn forward_all(&self, parts: &mut [Part<'_>]) -> Result<Vec<Vec<f32>>, GenerateError> {
        parts.iter().try_for_each(|part| self.check(part))?;
        let before: Vec<usize> = parts.iter().map(|part| part.cache.len()).collect();
        let mut logits = vec![Vec::new(); parts.len()];
        let lens: Vec<usize> = parts.iter().map(|part| part.tokens.len()).collect();
        for pieces in plan::passes(&lens) {
            if let Err(error) = self.pass(parts, &pieces, &mut logits) {
                parts.iter_mut().zip(before).for_each(|(part, len)| part.cache.truncate(len));
                return Err(error);
            }
        }
        Ok(logits)
    }

    /// Refuses tokens that the model does not have, and more positions than its context.
    fn check(&self, part: &Part<'_>) -> Result<(), GenerateError> {
        let (given, limit) = (part.cache.len() + part.tokens.len(), self.config.context);
        if given > limit {
            return Err(GenerateError::Context { given, limit });
        }
        let Some(token) = part.tokens.iter().find(|token| token.index() >= self.embeddings.rows) else { return Ok(()) };
        let expected = format!("there are {}", self.embeddings.rows);
        Err(GenerateError::Shape { what: "a token".to_owned(), given: token.0.to_string(), expected })
    }

    /// Reads the tokens of one pass, and adds the logits that are wanted to those of their texts.
    fn pass(&self, parts: &mut [Part<'_>], pieces: &[Piece], logits: &mut [Vec<f32>]) -> Result<(), GenerateError> {
        let ids: Vec<u32> = pieces
            .iter()
            .flat_map(|piece| &parts[piece.part].tokens[piece.tokens.clone()])
            .map(|token| token.0)
            .collect();
        let mut states = self.embeddings.look_up(&ids)?;
        let Config { head, rope_base, .. } = self.config;
        let angles = |position| Angles::of(position, head, rope_base, self.slowness.as_deref());
        let positions = pieces.iter().flat_map(|piece| {
            let before = parts[piece.part].cache.len();
            before..before + piece.tokens.len()
        });
        let angles: Vec<Angles> = positions.map(angles).collect();
        for (at, layer) in self.layers.iter().enumerate() {
            let rows = self.attention_rows(layer, &states, &angles)?;
            let found = self.attention(&rows, parts, pieces, at);
            add(&mut states, &layer.answer.products(&found)?);
            let inner = self.inner(layer, &states)?;
            add(&mut states, &inner);
        }
        pieces.iter().for_each(|piece| parts[piece.part].cache.grow(piece.tokens.len()));
        self.logits(parts, pieces, &states, logits)
    }

    /// Computes the logits that are wanted of the last states.
    fn logits(
        &self,
        parts: &[Part<'_>],
        pieces: &[Piece],
        states: &[f32],
        logits: &mut [Vec<f32>],
    ) -> Result<(), GenerateError> {
        let (mut wanted, mut owners, mut at) = (Vec::new(), Vec::new(), 0);
        for piece in pieces {
            let part = &parts[piece.part];
            let first = part.tokens.len().saturating_sub(part.rows).max(piece.tokens.start);
            for token in first..piece.tokens.end {
                let row = at + token - piece.tokens.start;
                wanted.extend_from_slice(&states[row * self.config.width..(row + 1) * self.config.width]);
                owners.push(piece.part);
            }
            at += piece.tokens.len();
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let found = self.output.products(&self.normalised(&wanted, &self.norm))?;
        for (row, owner) in found.chunks_exact(self.output.rows).zip(owners) {
            logits[owner].extend_from_slice(row);
        }
        Ok(())
    }

    /// Computes what new positions ask for, and their keys and values, rotated.
    fn attention_rows(&self, layer: &Layer, states: &[f32], angles: &[Angles]) -> Result<AttentionRows, GenerateError> {
        let Config { head, heads, key_heads, epsilon, rotates_neighbours, .. } = self.config;
        let rows = self.normalised(states, &layer.attention_norm);
        let mut asked = layer.ask.products(&rows)?;
        let mut keys = layer.key.products(&rows)?;
        let mut values = layer.value.products(&rows)?;
        add_to_each(&mut asked, layer.ask_bias.as_ref());
        add_to_each(&mut keys, layer.key_bias.as_ref());
        add_to_each(&mut values, layer.value_bias.as_ref());
        let turn = |rows: &mut [f32], count: usize, norm: Option<&Vec<f32>>| {
            for (row, angles) in rows.chunks_exact_mut(count * head).zip(angles) {
                for part in row.chunks_exact_mut(head) {
                    if let Some(norm) = norm {
                        normalise(part, norm, epsilon);
                    }
                    angles.rotate(part, rotates_neighbours);
                }
            }
        };
        turn(&mut asked, heads, layer.ask_norm.as_ref());
        turn(&mut keys, key_heads, layer.key_norm.as_ref());
        Ok(AttentionRows { asked, keys, values })
    }

    /// Adds the keys and values of new positions to the caches of a layer; returns what their heads find, each in its own text.
    fn attention(&self, rows: &AttentionRows, parts: &mut [Part<'_>], pieces: &[Piece], layer: usize) -> Vec<f32> {
        let Config { head, heads, key_heads, .. } = self.config;
        let (asked, stride) = (self.config.asked(), self.config.kept());
        let mut found = vec![0.0; rows.asked.len()];
        let mut first = 0;
        for piece in pieces {
            let range = first..first + piece.tokens.len();
            first = range.end;
            let kept = &mut parts[piece.part].cache.layers[layer];
            let before = kept.keys.len() / stride;
            kept.keys.extend_from_slice(&rows.keys[range.start * stride..range.end * stride]);
            kept.values.extend_from_slice(&rows.values[range.start * stride..range.end * stride]);
            let of_piece = range.start * asked..range.end * asked;
            let heads_of_piece =
                rows.asked[of_piece.clone()].chunks_exact(head).zip(found[of_piece].chunks_exact_mut(head));
            for (at, (asked, found)) in heads_of_piece.enumerate() {
                let (position, own) = (before + at / heads, at % heads);
                let offset = own / (heads / key_heads) * head;
                let keys = Kept { rows: &kept.keys, stride, offset };
                let values = Kept { rows: &kept.values, stride, offset };
                attend(asked, keys, values, position + 1, found);
            }
        }
        found
    }

    /// Computes the feed-forward part.
    fn inner(&self, layer: &Layer, states: &[f32]) -> Result<Vec<f32>, GenerateError> {
        let rows = self.normalised(states, &layer.inner_norm);
        let mut gate = layer.gate.products(&rows)?;
        gated(&mut gate, &layer.up.products(&rows)?);
        layer.down.products(&gate)
    }

    /// Normalises each row of states.
    fn normalised(&self, states: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut rows = states.to_vec();
        rows.chunks_exact_mut(self.config.width).for_each(|row| normalise(row, weights, self.config.epsilon));
        rows
    }
}

/// Reads the weights of a layer.
fn layer<R: Read + Seek>(weights: &mut Weights<'_, R>, config: &Config, at: usize) -> Result<Layer, GenerateError> {
    let name = |part: &str| format!("blk.{at}.{part}");
    let &Config { width, inner, head, .. } = config;
    let (asked, kept) = (config.asked(), config.kept());
    Ok(Layer {
        attention_norm: weights.row(&name("attn_norm.weight"), width)?,
        ask: weights.matrix(&name("attn_q.weight"), asked, width)?,
        key: weights.matrix(&name("attn_k.weight"), kept, width)?,
        value: weights.matrix(&name("attn_v.weight"), kept, width)?,
        answer: weights.matrix(&name("attn_output.weight"), width, asked)?,
        ask_bias: weights.optional_row(&name("attn_q.bias"), asked)?,
        key_bias: weights.optional_row(&name("attn_k.bias"), kept)?,
        value_bias: weights.optional_row(&name("attn_v.bias"), kept)?,
        ask_norm: weights.optional_row(&name("attn_q_norm.weight"), head)?,
        key_norm: weights.optional_row(&name("attn_k_norm.weight"), head)?,
        inner_norm: weights.row(&name("ffn_norm.weight"), width)?,
        gate: weights.matrix(&name("ffn_gate.weight"), inner, width)?,
        up: weights.matrix(&name("ffn_up.weight"), inner, width)?,
        down: weights.matrix(&name("ffn_down.weight"), width, inner)?,
    })
}
