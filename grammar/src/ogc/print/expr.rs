//! Prints expressions.

use crate::ogc::ast::{Attribute, Bound, BoundKind, Expr, ExprKind, Name, Range, Repetition};
use crate::ogc::literal::{quote, slash};
use crate::ogc::tokens;

/// Levels of precedence, from loose to tight. A looser expression needs parentheses where a tighter one is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `A | B`
    Union,
    /// A branch of a union: a range, a sequence.
    Branch,
    /// A part of a sequence: captures and attributes.
    Element,
    /// `a % b`
    List,
    /// `A & B`, `A - B`
    Sets,
    /// `x[1..3]`, `x?`
    Postfix,
    /// An expression that never needs parentheses.
    Primary,
}

/// A printer of expressions, with or without doc comments, which end lines.
#[derive(Clone, Copy)]
pub(super) struct Printer {
    pub(super) docs: bool,
}

impl Printer {
    /// Writes an expression that must bind at least as tightly as `level`.
    pub(super) fn expr(self, expr: &Expr, level: Level, out: &mut String) {
        if self.level(expr) < level {
            out.push('(');
            self.bare(expr, out);
            out.push(')');
        } else {
            self.bare(expr, out);
        }
    }

    pub(super) fn level(self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::Union(_) => Level::Union,
            ExprKind::Range(_) | ExprKind::Sequence(_) => Level::Branch,
            ExprKind::Capture { .. } | ExprKind::Attributed { .. } => Level::Element,
            ExprKind::List { .. } => Level::List,
            ExprKind::Intersection(_) | ExprKind::Difference { .. } => Level::Sets,
            ExprKind::Repeat { .. } => Level::Postfix,
            _ => Level::Primary,
        }
    }

    pub(super) fn bare(self, expr: &Expr, out: &mut String) {
        match &expr.kind {
            ExprKind::Error => out.push_str("error"),
            ExprKind::Null => out.push_str("null"),
            ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            ExprKind::Number(number) => out.push_str(number),
            ExprKind::String(text) => out.push_str(&quote(text)),
            ExprKind::Regex(pattern) => out.push_str(&slash(pattern)),
            ExprKind::Token(token) => out.push_str(&format!("tok{}", quote(token))),
            ExprKind::Range(range) => self.range(range, out),
            ExprKind::Reference(reference) => self.reference(reference, out),
            ExprKind::Record(record) => self.record(&record.members, out),
            ExprKind::Group(inner) => self.wrapped("(", inner, ")", out),
            _ => self.compound(expr, out),
        }
    }

    pub(super) fn compound(self, expr: &Expr, out: &mut String) {
        match &expr.kind {
            ExprKind::Union(arms) if self.docs && arms.iter().any(|arm| !arm.docs.is_empty()) => {
                for arm in arms {
                    self.docs(&arm.docs, out);
                    out.push_str("| ");
                    self.branch(&arm.expr, out);
                }
            }
            ExprKind::Union(arms) => joined(arms, " | ", out, |arm, out| self.branch(&arm.expr, out)),
            ExprKind::Sequence(items) => self.sequence(items, out),
            ExprKind::Intersection(parts) => self.intersection(parts, out),
            ExprKind::Difference { kept, removed } => self.difference(kept, removed, out),
            ExprKind::Repeat { item, times } => {
                self.expr(item, Level::Postfix, out);
                self.times(times, out);
            }
            ExprKind::List { item, times, separator } => self.list(item, times.as_ref(), separator, out),
            ExprKind::Capture { name, item } => {
                out.push_str(&format!("{}: ", name.text));
                self.expr(item, Level::Element, out);
            }
            ExprKind::Attributed { attributes, item } => self.attributed(attributes, item, out),
            _ => {}
        }
    }

    pub(super) fn wrapped(self, open: &str, inner: &Expr, close: &str, out: &mut String) {
        out.push_str(open);
        self.expr(inner, Level::Union, out);
        out.push_str(close);
    }

    /// Writes a branch of a union. Attributes on the branch as a whole would read back as attributes of its first part.
    pub(super) fn branch(self, expr: &Expr, out: &mut String) {
        self.expr(expr, Level::Branch, out);
    }

    pub(super) fn sequence(self, items: &[Expr], out: &mut String) {
        for (index, item) in items.iter().enumerate() {
            out.push_str(if index > 0 { " " } else { "" });
            // After another part, a negative number would read as a difference.
            if index > 0 && begins_with_minus(item) {
                self.wrapped("(", item, ")", out);
            } else {
                self.expr(item, Level::Element, out);
            }
        }
    }

    /// Writes an intersection; parts after the first need a tighter level, because the signs group from the left.
    pub(super) fn intersection(self, parts: &[Expr], out: &mut String) {
        for (index, part) in parts.iter().enumerate() {
            out.push_str(if index > 0 { " & " } else { "" });
            let flat = index == 0 && !matches!(part.kind, ExprKind::Intersection(_));
            self.expr(part, if flat { Level::Sets } else { Level::Postfix }, out);
        }
    }

    pub(super) fn difference(self, kept: &Expr, removed: &[Expr], out: &mut String) {
        let nested = matches!(kept.kind, ExprKind::Difference { .. });
        self.expr(kept, if nested { Level::Postfix } else { Level::Sets }, out);
        for part in removed {
            out.push_str(" - ");
            self.expr(part, Level::Postfix, out);
        }
    }

    /// Writes a list; an item that is a repetition is put in parentheses, because its bounds would otherwise be the
    /// list's.
    pub(super) fn list(self, item: &Expr, times: Option<&Repetition>, separator: &Expr, out: &mut String) {
        let repeats = matches!(item.kind, ExprKind::Repeat { .. });
        let level = if times.is_some() { Level::Postfix } else { Level::List };
        self.expr(item, if repeats && times.is_none() { Level::Primary } else { level }, out);
        if let Some(times) = times {
            self.times(times, out);
        }
        out.push_str(" % ");
        self.expr(separator, Level::Sets, out);
    }

    pub(super) fn attributed(self, attributes: &[Attribute], item: &Expr, out: &mut String) {
        for attribute in attributes {
            self.attribute(attribute, out);
            out.push(' ');
        }
        // Attributes directly inside would become part of these.
        let joins = matches!(item.kind, ExprKind::Attributed { .. });
        self.expr(item, if joins { Level::Primary } else { Level::Element }, out);
    }

    pub(super) fn times(self, times: &Repetition, out: &mut String) {
        match times {
            Repetition::Optional => out.push('?'),
            Repetition::Star => out.push('*'),
            Repetition::Plus => out.push('+'),
            Repetition::Exactly(bound) => out.push_str(&format!("[{}]", self.bound(bound))),
            Repetition::Between(range) => {
                out.push('[');
                self.range(range, out);
                out.push(']');
            }
        }
    }

    pub(super) fn range(self, range: &Range, out: &mut String) {
        let end = |bound: &Option<Bound>| bound.as_ref().map(|bound| self.bound(bound)).unwrap_or_default();
        out.push_str(&format!("{}..{}", end(&range.min), end(&range.max)));
    }

    pub(super) fn bound(self, bound: &Bound) -> String {
        match &bound.kind {
            BoundKind::Number(text) | BoundKind::Name(text) => text.clone(),
        }
    }
}

/// Writes a name where quotes are allowed: without quotes if it is a word.
pub(super) fn key(name: &Name, out: &mut String) {
    let tokens = tokens(&name.text);
    let word = matches!(tokens.as_slice(), [only] if only.kind.is_word());
    out.push_str(&if word { name.text.clone() } else { quote(&name.text) });
}

/// Writes all parts with `sign` between them.
pub(super) fn joined<T>(all: &[T], sign: &str, out: &mut String, write: impl Fn(&T, &mut String)) {
    for (index, one) in all.iter().enumerate() {
        out.push_str(if index > 0 { sign } else { "" });
        write(one, out);
    }
}

/// Returns whether the text of an expression begins with the sign of a negative number.
fn begins_with_minus(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(number) => number.starts_with('-'),
        ExprKind::Repeat { item, .. } | ExprKind::List { item, .. } => begins_with_minus(item),
        ExprKind::Intersection(parts) => parts.first().is_some_and(begins_with_minus),
        ExprKind::Difference { kept, .. } => begins_with_minus(kept),
        _ => false,
    }
}
