//! Doc comments: they are collected before parsing, each under the token that follows it, and taken by the item,
//! member, case or alternative that begins with this token. Doc comments that remain are reported.

use super::ast::Doc;
use super::token::{Token, TokenKind};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::span::{Span, part};
use std::collections::BTreeMap;

/// The doc comments of one item that have not been taken yet. Places are offsets into the item's text.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    before: BTreeMap<u32, Vec<Doc>>,
    /// Doc comments after other text on their line, or with nothing after them.
    strays: Vec<Span>,
}

impl Docs {
    /// Returns the doc comments among `tokens`.
    pub(crate) fn collect(text: &str, tokens: &[Token]) -> Docs {
        let mut docs = Docs::default();
        let mut waiting: Vec<Doc> = Vec::new();
        for token in tokens {
            match token.kind {
                TokenKind::Doc if !first_on_line(text, token.span.start) => docs.strays.push(token.span),
                TokenKind::Doc => waiting.push(doc(text, token.span)),
                kind if kind.is_trivia() => {}
                _ if waiting.is_empty() => {}
                _ => drop(docs.before.insert(token.span.start, std::mem::take(&mut waiting))),
            }
        }
        docs.strays.extend(waiting.iter().map(|doc| doc.span));
        docs
    }

    /// Takes the doc comments before the token at `offset`; moves their places by `base`.
    pub(crate) fn take(&mut self, offset: u32, base: u32) -> Vec<Doc> {
        let mut docs = self.before.remove(&offset).unwrap_or_default();
        docs.iter_mut().for_each(|doc| doc.span = doc.span.shifted(base));
        docs
    }

    /// Returns the places of the doc comments that nothing took.
    pub(crate) fn into_strays(self) -> impl Iterator<Item = Span> {
        let left = self.before.into_values().filter_map(|docs| Some(docs.first()?.span.merge(docs.last()?.span)));
        self.strays.into_iter().chain(left)
    }
}

/// Returns whether only white space stands before `offset` on its line.
pub(crate) fn first_on_line(text: &str, offset: u32) -> bool {
    let before = part(text, ..offset as usize);
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    line.chars().all(|c| c.is_whitespace() || c == '\u{FEFF}')
}

/// Returns the warning about a doc comment that describes nothing.
pub(crate) fn stray(span: Span) -> Diagnostic {
    let help = "put it on a line of its own before an item, a field, an alternative or a case, or write `//`";
    let fix = Fix::new("write `//`", Span::new(span.start, span.start + 3), "//");
    Diagnostic::warning(Code::StrayDoc, span, "this doc comment describes nothing").help(help).fix(fix)
}

fn doc(text: &str, span: Span) -> Doc {
    let line = span.text(text).trim_start_matches("///");
    Doc { text: line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned(), span }
}
