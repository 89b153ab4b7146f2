//! The parser of ABNF: lexemes to rules as they are written.
//!
//! A rule lasts until the next `name =`, or until a line that is not indented more than the first rule. A syntax error
//! ends its rule; the parser goes on with the next rule.

use super::fold::folded;
use super::lexemes::{Lexeme, Token};
use super::octets::Meaning;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_many_tokens};
use crate::notation::cursor::is_newline;
use crate::notation::{NESTING_LIMIT, TOKEN_LIMIT};
use crate::pulse::step;
use crate::rules::{Expr, ExprKind};
use crate::span::{Span, Spanned, part};

/// A part of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `name = ...`
    First,
    /// `name =/ ...`
    Further,
}

/// A rule, or the alternatives that `=/` adds to a rule.
pub(super) struct Written {
    pub(super) name: Spanned<String>,
    pub(super) part: Part,
    pub(super) body: Expr,
}

/// Reads all rules; returns an error if their strings have too many letters, because each letter becomes a class.
pub(super) fn rules(
    text: &str,
    lexemes: &[Lexeme],
    meaning: Meaning,
    sink: &mut Sink,
) -> Result<Vec<Written>, Box<Diagnostic>> {
    check_letters(lexemes)?;
    let margin = lexemes.first().map_or(0, |first| indentation(text, first.span));
    let mut parser = Parser { text, lexemes, at: 0, depth: 0, margin, meaning, heads: Vec::new(), failed: false, sink };
    parser.heads = (0..lexemes.len()).filter(|at| parser.head_at(*at).is_some()).collect();
    let mut rules = Vec::new();
    while parser.at < lexemes.len() {
        parser.failed = false;
        match parser.head_at(parser.at) {
            Some((name, part)) => rules.push(parser.rule(name, part)),
            None => parser.stray(),
        }
    }
    Ok(rules)
}

fn check_letters(lexemes: &[Lexeme]) -> Result<(), Box<Diagnostic>> {
    let mut letters = 0_usize;
    for lexeme in lexemes {
        letters += match &lexeme.token {
            Token::Text { text, has_case: false } => text.len(),
            _ => 0,
        };
        if letters > TOKEN_LIMIT {
            return Err(Box::new(too_many_tokens(lexeme.span, TOKEN_LIMIT)));
        }
    }
    Ok(())
}

/// Returns the number of characters before a lexeme on its line.
fn indentation(text: &str, span: Span) -> usize {
    let before = part(text, ..span.start as usize);
    before.chars().rev().take_while(|c| !is_newline(*c)).count()
}

/// The parser. Invariant: `heads` holds the places of all heads in ascending order.
pub(super) struct Parser<'l, 's> {
    text: &'l str,
    pub(super) lexemes: &'l [Lexeme],
    pub(super) at: usize,
    pub(super) depth: u32,
    /// Indentation of the first rule, in characters.
    margin: usize,
    meaning: Meaning,
    pub(super) heads: Vec<usize>,
    /// Whether an error in the current rule has been reported.
    pub(super) failed: bool,
    pub(super) sink: &'s mut Sink,
}

impl<'l> Parser<'l, '_> {
    /// Returns the name and the kind of the rule whose head, a name and a defining sign, begins at a lexeme.
    pub(super) fn head_at(&self, at: usize) -> Option<(Spanned<String>, Part)> {
        let lexeme = self.lexemes.get(at)?;
        let Token::Name(name) = &lexeme.token else { return None };
        let part = match self.lexemes.get(at + 1)?.token {
            Token::Define => Part::First,
            Token::Extend => Part::Further,
            _ => return None,
        };
        Some((Spanned::new(name.clone(), lexeme.span), part))
    }

    pub(super) fn at_head(&self) -> bool {
        self.heads.binary_search(&self.at).is_ok()
    }

    fn rule(&mut self, name: Spanned<String>, part: Part) -> Written {
        if !self.peek().is_some_and(|lexeme| lexeme.starts_line) {
            let message = format!("the rule `{}` begins in the middle of a line", name.value);
            let found = Diagnostic::error(Code::AbnfLine, name.span, message);
            self.sink.push(found.help("put it on a line of its own"));
        }
        self.at += 2;
        let body = self.alternation();
        self.check_end();
        Written { name, part, body }
    }

    fn alternation(&mut self) -> Expr {
        let start = self.here();
        let mut arms = vec![self.sequence()];
        while self.peek_token() == Some(&Token::Slash) {
            self.at += 1;
            arms.push(self.sequence());
        }
        Expr::alternation(arms, start)
    }

    fn sequence(&mut self) -> Expr {
        let (start, first) = (self.here(), self.at);
        let mut items: Vec<Expr> = Vec::new();
        while !self.ends_sequence(first) {
            match self.repetition() {
                Some(item) => items.push(item),
                None => break,
            }
        }
        if items.is_empty() && !self.failed {
            self.fail_nothing();
        }
        Expr::sequence(items, start)
    }

    /// Returns whether the sequence that began at lexeme `first` ends at the current lexeme.
    fn ends_sequence(&self, first: usize) -> bool {
        let Some(lexeme) = self.peek() else { return true };
        let margin = || lexeme.starts_line && indentation(self.text, lexeme.span) <= self.margin;
        let line_ends = self.depth == 0 && self.at > first && margin();
        line_ends || matches!(lexeme.token, Token::Slash | Token::Close | Token::CloseOption) || self.at_head()
    }

    /// Reads one element and the repetition before it; `None` after an error, which is reported.
    fn repetition(&mut self) -> Option<Expr> {
        step();
        let Some(Token::Repeat { min, max }) = self.peek_token() else {
            self.check_neighbour();
            return self.element();
        };
        let (min, max, sign) = (*min, *max, self.here());
        let next = self.lexemes.get(self.at + 1);
        let is_before = next.is_some_and(|next| next.span.start == sign.end && is_element(&next.token));
        if !is_before || self.follows_element() {
            self.fail_repetition(sign);
            return None;
        }
        self.at += 1;
        let repeated = self.element()?.repeat(min, max, sign);
        Some(repeated)
    }

    fn element(&mut self) -> Option<Expr> {
        let lexeme = self.peek()?;
        let span = lexeme.span;
        let kind = match &lexeme.token {
            Token::Open => return self.group(&Token::Close),
            Token::OpenOption => {
                let inner = self.group(&Token::CloseOption)?;
                let span = inner.span;
                return Some(Expr { span, ..inner.repeat(0, Some(1), span) });
            }
            Token::Text { text, has_case: false } => {
                self.at += 1;
                return Some(folded(text, span));
            }
            Token::Text { text, has_case: true } => ExprKind::Literal(text.clone()),
            Token::Name(name) => ExprKind::Name(name.clone()),
            Token::Series(series) => self.meaning.series(series, span, self.sink),
            Token::Range(first, last) => self.meaning.range(*first, *last, span, self.sink),
            Token::Reported => ExprKind::Sequence(Vec::new()),
            Token::Define
            | Token::Extend
            | Token::Slash
            | Token::Close
            | Token::CloseOption
            | Token::Repeat { .. }
            | Token::Unknown(_) => {
                self.fail_unexpected();
                return None;
            }
        };
        self.at += 1;
        Some(Expr::new(kind, span))
    }

    fn group(&mut self, close: &Token) -> Option<Expr> {
        let open = self.here();
        if self.depth >= NESTING_LIMIT {
            self.fail_nesting();
            return None;
        }
        self.at += 1;
        self.depth += 1;
        let inner = self.alternation();
        self.depth -= 1;
        if self.peek_token() == Some(close) {
            let span = open.merge(self.here());
            self.at += 1;
            return Some(Expr { span, ..inner });
        }
        self.fail_unclosed(open, close);
        None
    }

    pub(super) fn peek(&self) -> Option<&'l Lexeme> {
        self.lexemes.get(self.at)
    }

    pub(super) fn peek_token(&self) -> Option<&'l Token> {
        self.peek().map(|lexeme| &lexeme.token)
    }

    /// Returns the previous lexeme if no space separates it from the current one.
    pub(super) fn neighbour(&self) -> Option<&'l Lexeme> {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at))?;
        (before.span.end == self.here().start).then_some(before)
    }

    /// Returns whether an element ends directly before the current lexeme.
    pub(super) fn follows_element(&self) -> bool {
        self.neighbour().is_some_and(|before| {
            is_element(&before.token) && !matches!(before.token, Token::Open | Token::OpenOption)
                || matches!(before.token, Token::Close | Token::CloseOption)
        })
    }

    /// Returns the span of the next lexeme; at the end, the empty span after the last.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or_else(|| Span::empty(self.previous_span().end), |lexeme| lexeme.span)
    }

    pub(super) fn previous_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map(|lexeme| lexeme.span).unwrap_or_default()
    }
}

/// Returns whether an element can begin with a token.
fn is_element(token: &Token) -> bool {
    match token {
        Token::Name(_)
        | Token::Text { .. }
        | Token::Series(_)
        | Token::Range(..)
        | Token::Open
        | Token::OpenOption
        | Token::Reported => true,
        Token::Define
        | Token::Extend
        | Token::Slash
        | Token::Close
        | Token::CloseOption
        | Token::Repeat { .. }
        | Token::Unknown(_) => false,
    }
}
