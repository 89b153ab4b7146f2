//! Tests of unusual inputs: none panics, all places lie in the text, and the time is proportional to its length.

use super::examples::EXAMPLES;
use crate::ogc::{format, items, parse, parse_item, print, tokens};
use ogc_kit::Random;

fn read(text: &str) {
    let all = tokens(text);
    let covered = all.iter().try_fold(0, |at, token| (token.span.start == at).then_some(token.span.end));
    assert_eq!(covered.map(|end| end as usize), Some(text.len()), "tokens leave gaps in {text:?}");
    for found in parse(text).diagnostics {
        for place in found.labels.iter().map(|label| label.0).chain([found.span]) {
            assert!(text.get(place.start as usize..place.end as usize).is_some(), "{found:?} in {text:?}");
        }
    }
    let once = format(text);
    assert_eq!(format(&once), once, "the layout of {text:?} is not stable");
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() {
        assert_eq!(parse(&once).diagnostics, [], "the layout of {text:?} has findings");
        let printed = print(&parsed.file);
        assert_eq!(print(&parse(&printed).file), printed, "{text:?} is printed as something else");
    }
}

const SPLINTERS: [&str; 44] = [
    "{", "}", "(", ")", "[", "]", "<", ">", "|", "&", "-", "%", "?", "*", "+", ",", ":", "=", ";", ".", "..", "...",
    "type ", "rule ", "output ", "test ", "import ", "policy ", "\n", "/// d\n", "// c\n", "/", "\"", "'", "tok\"",
    "@a", "@a(", "12", "-3", "x", "null", "é", "\u{feff}", "::=",
];

#[test]
fn no_mutation_panics() {
    let mut dice = Random::new(3);
    for _ in 0..2000 {
        let (_, seed) = dice.pick(&EXAMPLES);
        let mut text = (*seed).to_owned();
        for _ in 0..1 + dice.below(5) {
            let mut at = dice.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match dice.below(3) {
                0 => drop(text.drain(at..).next()),
                1 => text.insert_str(at, dice.pick::<&str>(&SPLINTERS)),
                _ => drop(text.pop()),
            }
        }
        read(&text);
    }
}

#[test]
fn no_token_soup_panics() {
    let mut dice = Random::new(5);
    for _ in 0..2000 {
        let soup: String = (0..dice.below(30)).map(|_| *dice.pick(&SPLINTERS)).collect();
        read(&soup);
    }
}

#[test]
fn no_random_bytes_panic() {
    let mut dice = Random::new(9);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..dice.below(60)).map(|_| u8::try_from(dice.below(256)).unwrap_or(0)).collect();
        read(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn deep_nesting_is_refused_with_depth_and_limit() {
    let towers = [("(", ""), ("{ a: ", ""), ("a<", ""), ("a: ", ""), ("@a ", ""), ("a & b - ", "c"), ("\"x\"", "?")];
    for (piece, end) in towers {
        let text = match end {
            "?" => format!("rule a = {piece}{}", "?".repeat(100_000)),
            end => format!("rule a = {}{end}", piece.repeat(100_000)),
        };
        let found = parse(&text).diagnostics;
        let named = found.iter().any(|d| d.message.contains("201") && d.message.contains("200"));
        assert!(named, "{piece}: {found:?}");
    }
    let flat = format!("rule a = b{}", " - c".repeat(50_000));
    assert_eq!(parse(&flat).diagnostics, []);
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    let started = std::time::Instant::now();
    for piece in SPLINTERS.iter().chain(&["type A = int\n", "a b ", "a: b ", "@a() ", "@a(", "x, ", "{}", "x{1,2}"]) {
        for head in ["rule a = ", "type A = { ", "test A { ", ""] {
            drop(parse(&(head.to_owned() + &piece.repeat(20_000))));
        }
    }
    assert!(started.elapsed().as_secs() < 60, "some text takes time in proportion to its square");
}

#[test]
fn items_parse_the_same_at_any_offset() {
    for (name, text) in EXAMPLES {
        let moved = format!("// before\n\n{text}");
        let bare = |text: &str| -> Vec<_> {
            items(text).items.iter().map(|item| parse_item(item.span.text(text), 0)).collect()
        };
        assert_eq!(bare(text), bare(&moved), "{name}");
    }
}

#[test]
fn trees_at_the_limit_are_read_printed_and_laid_out() {
    for (open, close) in [("(", ")"), ("{ a: ", " }"), ("a<", ">"), ("@a(", ") b"), ("(x: ", ")")] {
        let levels = if open.len() > 2 && !open.starts_with('{') { 99 } else { 199 };
        let text = format!("rule a = {}b{}\n", open.repeat(levels), close.repeat(levels));
        assert_eq!(parse(&text).diagnostics, [], "{open}");
        read(&text);
    }
}
