//! The lexer of the ogc language. The lexer never fails: a character that begins no token becomes an unknown token,
//! which the parser reports.
//!
//! The lexer needs little context: a `/` always begins a regex (the language has no division), and `>` is always one
//! token. Literals are scanned by hand, because their ends depend on the text before: a `/` in a class does not end a
//! regex, and a literal without an end stops at the end of its line.

use super::slash;
use super::token::{Token, TokenKind};
use crate::notation::bare::{Before, bare_regex};
use crate::pulse::step;
use crate::span::{Span, part};
use always_assert::never;
use logos::{Lexer, Logos};

/// The tokens that logos finds; for literals only their opening sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
enum Raw {
    #[regex(r"[ \t\r\n\x0C\u{FEFF}]+")]
    Space,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    #[token("/*")]
    BlockComment,
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", priority = 20)]
    Number,
    #[regex(r"[0-9]+(\.[0-9]+)?[\p{XID_Start}_]\p{XID_Continue}*", priority = 10)]
    BadNumber,
    #[token("\"")]
    #[token("'")]
    Quote,
    #[token("tok\"")]
    #[token("tok'")]
    TokQuote,
    #[token("/")]
    Slash,
    #[regex(r"@[\p{XID_Start}_]\p{XID_Continue}*")]
    Attribute,
    #[regex(r"@[\p{XID_Start}_]\p{XID_Continue}*\(")]
    AttributeOpen,
    #[regex(r"[{}()\[\]<>,:=|&%?*+.-]")]
    #[token("..")]
    #[token("...")]
    Sign,
    #[token(";")]
    #[token("=>")]
    #[token("->")]
    #[token("::=")]
    #[token(":=")]
    #[token("==")]
    #[token("||")]
    #[token("&&")]
    Foreign,
}

/// Returns all tokens of `text`, including trivia.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    first_tokens(text, usize::MAX)
}

/// Returns the first `most` tokens of `text`, including trivia.
pub(crate) fn first_tokens(text: &str, most: usize) -> Vec<Token> {
    let mut lexer = Raw::lexer(text);
    let mut tokens: Vec<Token> = Vec::new();
    while tokens.len() < most
        && let Some(raw) = lexer.next()
    {
        step();
        let kind = match raw {
            Ok(Raw::BlockComment) if begins_with_star(&tokens, lexer.remainder()) => regex(&mut lexer),
            _ if begins_bare_regex(&mut lexer, &tokens) => TokenKind::BareRegex,
            Ok(raw) => kind(raw, &mut lexer),
            Err(()) => unknown(&mut lexer),
        };
        let span = Span::of(lexer.span().start, lexer.span().end);
        tokens.push(Token { kind, span });
    }
    tokens
}

/// Returns the kind of the token that begins with `raw`; moves the lexer to the end of the token.
fn kind(raw: Raw, lexer: &mut Lexer<'_, Raw>) -> TokenKind {
    match raw {
        Raw::Space => TokenKind::Space,
        Raw::Comment => comment(lexer.slice()),
        Raw::BlockComment => block_comment(lexer),
        Raw::Word => TokenKind::of_word(lexer.slice()),
        Raw::Number => TokenKind::Number,
        Raw::BadNumber => TokenKind::BadNumber,
        Raw::Quote => quoted(lexer, TokenKind::String),
        Raw::TokQuote => quoted(lexer, TokenKind::Tok),
        Raw::Slash => regex(lexer),
        Raw::Attribute => TokenKind::Attribute,
        Raw::AttributeOpen => TokenKind::AttributeOpen,
        Raw::Sign => sign(lexer.slice()),
        Raw::Foreign => TokenKind::Foreign,
    }
}

fn comment(text: &str) -> TokenKind {
    let doc = text.starts_with("///") && !text.starts_with("////");
    if doc { TokenKind::Doc } else { TokenKind::Comment }
}

/// Returns whether `/*` begins a regex, as in `/*abc/`: an expression must begin there, and the line has another slash,
/// but no end of a comment. `rest` is the text after `/*`.
fn begins_with_star(tokens: &[Token], rest: &str) -> bool {
    let line = part(rest, ..line_len(rest));
    let before = tokens.iter().rev().find(|token| !token.kind.is_trivia());
    let wanted = before.is_some_and(|token| token.kind.wants_expression());
    let described = line.is_empty() || line.starts_with(|c: char| c.is_whitespace() || c == '*');
    wanted && !described && !line.contains("*/") && !slash::slashes(line).is_empty()
}

/// Returns whether a regex without slashes begins at the current token; moves the lexer to the end of the regex.
fn begins_bare_regex(lexer: &mut Lexer<'_, Raw>, tokens: &[Token]) -> bool {
    if !matches!(lexer.slice(), "[" | "\\") {
        return false;
    }
    let rest = part(lexer.source(), lexer.span().start..);
    let before = tokens.iter().rev().find(|token| !token.kind.is_trivia()).map(|token| token.kind);
    let spaced = tokens.last().is_some_and(|last| last.kind.is_trivia());
    let before = Before {
        wants_expression: before.is_some_and(|kind| kind.wants_expression() && kind != TokenKind::Comma),
        follows_text: spaced && before.is_some_and(TokenKind::ends_expression),
    };
    match bare_regex(rest, before) {
        Some(len) => {
            lexer.bump(len - 1);
            true
        }
        None => false,
    }
}

fn block_comment(lexer: &mut Lexer<'_, Raw>) -> TokenKind {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
    TokenKind::BlockComment
}

fn sign(text: &str) -> TokenKind {
    match text {
        "{" => TokenKind::LeftBrace,
        "}" => TokenKind::RightBrace,
        "(" => TokenKind::LeftParen,
        ")" => TokenKind::RightParen,
        "[" => TokenKind::LeftBracket,
        "]" => TokenKind::RightBracket,
        "<" => TokenKind::Less,
        ">" => TokenKind::Greater,
        "," => TokenKind::Comma,
        ":" => TokenKind::Colon,
        "=" => TokenKind::Equals,
        "." => TokenKind::Dot,
        ".." => TokenKind::Dots,
        "..." => TokenKind::Ellipsis,
        "|" => TokenKind::Bar,
        "&" => TokenKind::And,
        "-" => TokenKind::Minus,
        "%" => TokenKind::Percent,
        "?" => TokenKind::Question,
        "*" => TokenKind::Star,
        "+" => TokenKind::Plus,
        _ => TokenKind::Unknown,
    }
}

/// Reads a literal from its opening quote to the same quote on the same line.
fn quoted(lexer: &mut Lexer<'_, Raw>, whole: TokenKind) -> TokenKind {
    let quote = lexer.slice().chars().last().unwrap_or_else(|| {
        never!("a quote has no characters");
        '"'
    });
    let end = scan(lexer.remainder(), |c, _| c == quote);
    finish(lexer, end, whole)
}

/// Reads a character that begins no token, or a string in quotes of another language.
fn unknown(lexer: &mut Lexer<'_, Raw>) -> TokenKind {
    let closers: &[char] = match lexer.slice() {
        "“" | "„" | "”" => &['”', '“'],
        "‘" | "‚" | "’" => &['’', '‘'],
        "`" => &['`'],
        "´" => &['´'],
        "«" => &['»'],
        _ => return TokenKind::Unknown,
    };
    match scan(lexer.remainder(), |c, _| closers.contains(&c)) {
        Some(end) => {
            lexer.bump(end);
            TokenKind::OtherQuotes
        }
        None => TokenKind::Unknown,
    }
}

/// Reads a regex: from an opening slash to the next slash on the same line outside of a class, or to a later slash if
/// that one is certainly meant. If a class is not closed, the first slash ends the regex, and the reader of patterns
/// reports the error.
fn regex(lexer: &mut Lexer<'_, Raw>) -> TokenKind {
    let rest = lexer.remainder();
    let Some(first) = scan(rest, |c, in_class| c == '/' && !in_class) else {
        let end = scan(rest, |c, _| c == '/');
        return finish(lexer, end, TokenKind::Regex);
    };
    if !slash::may_go_on(rest, first) {
        return finish(lexer, Some(first), TokenKind::Regex);
    }
    let line = part(rest, ..line_len(rest));
    match slash::meant_end(line) {
        Some(end) => finish(lexer, Some(end), TokenKind::SlashedRegex),
        None => finish(lexer, Some(first), TokenKind::Regex),
    }
}

fn finish(lexer: &mut Lexer<'_, Raw>, end: Option<usize>, whole: TokenKind) -> TokenKind {
    let rest = lexer.remainder();
    lexer.bump(end.unwrap_or_else(|| line_len(rest)));
    if end.is_some() { whole } else { TokenKind::Unclosed }
}

/// Returns the offset after the first unescaped character of the line for which `ends` holds; `ends` also gets whether
/// the character is in a class.
fn scan(rest: &str, ends: impl Fn(char, bool) -> bool) -> Option<usize> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in rest.char_indices() {
        if c == '\n' {
            return None;
        }
        if !escaped && ends(c, in_class) {
            return Some(at + c.len_utf8());
        }
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    None
}

fn line_len(rest: &str) -> usize {
    let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
    line.trim_end_matches('\r').len()
}
