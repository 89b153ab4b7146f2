//! The lexer of ABNF.

use super::lexemes::Token;
use crate::code::Code;
use crate::doubts::PatternSigns;
use crate::notation::bare::{Before, bare_regex};
use crate::notation::cursor::is_newline;
use crate::notation::lexer::{Lexer, Notation};
use crate::span::{Span, part};

/// ABNF, the notation of RFC 5234.
pub(super) struct Abnf;

impl Notation for Abnf {
    type Token = Token;

    const REPORTED: Token = Token::Reported;

    /// Skips white space and comments; returns whether they contain a line end.
    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let mut ended = false;
        while let Some(c) = lexer.cursor.peek() {
            if c == ';' {
                lexer.cursor.take_while(|c| !is_newline(c));
                continue;
            }
            if matches!(c, '/' | '-' | '(' | '#') && lexer.skip_other_comment() {
                continue;
            }
            if !c.is_whitespace() {
                break;
            }
            ended |= is_newline(c);
            lexer.cursor.bump();
        }
        ended
    }

    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Token {
        if lexer.other_definition() {
            return Token::Define;
        }
        match next {
            'A'..='Z' | 'a'..='z' => Token::Name(lexer.cursor.take_while(is_name_char).to_owned()),
            '0'..='9' | '*' => lexer.repeat(),
            '"' => lexer.text(false),
            '%' => lexer.percent(),
            '<' => lexer.angle(),
            '[' | '\\' if let Some(class) = lexer.class() => class,
            _ => lexer.typographic(Code::AbnfSign).unwrap_or_else(|| lexer.sign(next)),
        }
    }
}

impl Lexer<'_, '_, Abnf> {
    /// Reads `2*4`, `2*`, `*4`, `*` or `3`.
    fn repeat(&mut self) -> Token {
        let start = self.cursor.offset();
        let min = self.count();
        let is_range = self.cursor.eat("*");
        let max = if is_range { self.count() } else { min };
        let span = self.cursor.span_from(start);
        if self.cursor.peek() == Some('#') {
            return self.list(start);
        }
        match (min, max) {
            (Err(()), _) | (_, Err(())) => {
                let message = format!("this number of repetitions is too great; the limit is {}", u32::MAX);
                self.report(Code::AbnfRepetition, span, &message, "leave the number out for no upper end")
            }
            (Ok(Some(min)), Ok(Some(max))) if max < min => {
                let message = format!("at least {min} and at most {max} times cannot both be");
                self.report(Code::AbnfRepetition, span, &message, "write the smaller number first")
            }
            (Ok(min), Ok(max)) => Token::Repeat { min: min.unwrap_or(0), max },
        }
    }

    /// Reads digits; returns an error if the number is too great.
    fn count(&mut self) -> Result<Option<u32>, ()> {
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() { Ok(None) } else { digits.parse().map(Some).map_err(|_| ()) }
    }

    /// Reports `1#x`, the list of HTTP's documents.
    fn list(&mut self, start: usize) -> Token {
        self.cursor.eat("#");
        self.cursor.take_while(|c| c.is_ascii_digit());
        let help = "write it out, as in `x *( OWS \",\" OWS x )` for `1#x`";
        let message = "lists written with `#` are of HTTP's documents (RFC 9110, section 5.6.1), not of ABNF";
        self.report(Code::AbnfList, self.cursor.span_from(start), message, help)
    }

    /// Reads a string after its prefix; the cursor is at the quote.
    pub(super) fn text(&mut self, has_case: bool) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let text = self.cursor.take_while(|c| c != '"' && !is_newline(c));
        if !self.cursor.eat("\"") {
            let help = "close it; ABNF has no escapes, and a quote is written %x22 or DQUOTE";
            let place = Span::of(start, start + 1);
            return self.report(Code::AbnfUnclosed, place, "this quote is not closed on its line", help);
        }
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !matches!(c, ' '..='~')) {
            let at = start + 1 + at;
            let message = format!("strings of ABNF hold the visible characters of ASCII and spaces, not {c:?}");
            let help = format!("end the string before it, and write it as %x{:04X}", u32::from(c));
            return self.report(Code::AbnfCharacter, Span::of(at, at + c.len_utf8()), &message, &help);
        }
        let place = self.cursor.span_from(start);
        self.sink.extend(PatternSigns::Values.warning(text, place));
        Token::Text { text: text.to_owned(), has_case }
    }

    /// Reads `<name>`, which is that name, and reports any other prose.
    fn angle(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let prose = self.cursor.take_while(|c| c != '>' && !is_newline(c));
        if !self.cursor.eat(">") {
            let place = Span::of(start, start + 1);
            return self.report(Code::AbnfUnclosed, place, "this `<` has no `>` on its line", "close it");
        }
        if prose.starts_with(|c: char| c.is_ascii_alphabetic()) && prose.chars().all(is_name_char) {
            return Token::Name(prose.to_owned());
        }
        let message = "this is prose, which says what a text is in words and cannot be built";
        let help = "write rules that say it; the rules of another document can be copied into this file";
        self.report(Code::AbnfProse, self.cursor.span_from(start), message, help)
    }

    /// Reports a character class, which other notations have: `[0-9]`, `\\d`.
    fn class(&mut self) -> Option<Token> {
        let start = self.cursor.offset();
        let rest = self.cursor.rest();
        let len = bare_regex(rest, Before::EXPRESSION)?;
        let content = part(rest, 1..len).split(']').next().unwrap_or_default();
        if rest.starts_with('[') && may_be_option(content) {
            return None;
        }
        self.cursor.seek(start + len);
        let message = "ABNF has no classes of characters, but ranges of numbers";
        Some(self.report(Code::AbnfSign, self.cursor.span_from(start), message, &ranges(content)))
    }

    fn sign(&mut self, next: char) -> Token {
        if next == '#' {
            return self.list(self.cursor.offset());
        }
        if self.cursor.eat("=/") {
            return Token::Extend;
        }
        let foreign = ["::=", ":=", "->", "→"].into_iter().find(|sign| self.cursor.rest().starts_with(sign));
        if let Some(sign) = foreign {
            return self.foreign(sign);
        }
        self.cursor.bump();
        match next {
            '=' => Token::Define,
            '/' => Token::Slash,
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenOption,
            ']' => Token::CloseOption,
            other => Token::Unknown(other),
        }
    }

    /// Reports a defining sign of another notation.
    fn foreign(&mut self, sign: &'static str) -> Token {
        let start = self.cursor.offset();
        self.cursor.eat(sign);
        let span = self.cursor.span_from(start);
        let help = "ABNF writes `=` between a rule's name and its meaning";
        self.report(Code::AbnfSign, span, &format!("`{sign}` is no sign of ABNF"), help);
        Token::Define
    }
}

/// Returns whether brackets with this content may be an option of ABNF, not a class: `[a-z]` may be a rule with this
/// name, `[%x61-7A]` is a range, `[1*digit]` repeats a rule. `[0-9]` is a class, because nothing can follow its `0` in
/// ABNF.
fn may_be_option(content: &str) -> bool {
    let is_quoted = content.contains(['"', '<', ';']);
    if !is_quoted && (content.starts_with('^') || content.contains('\\')) {
        return false;
    }
    let behind_digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_range = behind_digits.len() < content.len() && behind_digits.starts_with('-');
    let has_signs = content.contains([' ', '\t', '%', '(', '/', '*', '#', '[']);
    is_quoted || has_signs || (!is_range && content.chars().all(is_name_char))
}

/// Returns the advice for a class: its ranges in ABNF, if it consists of ranges.
pub(super) fn ranges(content: &str) -> String {
    let chars: Vec<char> = content.chars().collect();
    let range = |three: &[char]| match three {
        [from, '-', to] if from.is_alphanumeric() => Some(format!("%x{:X}-{:X}", u32::from(*from), u32::from(*to))),
        _ => None,
    };
    let written: Option<Vec<String>> = chars.chunks(3).map(range).collect();
    match written.filter(|written| !written.is_empty()) {
        Some(written) if written.len() == 1 => format!("write `{}`", written.concat()),
        Some(written) => format!("write `({})`", written.join(" / ")),
        None => "write the ranges, one for each, as in `(%x30-39 / %x61-7A)`; `DIGIT` and `ALPHA` are known".to_owned(),
    }
}

/// Returns whether `c` can stand in a name after the first letter.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}
