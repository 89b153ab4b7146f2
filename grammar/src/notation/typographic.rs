//! Texts in backticks, or in the typographic quotes of word processors: `“a”`.

use super::cursor::is_newline;
use super::lexer::{Lexer, Notation};
use crate::code::Code;
use crate::span::part;

/// Maximum length of a quoted text, in characters.
const LONGEST: usize = 200;

/// Quotes that open a text, with those that may close it.
const PAIRS: [(char, &str); 6] = [('“', "”“\""), ('”', "”\""), ('„', "“”\""), ('‘', "’‘'"), ('«', "»"), ('`', "`")];

impl<N: Notation> Lexer<'_, '_, N> {
    /// Reads and reports a text in backticks or typographic quotes, if one begins here.
    pub(crate) fn typographic(&mut self, code: Code) -> Option<N::Token> {
        let rest = self.cursor.rest();
        let open = rest.chars().next()?;
        let (_, closing) = PAIRS.iter().find(|(quote, _)| *quote == open)?;
        let inside = rest.char_indices().skip(1).take(LONGEST).take_while(|(_, c)| !is_newline(*c));
        let (end, close) = inside.into_iter().find(|(_, c)| closing.contains(*c))?;
        let text = part(rest, open.len_utf8()..end).to_owned();
        let start = self.cursor.offset();
        self.cursor.seek(start + end + close.len_utf8());
        let message = format!("`{open}` is no quote here");
        let help = format!("write `\"{text}\"`");
        Some(self.report(code, self.cursor.span_from(start), &message, &help))
    }
}
