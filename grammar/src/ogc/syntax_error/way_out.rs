//! Advice for a sign that is unexpected here and has a meaning in other languages.

use super::Unexpected;
use crate::ogc::token::TokenKind;

/// Returns the advice for a sign that can stand here in other languages; the first that fits.
pub(super) fn way_out(case: &Unexpected<'_, '_>) -> Option<&'static str> {
    brackets(case).or_else(|| items(case)).or_else(|| signs(case))
}

/// Returns the advice for a sign behind an opening bracket, or for a pair of signs that means something in other languages.
fn brackets(case: &Unexpected<'_, '_>) -> Option<&'static str> {
    use TokenKind::{
        Colon, Comma, Dots, Equals, Greater, LeftBrace, LeftBracket, LeftParen, Minus, Question, RightParen, Star,
        String,
    };
    let before = case.before.map(|before| before.kind);
    Some(match (before, case.found.kind) {
        (Some(LeftBracket), String) if !case.text && named_before(case, "enum") => {
            "a choice is a union of literals: `\"a\" | \"b\"`"
        }
        (Some(LeftBracket), String) if !case.text => {
            "the type of a field has no name of its own: define it, `type B = ...`, and use that in both places"
        }
        (Some(LeftBracket), String | TokenKind::Regex | LeftParen) if case.text => {
            "bounds are numbers; what may be absent is written `x?`, what stands any number of times `x*`"
        }
        (Some(Colon | Equals | TokenKind::Bar), Star) => "there are no pointers: write the type alone",
        (Some(LeftBrace), LeftBrace) if !case.expects("\"accept\"") => "a name stands alone, without braces",
        (Some(TokenKind::Name | Greater), TokenKind::Name) if matches!(case.found.text, "accept" | "reject") => {
            "the cases of a test stand in braces: `test Name { accept \"...\" }`"
        }
        (Some(TokenKind::With), LeftParen) => "what replaces names stands in braces: `with { a = b }`",
        (Some(Minus), Minus) | (Some(LeftParen), Star) => "comments begin with `//`",
        (Some(Colon), Colon) => "a name of an imported file is written with a dot: `file.Name`",
        (Some(LeftParen), RightParen) if calls(case) => "a rule without parameters is written without parentheses",
        (Some(LeftBrace | Comma), Star) if case.after.is_some_and(|after| after.kind == Star) => {
            "the fields of another record are brought in by three dots: `...B`"
        }
        (Some(LeftBrace | Comma), Dots) => "the fields of another record are brought in by three dots: `...B`",
        (Some(LeftBrace | Comma), Question) => "the `?` stands behind the name: `name?: T`",
        (Some(LeftBrace | Comma), TokenKind::Bar) => "a record is written without bars: `{ name: T }`",
        _ => return None,
    })
}

/// Returns the advice for a sign in the head of an item, in a test or in a list.
fn items(case: &Unexpected<'_, '_>) -> Option<&'static str> {
    use TokenKind::{
        Accept, And, Attribute, AttributeOpen, Colon, Comma, Dot, Equals, LeftBrace, LeftBracket, LeftParen, Less,
        Output, Policy, Reject, RightParen, Rule, String, Type,
    };
    let before = case.before.map(|before| before.kind);
    let expression = case.expects("\"regex\"");
    Some(match (before, case.found.kind) {
        (Some(TokenKind::Name), Less) if case.expects("\":\"") => {
            "a field is its name, `:` and its type: `name: map<string, T>`"
        }
        (Some(Policy), LeftBrace) => "each policy is an item of its own: `policy space = \"any\"`",
        (Some(Colon | Equals), And) => "there are no references: write the type alone",
        (Some(TokenKind::Name), Colon) if case.after.is_some_and(|after| after.kind == Colon) => {
            "a name of an imported file is written with a dot: `file.Name`"
        }
        (Some(LeftParen), RightParen) => "there are no functions, and no empty group; the empty text is `\"\"`",
        (Some(Type | Rule | Output), Less) => "the name of an item stands without brackets",
        (Some(TokenKind::Name), Comma) if case.expects("\":\"") => "a field has a type: `name: T`",
        (Some(Accept | Reject), _) | (_, TokenKind::Name) if case.expects("\"accept\"") => {
            "a case is `accept \"...\"` or `reject \"...\" because \"...\"`"
        }
        (Some(Colon), TokenKind::Name) if !expression && case.expects("\"false\"") => {
            "a case is an example: write a value, not its type"
        }
        (_, Attribute | AttributeOpen) if case.after_expression() => "an attribute stands before what it is about",
        (Some(TokenKind::Name), TokenKind::Name) if case.found.text == "extends" => {
            "a parameter has no type; its default is written `T = ...`"
        }
        (_, Comma) if case.after_expression() && !case.text && innermost(case) == Some(LeftParen) => {
            "values in order are a tuple, `tuple<A, B>`; alternatives are separated by `|`"
        }
        (_, Comma) if case.after_expression() && innermost(case) == Some(LeftBracket) => {
            "arguments stand in `<` and `>`: `Name<A, B>`"
        }
        (Some(TokenKind::Name), String) if case.expects("\"{\"") => {
            "a test has no title: write `test Name { ... }`, and why behind a case's `because`"
        }
        (Some(TokenKind::Name), Dot) if case.expects("\"from\"") => {
            "a file is named by its path: `import \"std.tools\" as std`, `import \"file.ogc\" as module`"
        }
        _ => return None,
    })
}

/// Returns the advice for any other sign, by what could stand here.
fn signs(case: &Unexpected<'_, '_>) -> Option<&'static str> {
    use TokenKind::{
        Attribute, Colon, Comma, Dot, Ellipsis, Equals, Greater, LeftBrace, LeftParen, Less, Plus, Question,
        RightBrace, Star, String,
    };
    let before = case.before.map(|before| before.kind);
    let expression = case.expects("\"regex\"");
    Some(match (before, case.found.kind) {
        (Some(String), Dot) => "texts follow one another without a sign",
        (Some(LeftParen), Question) => "a regex is written between slashes: `/(?:a|b)/`",
        (_, Dot) if expression && case.after.is_some_and(|after| after.kind == TokenKind::Number) => {
            "a number has a digit before its point: `0.5`"
        }
        (_, Dot) if expression => "a regex is written between slashes: `/.*/`; free text is `text`",
        (_, Plus) if expression && case.after.is_some_and(|after| after.kind == TokenKind::Number) => {
            "a number is written without `+`"
        }
        (Some(Less), Equals) | (Some(Greater), Equals) => "bounds are a range: `int<1..>`, `string<..80>`",
        (_, Greater) if case.after_expression() => "bounds are a range in `<` and `>`: `int<1..>`, `number<above = 0>`",
        (_, Less) if expression => {
            "a token of the vocabulary is written `tok\"<think>\"`, these characters `\"<think>\"`"
        }
        (_, Comma) if case.after_expression() => {
            "alternatives are separated by `|`; texts follow one another without a sign"
        }
        (Some(String | TokenKind::Name), RightBrace) if case.expects("\":\"") => {
            "braces are a record, `{ name: T }`; a repetition is `x*`, an alternative `\"a\" | \"b\"`"
        }
        (Some(String), TokenKind::Bar) if case.expects("\":\"") => {
            "alternatives are written without braces: `\"a\" | \"b\"`"
        }
        (_, Colon) if case.expects("\"=\"") && case.expects("\">\"") => {
            "a parameter has no type; its default is written `T = ...`"
        }
        (Some(LeftBrace | Comma), Star) => "further fields are `...`; with values in `T` they are `[string]: T`",
        (_, Colon) if case.text => "a capture is no operand: write `name: (a - b)` for a name of the whole",
        (Some(LeftBrace | Comma), Ellipsis) if !expression && !case.expects("\"...\"") => {
            "a case is a whole value: write all fields that it has, without `...`"
        }
        (Some(TokenKind::Name), Colon) if case.expects("\"<\"") && !case.expects("\"=\"") => {
            "further fields are `...`; with values in `T` they are `[string]: T`"
        }
        (Some(Attribute), Equals) => "arguments of an attribute stand in parentheses: `@space(\"pretty\")`",
        (_, Ellipsis) if case.expects("\">\"") => "any number of further items is `rest = T`: `tuple<A, B, rest = T>`",
        _ if case.expects("\"accept\"") => "a case is `accept \"...\"` or `reject \"...\" because \"...\"`",
        _ => return None,
    })
}

/// Returns whether a name touches the bracket before the unexpected token.
fn calls(case: &Unexpected<'_, '_>) -> bool {
    let (name, open) = (case.head.iter().rev().nth(1), case.before);
    name.zip(open).is_some_and(|(name, open)| name.kind == TokenKind::Name && name.end == open.start)
}

/// Returns whether the unexpected token follows a bracket after the name `name`.
fn named_before(case: &Unexpected<'_, '_>, name: &str) -> bool {
    case.head.iter().rev().nth(1).is_some_and(|one| one.text == name)
}

/// Returns the innermost bracket that is open before the unexpected token.
fn innermost(case: &Unexpected<'_, '_>) -> Option<TokenKind> {
    let mut closed = 0_usize;
    for lexeme in case.head.iter().rev() {
        if lexeme.kind.is_closer() {
            closed += 1;
        } else if lexeme.kind.closer().is_some() {
            if closed == 0 {
                return Some(lexeme.kind);
            }
            closed -= 1;
        }
    }
    None
}
