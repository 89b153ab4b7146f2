//! Decides whether values from 80 to FF are characters, or octets of UTF-8.
//!
//! If a grammar has a value above FF, or a value from 80 to FF with more digits than an octet needs (`%x00A7`), all its
//! values are characters. Otherwise the two readings differ, and a text of ogc is always UTF-8:
//!
//! * a series that is UTF-8 (`%xEF.BB.BF`) is read as the characters that it spells, with a warning;
//! * a range that holds all octets beyond ASCII (`%x80-FF`, `OCTET`) is read as all characters beyond ASCII, with a warning;
//! * everything else (`%xC2-DF`, `%xA7`) is an error that names both readings and how to write each.

use super::lexemes::{Lexeme, Token, Value};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::rules::ExprKind;
use crate::span::Span;

/// Reading of a grammar's numeric values such as `%x80`: as characters or as octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// All values are characters.
    Characters,
    /// Values from 80 to FF may be octets.
    Open,
}

const LAST: char = '\u{10FFFF}';

impl Meaning {
    /// Returns the meaning of the values in a grammar.
    pub(super) fn of(lexemes: &[Lexeme]) -> Meaning {
        let shows = |value: &Value| value.code > '\u{FF}' || value.code > '\u{7F}' && value.is_long;
        let is_sure = lexemes.iter().any(|lexeme| match &lexeme.token {
            Token::Series(series) => series.iter().any(shows),
            Token::Range(first, last) => shows(first) || shows(last),
            _ => false,
        });
        if is_sure { Meaning::Characters } else { Meaning::Open }
    }

    /// Returns the expression of a series of values.
    pub(super) fn series(self, series: &[Value], span: Span, sink: &mut Sink) -> ExprKind {
        let text: String = series.iter().map(|value| value.code).collect();
        if self == Meaning::Characters || text.is_ascii() {
            return ExprKind::Literal(text);
        }
        let octets = series.iter().filter_map(|value| u8::try_from(value.code).ok()).collect();
        match String::from_utf8(octets) {
            Ok(spelled) => {
                let codes: Vec<String> = spelled.chars().map(|c| format!("{:04X}", u32::from(c))).collect();
                let codes = codes.join(".");
                let message = format!("these octets are read as the UTF-8 of %x{codes}");
                let help = format!("write %x{codes} if that is meant, or each value with four digits for characters");
                sink.push(Diagnostic::warning(Code::AbnfOctets, span, message).help(help));
                ExprKind::Literal(spelled)
            }
            Err(_) => either(span, sink),
        }
    }

    /// Returns the expression of a range of values.
    pub(super) fn range(self, first: Value, last: Value, span: Span, sink: &mut Sink) -> ExprKind {
        let class = |last| ExprKind::Class { negated: false, ranges: vec![(first.code, last)] };
        if self == Meaning::Characters || last.code.is_ascii() {
            return class(last.code);
        }
        if last.code != '\u{FF}' || first.code > '\u{80}' {
            return either(span, sink);
        }
        let message = "all octets beyond ASCII are read as all characters beyond ASCII";
        sink.push(Diagnostic::warning(Code::AbnfOctets, span, message).help(HELP));
        class(LAST)
    }
}

const HELP: &str =
    "write the range up to 10FFFF for all characters, or with four digits up to 00FF for those up to U+00FF";

/// Reports values with two possible meanings.
fn either(span: Span, sink: &mut Sink) -> ExprKind {
    let message = "this may be a character by its number, or an octet of UTF-8";
    let help = "write a character with four digits, as in %x00A7; octets have no meaning by themselves: write the \
                characters that they spell, as in %x80-7FF for %xC2-DF followed by %x80-BF";
    sink.push(Diagnostic::error(Code::AbnfOctetOrCharacter, span, message).help(help));
    ExprKind::Sequence(Vec::new())
}

/// Handles the core rule OCTET: an error in a grammar whose values are characters, otherwise a warning about how it is
/// read.
pub(super) fn core_octet(meaning: Meaning, span: Span, sink: &mut Sink) {
    let found = match meaning {
        Meaning::Characters => Diagnostic::error(
            Code::AbnfOctetOrCharacter,
            span,
            "OCTET is any octet, and the values of this grammar are characters",
        )
        .help("define it: `OCTET = %x00-10FFFF` for any character, `OCTET = %x0000-00FF` for those up to U+00FF"),
        Meaning::Open => Diagnostic::warning(Code::AbnfOctets, span, "OCTET, any octet, is read as any character")
            .help("define it: `OCTET = %x00-10FFFF` for any character, `OCTET = %x0000-00FF` for those up to U+00FF"),
    };
    sink.push(found);
}
