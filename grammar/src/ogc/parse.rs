//! The parser of `.ogc` files: the steps of the front end in their order.

use super::actions::Actions;
use super::ast::{File, Item, ItemKind, Name};
use super::depth;
use super::docs::{self, Docs};
use super::generated;
use super::lexer::first_tokens;
use super::repair::{ItemLexemes, repair};
use super::split::{ItemText, split};
use super::stray::stray;
use super::terminal::{Lexeme, keyword_at, lexemes};
use super::token::{Token, TokenKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_long, too_many_tokens};
use crate::fix::Fix;
use crate::lines::LineIndex;
use crate::notation::{TEXT_LIMIT, TOKEN_LIMIT};
use crate::pulse::step;
use crate::span::Span;

/// A parsed file: its tree and its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// Syntax tree, with error nodes for text that could not be read.
    pub file: File,
    /// Findings, in order of place. If none is an error, the file has no error nodes.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file split into its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items {
    /// Items in source order. They do not overlap; between them are only white space and comments.
    pub items: Vec<ItemText>,
    /// Findings between items, and an error if the text is too long.
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

/// Splits a file into items without parsing them.
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
    let tokens = first_tokens(text, TOKEN_LIMIT + 1);
    if let Some(first) = tokens.get(TOKEN_LIMIT) {
        return Items { items: Vec::new(), diagnostics: vec![too_many_tokens(first.span, TOKEN_LIMIT)] };
    }
    let items = split(text, &tokens);
    let diagnostics = between(text, &items, &tokens);
    Items { items, diagnostics }
}

/// Reads the text of one item, as [`items`] returns it. All places are moved by `base`: 0 gives places in the item,
/// which do not depend on the rest of the file; the item's start gives places in the file.
#[must_use]
pub fn parse_item(text: &str, base: u32) -> (Item, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (lost(text, base), vec![refusal]);
    }
    let tokens = first_tokens(text, TOKEN_LIMIT + 1);
    if let Some(first) = tokens.get(TOKEN_LIMIT) {
        return (lost(text, base), vec![too_many_tokens(first.span.shifted(base), TOKEN_LIMIT)]);
    }
    let written = lexemes(text, &tokens);
    if let Some(refusal) = depth::too_deep(&written, base) {
        return (lost(text, base), vec![refusal]);
    }
    let known = written.first().is_some_and(|first| first.kind != TokenKind::Unknown);
    let mut mended = repair(text, written, base);
    if known && !has_keyword(&mended.lexemes) {
        return astray(text, base, mended);
    }
    block_comments(text, &tokens, base, &mut mended.sink);
    let (lexemes, sink) = (mended.lexemes, mended.sink);
    let mut actions = Actions::new(base, &lexemes, Docs::collect(text, &tokens), mended.confused, sink);
    let item = read(text, base, &lexemes, &mut actions);
    (item, causes(text, base, actions.finish()))
}

/// Drops the findings of one item that are mere consequences of others. After an unexpected token, or a part that has
/// no meaning in its position, no other finding about that line is kept. An unexpected token is not reported after
/// another error on its line.
fn causes(text: &str, base: u32, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.is_empty() {
        return found;
    }
    let lines = LineIndex::new(text);
    let line = |one: &Diagnostic| lines.place(one.span.start.saturating_sub(base)).line;
    let ends = |one: &Diagnostic| matches!(one.code, Code::DefaultValue | Code::SideBySide);
    let fits_nowhere =
        |one: &Diagnostic| matches!(one.code, Code::UnexpectedToken | Code::LeadingBracket | Code::UnexpectedEnd);
    // The line of the last kept error that is the first on its line, and whether other findings about that line are
    // dropped.
    let mut first: Option<(u32, bool)> = None;
    found.retain(|one| {
        if !one.is_error() {
            return true;
        }
        let here = line(one);
        match first.filter(|(line, _)| *line == here) {
            Some((_, lost)) => !lost && !fits_nowhere(one),
            None => {
                first = Some((here, fits_nowhere(one) || ends(one)));
                true
            }
        }
    });
    found
}

/// Parses the repaired tokens.
fn read<'t>(text: &str, base: u32, lexemes: &'t [Lexeme<'t>], actions: &mut Actions<'t>) -> Item {
    let source = lexemes.iter().inspect(|_| step()).map(|lexeme| (lexeme.start, *lexeme, lexeme.end));
    match generated::ItemParser::new().parse(actions, source) {
        Ok(item) => item,
        Err(failure) => {
            actions.report(&failure);
            actions.drop_docs();
            Item { kind: ItemKind::Error(defined(lexemes, base)), ..lost(text, base) }
        }
    }
}

/// Reports an item that does not begin with a keyword, with no other finding about it.
fn astray(text: &str, base: u32, mended: ItemLexemes<'_>) -> (Item, Vec<Diagnostic>) {
    if mended.lexemes.is_empty() && mended.confused {
        return (lost(text, base), mended.sink.finish());
    }
    // An attribute that is not closed contains the item that it is about.
    let attribute = mended.lexemes.first().is_some_and(|first| first.kind == TokenKind::AttributeOpen);
    if attribute && mended.sink.has(Code::UnclosedParenthesis) {
        return (lost(text, base), mended.sink.finish());
    }
    let (found, name) = stray(&mended.lexemes, base);
    (Item { kind: ItemKind::Error(name), ..lost(text, base) }, vec![found])
}

/// Returns whether an item keyword is among the tokens; without one, nothing can be parsed.
fn has_keyword(lexemes: &[Lexeme<'_>]) -> bool {
    let head = keyword_at(lexemes);
    lexemes.get(head).is_some_and(|lexeme| lexeme.kind.is_keyword())
}

/// Returns the name that a broken item defines, so that its uses are not reported.
fn defined(lexemes: &[Lexeme<'_>], base: u32) -> Option<Name> {
    let head = keyword_at(lexemes);
    let defines = lexemes.get(head).filter(|lexeme| lexeme.kind != TokenKind::Test)?;
    // `output Name` alone was meant as a use of the name.
    let used = defines.kind == TokenKind::Output && lexemes.len() == head + 2;
    let name = lexemes
        .get(head + 1)
        .filter(|_| !used)
        .filter(|lexeme| lexeme.kind == TokenKind::Name && defines.kind.is_keyword())?;
    Some(Name { text: name.text.to_owned(), span: Span::new(name.start, name.end).shifted(base) })
}

/// Makes the item for a text that could not be read.
fn lost(text: &str, base: u32) -> Item {
    let span = Span::of(0, text.len()).shifted(base);
    Item { docs: Vec::new(), attributes: Vec::new(), kind: ItemKind::Error(None), span }
}

/// Reports block comments, which the language does not have.
fn block_comments(text: &str, tokens: &[Token], base: u32, sink: &mut Sink) {
    for token in tokens.iter().filter(|token| token.kind == TokenKind::BlockComment) {
        let span = token.span.shifted(base);
        let sign = if token.span.text(text).starts_with("/**") { "///" } else { "//" };
        let help = format!("begin each line of it with `{sign}`");
        let lines = line_comments(text, token.span, sign);
        let fix = lines.map(|lines| Fix::new(format!("write `{sign}`"), span, lines));
        sink.push(Diagnostic::error(Code::BlockComment, span, "there are no block comments").help(help).fix(fix));
    }
}

/// Rewrites a block comment as line comments that begin with `sign`, if nothing follows it on its last line.
fn line_comments(text: &str, span: Span, sign: &str) -> Option<String> {
    let after = text.get(span.end as usize..)?.lines().next().unwrap_or_default();
    let inner = span.text(text).strip_prefix("/*")?.strip_suffix("*/")?;
    let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).map(|line| format!("{sign} {line}")).collect();
    let before = text.get(..span.start as usize)?;
    let before = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let indent = if before.trim().is_empty() { before } else { "" };
    (after.trim().is_empty()).then(|| lines.join(&format!("\n{indent}")))
}

/// Reports doc comments outside of items.
fn between(text: &str, items: &[ItemText], tokens: &[Token]) -> Vec<Diagnostic> {
    let mut items = items.iter().peekable();
    let mut sink = Sink::default();
    for token in tokens.iter().filter(|token| matches!(token.kind, TokenKind::Doc | TokenKind::BlockComment)) {
        while items.next_if(|item| item.span.end <= token.span.start).is_some() {}
        let outside = items.peek().is_none_or(|item| token.span.start < item.span.start);
        if outside && token.kind == TokenKind::Doc {
            sink.push(docs::stray(token.span));
        } else if outside {
            block_comments(text, &[*token], 0, &mut sink);
        }
    }
    sink.finish()
}
