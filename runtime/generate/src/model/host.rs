//! A model on the CPU: weights in memory, and the passes over them.

use super::BatchPart;
use super::config::Config;
use super::maths::{Angles, Kept, add, add_to_each, attend, normalise, swiglu};
use super::matmul::{Matrix, among_threads};
use super::names::{LayerName, Name};
use super::plan::{self, Piece};
use super::weights::{Tensors, Weights};
use crate::error::GenerateError;

/// The weights of one layer.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) attention_norm: Vec<f32>,
    pub(super) ask: Matrix,
    pub(super) key: Matrix,
    pub(super) value: Matrix,
    pub(super) answer: Matrix,
    pub(super) ask_bias: Option<Vec<f32>>,
    pub(super) key_bias: Option<Vec<f32>>,
    pub(super) value_bias: Option<Vec<f32>>,
    pub(super) ask_norm: Option<Vec<f32>>,
    pub(super) key_norm: Option<Vec<f32>>,
    pub(super) inner_norm: Vec<f32>,
    pub(super) gate: Matrix,
    pub(super) up: Matrix,
    pub(super) down: Matrix,
}

/// The queries, keys and values of the new positions of a pass in a layer, a row for each position.
struct AttentionRows {
    asked: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// A model whose weights are in memory.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) config: Config,
    pub(super) embeddings: Matrix,
    pub(super) layers: Vec<Layer>,
    pub(super) norm: Vec<f32>,
    pub(super) output: Matrix,
}

impl Host {
    /// Reads the tensors of a model; `tokens` is the length of its list of tokens.
    pub(super) fn new(mut config: Config, tensors: &mut impl Tensors, tokens: usize) -> Result<Self, GenerateError> {
        let rows = tensors.shape(Name::Embeddings).and_then(|shape| shape.first().copied()).unwrap_or(0);
        let rows = usize::try_from(rows).unwrap_or(0);
        if rows < tokens {
            let expected = format!("its vocabulary has {tokens}");
            return Err(GenerateError::Shape {
                what: "the number of embeddings".to_owned(),
                given: rows.to_string(),
                expected,
            });
        }
        let mut weights = Weights(tensors);
        let embeddings = weights.matrix(Name::Embeddings, rows, config.width)?;
        let layers = (0..config.layers).map(|at| layer(&mut weights, &config, at)).collect::<Result<_, _>>()?;
        let norm = weights.row(Name::Norm, config.width)?;
        let output = if config.tied { embeddings.clone() } else { weights.matrix(Name::Output, rows, config.width)? };
        if let Some(divisors) = weights.optional_row(Name::Slowness, config.head / 2)? {
            config.rope.slow_down(&divisors);
        }
        Ok(Self { config, embeddings, layers, norm, output })
    }

    /// Reads tokens of several texts, each after those in its cache; returns the logits of each. The tokens must exist, and fit into the
    /// context. Calls `between_layers` after each half of each layer.
    pub(super) fn forward_all(
        &self,
        parts: &mut [BatchPart<'_>],
        between_layers: &mut (dyn FnMut() + Send),
    ) -> Vec<Vec<f32>> {
        let mut logits = vec![Vec::new(); parts.len()];
        let lens: Vec<usize> = parts.iter().map(|part| part.tokens.len()).collect();
        among_threads(|| {
            for pieces in plan::passes(&lens) {
                self.pass(parts, &pieces, &mut logits, between_layers);
            }
        });
        logits
    }

    /// Reads the tokens of one pass, and adds the logits that are wanted to those of their texts.
    fn pass(
        &self,
        parts: &mut [BatchPart<'_>],
        pieces: &[Piece],
        logits: &mut [Vec<f32>],
        between_layers: &mut (dyn FnMut() + Send),
    ) {
        let ids: Vec<u32> = pieces
            .iter()
            .flat_map(|piece| &parts[piece.part].tokens[piece.tokens.clone()])
            .map(|token| token.0)
            .collect();
        let mut states = self.embeddings.look_up(&ids);
        let angles = |position| Angles::of(position, &self.config.rope);
        let positions = pieces.iter().flat_map(|piece| {
            let before = parts[piece.part].cache.len();
            before..before + piece.tokens.len()
        });
        let angles: Vec<Angles> = positions.map(angles).collect();
        for (at, layer) in self.layers.iter().enumerate() {
            let rows = self.attention_rows(layer, &states, &angles);
            let found = self.attention(&rows, parts, pieces, at);
            add(&mut states, &layer.answer.matmul(&found));
            between_layers();
            let inner = self.inner(layer, &states);
            add(&mut states, &inner);
            between_layers();
        }
        pieces.iter().for_each(|piece| parts[piece.part].cache.grow(piece.tokens.len()));
        self.logits(parts, pieces, &states, logits);
    }

    /// Computes the logits that are wanted of the last states.
    fn logits(&self, parts: &[BatchPart<'_>], pieces: &[Piece], states: &[f32], logits: &mut [Vec<f32>]) {
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
            return;
        }
        let found = self.output.matmul(&self.normalised(&wanted, &self.norm));
        for (row, owner) in found.chunks_exact(self.output.rows).zip(owners) {
            logits[owner].extend_from_slice(row);
        }
    }

    /// Computes the queries, keys and values of new positions; queries and keys are rotated.
    fn attention_rows(&self, layer: &Layer, states: &[f32], angles: &[Angles]) -> AttentionRows {
        let Config { head, heads, key_heads, epsilon, rotates_neighbours, .. } = self.config;
        let rows = self.normalised(states, &layer.attention_norm);
        let mut asked = layer.ask.matmul(&rows);
        let mut keys = layer.key.matmul(&rows);
        let mut values = layer.value.matmul(&rows);
        add_to_each(&mut asked, layer.ask_bias.as_ref());
        add_to_each(&mut keys, layer.key_bias.as_ref());
        add_to_each(&mut values, layer.value_bias.as_ref());
        let rope = |rows: &mut [f32], count: usize, norm: Option<&Vec<f32>>| {
            for (row, angles) in rows.chunks_exact_mut(count * head).zip(angles) {
                for part in row.chunks_exact_mut(head) {
                    if let Some(norm) = norm {
                        normalise(part, norm, epsilon);
                    }
                    angles.rotate(part, rotates_neighbours);
                }
            }
        };
        rope(&mut asked, heads, layer.ask_norm.as_ref());
        rope(&mut keys, key_heads, layer.key_norm.as_ref());
        AttentionRows { asked, keys, values }
    }

    /// Adds the keys and values of new positions to the caches of a layer; returns the outputs of their attention heads, each within its own text.
    fn attention(&self, rows: &AttentionRows, parts: &mut [BatchPart<'_>], pieces: &[Piece], layer: usize) -> Vec<f32> {
        let Config { head, heads, key_heads, .. } = self.config;
        let (asked, stride) = (self.config.asked(), self.config.kept());
        let mut found = vec![0.0; rows.asked.len()];
        let mut first = 0;
        for piece in pieces {
            let range = first..first + piece.tokens.len();
            first = range.end;
            let cache = &mut *parts[piece.part].cache;
            let (before, of_keys) = (cache.len(), range.start * stride..range.end * stride);
            cache.add(layer, &rows.keys[of_keys.clone()], &rows.values[of_keys]);
            let [keys, values] = cache.rows(layer);
            let of_piece = range.start * asked..range.end * asked;
            let heads_of_piece =
                rows.asked[of_piece.clone()].chunks_exact(head).zip(found[of_piece].chunks_exact_mut(head));
            for (at, (asked, found)) in heads_of_piece.enumerate() {
                let (position, own) = (before + at / heads, at % heads);
                let offset = own / (heads / key_heads) * head;
                let keys = Kept { pages: &keys, stride, offset };
                let values = Kept { pages: &values, stride, offset };
                let first = position + 1 - self.config.looked_at(layer, position + 1);
                attend(asked, keys, values, first..position + 1, found);
            }
        }
        found
    }

    /// Computes the feed-forward part.
    fn inner(&self, layer: &Layer, states: &[f32]) -> Vec<f32> {
        let rows = self.normalised(states, &layer.inner_norm);
        let mut gate = layer.gate.matmul(&rows);
        swiglu(&mut gate, &layer.up.matmul(&rows));
        layer.down.matmul(&gate)
    }

    /// Normalises each row of states.
    fn normalised(&self, states: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut rows = states.to_vec();
        rows.chunks_exact_mut(self.config.width).for_each(|row| normalise(row, weights, self.config.epsilon));
        rows
    }
}

/// Reads the weights of a layer.
fn layer(weights: &mut Weights<&mut impl Tensors>, config: &Config, at: usize) -> Result<Layer, GenerateError> {
    let name = |part: LayerName| Name::Layer(at, part);
    let &Config { width, inner, head, .. } = config;
    let (asked, kept) = (config.asked(), config.kept());
    Ok(Layer {
        attention_norm: weights.row(name(LayerName::AttentionNorm), width)?,
        ask: weights.matrix(name(LayerName::Ask), asked, width)?,
        key: weights.matrix(name(LayerName::Key), kept, width)?,
        value: weights.matrix(name(LayerName::Value), kept, width)?,
        answer: weights.matrix(name(LayerName::Answer), width, asked)?,
        ask_bias: weights.optional_row(name(LayerName::AskBias), asked)?,
        key_bias: weights.optional_row(name(LayerName::KeyBias), kept)?,
        value_bias: weights.optional_row(name(LayerName::ValueBias), kept)?,
        ask_norm: weights.optional_row(name(LayerName::AskNorm), head)?,
        key_norm: weights.optional_row(name(LayerName::KeyNorm), head)?,
        inner_norm: weights.row(name(LayerName::InnerNorm), width)?,
        gate: weights.matrix(name(LayerName::Gate), inner, width)?,
        up: weights.matrix(name(LayerName::Up), inner, width)?,
        down: weights.matrix(name(LayerName::Down), width, inner)?,
    })
}
