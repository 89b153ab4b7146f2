//! Text to trees: the steps of the front end in their order.

use super::actions::Actions;
use super::ast::{File, Item, ItemKind};
use super::depth;
use super::docs::{self, Docs};
use super::generated;
use super::lexer::tokens;
use super::split::{ItemText, split};
use super::terminal::lexemes;
use super::token::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::notation::TEXT_LIMIT;
use crate::span::Span;

/// A file as read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// What was understood.
    pub file: File,
    /// What was found, in order of place. Without an error among them, the file has no error nodes.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items {
    /// Its items in source order. They do not overlap; between them are white space and comments only.
    pub items: Vec<ItemText>,
    /// What was found between them, and a refusal of a text that is too long.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file.
///
/// ```
/// let parse = ogc_grammar::ogc::parse("type Answer = { text: string<1..80> }\noutput Reply = Answer");
/// assert_eq!((parse.file.items.len(), parse.diagnostics.len()), (2, 0));
/// ```
#[must_use]
pub fn parse(text: &str) -> Parse {
    let Items { items, diagnostics } = items(text);
    let mut file = File::default();
    let mut sink = Sink::default();
    diagnostics.into_iter().for_each(|found| sink.push(found));
    for item in items {
        let (item, found) = parse_item(item.span.text(text), item.span.start);
        file.items.push(item);
        found.into_iter().for_each(|found| sink.push(found));
    }
    Parse { file, diagnostics: sink.finish() }
}

/// Takes a file apart into items, parsing none of them.
///
/// ```
/// let text = "type A = string\n// about b\nrule b = \"b\"";
/// let items = ogc_grammar::ogc::items(text).items;
/// let names: Vec<&str> = items.iter().filter_map(|item| Some(item.name?.text(text))).collect();
/// assert_eq!(names, ["A", "b"]);
/// ```
#[must_use]
pub fn items(text: &str) -> Items {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return Items { items: Vec::new(), diagnostics: vec![refusal] };
    }
    let tokens = tokens(text);
    let items = split(text, &tokens);
    let diagnostics = between(&items, &tokens);
    Items { items, diagnostics }
}

/// Reads the text of one item, as [`items`] gives it. All places are moved by `base`, so that 0 gives places in the
/// item (the same wherever it stands in its file) and the item's start gives places in the file.
#[must_use]
pub fn parse_item(text: &str, base: u32) -> (Item, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (lost(text, base), vec![refusal]);
    }
    let tokens = tokens(text);
    let lexemes = lexemes(text, &tokens);
    let sink = Sink::default();
    if let Some(refusal) = depth::too_deep(&lexemes, base) {
        return (lost(text, base), vec![refusal]);
    }
    let mut actions = Actions::new(base, &lexemes, Docs::collect(text, &tokens), sink);
    let source = lexemes.iter().map(|lexeme| (lexeme.start, *lexeme, lexeme.end));
    let item = match generated::ItemParser::new().parse(&mut actions, source) {
        Ok(item) => item,
        Err(failure) => {
            actions.report(&failure);
            lost(text, base)
        }
    };
    (item, actions.finish())
}

/// An item that could not be read.
fn lost(text: &str, base: u32) -> Item {
    let span = Span::of(0, text.len()).shifted(base);
    Item { docs: Vec::new(), attributes: Vec::new(), kind: ItemKind::Error(None), span }
}

/// Doc comments that stand in no item.
fn between(items: &[ItemText], tokens: &[Token]) -> Vec<Diagnostic> {
    let mut items = items.iter().peekable();
    let mut sink = Sink::default();
    for token in tokens.iter().filter(|token| matches!(token.kind, TokenKind::Doc | TokenKind::BlockComment)) {
        while items.next_if(|item| item.span.end <= token.span.start).is_some() {}
        let outside = items.peek().is_none_or(|item| token.span.start < item.span.start);
        if outside && token.kind == TokenKind::Doc {
            sink.push(docs::stray(token.span));
        }
    }
    sink.finish()
}
