//! The model of [`gguf`](super::gguf()) as a folder in the layout of Hugging Face, with weights of 32 bits.

use std::collections::BTreeMap;

use serde_json::json;

use super::{CONTROLS, HEAD, INNER, LAYERS, MERGES, TEMPLATE, WIDTH, tensors, tokens};
use crate::safetensors::{self, Numbers};

/// The names of tensors in GGUF files, and in folders.
const NAMES: [(&str, &str); 15] = [
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.norm"),
    ("output", "lm_head"),
    ("blk", "model.layers"),
    ("attn_norm", "input_layernorm"),
    ("ffn_norm", "post_attention_layernorm"),
    ("attn_output", "self_attn.o_proj"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

/// Makes the files of a folder with the model of [`gguf`](super::gguf()), by their names.
///
/// ```
/// assert!(ogc_kit::model::folder().contains_key("config.json"));
/// ```
#[must_use]
pub fn folder() -> BTreeMap<&'static str, Vec<u8>> {
    let settings = json!({"chat_template": TEMPLATE, "eos_token": "<|im_end|>"});
    BTreeMap::from([
        ("config.json", config().to_string().into_bytes()),
        ("tokenizer.json", tokenizer().to_string().into_bytes()),
        ("tokenizer_config.json", settings.to_string().into_bytes()),
        ("model.safetensors", weights()),
    ])
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

/// Makes the file of weights, with the numbers that the blocks of the GGUF file stand for.
fn weights() -> Vec<u8> {
    let mut made = BTreeMap::new();
    for tensor in tensors(1, LAYERS, tokens().len()) {
        let mut numbers = tensor.ggml_type.read(&tensor.bytes);
        if tensor.name.ends_with("attn_q.weight") || tensor.name.ends_with("attn_k.weight") {
            numbers = halves_apart(&numbers);
        }
        made.insert(name_in_folder(&tensor.name), (tensor.shape, numbers));
    }
    let tensors = made.iter().map(|(name, (shape, numbers))| (name.as_str(), shape.as_slice(), numbers.as_slice()));
    safetensors::write(Numbers::F32, tensors)
}

/// Returns the folder name of a tensor of a GGUF file.
fn name_in_folder(name: &str) -> String {
    let known = |part: &str| {
        NAMES.iter().find(|(file, _)| *file == part).map_or(part.to_owned(), |(_, name)| (*name).to_owned())
    };
    name.split('.').map(known).collect::<Vec<_>>().join(".")
}

/// Returns the GGUF name of a tensor of a folder.
///
/// ```
/// assert_eq!(ogc_kit::model::name_in_gguf("model.layers.1.self_attn.q_proj.bias"), "blk.1.attn_q.bias");
/// ```
#[must_use]
pub fn name_in_gguf(name: &str) -> String {
    NAMES.iter().fold(name.to_owned(), |name, (file, folder)| name.replace(folder, file))
}

/// Puts the rows of heads in the order of folders. In GGUF files of Llama, pairs that are rotated together are
/// neighbours; in folders, they are half a head apart.
fn halves_apart(rows: &[f32]) -> Vec<f32> {
    let row = |at: usize| &rows[at * WIDTH..(at + 1) * WIDTH];
    let order = |at: usize| at / HEAD * HEAD + at % HEAD % (HEAD / 2) * 2 + at % HEAD / (HEAD / 2);
    (0..rows.len() / WIDTH).flat_map(|at| row(order(at))).copied().collect()
}
