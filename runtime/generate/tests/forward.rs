//! Tests of the model's passes: many positions at once equal one after the other, and caches that were cut or cloned
//! equal fresh ones.

#![allow(clippy::disallowed_methods, reason = "the model is a file; see clippy.toml")]

use std::fs::File;
use std::io::Cursor;

use ogc_generate::{GenerateError, LoadedModel};
use ogc_runtime::vocabulary::{TokenId, TokenKind};

const SMOLLM: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";

fn smollm() -> Option<LoadedModel> {
    let path = ogc_kit::corpora::find_model(SMOLLM)?;
    Some(LoadedModel::from_gguf(File::open(path).expect("a file")).expect("a model"))
}

fn small() -> LoadedModel {
    LoadedModel::from_gguf(Cursor::new(ogc_kit::model::gguf())).expect("a model")
}

/// The logits after each token, each read by a pass of its own.
fn one_by_one(loaded: &LoadedModel, tokens: &[TokenId]) -> Vec<f32> {
    let mut cache = loaded.model.cache(tokens.len());
    tokens.iter().flat_map(|token| loaded.model.forward(&mut cache, &[*token], 1).expect("logits")).collect()
}

#[track_caller]
fn check_passes(loaded: &LoadedModel, tokens: &[TokenId]) {
    let (model, width) = (&loaded.model, loaded.model.width());
    let expected = one_by_one(loaded, tokens);
    assert!(expected.iter().all(|logit| logit.is_finite()));
    let at_once = model.forward(&mut model.cache(8), tokens, tokens.len()).expect("logits");
    assert!(at_once == expected, "all at once");
    for cut in [1, 3, tokens.len() - 2] {
        // A chunk behind a prefix, and the last rows alone.
        let mut cache = model.cache(0);
        assert!(model.forward(&mut cache, &tokens[..cut], 0).expect("nothing").is_empty());
        let rest = model.forward(&mut cache, &tokens[cut..], 2).expect("logits");
        assert!(rest == expected[(tokens.len() - 2) * width..], "behind {cut}");
        // Rolled back and read again; a clone that continues elsewhere changes nothing.
        let mut other = cache.clone();
        other.truncate(cut);
        model.forward(&mut other, &[tokens[0]; 5], 1).expect("logits");
        cache.truncate(cut);
        assert_eq!(cache.len(), cut);
        let again = model.forward(&mut cache, &tokens[cut..], 1).expect("logits");
        assert!(again == expected[(tokens.len() - 1) * width..], "again behind {cut}");
        other.truncate(cut);
        let again = model.forward(&mut other, &tokens[cut..], 1).expect("logits");
        assert!(again == expected[(tokens.len() - 1) * width..], "in a clone behind {cut}");
    }
}

#[test]
fn a_pass_over_many_positions_equals_single_steps_in_a_small_model() {
    let tokens: Vec<TokenId> = (0..40).map(|at| TokenId(at * 7 % 260)).collect();
    check_passes(&small(), &tokens);
}

#[test]
fn a_pass_over_many_positions_equals_single_steps() {
    let Some(loaded) = smollm() else { return };
    let tokens =
        loaded.tokenizer.tokens("<|im_start|>user\nName 3 rivers of 2 continents.<|im_end|>\n").expect("tokens");
    check_passes(&loaded, &tokens);
}

#[test]
fn a_text_longer_than_a_pass_equals_single_steps() {
    let loaded = small();
    let tokens: Vec<TokenId> = (0..600).map(|at| TokenId(at * 11 % 260)).collect();
    let at_once = loaded.model.forward(&mut loaded.model.cache(600), &tokens, 400).expect("logits");
    assert_eq!(at_once.len(), 400 * loaded.model.width());
    assert!(at_once == one_by_one(&loaded, &tokens)[200 * loaded.model.width()..]);
}

#[test]
fn a_text_over_the_context_is_an_error_and_keeps_the_cache() {
    let loaded = small();
    let mut cache = loaded.model.cache(4);
    loaded.model.forward(&mut cache, &[TokenId(1)], 1).expect("logits");
    let many = vec![TokenId(1); loaded.model.context()];
    let error = loaded.model.forward(&mut cache, &many, 1);
    assert!(matches!(error, Err(GenerateError::Context { given: 2049, limit: 2048 })));
    assert!(loaded.model.forward(&mut cache, &[TokenId(60_000)], 1).is_err());
    assert_eq!(cache.len(), 1);
}

#[test]
fn a_broken_file_is_an_error() {
    let file = ogc_kit::model::gguf();
    for len in (0..file.len()).step_by(97) {
        assert!(LoadedModel::from_gguf(Cursor::new(&file[..len])).is_err(), "{len} of {} bytes", file.len());
    }
    // The head contains the lengths, shapes and kinds.
    for at in (0..9_000).step_by(7) {
        let mut file = file.clone();
        file[at] ^= 0x81;
        drop(LoadedModel::from_gguf(Cursor::new(file)));
    }
}

#[test]
fn the_model_predicts_a_well_known_fact() {
    let Some(loaded) = smollm() else { return };
    let tokens = loaded.tokenizer.tokens("The capital of France is").expect("tokens");
    let logits = loaded.model.forward(&mut loaded.model.cache(8), &tokens, 1).expect("logits");
    let best = (0..logits.len()).max_by(|one, two| logits[*one].total_cmp(&logits[*two])).expect("a token");
    assert_eq!(loaded.vocabulary.text(TokenId(best as u32)), Some(&b" Paris"[..]));
}

#[test]
fn tokens_of_a_text_decode_to_that_text() {
    let texts = [
        "",
        "Hello, world",
        "a 1234 b\n\n  c",
        "caf\u{e9} \u{1f600} \u{4f60}\u{597d}",
        "<|im_end|>",
        "{\"a\": [1, 2]}",
    ];
    for loaded in [Some(small()), smollm()].into_iter().flatten() {
        for text in texts {
            let tokens = loaded.tokenizer.text_tokens(text.as_bytes());
            let written: Vec<u8> =
                tokens.iter().flat_map(|token| loaded.vocabulary.text(*token).unwrap_or(b"?")).copied().collect();
            assert_eq!(String::from_utf8_lossy(&written), text);
        }
        assert!(loaded.tokenizer.text_tokens(b"\xff").is_empty());
    }
}

#[test]
fn prompts_are_encoded_with_special_tokens_and_single_digits() {
    let Some(loaded) = smollm() else { return };
    let prompt =
        loaded.template.as_ref().expect("a template").prompt(Some("Be brief."), "Is 2024 = 2024?").expect("a prompt");
    let expected =
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nIs 2024 = 2024?<|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(prompt, expected);
    let tokens = loaded.tokenizer.tokens(&prompt).expect("tokens");
    let specials = tokens.iter().filter(|token| loaded.vocabulary.kind(**token) == TokenKind::Special);
    assert_eq!(specials.count(), 5);
    let digits = tokens.iter().filter(|token| {
        loaded.vocabulary.text(**token).is_some_and(|text| text.is_ascii() && text.iter().all(u8::is_ascii_digit))
    });
    assert_eq!(digits.count(), 8, "each digit is a token");
    assert_eq!(loaded.vocabulary.eos(), [TokenId(0), TokenId(2)]);
}

#[test]
fn prompts_that_cannot_fit_are_refused_before_they_are_read() {
    let loaded = small();
    let (start, text) = (std::time::Instant::now(), "word ".repeat(4_000_000));
    let is_long =
        |error| matches!(error, GenerateError::LongPrompt { given, limit } if given >= text.len() && limit < given);
    assert!(is_long(loaded.tokenizer.tokens(&text).unwrap_err()));
    assert!(is_long(loaded.tokenizer.raw_tokens(&text).unwrap_err()));
    let prompt = ogc_generate::outside(0);
    assert!(is_long(loaded.tokenizer.tokens_with_outside(&prompt, &[text.as_str()]).unwrap_err()));
    assert!(!loaded.tokenizer.names_special(&text));
    // Making its tokens would take minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    let longest = "a".repeat(loaded.model.context());
    assert!(loaded.tokenizer.tokens(&longest).is_ok(), "as many tokens as the context has");
}
