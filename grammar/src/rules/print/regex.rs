//! Prints a rule tree without recursion as one regular expression of ECMA-262 with the `u` flag.

use super::character::is_visible;
use super::error::PrintError;
use super::gbnf::times;
use crate::rules::{Expr, ExprKind, Grammar, Rule};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Maximum length of a regular expression, in bytes: each use of a rule writes the rule out again.
const LENGTH: usize = 1 << 20;

/// Maximum nesting of expressions, including rules within rules.
const DEPTH: usize = 1_000;

/// Writes the rule `root` as a regular expression that matches whole texts.
///
/// ```
/// let (tree, _) = ogc_grammar::parse_gbnf("root ::= \"a.\" d{2,} (\"x\" | d)?\nd ::= [0-9]");
/// assert_eq!(ogc_grammar::rules::print_regex(&tree, "root").as_deref(), Ok("a\\.[0-9]{2,}(?:x|[0-9])?"));
/// ```
///
/// # Errors
///
/// [`PrintError`] if a rule is recursive or missing, the expression gets too long or too deep, or the tree holds
/// exceptions or tokens.
pub fn print_regex(grammar: &Grammar, root: &str) -> Result<String, PrintError> {
    let mut rules = HashMap::new();
    for rule in &grammar.rules {
        rules.entry(rule.name.value.as_str()).or_insert(rule);
    }
    let mut printer = Printer { out: String::new(), rules, open: Vec::new(), depth: 0 };
    let root = printer.rules.get(root).copied().ok_or_else(|| PrintError::Undefined(root.to_owned()))?;
    printer.rule(root, Place::Body)?;
    Ok(printer.out)
}

/// The position of an expression, which decides what can be there without a group. Later positions allow less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Body,
    Item,
    Operand,
}

struct Printer<'g> {
    out: String,
    rules: HashMap<&'g str, &'g Rule>,
    /// Rules that are being written.
    open: Vec<&'g str>,
    depth: usize,
}

impl<'g> Printer<'g> {
    fn rule(&mut self, rule: &'g Rule, place: Place) -> Result<(), PrintError> {
        let name = rule.name.value.as_str();
        if self.open.contains(&name) {
            return Err(PrintError::Recursive(name.to_owned()));
        }
        self.open.push(name);
        self.expr(&rule.body, place)?;
        self.open.pop();
        Ok(())
    }

    fn expr(&mut self, expr: &'g Expr, place: Place) -> Result<(), PrintError> {
        check("levels of nested groups in the regular expression", self.depth + 1, DEPTH)?;
        check("bytes of the regular expression", self.out.len(), LENGTH)?;
        self.depth += 1;
        let expr = expr.uncaptured();
        let widest = match &expr.kind {
            ExprKind::Alternation(_) => Place::Body,
            ExprKind::Sequence(_) | ExprKind::Repeat { .. } => Place::Item,
            ExprKind::Literal(text) if text.chars().count() != 1 => Place::Item,
            _ => Place::Operand,
        };
        let group = place > widest;
        self.out.push_str(if group { "(?:" } else { "" });
        self.bare(expr, place)?;
        self.out.push_str(if group { ")" } else { "" });
        self.depth -= 1;
        Ok(())
    }

    fn bare(&mut self, expr: &'g Expr, place: Place) -> Result<(), PrintError> {
        match &expr.kind {
            ExprKind::Literal(text) => text.chars().for_each(|c| self.character(c, "^$\\.*+?()[]{}|/")),
            ExprKind::Class { ranges, .. } if ranges.is_empty() => return Err(PrintError::EmptyClass(expr.span)),
            ExprKind::Class { negated, ranges } => self.class(*negated, ranges),
            ExprKind::Any => self.out.push_str("[\\s\\S]"),
            ExprKind::Name(name) => {
                let rule = self.rules.get(name.as_str()).copied();
                return self.rule(rule.ok_or_else(|| PrintError::Undefined(name.clone()))?, place);
            }
            ExprKind::Sequence(items) => {
                for item in items {
                    self.expr(item, Place::Item)?;
                }
            }
            ExprKind::Alternation(arms) => {
                for (at, arm) in arms.iter().enumerate() {
                    self.out.push_str(if at > 0 { "|" } else { "" });
                    self.expr(arm, Place::Item)?;
                }
            }
            ExprKind::Repeat { expr, min, max } => {
                self.expr(expr, Place::Operand)?;
                self.out.push_str(&times(*min, *max));
            }
            ExprKind::Regex(pattern) => {
                let (flags, rest) = leading_flags(pattern);
                self.out.extend(["(?", flags, ":", rest, ")"]);
            }
            ExprKind::Exception(..) => return Err(PrintError::Exception(expr.span)),
            ExprKind::Token(_) => return Err(PrintError::Token(expr.span)),
            ExprKind::Substring(_) => return Err(PrintError::Substring(expr.span)),
            ExprKind::Json(_) => return Err(PrintError::Json(expr.span)),
            ExprKind::Limited(..) => return Err(PrintError::Limited(expr.span)),
            ExprKind::Lazy(_) => return Err(PrintError::Lazy(expr.span)),
            ExprKind::Captured { expr, .. } => self.bare(expr, place)?,
        }
        Ok(())
    }

    fn class(&mut self, negated: bool, ranges: &[(char, char)]) {
        self.out.push_str(if negated { "[^" } else { "[" });
        for (first, last) in ranges {
            self.character(*first, "[]\\-^");
            if first != last {
                self.out.push('-');
                self.character(*last, "[]\\-^");
            }
        }
        self.out.push(']');
    }

    fn character(&mut self, c: char, special: &str) {
        match c {
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\t' => self.out.push_str("\\t"),
            _ if special.contains(c) => self.out.extend(['\\', c]),
            _ if is_visible(c) || c == ' ' => self.out.push(c),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(self.out, "\\u{{{:X}}}", u32::from(c));
            }
        }
    }
}

/// Splits a pattern into its flags `(?i)`, which are allowed only at the beginning, and the rest.
fn leading_flags(pattern: &str) -> (&str, &str) {
    let flags = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
    let flags = flags.filter(|(flags, _)| !flags.is_empty() && flags.bytes().all(|b| b"ims".contains(&b)));
    flags.unwrap_or(("", pattern))
}

fn check(what: &'static str, given: usize, limit: usize) -> Result<(), PrintError> {
    if given > limit { Err(PrintError::Limit { what, given, limit }) } else { Ok(()) }
}
