//! Uploads the weights of a model: checks each matrix against the shape of the model, and joins matrices that read the same states.

use super::error::ModelError;
use super::memory::{Layer, Matmul, upload_matrix, upload_row};
use super::shape::ModelShape;
use super::weights::WeightMatrix;
use crate::machine::Machine;

/// The weights of a layer.
///
/// ```
/// # use ogc_cuda::LayerWeights;
/// fn is_qwen_3(layer: &LayerWeights) -> bool {
///     layer.ask_norm.is_some() && layer.key_norm.is_some()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct LayerWeights {
    /// The weights of the normalisation before the attention.
    pub attention_norm: Vec<f32>,
    /// Query projection.
    pub ask: WeightMatrix,
    /// Key projection.
    pub key: WeightMatrix,
    /// Value projection.
    pub value: WeightMatrix,
    /// Output projection of the attention.
    pub answer: WeightMatrix,
    /// Bias of the queries.
    pub ask_bias: Option<Vec<f32>>,
    /// Bias of the keys.
    pub key_bias: Option<Vec<f32>>,
    /// Bias of the values.
    pub value_bias: Option<Vec<f32>>,
    /// Weights of a normalisation of each query head.
    pub ask_norm: Option<Vec<f32>>,
    /// Weights of a normalisation of each key head.
    pub key_norm: Option<Vec<f32>>,
    /// The weights of the normalisation before the feed-forward part.
    pub inner_norm: Vec<f32>,
    /// Gate projection of the feed-forward part.
    pub gate: WeightMatrix,
    /// Up projection of the feed-forward part.
    pub up: WeightMatrix,
    /// Down projection of the feed-forward part.
    pub down: WeightMatrix,
}

/// The weights of a model. `layers` may be an iterator that makes each layer when it is uploaded.
///
/// ```
/// # use ogc_cuda::{LayerWeights, ModelWeights};
/// fn is_tied(weights: &ModelWeights<Vec<LayerWeights>>) -> bool {
///     weights.output.is_none()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ModelWeights<L> {
    /// Embedding matrix, a row for each token.
    pub embeddings: WeightMatrix,
    /// The layers.
    pub layers: L,
    /// The weights of the last normalisation.
    pub norm: Vec<f32>,
    /// Output matrix, a row for each logit; without it the embeddings are used.
    pub output: Option<WeightMatrix>,
    /// For each position and each pair of a head: the sine and cosine by which RoPE rotates the pair.
    pub angles: Vec<[f32; 2]>,
}

/// Uploads the weights of a layer.
pub(super) fn upload_layer(
    machine: &mut impl Machine,
    shape: &ModelShape,
    layer: LayerWeights,
) -> Result<Layer, ModelError> {
    let (width, asked, kept, inner) = (shape.width, shape.asked(), shape.kept(), shape.inner);
    let norms = [(&layer.attention_norm, width), (&layer.inner_norm, width)];
    norms
        .into_iter()
        .try_for_each(|(norm, len)| check_len("the number of weights of a normalisation", norm.len(), len.into()))?;
    for norm in [&layer.ask_norm, &layer.key_norm].into_iter().flatten() {
        check_len("the number of weights of a head's normalisation", norm.len(), shape.head.into())?;
    }
    let joined =
        [(layer.ask, layer.ask_bias, asked), (layer.key, layer.key_bias, kept), (layer.value, layer.value_bias, kept)];
    let gates = [(layer.gate, None, inner), (layer.up, None, inner)];
    check_columns("the length of a row of answers", &layer.answer, asked)?;
    check_len("the number of answers", layer.answer.outputs() as usize, width.into())?;
    check_columns("the length of a row inside", &layer.down, inner)?;
    check_len("the number of outputs of a layer", layer.down.outputs() as usize, width.into())?;
    Ok(Layer {
        attention_norm: upload_row(machine, "attention norm", Some(&layer.attention_norm))?,
        joined: upload_joined(machine, "heads, keys and values", width, joined)?,
        ask_norm: upload_row(machine, "norm of heads", layer.ask_norm.as_deref())?,
        key_norm: upload_row(machine, "norm of keys", layer.key_norm.as_deref())?,
        answer: upload_matrix(machine, "answers", &layer.answer)?,
        inner_norm: upload_row(machine, "inner norm", Some(&layer.inner_norm))?,
        gates: upload_joined(machine, "gates", width, gates)?,
        down: upload_matrix(machine, "down", &layer.down)?,
    })
}

/// Uploads matrices whose outputs are adjacent. Matrices of the same weight format become one matrix.
fn upload_joined<const N: usize>(
    machine: &mut impl Machine,
    name: &str,
    width: u32,
    parts: [(WeightMatrix, Option<Vec<f32>>, u32); N],
) -> Result<Vec<Matmul>, ModelError> {
    let mut joined: Vec<(u32, WeightMatrix, Option<Vec<f32>>)> = Vec::new();
    let mut first = 0;
    for (matrix, bias, outputs) in parts {
        check_columns("the length of a row of weights", &matrix, width)?;
        check_len("the number of outputs", matrix.outputs() as usize, outputs.into())?;
        if let Some(bias) = &bias {
            check_len("the number of what is added to products", bias.len(), outputs.into())?;
        }
        match joined.last_mut() {
            Some((_, last, last_bias)) if last.takes(&matrix) && last_bias.is_some() == bias.is_some() => {
                last.append(&matrix);
                last_bias.iter_mut().for_each(|last| last.extend(bias.iter().flatten()));
            }
            _ => joined.push((first, matrix, bias)),
        }
        first += outputs;
    }
    let upload = |(first, matrix, bias): (u32, WeightMatrix, Option<Vec<f32>>)| {
        let matrix = upload_matrix(machine, name, &matrix)?;
        Ok(Matmul { matrix, bias: upload_row(machine, name, bias.as_deref())?, first })
    };
    joined.into_iter().map(upload).collect()
}

/// Rejects a matrix whose rows do not have the expected length.
pub(super) fn check_columns(what: &'static str, matrix: &WeightMatrix, expected: u32) -> Result<(), ModelError> {
    check_len(what, matrix.columns() as usize, u64::from(expected))
}

/// Rejects a number other than the expected one.
pub(super) fn check_len(what: &'static str, given: usize, expected: u64) -> Result<(), ModelError> {
    if given as u64 == expected {
        return Ok(());
    }
    Err(ModelError::shape(what, given, format!("it must be {expected}")))
}
