//! Tells which notation an EBNF file is in, by its content.
//!
//! `=` after the first name is ISO 14977. `::=` is the W3C's EBNF, or GBNF, which many tools call EBNF. They differ in
//! escapes (`"\n"`), comments (`#`), and in where texts begin (the first rule, `root`), so:
//!
//! 1. If a construct that only the W3C's EBNF has comes before the first backslash and the first `#` comment, the text
//!    is W3C EBNF.
//! 2. A text that has no errors in only one of the two is in that notation. Backslashes that look like escapes are
//!    errors in the W3C's EBNF; if they are the only errors, the text is GBNF only if it has a rule `root`.
//! 3. A text with errors in both is in the notation in which the first error comes later; if there is a rule `root`, it
//!    is GBNF.
//! 4. A text without errors in either is accepted if it means the same in both, and is an error otherwise.

use std::collections::{HashMap, HashSet};

use super::iso_lex::Iso;
use super::w3c_lex::{W3c, is_constraint};
use super::{Style, first_sign, iso, nullable};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::gbnf;
use crate::notation::lexeme::{Lexeme, Token};
use crate::notation::lexer::lexemes;
use crate::notation::parse::{Dialect, grammar};
use crate::rules::{Expr, ExprKind, Grammar};
use crate::span::{Span, part};

/// Name of GBNF's start rule.
const ROOT: &str = "root";

/// A file as it was read.
pub(super) struct Reading {
    pub(super) style: Style,
    pub(super) grammar: Grammar,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Error to report if the caller names no start rule.
    pub(super) open_start: Option<Diagnostic>,
}

impl Reading {
    fn new(style: Style, (grammar, diagnostics): (Grammar, Vec<Diagnostic>)) -> Reading {
        Reading { style, grammar, diagnostics, open_start: None }
    }

    fn is_sound(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn first_error(&self) -> Option<u32> {
        self.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.span.start).min()
    }

    fn has_root(&self) -> bool {
        self.grammar.rules.iter().any(|rule| rule.name.value == ROOT)
    }
}

/// Reads a text in the notation that its content shows.
pub(super) fn read(text: &str) -> Reading {
    if first_sign(text) == Style::Iso {
        return Reading::new(Style::Iso, read_iso(text));
    }
    let mut sink = Sink::default();
    let found = match lexemes::<W3c>(text, &mut sink) {
        Ok(found) => found,
        Err(refusal) => return Reading::new(Style::W3c, (Grammar::default(), vec![*refusal])),
    };
    let tree = grammar(text, &found, Dialect::W3c, &mut sink);
    let w3c = Reading::new(Style::W3c, (tree, sink.finish()));
    if is_w3c(text, &found) {
        return w3c;
    }
    drop(found);
    // The two notations differ in the text after a backslash or `#`, in errors, and in the start rule.
    if w3c.is_sound() && !text.contains(['\\', '#']) {
        return either(w3c);
    }
    chosen(w3c, rooted(Reading::new(Style::Gbnf, gbnf::parse(text))))
}

fn read_iso(text: &str) -> (Grammar, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    match lexemes::<Iso>(text, &mut sink) {
        Ok(found) => (nullable::repeat_nonempty(iso::grammar(&found, &mut sink)), sink.finish()),
        Err(refusal) => (Grammar::default(), vec![*refusal]),
    }
}

/// Chooses one of two readings of a text.
fn chosen(w3c: Reading, gbnf: Reading) -> Reading {
    let mut errors = w3c.diagnostics.iter().filter(|found| found.is_error());
    let has_escapes_alone = !w3c.is_sound() && errors.all(|found| found.code == Code::EbnfBackslash);
    match (w3c.is_sound(), gbnf.is_sound()) {
        // The message names both notations.
        _ if has_escapes_alone && !gbnf.has_root() => w3c,
        (true, false) => w3c,
        (true, true) => match first_difference(&w3c.grammar, &gbnf.grammar) {
            None => either(w3c),
            Some(place) => Reading { diagnostics: vec![ambiguous(place)], ..w3c },
        },
        (false, true) => gbnf,
        (false, false) if gbnf.has_root() || gbnf.first_error() > w3c.first_error() => gbnf,
        (false, false) => w3c,
    }
}

/// Makes `root` the start rule of a GBNF grammar, if it exists.
fn rooted(mut reading: Reading) -> Reading {
    reading.grammar.start = reading.has_root().then(|| ROOT.to_owned());
    reading
}

/// Finds the start of a text that is W3C EBNF as well as GBNF: `root` or the first rule.
fn either(mut reading: Reading) -> Reading {
    let Some(first) = reading.grammar.rules.first().filter(|first| first.name.value != ROOT) else { return reading };
    let Some(root) = reading.grammar.rules.iter().find(|rule| rule.name.value == ROOT) else { return reading };
    if reaches_root(&reading.grammar) {
        let name = &first.name.value;
        let message = format!("texts begin with `root` in GBNF, and with the first rule, `{name}`, in the W3C's EBNF");
        let help = format!(
            "name the start rule (`-d root`, `-d {name}`), or the notation: .gbnf or `--language gbnf` for GBNF, a comment \
             `/* W3C */` at the beginning for the W3C's"
        );
        let found = Diagnostic::error(Code::EbnfDialect, root.name.span, message).help(help);
        reading.open_start = Some(found.label(first.name.span, "the first rule"));
        return reading;
    }
    rooted(reading)
}

fn ambiguous(place: Span) -> Diagnostic {
    let message = "this is one thing in the W3C's EBNF and another in GBNF, and nothing before it tells which is meant";
    let help = "for GBNF name the file .gbnf, or say so: `--language gbnf`, in a request `\"syntax\": \"gbnf\"`; for the \
                W3C's EBNF write a comment `/* W3C */` at the beginning";
    Diagnostic::error(Code::EbnfDialect, place, message).help(help)
}

/// Returns whether the first rule uses the rule `root`, directly or through others.
fn reaches_root(grammar: &Grammar) -> bool {
    let bodies: HashMap<&str, &Expr> =
        grammar.rules.iter().rev().map(|rule| (rule.name.value.as_str(), &rule.body)).collect();
    let mut open: Vec<&str> = grammar.rules.first().map(|rule| rule.name.value.as_str()).into_iter().collect();
    let mut seen: HashSet<&str> = open.iter().copied().collect();
    while let Some(name) = open.pop() {
        let Some(body) = bodies.get(name) else { continue };
        body.walk(&mut |expr| {
            if let ExprKind::Name(name) = &expr.kind
                && seen.insert(name)
            {
                open.push(name);
            }
        });
    }
    seen.contains(ROOT)
}

/// Returns whether a construct that only the W3C's EBNF has comes before any text that the two notations read
/// differently.
fn is_w3c(text: &str, lexemes: &[Lexeme]) -> bool {
    let token = |at: usize| lexemes.get(at).map(|lexeme| &lexeme.token);
    let mut end = 0;
    for (at, lexeme) in lexemes.iter().enumerate() {
        let gap = part(text, end as usize..lexeme.span.start as usize);
        end = lexeme.span.end;
        // Comments and labels lie between lexemes; comments of other notations tell nothing.
        if gap.trim_start().starts_with(['/', '[']) {
            return true;
        }
        let written = lexeme.span.text(text);
        // `#x` without digits is a comment of GBNF.
        if written.contains('\\') || lexeme.token == Token::Unknown('#') || is_no_number(written) {
            return false;
        }
        let before = at.checked_sub(1).and_then(token);
        let is_number = written.starts_with("#x")
            && (matches!(before, None | Some(Token::Define | Token::Bar | Token::Open | Token::Minus))
                || matches!(token(at + 1), Some(Token::Bar | Token::Close | Token::Minus | Token::Repeat { .. })));
        let is_class = written.strip_prefix('[').is_some_and(|inside| inside.contains("#x") || is_constraint(inside));
        if is_number || is_class || written.starts_with('\'') || lexeme.token == Token::Minus {
            return true;
        }
    }
    part(text, end as usize..).trim_start().starts_with(['/', '['])
}

/// Returns whether a lexeme begins like the number of a character, `#x`, and has no digits.
fn is_no_number(written: &str) -> bool {
    let digits = written.strip_prefix("#x");
    digits.is_some_and(|digits| digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Returns the place of the first expression that differs between two grammars.
fn first_difference(one: &Grammar, other: &Grammar) -> Option<Span> {
    for (left, right) in one.rules.iter().zip(&other.rules) {
        if left.name.value != right.name.value {
            return Some(left.name.span);
        }
        if let Some(place) = difference(&left.body, &right.body) {
            return Some(place);
        }
    }
    let longer = if one.rules.len() > other.rules.len() { one } else { other };
    longer.rules.get(one.rules.len().min(other.rules.len())).map(|rule| rule.name.span)
}

/// Returns the span of the first difference between two expressions. The readers' nesting limit bounds the recursion.
fn difference(one: &Expr, other: &Expr) -> Option<Span> {
    let all = |left: &[Expr], right: &[Expr]| match left.iter().zip(right).find_map(|(l, r)| difference(l, r)) {
        None if left.len() != right.len() => Some(one.span),
        place => place,
    };
    match (&one.kind, &other.kind) {
        (ExprKind::Sequence(left), ExprKind::Sequence(right))
        | (ExprKind::Alternation(left), ExprKind::Alternation(right)) => all(left, right),
        (ExprKind::Repeat { expr: left, min, max }, ExprKind::Repeat { expr: right, min: least, max: most }) => {
            if (min, max) == (least, most) { difference(left, right) } else { Some(one.span) }
        }
        (left, right) if left == right => None,
        _ => Some(one.span),
    }
}
