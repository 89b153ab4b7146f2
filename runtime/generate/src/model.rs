//! Models of the Llama family (Llama, Mistral, SmolLM, Qwen 2 and 3) on a CPU: from tokens to logits.
//!
//! # Steps
//!
//! 1. [`config`] reads the shape of the model, [`weights`] its tensors; matrices stay quantised.
//! 2. [`Model::forward`] reads tokens behind those in a [`Cache`]: an embedding for each, then layer by layer attention to all
//!    positions before it and a feed-forward part ([`maths`]), and the logits of the last positions.
//!
//! # What is exact
//!
//! The logits of a position do not depend on how many positions are read in one pass, to the last bit: candle's products of
//! quantised matrices are computed row by row, and everything else is computed here, position by position. That is what makes a
//! draft that is verified in one pass equal to steps by one token.

mod cache;
mod config;
mod maths;
mod weights;

use std::io::{Read, Seek};

use ogc_runtime::vocabulary::{Gguf, TokenId};

pub use cache::Cache;
pub(crate) use config::Config;
use maths::{Angles, Kept, add, add_to_each, attend, gated, normalise};
use weights::{Matrix, Weights};

use crate::error::GenerateError;

/// The most positions that are read in one pass; longer texts take several, so that memory stays bounded.
const MAX_PASS: usize = 256;

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
        let (given, limit) = (cache.len() + tokens.len(), self.config.context);
        if given > limit {
            return Err(GenerateError::Context { given, limit });
        }
        if let Some(token) = tokens.iter().find(|token| token.index() >= self.embeddings.rows) {
            let expected = format!("there are {}", self.embeddings.rows);
            return Err(GenerateError::Shape { what: "a token".to_owned(), given: token.0.to_string(), expected });
        }
        let before = cache.len();
        let logits = self.forward_in_passes(cache, tokens, rows);
        if logits.is_err() {
            cache.truncate(before);
        }
        logits
    }

    fn forward_in_passes(&self, cache: &mut Cache, tokens: &[TokenId], rows: usize) -> Result<Vec<f32>, GenerateError> {
        let mut logits = Vec::new();
        let first = tokens.len().saturating_sub(rows);
        for (at, tokens) in tokens.chunks(MAX_PASS).enumerate() {
            let states = self.pass(cache, tokens)?;
            let wanted = first.saturating_sub(at * MAX_PASS).min(tokens.len());
            let mut states = states[wanted * self.config.width..].to_vec();
            if states.is_empty() {
                continue;
            }
            let rows = states.chunks_exact_mut(self.config.width);
            rows.for_each(|row| normalise(row, &self.norm, self.config.epsilon));
            logits.extend(self.output.products(&states)?);
        }
        Ok(logits)
    }

    /// Reads a few tokens; returns their states after the last layer.
    fn pass(&self, cache: &mut Cache, tokens: &[TokenId]) -> Result<Vec<f32>, GenerateError> {
        let ids: Vec<u32> = tokens.iter().map(|token| token.0).collect();
        let mut states = self.embeddings.look_up(&ids)?;
        let Config { head, rope_base, .. } = self.config;
        let positions = cache.len()..cache.len() + tokens.len();
        let angles: Vec<Angles> =
            positions.map(|position| Angles::of(position, head, rope_base, self.slowness.as_deref())).collect();
        for (layer, kept) in self.layers.iter().zip(&mut cache.layers) {
            let found = self.attention(layer, kept, &states, &angles)?;
            add(&mut states, &layer.answer.products(&found)?);
            let inner = self.inner(layer, &states)?;
            add(&mut states, &inner);
        }
        cache.grow(tokens.len());
        Ok(states)
    }

    /// Adds the keys and values of new positions to a layer's cache; returns what their heads find.
    fn attention(
        &self,
        layer: &Layer,
        kept: &mut cache::LayerCache,
        states: &[f32],
        angles: &[Angles],
    ) -> Result<Vec<f32>, GenerateError> {
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
        let before = kept.keys.len() / self.config.kept();
        kept.keys.extend_from_slice(&keys);
        kept.values.extend_from_slice(&values);
        let mut found = vec![0.0; asked.len()];
        for (at, (asked, found)) in asked.chunks_exact(head).zip(found.chunks_exact_mut(head)).enumerate() {
            let (position, own) = (before + at / heads, at % heads);
            let (stride, offset) = (self.config.kept(), own / (heads / key_heads) * head);
            let keys = Kept { rows: &kept.keys, stride, offset };
            let values = Kept { rows: &kept.values, stride, offset };
            attend(asked, keys, values, position + 1, found);
        }
        Ok(found)
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
