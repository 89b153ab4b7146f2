//! Canonical tokens by the tokenizer of libllama: those that our own encoder of the same model knows, with and without spaces in front of texts.

#![allow(clippy::disallowed_methods, reason = "libllama reads a model from a file; see clippy.toml")]

use std::ffi::c_void;
use std::ptr;

use ogc_capi::*;
use ogc_generate::{LoadedModel, PromptTokenizer};
use ogc_kit::Random;
use ogc_kit::gguf::Value;

use super::formats::{Case, FORMATS, Judge, PROMPTS};
use super::library::Llama;
use super::samplers::{canonical, canonical_sampler, compiled, last_error, prompt, vocabulary};
use super::{MODEL, llama, write_on};

/// The most tokens of a text.
const MOST: usize = 60;

/// Makes a matcher of a format; any tokens write where `canonical` is null.
fn matcher(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    canonical: *const ogc_canonical,
) -> *mut ogc_matcher {
    let options = ogc_options {
        struct_size: size_of::<ogc_options>(),
        max_tokens: 0,
        rollback_window: 0,
        stop_tokens: ptr::null(),
        stop_tokens_len: 0,
        canonical,
    };
    let mut matcher = ptr::null_mut();
    // SAFETY: what it is made of lives.
    let status = unsafe { ogc_matcher_new(format, vocabulary, &raw const options, &raw mut matcher) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    matcher
}

/// The tokens that a matcher allows.
fn allowed(matcher: *mut ogc_matcher, width: usize) -> Vec<u32> {
    let mut words = vec![0_u32; width.div_ceil(32)];
    // SAFETY: the matcher lives, and the words are as many as it is told.
    let status = unsafe { ogc_matcher_fill_mask(matcher, words.as_mut_ptr(), words.len()) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    (0..width as u32).filter(|&id| words[id as usize / 32] >> (id % 32) & 1 == 1).collect()
}

extern "C" fn encode(user: *mut c_void, text: *const u8, text_len: usize, tokens: *mut u32, room: usize) -> usize {
    // SAFETY: the test gives a tokenizer that lives, and the interface a text and room of these lengths.
    let (tokenizer, text, tokens) = unsafe {
        (
            &*user.cast::<PromptTokenizer>(),
            std::slice::from_raw_parts(text, text_len),
            std::slice::from_raw_parts_mut(tokens, room),
        )
    };
    let made = tokenizer.text_tokens(text);
    tokens.iter_mut().zip(&made).for_each(|(to, token)| *to = token.0);
    made.len()
}

/// The canonical tokens that our own encoder knows.
fn by_own_encoder(vocabulary: *const ogc_vocabulary, tokenizer: &PromptTokenizer) -> *mut ogc_canonical {
    let user = ptr::from_ref(tokenizer).cast_mut().cast();
    let tokenizer = ogc_tokenizer { struct_size: size_of::<ogc_tokenizer>(), encode: Some(encode), user };
    let mut canonical = ptr::null_mut();
    // SAFETY: the vocabulary lives, and the tokenizer as long as the test.
    let status = unsafe { ogc_canonical_new(vocabulary, &raw const tokenizer, &raw mut canonical) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    canonical
}

#[test]
fn libllama_and_the_embedded_encoder_agree_on_canonical_tokens() {
    let (Some(llama), Some(path)) = (llama(), ogc_kit::corpora::find_model(MODEL)) else { return };
    let own = LoadedModel::from_gguf(std::fs::File::open(path).expect("a file")).expect("a model");
    let (vocabulary, width) = (vocabulary(&llama), llama.width());
    let both = [canonical(&llama, vocabulary), by_own_encoder(vocabulary, &own.tokenizer)];
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 7));
    let (mut places, mut fewer) = (0, 0);
    for case in &FORMATS {
        let format = compiled(case);
        let [theirs, ours] = both.map(|canonical| matcher(format, vocabulary, canonical));
        let any = matcher(format, vocabulary, ptr::null());
        for place in 0..MOST {
            let tokens = allowed(theirs, width);
            assert_eq!(tokens, allowed(ours, width), "{} after {place} tokens", case.name);
            let all = allowed(any, width);
            assert!(tokens.iter().all(|token| all.binary_search(token).is_ok()), "{}", case.name);
            (places, fewer) = (places + 1, fewer + usize::from(tokens.len() < all.len()));
            let token = tokens[random.below(tokens.len())];
            for matcher in [theirs, ours, any] {
                // SAFETY: it lives.
                assert_eq!(unsafe { ogc_matcher_accept_token(matcher, token) }, ogc_status::OK, "{}", case.name);
            }
            if llama.is_end(token as i32) {
                break;
            }
        }
        // SAFETY: they are not used again.
        unsafe {
            [theirs, ours, any].into_iter().for_each(|matcher| ogc_matcher_free(matcher));
            ogc_format_free(format);
        }
    }
    println!("{fewer} of {places} places leave fewer tokens");
    assert!(fewer * 10 > places, "{fewer} of {places}");
    // SAFETY: as above.
    unsafe {
        both.into_iter().for_each(|canonical| ogc_canonical_free(canonical));
        ogc_vocabulary_free(vocabulary);
    }
}

#[test]
fn canonical_texts_take_fewer_tokens() {
    let Some(mut llama) = llama() else { return };
    let (vocabulary, mut tokens) = (vocabulary(&llama), [0, 0]);
    let canonical = canonical(&llama, vocabulary);
    for case in FORMATS.iter().filter(|case| matches!(case.name, "person" | "union" | "date")) {
        let format = compiled(case);
        let read = llama.tokens(&prompt(PROMPTS[0]));
        llama.forget_from(0);
        llama.read(&read, false);
        for (tokens, canonical) in tokens.iter_mut().zip([ptr::null(), canonical.cast_const()]) {
            let mut chain = llama.chain(Some(canonical_sampler(format, vocabulary, 80, canonical)), 0.0, 0);
            *tokens += write_on(&mut llama, &mut chain, &read, 100).len();
        }
        // SAFETY: it is not used again.
        unsafe { ogc_format_free(format) };
    }
    println!("{tokens:?} tokens");
    assert!(tokens[1] < tokens[0], "{tokens:?}");
    // SAFETY: they are not used again.
    unsafe {
        ogc_canonical_free(canonical);
        ogc_vocabulary_free(vocabulary);
    }
}

/// A format that says which tokens write it, or does not.
fn said(text: &'static str) -> *mut ogc_format {
    compiled(&Case { name: "said", language: ogc_language::OGC, text, judge: Judge::Pattern("name") })
}

#[test]
fn the_token_policy_of_a_format_applies_if_an_encoder_is_given() {
    let Some(llama) = llama() else { return };
    let (vocabulary, width) = (vocabulary(&llama), llama.width());
    let canonical = canonical(&llama, vocabulary);
    let texts = [
        ("output A = \"temperature\"", ogc_tokens::UNSAID, true),
        ("policy tokens = \"canonical\" output A = \"temperature\"", ogc_tokens::CANONICAL, true),
        ("@tokens(\"any\") output A = \"temperature\"", ogc_tokens::ANY, false),
    ];
    for (text, policy, is_canonical) in texts {
        let format = said(text);
        let (with, without) = (matcher(format, vocabulary, canonical), matcher(format, vocabulary, ptr::null()));
        assert_eq!(allowed(with, width).len() < allowed(without, width).len(), is_canonical, "{text}");
        // SAFETY: all live, and are freed once.
        unsafe {
            assert_eq!(ogc_format_tokens(format), policy);
            // What is said of a matcher holds whatever its format says.
            assert_eq!(ogc_matcher_set_canonical(with, canonical), ogc_status::OK);
            assert_eq!(allowed(with, width).len(), 1, "{text}");
            [with, without].into_iter().for_each(|matcher| ogc_matcher_free(matcher));
            ogc_format_free(format);
        }
    }
    // SAFETY: as above.
    unsafe {
        assert_eq!(ogc_format_tokens(ptr::null()), ogc_tokens::UNSAID);
        ogc_canonical_free(canonical);
        ogc_vocabulary_free(vocabulary);
    }
}

/// The tokens of text of a tokenizer in the manner of Llama 2, behind three special ones and 256 bytes; those that come first are merged first.
const SPACED: [&str; 8] = ["ab", "▁a", "▁ab", "c", "▁", "a", "b", "cab"];

/// The metadata of that tokenizer, which puts a space in front of each text, or not.
fn spaced(is_spaced: bool) -> Vec<(&'static str, Value)> {
    let bytes = (0..=u8::MAX).map(|byte| format!("<0x{byte:02X}>"));
    let special = ["<unk>", "<s>", "</s>"].map(str::to_owned);
    let tokens: Vec<String> = special.into_iter().chain(bytes).chain(SPACED.map(str::to_owned)).collect();
    let kind = |id: usize| [2, 3, 3].get(id).copied().unwrap_or(if id < 259 { 6 } else { 1 });
    let kinds = (0..tokens.len()).map(|id| Value::I32(kind(id)));
    let scores = (0..tokens.len()).map(|id| Value::F32(if id < 259 { 0.0 } else { 258.0 - id as f32 }));
    vec![
        ("tokenizer.ggml.model", "llama".into()),
        ("tokenizer.ggml.tokens", Value::Array(tokens.iter().map(|token| token.as_str().into()).collect())),
        ("tokenizer.ggml.token_type", Value::Array(kinds.collect())),
        ("tokenizer.ggml.scores", Value::Array(scores.collect())),
        ("tokenizer.ggml.unknown_token_id", Value::U32(0)),
        ("tokenizer.ggml.bos_token_id", Value::U32(1)),
        ("tokenizer.ggml.eos_token_id", Value::U32(2)),
        ("tokenizer.ggml.add_space_prefix", Value::Bool(is_spaced)),
    ]
}

#[test]
fn a_leading_space_of_the_tokenizer_is_not_part_of_the_format() {
    let Some(folder) = ogc_kit::corpora::find_model("llama.cpp-0.5.0") else { return };
    // One model at a time is loaded.
    let _alone = llama();
    for is_spaced in [true, false] {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path().join("model.gguf");
        std::fs::write(&path, ogc_kit::model::gguf_with(spaced(is_spaced))).expect("a file");
        let llama = Llama::load(&folder, &path, 64);
        let space = llama.piece(llama.tokens("ab")[0]).starts_with(b" ");
        assert_eq!(space, is_spaced, "libllama puts a space in front");
        let (vocabulary, width) = (vocabulary(&llama), llama.width());
        let (format, canonical) = (said("output A = \"ab\" /[abc]/ \" ab\""), canonical(&llama, vocabulary));
        let with = matcher(format, vocabulary, canonical);
        let without = matcher(format, vocabulary, ptr::null());
        let id = |text: &str| 259 + SPACED.iter().position(|token| *token == text).expect("a token") as u32;
        // A byte, a letter, or both letters; the tokenizer writes both.
        assert_eq!(allowed(without, width).len(), 3);
        for (token, expected) in [("ab", vec![id("ab")]), ("c", Vec::new()), ("▁ab", vec![id("▁ab")])] {
            let found = allowed(with, width);
            assert!(expected.is_empty() || found == expected, "{found:?} for {token}, {is_spaced}");
            // SAFETY: it lives.
            assert_eq!(unsafe { ogc_matcher_accept_token(with, id(token)) }, ogc_status::OK, "{}", last_error());
        }
        // SAFETY: they are not used again.
        unsafe {
            [with, without].into_iter().for_each(|matcher| ogc_matcher_free(matcher));
            ogc_canonical_free(canonical);
            ogc_format_free(format);
            ogc_vocabulary_free(vocabulary);
        }
    }
}
