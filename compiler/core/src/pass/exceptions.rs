//! Exceptions become regular languages: `A - B` is the difference of two automata.
//!
//! Context-free languages are not closed under difference, so both sides must be free of recursion.

use ogc_grammar::{Diagnostic, Span};
use ogc_regular::{Dfa, Edge, State, StateId};

use crate::ir::{ExprId, ExprKind, Grammar, MachineId};
use crate::pass::facts::Facts;
use crate::pass::nfa::{END, Nfa, START, UnitId};
use crate::pass::plan::Plan;
use crate::pass::scc::components;
use crate::pass::subset::{Machine, Work, construct};
use crate::pass::thompson::{Context, Writer};
use crate::pass::{Exceeded, Limits};

/// States of all nondeterministic automata of one exception.
const SIDE_STATES: usize = 100_000;

/// Each exception looks at the whole grammar: so many expressions in all.
const EFFORT: usize = 100_000_000;

/// Resolves every exception of the grammar, inner ones first.
pub(crate) fn resolve(grammar: &mut Grammar, limits: &Limits) -> Result<(), Box<Diagnostic>> {
    let order = in_order(grammar);
    if order.is_empty() {
        return Ok(());
    }
    let cost = order.len().saturating_mul(grammar.exprs.len());
    Exceeded::check("exceptions times expressions", cost, EFFORT).map_err(|exceeded| {
        let first = order.first().map(|id| grammar.exprs[id.index()].span);
        Box::new(exceeded.diagnostic(first.unwrap_or_default()))
    })?;
    let recursive = components(&grammar.references()).cyclic;
    let plan = Plan::whole(grammar);
    let mut work = Work::default();
    for id in order {
        let ExprKind::Exception(kept, refused) = *grammar.kind(id) else { continue };
        let span = grammar.exprs[id.index()].span;
        for side in [kept, refused] {
            refuse_recursion(grammar, side, &recursive, span)?;
        }
        let dfa = difference(grammar, &plan, (kept, refused), limits, &mut work)
            .map_err(|exceeded| Box::new(exceeded.diagnostic(span)))?;
        grammar.machines.push(dfa);
        grammar.exprs[id.index()].kind = ExprKind::Machine(MachineId((grammar.machines.len() - 1) as u32));
    }
    Ok(())
}

/// All exceptions; what one of them reads through rules comes before it, unless that is recursive.
fn in_order(grammar: &Grammar) -> Vec<ExprId> {
    if !grammar.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Exception(..))) {
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
    all.filter(|&id| matches!(grammar.kind(id), ExprKind::Exception(..))).collect()
}

/// An error if `side` reads a recursive rule.
fn refuse_recursion(grammar: &Grammar, side: ExprId, recursive: &[bool], span: Span) -> Result<(), Box<Diagnostic>> {
    let mut seen = vec![false; grammar.rules.len()];
    let mut open = vec![side];
    while let Some(id) = open.pop() {
        grammar.kind(id).children(|child| open.push(child));
        let ExprKind::Rule(rule) = *grammar.kind(id) else { continue };
        let named = &grammar.rules[rule.index()];
        if recursive[rule.index()] {
            let message =
                format!("the rule `{}` is recursive; an exception needs both sides without recursion", named.name);
            let help =
                "say what is allowed instead, or make the exception inside the recursive rule, on its characters";
            return Err(Box::new(
                Diagnostic::error("exception-not-regular", span, message).label(named.span, "recursive").help(help),
            ));
        }
        if !std::mem::replace(&mut seen[rule.index()], true) {
            open.push(named.body);
        }
    }
    Ok(())
}

fn difference(
    grammar: &Grammar,
    plan: &Plan,
    (kept, refused): (ExprId, ExprId),
    limits: &Limits,
    work: &mut Work,
) -> Result<Dfa, Exceeded> {
    let facts = Facts::of(grammar);
    let limit = SIDE_STATES.min(limits.nfa_states);
    let context = Context { grammar, facts: &facts, plan, others: 0, limit };
    let kept = regular(context, kept, limits, work)?;
    let refused = regular(context, refused, limits, work)?;
    let made = kept.difference(&refused, limits.states);
    made.map_err(|error| Exceeded { what: error.what, given: error.given, limit: error.limit })
}

/// The language of an expression without recursion.
fn regular(context: Context<'_>, expr: ExprId, limits: &Limits, work: &mut Work) -> Result<Dfa, Exceeded> {
    let nfa: Nfa = {
        // A plan that copies everything makes no calls.
        let mut unit = |_| UnitId(u32::MAX);
        let mut writer = Writer::new(context, &mut unit);
        writer.write(expr, START, END)?;
        writer.nfa
    };
    let limits = Limits { rule_states: limits.rule_states.max(SIDE_STATES), ..*limits };
    let machine = construct(&nfa, true, &limits, work)?;
    let limit = limits.rule_states;
    let machine = machine.ok_or(Exceeded { what: "states of an exception", given: limit + 1, limit })?;
    Ok(dfa(&machine))
}

fn dfa(machine: &Machine) -> Dfa {
    let edges = |list: &[crate::pass::subset::Edge]| {
        list.iter().map(|edge| Edge { lo: edge.lo, hi: edge.hi, to: StateId(edge.to) }).collect()
    };
    let states = machine.states.iter().map(|state| State { accept: state.accept, edges: edges(&state.edges) });
    Dfa::from_states(states.collect()).minimize()
}
