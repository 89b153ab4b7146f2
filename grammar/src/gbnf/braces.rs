//! Counted repetition of GBNF: `{n}`, `{n,}`, `{,m}` and `{n,m}`.

use super::lex::Gbnf;
use crate::Code;
use crate::notation::cursor::is_newline;
use crate::notation::lexeme::Token;
use crate::notation::lexer::{Lexer, Notation};
use crate::span::{Span, part};

impl<const ALL_DIGITS: bool> Lexer<'_, '_, Gbnf<ALL_DIGITS>> {
    /// Reads `{n}`, `{n,}`, `{,m}` or `{n,m}`, with white space allowed between the parts.
    pub(super) fn braces(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let min = self.count();
        let max = if self.eat_spaced(",") { self.most() } else { min };
        let read = self.cursor.span_from(start);
        if !self.eat_spaced("}") {
            if let Some(found) = self.miswritten(read) {
                return found;
            }
            self.skip_braces();
            let help = "for any number of times write `(x)*`, which other notations write `{ x }`; a count is `{2}`, `{2,}` or `{2,5}` \
                        after what is repeated";
            return self.report(Code::GbnfRepetition, read, "braces only count repetitions", help);
        }
        let span = self.cursor.span_from(start);
        match (min, max) {
            (Count::Absent, Count::Absent) => self.report(
                Code::GbnfRepetition,
                span,
                "a repetition needs a number",
                "write `*` for any number of times",
            ),
            (Count::TooGreat, _) | (_, Count::TooGreat) => self.too_often(span),
            (Count::Given(min), Count::Given(max)) if max < min => self.reversed_counts(span, min, max),
            (min, max) => Token::Repeat { min: min.given().unwrap_or(0), max: max.given() },
        }
    }

    /// Moves past the closing brace of this line, if it comes before any other brace.
    fn skip_braces(&mut self) {
        let here = self.cursor.offset();
        self.cursor.take_while(|c| c != '}' && c != '{' && !is_newline(c));
        if !self.cursor.eat("}") {
            self.cursor.seek(here);
        }
    }

    /// Reports a count without its closing brace, or with another sign than a comma: `{1-3}`.
    fn miswritten(&mut self, read: Span) -> Option<Token> {
        let written = read.text(self.cursor.text()).trim_end().to_owned();
        let least = written.strip_prefix('{').map(str::trim).filter(|least| !least.is_empty())?.to_owned();
        if !self.skips_to_brace() {
            self.cursor.seek(read.start as usize + written.len());
            let span = self.cursor.span_from(read.start as usize);
            let message = "the `}` of this repetition is missing";
            return Some(self.report(Code::GbnfRepetition, span, message, &format!("write `{written}}}`")));
        }
        let rest = self.cursor.rest();
        let behind = rest.trim_start_matches(['-', '.', ':', ';', '…', ' ']);
        let most = part(behind, ..behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len())).to_owned();
        if most.is_empty() || least.contains(',') || !part(behind, most.len()..).trim_start().starts_with('}') {
            return None;
        }
        self.skip_braces();
        let span = self.cursor.span_from(read.start as usize);
        let message = "a comma stands between two counts";
        Some(self.report(Code::GbnfRepetition, span, message, &format!("write `{{{least},{most}}}`")))
    }

    /// Returns whether a closing brace comes on this line before any other brace.
    fn skips_to_brace(&self) -> bool {
        let rest = self.cursor.rest();
        let end = rest.find(|c| matches!(c, '}' | '{') || is_newline(c));
        end.is_some_and(|at| part(rest, at..).starts_with('}'))
    }

    fn too_often(&mut self, span: Span) -> Token {
        let message = format!("this number of repetitions is too great; the limit is {}", u32::MAX);
        self.report(Code::GbnfRepetition, span, &message, "leave the number out for no upper end")
    }

    fn reversed_counts(&mut self, span: Span, min: u32, max: u32) -> Token {
        let message = format!("at least {min} and at most {max} times cannot both be");
        self.report(Code::GbnfRepetition, span, &message, "write the smaller number first")
    }

    /// Reads the maximum count. xgrammar prints `-1` for no maximum.
    fn most(&mut self) -> Count {
        if self.eat_spaced("-1") { Count::Absent } else { self.count() }
    }

    fn count(&mut self) -> Count {
        <Gbnf<ALL_DIGITS>>::skip_space(self);
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            _ if digits.is_empty() => Count::Absent,
            Ok(count) => Count::Given(count),
            Err(_) => Count::TooGreat,
        }
    }

    fn eat_spaced(&mut self, sign: &str) -> bool {
        <Gbnf<ALL_DIGITS>>::skip_space(self);
        self.cursor.eat(sign)
    }
}

/// A number in braces.
#[derive(Clone, Copy)]
enum Count {
    Absent,
    Given(u32),
    TooGreat,
}

impl Count {
    fn given(self) -> Option<u32> {
        if let Count::Given(count) = self { Some(count) } else { None }
    }
}
