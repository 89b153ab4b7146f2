//! The lexer of Lark.

use super::lexemes::Token;
use super::regex::{self, Spelled};
use crate::code::Code;
use crate::notation::bare::{self, Before};
use crate::notation::cursor::is_newline;
use crate::notation::lexer::{Lexer, Notation};
use crate::rules::VocabularyToken;
use crate::span::{Span, part};

/// Directives whose braces hold another language.
const BLOCKS: [&str; 4] = ["json", "regex", "lark", "llguidance"];

/// Returns whether a character can be part of a name.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Lark with the additions of llguidance.
pub(super) struct Lark;

impl Notation for Lark {
    type Token = Token;

    const REPORTED: Token = Token::Reported;

    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let mut ended = false;
        loop {
            let rest = lexer.cursor.rest();
            if rest.starts_with("//") || rest.starts_with('#') {
                lexer.cursor.take_while(|c| !is_newline(c));
            }
            if let Some(len) = continuation_len(rest) {
                lexer.cursor.seek(lexer.cursor.offset() + len);
                continue;
            }
            match lexer.cursor.peek() {
                Some('/' | '-' | '(' | ';') if lexer.skip_other_comment() => continue,
                Some(c) if c.is_whitespace() || c == '\u{feff}' => ended |= is_newline(c),
                _ => return ended,
            }
            lexer.cursor.bump();
        }
    }

    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Token {
        if next.is_ascii_digit() {
            return lexer.number();
        }
        if is_name_char(next) {
            return Token::Name(lexer.name());
        }
        if let Some(define) = lexer.define() {
            return define;
        }
        for (sign, token) in [("->", Token::Arrow), ("..", Token::Dots), ("::", Token::Colons)] {
            if lexer.cursor.eat(sign) {
                return token;
            }
        }
        match next {
            '"' => lexer.string(),
            '[' | '\\' | '^' if let Some(bare) = lexer.bare_regex() => bare,
            '/' => lexer.separating_slash().unwrap_or_else(|| lexer.regex()),
            '%' => lexer.directive(),
            '<' => lexer.special(),
            '\'' => lexer.single_quotes(),
            _ => lexer.typographic(Code::UnexpectedCharacter).unwrap_or_else(|| {
                lexer.cursor.bump();
                Token::Sign(next)
            }),
        }
    }
}

impl Lexer<'_, '_, Lark> {
    /// Reads a regular expression without its slashes: `[a-z]+`, `\\d`.
    fn bare_regex(&mut self) -> Option<Token> {
        let start = self.cursor.offset();
        // A pattern matches as a whole, without anchors.
        self.cursor.eat("^");
        let rest = self.cursor.rest();
        let Some(len) = bare::bare_regex(rest, Before::EXPRESSION) else {
            self.cursor.seek(start);
            return None;
        };
        let start = self.cursor.offset();
        let written = format!("/{}/", part(rest, ..len).replace("\\/", "/").replace('/', "\\/"));
        self.cursor.seek(start + len);
        self.cursor.eat("$");
        let message = "a class of characters stands in a regular expression, between slashes";
        Some(self.report(Code::MissingSlashes, self.cursor.span_from(start), message, &format!("write `{written}`")))
    }

    fn number(&mut self) -> Token {
        let start = self.cursor.offset();
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        let Ok(number) = digits.parse() else {
            let message = format!("this number is too great; the limit is {}", u32::MAX);
            return self.report(Code::LarkRepetition, self.cursor.span_from(start), &message, "write a smaller number");
        };
        Token::Number(number)
    }

    fn string(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let mut text = String::new();
        let mut sound = true;
        loop {
            match self.cursor.peek() {
                Some('"') => break,
                None => return self.unclosed(start, "quote", "close it with `\"`, or write a line break as `\\n`"),
                Some(c) if is_newline(c) => {
                    return self.unclosed(start, "quote", "close it with `\"`, or write a line break as `\\n`");
                }
                Some('\\') => match self.escape() {
                    Some(c) => text.push(c),
                    None => sound = false,
                },
                Some(c) => {
                    text.push(c);
                    self.cursor.bump();
                }
            }
        }
        self.cursor.bump();
        let after = self.cursor.rest().strip_prefix('i');
        let ignore_case = after.is_some_and(|rest| !rest.starts_with(is_name_char)) && self.cursor.eat("i");
        if sound { Token::Text { text, ignore_case } } else { Token::Reported }
    }

    /// Reads an escape of a string; `None` after an error, which is reported.
    fn escape(&mut self) -> Option<char> {
        let start = self.cursor.offset();
        self.cursor.bump();
        match self.cursor.peek().filter(|c| !is_newline(*c)) {
            Some(letter) => {
                self.cursor.bump();
                self.escaped(start, letter)
            }
            None => {
                self.escape_error(start, "this backslash escapes nothing", "write `\\\\` for a backslash");
                None
            }
        }
    }

    fn escaped(&mut self, start: usize, letter: char) -> Option<char> {
        match letter {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'f' => Some('\u{c}'),
            'b' => Some('\u{8}'),
            '\\' | '"' | '/' => Some(letter),
            'x' => self.code_point(start, 2),
            'u' => self.code_point(start, 4),
            'U' => self.code_point(start, 8),
            _ => {
                let help = "write `\\\\` for a backslash; strings know \\n \\r \\t \\f \\b \\\\ \\\" \\/ \\xNN \\uNNNN \\UNNNNNNNN";
                self.escape_error(start, "this is no escape of strings", help);
                None
            }
        }
    }

    fn code_point(&mut self, start: usize, width: usize) -> Option<char> {
        let code = self.cursor.hex(width);
        let found = code.and_then(char::from_u32);
        if found.is_none() {
            let message = match code {
                None => format!("this escape needs {width} hexadecimal digits"),
                Some(code) => format!("U+{code:04X} is no character: surrogates and numbers above 10FFFF are not"),
            };
            self.escape_error(start, &message, "name a character by its code point: \\xNN, \\uNNNN or \\UNNNNNNNN");
        }
        found
    }

    fn escape_error(&mut self, start: usize, message: &str, help: &str) {
        self.report(Code::LarkEscape, self.cursor.span_from(start), message, help);
    }

    fn regex(&mut self) -> Token {
        let start = self.cursor.offset();
        let Some(len) = regex_len(self.cursor.rest()) else {
            let help =
                "close it with `/`; a `/` in it is written `\\/`, and lines may break in it under the flag `x` only";
            return self.unclosed(start, "regular expression", help);
        };
        let body = part(self.cursor.rest(), 1..len - 1);
        self.cursor.seek(start + len);
        if let Some(token) = self.unescaped_slash(start) {
            return token;
        }
        self.warn_of_separators(start, body);
        let flags_at = self.cursor.offset();
        let flags = self.cursor.take_while(is_flag);
        match regex::translate(body, start + 1, Spelled { flags, at: flags_at }, self.sink) {
            Some(pattern) => Token::Regex(pattern),
            None => Token::Reported,
        }
    }

    fn directive(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let word = self.cursor.take_while(is_name_char).to_owned();
        if !BLOCKS.contains(&word.as_str()) {
            return Token::Directive(word);
        }
        let line = self.cursor.offset();
        self.cursor.take_while(char::is_whitespace);
        let at = self.cursor.offset();
        let len = if word == "lark" { grammar_len(self.cursor.rest()) } else { block_len(self.cursor.rest()) };
        let Some(len) = len else {
            self.cursor.seek(line);
            let options = if word == "llguidance" { "{}" } else { "{ ... }" };
            return self.unclosed(start, "block", &format!("write `%{word} {options}`"));
        };
        self.cursor.seek(at + len);
        Token::Block { word, body: Span::of(at, at + len) }
    }

    /// Reads `<name>`, `<[id]>`, `<[id-id,id]>`, `<[^...]>` or `<[*]>`.
    fn special(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let body = self.cursor.take_while(|c| c != '>' && c != '<' && !is_newline(c)).to_owned();
        let named = !body.is_empty() && !body.contains(char::is_whitespace) && !body.starts_with('[');
        let closed = self.cursor.eat(">");
        let token = VocabularyToken::read(&format!("<{body}>")).filter(|_| closed && (named || body.starts_with('[')));
        if let Some(token) = token {
            return Token::Special(token);
        }
        let help = "a token of the vocabulary is written `<name>` or `<[12]>`; any text is `/(?s:.*)/`";
        self.report(Code::LarkToken, self.cursor.span_from(start), "this names no token", help)
    }

    fn single_quotes(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let line = self.cursor.offset();
        self.cursor.take_while(|c| c != '\'' && !is_newline(c));
        if !self.cursor.eat("'") {
            self.cursor.seek(line);
        }
        let span = self.cursor.span_from(start);
        // If a text uses single quotes, it does so everywhere, so that is reported once.
        if self.sink.has(Code::LarkSingleQuotes) {
            return Token::Reported;
        }
        let text = span.text(self.cursor.text()).trim_matches('\'').to_owned();
        self.report(Code::LarkSingleQuotes, span, "Lark has no single quotes", &format!("write `\"{text}\"`"))
    }

    fn unclosed(&mut self, start: usize, what: &str, help: &str) -> Token {
        // The rest of the line is skipped, so that one mistake has one finding.
        self.cursor.take_while(|c| !is_newline(c));
        let message = format!("this {what} is never closed");
        self.report(Code::LarkUnclosed, Span::of(start, start + 1), &message, help)
    }
}

/// Returns the length of a line continuation: a backslash at the end of a line, and the line break.
fn continuation_len(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('\\')?.trim_start_matches([' ', '\t']);
    let behind = behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix(is_newline))?;
    Some(text.len() - behind.len())
}

fn is_flag(c: char) -> bool {
    "imslux".contains(c)
}

/// Returns the length of the regular expression that `text` begins with, both slashes included.
///
/// Only a regular expression with the flag `x` may span several lines: any other that is not closed must not swallow
/// the file. The search is bounded, so that many unclosed ones do not take quadratic time.
pub(super) fn regex_len(text: &str) -> Option<usize> {
    const LONGEST: usize = 16 << 10;
    let mut lines = false;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if lines && at > LONGEST {
            return None;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => {
                let behind = part(text, at + 1..);
                let flags = behind.split(|c| !is_flag(c)).next();
                return (!lines || flags.is_some_and(|flags| flags.contains('x'))).then_some(at + 1);
            }
            c if is_newline(c) => lines = true,
            _ => {}
        }
    }
    None
}

/// Returns the length of a block in braces or brackets; brackets in strings do not count.
fn block_len(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return matches!(c, '}' | ']').then_some(at + c.len_utf8());
        }
    }
    None
}

/// Returns the length of a grammar in braces; braces in strings, patterns and comments do not count.
fn grammar_len(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        let rest = part(text, at..);
        let c = rest.chars().next()?;
        at += match c {
            '"' => quoted_len(rest),
            '#' => rest.find(is_newline).unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find(is_newline).unwrap_or(rest.len()),
            '/' => regex_len(rest).unwrap_or(1),
            _ => c.len_utf8(),
        };
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (c == '}').then_some(at);
        }
    }
}

/// Returns the length of the string with which `text` begins; an unclosed string ends with its line.
fn quoted_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            c if is_newline(c) => return at,
            _ => {}
        }
    }
    text.len()
}
