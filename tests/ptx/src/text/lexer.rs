//! Splits a text into lexemes.

use super::error::{ParseError, ParseFault};

/// A lexeme without its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LexemeKind<'t> {
    /// A name, a register, a directive or an instruction with its parts: `%r1`, `.reg`, `add.s32`.
    Word(&'t str),
    /// A number as its bits; `0f` and `0d` numbers are bits already.
    Number(u64),
    /// A string; no interpreted directive uses one.
    Text(&'t str),
    /// One of `{}()[]<>,;:|@!+-=`.
    Mark(char),
}

/// A lexeme.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'t> {
    /// The line, from 1.
    pub(super) line: u32,
    /// The kind of the lexeme.
    pub(super) kind: LexemeKind<'t>,
}

/// Returns the lexemes of a text.
pub(super) fn lex(text: &str) -> Result<Vec<Lexeme<'_>>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut lexemes = Vec::new();
    while let Some(lexeme) = lexer.next()? {
        lexemes.push(lexeme);
    }
    Ok(lexemes)
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> Result<Option<Lexeme<'t>>, ParseError> {
        self.skip_blanks()?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let kind = match first {
            '0'..='9' => LexemeKind::Number(self.number()?),
            '"' => LexemeKind::Text(self.string()?),
            first if is_name(first) || first == '.' => LexemeKind::Word(self.word()),
            '{' | '}' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | ':' | '|' | '@' | '!' | '+' | '-' | '=' => {
                self.take(1);
                LexemeKind::Mark(first)
            }
            other => return Err(self.error(ParseFault::Character(other))),
        };
        Ok(Some(Lexeme { line, kind }))
    }

    fn error(&self, fault: ParseFault) -> ParseError {
        ParseError::new(self.line, fault)
    }

    /// Takes bytes from the text, up to the end of a character, and counts their lines.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += u32::try_from(taken.matches('\n').count()).unwrap_or(u32::MAX);
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").ok_or_else(|| self.error(ParseFault::Unclosed("the comment")))?;
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> &'t str {
        let mut bytes = 0;
        while let Some(next) = self.rest[bytes..].chars().next() {
            let is_double_colon = self.rest[bytes..].starts_with("::");
            if is_double_colon {
                bytes += 2;
            } else if is_name(next) || next == '.' || next.is_ascii_digit() {
                bytes += 1;
            } else {
                break;
            }
        }
        self.take(bytes)
    }

    fn string(&mut self) -> Result<&'t str, ParseError> {
        let end = self.rest[1..].find('"').ok_or_else(|| self.error(ParseFault::Unclosed("the string")))?;
        Ok(&self.take(end + 2)[1..=end])
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let whole = self.take(end);
        let digits = whole.strip_suffix('U').unwrap_or(whole);
        let parsed = match digits.get(..2) {
            Some("0f" | "0F") if digits.len() == 10 => u64::from_str_radix(&digits[2..], 16),
            Some("0d" | "0D") if digits.len() == 18 => u64::from_str_radix(&digits[2..], 16),
            Some("0x" | "0X") => u64::from_str_radix(&digits[2..], 16),
            Some("0b" | "0B") => u64::from_str_radix(&digits[2..], 2),
            Some(_) if digits.starts_with('0') => u64::from_str_radix(&digits[1..], 8),
            _ => digits.parse(),
        };
        parsed.map_err(|_| self.error(ParseFault::Number(whole.to_owned())))
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$' || c == '%'
}
