//! Tests of many texts: twenty formats, including schemas of MaskBench, many prompts, two temperatures. Other programs
//! judge each text, and some are compared with the same text written alone, token by token.
//!
//! `OGC_SAMPLE` is the number of texts, with 1,000 for all; `OGC_SEED` chooses other schemas. Each landing has other
//! prompts.

use std::sync::Arc;

use ogc_generate::{Ended, Jump, LoadedModel, Request, Sequence, Speculation, pass};
use ogc_kit::{Random, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_tests::corpus;
use ogc_tests::engine::{self, Policy, Reading, Space};
use ogc_tests::oracle::ogc::{Program, Verdict};
use regex_automata::dfa::regex::Regex;
use serde_json::Value;

use super::{request, smollm};

/// Cap on the tokens of a text.
const MAX_TOKENS: u32 = 200;

/// The number of texts that share passes.
const TOGETHER: usize = 8;

/// One text of this many is compared with the same text written alone, token by token.
const COMPARED: usize = 10;

const SCHEMAS: usize = 8;

const PROMPTS: [&str; 25] = [
    "Describe a famous river.",
    "My cat is 3 years old and likes fish. What do you think?",
    "Write an invoice for two chairs.",
    "What happened on 3 March 1999?",
    "List three colours.",
    "Who wrote Hamlet?",
    "Give me a recipe for bread.",
    "What is 17 times 23?",
    "Translate \u{201c}good morning\u{201d} into German, French and Japanese.",
    "Tell me a joke.",
    "Extract all names: Anna met Bj\u{f6}rn and \u{674e}\u{660e} in Oslo.",
    "Is the sky blue?",
    "Plan a trip from Rome to Oslo.",
    "Book a table for four tomorrow at 8 pm.",
    "Summarise the theory of relativity.",
    "{\"a\": [1, 2, {\"b\": null}]}",
    "Why?",
    "Write a function that adds two numbers.",
    "Set the thermostat to 21.5 degrees in the kitchen.",
    "Which animals lay eggs? Answer at length.",
    "SELECT name FROM people WHERE age > 30;",
    "\u{1f600}\u{1f680}",
    "Report a bug: the button does not work on a small screen.",
    "Count from one to twenty in words.",
    "What is the capital of Mongolia, and how many people live there?",
];

/// A judge of whether a text is of the format, without the engine.
enum Judge {
    Schema(Box<jsonschema::Validator>),
    Oracle(Box<Program>),
    Pattern(Box<Regex>),
}

struct Format {
    name: String,
    automaton: Arc<Automaton>,
    judge: Judge,
}

impl Format {
    fn schema(name: &str, text: &str) -> Option<Self> {
        // As in `ogc generate`: exponents of models are too large for other parsers.
        let policy = Policy { space: Space::Spaced, plain_strings: true, plain_numbers: true, ..Policy::default() };
        let automaton = engine::schema(text, &Reading::asserting(), policy).ok()?;
        let schema: Value = serde_json::from_str(text).ok()?;
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).ok()?;
        Some(Self { name: name.to_owned(), automaton, judge: Judge::Schema(Box::new(validator)) })
    }

    fn pattern(name: &str, automaton: Arc<Automaton>, pattern: &str) -> Self {
        let judge = Judge::Pattern(Box::new(Regex::new(&format!(r"\A(?:{pattern})\z")).expect("a pattern")));
        Self { name: name.to_owned(), automaton, judge }
    }

    fn is_right(&self, text: &str) -> bool {
        match &self.judge {
            Judge::Schema(validator) => serde_json::from_str(text).is_ok_and(|value: Value| validator.is_valid(&value)),
            Judge::Oracle(program) => matches!(program.contains(text.as_bytes()), Verdict::In),
            Judge::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

/// The formats of the examples, and others in all languages.
fn formats() -> Vec<Format> {
    let example = |name: &str| {
        let path = format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("an example")
    };
    let schemas = ["answer", "events", "invoice", "expression"].map(|name| {
        let file = format!("{name}.schema.json");
        Format::schema(name, &example(&file)).expect("a schema")
    });
    let programs = [
        ("pair", "output Pair = { name: string<1..20>, count: 1..12, tags: (\"a\" | \"b\" | \"c\")[0..3] }\n"),
        (
            "either",
            "output Either = { kind: \"cat\", lives: 1..9 } | { kind: \"dog\", name: string<..10>, good: bool }\n",
        ),
    ]
    .map(|(name, text)| Format {
        name: name.to_owned(),
        automaton: engine::ogc(text).expect("a format"),
        judge: Judge::Oracle(Box::new(Program::read(text).expect("the oracle reads it"))),
    });
    let stamp: String = example("timestamp.regex").lines().filter(|line| !line.starts_with('#')).collect();
    let grammars = [
        ("answer", engine::gbnf("root ::= \"Answer: \" word (\", \" word)* \".\"\nword ::= [a-z]+\n"), r"Answer: [a-z]+(, [a-z]+)*\."),
        ("sum", engine::ebnf("root ::= number ('+' number)* '=' number\nnumber ::= [1-9] [0-9]*\n"), r"[1-9][0-9]*(\+[1-9][0-9]*)*=[1-9][0-9]*"),
        ("command", engine::lark("start: VERB \" the \" NOUN (\" in the \" ROOM)?\nVERB: \"open\" | \"close\" | \"find\"\nNOUN: /[a-z]{3,12}/\nROOM: \"kitchen\" | \"attic\"\n"), r"(open|close|find) the [a-z]{3,12}( in the (kitchen|attic))?"),
        ("stamp", engine::regex(&stamp), stamp.as_str()),
        ("lines", engine::gbnf("root ::= line{1,5}\nline ::= \"- \" [^\\n]{1,40} \"\\n\"\n"), r"(?s-u:- (?u:[^\n]){1,40}\n){1,5}"),
        ("word", engine::regex("[A-Z][a-z]{2,15}( [A-Z][a-z]{2,15})?"), "[A-Z][a-z]{2,15}( [A-Z][a-z]{2,15})?"),
    ]
    .map(|(name, automaton, pattern)| Format::pattern(name, automaton.expect("a grammar"), pattern));
    schemas.into_iter().chain(programs).chain(grammars).collect()
}

/// Real schemas that have a text within the cap of tokens.
fn schemas(store: &Arc<MaskStore>) -> Vec<Format> {
    let Some(path) = corpus::find("maskbench-dev.jsonl.zst") else { return Vec::new() };
    let cases = corpus::cases(&path).expect("the pack is readable");
    let order = Random::new(setting("OGC_SEED", 1)).sample(cases.len(), cases.len().min(80));
    let all = order.into_iter().filter_map(|index| Format::schema(&cases[index].id, &cases[index].schema));
    let fits = |format: &Format| {
        let mut matcher = Matcher::new(Arc::clone(&format.automaton), Arc::clone(store));
        matcher.set_budget(Some(MAX_TOKENS)).is_ok()
    };
    all.filter(fits).take(SCHEMAS).collect()
}

/// A text to write: its format and its request.
type Wanted<'a> = (&'a Format, Request);

/// Writes texts that share passes, with forced runs and guesses.
fn write(loaded: &LoadedModel, store: &Arc<MaskStore>, wanted: &[Wanted<'_>], drafts: bool) -> Vec<Sequence> {
    let begin = |(format, request): &Wanted<'_>| {
        let (jump, speculation) = match drafts {
            true => (Jump::Verify, Speculation::Lookup { most: 4 }),
            false => (Jump::Off, Speculation::Off),
        };
        let matcher = Matcher::new(Arc::clone(&format.automaton), Arc::clone(store));
        let request = Request { jump, speculation, ..request.clone() };
        Sequence::new(loaded, matcher, request).unwrap_or_else(|error| panic!("{}: {error}", format.name))
    };
    let mut all: Vec<Sequence> = wanted.iter().map(begin).collect();
    while all.iter().any(|sequence| sequence.ended().is_none()) {
        let results = pass(loaded, &mut all.iter_mut().collect::<Vec<_>>()).expect("a pass");
        assert!(results.iter().all(Result::is_ok), "{results:?}");
    }
    all
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn many_generated_texts_are_valid_and_complete() {
    let Some((loaded, store)) = smollm() else { return };
    let formats: Vec<Format> = schemas(store).into_iter().chain(formats()).collect();
    let count = setting("OGC_SAMPLE", rounds(20, 40)) as usize;
    let first = setting("OGC_LANDING", 0) as usize * count;
    // Every format with the first prompt, then every format with the next one.
    let wanted: Vec<Wanted<'_>> = (first..first + count)
        .map(|number| {
            let (format, round) = (&formats[number % formats.len()], number / formats.len());
            let temperature = if round.is_multiple_of(2) { 0.0 } else { 1.0 };
            let mut request = request(loaded, PROMPTS[round / 2 % PROMPTS.len()], temperature, Jump::Verify);
            (request.number, request.max_tokens) = (number as u64, MAX_TOKENS);
            (format, request)
        })
        .collect();
    let (mut tokens, mut forced, mut guessed, mut wrong) = (0, 0, 0, Vec::new());
    for (at, batch) in wanted.chunks(TOGETHER).enumerate() {
        for ((format, request), sequence) in batch.iter().zip(write(loaded, store, batch, true)) {
            let text = sequence.text();
            let is_whole = sequence.ended() != Some(Ended::Stopped) && sequence.tokens().len() <= MAX_TOKENS as usize;
            if !format.is_right(text) || !is_whole {
                wrong.push(format!("{} {}: {text}", format.name, request.number));
            }
            tokens += sequence.statistics().tokens;
            forced += sequence.statistics().forced;
            guessed += sequence.statistics().guessed;
        }
        if at % COMPARED == 0 {
            let together = write(loaded, store, batch, true);
            for (one, together) in batch.iter().zip(together) {
                let alone = &write(loaded, store, std::slice::from_ref(one), false)[0];
                assert_eq!(alone.tokens(), together.tokens(), "{} {}", one.0.name, one.1.number);
            }
        }
    }
    println!("{count} texts of {} formats: {tokens} tokens, {forced} forced, {guessed} guessed", formats.len());
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
