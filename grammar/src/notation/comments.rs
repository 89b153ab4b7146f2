//! Comments as other notations write them. The lexer reports the first and skips all, so that one habit is one finding.

use super::cursor::is_newline;
use super::lexer::{Lexer, Notation};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, part};

/// Maximum length of a block comment, in bytes, so that many unclosed ones take linear time.
const LONGEST: usize = 4 << 10;

/// Maximum length of the part of a line that is examined, in characters.
const LOOKED_AT: usize = 200;

/// The comments of a notation, for messages.
pub(crate) struct OwnComments {
    pub(crate) code: Code,
    /// Name of the notation.
    pub(crate) notation: &'static str,
    /// A sentence that tells how to write a comment in the notation.
    pub(crate) way_out: &'static str,
}

impl<N: Notation> Lexer<'_, '_, N> {
    /// Skips a comment that begins here with `sign`, which is no comment sign of this notation, and reports the first
    /// one.
    pub(crate) fn skip_foreign_comment(&mut self, sign: &str, own: &OwnComments) {
        let start = self.cursor.offset();
        let len = comment_len(self.cursor.rest(), sign);
        self.cursor.seek(start + len);
        if !std::mem::replace(&mut self.habits.has_foreign_comment, true) {
            let message = format!("`{sign}` begins no comment in {}", own.notation);
            let place = Span::of(start, start + sign.len());
            self.sink.push(Diagnostic::error(own.code, place, message).help(own.way_out));
        }
    }

    /// Returns whether only white space stands before the cursor on its line.
    pub(crate) fn is_line_start(&self) -> bool {
        self.cursor.line_before().is_some_and(|before| before.trim().is_empty())
    }

    /// Returns whether white space or the beginning of the line stands before the cursor.
    pub(crate) fn is_spaced(&self) -> bool {
        part(self.cursor.text(), ..self.cursor.offset()).chars().next_back().is_none_or(char::is_whitespace)
    }

    /// Returns whether a comment between `(*` and `*)` begins here, both on one line.
    pub(crate) fn is_parenthesised_comment(&self) -> bool {
        let rest = self.cursor.rest().strip_prefix("(*").filter(|rest| !rest.starts_with(')'));
        rest.is_some_and(|rest| beginning(rest).contains("*)"))
    }

    /// Returns whether `sign` is followed on its line by text that contains none of `refused`.
    pub(crate) fn has_words_behind(&self, sign: &str, refused: &[&str]) -> bool {
        let behind = beginning(self.cursor.rest().strip_prefix(sign).unwrap_or_default());
        !behind.trim().is_empty() && !refused.iter().any(|refused| behind.contains(refused))
    }
}

/// Returns the beginning of the line with which `rest` begins.
fn beginning(rest: &str) -> &str {
    let end = rest.char_indices().take_while(|(_, c)| !is_newline(*c)).take(LOOKED_AT).last();
    part(rest, ..end.map_or(0, |(at, c)| at + c.len_utf8()))
}

/// Returns the length of a comment that begins with `sign`: to the end of the block if it has one, otherwise of the line.
fn comment_len(rest: &str, sign: &str) -> usize {
    let line = || rest.find(is_newline).unwrap_or(rest.len());
    let close = match sign {
        "/*" => "*/",
        "(*" => "*)",
        _ => return line(),
    };
    let limit = (0..=LONGEST.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
    let found = rest.get(sign.len()..limit).and_then(|body| body.find(close));
    found.map_or_else(line, |at| sign.len() + at + close.len())
}
