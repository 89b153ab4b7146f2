//! The lexer of ISO 14977 EBNF.

use super::{Style, quoted};
use crate::code::Code;
use crate::notation::cursor::is_newline;
use crate::notation::lexer::{Lexer, Notation};
use crate::span::Span;

/// A word, sign or terminal of ISO 14977. The two forms of a sign give the same token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// One word of a name.
    Word(String),
    Integer(String),
    Literal(String),
    Equals,
    Comma,
    Bar,
    Minus,
    Star,
    Open(Bracket),
    Close(Bracket),
    End,
    /// A broken terminal, which the lexer has reported.
    Reported,
    /// `::=`, or a character without meaning in ISO EBNF.
    Foreign(&'static str),
    Unknown(char),
}

/// The three pairs of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `( )`
    Group,
    /// `[ ]` or `(/ /)`
    Option,
    /// `{ }` or `(: :)`
    Repetition,
}

/// A token of ISO 14977 in its text.
pub(super) type Lexeme = crate::notation::lexeme::Lexeme<Token>;

/// ISO 14977 EBNF.
pub(super) struct Iso;

impl Notation for Iso {
    type Token = Token;

    const REPORTED: Token = Token::Reported;

    /// Skips white space and comments, which nest; returns whether they contain a line end.
    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool {
        let start = lexer.cursor.offset();
        let before = lexer.cursor.rest();
        loop {
            lexer.cursor.take_while(char::is_whitespace);
            if lexer.skip_other_comment() {
                continue;
            }
            // `(*)` is neither a comment nor an expression in the standard.
            let is_comment = lexer.cursor.rest().starts_with("(*") && !lexer.cursor.rest().starts_with("(*)");
            match comment_len(lexer.cursor.rest(), lexer.sink.has(Code::UnclosedComment)) {
                Some(len) if is_comment => lexer.cursor.seek(lexer.cursor.offset() + len),
                _ => break,
            }
        }
        before.get(..lexer.cursor.offset() - start).is_some_and(|space| space.contains(is_newline))
    }

    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Token {
        if next.is_alphabetic() || next == '_' {
            let word = lexer.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
            return Token::Word(word.to_owned());
        }
        if lexer.define() {
            return Token::Equals;
        }
        match next {
            '"' | '\'' => lexer.literal(next),
            '(' if lexer.cursor.rest().starts_with("(*") && !lexer.cursor.rest().starts_with("(*)") => {
                lexer.unclosed_comment()
            }
            '0'..='9' => Token::Integer(lexer.cursor.take_while(|c| c.is_ascii_digit()).to_owned()),
            '?' => lexer.special(),
            _ => lexer.typographic(Code::UnexpectedCharacter).unwrap_or_else(|| lexer.sign(next)),
        }
    }
}

impl Lexer<'_, '_, Iso> {
    /// Reports a comment that is not closed. The comment is taken to end with its line.
    fn unclosed_comment(&mut self) -> Token {
        let open = self.cursor.offset();
        self.cursor.take_while(|c| !is_newline(c));
        let help = "close it with `*)`";
        self.report(Code::UnclosedComment, Span::of(open, open + 2), "this comment has no `*)`", help)
    }

    fn sign(&mut self, next: char) -> Token {
        let pairs = [
            ("::=", Token::Foreign("::=")),
            ("(/", Token::Open(Bracket::Option)),
            ("/)", Token::Close(Bracket::Option)),
            ("(:", Token::Open(Bracket::Repetition)),
            (":)", Token::Close(Bracket::Repetition)),
        ];
        let start = self.cursor.offset();
        if self.cursor.eat("..") {
            let help = "write the characters as alternatives, `\"a\" | \"b\"`; the W3C's EBNF has classes, `[a-z]`";
            let message = "`..` makes no range in ISO EBNF, where `.` ends a rule";
            return self.report(Code::EbnfMixedStyles, self.cursor.span_from(start), message, help);
        }
        for (text, token) in pairs {
            if self.cursor.eat(text) {
                return token;
            }
        }
        self.cursor.bump();
        single(next)
    }

    fn literal(&mut self, quote: char) -> Token {
        match quoted::literal(Style::Iso, quote, &mut self.cursor, self.sink) {
            Some(text) => Token::Literal(text),
            None => Token::Reported,
        }
    }

    fn special(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        self.cursor.take_while(|c| c != '?' && c != ';' && !is_newline(c));
        if self.cursor.eat("?") {
            let message = "a special sequence `? ... ?` has no defined meaning and cannot be built";
            let help = "write the characters out, or use W3C EBNF, which has classes such as [#x20-#x7E]";
            return self.report(Code::EbnfSpecialSequence, self.cursor.span_from(start), message, help);
        }
        self.cursor.seek(start + 1);
        let message = "`?` begins a special sequence here, which has no end";
        let help = "an optional item is written `[ item ]`; `?` after an item is W3C EBNF, which has `::=`";
        self.report(Code::EbnfMixedStyles, Span::of(start, start + 1), message, help)
    }
}

/// Returns the length of a comment including nested comments, if it is closed. Once an unclosed comment was found, only
/// the beginning of the rest is searched, so that many of them take linear time.
fn comment_len(rest: &str, is_bounded: bool) -> Option<usize> {
    const LONGEST: usize = 500;
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(behind) = rest.get(at..).filter(|behind| !behind.is_empty()) {
        if is_bounded && at > LONGEST {
            return None;
        }
        if behind.starts_with("(*") {
            (depth, at) = (depth.saturating_add(1), at + 2);
        } else if behind.starts_with("*)") {
            (depth, at) = (depth.saturating_sub(1), at + 2);
        } else if depth == 0 {
            return None;
        } else {
            at += behind.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn single(c: char) -> Token {
    match c {
        '=' => Token::Equals,
        ',' => Token::Comma,
        '|' | '/' | '!' => Token::Bar,
        '-' => Token::Minus,
        '*' => Token::Star,
        '(' => Token::Open(Bracket::Group),
        ')' => Token::Close(Bracket::Group),
        '[' => Token::Open(Bracket::Option),
        ']' => Token::Close(Bracket::Option),
        '{' => Token::Open(Bracket::Repetition),
        '}' => Token::Close(Bracket::Repetition),
        ';' | '.' => Token::End,
        '+' => Token::Foreign("+"),
        other => Token::Unknown(other),
    }
}
