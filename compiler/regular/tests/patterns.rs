//! Patterns against an independent backtracking engine, on all short strings over small alphabets.
#![allow(clippy::print_stderr, reason = "tests report what they counted")]

use crate::common;

use common::strings;
use ogc_kit::Random;
use ogc_regular::pattern::{compile, compile_anchored};
use ogc_regular::{Limits, PatternErrorKind};

/// The judge cannot repeat a bare assertion; it reads `$`, `\d`, `\w` and `\b` as we do on ASCII without line ends.
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
fn chosen_patterns_agree_with_the_judge() {
    let texts = strings(&["a", "b", "-", "→"], 6);
    for pattern in [
        "",
        "a",
        "^a",
        "a$",
        "^a$",
        "^$",
        "^",
        "$",
        "a|b",
        "^a|b$",
        "^(a|b)*$",
        "^(?:ab)+$",
        "a{2,3}",
        "^a{2,3}$",
        "^a{2,}b?$",
        "[ab]",
        "[^ab]",
        "^[^a]*$",
        ".",
        "^.{3}$",
        "\\bb",
        "a\\b",
        "\\Ba",
        "^\\b",
        "\\b$",
        "^\\B$",
        "\\w-\\w",
        "^\\W",
        "(?=a)b",
        "^(?=.*a)(?=.*b).{3,4}$",
        "^(?!.*ab)",
        "^(?!a)",
        "^(?:(?!ab).)*$",
        "(?<=a)b",
        "(?<!a)b",
        "^(?<!a)b",
        "(?<=a|b)-(?=a)",
        "^(?=.*\\bab\\b).*$",
        "a(?!b)",
        "(?!b)a$",
        "^(?:a(?=b)|b(?=a|$))*$",
        "^(?:(?=a).)*-",
        "a^",
        "$a",
        "(^a|b$)-",
        "(?:^|-)a(?:-|$)",
        "^(?!.*(?!a)b)",
        "^(?=(?=a)a(?!a))",
        "(?<=(?<!a)b)a",
        "(?=a(?<=a)b)",
        "^(?:a|(?!b))*b$",
        "\\b(?:a\\b)*-?",
        "(?:\\b)*a",
        "^(?:^a)*$",
        "(?:\\b|a)+b",
        "(?!\\b)-",
        "^(?=a|b)(?!ab)(?=.b).*(?<=b)$",
        "(?<!\\w)a",
        "(?<=^a)b",
        "^(?!-)[ab-]{1,4}(?<!-)$",
        "(?i:A)b",
        "(?i)A|B",
    ] {
        check(pattern, &texts);
    }
}

#[test]
fn random_patterns_agree_with_the_judge() {
    let texts = strings(&["a", "b", "-"], 6);
    let mut rng = Random::new(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3000 {
        let pattern = random(&mut rng, 4);
        check(&pattern, &texts);
    }
}

fn random(rng: &mut Random, depth: u32) -> String {
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
        8 => {
            if depth.is_multiple_of(2) {
                "\\b".into()
            } else {
                "\\B".into()
            }
        }
        9..=11 => format!("{}{}", sub(), sub()),
        12 => format!("(?:{}|{})", sub(), sub()),
        13 => format!("(?:{})*", sub()),
        14 => format!("(?:{})?", sub()),
        15 => format!("(?:{}){{1,2}}", sub()),
        16 => format!("(?={})", sub()),
        17 => format!("(?!{})", sub()),
        18 => ["(?<=a)", "(?<=ab)", "(?<=[ab])", "(?<=-|b)"][rng.below(4)].into(),
        _ => ["(?<!a)", "(?<!-a)", "(?<![ab])", "(?<!a|b)"][rng.below(4)].into(),
    }
}

/// Characters beyond U+FFFF, each with two letters that stand for its surrogate halves.
const PAIRS: [(&str, &str); 4] = [("\u{1F600}", "Hl"), ("\u{1F601}", "Hm"), ("\u{10000}", "Gn"), ("\u{10200}", "Gl")];

/// The letters that stand for halves, and how patterns spell these halves.
const HALVES: [(&str, &str); 5] =
    [("H", "\\ud83d"), ("G", "\\ud800"), ("l", "\\ude00"), ("m", "\\ude01"), ("n", "\\udc00")];

/// Patterns of halves behave like patterns of letters on texts in which letters stand for halves.
#[test]
fn surrogate_pairs_match_their_characters() {
    let texts = strings(&["a", PAIRS[0].0, PAIRS[1].0, PAIRS[2].0, PAIRS[3].0], 4);
    let in_letters = |text: &String| PAIRS.iter().fold(text.clone(), |text, (one, letters)| text.replace(one, letters));
    let letters: Vec<String> = texts.iter().map(in_letters).collect();
    let (mut rng, mut paired) = (Random::new(31), 0);
    for _ in 0..4_000 {
        let pattern = of_halves(&mut rng, 4);
        let spelled = HALVES.iter().fold(pattern.clone(), |text, (letter, half)| text.replace(letter, half));
        let judge = fancy_regex::Regex::new(&format!("^(?:{pattern})$")).expect("a pattern");
        let matches: Vec<bool> = letters.iter().map(|text| judge.is_match(text).expect("an answer")).collect();
        match compile_anchored(&spelled, &Limits::default()) {
            Ok(dfa) => {
                let found: Vec<bool> = texts.iter().map(|text| dfa.contains(text.as_bytes())).collect();
                let differs = (0..texts.len()).find(|&at| found[at] != matches[at]);
                assert!(differs.is_none(), "{spelled} on {:?}", differs.map(|at| &texts[at]));
                paired += usize::from(spelled.contains("\\u") && matches.contains(&true));
            }
            Err(error) => {
                assert!(matches!(error.kind, PatternErrorKind::Unsupported("a lone surrogate")), "{spelled}: {error}");
                assert!(!matches.contains(&true), "{spelled}");
            }
        }
    }
    assert!(paired > 500, "{paired} patterns with halves match something");
}

fn of_halves(rng: &mut Random, depth: u32) -> String {
    let pick = rng.below(if depth == 0 { 8 } else { 16 });
    let mut sub = || of_halves(rng, depth.saturating_sub(1));
    match pick {
        0 => "a".into(),
        1 => "Hl".into(),
        2 => "H[lm]".into(),
        3 => "[HG][ln]".into(),
        4 => "[aH]".into(),
        5 => "[am]".into(),
        6 => "H".into(),
        7 => "[lmn]".into(),
        8..=10 => format!("{}{}", sub(), sub()),
        11 | 12 => format!("(?:{}|{})", sub(), sub()),
        13 => format!("(?:{})*", sub()),
        14 => format!("(?:{})?", sub()),
        _ => format!("(?:{}){{1,2}}", sub()),
    }
}

/// Patterns, each with strings that it matches and strings that it does not.
const SYNTAX: &[(&str, &[&str], &[&str])] = &[
    ("^\\d\\w$", &["0_"], &["٠a", "0é"]),
    ("^\\s$", &["\u{FEFF}", "\u{2028}", "\u{3000}", "\t"], &["\u{180E}", "\u{200B}", "\u{85}"]),
    ("^.$", &["é", "😀"], &["\n", "\r", "\u{2028}", "\u{2029}", "ab"]),
    ("^\\uD83D\\uDE00\\u{1F600}\\x41\\cJ\\0$", &["😀😀A\n\0"], &["😀"]),
    ("^[\\b\\-a-c\\]]$", &["\u{8}", "-", "b", "]"], &["d"]),
    ("^[\\w-.]$", &["a", "-", "."], &["+"]),
    ("^[^]$", &["a", "\n"], &[""]),
    ("[]", &[], &["", "a"]),
    ("^a{,b}]$", &["a{,b}]"], &["a"]),
    ("^\\-\\_\\'\\@\\ \\/$", &["-_'@ /"], &[]),
    ("^\\p{Lu}\\P{L}\\p{Script=Greek}\\p{ASCII}$", &["Ä1αx"], &["ä1αx", "Ä1ax"]),
    ("^(?i:straße)k$", &["STRAẞEk", "ſtraßek"], &["straßeK"]),
    ("(?i)^k$", &["K", "\u{212A}"], &["x"]),
    ("^(?m:^b$)|(?m:a$)", &["a\nb", "b"], &["ab"]),
    ("^(?<x>a)(?P<y>b)$", &["ab"], &["a"]),
    ("a$\n", &[], &["a\n", "a"]),
    ("^\\ud83d[\\ude00-\\ude4f]$", &["😀", "🙏"], &["a", "😀😀", "🙐"]),
    ("^[\\ud800-\\udbff][\\udc00-\\udfff]$", &["😀", "\u{10000}", "\u{10FFFF}"], &["a", "\u{FFFF}"]),
    (
        "^(?:[\\0-\\ud7ff\\ue000-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff]|[\\ud800-\\udbff](?![\\udc00-\\udfff]))$",
        &["a", "é", "😀"],
        &["", "aa"],
    ),
    ("^(?:\\ud83c[\\udde6-\\uddff]){2}$", &["🇩🇪"], &["🇩", "de"]),
    ("^\\ud83d(?:\\ude00|[\\ude10-\\ude1f])+$", &["😀"], &["😀😀", "\u{1F601}"]),
    ("(?i)^\\ud801[\\udc00-\\udc27]$", &["\u{10400}", "\u{10428}"], &["a"]),
    ("^[^\\ud800-\\udfff]$", &["a", "😀"], &[""]),
    ("^[+\\--]$", &["+", "-"], &["."]),
    ("^/v1/[a-z]+/$", &["/v1/a/"], &["v1"]),
];

#[test]
fn syntax_is_read_as_specified() {
    for (pattern, yes, no) in SYNTAX {
        let dfa = compile(pattern, &Limits::default()).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        for text in *yes {
            assert!(dfa.contains(text.as_bytes()), "{pattern} should match {text:?}");
        }
        for text in *no {
            assert!(!dfa.contains(text.as_bytes()), "{pattern} should not match {text:?}");
        }
    }
    let whole = compile_anchored("a|bc", &Limits::default()).expect("a pattern");
    assert_eq!(whole.finite_strings(9).as_deref(), Some(&["a".to_owned(), "bc".into()][..]));
}

#[test]
fn errors_have_spans() {
    for (pattern, span) in [
        ("a(b", 1..2),
        ("ab)", 2..3),
        ("a[b", 1..2),
        ("*", 0..1),
        ("a**", 2..3),
        ("a{3,2}", 1..6),
        ("[b-a]", 1..4),
        ("a\\", 1..2),
        ("\\A", 0..2),
        ("x\\Z", 1..3),
        ("\\z", 0..2),
        ("\\i", 0..2),
        ("(a)\\1", 3..5),
        ("\\p{Nope}", 0..8),
        ("(?>a)", 0..2),
        ("a{,3}", 1..5),
        ("\\uD800", 0..6),
        ("[\\uD800-\\uDBFF]", 0..15),
        ("x\\uDE00\\uD83D", 1..7),
        ("\\uD83D(?=a)[\\uDE00-\\uDE4F]", 0..6),
        ("[a--b]", 2..4),
        ("[--b]", 1..3),
        ("[a-z&&[^b]]", 4..6),
        ("(?<=a$)b", 0..8),
        ("(?<=\\b)", 4..6),
        ("[[:alpha:]]", 1..3),
        ("^*", 0..2),
        ("(?=a)*", 0..6),
        ("a(?i)b", 1..3),
        ("(?<a>)(?<a>)", 6..11),
        ("b(?:a{65536}){65536}", 4..12),
        ("a++", 1..3),
        ("[A-Z]{2}-[0-9{3}(-[A-Z]+)?", 9..10),
        ("[(\\[])x)", 5..6),
    ] {
        let error = compile(pattern, &Limits::default()).expect_err(pattern);
        assert_eq!(error.span, span, "{pattern}: {error}");
    }
    let deep = "(".repeat(100_000);
    assert!(matches!(compile(&deep, &Limits::default()).expect_err("deep").kind, PatternErrorKind::Limit(_)));
}

#[test]
#[ignore = "a measurement"]
fn print_build_times_of_patterns() {
    for pattern in ["^[a-z][a-z0-9-]{0,62}$", r"^\d{4}-\d{2}-\d{2}$", "^[^@]+@[^@]+$", "^#?[0-9a-fA-F]{6}$"] {
        let start = std::time::Instant::now();
        let states: usize = (0..1000).map(|_| compile(pattern, &Limits::default()).map_or(0, |dfa| dfa.len())).sum();
        eprintln!("{pattern}: {:?}, {} states", start.elapsed() / 1000, states / 1000);
    }
}
