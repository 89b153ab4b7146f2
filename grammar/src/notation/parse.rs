//! The parser of the notations with postfix operators: GBNF and W3C EBNF.
//!
//! A rule lasts until the next `name ::=`. In GBNF the end of a line ends it too, except inside parentheses, after
//! `::=` and `|`, and before a line that begins with `|` or is indented (llama.cpp requires the `|` on the previous
//! line; the other positions are unambiguous, and xgrammar accepts them). The first error of a rule ends the rule; the
//! parser resumes with the next rule.

mod arguments;
mod calls;
mod habits;
mod options;
mod recover;
mod xgrammar_regex;

use std::collections::HashSet;

use super::lexeme::{Lexeme, RuleOption, Token};
use super::{NESTING_LIMIT, STACKED_LIMIT};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::rules::{Expr, ExprKind, Grammar, Rule};
use crate::span::{Span, Spanned};
use recover::MACROS;
pub(crate) use recover::is_called;

/// The notation being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Gbnf,
    W3c,
}

/// A lookahead at the end of a rule: a promise that the text after the rule begins with one of these texts.
#[derive(Debug)]
pub(crate) struct Lookahead {
    /// The name of the rule.
    pub(crate) rule: String,
    /// The texts.
    pub(crate) texts: Expr,
    /// Span, including the parentheses.
    pub(crate) span: Span,
}

/// Reads all rules; lookaheads at their ends are dropped.
pub(crate) fn grammar(text: &str, lexemes: &[Lexeme], dialect: Dialect, sink: &mut Sink) -> Grammar {
    grammar_and_lookaheads(text, lexemes, dialect, sink).0
}

/// Reads all rules, and returns the lookaheads at their ends.
pub(crate) fn grammar_and_lookaheads(
    text: &str,
    lexemes: &[Lexeme],
    dialect: Dialect,
    sink: &mut Sink,
) -> (Grammar, Vec<Lookahead>) {
    let mut parser = Parser {
        text,
        lexemes,
        at: 0,
        depth: 0,
        dialect,
        heads: Vec::new(),
        defined: HashSet::new(),
        macro_rules: Vec::new(),
        lookaheads: Vec::new(),
        separators: Vec::new(),
        forgiven: None,
        made: Vec::new(),
        failed: false,
        has_operator: false,
        sink,
    };
    parser.heads = (0..lexemes.len()).filter(|i| parser.head_at(*i).is_some()).collect();
    parser.defined = parser.heads.iter().filter_map(|at| Some(parser.head_at(*at)?.name)).collect();
    parser.macro_rules = MACROS.into_iter().filter(|name| parser.defined.contains(name)).collect();
    let mut grammar = Grammar::default();
    while parser.at < lexemes.len() {
        parser.failed = false;
        parser.has_operator = false;
        match parser.head_at(parser.at) {
            Some(head) => {
                let rule = parser.rule(head);
                grammar.rules.push(rule);
            }
            None => parser.stray(),
        }
    }
    grammar.rules.append(&mut parser.made);
    (grammar, parser.lookaheads)
}

/// The beginning of a rule.
#[derive(Clone, Copy)]
struct Head<'l> {
    name: &'l str,
    span: Span,
    /// The options of xgrammar's dialect, as in `r[lazy] ::= "a"`.
    options: &'l [RuleOption],
    len: usize,
}

/// The parser: the lexemes, its position among them, and the sink for errors. Invariant: `heads` holds the positions of
/// all heads in ascending order.
struct Parser<'l, 's> {
    text: &'l str,
    lexemes: &'l [Lexeme],
    at: usize,
    depth: u32,
    dialect: Dialect,
    heads: Vec<usize>,
    /// Names of rules.
    defined: HashSet<&'l str>,
    /// Names of xgrammar's calls that are names of rules here.
    macro_rules: Vec<&'static str>,
    lookaheads: Vec<Lookahead>,
    /// Separators of other notations that have been reported.
    separators: Vec<char>,
    /// Place of a head before which a stray word of its line has been reported.
    forgiven: Option<usize>,
    /// Helper rules that calls need.
    made: Vec<Rule>,
    /// Whether an error in the current rule has been reported.
    failed: bool,
    /// Whether a spaced operator in the current rule has been reported.
    has_operator: bool,
    sink: &'s mut Sink,
}

impl<'l> Parser<'l, '_> {
    fn head_at(&self, at: usize) -> Option<Head<'l>> {
        let lexeme = self.lexemes.get(at)?;
        let Token::Name(name) = &lexeme.token else {
            return None;
        };
        let head = Head { name, span: lexeme.span, options: &[], len: 2 };
        match (self.token(at + 1), self.token(at + 2)) {
            (Some(Token::Define), _) => Some(head),
            (Some(Token::Options(options)), Some(Token::Define)) => Some(Head { options, len: 3, ..head }),
            _ => None,
        }
    }

    fn token(&self, at: usize) -> Option<&'l Token> {
        self.lexemes.get(at).map(|lexeme| &lexeme.token)
    }

    /// Returns whether the lexeme after `at` follows without any space.
    fn adjacent(&self, at: usize) -> bool {
        let end = self.lexemes.get(at).map(|l| l.span.end);
        end.is_some() && self.lexemes.get(at + 1).map(|l| l.span.start) == end
    }

    fn rule(&mut self, head: Head<'_>) -> Rule {
        self.check_line(head);
        self.at += head.len;
        let body = self.alternation();
        if self.at_lookahead() {
            self.lookahead(head.name);
        }
        self.check_end();
        let body = self.with_options(head, body);
        Rule { name: Spanned::new(head.name.to_owned(), head.span), body }
    }

    /// Returns whether `(=` is next.
    fn at_lookahead(&self) -> bool {
        let opens = self.dialect == Dialect::Gbnf && self.peek_token() == Some(&Token::Open);
        opens && self.adjacent(self.at) && self.token(self.at + 1) == Some(&Token::Unknown('='))
    }

    /// Reads `(= ...)`.
    fn lookahead(&mut self, rule: &str) {
        let open = self.here();
        self.at += 2;
        self.depth += 1;
        let texts = self.alternation();
        self.depth -= 1;
        if self.peek_token() != Some(&Token::Close) || self.at_head() {
            return self.fail_unclosed(open);
        }
        let span = open.merge(self.here());
        self.at += 1;
        self.lookaheads.push(Lookahead { rule: rule.to_owned(), texts, span });
    }

    fn check_line(&mut self, head: Head<'_>) {
        let starts_line = self.peek().is_some_and(|l| l.starts_line);
        if self.dialect == Dialect::Gbnf && !starts_line && self.forgiven != Some(self.at) {
            let message = format!("the rule `{}` begins in the middle of a line", head.name);
            self.sink.push(Diagnostic::error(Code::GbnfLine, head.span, message).help("put it on a line of its own"));
        }
    }

    fn alternation(&mut self) -> Expr {
        let start = self.here();
        let mut arms = vec![self.sequence()];
        while self.peek_token() == Some(&Token::Bar) && !self.at_head() {
            let bar = self.here();
            self.at += 1;
            let arm = self.sequence();
            self.warn_empty(&arm, bar);
            arms.push(arm);
        }
        Expr::alternation(arms, start)
    }

    fn sequence(&mut self) -> Expr {
        let start = self.here();
        let mut items: Vec<Expr> = Vec::new();
        let first = self.at;
        while !self.ends_sequence(first) {
            match self.item(first) {
                Some(item) => items.push(item),
                None => break,
            }
        }
        Expr::sequence(items, start)
    }

    /// Returns whether the sequence that began at lexeme `first` ends here.
    fn ends_sequence(&self, first: usize) -> bool {
        let Some(lexeme) = self.peek() else {
            return true;
        };
        let line_ends = self.dialect == Dialect::Gbnf
            && self.depth == 0
            && self.at > first
            && lexeme.starts_line
            && !lexeme.is_indented;
        let ends = line_ends || matches!(lexeme.token, Token::Bar | Token::Close) || self.at_head();
        ends || self.depth == 0 && self.at_lookahead()
    }

    /// Reads one expression with its postfix operators; `None` after an error, which is reported.
    fn item(&mut self, first: usize) -> Option<Expr> {
        step();
        let kept = self.repeated(first)?;
        let mut refused = Vec::new();
        while self.peek_token() == Some(&Token::Minus) {
            self.at += 1;
            refused.push(self.exception_operand()?);
        }
        // `A - B - C` subtracts B and then C, which equals subtracting `B | C`; the flat form is used.
        if refused.is_empty() {
            return Some(kept);
        }
        let refused = Expr::alternation(refused, kept.span);
        let span = kept.span.merge(refused.span);
        Some(Expr::new(ExprKind::Exception(Box::new(kept), Box::new(refused)), span))
    }

    fn exception_operand(&mut self) -> Option<Expr> {
        let first = self.at;
        if self.ends_sequence(first) {
            let place = self.previous_span();
            self.fail(Diagnostic::error(Code::ExpectedExpression, place, "nothing stands after `-`"));
            return None;
        }
        self.repeated(first)
    }

    fn repeated(&mut self, first: usize) -> Option<Expr> {
        let mut expr = self.primary()?;
        let mut stacked = 0;
        while !self.ends_sequence(first) {
            let Some(Token::Repeat { min, max }) = self.peek_token() else {
                break;
            };
            let (min, max, span) = (*min, *max, self.here());
            stacked += 1;
            if stacked > STACKED_LIMIT {
                self.fail_stacked(stacked);
                return None;
            }
            if stacked > 1 && (min, max) == (0, Some(1)) {
                self.warn_lazy();
            }
            self.at += 1;
            self.warn_spaced();
            expr = expr.repeat(min, max, span);
        }
        Some(expr)
    }

    fn primary(&mut self) -> Option<Expr> {
        let lexeme = self.peek()?;
        let span = lexeme.span;
        let kind = match &lexeme.token {
            Token::Open => return self.group(),
            Token::Name(name) if self.is_macro(name) => return self.call(name),
            Token::Name(name) if let Some(meant) = self.meant_macro(name) => return self.misspelt_call(name, meant),
            Token::Name(name) => ExprKind::Name(name.clone()),
            Token::Literal(text) => ExprKind::Literal(text.clone()),
            Token::Class { negated, ranges } => ExprKind::Class { negated: *negated, ranges: ranges.clone() },
            Token::Any => ExprKind::Any,
            Token::Vocabulary(token) => ExprKind::Token(token.clone()),
            Token::Reported => ExprKind::Sequence(Vec::new()),
            Token::Define
            | Token::Bar
            | Token::Close
            | Token::Minus
            | Token::Repeat { .. }
            | Token::Options(_)
            | Token::Unknown(_) => {
                self.fail_unexpected();
                return None;
            }
        };
        self.at += 1;
        Some(Expr::new(kind, span))
    }

    fn group(&mut self) -> Option<Expr> {
        let open = self.here();
        if self.depth >= NESTING_LIMIT {
            self.fail_nesting();
            return None;
        }
        self.at += 1;
        self.depth += 1;
        let inner = self.alternation();
        self.depth -= 1;
        if self.peek_token() == Some(&Token::Close) && !self.at_head() {
            let span = open.merge(self.here());
            self.at += 1;
            return Some(Expr { span, ..inner });
        }
        self.fail_unclosed(open);
        None
    }

    fn peek(&self) -> Option<&'l Lexeme> {
        self.lexemes.get(self.at)
    }

    fn peek_token(&self) -> Option<&'l Token> {
        self.peek().map(|l| &l.token)
    }

    fn at_head(&self) -> bool {
        self.head_at(self.at).is_some()
    }

    /// Returns the span of the next lexeme; at the end, the empty span after the last.
    fn here(&self) -> Span {
        self.peek().map_or_else(|| Span::empty(self.previous_span().end), |l| l.span)
    }

    fn previous_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map(|l| l.span).unwrap_or_default()
    }
}
