//! Repairs the words of test cases: `assert "x"`, `accepts "x"`, `fail "x"`, `accept("x")`.

use super::ItemLexemes;
use super::frames::Frame;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if item.keyword() != Some(TokenKind::Test) {
        return;
    }
    foreign_words(item);
    parentheses(item);
}

/// Returns the keyword for a word with which other languages state the expectation of a case.
fn expectation(word: &str) -> Option<(TokenKind, &'static str)> {
    Some(match word.to_lowercase().as_str() {
        "accept" | "accepts" | "accepted" | "assert" | "valid" | "pass" | "passes" | "match" | "matches" | "ok"
        | "good" | "allow" | "allows" | "expect" | "should_accept" => (TokenKind::Accept, "accept"),
        "reject" | "rejects" | "rejected" | "invalid" | "fail" | "fails" | "deny" | "refuse" | "bad" | "error"
        | "should_reject" => (TokenKind::Reject, "reject"),
        _ => return None,
    })
}

fn foreign_words(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    for at in 0..item.lexemes.len() {
        let begins = !matches!(item.before(at), Some(TokenKind::With | TokenKind::Because));
        let word = item.kind(at) == Some(TokenKind::Name) && begins;
        let in_cases = around.get(at).is_some_and(|around| around.frame == Frame::Cases);
        let Some((kind, meant)) =
            expectation(item.text(at)).filter(|_| word && in_cases && takes_subject(item, at + 1))
        else {
            continue;
        };
        let message = format!("a case begins with `accept` or `reject`, not `{}`", item.text(at));
        let found = Diagnostic::error(Code::ForeignWord, item.span(at), message);
        let fix = Fix::new(format!("write `{meant}`"), item.span(at), meant);
        item.report(found.help(format!("write `{meant}`")).fix(fix));
        if let Some(lexeme) = item.lexemes.get_mut(at) {
            lexeme.kind = kind;
        }
    }
}

/// Returns whether the text or value of a case begins at `at`.
fn takes_subject(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Colon, LeftBrace, LeftBracket, LeftParen, String, Tok};
    matches!(item.kind(at), Some(Colon | LeftBrace | LeftBracket | LeftParen | String | Tok))
}

/// Repairs `accept("x")`.
fn parentheses(item: &mut ItemLexemes<'_>) {
    let mut at = 0;
    while at < item.lexemes.len() {
        let opens = item.kind(at) == Some(TokenKind::LeftParen)
            && matches!(item.before(at), Some(TokenKind::Accept | TokenKind::Reject));
        let close = opens.then(|| closer(item, at)).flatten();
        if let Some(close) = close {
            let (open, end) = (item.span(at), item.span(close));
            let space = if item.touches(at) { " " } else { "" };
            let fix = Fix::new("remove the parentheses", open, space).and(end, "");
            let fix = (!end.is_empty()).then_some(fix);
            let found = Diagnostic::error(Code::ExtraSign, open, "the text of a case stands without parentheses");
            item.report(found.help("remove them").fix(fix));
            item.lexemes.remove(close);
            item.lexemes.remove(at);
        }
        at += 1;
    }
}

/// Returns the index of the bracket that closes the bracket at `open`.
fn closer(item: &ItemLexemes<'_>, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in open..item.lexemes.len() {
        let kind = item.kind(at)?;
        depth += usize::from(kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(kind.is_closer()));
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
