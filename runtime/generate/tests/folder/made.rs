//! Small models of random weights, in folders and in GGUF files.

use std::collections::BTreeMap;

use ogc_kit::blocks::GgmlType;
use ogc_kit::gguf::{self, Tensor, Value as GgufValue};
use ogc_kit::{Random, model, safetensors};
use serde_json::{Value, json};

pub(crate) use ogc_kit::safetensors::Numbers;

/// The files of a folder.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A model: its configuration, and the shape and the numbers of each tensor.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) config: Value,
    pub(crate) tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

/// Makes a model of a family, with changes of its configuration. It has two layers and 4 heads, of which 2 have keys.
pub(crate) fn family(name: &str, changes: Value) -> Made {
    // The heads of Qwen 3 are wider than the width divided by their number.
    let head = if name == "qwen3" { 16 } else { 6 };
    let rows = model::tokens().len();
    let config = json!({"model_type": name, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": head, "max_position_embeddings": 64,
        "rms_norm_eps": 1e-6, "rope_theta": 500.0, "hidden_act": "silu", "vocab_size": rows});
    let mut made = Made { config, tensors: BTreeMap::new() }.with(changes);
    let mut random = Random::new(7);
    let mut add = |name: String, shape: &[usize]| {
        let numbers = random.numbers(shape.iter().product());
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

    /// Returns a number of the configuration.
    pub(crate) fn number(&self, key: &str) -> usize {
        self.config[key].as_u64().expect("a number") as usize
    }

    /// Rounds all numbers as a file of this kind does.
    pub(crate) fn rounded(&self, numbers: Numbers) -> Self {
        let mut made = self.clone();
        for (_, values) in made.tensors.values_mut() {
            values.iter_mut().for_each(|value| *value = numbers.rounded(*value));
        }
        made
    }

    /// Makes the folder, with its tensors in `count` files.
    pub(crate) fn files(&self, numbers: Numbers, count: usize) -> Files {
        let small = model::folder();
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
        let wanted = self.tensors.iter().filter(|(name, _)| is_wanted(name));
        safetensors::write(
            numbers,
            wanted.map(|(name, (shape, values))| (name.as_str(), shape.as_slice(), values.as_slice())),
        )
    }

    /// Makes a GGUF file; its vocabulary is that of the small model.
    pub(crate) fn gguf(&self) -> Vec<u8> {
        let family = self.config["model_type"].as_str().expect("a family");
        let number = |name: &str, key: &str| (format!("{family}.{name}"), GgufValue::U32(self.number(key) as u32));
        let own = [
            ("general.architecture".to_owned(), family.into()),
            number("block_count", "num_hidden_layers"),
            number("context_length", "max_position_embeddings"),
            number("embedding_length", "hidden_size"),
            number("feed_forward_length", "intermediate_size"),
            number("attention.head_count", "num_attention_heads"),
            number("attention.head_count_kv", "num_key_value_heads"),
            number("attention.key_length", "head_dim"),
            (format!("{family}.rope.freq_base"), GgufValue::F32(500.0)),
            (format!("{family}.attention.layer_norm_rms_epsilon"), GgufValue::F32(1e-6)),
        ];
        let mut metadata = model::tokenizer();
        metadata.extend(own.iter().map(|(key, value)| (key.as_str(), value.clone())));
        let tensor = |(name, (shape, values)): (&String, &(Vec<usize>, Vec<f32>))| {
            Tensor::new(model::name_in_gguf(name), shape, GgmlType::F32, values)
        };
        gguf::write(&metadata, &self.tensors.iter().map(tensor).collect::<Vec<_>>())
    }
}
