//! Tests of real schemas that a device steps: along valid and invalid instances, each verdict equals the matcher's,
//! with tokens taken back in between. Steps that the device leaves to the host are counted, and so is the memory of
//! automata on the device. `OGC_SAMPLE` sets the size, `OGC_SEED` chooses another sample.

#![allow(clippy::disallowed_methods, reason = "corpora are files; see clippy.toml")]

use crate::host;
use crate::script;

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_cuda::{DeviceFormat, DeviceVocabulary, Outcome};
use ogc_kit::{Random, setting};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::{Policy, Reading, schema};
use script::{MOST_LOG, Script, Subject, assert_agrees, decided};
use tokenizers::Tokenizer;

/// Caps on the instances of a case, on the tokens of an instance, and on the tokens of an instance with mistakes.
const INSTANCES: usize = 8;
const TOKENS: usize = 4000;
const TOKENS_WITH_MISTAKES: usize = 300;

/// The parts that are common to all formats.
struct Place {
    program: String,
    tokenizer: Tokenizer,
    store: Arc<MaskStore>,
    vocabulary: DeviceVocabulary,
}

/// The counts, of valid instances only, except for differences.
#[derive(Debug, Default)]
struct Tally {
    formats: usize,
    /// The number of commands; of those, commands that the device ran.
    commands: usize,
    done: usize,
    /// Formats whose instances did not stay on the device, by reason.
    left: BTreeMap<String, Vec<String>>,
    /// Bytes of each automaton.
    bytes: Vec<usize>,
    /// Commands of instances with mistakes that were rejected.
    refused: usize,
}

#[test]
fn real_schemas_step_like_the_matcher() {
    let (Some(pack), Some(place)) = (corpus::find("maskbench-dev.jsonl.zst"), place()) else { return };
    let cases = corpus::cases(&pack).expect("the pack is readable");
    let mut random = Random::new(setting("OGC_SEED", 1));
    let mut tally = Tally::default();
    for index in random.sample(cases.len(), setting("OGC_SAMPLE", 10) as usize) {
        let policy = Policy { any_order: random.one_in(4), ..Policy::default() };
        if let Ok(format) = schema(&cases[index].schema, &Reading::asserting(), policy) {
            let subject = Subject { format, store: Arc::clone(&place.store), stops: None };
            place.compare(&cases[index], &subject, &mut random, &mut tally);
        }
    }
    tally.report();
    assert!(tally.commands > 0 && tally.refused > 0, "{tally:?}");
    // One format of twenty may leave the device; with fewer formats, one may.
    assert!(tally.formats - tally.whole() <= tally.formats.div_ceil(20), "{tally:?}");
    assert!(tally.done * 10 >= tally.commands * 9, "{tally:?}");
}

/// Returns the parts that all formats need; `None` if something is missing.
fn place() -> Option<Place> {
    let json = std::fs::read(corpus::find("tokenizers/llama-3.1/tokenizer.json")?).expect("readable");
    let vocabulary = Arc::new(Vocabulary::from_tokenizer_json(&json).expect("a vocabulary"));
    let cuda = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/cuda");
    Some(Place {
        program: host::compiled(cuda, &format!("{}/device-steps", env!("CARGO_TARGET_TMPDIR")))?,
        tokenizer: Tokenizer::from_bytes(&json).expect("a tokenizer"),
        vocabulary: DeviceVocabulary::new(&vocabulary),
        store: MaskStore::new(vocabulary),
    })
}

impl Place {
    /// Compares the device and the matcher along instances of a case.
    fn compare(&self, case: &Case, subject: &Subject, random: &mut Random, tally: &mut Tally) {
        let format = DeviceFormat::new(&subject.format).expect("small");
        let stops: Vec<i32> = subject.matcher().stop_tokens().iter().map(|stop| stop.0 as i32).collect();
        let tokens = |valid: bool| {
            let tests = case.tests.iter().filter(move |test| test.valid == valid).take(INSTANCES);
            tests.map(|test| self.tokens(&test.text))
        };
        let whole = tokens(true).map(|tokens| [taken_back(&tokens, random), stops.clone()].concat());
        let whole: Vec<Script> = whole.map(|commands| subject.script(&commands)).collect();
        let wrong = tokens(true).map(|tokens| mistaken(&tokens, random)).chain(tokens(false)).collect::<Vec<_>>();
        let wrong: Vec<Script> = wrong.iter().map(|commands| subject.script(commands)).collect();
        let scripts = [&whole[..], &wrong].concat();
        let found = host::run(&self.program, &format, &self.vocabulary, &scripts);
        assert_eq!(found.len(), scripts.len(), "{}", case.id);
        for (script, found) in scripts.iter().zip(&found) {
            assert_agrees(&case.id, script, found);
        }
        tally.add(&case.id, &whole, &found[..whole.len()]);
        tally.bytes.push(format.bytes().len());
        tally.refused += found[whole.len()..].iter().map(|found| found.matches('r').count()).sum::<usize>();
    }

    fn tokens(&self, text: &str) -> Vec<i32> {
        let encoding = self.tokenizer.encode_fast(text, false).expect("every text has tokens");
        encoding.get_ids().iter().take(TOKENS).map(|token| *token as i32).collect()
    }
}

/// Returns tokens with some of them taken back and given again.
fn taken_back(tokens: &[i32], random: &mut Random) -> Vec<i32> {
    let mut commands = Vec::new();
    for at in 1..=tokens.len() {
        commands.push(tokens[at - 1]);
        if random.one_in(16) {
            let count = 1 + random.below(at.min(MOST_LOG));
            commands.push(-(count as i32));
            commands.extend(&tokens[at - count..at]);
        }
    }
    commands
}

/// Returns tokens with some of them out of place.
fn mistaken(tokens: &[i32], random: &mut Random) -> Vec<i32> {
    let mut commands = Vec::new();
    for token in &tokens[..tokens.len().min(TOKENS_WITH_MISTAKES)] {
        commands.extend(random.choose(tokens).filter(|_| random.one_in(8)));
        commands.push(*token);
    }
    commands
}

impl Tally {
    /// Counts the results for the valid instances of a format.
    fn add(&mut self, name: &str, scripts: &[Script], found: &[String]) {
        self.formats += 1;
        self.commands += scripts.iter().map(|script| script.commands.len()).sum::<usize>();
        self.done += found.iter().map(|found| decided(found).0.len() - 1).sum::<usize>();
        let reasons = found.iter().filter_map(|found| decided(found).1).map(reason);
        let mut reasons: Vec<String> = reasons.collect();
        reasons.sort_unstable();
        reasons.dedup();
        if !reasons.is_empty() {
            self.left.entry(reasons.join(", ")).or_default().push(name.to_owned());
        }
    }

    fn whole(&self) -> usize {
        self.formats - self.left.values().map(Vec::len).sum::<usize>()
    }

    #[allow(clippy::print_stdout, reason = "the table is the report of the test")]
    fn report(&self) {
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let Self { formats, commands, done, left, bytes, refused } = self;
        println!(
            "{done} of {commands} commands ({:.2}%), {} of {formats} formats ({:.1}%) wholly on the device; {refused} refused among mistakes",
            share(*done, *commands),
            self.whole(),
            share(self.whole(), *formats),
        );
        for (reasons, names) in left {
            println!("  left for {reasons}: {} formats, {names:?}", names.len());
        }
        let mut bytes = bytes.clone();
        bytes.sort_unstable();
        let at = |percent: usize| bytes.get((bytes.len() * percent / 100).min(bytes.len() - 1));
        let mean = bytes.iter().sum::<usize>() / bytes.len().max(1);
        println!(
            "  bytes of an automaton: mean {mean}, median {:?}, 90% {:?}, most {:?}",
            at(50),
            at(90),
            bytes.last()
        );
    }
}

/// Returns the reason why the host has to go on, by the letter of the stepping code.
fn reason(letter: char) -> String {
    let number = (letter as u32).wrapping_sub('A'.into());
    match Outcome::from_number(number << 8 | 4) {
        Some(Outcome::Host(why)) => format!("{why:?}"),
        other => panic!("{letter} is no reason: {other:?}"),
    }
}
