//! Tests of random `.ogc` programs: the compiled format and the oracle agree about texts of the format and about near
//! misses; masks agree with the matcher, and walks end within their budget.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds, `OGC_FULL=1` four times as many as a landing; a
//! failure names its seed.

use ogc_grammar::Code;
use ogc_kit::{Random, first_seed, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::engine::ogc;
use ogc_tests::oracle::ogc::agree::{Counts, Pair, exact};
use ogc_tests::oracle::ogc::{Program, Verdict, generate, sample};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The number of texts of a format; each has a near miss.
const TEXTS: usize = 8;

/// The allowed reasons to reject a generated program: a set is empty, a value or a literal list is an operand in text,
/// `any` nests without end under `"pretty"`, or a condition cannot be counted.
const REASONS: [Code; 9] = [
    Code::Contains,
    Code::EmptyFormat,
    Code::EmptyGrammar,
    Code::EmptyTextOnly,
    Code::ExceptionNotRegular,
    Code::Limit,
    Code::MinPropertiesOpen,
    Code::UniqueItems,
    Code::UnsupportedComplement,
];

/// Changes of a program, for texts that are near misses of the original program.
const CHANGES: [(&str, &str); 27] = [
    (" - ", " | "),
    (" & ", " | "),
    (" | ", " & "),
    ("?: ", ": "),
    (": ", "?: "),
    (", ...", ""),
    ("[1..2]", "[0..3]"),
    ("[0..2]", "[1..3]"),
    ("[..3]", "[..4]"),
    ("[2]", "[..3]"),
    ("<1..2>", "<0..3>"),
    ("calls = 1..2", "calls = 0..3"),
    ("times = 1..2", "times = 0..3"),
    ("max_chars = 3", "max_chars = 4"),
    ("text<without = ", "text | lazy<"),
    ("array<unique = true>", "array"),
    ("multiple_of = 3", "multiple_of = 1"),
    ("-3..12", "-4..13"),
    ("int", "number"),
    ("above = 0", "above = -1"),
    ("@skip", "@examples"),
    ("order = \"any\"", "order = \"declared\""),
    ("\"spaced\"", "\"compact\""),
    ("escapes = \"canonical\"", "escapes = \"any\""),
    ("run = 2", "run = 3"),
    ("digits = 2..2", "digits = 1..3"),
    ("digits = 1..2", "digits = 2"),
];

/// Bytes that walks prefer.
const LIKED: &[u8] = b"abcxyz015;,.-:\"{}[]()<>/=\\ \nnullt_k\xc3\xa9";

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn random_ogc_formats_match_the_oracle() {
    let (first, rounds) = (first_seed(), rounds(100, 300));
    let mut counts = Counts::new();
    let mut faults = Vec::new();
    for seed in first..first + rounds {
        let round = catch_unwind(AssertUnwindSafe(|| round(seed, &mut counts)));
        if let Err(fault) = round.unwrap_or_else(|_| Err(format!("seed {seed}: panic"))) {
            faults.push(fault);
        }
    }
    println!("{counts:?}");
    let shown: Vec<&str> = faults.iter().take(12).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {rounds} rounds failed:\n{}", faults.len(), shown.join("\n"));
    let checked = counts.get("checked").copied().unwrap_or(0) as u64;
    assert!(rounds < 100 || checked > rounds / 2, "too few rounds check anything");
}

/// Checks the program of a seed.
fn round(seed: u64, counts: &mut Counts) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = generate::program(&mut random);
    let fault = |what: String| format!("seed {seed}: {what}\n{text}");
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    let program = Program::read(&text).ok_or_else(|| fault("does not parse".to_owned()))?;
    let automaton = match ogc(&text) {
        Ok(automaton) => automaton,
        Err(failure) if REASONS.iter().all(|reason| reason.name() != failure.code) => {
            return Err(fault(format!("{}: {}", failure.code, failure.message)));
        }
        Err(failure) => {
            count(&format!("refused: {}", failure.code));
            return Ok(());
        }
    };
    count("checked");
    let pair = Pair { program: &program, automaton, liked: LIKED };
    let texts = pair.texts(TEXTS, &mut random, counts).map_err(fault)?;
    for text in neighbours(&text, &mut random) {
        let verdict = pair.compare(&text).map_err(fault)?;
        *counts.entry(format!("neighbours' {verdict}")).or_default() += 1;
    }
    pair.masks(&texts, &mut random).map_err(fault)
}

/// Returns texts of a program that differs in one place.
fn neighbours(program: &str, random: &mut Random) -> Vec<Vec<u8>> {
    let fitting: Vec<_> = CHANGES.iter().filter(|(from, _)| program.contains(from)).collect();
    let Some((from, to)) = random.choose(&fitting) else { return Vec::new() };
    let places: Vec<usize> = program.match_indices(from).map(|(at, _)| at).collect();
    let at = *random.choose(&places).unwrap_or(&0);
    let changed = [&program[..at], to, &program[at + from.len()..]].concat();
    let Ok(automaton) = ogc(&changed) else { return Vec::new() };
    let bytes = sample::store(&[]);
    let walks = (0..TEXTS).filter_map(|_| sample::walk(&automaton, &bytes, random, LIKED).ok()?);
    walks.map(|(text, _)| text).collect()
}

#[test]
fn token_limits_match_the_oracle() {
    for seed in 1..=setting("OGC_ROUNDS", 60).min(2_000) {
        let mut random = Random::new(seed);
        let stops: [(&str, &[u8]); 3] = [("\";\"", b";"), ("tok\"<t>\"", b"\xff<t>\xfe"), ("\"ab\"", b"ab")];
        let (most, (stop, bytes)) = (1 + random.below(6), stops[random.below(3)]);
        let of = |limit: &str| format!("output O = \"<\" text{limit} {stop} (\"x\" | null | int[..2])?\n");
        let text = of(&format!("<max_tokens = {most}>"));
        let program = Program::read(&of("")).expect("it parses");
        let automaton = ogc(&text).expect("it compiles");
        let checked = limited(&program, &automaton, (most, bytes), &mut random);
        assert_eq!(checked, Ok(()), "seed {seed}: {text}");
    }
}

/// Walks through a text of at most `most` tokens between `<` and the part behind it.
fn limited(
    program: &Program,
    automaton: &Arc<Automaton>,
    (most, stop): (usize, &[u8]),
    random: &mut Random,
) -> Result<(), String> {
    let more: Vec<Vec<u8>> =
        ["aa", "ba", "abc", "a;", "<b", "é", "; ", "xé"].map(|piece| piece.as_bytes().to_vec()).into();
    let store = sample::store(&more);
    for _ in 0..4 {
        let Some((text, tokens)) = sample::walk(automaton, &store, random, LIKED)? else { continue };
        if program.contains(&text) != Verdict::In {
            return Err(format!("accepts `{}`", text.escape_ascii()));
        }
        let inside = free_tokens(&tokens, &text, stop, store.vocabulary());
        if inside > most {
            return Err(format!("{inside} tokens in `{}`", text.escape_ascii()));
        }
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&store));
        for token in tokens {
            exact(&mut matcher)?;
            matcher.accept_token(token).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Counts the tokens between `<` and the stop, except tokens that only continue a character.
fn free_tokens(tokens: &[TokenId], text: &[u8], stop: &[u8], vocabulary: &Vocabulary) -> usize {
    let end = text.windows(stop.len()).position(|window| window == stop).unwrap_or(text.len());
    let mut at = 0;
    let mut count = 0;
    for &token in tokens {
        let from = at;
        at += sample::spelled(vocabulary, token).len();
        let goes_on = text.get(from).is_some_and(|byte| (0x80..0xc0).contains(byte));
        count += usize::from(from > 0 && at <= end && !goes_on);
    }
    count
}
