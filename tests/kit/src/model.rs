//! A model of random weights, small enough to be made in a moment: for examples and tests without a download.

mod folder;

use crate::blocks::GgmlType;
use crate::gguf::{self, Tensor, Value};

pub use folder::{folder, name_in_gguf};

/// The numbers of a position, of a head, and inside of a feed-forward part.
const WIDTH: usize = 64;
const HEAD: usize = 32;
const INNER: usize = 96;
const LAYERS: usize = 2;

/// The control tokens, which come last.
const CONTROLS: [&str; 3] = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"];

/// Pairs that are merged to tokens, in the alphabet of bytes.
const MERGES: [&str; 8] = ["a b", "h e", "l l", "he ll", "Ġ a", "\" :", "{ \"", "1 2"];

/// The template of chats.
const TEMPLATE: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
                        {% endfor %}<|im_start|>assistant\n";

/// Makes a GGUF file of a model with two layers, a byte-level vocabulary of 267 tokens and random weights.
///
/// ```
/// assert!(ogc_kit::model::gguf().starts_with(b"GGUF"));
/// ```
#[must_use]
pub fn gguf() -> Vec<u8> {
    gguf_with(tokenizer())
}

/// Makes the model of [`gguf()`] with another tokenizer, which must have as many tokens as [`tokens`].
///
/// ```
/// use ogc_kit::model::{gguf, gguf_with, tokenizer};
/// assert_eq!(gguf_with(tokenizer()), gguf());
/// ```
#[must_use]
pub fn gguf_with(tokenizer: Vec<(&str, Value)>) -> Vec<u8> {
    write(tokenizer, LAYERS, tensors(1, LAYERS, tokens().len()))
}

/// Makes a smaller model with the same tokens, other random weights and some more logits than tokens: a draft model for
/// the model of [`gguf()`].
///
/// ```
/// assert!(ogc_kit::model::draft_gguf().len() < ogc_kit::model::gguf().len());
/// ```
#[must_use]
pub fn draft_gguf() -> Vec<u8> {
    write(tokenizer(), 1, tensors(2, 1, tokens().len() + 21))
}

/// Writes a file with the numbers of the model and these tensors.
fn write(tokenizer: Vec<(&str, Value)>, layers: usize, tensors: Vec<Tensor>) -> Vec<u8> {
    let number = |number: usize| Value::U32(number as u32);
    let mut metadata = vec![
        ("general.architecture", "llama".into()),
        ("llama.block_count", number(layers)),
        ("llama.context_length", number(2048)),
        ("llama.embedding_length", number(WIDTH)),
        ("llama.feed_forward_length", number(INNER)),
        ("llama.attention.head_count", number(WIDTH / HEAD)),
        ("llama.attention.head_count_kv", number(1)),
        ("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
    ];
    metadata.extend(tokenizer);
    gguf::write(&metadata, &tensors)
}

/// Returns the metadata of the model's tokenizer, for other models that share it.
#[must_use]
pub fn tokenizer() -> Vec<(&'static str, Value)> {
    let tokens = tokens();
    let controls = tokens.len() - CONTROLS.len();
    let kinds = (0..tokens.len()).map(|at| Value::I32(if at < controls { 1 } else { 3 }));
    vec![
        ("tokenizer.ggml.model", "gpt2".into()),
        ("tokenizer.ggml.pre", "smollm".into()),
        ("tokenizer.ggml.tokens", Value::Array(tokens.iter().map(|token| token.as_str().into()).collect())),
        ("tokenizer.ggml.token_type", Value::Array(kinds.collect())),
        ("tokenizer.ggml.merges", Value::Array(MERGES.iter().map(|pair| (*pair).into()).collect())),
        ("tokenizer.ggml.eos_token_id", Value::U32(controls as u32 + 1)),
        ("tokenizer.chat_template", TEMPLATE.into()),
    ]
}

/// Returns the texts of the model's tokens: all bytes in the alphabet of bytes, the merges and the control tokens.
#[must_use]
pub fn tokens() -> Vec<String> {
    let visible = |byte: &u32| matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
    let hidden = (0..0x100).filter(|byte| !visible(byte)).zip(0x100..).map(|(_, character)| character);
    let bytes = (0..0x100).filter(visible).chain(hidden).filter_map(char::from_u32).map(String::from);
    let merged = MERGES.iter().map(|pair| pair.replace(' ', ""));
    bytes.chain(merged).chain(CONTROLS.map(str::to_owned)).collect()
}

/// Makes the tensors from a seed, for a number of layers and of logits.
fn tensors(seed: u64, layers: usize, logits: usize) -> Vec<Tensor> {
    let mut state = seed;
    let mut made = |name: String, shape: &[usize], ggml_type| {
        let numbers: Vec<f32> = (0..shape.iter().product()).map(|_| next(&mut state)).collect();
        Tensor::new(name, shape, ggml_type, &numbers)
    };
    let mut tensors = vec![
        made("token_embd.weight".to_owned(), &[logits, WIDTH], GgmlType::Q8_0),
        made("output_norm.weight".to_owned(), &[WIDTH], GgmlType::F32),
    ];
    let matrices = [
        ("attn_q", WIDTH, WIDTH),
        ("attn_k", HEAD, WIDTH),
        ("attn_v", HEAD, WIDTH),
        ("attn_output", WIDTH, WIDTH),
        ("ffn_gate", INNER, WIDTH),
        ("ffn_up", INNER, WIDTH),
        ("ffn_down", WIDTH, INNER),
    ];
    for layer in 0..layers {
        for norm in ["attn_norm", "ffn_norm"] {
            tensors.push(made(format!("blk.{layer}.{norm}.weight"), &[WIDTH], GgmlType::F32));
        }
        for (name, rows, columns) in matrices {
            tensors.push(made(format!("blk.{layer}.{name}.weight"), &[rows, columns], GgmlType::Q4_1));
        }
    }
    tensors
}

/// Returns the next weight, from -0.5 to 0.5. Tests and documents record texts that depend on these weights, so the
/// weights have a stream of their own, which does not depend on the draws of other tests (a linear congruential one,
/// with the constants of Knuth's MMIX).
fn next(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
}
