//! Literals in quotes, and backslashes: neither style of EBNF has escapes, but GBNF has them, so text that looks like
//! an escape is an error.

use super::Style;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::cursor::{Cursor, is_newline};
use crate::span::Span;

impl Style {
    /// Returns the common name of the style.
    pub(super) fn name(self) -> &'static str {
        match self {
            Style::W3c => "W3C EBNF",
            Style::Iso => "ISO EBNF",
            Style::Gbnf => "GBNF",
        }
    }

    fn instead_of_escapes(self) -> &'static str {
        match self {
            Style::W3c | Style::Gbnf => {
                "for W3C EBNF write a line break as #xA, a tab as #x9, a quote in quotes of the other kind, a backslash as #x5C; \
                 for GBNF name the file .gbnf, or say so: `--language gbnf`, in a request `\"syntax\": \"gbnf\"`"
            }
            Style::Iso => {
                "write a backslash that is meant in quotes of its own; ISO EBNF cannot name control characters, W3C EBNF can, as \
                 in #xA"
            }
        }
    }
}

/// Reads the literal that begins with `quote`; `None` after an error, which is reported.
pub(super) fn literal(style: Style, quote: char, cursor: &mut Cursor<'_>, sink: &mut Sink) -> Option<String> {
    let start = cursor.offset();
    cursor.bump();
    let text = cursor.take_while(|c| c != quote && !is_newline(c));
    if !cursor.eat(quote.encode_utf8(&mut [0; 4])) {
        let span = Span::of(start, start + 1);
        let found = Diagnostic::error(Code::EbnfUnclosed, span, "this quote is not closed on its line");
        let name = style.name();
        let help = format!("close it; {name} has no escapes, so a quote inside stands in quotes of the other kind");
        sink.push(found.help(help));
        return None;
    }
    refuse_escape(style, text, start, sink);
    Some(text.to_owned())
}

/// Reports the first backslash that looks like an escape: in EBNF it means itself, but the author may have meant an
/// escape. `start` is the byte before `text`.
pub(super) fn refuse_escape(style: Style, text: &str, start: usize, sink: &mut Sink) {
    let escape =
        |at: &usize| text.get(at + 1..).is_some_and(|rest| rest.starts_with(['n', 'r', 't', '\\', 'x', 'u', 'U', '"']));
    let Some(at) = text.match_indices('\\').map(|(at, _)| at).find(escape) else {
        return;
    };
    let span = Span::of(start + 1 + at, start + 3 + at);
    let message = match style {
        Style::W3c | Style::Gbnf => "this is a backslash and a character in W3C EBNF, and an escape in GBNF",
        Style::Iso => "ISO EBNF has no escapes",
    };
    sink.push(Diagnostic::error(Code::EbnfBackslash, span, message).help(style.instead_of_escapes()));
}

/// Explains findings about undefined rules that are the ends of a range in a class such as `[a-z]`, which ISO 14977
/// does not have.
pub(super) fn classes(found: &mut Vec<Diagnostic>, text: &str) {
    let is_class = |one: &Diagnostic| {
        let start = (one.span.start as usize).saturating_sub(1);
        let around: Vec<char> = text.get(start..).unwrap_or_default().chars().take(5).collect();
        let is_end = |c: char| c.is_ascii_alphanumeric();
        matches!(around.as_slice(), ['[', low, '-', high, ']'] if is_end(*low) && is_end(*high))
    };
    let undefined = |one: &Diagnostic| one.code == Code::UndefinedRule;
    let lows: Vec<Span> = found.iter().filter(|one| undefined(one) && is_class(one)).map(|one| one.span).collect();
    // The finding about the upper end would say the same.
    found.retain(|one| !undefined(one) || !lows.iter().any(|low| low.start + 2 == one.span.start));
    for one in found.iter_mut().filter(|one| lows.contains(&one.span)) {
        one.message = "brackets are for what may be absent, and no class of characters".to_owned();
        one.help = Some(
            "write the characters as alternatives, `\"a\" | \"b\"`; the W3C's EBNF has classes, `[a-z]`".to_owned(),
        );
    }
}
