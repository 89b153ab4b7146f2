//! An unmodified libllama writes texts of formats with real weights, by samplers of ogc: every text is valid by an independent judge, and
//! none is cut off. Skipped without the library or the model, which `tests/models/fetch` installs.
//!
//! A run takes a few of the formats and prompts; `OGC_SAMPLE=400` takes all pairs of them.

#![cfg(all(target_os = "linux", target_arch = "x86_64", feature = "compiler"))]
#![allow(unsafe_code, reason = "the interfaces are those of C")]
#![allow(clippy::print_stdout, reason = "the counts are the reports of the tests")]

mod agreement;
mod canonical;
mod formats;
#[allow(dead_code, reason = "the bench of samplers needs more")]
mod library;
mod samplers;
mod vocabulary;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ogc_capi::*;

use formats::{Case, FORMATS, PROMPTS, judge};
use library::{Chain, Llama, fault};
use samplers::{canonical, canonical_sampler, compiled, last_error, prompt, sampler, vocabulary};

const MODEL: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";

/// The most tokens of a text.
const MAX_TOKENS: u32 = 80;

/// The model, for one test at a time.
fn llama() -> Option<MutexGuard<'static, Llama>> {
    static LOADED: OnceLock<Mutex<Llama>> = OnceLock::new();
    let (folder, model) = (ogc_kit::corpora::find_model("llama.cpp-0.5.0")?, ogc_kit::corpora::find_model(MODEL)?);
    let loaded = LOADED.get_or_init(|| Mutex::new(Llama::load(&folder, &model, 1024)));
    Some(loaded.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Counts of a run.
#[derive(Debug, Default)]
struct Counts {
    texts: u32,
    valid: u32,
    truncated: u32,
    tokens: u32,
    /// The time in the model, and in chains with the sampler of a format and without.
    model: Duration,
    chain: Duration,
    plain: Duration,
}

impl Counts {
    /// Writes a text behind the prompt that was read, and judges it.
    fn write(&mut self, llama: &mut Llama, prompt: &[i32], case: &Case, sampler: *mut llama_sampler, temperature: f32) {
        let mut chain = llama.chain(Some(sampler), temperature, self.texts);
        let mut plain = llama.chain(None, temperature, self.texts);
        llama.forget_from(prompt.len() - 1);
        let (mut text, mut next) = (Vec::new(), prompt[prompt.len() - 1]);
        let mut has_ended = false;
        for _ in 0..=MAX_TOKENS {
            let start = Instant::now();
            llama.read(&[next], false);
            let read = Instant::now();
            llama.sample(&mut plain);
            let without = Instant::now();
            next = llama.sample(&mut chain);
            self.model += read - start;
            self.plain += without - read;
            self.chain += without.elapsed();
            self.tokens += 1;
            has_ended = llama.is_end(next);
            if has_ended {
                break;
            }
            text.extend(llama.piece(next));
        }
        assert_eq!(fault(sampler), None, "{}", case.name);
        self.texts += 1;
        self.truncated += u32::from(!has_ended);
        match judge(case, &String::from_utf8_lossy(&text)) {
            Ok(()) => self.valid += 1,
            Err(message) => println!("at temperature {temperature}: {message}"),
        }
    }
}

#[test]
fn texts_generated_by_llama_cpp_are_valid_and_complete() {
    let Some(mut llama) = llama() else { return };
    // Of the pairs of prompts and formats, so many that are spread over both.
    let (sample, pairs) = (ogc_kit::setting("OGC_SAMPLE", 10).min(400) as usize, FORMATS.len() * PROMPTS.len());
    let vocabulary = vocabulary(&llama);
    let canonical = canonical(&llama, vocabulary);
    let formats: Vec<*mut ogc_format> = FORMATS.iter().map(compiled).collect();
    let mut counts = [Counts::default(), Counts::default()];
    let chosen = |at: usize| at * sample / pairs != (at + 1) * sample / pairs;
    for (at, user) in PROMPTS.iter().enumerate() {
        let of_prompt: Vec<usize> = (0..FORMATS.len()).filter(|format| chosen(at * FORMATS.len() + format)).collect();
        if of_prompt.is_empty() {
            continue;
        }
        let tokens = llama.tokens(&prompt(user));
        llama.forget_from(0);
        llama.read(&tokens, false);
        for format in of_prompt.into_iter().map(|format| (format + at) % FORMATS.len()) {
            for (counts, temperature) in counts.iter_mut().zip([0.0, 1.0]) {
                counts.write(
                    &mut llama,
                    &tokens,
                    &FORMATS[format],
                    canonical_sampler(formats[format], vocabulary, MAX_TOKENS, canonical),
                    temperature,
                );
            }
        }
    }
    for (Counts { texts, valid, truncated, tokens, model, chain, plain }, temperature) in counts.iter().zip([0, 1]) {
        let each = |time: &Duration| time.as_secs_f64() * 1e3 / f64::from(*tokens);
        let (model, chain, plain) = (each(model), each(chain), each(plain));
        println!(
            "temperature {temperature}: {texts} texts, {valid} valid, {truncated} cut off, {tokens} tokens; milliseconds a token: \
             the model {model:.3}, its samplers {plain:.3}, with the format's {chain:.3}"
        );
        assert!(*texts > 0 && valid == texts && *truncated == 0, "{valid} of {texts} are valid, {truncated} cut off");
    }
    // SAFETY: they are not used again.
    unsafe {
        formats.into_iter().for_each(|format| ogc_format_free(format));
        ogc_canonical_free(canonical);
        ogc_vocabulary_free(vocabulary);
    }
}

/// Writes greedily behind the tokens that were read, until an end or so many tokens.
fn write_on(llama: &mut Llama, chain: &mut Chain, read: &[i32], most: usize) -> Vec<i32> {
    llama.forget_from(read.len() - 1);
    let mut next = read[read.len() - 1];
    let mut written = Vec::new();
    while written.len() < most && !llama.is_end(next) {
        llama.read(&[next], false);
        next = llama.sample(chain);
        written.push(next);
    }
    written
}

#[test]
fn reset_cloned_and_copied_samplers_write_the_same_text() {
    let Some(mut llama) = llama() else { return };
    let (vocabulary, format) = (vocabulary(&llama), compiled(&FORMATS[0]));
    let read = llama.tokens(&prompt(PROMPTS[3]));
    llama.forget_from(0);
    llama.read(&read, false);
    let mut chain = llama.chain(Some(sampler(format, vocabulary, MAX_TOKENS)), 0.0, 0);
    let mut other = llama.chain(Some(sampler(format, vocabulary, MAX_TOKENS)), 0.0, 0);
    let whole = write_on(&mut llama, &mut chain, &read, 100);
    assert!(whole.len() > 8 && llama.is_end(whole[whole.len() - 1]), "{whole:?}");
    chain.reset();
    let begun = write_on(&mut llama, &mut chain, &read, 6);
    assert_eq!(begun, whole[..6]);
    // Another at its end, and a clone of the one that has begun, go on from there.
    assert_eq!(write_on(&mut llama, &mut other, &read, 100), whole);
    other.copy_from(&chain);
    let mut clone = chain.fork();
    let read: Vec<i32> = read.into_iter().chain(begun).collect();
    for chain in [&mut chain, &mut other, &mut clone] {
        assert_eq!(write_on(&mut llama, chain, &read, 100), whole[6..]);
    }
    // SAFETY: they are not used again.
    unsafe {
        ogc_format_free(format);
        ogc_vocabulary_free(vocabulary);
    }
}
