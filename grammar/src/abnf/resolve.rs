//! From rules as they are written to a tree: one spelling for each name, one rule for all its alternatives, and the core rules
//! that are used.

use std::collections::HashMap;

use super::core;
use super::octets::{self, Meaning};
use super::parse::{Part, Written};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::rules::{Expr, ExprKind, Grammar, Rule, Start};
use crate::span::{Span, Spanned};

/// Joins the parts of each rule, spells names alike, and adds core rules after the rules of the text.
pub(super) fn resolve(written: Vec<Written>, meaning: Meaning, sink: &mut Sink) -> Grammar {
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut rules: Vec<Rule> = Vec::new();
    for Written { name, part, body } in written {
        let known = first.get(&name.value.to_ascii_lowercase()).copied();
        match (part, known.and_then(|at| rules.get_mut(at))) {
            (Part::Further, Some(rule)) => add_arms(&mut rule.body, body),
            (part, known) => {
                if part == Part::Further {
                    sink.push(no_first(&name));
                }
                // A second definition gets the spelling of the first, so that the check for duplicates finds it.
                let spelled = known.map_or_else(|| name.value.clone(), |rule| rule.name.value.clone());
                first.entry(name.value.to_ascii_lowercase()).or_insert(rules.len());
                rules.push(Rule { name: Spanned::new(spelled, name.span), body });
            }
        }
    }
    let spellings: HashMap<String, String> =
        rules.iter().map(|rule| (rule.name.value.to_ascii_lowercase(), rule.name.value.clone())).collect();
    let mut cores: Vec<(&'static str, Span)> = Vec::new();
    rules.iter_mut().for_each(|rule| spell(&mut rule.body, &spellings, &mut cores));
    for (name, at) in cores {
        if name == "OCTET" {
            octets::core_octet(meaning, at, sink);
        }
        // The text of a core rule is not in the file, so its span is empty.
        let at = Span::empty(at.start);
        rules.push(Rule { name: Spanned::new(name.to_owned(), at), body: core::body(name, at) });
    }
    Grammar { rules, start: None }
}

/// Returns the start rule with its name as the grammar spells it.
pub(super) fn spelled<'n>(grammar: &'n Grammar, start: Start<'n>) -> Start<'n> {
    let Start::Named(name) = start else { return start };
    let known = grammar.rules.iter().find(|rule| rule.name.value.eq_ignore_ascii_case(name));
    Start::Named(known.map_or(name, |rule| rule.name.value.as_str()))
}

fn no_first(name: &Spanned<String>) -> Diagnostic {
    let message = format!("`=/` adds to the rule `{}`, which is not defined before it", name.value);
    Diagnostic::error(Code::AbnfIncremental, name.span, message).help("write `=`, or move it behind the definition")
}

/// Adds the alternatives of `=/` to a body, whose span stays that of its first part.
fn add_arms(body: &mut Expr, more: Expr) {
    let span = body.span;
    let arms = |expr: Expr| match expr.kind {
        ExprKind::Alternation(arms) => arms,
        kind => vec![Expr { kind, span: expr.span }],
    };
    let mut all = arms(std::mem::replace(body, Expr::empty(span)));
    all.extend(arms(more));
    *body = Expr::new(ExprKind::Alternation(all), span);
}

/// Gives the names in an expression one spelling, and collects the core rules among them. The parser's nesting limit
/// bounds the recursion.
fn spell(expr: &mut Expr, spellings: &HashMap<String, String>, cores: &mut Vec<(&'static str, Span)>) {
    match &mut expr.kind {
        ExprKind::Name(name) => {
            if let Some(spelled) = spellings.get(&name.to_ascii_lowercase()) {
                name.clone_from(spelled);
            } else if let Some(known) = core::spelled(name) {
                known.clone_into(name);
                if !cores.iter().any(|(other, _)| *other == known) {
                    cores.push((known, expr.span));
                }
            }
        }
        ExprKind::Sequence(items) | ExprKind::Alternation(items) => {
            items.iter_mut().for_each(|item| spell(item, spellings, cores));
        }
        ExprKind::Repeat { expr, .. } => spell(expr, spellings, cores),
        // Other kinds that ABNF produces hold no expressions.
        _ => {}
    }
}
