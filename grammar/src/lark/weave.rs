//! Turns a Lark file without templates into the rule tree: separates terminals from rules, and inserts the ignored
//! text.
//!
//! The rule `%ignore` is inserted after every terminal of a rule, and before the start rule's body. It is a repetition,
//! so ignored text is allowed between any two terminals and at both ends. No name in a file can be `%ignore`.
//!
//! `A & B` is `A - (.* - B)`.

use super::ENTRY;
use super::ast::{Ending, File, Item, Node, NodeKind, is_terminal_name};
use super::captures::captured;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::rules::{Expr, ExprKind, Grammar, Rule, Start};
use crate::span::{Span, Spanned};
use std::collections::HashMap;

/// The name of the rule for ignored text between terminals.
const IGNORE: &str = "%ignore";

/// Builds the rule tree of a file.
pub(super) fn weave(file: &File, start: Start<'_>, sink: &mut Sink) -> Grammar {
    let mut terminals = HashMap::new();
    for item in &file.items {
        terminals.entry(item.name.value.as_str()).or_insert_with(|| item.is_terminal());
    }
    let mut weaver = Weaver { file, terminals, ignores: !file.ignored.is_empty(), made: Vec::new(), nested: 0, sink };
    let mut rules: Vec<Rule> = file.items.iter().map(|item| weaver.item(item)).collect();
    if let Start::Named(name) = start {
        weaver.begin(name, file, &mut rules);
    }
    if weaver.ignores {
        rules.push(weaver.ignored(file));
    }
    rules.append(&mut weaver.made);
    super::cycles::check(file, sink);
    let start = rules.iter().any(|rule| rule.name.value == ENTRY).then(|| ENTRY.to_owned());
    Grammar { rules, start }
}

struct Weaver<'f, 's> {
    file: &'f File,
    /// For each name, whether it is a terminal.
    terminals: HashMap<&'f str, bool>,
    ignores: bool,
    /// Rules of inner grammars.
    made: Vec<Rule>,
    /// Number of inner grammars.
    nested: usize,
    sink: &'s mut Sink,
}

impl Weaver<'_, '_> {
    fn item(&mut self, item: &Item) -> Rule {
        let body = if item.is_terminal() { self.terminal_item(item) } else { self.rule(&item.body) };
        let ignored = (self.ignores && !item.is_terminal()).then_some(IGNORE);
        let body = captured(item, body, ignored, self.file, self.sink);
        Rule { name: item.name.clone(), body }
    }

    /// Adds the ignored text before the start: to the rule itself if it is called `start`, else in a new rule before
    /// it, as other uses of the rule must not change.
    fn begin(&self, start: &str, file: &File, rules: &mut Vec<Rule>) {
        let Some(item) = file.items.iter().find(|item| item.name.value == start) else { return };
        let Some(rule) = rules.iter_mut().find(|rule| rule.name.value == start).filter(|_| self.ignores) else {
            return;
        };
        let span = item.name.span;
        let after = if item.is_terminal() { self.skip(span) } else { Expr::empty(span) };
        let before = if file.options.initial_skip { self.skip(span) } else { Expr::empty(span) };
        if start == super::START {
            let body = std::mem::replace(&mut rule.body, Expr::empty(span));
            rule.body = Expr::new(ExprKind::Sequence(vec![before, body, after]), item.body.span);
            return;
        }
        let named = Expr::new(ExprKind::Name(start.to_owned()), span);
        let body = Expr::new(ExprKind::Sequence(vec![before, named, after]), span);
        rules.push(Rule { name: Spanned::new(ENTRY.to_owned(), span), body });
    }

    fn terminal_item(&mut self, item: &Item) -> Expr {
        let body = self.ended(item);
        match item.length {
            Some(length) => {
                let span = body.span;
                Expr::new(ExprKind::Limited(Box::new(body), length), span)
            }
            None => body,
        }
    }

    fn ended(&mut self, item: &Item) -> Expr {
        let body = self.terminal(&item.body);
        let (whole, span) = match &item.ending {
            Ending::Free => return body,
            Ending::Lazy(span) => (body, *span),
            Ending::Marker(marker, span) => {
                let marker = self.terminal(marker);
                (Expr::new(ExprKind::Sequence(vec![body, marker]), item.body.span), *span)
            }
        };
        Expr::new(ExprKind::Lazy(Box::new(whole)), span)
    }

    fn ignored(&mut self, file: &File) -> Rule {
        let arms: Vec<Expr> = file.ignored.iter().map(|node| self.terminal(node)).collect();
        let span = file.ignored.first().map(|node| node.span).unwrap_or_default();
        let most = file.options.ignore_once.then_some(1);
        let body = Expr::alternation(arms, span).repeat(0, most, span);
        Rule { name: Spanned::new(IGNORE.to_owned(), span), body }
    }

    fn skip(&self, span: Span) -> Expr {
        Expr::new(ExprKind::Name(IGNORE.to_owned()), Span::empty(span.end))
    }

    /// Builds a terminal in a rule, followed by ignored text.
    fn lexeme(&self, kind: ExprKind, span: Span) -> Expr {
        let empty = matches!(&kind, ExprKind::Literal(text) if text.is_empty());
        let lexeme = Expr::new(kind, span);
        if !self.ignores || empty {
            return lexeme;
        }
        Expr::new(ExprKind::Sequence(vec![lexeme, self.skip(span)]), span)
    }

    fn is_terminal(&self, name: &str) -> bool {
        self.terminals.get(name).copied().unwrap_or_else(|| is_terminal_name(name))
    }

    /// Builds an expression of a rule. The parser's nesting limit bounds the recursion.
    fn rule(&mut self, node: &Node) -> Expr {
        step();
        let span = node.span;
        match &node.kind {
            NodeKind::Name(name) if self.is_terminal(name) => self.lexeme(ExprKind::Name(name.clone()), span),
            NodeKind::Name(name) => Expr::new(ExprKind::Name(name.clone()), span),
            NodeKind::Sequence(nodes) => Expr::new(ExprKind::Sequence(self.rules(nodes)), span),
            NodeKind::Alternation(nodes) => Expr::new(ExprKind::Alternation(self.rules(nodes)), span),
            NodeKind::Repeat { node, min, max } => repeat(self.rule(node), *min, *max, span),
            NodeKind::And(_) | NodeKind::Not(_) => {
                let message = "`&` and `~` combine sets of texts, which only terminals are";
                let found = Diagnostic::error(Code::LarkTerminalOnly, span, message);
                self.sink.push(found.help("define a terminal with this expression, and name it here"));
                Expr::empty(span)
            }
            NodeKind::Nested(grammar) => {
                let name = self.nested(grammar);
                self.lexeme(ExprKind::Name(name), span)
            }
            NodeKind::Token(_)
            | NodeKind::Given(_)
            | NodeKind::Json(_)
            | NodeKind::Substring(_)
            | NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Template { .. } => self.lexeme(leaf(node), span),
        }
    }

    fn rules(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|node| self.rule(node)).collect()
    }

    /// Builds an expression of a terminal, in which nothing is ignored.
    fn terminal(&mut self, node: &Node) -> Expr {
        step();
        let span = node.span;
        let kind = match &node.kind {
            NodeKind::Name(name) => {
                // A name without a definition has a finding of its own.
                if self.terminals.get(name.as_str()) == Some(&false) {
                    self.refuse_rule(name, span);
                }
                ExprKind::Name(name.clone())
            }
            NodeKind::Sequence(nodes) => ExprKind::Sequence(self.terminals_of(nodes)),
            NodeKind::Alternation(nodes) => ExprKind::Alternation(self.terminals_of(nodes)),
            NodeKind::Repeat { node, min, max } => return repeat(self.terminal(node), *min, *max, span),
            NodeKind::And(nodes) => return self.intersection(nodes, span),
            NodeKind::Not(node) => {
                let refused = self.terminal(node);
                return without(anything(span), refused, span);
            }
            NodeKind::Token(_) => self.refuse_part("a token of the vocabulary", span),
            NodeKind::Json(_) => self.refuse_part("a JSON value", span),
            NodeKind::Nested(_) | NodeKind::Given(_) => self.refuse_part("another grammar", span),
            NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Substring(_)
            | NodeKind::Template { .. } => leaf(node),
        };
        Expr::new(kind, span)
    }

    fn terminals_of(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|node| self.terminal(node)).collect()
    }

    fn refuse_part(&mut self, what: &str, span: Span) -> ExprKind {
        let found = Diagnostic::error(Code::LarkTerminalOnly, span, format!("{what} is no part of a terminal"));
        self.sink.push(found.help("use it in a rule, whose name is written in small letters, without attributes"));
        ExprKind::Sequence(Vec::new())
    }

    /// Adds the rules of an inner grammar under new names; returns the name of its start rule.
    fn nested(&mut self, grammar: &Grammar) -> String {
        self.nested += 1;
        let prefix = format!("lark{}%", self.nested);
        let rename = |name: &str| format!("{prefix}{name}");
        for rule in &grammar.rules {
            let mut body = rule.body.clone();
            body.moved(0, &rename);
            self.made.push(Rule { name: Spanned::new(rename(&rule.name.value), rule.name.span), body });
        }
        rename(super::START)
    }

    fn refuse_rule(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is a rule; a terminal is made of terminals only");
        let help = "write the name of what it refers to in capitals, or make this a rule";
        self.sink.push(Diagnostic::error(Code::LarkTerminalOnly, span, message).help(help));
    }

    /// Builds the intersection of nodes: one of them, minus everything outside of any other. Its depth does not grow
    /// with the number of nodes.
    fn intersection(&mut self, nodes: &[Node], span: Span) -> Expr {
        let mut held: Option<Expr> = None;
        let mut outside = Vec::new();
        for node in nodes {
            match &node.kind {
                NodeKind::Not(inner) => outside.push(self.terminal(inner)),
                _ if held.is_none() => held = Some(self.terminal(node)),
                _ => outside.push(without(anything(span), self.terminal(node), span)),
            }
        }
        let held = held.unwrap_or_else(|| anything(span));
        if outside.is_empty() { held } else { without(held, Expr::alternation(outside, span), span) }
    }
}

fn leaf(node: &Node) -> ExprKind {
    match &node.kind {
        NodeKind::Literal(text) => ExprKind::Literal(text.clone()),
        NodeKind::Range(low, high) => ExprKind::Class { negated: false, ranges: vec![(*low, *high)] },
        NodeKind::Regex(pattern) => ExprKind::Regex(pattern.clone()),
        NodeKind::Token(token) => ExprKind::Token(token.clone()),
        NodeKind::Substring(chunks) => ExprKind::Substring(chunks.clone()),
        NodeKind::Json(schema) => ExprKind::Json(schema.clone()),
        _ => ExprKind::Sequence(Vec::new()),
    }
}

fn repeat(expr: Expr, min: u32, max: Option<u32>, span: Span) -> Expr {
    Expr::new(ExprKind::Repeat { expr: Box::new(expr), min, max }, span)
}

/// Returns an expression for any text.
fn anything(span: Span) -> Expr {
    repeat(Expr::new(ExprKind::Any, span), 0, None, span)
}

fn without(kept: Expr, refused: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Exception(Box::new(kept), Box::new(refused)), span)
}
