//! The lexer of GBNF.

use crate::code::Code;
use crate::doubts::{class_warnings, range_doubt};
use crate::notation::cursor::is_newline;
use crate::notation::lexeme::Token;
use crate::notation::lexer::{Lexer, Notation};
use crate::notation::spaced_range;
use crate::rules::{VocabularyToken, is_gbnf_name_char};
use crate::span::{Span, part};

/// Characters that may have a backslash in classes and need none.
const ESCAPED_IN_CLASSES: &str = "^$.*+?(){}|";

/// The context of a character, which decides which escapes are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Literal,
    Class,
}

/// GBNF, the notation of llama.cpp, with what xgrammar adds. The two differ in the number of digits after `\x`: two, or
/// all that follow if `ALL_DIGITS`.
pub(super) struct Gbnf<const ALL_DIGITS: bool = false>;

impl<const ALL_DIGITS: bool> Notation for Gbnf<ALL_DIGITS> {
    type Token = Token;

    const REPORTED: Token = Token::Reported;

    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let mut ended = false;
        while let Some(c) = lexer.cursor.peek() {
            match c {
                ' ' | '\t' => {}
                '\n' | '\r' => ended = true,
                '#' => {
                    lexer.cursor.take_while(|c| !is_newline(c));
                    continue;
                }
                '/' | '(' | ';' | '-' if lexer.skip_other_comment() => continue,
                _ => break,
            }
            lexer.cursor.bump();
        }
        ended
    }

    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Token {
        if let Some(define) = lexer.define() {
            return define;
        }
        if is_gbnf_name_char(next) {
            return Token::Name(lexer.name());
        }
        match next {
            '\\' => lexer.bare_escape(),
            '"' => lexer.literal(),
            '[' => match lexer.options().or_else(|| lexer.class_in_class()) {
                Some(token) => token,
                None => lexer.class(),
            },
            '{' => lexer.braces(),
            '<' => lexer.bracketed_name().unwrap_or_else(|| lexer.vocabulary()),
            '!' if lexer.cursor.rest().starts_with("!<") => lexer.vocabulary(),
            '\'' => lexer.single_quotes(),
            _ => lexer.typographic(Code::UnexpectedCharacter).unwrap_or_else(|| {
                lexer.cursor.bump();
                sign(next)
            }),
        }
    }
}

impl<const ALL_DIGITS: bool> Lexer<'_, '_, Gbnf<ALL_DIGITS>> {
    /// Reads a name. Dots belong to it until the names of all rules are known.
    fn name(&mut self) -> String {
        let start = self.cursor.offset();
        let rest = self.cursor.rest();
        loop {
            self.cursor.take_while(is_gbnf_name_char);
            let behind = self.cursor.rest().strip_prefix('.');
            if !behind.is_some_and(|behind| behind.starts_with(is_gbnf_name_char)) {
                break;
            }
            self.cursor.bump();
        }
        part(rest, ..self.cursor.offset() - start).to_owned()
    }

    /// Reads an escape outside of literals and classes, as in a pattern: `\d`.
    fn bare_escape(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let help = match self.cursor.peek() {
            Some('d') => "write `[0-9]`",
            Some('w') => "write `[A-Za-z0-9_]`",
            Some('s') => "write `[ \\t\\n\\r]`",
            Some('D') => "write `[^0-9]`",
            Some('W') => "write `[^A-Za-z0-9_]`",
            Some('S') => "write `[^ \\t\\n\\r]`",
            Some('n' | 'r' | 't' | 'x' | 'u' | 'U') => "write it in quotes, as in `\"\\n\"`",
            _ => "write what is meant in quotes, a backslash as `\"\\\\\"`",
        };
        if self.cursor.peek().is_some_and(|c| !is_newline(c)) {
            self.cursor.bump();
        }
        let message = "an escape stands in quotes or in a class";
        self.report(Code::GbnfEscape, self.cursor.span_from(start), message, help)
    }

    fn literal(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let mut text = String::new();
        let mut sound = true;
        loop {
            match self.cursor.peek() {
                Some('"') => break,
                None => return self.unclosed(start, "quote", "\""),
                Some(c) if is_newline(c) && self.at_rule() => {
                    return self.unclosed(start, "quote", "\"");
                }
                Some(_) => match self.character(Place::Literal) {
                    Some(c) => text.push(c),
                    None => sound = false,
                },
            }
        }
        self.cursor.bump();
        if sound { Token::Literal(text) } else { Token::Reported }
    }

    fn class(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let negated = self.cursor.eat("^");
        let mut ranges = Vec::new();
        let mut sound = true;
        loop {
            match self.cursor.peek() {
                Some(']') => break,
                None => return self.unclosed(start, "bracket", "]"),
                Some(c) if is_newline(c) && self.at_rule() => {
                    return self.unclosed(start, "bracket", "]");
                }
                Some(_) => match self.range() {
                    Some(range) => ranges.push(range),
                    None => sound = false,
                },
            }
        }
        self.cursor.bump();
        match ranges.is_empty() && sound {
            true if negated => return Token::Any,
            true => return self.empty_class(start),
            false => {}
        }
        let content = self.cursor.span_from(start);
        self.sink.extend(class_warnings(content.text(self.cursor.text()), content));
        if sound { Token::Class { negated, ranges } } else { Token::Reported }
    }

    fn empty_class(&mut self, start: usize) -> Token {
        let help = "write `\"[]\"` for the two brackets, `[^]` for any character, `\"\"` for the empty text";
        self.report(Code::EmptyClass, self.cursor.span_from(start), "this class holds no character", help)
    }

    /// Reads one character or range of a class; `None` after an error, which is reported.
    fn range(&mut self) -> Option<(char, char)> {
        let start = self.cursor.offset();
        let first = self.character(Place::Class);
        self.check_dash(start, first);
        let rest = self.cursor.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") || rest.len() == 1 {
            return first.map(|c| (c, c));
        }
        self.cursor.bump();
        let end = self.cursor.offset();
        let (first, last) = (first, self.character(Place::Class));
        let range = (first?, last?);
        if self.is_doubled(end, range.1) {
            return None;
        }
        if range == (' ', ' ') {
            self.sink.push(spaced_range(self.cursor.span_from(start)));
        }
        if range.0 <= range.1 {
            return Some(range);
        }
        let help = "swap the two, or write the hyphen as `\\-`";
        self.report(Code::ReversedRange, self.cursor.span_from(start), "this range ends before it begins", help);
        None
    }

    /// Warns of a range with a dash other than the hyphen, or with more than letters in it.
    fn check_dash(&mut self, start: usize, first: Option<char>) {
        let mut behind = self.cursor.rest().chars();
        let (Some(first), Some(dash), Some(last)) = (first, behind.next(), behind.next()) else { return };
        let place = start..self.cursor.offset() + dash.len_utf8() + last.len_utf8();
        if let Some(doubt) = range_doubt(first, dash, last, place) {
            let place = Span::of(doubt.place.start, doubt.place.end);
            self.sink.push(doubt.finding(place));
        }
    }

    /// Reports a range that ends with `\\\\x41`, a backslash by itself where an escape is meant; returns whether there is one.
    fn is_doubled(&mut self, end: usize, last: char) -> bool {
        let is_escaped = last == '\\' && self.cursor.offset() == end + 2;
        let rest = self.cursor.rest();
        let escape = rest.strip_prefix(['x', 'u', 'U']).filter(|_| is_escaped);
        let digits = escape
            .map_or("", |digits| part(digits, ..digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len())));
        if digits.len() < 2 {
            return false;
        }
        let escape = format!("{}{digits}", part(rest, ..1));
        let message = "the backslash is doubled: two are the character `\\`, and what follows is text";
        self.cursor.seek(self.cursor.offset() + escape.len());
        let help = format!("write `\\{escape}`");
        self.report(Code::GbnfEscape, self.cursor.span_from(end), message, &help);
        true
    }

    /// Reads one character of a literal or class, plain or escaped; `None` after an error, which is reported.
    fn character(&mut self, place: Place) -> Option<char> {
        let start = self.cursor.offset();
        let first = self.cursor.bump()?;
        if first != '\\' {
            return Some(first);
        }
        match self.cursor.bump() {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('v') => Some('\u{b}'),
            Some('a') => Some('\u{7}'),
            Some('e') => Some('\u{1b}'),
            Some('0') if !self.cursor.rest().starts_with(|c: char| c.is_ascii_digit()) => Some('\0'),
            Some(c @ ('\\' | '"' | '[' | ']' | '-' | '/' | '\'' | '?')) => Some(c),
            Some(c) if place == Place::Class && ESCAPED_IN_CLASSES.contains(c) => Some(c),
            Some('x') => self.short_or_long(start),
            Some('u') => self.code_point(start, 4),
            Some('U') => self.code_point(start, 8),
            other => {
                self.unknown_escape(start, other);
                None
            }
        }
    }

    fn code_point(&mut self, start: usize, width: usize) -> Option<char> {
        match self.cursor.hex(width) {
            Some(code) => self.known(start, code),
            None => {
                let message = format!("this escape needs {width} hexadecimal digits");
                let help = "GBNF knows \\xNN, \\uNNNN and \\UNNNNNNNN, all naming code points";
                self.report(Code::GbnfEscape, self.cursor.span_from(start), &message, help);
                None
            }
        }
    }

    fn known(&mut self, start: usize, code: u32) -> Option<char> {
        let found = char::from_u32(code);
        if found.is_none() {
            let message = format!("U+{code:04X} is no character: surrogates and numbers above 10FFFF are not");
            self.report(
                Code::GbnfEscape,
                self.cursor.span_from(start),
                &message,
                "name the character by its code point",
            );
        }
        found
    }

    /// Reads the digits of `\x`. More than two digits that still name a character are an error if nothing else tells
    /// which of the two notations is meant.
    fn short_or_long(&mut self, start: usize) -> Option<char> {
        let rest = self.cursor.rest();
        let digits = part(rest, ..rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len()));
        let long = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() > 2);
        if ALL_DIGITS && digits.len() > 2 {
            self.cursor.take_while(|c| c.is_ascii_hexdigit());
            return self.known(start, long.unwrap_or(u32::MAX));
        }
        let Some(long) = long.filter(|code| char::from_u32(*code).is_some()) else {
            return self.code_point(start, 2);
        };
        self.cursor.take_while(|c| c.is_ascii_hexdigit());
        let (short, tail) = (part(digits, ..2), part(digits, 2..));
        let message = format!(
            "`\\x{digits}` is U+{long:04X} for xgrammar, and U+00{short} with `{tail}` behind it for llama.cpp"
        );
        let help = format!("write `\\U{long:08X}` or `\\u00{short}{tail}`");
        self.report(Code::GbnfEscape, self.cursor.span_from(start), &message, &help);
        None
    }

    fn unknown_escape(&mut self, start: usize, letter: Option<char>) {
        // A line end after the backslash is left for the caller.
        if letter.is_some_and(is_newline) {
            self.cursor.seek(start + 1);
        }
        let help = match letter {
            Some('d') => "write `[0-9]`",
            Some('w') => "write `[A-Za-z0-9_]`",
            Some('s') => "write `[ \\t\\n\\r]`",
            Some('D' | 'W' | 'S') => "write a negated class",
            Some('0') => "write the character by its number, as in `\\x0B`",
            Some(c) if !c.is_alphanumeric() => "this character needs no backslash",
            _ => "GBNF knows \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\xNN \\uNNNN \\UNNNNNNNN",
        };
        self.report(Code::GbnfEscape, self.cursor.span_from(start), "this is no escape of GBNF", help);
    }

    /// Reads `<text>` or `<[id]>`, with or without `!` before it.
    fn vocabulary(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.eat("!");
        self.cursor.bump();
        let body = self.cursor.take_while(|c| c != '>' && !is_newline(c));
        if !self.cursor.eat(">") {
            let help = "a token of the vocabulary is written `<text>` or `<[number]>`";
            return self.report(Code::GbnfToken, self.cursor.span_from(start), "this token has no `>`", help);
        }
        let list = body.strip_prefix('[').and_then(|body| body.strip_suffix(']'));
        let is_list = list.is_some_and(|list| list != "*" && !list.bytes().all(|b| b.is_ascii_digit()));
        let span = self.cursor.span_from(start);
        match VocabularyToken::read(span.text(self.cursor.text())).filter(|_| !is_list) {
            Some(token) => Token::Vocabulary(token),
            None => {
                let help = "a token of the vocabulary is written `<text>` or `<[number]>`, any other `!<[number]>`";
                self.report(Code::GbnfToken, span, "this names no token", help)
            }
        }
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
        if self.sink.has(Code::GbnfSingleQuotes) {
            return Token::Reported;
        }
        let text = span.text(self.cursor.text()).trim_matches('\'').to_owned();
        let help = format!("write `\"{text}\"`; a grammar with single quotes may be W3C EBNF, whose reader is another");
        self.report(Code::GbnfSingleQuotes, span, "GBNF has no single quotes", &help)
    }

    /// Returns whether the line after the line break here begins a rule. The caller skips empty lines one at a time, so
    /// that no text is examined more than a few times.
    fn at_rule(&self) -> bool {
        let line = self.cursor.rest().trim_start_matches('\r');
        let line = line.strip_prefix('\n').unwrap_or(line).trim_start_matches([' ', '\t']);
        let after = line.trim_start_matches(is_gbnf_name_char);
        after.len() < line.len() && after.trim_start_matches([' ', '\t']).starts_with("::=")
    }

    fn unclosed(&mut self, start: usize, what: &str, close: &str) -> Token {
        let message = format!("this {what} has no closing `{close}` in its rule");
        let help = if close == "]" {
            "a bracket begins a class of characters; as text it is written \"[\""
        } else {
            "close it, or write a line break as `\\n`"
        };
        self.report(Code::GbnfUnclosed, Span::of(start, start + 1), &message, help)
    }
}

fn sign(c: char) -> Token {
    match c {
        '|' => Token::Bar,
        '(' => Token::Open,
        ')' => Token::Close,
        '.' => Token::Any,
        '*' => Token::Repeat { min: 0, max: None },
        '+' => Token::Repeat { min: 1, max: None },
        '?' => Token::Repeat { min: 0, max: Some(1) },
        other => Token::Unknown(other),
    }
}
