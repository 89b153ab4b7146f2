//! A rule tree as Lark text, which means the same texts where it is read by a reader of sets of texts.
//!
//! Every rule becomes a rule, every class of characters a pattern; nothing becomes a terminal of its own, so that a lexer has
//! no choice but among single characters and literals.

use super::print::{PrintError, push_character};
use super::tree::{Expr, ExprKind, Grammar};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// Writes `grammar` as Lark, one rule a line, in order. The rule `start` is called `start`; names that Lark cannot write get
/// others.
///
/// ```
/// let (tree, _) = ogc_grammar::parse_gbnf("root ::= \"a\" [0-9]{2,3} B*\nB ::= .");
/// let text = ogc_grammar::rules::print_lark(&tree, "root");
/// assert_eq!(text.as_deref(), Ok("start: \"a\" /[0-9]/~2..3 b*\nb: /./s\n"));
/// ```
///
/// # Errors
///
/// [`PrintError`] where the tree holds exceptions, patterns, or tokens that are negated.
pub fn print_lark(grammar: &Grammar, start: &str) -> Result<String, PrintError> {
    let mut printer = Printer { out: String::new(), names: names(grammar, start) };
    for rule in &grammar.rules {
        printer.name(&rule.name.value);
        printer.out.push_str(": ");
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
    names: HashMap<&'g str, String>,
}

impl Printer<'_> {
    fn expr(&mut self, expr: &Expr, place: Place) -> Result<(), PrintError> {
        let widest = match &expr.kind {
            ExprKind::Alternation(_) => Place::Body,
            ExprKind::Sequence(items) if !items.is_empty() => Place::Arm,
            ExprKind::Repeat { min: 2.., max: None, .. } => Place::Arm,
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
            // Lark refuses terminals without a character.
            ExprKind::Literal(text) if text.is_empty() => self.out.push_str("()"),
            ExprKind::Literal(text) => self.literal(text),
            ExprKind::Class { ranges, .. } if ranges.is_empty() => return Err(PrintError::EmptyClass(expr.span)),
            ExprKind::Class { negated, ranges } => self.class(*negated, ranges),
            ExprKind::Any => self.out.push_str("/./s"),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Sequence(items) if items.is_empty() => self.out.push_str("()"),
            ExprKind::Sequence(items) => self.joined(items, " ", Place::Item)?,
            ExprKind::Alternation(arms) => self.joined(arms, " | ", Place::Arm)?,
            ExprKind::Repeat { expr, min, max } => self.repeat(expr, *min, *max)?,
            ExprKind::Exception(..) => return Err(PrintError::Exception(expr.span)),
            ExprKind::Regex(_) => return Err(PrintError::Regex(expr.span)),
            ExprKind::Token(text) if text.starts_with('<') => self.out.push_str(text),
            ExprKind::Token(_) => return Err(PrintError::Token(expr.span)),
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

    /// Lark has no sign for "at least twice": the first ones are written, and then any number.
    fn repeat(&mut self, expr: &Expr, min: u32, max: Option<u32>) -> Result<(), PrintError> {
        self.expr(expr, Place::Operand)?;
        let sign = match (min, max) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (_, Some(max)) if max == min => format!("~{min}"),
            (_, Some(max)) => format!("~{min}..{max}"),
            (_, None) => {
                let _ = write!(self.out, "~{min} ");
                self.expr(expr, Place::Operand)?;
                "*".to_owned()
            }
        };
        self.out.push_str(&sign);
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

    fn class(&mut self, negated: bool, ranges: &[(char, char)]) {
        self.out.push_str(if negated { "/[^" } else { "/[" });
        for (first, last) in ranges {
            push_character(&mut self.out, *first, "[]\\-^/");
            if first != last {
                self.out.push('-');
                push_character(&mut self.out, *last, "[]\\-^/");
            }
        }
        self.out.push_str("]/");
    }
}

/// What each name is written as: small letters, digits and underscores, each name once.
fn names<'g>(grammar: &'g Grammar, start: &'g str) -> HashMap<&'g str, String> {
    let mut written = HashMap::from([(start, "start".to_owned())]);
    let mut taken = HashSet::from(["start".to_owned()]);
    let mut counts: HashMap<String, u64> = HashMap::new();
    for name in super::print::all_names(grammar) {
        if written.contains_key(name) {
            continue;
        }
        let base = base(name);
        let count = counts.entry(base.clone()).or_insert(0);
        let fresh = loop {
            *count += 1;
            let fresh = if *count == 1 { base.clone() } else { format!("{base}_{count}") };
            if taken.insert(fresh.clone()) {
                break fresh;
            }
        };
        written.insert(name, fresh);
    }
    written
}

fn base(name: &str) -> String {
    let small = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    let base: String = small.collect();
    let base = base.trim_matches('_');
    if base.starts_with(|c: char| c.is_ascii_lowercase()) { base.to_owned() } else { format!("r_{base}") }
}
