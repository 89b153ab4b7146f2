//! Tests of corrections of random errors in correct programs: fewer errors, nothing lost, and nothing left to do.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::examples::EXAMPLES;
use super::random;
use crate::Diagnostic;
use crate::fix::apply;
use crate::ogc::token::{Token, TokenClass, TokenKind};
use crate::ogc::{correct, notation, print, tokens};
use ogc_kit::Random;

/// Tokens for random insertions.
const SPLINTERS: [&str; 46] = [
    "{", "}", "(", ")", "[", "]", "<", ">", "|", "&", "-", "%", "?", "*", "+", ",", ":", "=", ";", "..", "...", "/",
    "\"", "#", "=>", "||", "{1,5}", "[1,3]", "> 5", ">= 0", "(a/b)", "name", "!", "\u{200b}", "pub", "export", "enum",
    "alias", "let", "use", "：", "…", "‥", "∣", "；", "＞",
];

/// Returns the text after one random change: one token left out, inserted, replaced, or exchanged with its neighbour,
/// or the end of the text cut off.
fn mutated(text: &str, dice: &mut Random) -> String {
    let all: Vec<Token> = tokens(text);
    let mut pieces: Vec<&str> = all.iter().map(|token| token.span.text(text)).collect();
    if pieces.is_empty() {
        return text.to_owned();
    }
    let at = dice.below(pieces.len());
    match dice.below(5) {
        0 => drop(pieces.remove(at)),
        1 => pieces.insert(at, *dice.pick(&SPLINTERS)),
        2 => pieces[at] = *dice.pick(&SPLINTERS),
        3 => pieces.swap(at, (at + 2).min(all.len() - 1)),
        _ => pieces.truncate(at.max(1)),
    }
    pieces.concat()
}

/// Returns the same program with other line ends, a byte order mark, no final line end, or comments around it.
fn dressed(text: String, dice: &mut Random) -> String {
    match dice.below(6) {
        0 => text.replace('\n', "\r\n"),
        1 => format!("\u{feff}{text}"),
        2 => text.trim_end().to_owned(),
        3 => format!("// before it\n{text}// behind it"),
        _ => text,
    }
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|one| one.is_error()).count()
}

/// Returns names, literals and comments, except those at the places of findings.
fn content<'t>(text: &'t str, found: &[Diagnostic]) -> Vec<&'t str> {
    let about = |token: &Token| {
        let mut corrected = found.iter().filter(|one| one.fix.is_some());
        corrected.any(|one| one.span.start <= token.span.start && token.span.end <= one.span.end)
    };
    let matters = |token: &Token| {
        let class = token.kind.class();
        matches!(class, TokenClass::Name | TokenClass::Literal | TokenClass::Constant | TokenClass::Comment)
            && token.kind != TokenKind::BlockComment
    };
    let all = tokens(text).into_iter().filter(|token| matters(token) && !about(token));
    all.map(|token| token.span.text(text).trim_matches(['/', '"', '\'', ' ', '\r'])).collect()
}

fn check(text: &str) {
    let before = notation(text);
    for fix in before.iter().filter_map(|found| found.fix.as_ref()) {
        assert_eq!(apply(text, std::iter::once(fix)).1, [0], "{text:?} has no place for {fix:?}");
    }
    let corrected = correct(text, &mut notation);
    let after = notation(&corrected.text);
    assert!(corrected.done.is_empty() == (corrected.text == text), "{text:?}");
    let (old, new) = (errors(&before), errors(&after));
    let fewer = new < old || new == old && after.len() < before.len();
    assert!(corrected.done.is_empty() || fewer, "{text:?} has {old} errors, and then {new}: {:?}", corrected.text);
    // `> 5` of integers becomes `6..`: the bound keeps its meaning, not its digits.
    let is_bound = |piece: &str| ["<", ">"].iter().any(|sign| text.contains(&format!("{sign} {piece}")));
    for piece in content(text, &before).into_iter().filter(|piece| !is_bound(piece)) {
        assert!(corrected.text.contains(piece), "{piece:?} of {text:?} is lost in {:?}", corrected.text);
    }
    let again = correct(&corrected.text, &mut notation);
    assert_eq!(again.text, corrected.text, "{text:?} is not corrected at once");
}

/// Signs of the language, each with a similar character of another script.
const ALIKE: [(&str, &str); 14] = [
    (":", "："),
    (",", "，"),
    ("|", "∣"),
    ("=", "＝"),
    ("..", "‥"),
    ("...", "…"),
    ("<", "〈"),
    (">", "＞"),
    ("{", "｛"),
    ("}", "｝"),
    ("[", "【"),
    ("]", "］"),
    ("?", "？"),
    ("-", "–"),
];

#[test]
fn one_finding_restores_a_sign_of_another_script() {
    let mut tried = 0;
    for (name, text) in EXAMPLES {
        for token in tokens(text) {
            let sign = token.span.text(text);
            let Some((_, other)) = ALIKE.iter().find(|(known, _)| *known == sign) else { continue };
            let slip = [&text[..token.span.start as usize], other, &text[token.span.end as usize..]].concat();
            let found = notation(&slip);
            assert_eq!(errors(&found), errors(&notation(text)) + 1, "{other} in {name} at {:?}: {found:?}", token.span);
            assert_eq!(
                correct(&slip, &mut notation).text,
                correct(text, &mut notation).text,
                "{other} in {name} at {:?}",
                token.span
            );
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn mistakes_in_examples_are_corrected_without_loss() {
    let mut dice = Random::new(17);
    for _ in 0..1500 {
        let (_, seed) = dice.pick(&EXAMPLES);
        let mut text = dressed((*seed).to_owned(), &mut dice);
        for _ in 0..1 + dice.below(3) {
            text = mutated(&text, &mut dice);
        }
        check(&text);
    }
}

#[test]
fn mistakes_in_random_programs_are_corrected_without_loss() {
    let (mut dice, mut runner) = (Random::new(19), TestRunner::deterministic());
    for _ in 0..400 {
        let tree = random::file().new_tree(&mut runner).expect("a tree").current();
        let mut text = dressed(print(&tree), &mut dice);
        for _ in 0..1 + dice.below(2) {
            text = mutated(&text, &mut dice);
        }
        check(&text);
    }
}
