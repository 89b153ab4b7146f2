//! Writes automata as expressions: states are eliminated one by one. If the expression gets too large, every state
//! becomes a rule instead.

use std::collections::HashSet;

use ogc_grammar::rules::{Expr, Grammar, Rule};
use ogc_regular::LimitError;

use super::combine::{alternation, empty, sequence};
use super::eliminate::{Elimination, Weights, size};
use super::{call, rule};

/// Cap on the parts of one expression; larger automata are written as one rule a state.
const PARTS: usize = 400;

/// Cap on the states of a written automaton: neither other engines nor people read that many rules.
const STATES: usize = 8_000;

/// An automaton with expressions as edge labels; state 0 is the start.
#[derive(Clone, Debug, Default)]
pub(super) struct ExportGraph {
    /// Per state: whether it accepts, and its edges.
    pub(super) states: Vec<(bool, Vec<(Expr, usize)>)>,
}

/// A source of fresh names with a common prefix.
#[derive(Clone, Debug)]
pub(super) struct Names {
    prefix: String,
    taken: HashSet<String>,
    count: u32,
}

impl Names {
    /// Makes a source of names that differ from those in `grammar` and from `prefix` itself.
    pub(super) fn new(prefix: &str, grammar: &Grammar) -> Names {
        let taken = grammar.rules.iter().map(|rule| rule.name.value.clone()).chain([prefix.to_owned()]).collect();
        Names { prefix: prefix.to_owned(), taken, count: 0 }
    }

    /// Returns a fresh name that contains `kind`.
    pub(super) fn fresh(&mut self, kind: &str) -> String {
        let plain = format!("{}-{kind}", self.prefix);
        if self.taken.insert(plain.clone()) {
            return plain;
        }
        loop {
            self.count += 1;
            let name = format!("{plain}-{}", self.count);
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Writes `graph` as an expression; rules that it needs go to `rules`.
pub(super) fn write(graph: ExportGraph, names: &mut Names, rules: &mut Vec<Rule>) -> Result<Expr, LimitError> {
    if let Some(expr) = eliminated(&graph) {
        return Ok(expr);
    }
    LimitError::check("rules for the texts here", graph.states.len(), STATES)?;
    let states: Vec<String> = graph.states.iter().map(|_| names.fresh("state")).collect();
    for ((accept, edges), name) in graph.states.iter().zip(&states) {
        let step = |(label, to): &(Expr, usize)| sequence(label.clone(), call(&states[*to]));
        let arms: Vec<Expr> = edges.iter().map(step).chain(accept.then(empty)).collect();
        // Only the start of the empty language has no edges and does not accept; a rule that consists of itself has no
        // text.
        rules.push(rule(name, if arms.is_empty() { call(name) } else { alternation(arms) }));
    }
    Ok(call(&states[0]))
}

/// Returns the expression by elimination, unless it gets too large on the way or the language is empty.
fn eliminated(graph: &ExportGraph) -> Option<Expr> {
    let end = graph.states.len();
    if end > PARTS {
        return None;
    }
    let start = end + 1;
    let weights = Weights::new();
    let mut left = Elimination::new(end + 2, &weights);
    left.add(start, 0, empty());
    for (from, (accept, edges)) in graph.states.iter().enumerate() {
        edges.iter().for_each(|(label, to)| left.add(from, *to, label.clone()));
        if *accept {
            left.add(from, end, empty());
        }
    }
    let expr = left.solve(start, end, |left| left.parts <= PARTS.max(8 * end) * 4).ok()??;
    (size(&expr) <= PARTS).then_some(expr)
}
