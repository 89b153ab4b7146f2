//! Converts literals: from their source text to the text that they stand for, and back.

use always_assert::never;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::cursor::Cursor;
use crate::span::Span;
use std::fmt::Write;

/// Returns the text that a string literal stands for. `at` is the offset of the literal in the file.
pub(crate) fn string(literal: &str, at: u32, sink: &mut Sink) -> String {
    let body = unquoted(literal);
    let start = at + literal.chars().next().map_or(0, |quote| quote.len_utf8() as u32);
    unescape(body, start, sink)
}

/// Returns the offset in a string literal of a character of its text, by the character's number from 0; after the last
/// character, the offset of the closing quote.
///
/// ```
/// use ogc_grammar::ogc::character_offset;
/// let offsets = [0, 1, 2].map(|number| character_offset(r#""a\n""#, number));
/// assert_eq!(offsets, [1, 2, 4]);
/// ```
#[must_use]
pub fn character_offset(literal: &str, number: usize) -> usize {
    let start = literal.chars().next().map_or(0, char::len_utf8);
    let mut cursor = Cursor::new(unquoted(literal));
    for _ in 0..number {
        match cursor.bump() {
            Some('\\') => drop(escape(&mut cursor)),
            Some(_) => {}
            None => break,
        }
    }
    start + cursor.offset()
}

/// Returns the name in a vocabulary token.
pub(crate) fn tok(literal: &str, at: u32, sink: &mut Sink) -> String {
    let quoted = literal.strip_prefix("tok").unwrap_or_else(|| {
        never!("{} is no token of the vocabulary", literal);
        literal
    });
    let spelling = string(quoted, at + 3, sink);
    if spelling.is_empty() {
        let span = Span::of(at as usize, at as usize + literal.len());
        let help = "write the token as the tokenizer names it, as in `tok\"<think>\"`";
        sink.push(Diagnostic::error(Code::EmptyToken, span, "a token of the vocabulary has a name").help(help));
    }
    spelling
}

/// Returns the pattern in a regex literal: `\/` becomes `/`, everything else stays.
pub(crate) fn regex(literal: &str, _at: u32, _sink: &mut Sink) -> String {
    let body = literal.strip_prefix('/').unwrap_or_else(|| {
        never!("{} is no regex", literal);
        literal
    });
    let body = body.strip_suffix('/').unwrap_or(body);
    let mut pattern = String::with_capacity(body.len());
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => push_pair(chars.next(), &mut pattern),
            (c, false) => pattern.push(c),
        }
    }
    pattern
}

fn push_pair(escaped: Option<char>, pattern: &mut String) {
    if escaped != Some('/') {
        pattern.push('\\');
    }
    pattern.extend(escaped);
}

/// Returns a string literal in double quotes that stands for `text`.
///
/// ```
/// assert_eq!(ogc_grammar::ogc::quote("a\"\n"), r#""a\"\n""#);
/// ```
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        push_escaped(c, &mut out);
    }
    out.push('"');
    out
}

/// Returns a regex literal with this pattern.
pub(crate) fn slash(pattern: &str) -> String {
    let mut out = String::from("/");
    let mut escaped = false;
    for c in pattern.chars() {
        match c {
            '/' if !escaped => out.push_str("\\/"),
            '\n' if escaped => out.push('n'),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    out.push('/');
    out
}

fn push_escaped(c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}') => {
            let _infallible = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Returns the text between the quotes; the closing quote may be missing.
fn unquoted(literal: &str) -> &str {
    let mut chars = literal.chars();
    let quote = chars.next();
    let body = chars.as_str();
    let other = |quote: char| !quote.is_ascii() || quote == '`';
    match quote {
        Some(quote) if other(quote) => body.strip_suffix(other).unwrap_or(body),
        Some(quote) => body.strip_suffix(quote).unwrap_or(body),
        None => body,
    }
}

fn unescape(body: &str, at: u32, sink: &mut Sink) -> String {
    let mut text = String::with_capacity(body.len());
    let mut cursor = Cursor::new(body);
    while let Some(c) = cursor.peek() {
        if c != '\\' {
            text.push_str(cursor.take_while(|c| c != '\\'));
            continue;
        }
        let start = cursor.offset();
        cursor.bump();
        match escape(&mut cursor) {
            Ok(c) => text.push(c),
            Err(fault) => sink.push(fault.diagnostic(cursor.span_from(start).shifted(at))),
        }
    }
    text
}

/// An error in an escape.
enum Fault {
    Unknown(Option<char>),
    Hex,
    Byte,
    Surrogate,
    NoCharacter,
}

impl Fault {
    fn diagnostic(&self, span: Span) -> Diagnostic {
        let (message, help) = match self {
            Fault::Unknown(Some(c)) => (
                format!("`\\{c}` is not an escape"),
                "for the backslash itself, write `\\\\`; known are \\n \\r \\t \
                  \\b \\f \\0 \\\\ \\\" \\' \\/ \\xNN \\uNNNN \\u{N}",
            ),
            Fault::Unknown(None) => {
                ("nothing follows the backslash".to_owned(), "for the backslash itself, write `\\\\`")
            }
            Fault::Hex => ("this escape needs hexadecimal digits".to_owned(), "write `\\x0A`, `\\u000A` or `\\u{A}`"),
            Fault::Byte => {
                let message = "`\\x` goes to 7F; above, a character has several bytes".to_owned();
                (message, "write the character itself, or `\\u{..}` with its number")
            }
            Fault::Surrogate => {
                let message = "half of a surrogate pair is no character".to_owned();
                (message, "write both halves, as in `\\uD83D\\uDE00`, or `\\u{1F600}`")
            }
            Fault::NoCharacter => {
                ("there is no character with this number".to_owned(), "the numbers go to 10FFFF, without D800 to DFFF")
            }
        };
        Diagnostic::error(Code::UnknownEscape, span, message).help(help)
    }
}

/// Reads one escape, after its backslash.
fn escape(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let letter = cursor.bump();
    Ok(match letter {
        Some(plain @ ('"' | '\'' | '\\' | '/')) => plain,
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('0') => '\0',
        Some('x') => return byte(cursor),
        Some('u') if cursor.eat("{") => return braced(cursor),
        Some('u') => return unit(cursor),
        other => return Err(Fault::Unknown(other)),
    })
}

fn byte(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let code = cursor.hex(2).ok_or(Fault::Hex)?;
    char::from_u32(code).filter(char::is_ascii).ok_or(Fault::Byte)
}

fn braced(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
    if digits.is_empty() || !cursor.eat("}") {
        return Err(Fault::Hex);
    }
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or(Fault::NoCharacter)
}

/// Reads `\uNNNN`, as in JSON, or two of them that form a surrogate pair.
fn unit(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let first = cursor.hex(4).ok_or(Fault::Hex)?;
    if let Some(c) = char::from_u32(first) {
        return Ok(c);
    }
    if first >= 0xDC00 || !cursor.eat("\\u") {
        return Err(Fault::Surrogate);
    }
    let second = cursor.hex(4).ok_or(Fault::Hex)?;
    if !(0xDC00..0xE000).contains(&second) {
        return Err(Fault::Surrogate);
    }
    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    char::from_u32(code).ok_or(Fault::NoCharacter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(literal: &str) -> (String, Vec<Diagnostic>) {
        let mut sink = Sink::default();
        let text = string(literal, 10, &mut sink);
        (text, sink.finish())
    }

    #[test]
    fn escapes_stand_for_characters() {
        let (text, found) = read(r#""a\n\t\x41\u0041\u{1F600}\uD83D\uDE00\"\'\/\\""#);
        assert_eq!((text.as_str(), found), ("a\n\tAA😀😀\"'/\\", vec![]));
    }

    #[test]
    fn wrong_escapes_are_reported_where_they_stand() {
        for (literal, place) in [
            (r#""a\q""#, (12, 14)),
            (r#""\xff""#, (11, 15)),
            (r#""\u{110000}""#, (11, 21)),
            (r#""\uD800x""#, (11, 17)),
            (r#""\u12""#, (11, 15)),
        ] {
            let (_, found) = read(literal);
            let places: Vec<_> = found.iter().map(|d| (d.span.start, d.span.end)).collect();
            assert_eq!(places, [place], "{literal}");
        }
    }

    #[test]
    fn quoted_texts_and_regexes_read_back() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        assert_eq!(read(&quote(&all)), (all, vec![]));
        for pattern in ["a/b", r"a\/b", r"[/]\\", "x"] {
            let once = regex(&slash(pattern), 0, &mut Sink::default());
            assert_eq!(regex(&slash(&once), 0, &mut Sink::default()), once);
        }
    }
}
