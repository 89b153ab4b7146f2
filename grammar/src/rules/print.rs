//! A rule tree as GBNF text; reading the text again gives the same tree, spans aside.

use super::tree::{Expr, ExprKind, Grammar};
use crate::span::Span;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use thiserror::Error;

/// Why a tree has no text in a notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PrintError {
    /// An EBNF exception `A - B`.
    #[error("the notation has no exception (`A - B`); the one at bytes {0:?} cannot be written in it")]
    Exception(Span),
    /// A regular expression.
    #[error("the notation has no regular expressions of ogc's dialect; the one at bytes {0:?} cannot be written in it")]
    Regex(Span),
    /// A class without ranges, which no reader makes.
    #[error("no notation has an empty class; the one at bytes {0:?} cannot be written")]
    EmptyClass(Span),
    /// A token of the vocabulary.
    #[error("the notation has no such token of the vocabulary; the one at bytes {0:?} cannot be written in it")]
    Token(Span),
    /// A rule that leads back to itself, where a regular expression is wanted.
    #[error("the rule `{0}` is recursive, so it is no regular expression")]
    Recursive(String),
    /// A name without a rule.
    #[error("no rule is called `{0}`")]
    Undefined(String),
    /// The text would be too large.
    #[error("{what}: {given} is over the limit of {limit}")]
    Limit {
        /// What is counted.
        what: &'static str,
        /// What was reached.
        given: usize,
        /// What is allowed.
        limit: usize,
    },
}

/// Writes `grammar` as GBNF, one rule a line, in order.
///
/// Names that GBNF cannot write (EBNF allows `.` and letters of every script) get hyphens instead, and a number where
/// that makes two names one. No rule is renamed to `root`: which rule a text begins with is not part of the tree.
///
/// # Errors
///
/// [`PrintError`] where the tree holds something that GBNF cannot say.
pub fn print(grammar: &Grammar) -> Result<String, PrintError> {
    let mut printer = Printer { out: String::new(), names: Names::of(grammar) };
    for rule in &grammar.rules {
        printer.name(&rule.name.value);
        printer.out.push_str(" ::= ");
        printer.expr(&rule.body, Place::Body)?;
        printer.out.push('\n');
    }
    Ok(printer.out)
}

/// Where an expression stands: what may stand there without parentheses. Later places bear less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Body,
    Arm,
    Item,
    Operand,
}

struct Printer<'g> {
    out: String,
    names: Names<'g>,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr, place: Place) -> Result<(), PrintError> {
        let widest = match &expr.kind {
            ExprKind::Alternation(_) => Place::Body,
            ExprKind::Sequence(items) if !items.is_empty() => Place::Arm,
            ExprKind::Repeat { .. } => Place::Item,
            _ => Place::Operand,
        };
        if place > widest {
            self.out.push('(');
            self.bare(expr)?;
            self.out.push(')');
            return Ok(());
        }
        self.bare(expr)
    }

    fn bare(&mut self, expr: &Expr) -> Result<(), PrintError> {
        match &expr.kind {
            ExprKind::Literal(text) => self.literal(text),
            ExprKind::Class { ranges, .. } if ranges.is_empty() => {
                return Err(PrintError::EmptyClass(expr.span));
            }
            ExprKind::Class { negated, ranges } => self.class(*negated, ranges),
            ExprKind::Any => self.out.push('.'),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Sequence(items) if items.is_empty() => self.out.push_str("()"),
            ExprKind::Sequence(items) => self.joined(items, " ", Place::Item)?,
            ExprKind::Alternation(arms) => self.joined(arms, " | ", Place::Arm)?,
            ExprKind::Repeat { expr, min, max } => {
                self.expr(expr, Place::Operand)?;
                push_times(&mut self.out, *min, *max);
            }
            ExprKind::Exception(..) => return Err(PrintError::Exception(expr.span)),
            ExprKind::Regex(_) => return Err(PrintError::Regex(expr.span)),
            ExprKind::Token(text) => self.out.push_str(text),
        }
        Ok(())
    }

    fn joined(&mut self, items: &[Expr], between: &str, place: Place) -> Result<(), PrintError> {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(between);
            }
            self.expr(item, place)?;
        }
        Ok(())
    }

    fn name(&mut self, name: &str) {
        let written = self.names.renamed.get(name).map_or(name, String::as_str);
        self.out.push_str(written);
    }

    fn literal(&mut self, text: &str) {
        self.out.push('"');
        text.chars().for_each(|c| push_character(&mut self.out, c, "\"\\"));
        self.out.push('"');
    }

    fn class(&mut self, negated: bool, ranges: &[(char, char)]) {
        self.out.push_str(if negated { "[^" } else { "[" });
        for (index, (first, last)) in ranges.iter().enumerate() {
            if index == 0 && !negated && *first == '^' {
                self.out.push_str("\\x5E");
            } else {
                push_character(&mut self.out, *first, "[]\\-");
            }
            if first != last {
                self.out.push('-');
                push_character(&mut self.out, *last, "[]\\-");
            }
        }
        self.out.push(']');
    }
}

/// How often, as GBNF and regular expressions write it.
pub(super) fn push_times(out: &mut String, min: u32, max: Option<u32>) {
    let sign = match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (_, None) => format!("{{{min},}}"),
        (_, Some(max)) if max == min => format!("{{{min}}}"),
        (_, Some(max)) => format!("{{{min},{max}}}"),
    };
    out.push_str(&sign);
}

/// One character, with a backslash where it is one of `special` and as an escape where it cannot be seen.
pub(super) fn push_character(out: &mut String, c: char, special: &str) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match c {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if special.contains(c) => write!(out, "\\{c}"),
        ' '..='~' => out.write_char(c),
        _ if code <= 0xFF && c.is_control() => write!(out, "\\x{code:02X}"),
        _ if is_visible(c) => out.write_char(c),
        _ if code <= 0xFFFF => write!(out, "\\u{code:04X}"),
        _ => write!(out, "\\U{code:08X}"),
    };
}

/// Rust's own rules for debugging output say which characters a reader can see.
pub(super) fn is_visible(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_whitespace() && c.escape_debug().len() == 1)
}

/// How the names that GBNF cannot write are written.
struct Names<'g> {
    renamed: HashMap<&'g str, String>,
}

impl<'g> Names<'g> {
    fn of(grammar: &'g Grammar) -> Names<'g> {
        let all = all_names(grammar);
        let (plain, odd): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|n| is_gbnf_name(n));
        let mut taken: HashSet<String> = plain.into_iter().map(str::to_owned).collect();
        let mut renamed = HashMap::new();
        let mut counts = HashMap::new();
        for name in odd {
            if !renamed.contains_key(name) {
                let fresh = fresh_name(name, &taken, &mut counts);
                taken.insert(fresh.clone());
                renamed.insert(name, fresh);
            }
        }
        Names { renamed }
    }
}

pub(super) fn all_names(grammar: &Grammar) -> Vec<&str> {
    let mut names = Vec::new();
    for rule in &grammar.rules {
        names.push(rule.name.value.as_str());
        rule.body.walk(&mut |expr| {
            if let ExprKind::Name(name) = &expr.kind {
                names.push(name);
            }
        });
    }
    names
}

/// A name like `name` that GBNF can write and that is not `taken`; `counts` holds the last number tried for each.
fn fresh_name(name: &str, taken: &HashSet<String>, counts: &mut HashMap<String, u64>) -> String {
    let mut base: String = name.chars().map(|c| if is_gbnf_name_char(c) { c } else { '-' }).collect();
    if base.is_empty() {
        base.push('-');
    }
    let count = counts.entry(base.clone()).or_insert(0);
    loop {
        *count += 1;
        let fresh = if *count == 1 { base.clone() } else { format!("{base}-{count}") };
        if !taken.contains(&fresh) {
            return fresh;
        }
    }
}

fn is_gbnf_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_gbnf_name_char)
}

/// Letters, digits, hyphens and underscores, as llama.cpp's guide says.
pub(crate) fn is_gbnf_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}
