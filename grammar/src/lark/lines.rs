//! Explains a line that begins no statement of Lark: its probable meaning, and how to write that.

use super::items::STATEMENTS;
use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Maximum number of lexemes of a line that are examined.
const LOOKED_AT: usize = 24;

impl Parser<'_, '_> {
    /// Returns the finding about the current line, which neither begins nor continues a statement.
    pub(super) fn no_statement_here(&self) -> Diagnostic {
        let place = self.here();
        let known = self
            .without_percent()
            .or_else(|| self.word_before_name())
            .or_else(|| self.sign_behind_name())
            .or_else(|| self.bracketed_attributes());
        if let Some((place, message, help)) = known {
            return Diagnostic::error(Code::LarkLine, place, message).help(help);
        }
        if let Some(Token::Name(name)) = self.peek_token() {
            let message = format!("`{name}` begins no statement");
            let help = format!(
                "write `{name}: ...` for a rule; to go on with the rule before, begin the line with `|`, or put parentheses around"
            );
            return Diagnostic::error(Code::LarkLine, place, message).help(help);
        }
        let message = "a rule ends with its line, and this line begins no other";
        let help = "begin the line with `|`, or put parentheses around the whole; a rule begins with `name:`";
        Diagnostic::error(Code::LarkLine, place, message).help(help)
    }

    fn ahead(&self, by: usize) -> Option<&Token> {
        let inside = self.lexemes.get(self.at + by).filter(|lexeme| by == 0 || !lexeme.starts_line);
        inside.filter(|_| by < LOOKED_AT).map(|lexeme| &lexeme.token)
    }

    /// Returns the span of the first lexemes of the current line.
    fn through(&self, by: usize) -> Span {
        self.lexemes.get(self.at + by).map_or_else(|| self.here(), |last| self.here().merge(last.span))
    }

    /// `import common.WS`, `from common import WS`
    fn without_percent(&self) -> Option<(Span, String, String)> {
        let Some(Token::Name(word)) = self.peek_token() else { return None };
        if word == "from" {
            let whole = self.line();
            let (path, names) = whole.strip_prefix("from ")?.split_once(" import ")?;
            let (path, names) = (path.trim(), names.trim());
            let names = if names.contains(',') {
                format!(" ({})", names.trim_matches(['(', ')']))
            } else {
                format!(".{names}")
            };
            let help = format!("write `%import {path}{names}`");
            return Some((self.here(), "an import begins with `%import`".to_owned(), help));
        }
        if !STATEMENTS.contains(&word.as_str()) {
            return None;
        }
        let help = format!("write `%{}`", self.line());
        Some((self.here(), format!("the statement `{word}` begins with `%`"), help))
    }

    /// `rule item: ...`
    fn word_before_name(&self) -> Option<(Span, String, String)> {
        let (Token::Name(word), Token::Name(name), Token::Sign(':')) = (self.ahead(0)?, self.ahead(1)?, self.ahead(2)?)
        else {
            return None;
        };
        let help = format!("write `{name}: ...`, or `{word}_{name}: ...` if both words are the name");
        Some((self.through(1), "a rule begins with one name".to_owned(), help))
    }

    /// `?value?: ...`, `name -> ...`
    fn sign_behind_name(&self) -> Option<(Span, String, String)> {
        let marks = (0..LOOKED_AT).take_while(|by| matches!(self.ahead(*by), Some(Token::Sign('?' | '!')))).count();
        let Some(Token::Name(name)) = self.ahead(marks) else { return None };
        match (self.ahead(marks + 1)?, self.ahead(marks + 2)) {
            (Token::Sign(sign @ ('?' | '!' | '*' | '+')), Some(Token::Sign(':'))) => {
                let message = format!("`{sign}` does not stand between a rule's name and `:`");
                let help = match sign {
                    '?' | '!' => format!("write `{sign}{name}: ...`, the sign before the name"),
                    _ => format!("write `{name}: (...){sign}`"),
                };
                Some((self.through(marks + 1), message, help))
            }
            (Token::Arrow, _) => {
                let message = "Lark writes `:` between a rule's name and its meaning, not `->`".to_owned();
                Some((self.through(marks + 1), message, format!("write `{name}: ...`")))
            }
            _ => None,
        }
    }

    /// `item(lazy): ...`, `item<lazy>: ...`, `item(a, b): ...`
    fn bracketed_attributes(&self) -> Option<(Span, String, String)> {
        let Some(Token::Name(name)) = self.peek_token() else { return None };
        let opens = matches!(self.ahead(1)?, Token::Sign('(') | Token::Special(_));
        let colon = (2..LOOKED_AT).find(|by| self.ahead(*by) == Some(&Token::Sign(':')))?;
        let inside =
            Span::new(self.lexemes.get(self.at + 1)?.span.start, self.lexemes.get(self.at + colon)?.span.start);
        let written = inside.text(self.text).trim().get(1..).and_then(|rest| rest.strip_suffix([')', '>']))?.to_owned();
        let is_attribute = |word: &str| {
            ["lazy", "stop", "suffix", "capture", "max_tokens", "max_chars", "temperature"].contains(&word)
        };
        let first = written.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        if !opens {
            return None;
        }
        let place = Span::new(self.here().start, inside.end);
        Some(match is_attribute(first) {
            true => {
                (place, "attributes of a rule stand in brackets".to_owned(), format!("write `{name}[{written}]: ...`"))
            }
            false if written.trim().is_empty() => {
                (place, "a rule without parameters has no brackets".to_owned(), format!("write `{name}: ...`"))
            }
            false => {
                let message = "parameters of a template stand in braces".to_owned();
                (place, message, format!("write `{name}{{{written}}}: ...`"))
            }
        })
    }

    /// Returns the text of the line that begins here.
    fn line(&self) -> &str {
        let rest = self.text.get(self.here().start as usize..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        line.char_indices().nth(200).map_or(line, |(at, _)| line.get(..at).unwrap_or(line)).trim_end()
    }
}
