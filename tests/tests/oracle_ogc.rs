//! Random `.ogc` programs: the compiled format and the oracle agree about texts of the format and about what is nearly
//! one; masks say what the matcher then does, and walks end within their budget.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` how many follow it; a failure names its seed.

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
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
        Err(failure) => {
            count(&format!("refused: {}", failure.code));
            return Ok(());
        }
    };
    count("checked");
    for _ in 0..TEXTS {
        let Some(one) = sample::walk(&automaton, bytes(), &mut random, LIKED) else { continue };
        let other = sample::nearly(&one, &PIECES, &mut random);
        for text in [one, other] {
            count(compare(&program, &automaton, &text).map_err(fault)?);
        }
    }
    Ok(())
}

fn bytes() -> &'static Arc<MaskStore> {
    static STORE: OnceLock<Arc<MaskStore>> = OnceLock::new();
    STORE.get_or_init(|| sample::store(&[]))
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
