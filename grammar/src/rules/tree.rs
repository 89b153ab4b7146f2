//! The types of the rule tree.

use super::token::VocabularyToken;
use crate::span::{Span, Spanned};

/// A grammar as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// The rules in source order; names may repeat, which [`super::check()`] reports.
    pub rules: Vec<Rule>,
    /// The start rule, if the text determines it and the notation does not.
    pub start: Option<String>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name it defines.
    pub name: Spanned<String>,
    /// The expression that the name stands for.
    pub body: Expr,
}

/// An expression and where it is written, with the parentheses around it.
///
/// A reader's nesting limit bounds the depth, so that walks may recurse.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// From the first byte to the last.
    pub span: Span,
    /// The kind, with its parts.
    pub kind: ExprKind,
}

/// The kinds of expressions.
///
/// Characters are Unicode scalar values throughout. llama.cpp's `\xNN` names a code point, not a byte (`\x85` is
/// U+0085, two bytes of UTF-8), so a literal is a `String`, never bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A text of these characters; may be empty.
    Literal(String),
    /// One character in the union of the ranges, or outside of it if negated. Both ends of a range are included.
    ///
    /// Invariant: at least one range, and no range is reversed. Ranges are in source order and may overlap.
    Class {
        /// Whether the class is the complement of the ranges.
        negated: bool,
        /// First and last character of each range.
        ranges: Vec<(char, char)>,
    },
    /// Any one character.
    Any,
    /// The rule of this name.
    Name(String),
    /// Expressions one after another; without expressions, the empty text. Invariant: never exactly one.
    Sequence(Vec<Expr>),
    /// Alternatives. Invariant: at least two.
    Alternation(Vec<Expr>),
    /// `min` to `max` times; if `max` is `None`, any number from `min`. Invariant: `min <= max`.
    Repeat {
        /// The repeated expression.
        expr: Box<Expr>,
        /// Minimum number of times.
        min: u32,
        /// Maximum number of times, if there is one.
        max: Option<u32>,
    },
    /// The texts of the first expression that the second does not match.
    Exception(Box<Expr>, Box<Expr>),
    /// The texts that a pattern matches as a whole: ECMA-262 with the `u` flag, as everywhere in ogc. Readers of
    /// notations with another dialect translate patterns, so a pattern here has the same meaning whatever its source
    /// is.
    Regex(String),
    /// One token of the vocabulary.
    Token(VocabularyToken),
    /// Zero or more consecutive texts of the list, joined; zero texts give the empty text.
    Substring(Vec<String>),
    /// The values of a JSON Schema, given as text.
    Json(String),
    /// The texts of an expression up to a maximum length.
    Limited(Box<Expr>, TextLength),
    /// The texts of an expression that have no shorter text of the expression as a prefix.
    Lazy(Box<Expr>),
    /// The texts of an expression. Readers of captures report a part of each under a name.
    Captured {
        /// The expression.
        expr: Box<Expr>,
        /// The name of the capture, with the place that asks for it.
        name: Spanned<String>,
        /// The part that is reported.
        part: CapturedPart,
    },
}

/// The part of a text that a capture reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CapturedPart {
    /// The whole text.
    Whole,
    /// The text without the ignored text at its end. The rule of this name holds ignored text.
    WithoutIgnored(String),
    /// The text without its end. Invariant: every text of the expression ends with this text.
    Before(String),
    /// The end of the text. Invariant: every text of the expression ends with this text.
    End(String),
}

/// The maximum length of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextLength {
    /// In characters.
    Chars(u32),
    /// In tokens, whatever the vocabulary is.
    Tokens(u32),
}

impl Expr {
    /// Makes an expression from its kind and its span.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { span, kind }
    }

    /// Returns the empty text.
    #[must_use]
    pub fn empty(span: Span) -> Expr {
        Expr::new(ExprKind::Sequence(Vec::new()), span)
    }

    /// Returns the sequence of `items`; a single item is returned as it is. `at` is the span of an empty sequence.
    #[must_use]
    pub fn sequence(items: Vec<Expr>, at: Span) -> Expr {
        Expr::joined(items, at, ExprKind::Sequence)
    }

    /// Returns the alternation of `arms`; a single arm is returned as it is. `at` is the span of an empty alternation.
    #[must_use]
    pub fn alternation(arms: Vec<Expr>, at: Span) -> Expr {
        Expr::joined(arms, at, ExprKind::Alternation)
    }

    /// Returns this expression repeated `min` to `max` times; `end` is the end of the repetition sign.
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>, end: Span) -> Expr {
        let span = self.span.merge(end);
        Expr::new(ExprKind::Repeat { expr: Box::new(self), min, max }, span)
    }

    /// Returns this expression as a capture; `part` of its text is reported.
    #[must_use]
    pub fn captured(self, name: &Spanned<String>, part: CapturedPart) -> Expr {
        let span = self.span;
        Expr::new(ExprKind::Captured { expr: Box::new(self), name: name.clone(), part }, span)
    }

    /// Returns this expression without the captures around it.
    #[must_use]
    pub fn uncaptured(&self) -> &Expr {
        let mut inner = self;
        while let ExprKind::Captured { expr, .. } = &inner.kind {
            inner = expr;
        }
        inner
    }

    /// Returns the expressions directly inside.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (many, first, second): (&[Expr], Option<&Expr>, Option<&Expr>) = match &self.kind {
            ExprKind::Sequence(items) | ExprKind::Alternation(items) => (items, None, None),
            ExprKind::Repeat { expr, .. }
            | ExprKind::Limited(expr, _)
            | ExprKind::Lazy(expr)
            | ExprKind::Captured { expr, .. } => (&[], Some(expr), None),
            ExprKind::Exception(kept, refused) => (&[], Some(kept), Some(refused)),
            ExprKind::Literal(_)
            | ExprKind::Class { .. }
            | ExprKind::Any
            | ExprKind::Name(_)
            | ExprKind::Regex(_)
            | ExprKind::Token(_)
            | ExprKind::Substring(_)
            | ExprKind::Json(_) => (&[], None, None),
        };
        many.iter().chain(first).chain(second)
    }

    /// Calls `visit` on this expression and everything inside it, outer before inner, left before right.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Moves all spans by `by`, and applies `rename` to all names of rules.
    pub(crate) fn moved(&mut self, by: u32, rename: &dyn Fn(&str) -> String) {
        self.replaced(&|span| span.shifted(by), rename);
    }

    /// Applies `place` to all spans, and `rename` to all names of rules.
    pub(crate) fn replaced(&mut self, place: &dyn Fn(Span) -> Span, rename: &dyn Fn(&str) -> String) {
        self.span = place(self.span);
        match &mut self.kind {
            ExprKind::Name(name) => *name = rename(name),
            ExprKind::Sequence(items) | ExprKind::Alternation(items) => {
                items.iter_mut().for_each(|item| item.replaced(place, rename));
            }
            ExprKind::Repeat { expr, .. } | ExprKind::Limited(expr, _) | ExprKind::Lazy(expr) => {
                expr.replaced(place, rename);
            }
            ExprKind::Captured { expr, name, part } => {
                name.span = place(name.span);
                if let CapturedPart::WithoutIgnored(ignored) = part {
                    *ignored = rename(ignored);
                }
                expr.replaced(place, rename);
            }
            ExprKind::Exception(kept, refused) => {
                kept.replaced(place, rename);
                refused.replaced(place, rename);
            }
            _ => {}
        }
    }

    fn joined(mut items: Vec<Expr>, at: Span, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
        match (items.pop(), items.first()) {
            (None, _) => Expr::empty(at),
            (Some(only), None) => only,
            (Some(last), Some(first)) => {
                let span = first.span.merge(last.span);
                items.push(last);
                Expr::new(kind(items), span)
            }
        }
    }
}
