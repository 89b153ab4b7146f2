//! Options of rules, of xgrammar's dialect: `name[max_tokens=10, lazy] ::= ...`.

use super::lex::Gbnf;
use crate::notation::cursor::is_newline;
use crate::notation::lexeme::{RuleOption, Token};
use crate::notation::lexer::Lexer;
use crate::span::{Span, part};

/// Maximum length of the options of a rule, in characters, so that a long line with many classes takes little time.
const LONGEST: usize = 4_096;

impl<const ALL_DIGITS: bool> Lexer<'_, '_, Gbnf<ALL_DIGITS>> {
    /// Reads brackets before `::=`, where no class can stand; `None` if there are none.
    pub(super) fn options(&mut self) -> Option<Token> {
        let start = self.cursor.offset();
        let rest = self.cursor.rest();
        let end = end_of_options(rest)?;
        self.cursor.seek(start + end);
        let mut at = start + 1;
        let options = split(part(rest, 1..end - 1)).map(|written| {
            let option = option(written, at);
            at += written.len() + 1;
            option
        });
        Some(Token::Options(options.collect()))
    }
}

/// Returns the length of the brackets at the beginning of `text`, if `::=` comes next on the line. Brackets in quotes
/// do not count.
fn end_of_options(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '"' => quoted = !quoted,
            ']' if !quoted => {
                let behind = part(text, at + 1..).trim_start_matches([' ', '\t']);
                return behind.starts_with("::=").then_some(at + 1);
            }
            c if is_newline(c) => return None,
            _ => {}
        }
    }
    None
}

/// Splits a text at the commas outside of quotes.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
}

/// Reads one option; `written` begins at `base` in the file.
fn option(written: &str, base: usize) -> RuleOption {
    let trimmed = written.trim();
    let at = base + (written.len() - written.trim_start().len());
    let (name, value) = match trimmed.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (trimmed, None),
    };
    let unquoted = |value: &str| value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).map(str::to_owned);
    RuleOption {
        name: name.to_owned(),
        value: value.map(|value| unquoted(value).unwrap_or_else(|| value.to_owned())),
        span: Span::of(at, at + trimmed.len()),
    }
}
