//! Diagnoses `[` where an expression begins, by its meaning in other languages.

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
        let found = Diagnostic::error(Code::LeadingBracket, case.span(), "an expression cannot begin with `[`");
        if !case.text && is_in_schema(case) {
            return found.help(
                "this reads like a JSON Schema: put it into a file `x.schema.json` and write \
                 `import root as X from \"x.schema.json\"`, or write the type itself, `{ name: string, age?: int }`",
            );
        }
        if let Some(union) = union(case) {
            return found.help(format!("a choice is written `{union}`, an array of these in order `tuple<...>`"));
        }
        let help = match case.text {
            true => {
                "a class of characters is written `/[a-z]/`, what may be absent `x?`, an array of values `T[0..10]`"
            }
            false => "an array is written `T[0..10]`, a tuple `tuple<A, B>`, a class of characters `/[a-z]/`",
        };
        found.help(help).fix(tuple(case))
    })
}

/// Returns whether the bracket is the value of a keyword of JSON Schema, beside a `type`: `{ "type": "object", "required": [`.
fn is_in_schema(case: &Unexpected<'_, '_>) -> bool {
    const LISTS: [&str; 7] = ["enum", "required", "anyOf", "oneOf", "allOf", "prefixItems", "examples"];
    let plain = |lexeme: &Lexeme<'_>| lexeme.text.trim_matches(['"', '\'']).to_owned();
    let keyword = case.head.iter().rev().nth(1).is_some_and(|name| LISTS.contains(&plain(name).as_str()));
    let typed = case.head.windows(3).any(|three| {
        let [name, colon, value] = three else { return false };
        plain(name) == "type" && colon.kind == TokenKind::Colon && value.kind == TokenKind::String
    });
    case.after(TokenKind::Colon) && keyword && typed
}

/// Returns `["a", "b"]` as a union, which it is in other languages.
fn union(case: &Unexpected<'_, '_>) -> Option<String> {
    let tokens = bracketed(case).filter(|_| !case.text)?;
    let inner = tokens.get(1..tokens.len() - 1)?;
    let strings: Vec<&str> = inner.iter().step_by(2).map(|(one, _)| one.text).collect();
    let listed = inner
        .iter()
        .enumerate()
        .all(|(at, (one, _))| one.kind == if at % 2 == 0 { TokenKind::String } else { TokenKind::Comma });
    let union = strings.join(" | ");
    (listed && !strings.is_empty() && union.len() <= 60).then_some(union)
}

/// Returns the tokens from the unexpected bracket to the one that closes it, each with the number of brackets that are
/// open after it.
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

/// Returns the correction of `[A, B]` in a type: a tuple, unless the brackets give a number of items.
fn tuple(case: &Unexpected<'_, '_>) -> Option<Fix> {
    let tokens = bracketed(case).filter(|_| !case.text)?;
    let commas = tokens.iter().filter(|(one, depth)| one.kind == TokenKind::Comma && *depth == 1).count();
    let (close, _) = tokens.last()?;
    let close = Span::new(close.start, close.end).shifted(case.base);
    let rest = tokens.iter().any(|(one, _)| one.kind == TokenKind::Ellipsis);
    (commas > 0 && !rest).then(|| Fix::new("write `tuple<...>`", case.span(), "tuple<").and(close, ">"))
}
