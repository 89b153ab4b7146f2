//! Models of random weights: models that the embedded engine knows have its logits, and other models run as well.

use std::io::Cursor;
use std::sync::Arc;

use ogc_generate::{GenerateError, Jump, LoadedModel, Request};
use ogc_kit::blocks::GgmlType;
use ogc_kit::gguf::{self, Tensor, Value};
use ogc_kit::{Random, model};
use ogc_llama::LlamaOptions;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::TokenId;

use super::{formats, library, load, write};

/// Loads a file that is made for a test.
fn load_bytes(bytes: &[u8]) -> Option<LoadedModel> {
    let library = library()?;
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("a file");
    Some(load(file.path(), &library, LlamaOptions { threads: 1, ..LlamaOptions::new(2, 512) }))
}

/// Replaces all occurrences of a name by another of the same length.
fn renamed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

/// Writes a text of each format; no text reaches a dead end, and all are complete.
fn check_texts(loaded: &LoadedModel) {
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    for (name, format) in &formats() {
        for jump in [Jump::Verify, Jump::Off] {
            let prompt = loaded.tokenizer.raw_tokens("Write: ").expect("tokens");
            let request = Request { jump, ..Request::new(prompt, 250) };
            let written = write(loaded, &store, format, request);
            assert!(!written.text.is_empty() && written.tokens.len() <= 250, "{name}");
        }
    }
}

#[test]
fn logits_of_random_weights_match_the_embedded_model() {
    let bytes = model::gguf();
    let Some(llama) = load_bytes(&bytes) else { return };
    let own = LoadedModel::from_gguf(Cursor::new(&bytes)).expect("a model");
    let mut random = Random::new(ogc_kit::first_seed());
    for _ in 0..ogc_kit::rounds(10, 100) {
        let tokens: Vec<TokenId> = (0..=random.below(60)).map(|_| TokenId(random.below(267) as u32)).collect();
        let [ours, theirs] = [&own, &llama]
            .map(|loaded| loaded.model.forward(&mut loaded.model.cache(64), &tokens, tokens.len()).expect("logits"));
        let widest = ours.iter().zip(&theirs).map(|(one, two)| (one - two).abs()).fold(0.0, f32::max);
        assert!(ours.len() == theirs.len() && widest < 0.1, "{tokens:?}: {widest}");
    }
    check_texts(&llama);
}

#[test]
fn an_architecture_runs_that_the_embedded_model_does_not_know() {
    let bytes = renamed(&model::gguf(), "llama", "gemma");
    let own = LoadedModel::from_gguf(Cursor::new(&bytes));
    assert!(matches!(own, Err(GenerateError::Unsupported { what: "the architecture", .. })));
    let Some(gemma) = load_bytes(&bytes) else { return };
    check_texts(&gemma);
}

#[test]
fn a_recurrent_model_generates_without_drafts() {
    let Some(mamba) = load_bytes(&mamba()) else { return };
    check_texts(&mamba);
    // Read again the positions that were taken back.
    let tokens: Vec<TokenId> = (40..60).map(TokenId).collect();
    let mut cache = mamba.model.cache(32);
    mamba.model.forward(&mut cache, &tokens, 1).expect("logits");
    cache.truncate(7);
    let after = mamba.model.forward(&mut cache, &tokens[7..], 1).expect("logits");
    let anew = mamba.model.forward(&mut mamba.model.cache(32), &tokens, 1).expect("logits");
    let widest = after.iter().zip(&anew).map(|(one, two)| (one - two).abs()).fold(0.0, f32::max);
    assert!(widest < 0.01, "{widest}");
    let store = MaskStore::new(Arc::clone(&mamba.vocabulary));
    let prompt = mamba.tokenizer.raw_tokens("Write: ").expect("tokens");
    let written = write(&mamba, &store, &formats()[0].1, Request::new(prompt, 250));
    assert_eq!(written.statistics.passes, written.tokens.len() - written.statistics.forced, "no pass is of a draft");
}

/// Makes a small recurrent model, with the tokenizer of the others.
fn mamba() -> Vec<u8> {
    let [width, inner, state, kernel, rank] = [64, 128, 16, 4, 4];
    let number = |number: usize| Value::U32(number as u32);
    let mut metadata = vec![
        ("general.architecture", "mamba".into()),
        ("mamba.block_count", number(2)),
        ("mamba.context_length", number(2048)),
        ("mamba.embedding_length", number(width)),
        ("mamba.feed_forward_length", number(0)),
        ("mamba.attention.head_count", number(0)),
        ("mamba.attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
        ("mamba.ssm.conv_kernel", number(kernel)),
        ("mamba.ssm.inner_size", number(inner)),
        ("mamba.ssm.state_size", number(state)),
        ("mamba.ssm.time_step_rank", number(rank)),
    ];
    metadata.extend(model::tokenizer());
    let mut random = Random::new(7);
    let mut made = |name: String, shape: &[usize]| {
        let numbers: Vec<f32> = random.numbers(shape.iter().product()).into_iter().map(|number| number / 4.0).collect();
        Tensor::new(name, shape, GgmlType::F32, &numbers)
    };
    let mut tensors = vec![
        made("token_embd.weight".to_owned(), &[model::tokens().len(), width]),
        made("output_norm.weight".to_owned(), &[width]),
    ];
    let of_layer: [(&str, &[usize]); 10] = [
        ("attn_norm.weight", &[width]),
        ("ssm_in.weight", &[2 * inner, width]),
        ("ssm_conv1d.weight", &[inner, kernel]),
        ("ssm_conv1d.bias", &[inner]),
        ("ssm_x.weight", &[rank + 2 * state, inner]),
        ("ssm_dt.weight", &[inner, rank]),
        ("ssm_dt.bias", &[inner]),
        ("ssm_a", &[inner, state]),
        ("ssm_d", &[inner]),
        ("ssm_out.weight", &[width, inner]),
    ];
    for layer in 0..2 {
        tensors.extend(of_layer.iter().map(|(name, shape)| made(format!("blk.{layer}.{name}"), shape)));
    }
    gguf::write(&metadata, &tensors)
}

#[test]
fn other_pre_tokenizers_are_left_to_libllama() {
    let mut tokenizer = model::tokenizer();
    for (key, value) in &mut tokenizer {
        if *key == "tokenizer.ggml.pre" {
            *value = "olmo".into();
        }
    }
    let bytes = model::gguf_with(tokenizer);
    let own = LoadedModel::from_gguf(Cursor::new(&bytes));
    assert!(matches!(own, Err(GenerateError::Unsupported { what: "the pre-tokenizer", .. })));
    let Some(llama) = load_bytes(&bytes) else { return };
    let text = "hello {\"a b\": 12}<|im_end|> \u{e9}\u{1f600}";
    let spell = |tokens: &[TokenId]| -> Vec<u8> {
        let text = |token: &TokenId| {
            let name = llama.vocabulary.name_of(*token).map(str::as_bytes);
            name.or(llama.vocabulary.text(*token)).unwrap_or_default().to_vec()
        };
        tokens.iter().flat_map(text).collect()
    };
    let named = llama.tokenizer.tokens(text).expect("tokens");
    let plain = llama.tokenizer.text_tokens(text.as_bytes());
    assert_eq!([spell(&named), spell(&plain)].map(|bytes| String::from_utf8(bytes).expect("a text")), [text, text]);
    let special =
        |tokens: &[TokenId]| tokens.iter().filter(|token| llama.vocabulary.name_of(**token).is_some()).count();
    assert_eq!([special(&named), special(&plain)], [1, 0]);
    assert!(llama.tokenizer.names_special("a<|im_end|>") && !llama.tokenizer.names_special("im_end"));
    let long = "ab ".repeat(2_000);
    assert!(matches!(
        llama.tokenizer.tokens(&long),
        Err(GenerateError::PromptTokens { .. } | GenerateError::LongPrompt { .. })
    ));
    check_texts(&llama);
}
