//! Diagnoses `[` where an expression begins, by what other languages write with it.

use super::Unexpected;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::Span;

/// Diagnoses `[T]` and `[A, B]`.
pub(super) fn leading_bracket(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let bracket = case.found.kind == TokenKind::LeftBracket && case.expects("\"regex\"");
    bracket.then(|| {
        let help = match case.text {
            true => {
                "a class of characters is written `/[a-z]/`, what may be absent `x?`, an array of values `T[0..10]`"
            }
            false => "an array is written `T[0..10]`, a tuple `tuple<A, B>`, a class of characters `/[a-z]/`",
        };
        let fix = class(case).or_else(|| tuple(case));
        Diagnostic::error(Code::LeadingBracket, case.span(), "an expression cannot begin with `[`").help(help).fix(fix)
    })
}

/// Returns the tokens from the bracket that was found to the one that closes it, each with the brackets open behind it.
fn bracketed<'c, 't>(case: &'c Unexpected<'_, 't>) -> Option<Vec<(&'c Lexeme<'t>, usize)>> {
    let (mut depth, mut tokens) = (0_usize, Vec::new());
    for lexeme in case.rest {
        depth += usize::from(lexeme.kind.closer().is_some());
        depth -= usize::from(lexeme.kind.is_closer() && depth > 0);
        tokens.push((lexeme, depth));
        if depth == 0 {
            return Some(tokens);
        }
    }
    None
}

/// Returns the correction of `[0-9]` in a rule, if all tokens touch: a class of characters.
fn class(case: &Unexpected<'_, '_>) -> Option<Fix> {
    let tokens = bracketed(case).filter(|tokens| case.text && tokens.len() > 2)?;
    let touch = tokens.windows(2).all(|two| two[0].0.end == two[1].0.start);
    let plain = tokens.iter().all(|(one, _)| {
        matches!(one.kind, TokenKind::LeftBracket | TokenKind::RightBracket | TokenKind::Minus | TokenKind::Dot)
            || one.kind.is_word()
            || matches!(one.kind, TokenKind::Number | TokenKind::BadNumber)
    });
    let written = tokens.iter().map(|(one, _)| one.text).collect::<String>();
    let span = Span::new(case.found.start, tokens.last()?.0.end).shifted(case.base);
    (touch && plain).then(|| Fix::new("write a regex", span, format!("/{written}/")))
}

/// Returns the correction of `[A, B]` in a type: a tuple, unless it says how many items there are.
fn tuple(case: &Unexpected<'_, '_>) -> Option<Fix> {
    let tokens = bracketed(case).filter(|_| !case.text)?;
    let commas = tokens.iter().filter(|(one, depth)| one.kind == TokenKind::Comma && *depth == 1).count();
    let (close, _) = tokens.last()?;
    let close = Span::new(close.start, close.end).shifted(case.base);
    let rest = tokens.iter().any(|(one, _)| one.kind == TokenKind::Ellipsis);
    (commas > 0 && !rest).then(|| Fix::new("write `tuple<...>`", case.span(), "tuple<").and(close, ">"))
}
