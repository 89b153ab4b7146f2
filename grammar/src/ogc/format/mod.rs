//! The formatter of ogc files, which have one layout.
//!
//! What is printed depends on the tokens, the comments, and whether an empty line stood between two items, fields or
//! cases; other white space has no influence. Lines are at most 100 characters wide where possible. Two signs without
//! another meaning ask for more lines: a comma after the last field, and a `|` before the first alternative.
//!
//! # Steps
//!
//! 1. `words`: the tokens of an item, each with the comments beside it.
//! 2. `items`, `lists` and `layout`: a document, which says where lines may end.
//! 3. `printer`: the document to text.

mod doc;
mod items;
mod layout;
mod lists;
mod printer;
mod words;

use super::lexer::tokens;
use super::parse::{self, parse_item};
use super::token::{Token, TokenKind};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::line_ends::LineEnds;

/// Formats a file. Items with errors, line ends and the byte order mark stay as they are.
///
/// ```
/// let text = "type  A={name:string,\n  age:int}";
/// assert_eq!(ogc_grammar::ogc::format(text), "type A = { name: string, age: int }\n");
/// ```
#[must_use]
pub fn format(text: &str) -> String {
    let parts = parse::items(text);
    if parts.diagnostics.iter().any(|found| found.code == Code::TextTooLong) {
        return text.to_owned();
    }
    let tokens = tokens(text);
    let mut out = Output::default();
    let mut at = 0;
    for item in &parts.items {
        at = out.trivia(text, &tokens, at, item.span.start);
        out.item(&format_item(item.span.text(text)));
        at += tokens[at..].partition_point(|token| token.span.start < item.span.end);
    }
    out.trivia(text, &tokens, at, u32::MAX);
    let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    format!("{mark}{}", LineEnds::of(text).written(&out.finish()))
}

/// Formats one item, without a line end after it; leaves it as it is if it has errors.
#[must_use]
pub fn format_item(text: &str) -> String {
    let (_, found) = parse_item(text, 0);
    if found.iter().any(Diagnostic::is_error) {
        return text.to_owned();
    }
    printer::print(&items::item(&words::words(text, &tokens(text))))
}

/// The formatted text of a file, as it grows.
#[derive(Default)]
struct Output {
    text: String,
    /// Number of line ends since the last comment or item.
    lines: usize,
}

impl Output {
    /// Writes the comments among the tokens from index `at` to the place `end`; returns the index of the next token.
    fn trivia(&mut self, text: &str, tokens: &[Token], mut at: usize, end: u32) -> usize {
        while let Some(token) = tokens.get(at).filter(|token| token.span.start < end) {
            let written = token.span.text(text);
            if token.kind == TokenKind::Space {
                self.lines += written.matches('\n').count();
            } else {
                self.comment(written.trim_end());
            }
            at += 1;
        }
        at
    }

    fn comment(&mut self, comment: &str) {
        if self.lines == 0 && !self.text.is_empty() {
            self.text.truncate(self.text.trim_end_matches('\n').len());
            self.text.push_str("  ");
        } else {
            self.separate();
        }
        self.text.push_str(comment);
        self.text.push('\n');
    }

    fn item(&mut self, item: &str) {
        self.separate();
        self.text.push_str(item);
        self.text.push('\n');
    }

    /// Writes an empty line if the source had at least one.
    fn separate(&mut self) {
        if self.lines > 1 && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.lines = 0;
    }

    fn finish(self) -> String {
        self.text
    }
}
