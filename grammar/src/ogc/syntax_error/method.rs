//! Diagnoses calls of other languages in texts: `x.join(",")`, `each A, b`.

use super::Unexpected;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::ogc::token::TokenKind;
use crate::span::Span;

/// Diagnoses a method of a text: `x.join(",")`, `x.optional()`.
pub(super) fn call(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let [dot, name, open, rest @ ..] = case.rest else { return None };
    let called = dot.kind == TokenKind::Dot && name.kind.is_word() && open.kind == TokenKind::LeftParen;
    if !called || !case.after_expression() {
        return None;
    }
    let argument = rest.first().filter(|_| rest.get(1).is_some_and(|close| close.kind == TokenKind::RightParen));
    let argument = argument.map_or("...", |argument| argument.text);
    let help = match name.text {
        "join" | "joined" | "sep_by" | "sepBy" | "separated_by" | "separatedBy" | "delimited" => {
            format!("the items of a list are separated by `%`: write `% {argument}`")
        }
        "optional" | "maybe" | "opt" => "what may be absent is written `x?`".to_owned(),
        "repeat" | "times" | "exactly" if argument != "..." => format!("a repetition is written `x[{argument}]`"),
        "repeat" | "times" | "many" | "star" | "plus" => "repetitions are written `x*`, `x+` and `x[1..5]`".to_owned(),
        _ => "repetitions are written `x*` and `x[1..5]`, lists `x % \",\"`, what may be absent `x?`".to_owned(),
    };
    let span = Span::new(dot.start, name.end).shifted(case.base);
    Some(Diagnostic::error(Code::Call, span, format!("a text has no method `{}`", name.text)).help(help))
}

/// Built-in names that mean nothing in a text without arguments.
const NEED_ARGUMENTS: [&str; 9] = ["each", "json", "lazy", "map", "mix", "quoted", "raw", "substring", "tuple"];

/// Diagnoses `each A, b` at the comma.
pub(super) fn arguments(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let [.., name, operand] = case.head else { return None };
    let named = name.kind == TokenKind::Name && NEED_ARGUMENTS.contains(&name.text);
    if !named || operand.kind != TokenKind::Name {
        return None;
    }
    let second = case.after.filter(|after| after.kind.begins_expression()).map_or("...", |after| after.text);
    let span = Span::new(name.start, name.end).shifted(case.base);
    let found = Diagnostic::error(Code::Call, span, format!("the arguments of `{}` stand in `<` and `>`", name.text));
    Some(found.help(format!("write `{}<{}, {second}>`", name.text, operand.text)))
}
