//! The types of the rule tree.

use super::token::VocabularyToken;
use crate::span::{Span, Spanned};

/// A grammar as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// In source order; names may repeat, which [`super::check()`] reports.
    pub rules: Vec<Rule>,
    /// The rule that texts begin with, where the text tells it and its notation does not.
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
    /// One character in (or, negated, outside) the union of the ranges, both ends included.
    ///
    /// Invariant: at least one range, and no range is reversed. Ranges stand in source order and may overlap.
    Class {
        /// Whether the class is everything but the ranges.
        negated: bool,
        /// First and last characters.
        ranges: Vec<(char, char)>,
    },
    /// Any one character.
    Any,
    /// The rule of this name.
    Name(String),
    /// Expressions one after another; none is the empty text. Invariant: never exactly one.
    Sequence(Vec<Expr>),
    /// Alternatives. Invariant: at least two.
    Alternation(Vec<Expr>),
    /// `min` to `max` times; without `max`, any number from `min`. Invariant: `min <= max`.
    Repeat {
        /// The repeated expression.
        expr: Box<Expr>,
        /// The least number of times.
        min: u32,
        /// The greatest, where there is one.
        max: Option<u32>,
    },
    /// The texts that the first matches and the second does not.
    Exception(Box<Expr>, Box<Expr>),
    /// The texts that a pattern matches as a whole: ECMA-262 with the `u` flag, as everywhere in ogc. Readers of
    /// notations with another dialect translate, so a pattern here means the same whoever wrote it.
    Regex(String),
    /// One token of the vocabulary.
    Token(VocabularyToken),
    /// Any number of these texts that follow one another, joined; none is the empty text.
    Substring(Vec<String>),
    /// The values of a JSON Schema, which is this text.
    Json(String),
    /// The texts of an expression that are not too long.
    Limited(Box<Expr>, TextLength),
    /// The texts of an expression of which no shorter beginning is one too.
    Lazy(Box<Expr>),
}

/// The greatest length of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextLength {
    /// In characters.
    Chars(u32),
    /// In tokens, whatever the vocabulary.
    Tokens(u32),
}

impl Expr {
    /// Makes an expression of a kind and a place.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { span, kind }
    }

    /// Returns the empty text.
    #[must_use]
    pub fn empty(span: Span) -> Expr {
        Expr::new(ExprKind::Sequence(Vec::new()), span)
    }

    /// Returns the sequence of `items`; a single item is itself. `at` is the place of none.
    #[must_use]
    pub fn sequence(items: Vec<Expr>, at: Span) -> Expr {
        Expr::joined(items, at, ExprKind::Sequence)
    }

    /// Returns the alternation of `arms`; a single one is itself. `at` is the place of none.
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

    /// Returns the expressions directly inside.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (many, first, second): (&[Expr], Option<&Expr>, Option<&Expr>) = match &self.kind {
            ExprKind::Sequence(items) | ExprKind::Alternation(items) => (items, None, None),
            ExprKind::Repeat { expr, .. } | ExprKind::Limited(expr, _) | ExprKind::Lazy(expr) => {
                (&[], Some(expr), None)
            }
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

    /// Calls `visit` on this and on everything inside, outer before inner, left before right.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Adds `by` to all places, and calls `rename` on all names of rules.
    pub(crate) fn moved(&mut self, by: u32, rename: &dyn Fn(&str) -> String) {
        self.replaced(&|span| span.shifted(by), rename);
    }

    /// Calls `place` on all places, and `rename` on all names of rules.
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
