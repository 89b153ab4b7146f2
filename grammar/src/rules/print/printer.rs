//! The parts of printing that GBNF and Lark share: one rule a line, alternatives, sequences, parentheses.

use super::character::push_character;
use super::error::PrintError;
use crate::rules::{Expr, ExprKind, Grammar, VocabularyToken};
use std::collections::HashMap;

/// The signs of a notation.
pub(super) struct Notation {
    /// The sign between a rule's name and its body.
    pub(super) defined_as: &'static str,
    /// The empty literal.
    pub(super) empty: &'static str,
    /// Any character.
    pub(super) any: &'static str,
    /// Appends a class: whether it is negated, and its ranges (at least one).
    pub(super) class: fn(&mut String, bool, &[(char, char)]),
    /// Spells a repetition with this minimum and maximum.
    pub(super) times: fn(u32, Option<u32>) -> Times,
    /// Spells a token of the vocabulary; `None` if the notation cannot.
    pub(super) token: fn(&VocabularyToken) -> Option<String>,
}

/// The spelling of a repetition: `sign` after the expression. If one sign does not suffice, the expression is written
/// twice, first with `first` after it, then with `sign`: `x~3 x*`.
pub(super) struct Times {
    pub(super) first: Option<String>,
    pub(super) sign: String,
}

/// Prints all rules of a grammar, in order. Names that are not among `names` are written as they are.
pub(super) fn rules(
    grammar: &Grammar,
    notation: &Notation,
    names: HashMap<&str, String>,
) -> Result<String, PrintError> {
    let mut printer = Printer { out: String::new(), names, notation };
    for rule in &grammar.rules {
        printer.name(&rule.name.value);
        printer.out.push_str(notation.defined_as);
        printer.expr(&rule.body, Place::Body)?;
        printer.out.push('\n');
    }
    Ok(printer.out)
}

/// The position of an expression, which decides what can be there without parentheses. Later positions allow less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Body,
    Arm,
    Item,
    Operand,
}

struct Printer<'g> {
    out: String,
    names: HashMap<&'g str, String>,
    notation: &'g Notation,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr, place: Place) -> Result<(), PrintError> {
        let expr = expr.uncaptured();
        let widest = match &expr.kind {
            ExprKind::Alternation(_) => Place::Body,
            ExprKind::Sequence(items) if !items.is_empty() => Place::Arm,
            ExprKind::Repeat { min, max, .. } if (self.notation.times)(*min, *max).first.is_some() => Place::Arm,
            ExprKind::Repeat { .. } => Place::Item,
            _ => Place::Operand,
        };
        let brackets = place > widest;
        self.out.push_str(if brackets { "(" } else { "" });
        self.bare(expr)?;
        self.out.push_str(if brackets { ")" } else { "" });
        Ok(())
    }

    fn bare(&mut self, expr: &Expr) -> Result<(), PrintError> {
        match &expr.kind {
            ExprKind::Literal(text) if text.is_empty() => self.out.push_str(self.notation.empty),
            ExprKind::Literal(text) => self.literal(text),
            ExprKind::Class { ranges, .. } if ranges.is_empty() => return Err(PrintError::EmptyClass(expr.span)),
            ExprKind::Class { negated, ranges } => (self.notation.class)(&mut self.out, *negated, ranges),
            ExprKind::Any => self.out.push_str(self.notation.any),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Sequence(items) if items.is_empty() => self.out.push_str("()"),
            ExprKind::Sequence(items) => self.joined(items, " ", Place::Item)?,
            ExprKind::Alternation(arms) => self.joined(arms, " | ", Place::Arm)?,
            ExprKind::Repeat { expr, min, max } => self.repeat(expr, (self.notation.times)(*min, *max))?,
            ExprKind::Exception(..) => return Err(PrintError::Exception(expr.span)),
            ExprKind::Regex(_) => return Err(PrintError::Regex(expr.span)),
            ExprKind::Token(token) => match (self.notation.token)(token) {
                Some(text) => self.out.push_str(&text),
                None => return Err(PrintError::Token(expr.span)),
            },
            ExprKind::Substring(_) => return Err(PrintError::Substring(expr.span)),
            ExprKind::Json(_) => return Err(PrintError::Json(expr.span)),
            ExprKind::Limited(..) => return Err(PrintError::Limited(expr.span)),
            ExprKind::Lazy(_) => return Err(PrintError::Lazy(expr.span)),
            ExprKind::Captured { expr, .. } => self.bare(expr)?,
        }
        Ok(())
    }

    fn joined(&mut self, items: &[Expr], between: &str, place: Place) -> Result<(), PrintError> {
        for (index, item) in items.iter().enumerate() {
            self.out.push_str(if index > 0 { between } else { "" });
            self.expr(item, place)?;
        }
        Ok(())
    }

    fn repeat(&mut self, expr: &Expr, times: Times) -> Result<(), PrintError> {
        if let Some(first) = times.first {
            self.expr(expr, Place::Operand)?;
            self.out.push_str(&first);
            self.out.push(' ');
        }
        self.expr(expr, Place::Operand)?;
        self.out.push_str(&times.sign);
        Ok(())
    }

    fn name(&mut self, name: &str) {
        let written = self.names.get(name).map_or(name, String::as_str);
        self.out.push_str(written);
    }

    fn literal(&mut self, text: &str) {
        self.out.push('"');
        text.chars().for_each(|c| push_character(&mut self.out, c, "\"\\"));
        self.out.push('"');
    }
}
