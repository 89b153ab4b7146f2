//! Lays the weights of a model out for the kernels of `ogc-cuda`.

use ogc_cuda::{AttentionWindow, LayerWeights, ModelShape, ModelWeights, WeightFormat, WeightMatrix};

use super::super::config::Config;
use super::super::host::{Host, Layer};
use super::super::maths::Angles;
use super::super::matmul::{GgmlType, Matrix};
use crate::error::GenerateError;

/// Returns the shape of a model.
pub(super) fn shape(config: &Config) -> ModelShape {
    let window = config
        .window
        .map(|window| AttentionWindow { positions: window.positions as u32, first_layer: window.first_layer as u32 });
    ModelShape {
        width: config.width as u32,
        inner: config.inner as u32,
        heads: config.heads as u32,
        key_heads: config.key_heads as u32,
        head: config.head as u32,
        rotates_neighbours: config.rotates_neighbours,
        window,
        epsilon: config.epsilon,
    }
}

/// Lays the weights of a model out.
pub(super) fn weights(host: Host, positions: usize) -> Result<ModelWeights<Vec<LayerWeights>>, GenerateError> {
    let Host { config, embeddings, layers, norm, output } = host;
    let angles = (0..positions).flat_map(|position| Angles::of(position, &config.rope).pairs().collect::<Vec<_>>());
    Ok(ModelWeights {
        angles: angles.collect(),
        output: if config.tied { None } else { Some(matrix(&output)?) },
        embeddings: matrix(&embeddings)?,
        layers: layers.into_iter().map(layer).collect::<Result<_, GenerateError>>()?,
        norm,
    })
}

fn layer(layer: Layer) -> Result<LayerWeights, GenerateError> {
    Ok(LayerWeights {
        ask: matrix(&layer.ask)?,
        key: matrix(&layer.key)?,
        value: matrix(&layer.value)?,
        answer: matrix(&layer.answer)?,
        gate: matrix(&layer.gate)?,
        up: matrix(&layer.up)?,
        down: matrix(&layer.down)?,
        attention_norm: layer.attention_norm,
        ask_bias: layer.ask_bias,
        key_bias: layer.key_bias,
        value_bias: layer.value_bias,
        ask_norm: layer.ask_norm,
        key_norm: layer.key_norm,
        inner_norm: layer.inner_norm,
    })
}

/// Lays a matrix out: in the blocks of the file if kernels support them, else in groups of sixteen integers.
fn matrix(matrix: &Matrix) -> Result<WeightMatrix, GenerateError> {
    let format = match matrix.ggml_type {
        GgmlType::F32 => WeightFormat::F32,
        GgmlType::F16 => WeightFormat::F16,
        GgmlType::BF16 => WeightFormat::Bf16,
        GgmlType::Q8_0 => WeightFormat::Q8_0,
        GgmlType::Q4_0 => WeightFormat::Q4_0,
        GgmlType::Q4_1 => WeightFormat::Q4_1,
        GgmlType::Q5_0
        | GgmlType::Q5_1
        | GgmlType::Q2K
        | GgmlType::Q3K
        | GgmlType::Q4K
        | GgmlType::Q5K
        | GgmlType::Q6K => {
            let blocks = matrix.groups();
            return Ok(WeightMatrix::new(WeightFormat::Groups, &blocks, matrix.rows, matrix.columns)?);
        }
    };
    Ok(WeightMatrix::new(format, matrix.blocks(), matrix.rows, matrix.columns)?)
}
