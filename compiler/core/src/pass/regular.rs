//! Replaces operations by regular languages: `A - B`, `A & B`, the lazy texts of `A`, free text without the literals
//! that end it.
//!
//! Context-free languages are not closed under difference and intersection, so the operands must be free of recursion.

use std::collections::VecDeque;

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::budget;
use ogc_regular::{Dfa, DfaState, Edge, LimitError, StateId};
use ogc_schema::source::Origin;

use crate::ir::{ExprId, ExprKind, Grammar, MachineId, TextLimit, is_marker};
use crate::pass::facts::Facts;
use crate::pass::nfa::{END, Nfa, START, UnitId};
use crate::pass::plan::Plan;
use crate::pass::scc::components;
use crate::pass::stops::Stops;
use crate::pass::subset::{Machine, Work, construct};
use crate::pass::thompson::{Context, NfaWriter};
use crate::pass::{Limits, grammar_limit};

/// Cap on the states of all nondeterministic automata of one operand.
const SIDE_STATES: usize = 100_000;

/// Cap on the expressions visited by all operations together; each operation visits the whole grammar.
const EFFORT: usize = 100_000_000;

/// Resolves every operation of the grammar, inner ones first. `stops` are the ends of free texts.
///
/// Operations without effect are reported in `found`: a difference that removes nothing, the lazy texts of an
/// expression that may be empty.
pub fn resolve(
    grammar: &mut Grammar,
    stops: &Stops,
    limits: &Limits,
    found: &mut Vec<Diagnostic<Origin>>,
) -> Result<(), Box<Diagnostic<Origin>>> {
    let order = in_order(grammar);
    let Some(&first) = order.first() else { return Ok(()) };
    let cost = order.len().saturating_mul(grammar.exprs.len());
    LimitError::check("regular operations times expressions", cost, EFFORT)
        .map_err(|error| Box::new(grammar_limit(error, grammar.exprs[first.index()].origin)))?;
    let recursive = components(&grammar.references()).cyclic;
    let plan = Plan::whole(grammar);
    let mut work = Work::default();
    for id in order {
        let origin = grammar.exprs[id.index()].origin;
        let _place = budget::at(budget::Spender(origin.0));
        let mut operands = Vec::new();
        grammar.kind(id).children(|child| operands.push(child));
        for &operand in &operands {
            refuse_irregular(grammar, operand, &recursive, origin)?;
        }
        let facts = Facts::of(grammar);
        let context =
            Context { grammar, facts: &facts, plan: &plan, others: 0, limit: SIDE_STATES.min(limits.nfa_states) };
        let read = operands.iter().map(|&operand| regular(context, operand, limits, &mut work));
        let read = read.collect::<Result<Vec<Dfa>, _>>();
        found.extend(read.iter().filter_map(|dfas| idle(grammar.kind(id), dfas, origin, limits)));
        let made = read.and_then(|dfas| combine(grammar, id, &dfas, stops, limits));
        let dfa = made.map_err(|error| Box::new(grammar_limit(error, origin)))?;
        grammar.machines.push(dfa);
        let machine = MachineId((grammar.machines.len() - 1) as u32);
        let ExprKind::Limited { body, limit } = *grammar.kind(id) else {
            grammar.exprs[id.index()].kind = ExprKind::Machine(machine);
            continue;
        };
        if let (TextLimit::Tokens(_), Some(text)) = (limit, endless(&grammar.machines[machine.index()])) {
            return Err(Box::new(uncounted(&text, origin)));
        }
        grammar.exprs[body.index()].kind = ExprKind::Machine(machine);
    }
    Ok(())
}

/// Returns a shortest prefix of whole characters that is itself no text of the language; `None` if there is none.
fn endless(dfa: &Dfa) -> Option<String> {
    let mut seen = vec![false; dfa.len()];
    let mut open = VecDeque::from([(dfa.start(), Vec::new())]);
    while let Some((at, text)) = open.pop_front() {
        for edge in &dfa.state(at).edges {
            let to = dfa.state(edge.to);
            let longer = [text.as_slice(), &[edge.lo]].concat();
            let is_whole = std::str::from_utf8(&longer).is_ok();
            if is_whole && !to.accept {
                return String::from_utf8(longer).ok();
            }
            if !std::mem::replace(&mut seen[edge.to.index()], true) {
                open.push_back((edge.to, longer));
            }
        }
    }
    None
}

fn uncounted(text: &str, origin: Origin) -> Diagnostic<Origin> {
    let message =
        format!("a text bounded in tokens can end after every character, and this one cannot end after {text:?}");
    let help = "bound it in characters, or put what it has to end with behind it";
    Diagnostic::error(Code::TokenLimit, origin, message).help(help)
}

/// Builds the automaton of an operation from its operands'; for a text of bounded length, the automaton of its body.
fn combine(grammar: &Grammar, id: ExprId, dfas: &[Dfa], stops: &Stops, limits: &Limits) -> Result<Dfa, LimitError> {
    match (grammar.kind(id), dfas) {
        (ExprKind::Exception(..), [kept, refused]) => kept.difference(refused, limits.states),
        (ExprKind::Intersection(..), [one, other]) => one.intersect(other, limits.states),
        (ExprKind::Lazy(_), [body]) => Ok(lazy(body)),
        (ExprKind::Free { .. }, without) => free(stops.of(id), without.first(), limits.states),
        (_, [body, ..]) => Ok(body.clone()),
        (_, []) => Ok(Dfa::empty()),
    }
}

/// Returns the finding about an operation without effect.
fn idle(kind: &ExprKind, dfas: &[Dfa], origin: Origin, limits: &Limits) -> Option<Diagnostic<Origin>> {
    match (kind, dfas) {
        (ExprKind::Exception(..), [kept, refused]) => {
            let common = kept.intersect(refused, limits.states).ok()?;
            let help = "`-` is about the whole text, and binds tighter than `%` and a sequence: put what is kept in parentheses, \
                        or leave it out";
            common.is_empty().then(|| {
                Diagnostic::warning(
                    Code::IdleOperation,
                    origin,
                    "nothing is taken away: no text is on both sides of `-`",
                )
                .help(help)
            })
        }
        (ExprKind::Lazy(_), [body]) if body.contains(b"") => {
            let message =
                "this is the empty text alone: `lazy` stops as soon as it can, and the empty text is in its set";
            let help = "put what it ends with inside: `/.*;/` then ends at the first `;`";
            Some(Diagnostic::warning(Code::IdleOperation, origin, message).help(help))
        }
        _ => None,
    }
}

/// Builds the automaton of the lazy texts of `body`: those without a shorter text of `body` as prefix. Nothing follows
/// an accepting state.
fn lazy(body: &Dfa) -> Dfa {
    let stop = |state: &DfaState| DfaState {
        accept: state.accept,
        edges: if state.accept { Vec::new() } else { state.edges.clone() },
    };
    Dfa::from_states(body.states().iter().map(stop).collect()).minimize()
}

/// Builds the automaton of all texts in which no stop and no text of `without` occurs.
fn free(stops: &[Box<[u8]>], without: Option<&Dfa>, limit: usize) -> Result<Dfa, LimitError> {
    let any = Dfa::any_text();
    let literals = stops.iter().map(|stop| Dfa::literal(stop));
    // The empty text occurs everywhere; excluding it cannot be meant.
    let without = without.map(|dfa| dfa.difference(&Dfa::epsilon(), limit)).transpose()?;
    let avoided: Vec<Dfa> = literals.chain(without).collect();
    if avoided.is_empty() {
        return Ok(any);
    }
    let avoided = ogc_regular::union_all(&avoided.iter().collect::<Vec<_>>(), limit)?;
    any.difference(&ogc_regular::concat_all(&[&any, &avoided, &any], limit)?, limit)
}

/// Returns all operations, ordered so that the operations which one of them reads, also through rules, come before it,
/// unless they are recursive.
fn in_order(grammar: &Grammar) -> Vec<ExprId> {
    if !grammar.exprs.iter().any(|expr| expr.kind.is_operation()) {
        return Vec::new();
    }
    let below = |expr: &crate::ir::Expr| {
        let mut below = Vec::new();
        expr.kind.children(|child| below.push(child.0));
        if let ExprKind::Rule(rule) = expr.kind {
            below.push(grammar.rules[rule.index()].body.0);
        }
        below
    };
    let edges: Vec<Vec<u32>> = grammar.exprs.iter().map(below).collect();
    let all = components(&edges).members.into_iter().flatten().map(ExprId);
    all.filter(|&id| grammar.kind(id).is_operation()).collect()
}

/// Returns an error if `side` reads a recursive rule, a value, or a text that is counted at run time.
fn refuse_irregular(
    grammar: &Grammar,
    side: ExprId,
    recursive: &[bool],
    origin: Origin,
) -> Result<(), Box<Diagnostic<Origin>>> {
    let mut seen = vec![false; grammar.rules.len()];
    let mut open = vec![side];
    while let Some(id) = open.pop() {
        grammar.kind(id).children(|child| open.push(child));
        let kind = grammar.kind(id);
        if let ExprKind::Rule(rule) = kind {
            if recursive[rule.index()] {
                return Err(Box::new(recursive_operand(&grammar.rules[rule.index()], origin)));
            }
            if !std::mem::replace(&mut seen[rule.index()], true) {
                open.push(grammar.rules[rule.index()].body);
            }
        }
        if let Some(what) = what_is_irregular(kind) {
            return Err(Box::new(irregular(origin, grammar.exprs[id.index()].origin, what)));
        }
    }
    Ok(())
}

/// Returns a description of an expression that cannot be part of an operand; `None` if it can.
fn what_is_irregular(kind: &ExprKind) -> Option<&'static str> {
    match kind {
        ExprKind::External(_) => Some("a JSON value"),
        ExprKind::Limited { .. } => Some("a text whose length is counted"),
        ExprKind::Literal(text) if is_marker(text) => Some("a token of the vocabulary"),
        _ => None,
    }
}

fn recursive_operand(named: &crate::ir::Rule, origin: Origin) -> Diagnostic<Origin> {
    let message = format!("the rule `{}` is recursive; an operand here must be without recursion", named.name);
    let help = "say what is allowed instead, or do this inside the recursive rule, on its characters";
    Diagnostic::error(Code::ExceptionNotRegular, origin, message).label(named.origin, "recursive").help(help)
}

fn irregular(origin: Origin, place: Origin, what: &str) -> Diagnostic<Origin> {
    let message = format!("{what} is part of an operand; `&`, `-`, `lazy` and `without` are about texts alone");
    let help = "write what is allowed as literals and patterns, and put the rest beside it";
    Diagnostic::error(Code::ExceptionNotRegular, origin, message).label(place, "this part").help(help)
}

/// Builds the automaton of an expression without recursion.
fn regular(context: Context<'_>, expr: ExprId, limits: &Limits, work: &mut Work) -> Result<Dfa, LimitError> {
    let nfa: Nfa = {
        // The plan copies everything, so there are no calls.
        let mut unit = |_| UnitId(u32::MAX);
        let mut writer = NfaWriter::new(context, &mut unit);
        writer.write(expr, START, END)?;
        writer.nfa
    };
    let limits = Limits { rule_states: limits.rule_states.max(SIDE_STATES), ..*limits };
    let machine = construct(&nfa, true, &limits, work)?;
    let limit = limits.rule_states;
    let machine = machine.ok_or(LimitError { what: "states of an operand", given: limit + 1, limit })?;
    Ok(dfa(&machine))
}

fn dfa(machine: &Machine) -> Dfa {
    let edges = |list: &[crate::pass::subset::Edge]| {
        list.iter().map(|edge| Edge { lo: edge.lo, hi: edge.hi, to: StateId(edge.to) }).collect()
    };
    let states = machine.states.iter().map(|state| DfaState { accept: state.accept, edges: edges(&state.edges) });
    Dfa::from_states(states.collect()).minimize()
}
