//! Writes the parts of texts as marks: makes a second grammar for the same texts, with marks between the bytes. The
//! marks show where captures, calls and JSON values begin and end, and which choices lead there. Only the machine that
//! finds parts is built from this grammar; masks never use it.

mod cut;

pub(crate) use cut::cut;

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::captures::{CapturePart, END, begin, choice};
use ogc_schema::source::Origin;
use rustc_hash::FxHashSet;

use crate::ir::{Captured, Expr, ExprId, ExprKind, Grammar};
use crate::pass::facts::Facts;
use crate::pass::scc::components;

/// Writes the marks of all parts. The grammar's operations must have been resolved, and [`drop_circular`] and [`cut()`]
/// have run.
pub(crate) fn mark(grammar: &mut Grammar) {
    let circular = circular(grammar);
    let mut capturing = capturing(grammar);
    capturing.iter_mut().zip(circular).for_each(|(marked, circular)| *marked &= !circular);
    let mut named = take_named(grammar).into_iter().peekable();
    let exprs = std::mem::take(&mut grammar.exprs);
    let mut ids: Vec<ExprId> = Vec::with_capacity(exprs.len());
    for (old, expr) in (0..).map(ExprId).zip(exprs) {
        let expr = Expr { kind: expr.kind.with_children(|child| ids[child.index()]), ..expr };
        let mut id = if capturing[old.index()] { with_choices(grammar, expr) } else { push(grammar, expr) };
        if matches!(grammar.kind(id), ExprKind::External(_)) {
            id = between_marks(grammar, id, &CapturePart::Value, grammar.exprs[id.index()].origin);
        }
        while let Some((_, part, origin)) = named.next_if(|(body, ..)| *body == old) {
            id = between_marks(grammar, id, &part, origin);
        }
        ids.push(id);
    }
    for rule in &mut grammar.rules {
        rule.body = ids[rule.body.index()];
    }
    grammar.mixes.clear(); // they were checked
}

/// Takes the captures and calls out of a grammar, ordered by expression; those of the same expression are ordered from
/// the inside out.
fn take_named(grammar: &mut Grammar) -> Vec<(ExprId, CapturePart, Origin)> {
    let calls = std::mem::take(&mut grammar.calls).into_iter();
    let calls = calls.map(|call| (call.body, CapturePart::Call(call.name), call.origin));
    let captures = std::mem::take(&mut grammar.captures).into_iter();
    let captures = captures.map(|capture| (capture.body, CapturePart::Capture(capture.name), capture.origin));
    let mut named: Vec<_> = calls.chain(captures).collect();
    named.sort_by_key(|(body, ..)| *body);
    named
}

/// Computes which expressions contain parts, also through rules.
fn capturing(grammar: &Grammar) -> Vec<bool> {
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); grammar.exprs.len()];
    for (at, expr) in grammar.exprs.iter().enumerate() {
        expr.kind.children(|child| above[child.index()].push(at));
        if let ExprKind::Rule(rule) = expr.kind {
            above[grammar.rules[rule.index()].body.index()].push(at);
        }
    }
    let mut known = vec![false; grammar.exprs.len()];
    let values = (0..).zip(&grammar.exprs).filter(|(_, expr)| matches!(expr.kind, ExprKind::External(_)));
    let bodies =
        grammar.captures.iter().chain(&grammar.calls).map(|one| one.body.index()).chain(values.map(|(at, _)| at));
    let mut open: Vec<usize> = bodies.flat_map(|body| above[body].clone()).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut known[at], true) {
            open.extend(&above[at]);
        }
    }
    known
}

/// Returns an expression with marks for its choices: which alternative is taken, and whether another item follows.
fn with_choices(grammar: &mut Grammar, expr: Expr) -> ExprId {
    let origin = expr.origin;
    match expr.kind {
        ExprKind::Alternation(arms) => {
            let way = |(way, &arm): (usize, &ExprId)| after(grammar, choice(way, arms.len()), arm, origin);
            let arms = arms.iter().enumerate().map(way).collect();
            push(grammar, Expr { kind: ExprKind::Alternation(arms), origin })
        }
        ExprKind::Repeat { body, min, max } => {
            let body = after(grammar, choice(0, 2), body, origin);
            let items = push(grammar, Expr { kind: ExprKind::Repeat { body, min, max }, origin });
            let enough = literal(grammar, choice(1, 2), origin);
            push(grammar, Expr { kind: ExprKind::Sequence([items, enough].into()), origin })
        }
        _ => push(grammar, expr),
    }
}

fn push(grammar: &mut Grammar, expr: Expr) -> ExprId {
    grammar.exprs.push(expr);
    ExprId((grammar.exprs.len() - 1) as u32)
}

fn literal(grammar: &mut Grammar, bytes: Vec<u8>, origin: Origin) -> ExprId {
    push(grammar, Expr { kind: ExprKind::Literal(bytes.into()), origin })
}

fn after(grammar: &mut Grammar, mark: Vec<u8>, body: ExprId, origin: Origin) -> ExprId {
    let mark = literal(grammar, mark, origin);
    push(grammar, Expr { kind: ExprKind::Sequence([mark, body].into()), origin })
}

fn between_marks(grammar: &mut Grammar, body: ExprId, part: &CapturePart, origin: Origin) -> ExprId {
    let begun = after(grammar, begin(part), body, origin);
    let end = literal(grammar, vec![END], origin);
    push(grammar, Expr { kind: ExprKind::Sequence([begun, end].into()), origin })
}

/// Returns the parts, each once: captures in source order, then calls in source order, then values.
pub(crate) fn parts(grammar: &Grammar) -> Vec<CapturePart> {
    let captures = names(&grammar.captures).into_iter().map(CapturePart::Capture);
    let calls = names(&grammar.calls).into_iter().map(CapturePart::Call);
    captures.chain(calls).chain(grammar.has_values().then_some(CapturePart::Value)).collect()
}

fn names(parts: &[Captured]) -> Vec<String> {
    let mut parts: Vec<&Captured> = parts.iter().collect();
    parts.sort_by_key(|part| part.origin);
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    parts.retain(|part| seen.insert(&part.name));
    parts.into_iter().map(|part| part.name.clone()).collect()
}

/// Warns of captures inside operands, because nothing will report them.
pub(crate) fn lost(grammar: &Grammar, found: &mut Vec<Diagnostic<Origin>>) {
    if grammar.captures.is_empty() {
        return;
    }
    let inside = grammar.inside_operands();
    for captured in grammar.captures.iter().filter(|captured| inside[captured.body.index()]) {
        let message = format!("`{}` is not reported here: it is inside of an operand", captured.name);
        let help = "texts of `&`, `-`, `lazy` and those with limits are read as a whole: capture the whole, in .ogc files as \
                    `name: (a - b)`";
        let diagnostic = Diagnostic::warning(Code::LostCapture, captured.origin, message).help(help);
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
}

/// Drops the captures and calls that can begin with themselves, with a finding: only at the end of the text is it known
/// how many of them begin at a place. The grammar's operations must have been resolved.
pub(crate) fn drop_circular(grammar: &mut Grammar, found: &mut Vec<Diagnostic<Origin>>) {
    if grammar.captures.is_empty() && grammar.calls.is_empty() {
        return;
    }
    let circular = circular(grammar);
    grammar.calls.retain(|call| {
        let keep = !circular[call.body.index()];
        if !keep {
            let message = format!("calls of `{}` are not reported: a call can begin with another", call.name);
            let help = "write what stands around several calls outside of the template, as a list or a repetition";
            found.push(Diagnostic::warning(Code::LostCapture, call.origin, message).help(help));
        }
        keep
    });
    grammar.captures.retain(|captured| {
        let keep = !circular[captured.body.index()];
        if !keep {
            let message = format!("`{}` is not reported: what it captures can begin with it again", captured.name);
            let help = "write the recursion on the right, as a list or as `x (\"+\" x)*`, and capture the `x` in it";
            found.push(Diagnostic::warning(Code::LostCapture, captured.origin, message).help(help));
        }
        keep
    });
}

/// Computes which expressions can begin with themselves.
fn circular(grammar: &Grammar) -> Vec<bool> {
    let facts = Facts::of(grammar);
    let first = |expr: &Expr| match &expr.kind {
        ExprKind::Sequence(items) => {
            let before = items.iter().take_while(|item| facts.expr(**item).nullable).count();
            items.iter().take(before + 1).map(|item| item.0).collect()
        }
        ExprKind::Rule(rule) => vec![grammar.rules[rule.index()].body.0],
        kind => {
            let mut first = Vec::new();
            kind.children(|child| first.push(child.0));
            first
        }
    };
    components(&grammar.exprs.iter().map(first).collect::<Vec<Vec<u32>>>()).cyclic
}
