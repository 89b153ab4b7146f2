//! A cursor in a text, which moves by whole characters.

use crate::span::{Span, part};

/// A place in a text. Invariant: `at` lies on a character boundary of `text`.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Makes a cursor at the start of a text.
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the text before the cursor on its line, if it is no longer than a name can be.
    pub(crate) fn line_before(&self) -> Option<&'t str> {
        const LONGEST: usize = 200;
        let before = part(self.text, ..self.at);
        let inside = before.char_indices().rev().take(LONGEST).take_while(|(_, c)| !is_newline(*c));
        let from = inside.last().map_or(self.at, |(at, _)| at);
        let begins = before.get(..from)?.chars().next_back().is_none_or(is_newline);
        begins.then(|| part(self.text, from..self.at))
    }

    /// Returns the text after the cursor.
    pub(crate) fn rest(&self) -> &'t str {
        part(self.text, self.at..)
    }

    /// Returns the byte offset of the cursor.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves over the next character, and returns it.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Moves over `prefix` if it comes next; returns whether it did.
    pub(crate) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        self.at += if found { prefix.len() } else { 0 };
        found
    }

    /// Moves over all characters that satisfy `wanted`, and returns them.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += len;
        part(rest, ..len)
    }

    /// Moves past the next `end`, and returns the text before it; stays if there is none.
    pub(crate) fn take_past(&mut self, end: &str) -> Option<&'t str> {
        let rest = self.rest();
        let len = rest.find(end)?;
        self.at += len + end.len();
        Some(part(rest, ..len))
    }

    /// Moves to `offset`, which must have been an offset of this cursor.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Returns the span from `start` to the cursor.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        Span::of(start, self.at)
    }

    /// Reads exactly `width` hexadecimal digits; stops before the first character that is not one.
    pub(crate) fn hex(&mut self, width: usize) -> Option<u32> {
        let mut code = 0_u32;
        for _ in 0..width {
            let digit = self.peek().and_then(|c| c.to_digit(16))?;
            code = code.checked_mul(16)?.checked_add(digit)?;
            self.bump();
        }
        Some(code)
    }
}

/// Returns whether `c` ends a line.
pub(crate) fn is_newline(c: char) -> bool {
    c == '\n' || c == '\r'
}
