//! Tests of models in folders of safetensors: each family, with numbers of every kind, in one file or several, against
//! plain loops and against the same weights in a GGUF file. Unsupported parts are errors that name them.

mod made;
mod reference;

use std::collections::BTreeMap;
use std::io::Cursor;

use made::{Files, Made, Numbers, family};
use ogc_generate::{GenerateError, LoadedModel, ToolStyle};
use ogc_runtime::vocabulary::TokenId;
use serde_json::{Value, json};

fn load(files: &Files) -> Result<LoadedModel, GenerateError> {
    LoadedModel::from_folder(|name| Ok(files.get(name).map(Cursor::new)))
}

fn tokens() -> Vec<TokenId> {
    (0..12).map(|at| TokenId(at * 23 % 40)).collect()
}

fn logits(loaded: &LoadedModel) -> Vec<f32> {
    let tokens = tokens();
    loaded.model.forward(&mut loaded.model.cache(12), &tokens, tokens.len()).expect("logits")
}

#[track_caller]
fn check_close(found: &[f32], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    assert!(size > 0.1, "{what}: logits say something");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((f64::from(*found) - expected).abs() < 1e-5 * size, "{what}: {found} is not {expected}, at {at}");
    }
}

/// Checks a model against plain loops.
#[track_caller]
fn check(made: &Made) {
    let loaded = load(&made.files(Numbers::F32, 1)).expect("a model");
    check_close(&logits(&loaded), &reference::logits(made, &tokens()), &made.config.to_string());
}

#[test]
fn logits_of_each_model_family_match_the_reference() {
    for name in ["llama", "mistral", "qwen2", "qwen3"] {
        check(&family(name, json!({})));
        check(&family(name, json!({"tie_word_embeddings": true})));
    }
}

#[test]
fn windows_hide_what_is_further_away() {
    let made = family("mistral", json!({"sliding_window": 3}));
    check(&made);
    let whole = reference::logits(&family("mistral", json!({})), &tokens());
    let hidden = reference::logits(&made, &tokens());
    let width = whole.len() / tokens().len();
    assert_eq!(whole[..3 * width], hidden[..3 * width]);
    assert_ne!(whole[3 * width..], hidden[3 * width..]);
    for family_name in ["qwen2", "qwen3"] {
        let window = json!({"sliding_window": 4, "use_sliding_window": true, "max_window_layers": 1,
            "layer_types": ["full_attention", "sliding_attention"]});
        check(&family(family_name, window));
        check(&family(family_name, json!({"sliding_window": 4, "use_sliding_window": false, "max_window_layers": 1})));
    }
    check(&family("mistral", json!({"sliding_window": null})));
}

#[test]
fn rope_scaling_matches_the_reference() {
    let llama3 = json!({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 16});
    let yarn = json!({"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16});
    let plain = reference::logits(&family("llama", json!({})), &tokens());
    for scaling in [json!({"type": "linear", "factor": 2.0}), llama3, yarn] {
        let made = family("llama", json!({"rope_scaling": scaling}));
        check(&made);
        assert_ne!(reference::logits(&made, &tokens()), plain);
    }
    // As version 5 of transformers writes the file.
    check(&family(
        "llama",
        json!({"rope_theta": null, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}}),
    ));
}

#[test]
fn models_with_16_bit_numbers_and_several_files_are_read() {
    let made = family("qwen3", json!({}));
    for numbers in [Numbers::F16, Numbers::BF16] {
        let rounded = made.rounded(numbers);
        let one = logits(&load(&made.files(numbers, 1)).expect("a model"));
        check_close(&one, &reference::logits(&rounded, &tokens()), "16 bits");
        let many = load(&made.files(numbers, 3)).expect("a model");
        assert!(logits(&many) == one, "three files are one");
    }
}

#[test]
fn a_folder_is_the_same_model_as_a_gguf_file() {
    for name in ["qwen2", "qwen3"] {
        let made = family(name, json!({}));
        let folder = load(&made.files(Numbers::F32, 1)).expect("a model");
        let file = LoadedModel::from_gguf(Cursor::new(made.gguf())).expect("a model");
        assert!(logits(&folder) == logits(&file), "{name}");
    }
}

#[test]
fn the_test_model_gives_close_logits_from_folder_and_gguf() {
    let files = ogc_kit::model::folder();
    let folder = LoadedModel::from_folder(|name| Ok(files.get(name).map(Cursor::new))).expect("a model");
    let file = LoadedModel::from_gguf(Cursor::new(ogc_kit::model::gguf())).expect("a model");
    // The pairs of heads have another order, so their products are summed in another order.
    let expected: Vec<f64> = logits(&file).into_iter().map(f64::from).collect();
    check_close(&logits(&folder), &expected, "the small model");
    assert_eq!(folder.vocabulary.eos(), file.vocabulary.eos());
    assert!(folder.vocabulary.texts().eq(file.vocabulary.texts()));
    for text in ["hello abba", "<|im_start|>{\":12\u{e9}<|im_end|>"] {
        let tokens = |loaded: &LoadedModel| loaded.tokenizer.raw_tokens(text).expect("tokens");
        assert_eq!(tokens(&folder), tokens(&file));
        assert_eq!(folder.tokenizer.text_tokens(text.as_bytes()), file.tokenizer.text_tokens(text.as_bytes()));
    }
    let prompt =
        |loaded: &LoadedModel| loaded.template.as_ref().expect("a template").prompt(None, "Hi").expect("a prompt");
    assert_eq!(prompt(&folder), prompt(&file));
}

#[track_caller]
fn check_refused(files: &Files, expected: &str) {
    let error = load(files).expect_err(expected).to_string();
    assert!(error.contains(expected), "{error}\ndoes not say: {expected}");
}

#[test]
fn unsupported_model_settings_are_named() {
    let cases = [
        (json!({"model_type": "gemma3"}), "`gemma3` is not supported"),
        (json!({"hidden_act": "gelu"}), "`gelu` is not supported"),
        (json!({"quantization_config": {"bits": 4}}), "can be read from GGUF"),
        (json!({"partial_rotary_factor": 0.5}), "`partial_rotary_factor` must be 1"),
        (json!({"rope_scaling": {"type": "longrope"}}), "`longrope` is not supported"),
        (json!({"rope_scaling": {"type": "linear"}}), "no rope_scaling.factor"),
        (json!({"rope_scaling": {"type": "linear", "factor": 0.0}}), "must be positive"),
        (json!({"rope_scaling": {"type": "yarn", "factor": 2.0, "mscale": 1.0}}), "`yarn` is not supported"),
        (json!({"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 2}), "`sliding_attention`"),
        (json!({"num_key_value_heads": 3}), "must be a multiple of 3"),
        (json!({"hidden_size": 1u64 << 40}), "must be from 1 to"),
        (json!({"head_dim": 7}), "must be even"),
        (json!({"num_hidden_layers": 3}), "no model.layers.2"),
        (json!({"intermediate_size": 7}), "must be [7, "),
        (json!({"eos_token_id": 100_000}), "100000"),
        (json!({"hidden_size": "many"}), "`config.json`"),
    ];
    let made = family("llama", json!({}));
    for (change, expected) in cases {
        check_refused(&made.with(change).files(Numbers::F32, 1), expected);
    }
    let mut other = made.clone();
    other.tensors.insert("model.layers.0.mlp.up_proj.bias".to_owned(), (vec![4], vec![0.0; 4]));
    check_refused(&other.files(Numbers::F32, 1), "`model.layers.0.mlp.up_proj.bias` is not supported");
    let mut other = made.clone();
    other.tensors.remove("lm_head.weight");
    check_refused(&other.files(Numbers::F32, 1), "no lm_head.weight");
}

#[test]
fn missing_and_broken_files_are_errors() {
    let files = family("qwen2", json!({})).files(Numbers::F16, 2);
    for name in files.keys() {
        let mut fewer = files.clone();
        fewer.remove(name);
        check_refused(&fewer, "is not in the folder");
    }
    let index: Value = json!({"weight_map": {"model.norm.weight": "../model.safetensors"}});
    let mut outside = files.clone();
    outside.insert("model.safetensors.index.json".to_owned(), index.to_string().into_bytes());
    check_refused(&outside, "in another folder");
    // Two files with the same tensors.
    let mut twice = files.clone();
    let first = files["model-0.safetensors"].clone();
    twice.insert("model-1.safetensors".to_owned(), first);
    check_refused(&twice, "which another file has too");
}

#[test]
fn cut_and_changed_bytes_never_crash() {
    let files = family("llama", json!({})).files(Numbers::BF16, 1);
    let whole = &files["model.safetensors"];
    let with = |bytes: Vec<u8>| {
        let mut files: BTreeMap<String, Vec<u8>> = files.clone();
        files.insert("model.safetensors".to_owned(), bytes);
        load(&files)
    };
    for len in (0..whole.len()).step_by(61) {
        assert!(with(whole[..len].to_vec()).is_err(), "{len} of {} bytes", whole.len());
    }
    for at in 0..1_200 {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x15;
        drop(with(bytes));
    }
}

/// The template for chats with tools may be in the list of the tokenizer's configuration, in a file of its own, or in a
/// GGUF file.
#[test]
fn a_template_for_tools_is_found_beside_the_usual_one() {
    let (usual, tools) = ("{{ messages[0].content }}", "{{ tools | length }} tools <tool_call> arguments");
    let with = |config: Value, more: &[(&'static str, &str)]| {
        let mut files = ogc_kit::model::folder();
        files.insert("tokenizer_config.json", config.to_string().into_bytes());
        files.extend(more.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())));
        LoadedModel::from_folder(|name| Ok(files.get(name).map(Cursor::new))).expect("a model")
    };
    let named = |name: &str, template: &str| json!({ "name": name, "template": template });
    let mut tokenizer = ogc_kit::model::tokenizer();
    tokenizer.retain(|(key, _)| *key != "tokenizer.chat_template");
    tokenizer.push(("tokenizer.chat_template", usual.into()));
    tokenizer.push(("tokenizer.chat_template.tool_use", tools.into()));
    let gguf = LoadedModel::from_gguf(Cursor::new(ogc_kit::model::gguf_with(tokenizer))).expect("a model");
    let file = "additional_chat_templates/tool_use.jinja";
    for loaded in [
        with(json!({ "chat_template": [named("rag", "no"), named("tool_use", tools), named("default", usual)] }), &[]),
        with(json!({ "chat_template": usual }), &[(file, tools)]),
        with(json!({}), &[("chat_template.jinja", usual), (file, tools)]),
        gguf,
    ] {
        let template = loaded.template.expect("a template");
        assert_eq!(template.tool_style(), Some(ToolStyle::Hermes));
        let messages = [json!({ "role": "user", "content": "Hi" })];
        assert_eq!(template.render(&messages, None::<&()>).expect("a prompt"), "Hi");
        assert_eq!(template.render(&messages, Some(&[1, 2])).expect("a prompt"), "2 tools <tool_call> arguments");
    }
}
