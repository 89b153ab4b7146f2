//! Random `.ogc` programs: the compiled format and the oracle agree about texts of the format and about what is nearly
//! one; masks say what the matcher then does, and walks end within their budget.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` how many follow it; a failure names its seed.

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::engine::ogc;
use ogc_tests::oracle::ogc::{Program, Verdict, generate, sample};
use ogc_tests::random::Random;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// Texts of a format, and for each as many that are nearly one.
const TEXTS: usize = 8;

/// What texts are spoilt with.
const PIECES: [&str; 24] = [
    "a", "b", "ab", "c", ";", ",", "-", " ", "\n", "\"", "\\u0061", "\\n", "{}", "[]", "0", "1", ".5", ":", "null",
    "\"a\":1", "é", "(", "<a>", "]",
];

/// Why a generated program may be refused: nothing is in one of its sets, a value or a literal list is an operand in text,
/// `any` nests without end under `"pretty"`, or a condition cannot be counted.
const REASONS: [&str; 8] = [
    "empty-format",
    "empty-grammar",
    "empty-text-only",
    "exception-not-regular",
    "limit",
    "min-properties-open",
    "unique-items",
    "unsupported-complement",
];

/// What is changed in a program for texts that are nearly of the first one.
const CHANGES: [(&str, &str); 25] = [
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
];

/// Bytes that walks like.
const LIKED: &[u8] = b"abcxyz015;,.-:\"{}[]()<>/=\\ \nnullt_k\xc3\xa9";

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn formats_mean_what_the_reference_says() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 300));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
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

/// The program of a seed.
fn round(seed: u64, counts: &mut BTreeMap<String, usize>) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = generate::program(&mut random);
    let fault = |what: String| format!("seed {seed}: {what}\n{text}");
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    let program = Program::read(&text).ok_or_else(|| fault("does not parse".to_owned()))?;
    let automaton = match ogc(&text) {
        Ok(automaton) => automaton,
        Err(failure) if !REASONS.contains(&failure.code.as_str()) => {
            return Err(fault(format!("{}: {}", failure.code, failure.message)));
        }
        Err(failure) => {
            count(&format!("refused: {}", failure.code));
            return Ok(());
        }
    };
    count("checked");
    let mut texts = Vec::new();
    for _ in 0..TEXTS {
        let walk = sample::walk(&automaton, bytes(), &mut random, LIKED).map_err(fault)?;
        let Some((one, _)) = walk else { continue };
        let other = sample::nearly(&one, &PIECES, &mut random);
        for text in [one, other] {
            let verdict = compare(&program, &automaton, &text).map_err(fault)?;
            count(verdict);
            texts.extend((verdict == "texts: in").then_some(text));
        }
    }
    for text in neighbours(&text, &mut random) {
        let verdict = compare(&program, &automaton, &text).map_err(fault)?;
        count(&format!("neighbours' {verdict}"));
    }
    masks(&program, &automaton, &texts, &mut random).map_err(fault)
}

/// Texts of a program that differs in one place.
fn neighbours(program: &str, random: &mut Random) -> Vec<Vec<u8>> {
    let fitting: Vec<_> = CHANGES.iter().filter(|(from, _)| program.contains(from)).collect();
    let Some((from, to)) = random.pick(&fitting) else { return Vec::new() };
    let places: Vec<usize> = program.match_indices(from).map(|(at, _)| at).collect();
    let at = *random.pick(&places).unwrap_or(&0);
    let changed = [&program[..at], to, &program[at + from.len()..]].concat();
    let Ok(automaton) = ogc(&changed) else { return Vec::new() };
    let walks = (0..TEXTS).filter_map(|_| sample::walk(&automaton, bytes(), random, LIKED).ok()?);
    walks.map(|(text, _)| text).collect()
}

fn bytes() -> &'static Arc<MaskStore> {
    static STORE: OnceLock<Arc<MaskStore>> = OnceLock::new();
    STORE.get_or_init(|| sample::store(&[]))
}

/// Masks under a vocabulary of pieces of the texts: they allow every way to cut a text into tokens, say at some places
/// what the matcher then does, and lead to texts of the format only.
fn masks(program: &Program, automaton: &Arc<Automaton>, texts: &[Vec<u8>], random: &mut Random) -> Result<(), String> {
    let store = sample::store(&pieces(texts, random));
    for text in texts.iter().take(3) {
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&store));
        for token in sample::tokens(store.vocabulary(), text, random) {
            if random.one_in(8) {
                exact(&mut matcher)?;
            }
            let taken = matcher.accept_token(token);
            taken.map_err(|error| format!("`{}` in tokens: {error}", text.escape_ascii()))?;
        }
        exact(&mut matcher)?;
    }
    for _ in 0..2 {
        if let Some((text, _)) = sample::walk(automaton, &store, random, LIKED)? {
            compare(program, automaton, &text)?;
        }
    }
    Ok(())
}

/// Pieces of texts as tokens: never two alike, never a part of a named token.
fn pieces(texts: &[Vec<u8>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = PIECES.iter().map(|piece| piece.as_bytes().to_vec()).collect();
    for text in texts {
        let from = random.below(text.len());
        let to = (from + 2 + random.below(6)).min(text.len());
        all.push(text.get(from..to).unwrap_or_default().to_vec());
    }
    all.retain(|piece| piece.len() > 1 && !piece.contains(&0xff) && !piece.contains(&0xfe));
    all.sort_unstable();
    all.dedup();
    all
}

/// Every token is in the mask if and only if the matcher accepts it.
fn exact(matcher: &mut Matcher) -> Result<(), String> {
    let mask = matcher.mask().map_err(|error| error.to_string())?;
    let store = Arc::clone(matcher.store());
    for id in (0..store.vocabulary().len() as u32).map(TokenId) {
        let accepted = matcher.accept_token(id).is_ok();
        if accepted {
            matcher.rollback(1).map_err(|error| error.to_string())?;
        }
        if mask.contains(id) != accepted {
            return Err(format!("the mask is wrong about token {id:?} {:?}", store.vocabulary().text(id)));
        }
    }
    Ok(())
}

#[test]
fn limits_in_tokens_hold() {
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

/// Walks through a text of at most so many tokens between `<` and what follows it.
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

/// Tokens that lie between `<` and the stop, without those that only go on with a character.
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

/// Both verdicts about a text.
fn compare(program: &Program, automaton: &Arc<Automaton>, text: &[u8]) -> Result<&'static str, String> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(bytes()));
    let accepted = matcher.accept_bytes(text).is_ok() && matcher.is_complete();
    match (program.contains(text), accepted) {
        (Verdict::In, true) => Ok("texts: in"),
        (Verdict::Out, false) => Ok("texts: out"),
        (Verdict::Doubt, _) => Ok("texts: doubt"),
        (_, true) => Err(format!("accepts `{}`", text.escape_ascii())),
        (_, false) => Err(format!("refuses `{}`", text.escape_ascii())),
    }
}
