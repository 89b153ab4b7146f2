//! The parser of statements and expressions of Lark.
//!
//! A statement lasts until the next line that begins another one. A rule ends with its line, except inside brackets,
//! after `:`, `|` and `&`, and before a line that begins with one of the latter two. The first error of a statement
//! ends it.

use super::ast::{File, Node, NodeKind};
use super::lexemes::{Lexeme, Token};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::{NESTING_LIMIT, STACKED_LIMIT};
use crate::pulse::step;
use crate::span::{Span, Spanned};

/// Reads all statements.
pub(super) fn file(text: &str, lexemes: &[Lexeme], nesting: u32, sink: &mut Sink) -> File {
    let mut parser = Parser {
        text,
        lexemes,
        at: 0,
        depth: 0,
        first: 0,
        nesting,
        failed: false,
        has_operator: false,
        separators: Vec::new(),
        sink,
    };
    let mut file = File::default();
    file.options.initial_skip = nesting == 0;
    while parser.at < lexemes.len() {
        parser.failed = false;
        parser.has_operator = false;
        parser.statement(&mut file);
        parser.end_statement();
    }
    file
}

/// The parser: the lexemes, its position among them, and the sink for errors.
pub(super) struct Parser<'l, 's> {
    pub(super) text: &'l str,
    pub(super) lexemes: &'l [Lexeme],
    pub(super) at: usize,
    pub(super) depth: u32,
    /// Index of the first lexeme in the body of the current statement.
    pub(super) first: usize,
    /// Number of enclosing grammars.
    pub(super) nesting: u32,
    /// Whether an error in the current statement has been reported.
    pub(super) failed: bool,
    /// Separators of other notations that have been reported.
    pub(super) separators: Vec<char>,
    /// Whether a spaced operator in the current rule has been reported.
    pub(super) has_operator: bool,
    pub(super) sink: &'s mut Sink,
}

impl<'l> Parser<'l, '_> {
    /// Reads alternatives, each with an optional alias.
    pub(super) fn alternation(&mut self) -> Option<Node> {
        let start = self.here();
        let mut arms = vec![self.arm()?];
        while self.eat('|') {
            let bar = self.previous_span();
            arms.push(self.arm()?);
            self.warn_empty(bar);
        }
        Some(joined(arms, start, NodeKind::Alternation))
    }

    fn arm(&mut self) -> Option<Node> {
        let arm = self.intersection()?;
        if self.peek_token() == Some(&Token::Arrow) {
            self.at += 1;
            if self.peek().is_none_or(|next| next.starts_line) {
                let found = Diagnostic::error(Code::LarkName, self.previous_span(), "no name stands behind this `->`");
                self.fail(found.help("write the alias behind it, `-> name`, or remove it"));
                return None;
            }
            self.expect_name("an alias is a name: `-> name`")?;
            let is_followed = self
                .peek()
                .is_some_and(|next| !next.starts_line && matches!(next.token, Token::Name(_) | Token::Text { .. }));
            if is_followed {
                let found = Diagnostic::error(
                    Code::LarkName,
                    self.here(),
                    "an alias is one name, with which its alternative ends",
                );
                self.fail(found.help("remove what follows, or write `|` before it"));
                return None;
            }
        }
        Some(arm)
    }

    fn intersection(&mut self) -> Option<Node> {
        let start = self.here();
        let mut sides = vec![self.sequence()?];
        while self.eat('&') {
            sides.push(self.sequence()?);
        }
        Some(joined(sides, start, NodeKind::And))
    }

    fn sequence(&mut self) -> Option<Node> {
        let start = self.here();
        let mut items = Vec::new();
        while !self.ends_sequence() {
            items.push(self.repeated()?);
        }
        Some(joined(items, start, NodeKind::Sequence))
    }

    /// Returns whether the current sequence ends here.
    fn ends_sequence(&self) -> bool {
        let Some(lexeme) = self.peek() else { return true };
        let follows_sign = self
            .previous()
            .is_none_or(|before| matches!(before, Token::Sign('|' | '&' | ':')) || self.at == self.first);
        let line_ends = self.depth == 0 && lexeme.starts_line && !follows_sign;
        line_ends
            || matches!(lexeme.token, Token::Sign('|' | '&' | ')' | ']' | '}' | ',') | Token::Arrow)
            || self.at_head()
    }

    fn repeated(&mut self) -> Option<Node> {
        let mut node = self.atom()?;
        let mut stacked = 0;
        while !self.ends_sequence() {
            let Some((min, max)) = self.times()? else { break };
            stacked += 1;
            if stacked > STACKED_LIMIT {
                self.fail_stacked(stacked);
                return None;
            }
            self.warn_lazy();
            self.warn_spaced();
            let span = node.span.merge(self.previous_span());
            node = Node::new(NodeKind::Repeat { node: Box::new(node), min, max }, span);
        }
        Some(node)
    }

    /// Reads a repetition sign, if there is one; the outer `None` after an error.
    #[allow(clippy::option_option, reason = "absence and mistakes are told apart")]
    fn times(&mut self) -> Option<Option<(u32, Option<u32>)>> {
        let times = match self.peek_token() {
            Some(Token::Sign('?')) => (0, Some(1)),
            Some(Token::Sign('*')) => (0, None),
            Some(Token::Sign('+')) => (1, None),
            Some(Token::Sign('~')) if self.is_count() => return self.tilde().map(Some),
            Some(Token::Sign('{')) => return self.braces().map(Some),
            _ => return Some(None),
        };
        self.at += 1;
        Some(Some(times))
    }

    /// Returns whether the `~` here is a repetition and not a complement: a number comes next.
    fn is_count(&self) -> bool {
        matches!(self.lexemes.get(self.at + 1).map(|l| &l.token), Some(Token::Number(_) | Token::Reported))
    }

    /// Reads `~ n` or `~ n..m`.
    fn tilde(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.here();
        self.at += 1;
        let min = self.number()?;
        if self.peek_token() != Some(&Token::Dots) {
            return self.exactly(start, min);
        }
        self.at += 1;
        let max = self.number()?;
        self.ordered(start, min, Some(max))
    }

    /// Returns the times of `~ n`; reports any other sign between two numbers.
    fn exactly(&mut self, start: Span, min: u32) -> Option<(u32, Option<u32>)> {
        let Some(Token::Number(max)) = self.lexemes.get(self.at + 1).map(|next| &next.token) else {
            return Some((min, Some(min)));
        };
        let Some(Token::Sign(sign @ ('-' | ',' | ':'))) = self.peek_token() else { return Some((min, Some(min))) };
        let place = start.merge(self.here());
        let place = self.lexemes.get(self.at + 1).map_or(place, |last| place.merge(last.span));
        let found =
            Diagnostic::error(Code::LarkRepetition, place, format!("`{sign}` does not stand between two counts"));
        self.fail(found.help(format!("write `~{min}..{max}`")));
        None
    }

    /// Reads `{n}`, `{n,}`, `{,m}` or `{n,m}`.
    fn braces(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.here();
        self.at += 1;
        let min = self.eat_number();
        let max = if self.eat(',') { self.eat_number() } else { min };
        let holds_item = matches!(
            self.peek_token(),
            Some(Token::Name(_) | Token::Text { .. } | Token::Regex(_) | Token::Sign('(' | '['))
        );
        if (min, max, holds_item) == (None, None, true) {
            self.fail_braces(start);
            return None;
        }
        if let (Some(least), Some(Token::Dots | Token::Sign('-' | ':'))) = (min, self.peek_token())
            && let (Some(Token::Number(_)), Some(Token::Number(most))) =
                (self.previous(), self.lexemes.get(self.at + 1).map(|next| &next.token))
        {
            let place = start.merge(self.here());
            let found = Diagnostic::error(Code::LarkRepetition, place, "a comma stands between two counts in braces");
            self.fail(found.help(format!("write `{{{least},{most}}}`")));
            return None;
        }
        if !self.eat('}') || (min, max) == (None, None) {
            self.fail_repetition(start);
            return None;
        }
        self.ordered(start, min.unwrap_or(0), max)
    }

    fn ordered(&mut self, start: Span, min: u32, max: Option<u32>) -> Option<(u32, Option<u32>)> {
        let Some(most) = max.filter(|most| *most < min) else {
            return Some((min, max));
        };
        let span = start.merge(self.previous_span());
        let message = format!("at least {min} and at most {most} times cannot both be");
        self.fail(Diagnostic::error(Code::LarkRepetition, span, message).help("write the smaller number first"));
        None
    }

    fn number(&mut self) -> Option<u32> {
        let found = self.eat_number();
        if found.is_none() {
            self.fail_repetition(self.here());
        }
        found
    }

    fn eat_number(&mut self) -> Option<u32> {
        let Some(Token::Number(number)) = self.peek_token() else { return None };
        let number = *number;
        self.at += 1;
        Some(number)
    }

    pub(super) fn atom(&mut self) -> Option<Node> {
        step();
        let lexeme = self.peek()?;
        let span = lexeme.span;
        let kind = match &lexeme.token {
            Token::Sign('(') => return self.group(')'),
            Token::Sign('[') => {
                let inner = self.group(']')?;
                let span = inner.span;
                return Some(Node::new(NodeKind::Repeat { node: Box::new(inner), min: 0, max: Some(1) }, span));
            }
            Token::Sign('~') => return self.complement(),
            Token::Name(name) => return self.named(name, span),
            Token::Text { text, ignore_case } => return self.literal(text, *ignore_case, span),
            Token::Regex(pattern) => NodeKind::Regex(pattern.clone()),
            Token::Special(token) => NodeKind::Token(token.clone()),
            Token::Block { word, body } => return self.block(word, *body),
            Token::Sign('@') => return self.given(),
            Token::Reported => {
                self.failed = true;
                NodeKind::Sequence(Vec::new())
            }
            _ => {
                self.fail_unexpected();
                return None;
            }
        };
        self.at += 1;
        Some(Node::new(kind, span))
    }

    /// Reads `@name`, a grammar given by name.
    fn given(&mut self) -> Option<Node> {
        let start = self.here();
        let next = self.lexemes.get(self.at + 1).filter(|next| next.span.start == start.end);
        let Some(Token::Name(name)) = next.map(|next| &next.token) else {
            self.fail_unexpected();
            return None;
        };
        self.at += 2;
        Some(Node::new(NodeKind::Given(name.clone()), start.merge(self.previous_span())))
    }

    fn group(&mut self, close: char) -> Option<Node> {
        let open = self.here();
        self.deeper()?;
        self.at += 1;
        let inner = self.alternation()?;
        self.depth -= 1;
        if !self.eat(close) {
            self.fail_unclosed(open);
            return None;
        }
        Some(Node::new(inner.kind, open.merge(self.previous_span())))
    }

    /// Reads `~` before an expression: the complement, that is, all other texts.
    fn complement(&mut self) -> Option<Node> {
        let start = self.here();
        self.deeper()?;
        self.at += 1;
        if self.ends_sequence() {
            self.fail_unexpected();
            return None;
        }
        let inner = self.repeated()?;
        self.depth -= 1;
        let span = start.merge(inner.span);
        Some(Node::new(NodeKind::Not(Box::new(inner)), span))
    }

    fn deeper(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            self.fail_nesting();
            return None;
        }
        Some(())
    }

    /// Reads a name, or a template with its arguments.
    fn named(&mut self, name: &str, span: Span) -> Option<Node> {
        self.at += 1;
        if self.peek_token() == Some(&Token::Colons) {
            self.fail_parametric();
            return None;
        }
        if !self.at_arguments() {
            return Some(Node::new(NodeKind::Name(name.to_owned()), span));
        }
        let open = self.here();
        self.deeper()?;
        self.at += 1;
        let mut arguments = vec![self.atom()?];
        while self.eat(',') {
            arguments.push(self.atom()?);
        }
        self.depth -= 1;
        if !self.eat('}') {
            let holds_items =
                self.peek().is_some() && !self.at_head() && !matches!(self.peek_token(), Some(Token::Sign(_)));
            if holds_items {
                self.fail_braces(open)
            } else {
                self.fail_unclosed(open)
            }
            return None;
        }
        let name = Spanned::new(name.to_owned(), span);
        Some(Node::new(NodeKind::Template { name, arguments }, span.merge(self.previous_span())))
    }

    /// Returns whether braces directly after a name contain arguments, not a number of times.
    fn at_arguments(&self) -> bool {
        let token = |at: usize| self.lexemes.get(at).map(|l| &l.token);
        let braces = token(self.at) == Some(&Token::Sign('{')) && !self.ends_sequence();
        braces && !matches!(token(self.at + 1), Some(Token::Number(_) | Token::Sign(_)))
    }

    /// Reads a string, or a range of two.
    fn literal(&mut self, text: &str, ignore_case: bool, span: Span) -> Option<Node> {
        self.at += 1;
        if self.peek_token() != Some(&Token::Dots) {
            let cased = ignore_case && text.chars().any(char::is_alphabetic);
            let kind = if cased {
                NodeKind::Regex(super::regex::ignoring_case(text))
            } else {
                NodeKind::Literal(text.to_owned())
            };
            return Some(Node::new(kind, span));
        }
        self.at += 1;
        let high = match self.peek_token() {
            Some(Token::Text { text, ignore_case: false }) if !ignore_case => Some(text.clone()),
            _ => None,
        };
        self.at += usize::from(high.is_some());
        let span = span.merge(self.previous_span());
        match (only_char(text), high.as_deref().and_then(only_char)) {
            (Some(low), Some(high)) if low <= high => Some(Node::new(NodeKind::Range(low, high), span)),
            (Some(_), Some(_)) => {
                let found = Diagnostic::error(Code::ReversedRange, span, "this range ends before it begins");
                self.fail(found.help("swap the two"));
                None
            }
            _ => {
                let message = "a range has one character on each side";
                self.fail(Diagnostic::error(Code::LarkRange, span, message).help("write `\"a\"..\"z\"`"));
                None
            }
        }
    }
}

fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Returns the only node, or all of them as the children of one.
fn joined(mut nodes: Vec<Node>, at: Span, kind: fn(Vec<Node>) -> NodeKind) -> Node {
    match (nodes.pop(), nodes.first()) {
        (None, _) => Node::new(NodeKind::Sequence(Vec::new()), Span::empty(at.start)),
        (Some(only), None) => only,
        (Some(last), Some(first)) => {
            let span = first.span.merge(last.span);
            nodes.push(last);
            Node::new(kind(nodes), span)
        }
    }
}
