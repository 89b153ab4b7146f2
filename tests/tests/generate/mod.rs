//! Tests of texts that models write under formats: they are valid by an independent judge, complete under every budget,
//! and the same with and without forced runs and guesses that share a pass, alone and with other texts.

#![allow(clippy::disallowed_methods, reason = "the model is a file; see clippy.toml")]

mod many;

use std::fs::File;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use ogc_generate::{
    Ended, GenerateError, Generated, Jump, LoadedModel, Request, Sequence, Speculation, generate, pass,
};
use ogc_kit::setting;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_tests::engine::{self, Policy, Reading, Space};
use serde_json::Value;

const PROMPTS: [&str; 2] = ["Describe a famous river.", "My cat is 3 years old and likes fish. What do you think?"];

const RIVER: &str = r#"{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 30},
    "length_in_kilometres": {"type": "integer", "minimum": 1, "maximum": 10000},
    "countries": {"type": "array", "items": {"type": "string", "maxLength": 20}, "minItems": 1, "maxItems": 3},
    "is_navigable": {"type": "boolean"}
  },
  "required": ["name", "length_in_kilometres", "countries", "is_navigable"],
  "additionalProperties": false
}"#;

const EVENT: &str = r#"{
  "oneOf": [
    {"type": "object", "properties": {"kind": {"const": "animal"}, "description_of_the_animal": {"type": "string", "maxLength": 40},
      "age": {"type": "number", "minimum": 0, "maximum": 100}}, "required": ["kind", "description_of_the_animal", "age"],
      "additionalProperties": false},
    {"type": "object", "properties": {"kind": {"const": "place"}, "coordinates": {"type": "array", "items": {"type": "integer",
      "minimum": -180, "maximum": 180}, "minItems": 2, "maxItems": 2}}, "required": ["kind", "coordinates"],
      "additionalProperties": false}
  ]
}"#;

const ANSWER: &str = "root ::= \"Answer: \" word (\", \" word)* \".\"\nword ::= [a-z]+\n";

const STAMP: &str = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{4}-[0-9]{2}-[0-9]{2} at [0-9]{2}:[0-9]{2}";

/// A format: its name, its automaton, and its schema if it has one.
type Named = (&'static str, Arc<Automaton>, Option<&'static str>);

fn formats() -> Vec<Named> {
    let policy = Policy { space: Space::Spaced, plain_strings: true, ..Policy::default() };
    let schema = |text| engine::schema(text, &Reading::asserting(), policy).expect("a schema");
    let report = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/select.ebnf"));
    vec![
        ("river", schema(RIVER), Some(RIVER)),
        ("event", schema(EVENT), Some(EVENT)),
        ("answer", engine::gbnf(ANSWER).expect("a grammar"), None),
        ("stamp", engine::regex(STAMP).expect("a pattern"), None),
        ("select", engine::ebnf(&report.expect("an example")).expect("a grammar"), None),
    ]
}

/// The model and the masks of its vocabulary, for all tests.
fn smollm() -> Option<&'static (LoadedModel, Arc<MaskStore>)> {
    static LOADED: OnceLock<(LoadedModel, Arc<MaskStore>)> = OnceLock::new();
    let path = ogc_kit::corpora::find_model("SmolLM2-135M-Instruct.Q4_1.gguf")?;
    Some(LOADED.get_or_init(|| {
        let loaded = LoadedModel::from_gguf(File::open(path).expect("a file")).expect("a model");
        let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
        (loaded, store)
    }))
}

fn request(loaded: &LoadedModel, prompt: &str, temperature: f32, jump: Jump) -> Request {
    let prompt = loaded.template.as_ref().expect("a template").prompt(None, prompt).expect("a prompt");
    let mut request = Request::new(loaded.tokenizer.tokens(&prompt).expect("tokens"), 80);
    request.sampling.temperature = temperature;
    request.sampling.seed = 11;
    request.jump = jump;
    request
}

fn write(format: &Named, request: &Request) -> Result<Generated, GenerateError> {
    let (loaded, store) = smollm().expect("it was there");
    let matcher = Matcher::new(Arc::clone(&format.1), Arc::clone(store));
    let mut shown = String::new();
    let generated = generate(loaded, matcher, request.clone(), |piece| {
        shown.push_str(piece);
        ControlFlow::Continue(())
    })?;
    assert_eq!(shown, generated.text);
    Ok(generated)
}

/// Judges a text by the schema, or byte by byte without the vocabulary.
#[track_caller]
fn check_valid((name, automaton, schema): &Named, text: &str) {
    assert!(engine::accepts(automaton, text.as_bytes()), "{name}: {text}");
    if let Some(schema) = schema {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
        assert!(jsonschema::is_valid(&schema, &value), "{name}: {text}");
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn generated_texts_are_valid_complete_and_unchanged_without_jumps() {
    let Some((loaded, _)) = smollm() else { return };
    let (mut tokens, mut forced, mut passes, mut plain_passes) = (0, 0, 0, 0);
    // A landing draws the texts of one prompt, and the next landing those of the other.
    let (is_full, landing) = (setting("OGC_FULL", 0) > 0, setting("OGC_LANDING", 0) as usize);
    for format in &formats() {
        let texts = PROMPTS.into_iter().enumerate().flat_map(|(at, prompt)| {
            let other = if (at + landing).is_multiple_of(2) { 0.0 } else { 1.0 };
            let both = [(prompt, other), (prompt, 1.0 - other)];
            both.into_iter().take(if is_full { 2 } else { 1 })
        });
        for (prompt, temperature) in texts {
            let jumping = write(format, &request(loaded, prompt, temperature, Jump::Verify)).expect("a text");
            check_valid(format, &jumping.text);
            assert!(jumping.tokens.len() <= 80 && jumping.ended != Ended::Stopped);
            let plain = write(format, &request(loaded, prompt, temperature, Jump::Off)).expect("a text");
            assert_eq!(jumping.tokens, plain.tokens, "{} at {temperature}: {} {}", format.0, jumping.text, plain.text);
            assert_eq!(jumping.ended, plain.ended, "{} at {temperature}", format.0);
            tokens += jumping.statistics.tokens;
            forced += jumping.statistics.forced;
            passes += jumping.statistics.passes;
            plain_passes += plain.statistics.passes;
        }
    }
    println!("{tokens} tokens, {forced} forced, {passes} passes, {plain_passes} pass by pass");
    assert!(forced > tokens / 10 && passes < plain_passes, "{forced} of {tokens}, {passes} of {plain_passes}");
}

#[test]
fn every_sufficient_budget_gives_a_complete_text() {
    let Some((loaded, _)) = smollm() else { return };
    let format = &formats()[0];
    let mut written = 0;
    for most in (4..64).step_by(4) {
        let mut request = request(loaded, PROMPTS[0], 1.0, Jump::Verify);
        request.max_tokens = most;
        match write(format, &request) {
            Ok(generated) => {
                check_valid(format, &generated.text);
                assert!(generated.tokens.len() <= most as usize);
                written += 1;
            }
            Err(GenerateError::Match(MatchError::Budget { given, limit })) => assert!(given == most && limit > most),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(written >= 8, "{written} budgets sufficed");
}

#[test]
fn the_caller_can_stop() {
    let Some((loaded, store)) = smollm() else { return };
    let matcher = Matcher::new(Arc::clone(&formats()[2].1), Arc::clone(store));
    let request = request(loaded, PROMPTS[0], 0.0, Jump::Verify);
    let generated = generate(loaded, matcher, request, |_| ControlFlow::Break(())).expect("a text");
    assert_eq!(generated.ended, Ended::Stopped);
}

/// Writes texts that join one after another, `stride` passes apart, and share passes.
fn write_together(loaded: &LoadedModel, texts: Vec<(Matcher, Request)>, stride: usize) -> Vec<Sequence> {
    let mut waiting =
        texts.into_iter().map(|(matcher, request)| Sequence::new(loaded, matcher, request).expect("a text"));
    let (mut joined, mut passes) = (Vec::new(), 0);
    while joined.iter().any(|sequence: &Sequence| sequence.ended().is_none()) || waiting.len() > 0 {
        if passes % stride == 0 {
            joined.extend(waiting.next());
        }
        passes += 1;
        let mut all: Vec<&mut Sequence> = joined.iter_mut().collect();
        assert!(pass(loaded, &mut all).expect("a pass").iter().all(Result::is_ok));
    }
    joined
}

/// Compares texts that are written together, with drafts of all kinds, with texts written alone, token by token.
fn check_together(loaded: &LoadedModel, store: &Arc<MaskStore>, max_tokens: u32) -> usize {
    let texts: Vec<(Arc<Automaton>, Request)> = formats()
        .iter()
        .flat_map(|format| [0.0, 1.0].map(|temperature| (Arc::clone(&format.1), temperature)))
        .zip(PROMPTS.iter().cycle())
        .enumerate()
        .map(|(at, ((format, temperature), prompt))| {
            let mut request = request(loaded, prompt, temperature, Jump::Off);
            (request.number, request.max_tokens) = (at as u64, max_tokens);
            request.sampling.frequency_penalty = 0.125;
            (format, request)
        })
        .collect();
    let matcher = |format: &Arc<Automaton>| Matcher::new(Arc::clone(format), Arc::clone(store));
    let alone: Vec<Generated> = texts
        .iter()
        .map(|(format, request)| {
            generate(loaded, matcher(format), request.clone(), |_| ControlFlow::Continue(())).expect("a text")
        })
        .collect();
    let mut guessed = 0;
    for (jump, most, stride) in [(Jump::Off, 0, 1), (Jump::Verify, 8, 3), (Jump::Off, 3, 2)] {
        let speculation = if most > 0 { Speculation::Lookup { most } } else { Speculation::Off };
        let drafting = texts.iter().map(|(format, request)| {
            (matcher(format), Request { jump, speculation, probabilities: Some(2), ..request.clone() })
        });
        let together = write_together(loaded, drafting.collect(), stride);
        for (one, two) in alone.iter().zip(&together) {
            assert_eq!((&*one.tokens, &*one.text), (two.tokens(), two.text()), "{jump:?} {speculation:?}");
            let written: Vec<_> = two.probabilities().iter().map(|one| one.written.token).collect();
            assert_eq!(written, two.tokens());
            guessed += two.statistics().guessed;
        }
    }
    guessed
}

#[test]
fn drafts_and_batched_texts_do_not_change_a_text() {
    let small = LoadedModel::from_gguf(Cursor::new(ogc_kit::model::gguf())).expect("a model");
    let store = MaskStore::new(Arc::clone(&small.vocabulary));
    assert!(check_together(&small, &store, 150) > 10);
    let Some((loaded, store)) = smollm() else { return };
    check_together(loaded, store, 40);
}
