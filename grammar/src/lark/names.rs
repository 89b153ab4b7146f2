//! Lists the names of a Lark file from its syntax tree, before templates are expanded.

use super::ast::{Ending, Item, Mode, Node, NodeKind};
use super::lex::Lark;
use super::lexemes::{Lexeme, Token};
use super::parse;
use crate::diagnostic::Sink;
use crate::notation::TEXT_LIMIT;
use crate::notation::lexer::lexemes;
use crate::rules::{RuleName, RuleNameKind};
use crate::span::{Span, Spanned};

/// Returns every name of a rule or terminal, in source order; statements that cannot be read and parameters of templates are
/// left out.
///
/// ```
/// let names = ogc_grammar::lark::names("start: WORD (\",\" WORD)*\n%import common.WORD\n");
/// let places: Vec<u32> = names.iter().filter(|one| one.name == "WORD").map(|one| one.span.start).collect();
/// assert_eq!(places, [7, 17, 39]);
/// ```
#[must_use]
pub fn names(text: &str) -> Vec<RuleName> {
    if text.len() > TEXT_LIMIT {
        return Vec::new();
    }
    let mut sink = Sink::default();
    let Ok(lexemes) = lexemes::<Lark>(text, &mut sink) else { return Vec::new() };
    let file = parse::file(text, &lexemes, 0, &mut sink);
    let mut collector = Collector { lexemes: &lexemes, found: Vec::new() };
    file.items.iter().for_each(|item| collector.item(item));
    file.ignored.iter().for_each(|node| collector.node(node, &[]));
    file.imports
        .iter()
        .flat_map(|import| &import.names)
        .for_each(|(name, alias)| collector.import(name, alias.as_ref()));
    let mut found = collector.found;
    found.sort_by_key(|name| name.span);
    found
}

struct Collector<'l> {
    lexemes: &'l [Lexeme],
    found: Vec<RuleName>,
}

impl Collector<'_> {
    /// Adds an item that is imported from another file: its alias is a definition.
    fn import(&mut self, name: &Spanned<String>, alias: Option<&Spanned<String>>) {
        self.found.push(match alias {
            Some(alias) => RuleName::new(&alias.value, alias.span, RuleNameKind::Definition),
            None => RuleName::new(&name.value, name.span, RuleNameKind::Import),
        });
    }

    fn item(&mut self, item: &Item) {
        // An item that is imported from a library without an alias has only this place.
        let is_imported = item.body.span == item.name.span;
        let kind = match item.mode {
            Mode::Define if is_imported => RuleNameKind::Import,
            Mode::Define => RuleNameKind::Definition,
            Mode::Override | Mode::Extend => RuleNameKind::Use,
        };
        self.found.push(RuleName::new(&item.name.value, item.name.span, kind));
        self.node(&item.body, &item.params);
        if let Ending::Marker(marker, _) = &item.ending {
            self.node(marker, &item.params);
        }
    }

    /// Adds the names in an expression. The parser's nesting limit bounds the recursion.
    fn node(&mut self, node: &Node, params: &[Spanned<String>]) {
        match &node.kind {
            NodeKind::Name(name) => self.uses(name, self.within(node.span, name), params),
            NodeKind::Template { name, .. } => self.uses(&name.value, name.span, params),
            _ => {}
        }
        node.children().iter().for_each(|child| self.node(child, params));
    }

    fn uses(&mut self, name: &str, span: Span, params: &[Spanned<String>]) {
        if !params.iter().any(|param| param.value == name) {
            self.found.push(RuleName::new(name, span, RuleNameKind::Use));
        }
    }

    /// Returns the span of a name inside `span`, which may include parentheses around it.
    fn within(&self, span: Span, name: &str) -> Span {
        let first = self.lexemes.partition_point(|lexeme| lexeme.span.start < span.start);
        let mut inside = self.lexemes.iter().skip(first).take_while(|lexeme| lexeme.span.end <= span.end);
        let is_it = |lexeme: &&Lexeme| matches!(&lexeme.token, Token::Name(written) if written == name);
        inside.find(is_it).map_or(span, |lexeme| lexeme.span)
    }
}
