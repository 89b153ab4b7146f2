//! Small models of random weights, in folders and in GGUF files.

use std::collections::BTreeMap;
use std::io::Cursor;

use candle_core::quantized::gguf_file::{self, Value as GgufValue};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use ogc_generate::{LoadedModel, tiny};
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};

/// The files of a folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The kinds of numbers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    F32,
    F16,
    BF16,
}

/// A model: its configuration, and the shape and the numbers of each tensor.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) config: Value,
    pub(crate) tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

/// Makes a model of a family, with changes of its configuration: two layers, 4 heads of which 2 have keys.
pub(crate) fn family(name: &str, changes: Value) -> Made {
    // The heads of Qwen 3 are wider than their share.
    let head = if name == "qwen3" { 16 } else { 6 };
    let rows = vocabulary();
    let config = json!({"model_type": name, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": head, "max_position_embeddings": 64,
        "rms_norm_eps": 1e-6, "rope_theta": 500.0, "hidden_act": "silu", "vocab_size": rows});
    let mut made = Made { config, tensors: BTreeMap::new() }.with(changes);
    let mut state = 7;
    let mut add = |name: String, shape: &[usize]| {
        let numbers = (0..shape.iter().product()).map(|_| next(&mut state)).collect();
        made.tensors.insert(name, (shape.to_vec(), numbers));
    };
    add("model.embed_tokens.weight".to_owned(), &[rows, 24]);
    add("model.norm.weight".to_owned(), &[24]);
    add("lm_head.weight".to_owned(), &[rows, 24]);
    for layer in 0..2 {
        let mut add = |part: &str, shape: &[usize]| add(format!("model.layers.{layer}.{part}"), shape);
        add("input_layernorm.weight", &[24]);
        add("post_attention_layernorm.weight", &[24]);
        add("self_attn.q_proj.weight", &[4 * head, 24]);
        add("self_attn.k_proj.weight", &[2 * head, 24]);
        add("self_attn.v_proj.weight", &[2 * head, 24]);
        add("self_attn.o_proj.weight", &[24, 4 * head]);
        add("mlp.gate_proj.weight", &[40, 24]);
        add("mlp.up_proj.weight", &[40, 24]);
        add("mlp.down_proj.weight", &[24, 40]);
        if name == "qwen2" {
            add("self_attn.q_proj.bias", &[4 * head]);
            add("self_attn.k_proj.bias", &[2 * head]);
            add("self_attn.v_proj.bias", &[2 * head]);
        }
        if name == "qwen3" {
            add("self_attn.q_norm.weight", &[head]);
            add("self_attn.k_norm.weight", &[head]);
        }
    }
    made
}

/// The number of tokens of the vocabulary that all models have.
fn vocabulary() -> usize {
    let loaded = LoadedModel::from_gguf(Cursor::new(tiny::gguf().expect("a file"))).expect("a model");
    loaded.vocabulary.len()
}

/// Returns the next random number, from -1 to 1.
fn next(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
}

impl Made {
    /// Changes the configuration.
    pub(crate) fn with(&self, changes: Value) -> Self {
        let mut made = self.clone();
        let Value::Object(changes) = changes else { panic!("an object") };
        for (key, value) in changes {
            made.config[key] = value;
        }
        made
    }

    /// Returns the number of the configuration.
    pub(crate) fn number(&self, key: &str) -> usize {
        self.config[key].as_u64().expect("a number") as usize
    }

    /// Rounds all numbers as a file of that kind does.
    pub(crate) fn rounded(&self, numbers: Numbers) -> Self {
        let mut made = self.clone();
        for (_, values) in made.tensors.values_mut() {
            for value in values {
                *value = match numbers {
                    Numbers::F32 => *value,
                    Numbers::F16 => half::f16::from_f32(*value).to_f32(),
                    Numbers::BF16 => half::bf16::from_f32(*value).to_f32(),
                };
            }
        }
        made
    }

    /// Makes the folder, with its tensors in so many files.
    pub(crate) fn files(&self, numbers: Numbers, count: usize) -> Files {
        let small = tiny::folder().expect("files");
        let mut files = Files::new();
        files.insert("config.json".to_owned(), self.config.to_string().into_bytes());
        files.insert("tokenizer.json".to_owned(), small["tokenizer.json"].clone());
        if count == 1 {
            files.insert("model.safetensors".to_owned(), self.file(numbers, |_| true));
            return files;
        }
        let names = self.tensors.keys().zip((0..count).cycle());
        let place: BTreeMap<&String, usize> = names.collect();
        for file in 0..count {
            files.insert(format!("model-{file}.safetensors"), self.file(numbers, |name| place[name] == file));
        }
        let map: BTreeMap<&String, String> =
            place.into_iter().map(|(name, file)| (name, format!("model-{file}.safetensors"))).collect();
        files.insert("model.safetensors.index.json".to_owned(), json!({"weight_map": map}).to_string().into_bytes());
        files
    }

    fn file(&self, numbers: Numbers, is_wanted: impl Fn(&String) -> bool) -> Vec<u8> {
        let kind = match numbers {
            Numbers::F32 => Dtype::F32,
            Numbers::F16 => Dtype::F16,
            Numbers::BF16 => Dtype::BF16,
        };
        let bytes = |value: &f32| match numbers {
            Numbers::F32 => value.to_le_bytes().to_vec(),
            Numbers::F16 => half::f16::from_f32(*value).to_le_bytes().to_vec(),
            Numbers::BF16 => half::bf16::from_f32(*value).to_le_bytes().to_vec(),
        };
        let wanted = self.tensors.iter().filter(|(name, _)| is_wanted(name));
        let data: Vec<(&String, &Vec<usize>, Vec<u8>)> =
            wanted.map(|(name, (shape, values))| (name, shape, values.iter().flat_map(bytes).collect())).collect();
        let view = |shape: &Vec<usize>, bytes| TensorView::new(kind, shape.clone(), bytes).expect("a tensor");
        safetensors::serialize(data.iter().map(|(name, shape, bytes)| (name, view(shape, bytes))), None)
            .expect("a file")
    }

    /// Makes a GGUF file; its vocabulary is that of the small model.
    pub(crate) fn gguf(&self) -> Vec<u8> {
        let family = self.config["model_type"].as_str().expect("a family").to_owned();
        let number = |name: &str, key: &str| (format!("{family}.{name}"), GgufValue::U32(self.number(key) as u32));
        let small = gguf_file::Content::read(&mut Cursor::new(tiny::gguf().expect("a file"))).expect("a head");
        let mut metadata: BTreeMap<String, GgufValue> =
            small.metadata.into_iter().filter(|(key, _)| key.starts_with("tokenizer.")).collect();
        metadata.extend([
            ("general.architecture".to_owned(), GgufValue::String(family.clone())),
            number("block_count", "num_hidden_layers"),
            number("context_length", "max_position_embeddings"),
            number("embedding_length", "hidden_size"),
            number("feed_forward_length", "intermediate_size"),
            number("attention.head_count", "num_attention_heads"),
            number("attention.head_count_kv", "num_key_value_heads"),
            number("attention.key_length", "head_dim"),
            (format!("{family}.rope.freq_base"), GgufValue::F32(500.0)),
            (format!("{family}.attention.layer_norm_rms_epsilon"), GgufValue::F32(1e-6)),
        ]);
        let metadata: Vec<(&str, &GgufValue)> = metadata.iter().map(|(key, value)| (key.as_str(), value)).collect();
        let tensors: Vec<(String, QTensor)> = self.tensors.iter().map(quantised).collect();
        let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let mut file = Cursor::new(Vec::new());
        gguf_file::write(&mut file, &metadata, &tensors).expect("a file");
        file.into_inner()
    }
}

/// Makes a tensor of 32 bits under its name in GGUF files.
fn quantised((name, (shape, values)): (&String, &(Vec<usize>, Vec<f32>))) -> (String, QTensor) {
    let names = [
        ("model.embed_tokens", "token_embd"),
        ("model.norm", "output_norm"),
        ("lm_head", "output"),
        ("model.layers", "blk"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
        ("self_attn.o_proj", "attn_output"),
        ("self_attn.q_proj", "attn_q"),
        ("self_attn.k_proj", "attn_k"),
        ("self_attn.v_proj", "attn_v"),
        ("self_attn.q_norm", "attn_q_norm"),
        ("self_attn.k_norm", "attn_k_norm"),
        ("mlp.gate_proj", "ffn_gate"),
        ("mlp.up_proj", "ffn_up"),
        ("mlp.down_proj", "ffn_down"),
    ];
    let name = names.iter().fold(name.clone(), |name, (folder, file)| name.replace(folder, file));
    let tensor = Tensor::from_vec(values.clone(), shape.as_slice(), &Device::Cpu).expect("a tensor");
    (name, QTensor::quantize(&tensor, GgmlDType::F32).expect("a tensor"))
}
