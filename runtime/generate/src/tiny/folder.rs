//! The same model as a folder in the layout of Hugging Face, with weights of 32 bits.

use std::collections::BTreeMap;

use candle_core::Device;
use candle_core::quantized::QTensor;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::json;

use super::{CONTROLS, HEAD, INNER, LAYERS, MERGES, TEMPLATE, WIDTH, tensors, tokens};
use crate::error::GenerateError;
use crate::model::{LayerName, Name};

/// Makes the files of a folder with the model of [`gguf`](super::gguf), by their names.
///
/// # Errors
/// The tensors cannot be made.
///
/// ```
/// let folder = ogc_generate::tiny::folder()?;
/// assert!(folder.contains_key("config.json"));
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
pub fn folder() -> Result<BTreeMap<&'static str, Vec<u8>>, GenerateError> {
    Ok(BTreeMap::from([
        ("config.json", config().to_string().into_bytes()),
        ("tokenizer.json", tokenizer().to_string().into_bytes()),
        (
            "tokenizer_config.json",
            json!({"chat_template": TEMPLATE, "eos_token": "<|im_end|>"}).to_string().into_bytes(),
        ),
        ("model.safetensors", weights()?),
    ]))
}

fn config() -> serde_json::Value {
    json!({
        "model_type": "llama",
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": WIDTH / HEAD,
        "num_key_value_heads": 1,
        "max_position_embeddings": 2048,
        "rms_norm_eps": 1e-5,
        "hidden_act": "silu",
        "rope_theta": 10_000.0,
        "tie_word_embeddings": true,
        "eos_token_id": tokens().len() - 2,
    })
}

fn tokenizer() -> serde_json::Value {
    let all = tokens();
    let texts = all.len() - CONTROLS.len();
    let vocabulary: BTreeMap<&str, usize> = all[..texts].iter().map(String::as_str).zip(0..).collect();
    let special = |(at, name): (usize, &&str)| {
        json!({"id": texts + at, "content": name, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
            "special": true})
    };
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    json!({
        "version": "1.0",
        "added_tokens": CONTROLS.iter().enumerate().map(special).collect::<Vec<_>>(),
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": true}, bytes]},
        "decoder": bytes,
        "model": {"type": "BPE", "vocab": vocabulary, "merges": MERGES},
    })
}

fn weights() -> Result<Vec<u8>, GenerateError> {
    let made: BTreeMap<String, QTensor> = tensors()?.into_iter().collect();
    let mut files: Vec<(String, Vec<usize>, Vec<u8>)> = Vec::new();
    for name in names() {
        let (Some(tensor), Some(spelled)) = (made.get(&name.in_gguf()), name.in_safetensors()) else { continue };
        let shape = tensor.shape().dims().to_vec();
        let mut numbers: Vec<f32> = tensor.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1()?;
        if matches!(name, Name::Layer(_, LayerName::Ask | LayerName::Key)) {
            numbers = halves_apart(&numbers);
        }
        files.push((spelled, shape, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()));
    }
    let broken = |error: safetensors::SafeTensorError| GenerateError::Folder {
        file: "model.safetensors".to_owned(),
        reason: error.to_string(),
    };
    let views = files.iter().map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)));
    let views: Vec<_> = views.collect::<Result<_, _>>().map_err(broken)?;
    safetensors::serialize(views, None).map_err(broken)
}

fn names() -> impl Iterator<Item = Name> {
    let parts = [
        LayerName::AttentionNorm,
        LayerName::Ask,
        LayerName::Key,
        LayerName::Value,
        LayerName::Answer,
        LayerName::InnerNorm,
        LayerName::Gate,
        LayerName::Up,
        LayerName::Down,
    ];
    let layers = (0..LAYERS).flat_map(move |layer| parts.map(|part| Name::Layer(layer, part)));
    [Name::Embeddings, Name::Norm].into_iter().chain(layers)
}

/// Puts the rows of heads in the order of such folders: GGUF files of Llama have the pairs that are rotated together beside one another,
/// folders half a head apart.
fn halves_apart(rows: &[f32]) -> Vec<f32> {
    let row = |at: usize| &rows[at * WIDTH..(at + 1) * WIDTH];
    let order = |at: usize| at / HEAD * HEAD + at % HEAD % (HEAD / 2) * 2 + at % HEAD / (HEAD / 2);
    (0..rows.len() / WIDTH).flat_map(|at| row(order(at))).copied().collect()
}
