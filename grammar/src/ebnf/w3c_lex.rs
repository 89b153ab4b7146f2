//! W3C EBNF text to lexemes.

use super::{Style, quoted};
use crate::code::Code;
use crate::doubts::{class_warnings, inner_class, plain_class, range_doubt};
use crate::notation::comments::OwnComments;
use crate::notation::cursor::is_newline;
use crate::notation::define::OwnDefinition;
use crate::notation::lexeme::Token;
use crate::notation::lexer::{Lexer, Notation};
use crate::span::{Span, part};

/// W3C EBNF.
pub(super) struct W3c;

const COMMENTS: OwnComments = OwnComments {
    code: Code::UnexpectedCharacter,
    notation: "W3C EBNF",
    way_out: "a comment is `/* ... */`, or `// ...` to the end of its line",
};

const DEFINITION: OwnDefinition = OwnDefinition { code: Code::ExpectedRule, notation: "W3C EBNF", sign: "::=" };

/// A rule of ISO 14977 in a file of the W3C's.
const ISO_DEFINITION: OwnDefinition = OwnDefinition { code: Code::EbnfMixedStyles, ..DEFINITION };

impl Notation for W3c {
    type Token = Token;

    const REPORTED: Token = Token::Reported;

    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let start = lexer.cursor.offset();
        let before = lexer.cursor.rest();
        loop {
            lexer.cursor.take_while(char::is_whitespace);
            let open = lexer.cursor.offset();
            if lexer.cursor.eat("//") {
                lexer.cursor.take_while(|c| !is_newline(c));
                continue;
            }
            if lexer.skip_other_comment() {
                continue;
            }
            if !lexer.cursor.eat("/*") {
                break;
            }
            // If one comment is not closed, no later one is.
            let is_known = lexer.sink.has(Code::UnclosedComment);
            if is_known || lexer.cursor.take_past("*/").is_none() {
                lexer.cursor.take_while(|c| !is_newline(c));
                let help = "close it with `*/`";
                lexer.report(Code::UnclosedComment, Span::of(open, open + 2), "this comment has no `*/`", help);
            }
        }
        before.get(..lexer.cursor.offset() - start).is_some_and(|space| space.contains(is_newline))
    }

    /// Skips a label such as `[12]` or `[4a]` at the start of a line, if a rule follows it.
    fn skip_label(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let start = lexer.cursor.offset();
        let labelled = lexer.cursor.eat("[") && !lexer.cursor.take_while(|c| c.is_ascii_digit()).is_empty() && {
            lexer.cursor.take_while(|c| c.is_ascii_alphanumeric());
            lexer.cursor.eat("]")
        };
        let mut ahead = lexer.cursor.clone();
        ahead.take_while(char::is_whitespace);
        let named = labelled && !ahead.take_while(is_name_char).is_empty();
        ahead.take_while(char::is_whitespace);
        let found = named && ahead.eat("::=");
        if !found {
            lexer.cursor.seek(start);
        }
        found
    }

    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Token {
        if lexer.define() {
            return Token::Define;
        }
        if lexer.cursor.rest().starts_with("#x") {
            return lexer.numbered_literal();
        }
        match next {
            c if is_name_start(c) => lexer.name(),
            '"' | '\'' => lexer.literal(next),
            '[' => lexer.class(),
            _ => lexer.typographic(Code::UnexpectedCharacter).unwrap_or_else(|| {
                lexer.cursor.bump();
                sign(next)
            }),
        }
    }
}

impl Lexer<'_, '_, W3c> {
    /// Skips a comment of another notation, if one begins here.
    fn skip_other_comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let sign = if rest.starts_with("--") && (self.is_line_start() || self.has_words_behind("-- ", &[])) {
            "--"
        } else if rest.starts_with("(*") && self.is_parenthesised_comment() {
            "(*"
        } else if rest.starts_with(';') && self.is_line_start() && self.has_words_behind(";", &["::="]) {
            ";"
        } else {
            return false;
        };
        self.skip_foreign_comment(sign, &COMMENTS);
        true
    }

    /// Reads the sign between a rule's name and its meaning, also as another notation writes it.
    fn define(&mut self) -> bool {
        if !self.begins_definition() || !self.is_behind_head() {
            return self.cursor.eat("::=");
        }
        let is_iso = self.cursor.rest().starts_with('=');
        self.eat_definition(if is_iso { &ISO_DEFINITION } else { &DEFINITION });
        true
    }

    /// Returns whether only a name stands before the cursor on its line, or a label and a name.
    fn is_behind_head(&self) -> bool {
        self.cursor.line_before().is_some_and(|line| {
            let line = line.trim();
            let labelled = line.strip_prefix('[').and_then(|line| line.split_once(']'));
            let name = labelled.map_or(line, |(_, name)| name.trim());
            name.starts_with(is_name_start) && name.chars().all(is_name_char)
        })
    }

    /// Reads a name; a hyphen or full stop at its end is not part of it.
    fn name(&mut self) -> Token {
        let start = self.cursor.offset();
        let name = self.cursor.take_while(is_name_char).trim_end_matches(['-', '.']);
        self.cursor.seek(start + name.len());
        Token::Name(name.to_owned())
    }

    fn literal(&mut self, quote: char) -> Token {
        match quoted::literal(Style::W3c, quote, &mut self.cursor, self.sink) {
            Some(text) => Token::Literal(text),
            None => Token::Reported,
        }
    }

    fn numbered_literal(&mut self) -> Token {
        match self.numbered() {
            Some(c) => Token::Literal(c.to_string()),
            None => Token::Reported,
        }
    }

    /// Reads `#xN`; `None` after an error, which is reported.
    fn numbered(&mut self) -> Option<char> {
        let start = self.cursor.offset();
        self.cursor.eat("#x");
        let digits = self.cursor.take_while(|c| c.is_ascii_hexdigit());
        if digits.is_empty() {
            self.cursor.take_while(|c| c.is_ascii_alphanumeric());
        }
        let found = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        if found.is_none() {
            let help = "write the code point in hexadecimal digits, as in #x20AC";
            self.report(Code::EbnfCharacter, self.cursor.span_from(start), "this names no character", help);
        }
        found
    }

    fn class(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        if is_constraint(self.cursor.rest()) {
            return self.constraint(start);
        }
        let whole = part(self.cursor.text(), start..);
        if let Some(len) = inner_class(whole) {
            self.cursor.seek(start + len);
            let help = format!("write `{}`", plain_class(part(whole, ..len)));
            let message = "a class holds characters and ranges, no other class";
            return self.report(Code::UnexpectedCharacter, self.cursor.span_from(start), message, &help);
        }
        let negated = self.cursor.eat("^");
        let (inside, body) = (self.cursor.offset(), self.cursor.rest());
        let mut ranges = Vec::new();
        let mut sound = true;
        loop {
            match self.cursor.peek() {
                Some(']') => break,
                Some(c) if !is_newline(c) => match self.range() {
                    Some(range) => ranges.push(range),
                    None => sound = false,
                },
                _ => return self.unclosed_class(start),
            }
        }
        let length = self.cursor.offset() - inside;
        let body = part(body, ..length);
        quoted::refuse_escape(Style::W3c, body, inside.saturating_sub(1), self.sink);
        self.cursor.bump();
        let place = self.cursor.span_from(start);
        self.sink.extend(class_warnings(place.text(self.cursor.text()), place));
        if ranges.is_empty() && sound {
            let span = self.cursor.span_from(start);
            return self.report(
                Code::EmptyClass,
                span,
                "this class holds no character",
                "write `''` for the empty text",
            );
        }
        if sound { Token::Class { negated, ranges } } else { Token::Reported }
    }

    fn unclosed_class(&mut self, start: usize) -> Token {
        let help = "close it; a bracket as text is written '['";
        self.report(Code::EbnfUnclosed, Span::of(start, start + 1), "this class is not closed on its line", help)
    }

    fn range(&mut self) -> Option<(char, char)> {
        let start = self.cursor.offset();
        let first = self.class_character();
        let mut behind = self.cursor.rest().chars();
        if let (Some(first), Some(dash), Some(last)) = (first, behind.next(), behind.next()) {
            let place = start..self.cursor.offset() + dash.len_utf8() + last.len_utf8();
            let doubt = range_doubt(first, dash, last, place);
            self.sink.extend(doubt.map(|doubt| doubt.finding(Span::of(doubt.place.start, doubt.place.end))));
        }
        let rest = self.cursor.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") {
            return first.map(|c| (c, c));
        }
        self.cursor.bump();
        if self.cursor.peek().is_none_or(is_newline) {
            return None;
        }
        let last = self.class_character();
        let range = (first?, last?);
        if range.0 <= range.1 {
            return Some(range);
        }
        let help = "swap the two, or put the hyphen last in the class";
        self.report(Code::ReversedRange, self.cursor.span_from(start), "this range ends before it begins", help);
        None
    }

    fn class_character(&mut self) -> Option<char> {
        if self.cursor.rest().starts_with("#x") { self.numbered() } else { self.cursor.bump() }
    }

    fn constraint(&mut self, start: usize) -> Token {
        self.cursor.take_while(|c| c != ']' && !is_newline(c));
        self.cursor.eat("]");
        let help = "such constraints are prose; put it into a comment";
        self.report(Code::EbnfConstraint, self.cursor.span_from(start), "a constraint is no part of the syntax", help)
    }
}

/// Returns whether a bracket before `inside` begins a constraint such as `[ wfc: Unique ]`, which looks like a class.
pub(super) fn is_constraint(inside: &str) -> bool {
    let inside = inside.trim_start_matches(' ');
    let is = |kind: &str| inside.get(..kind.len()).is_some_and(|text| text.eq_ignore_ascii_case(kind));
    ["wfc:", "vc:", "nsc:"].into_iter().any(is)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-' || c == '.'
}

fn sign(c: char) -> Token {
    match c {
        '|' => Token::Bar,
        '(' => Token::Open,
        ')' => Token::Close,
        '-' => Token::Minus,
        '*' => Token::Repeat { min: 0, max: None },
        '+' => Token::Repeat { min: 1, max: None },
        '?' => Token::Repeat { min: 0, max: Some(1) },
        other => Token::Unknown(other),
    }
}
