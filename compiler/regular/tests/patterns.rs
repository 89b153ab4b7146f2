//! Patterns against an independent backtracking engine, on all short strings over small alphabets.
#![allow(clippy::print_stderr, reason = "tests report what they counted")]

mod common;

use common::{Rng, strings};
use ogc_regular::pattern::compile;
use ogc_regular::{Limits, PatternErrorKind};

/// The judge refuses to repeat what is only an assertion, and reads `$`, `\d`, `\w`, `\b` as we do on ASCII without line ends.
fn check(pattern: &str, texts: &[String]) {
    let dfa = match compile(pattern, &Limits::default()) {
        Ok(dfa) => dfa,
        Err(error) => {
            assert!(matches!(error.kind, PatternErrorKind::Unsupported(_)), "{pattern}: {error}");
            return;
        }
    };
    assert_eq!(dfa, dfa.minimize(), "{pattern} is not minimal");
    let Ok(judge) = fancy_regex::Regex::new(pattern) else { return };
    for text in texts {
        let Ok(expected) = judge.is_match(text) else { continue };
        assert_eq!(dfa.contains(text.as_bytes()), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn chosen_patterns() {
    let texts = strings(&["a", "b", "-", "→"], 6);
    for pattern in [
        "", "a", "^a", "a$", "^a$", "^$", "^", "$", "a|b", "^a|b$", "^(a|b)*$", "^(?:ab)+$", "a{2,3}", "^a{2,3}$", "^a{2,}b?$",
        "[ab]", "[^ab]", "^[^a]*$", ".", "^.{3}$", "\\bb", "a\\b", "\\Ba", "^\\b", "\\b$", "^\\B$", "\\w-\\w", "^\\W", "(?=a)b",
        "^(?=.*a)(?=.*b).{3,4}$", "^(?!.*ab)", "^(?!a)", "^(?:(?!ab).)*$", "(?<=a)b", "(?<!a)b", "^(?<!a)b", "(?<=a|b)-(?=a)",
        "^(?=.*\\bab\\b).*$", "a(?!b)", "(?!b)a$", "^(?:a(?=b)|b(?=a|$))*$", "^(?:(?=a).)*-", "a^", "$a", "(^a|b$)-", "(?:^|-)a(?:-|$)",
        "^(?!.*(?!a)b)", "^(?=(?=a)a(?!a))", "(?<=(?<!a)b)a", "(?=a(?<=a)b)", "^(?:a|(?!b))*b$", "\\b(?:a\\b)*-?", "(?:\\b)*a", "^(?:^a)*$",
        "(?:\\b|a)+b", "(?!\\b)-", "^(?=a|b)(?!ab)(?=.b).*(?<=b)$", "(?<!\\w)a", "(?<=^a)b", "^(?!-)[ab-]{1,4}(?<!-)$", "(?i:A)b", "(?i)A|B",
    ] {
        check(pattern, &texts);
    }
}

#[test]
fn random_patterns() {
    let texts = strings(&["a", "b", "-"], 6);
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3000 {
        let pattern = random(&mut rng, 4);
        check(&pattern, &texts);
    }
}

fn random(rng: &mut Rng, depth: u32) -> String {
    let pick = rng.below(if depth == 0 { 9 } else { 20 });
    let mut sub = || random(rng, depth.saturating_sub(1));
    match pick {
        0 | 1 => "a".into(),
        2 => "b".into(),
        3 => "-".into(),
        4 => "[ab]".into(),
        5 => ".".into(),
        6 => "^".into(),
        7 => "$".into(),
        8 => if depth % 2 == 0 { "\\b".into() } else { "\\B".into() },
        9 | 10 | 11 => format!("{}{}", sub(), sub()),
        12 => format!("(?:{}|{})", sub(), sub()),
        13 => format!("(?:{})*", sub()),
        14 => format!("(?:{})?", sub()),
        15 => format!("(?:{}){{1,2}}", sub()),
        16 => format!("(?={})", sub()),
        17 => format!("(?!{})", sub()),
        18 => ["(?<=a)", "(?<=ab)", "(?<=[ab])", "(?<=-|b)"][rng.below(4) as usize].into(),
        _ => ["(?<!a)", "(?<!-a)", "(?<![ab])", "(?<!a|b)"][rng.below(4) as usize].into(),
    }
}
