//! State elimination (Brzozowski and McCluskey 1963): a graph whose edges are expressions becomes one expression. The
//! state whose elimination adds the least text goes first (Delgado and Morais 2004).

use std::collections::{BTreeMap, HashMap, HashSet};

use always_assert::never;
use ogc_grammar::rules::{Expr, ExprKind};
use ogc_regular::budget::poll;

use super::combine::{alternation, empty, is_empty, sequence, times};

/// The lengths of named rules when written out, in characters; a name that is not in the map counts as itself.
pub(super) type Weights = HashMap<String, usize>;

/// The graph during elimination: the outgoing edges of each state, and its predecessors.
pub(super) struct Elimination<'w> {
    edges: Vec<BTreeMap<usize, Label>>,
    sources: Vec<HashSet<usize>>,
    weights: &'w Weights,
    /// Whether common beginnings and ends of alternatives are factored out.
    factors: bool,
    /// Number of expression parts written so far.
    pub(super) parts: usize,
    /// The weight of the heaviest edge so far.
    pub(super) heaviest: usize,
}

/// The error of an elimination that got too large.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

#[derive(Clone)]
struct Label {
    expr: Expr,
    weight: usize,
}

impl<'w> Elimination<'w> {
    /// Returns a graph of `states` states without edges.
    pub(super) fn new(states: usize, weights: &'w Weights) -> Self {
        let (edges, sources) = (vec![BTreeMap::new(); states], vec![HashSet::new(); states]);
        Elimination { edges, sources, weights, factors: false, parts: 0, heaviest: 0 }
    }

    /// Returns the elimination with factoring: common beginnings and ends of alternatives are written once.
    pub(super) fn factored(self) -> Self {
        Elimination { factors: true, ..self }
    }

    /// Adds an edge; with an existing edge it forms an alternation.
    pub(super) fn add(&mut self, from: usize, to: usize, expr: Expr) {
        self.sources[to].insert(from);
        let expr = match self.edges[from].remove(&to) {
            Some(known) if self.factors => either(known.expr, expr),
            Some(known) => alternation(vec![known.expr, expr]),
            None => expr,
        };
        let weight = weight(&expr, self.weights);
        self.heaviest = self.heaviest.max(weight);
        self.edges[from].insert(to, Label { expr, weight });
    }

    /// Eliminates all states but `start` and `end`, as long as `goes_on` agrees; returns the expression from `start` to
    /// `end`, or `None` if there is no path.
    pub(super) fn solve(
        mut self,
        start: usize,
        end: usize,
        goes_on: impl Fn(&Self) -> bool,
    ) -> Result<Option<Expr>, Stopped> {
        let mut open: Vec<usize> = (0..self.edges.len()).filter(|at| ![start, end].contains(at)).collect();
        while let Some(cheapest) = (0..open.len()).min_by_key(|&at| (self.cost(open[at]), std::cmp::Reverse(open[at])))
        {
            poll();
            self.eliminate(open.swap_remove(cheapest));
            if !goes_on(&self) {
                return Err(Stopped);
            }
        }
        Ok(self.edges[start].remove(&end).map(|label| label.expr))
    }

    /// Estimates how much text eliminating a state adds.
    fn cost(&self, at: usize) -> usize {
        let out = self.edges[at].iter().filter(|(to, _)| **to != at);
        let (count_out, weight_out) = out.fold((0, 0), |(count, sum), (_, label)| (count + 1, sum + label.weight));
        let into = self.sources[at].iter().filter(|from| **from != at).filter_map(|from| self.edges[*from].get(&at));
        let (count_in, weight_in) = into.fold((0, 0), |(count, sum), label| (count + 1, sum + label.weight));
        let again = self.edges[at].get(&at).map_or(0, |label| label.weight);
        let added = weight_in * count_out + weight_out * count_in + again * count_in * count_out;
        added.saturating_sub(weight_in + weight_out + again)
    }

    fn eliminate(&mut self, at: usize) {
        let mut edges = std::mem::take(&mut self.edges[at]);
        let again = edges.remove(&at).map(|label| star(label.expr));
        let mut sources: Vec<usize> = self.sources[at].iter().copied().filter(|&from| from != at).collect();
        sources.sort_unstable();
        for to in edges.keys() {
            self.sources[*to].remove(&at);
        }
        for from in sources {
            let Some(before) = self.edges[from].remove(&at) else {
                never!("no edge leads from {} to {}", from, at);
                continue;
            };
            let before = again.iter().fold(before.expr, |before, again| sequence(before, again.clone()));
            for (&to, label) in &edges {
                let whole = sequence(before.clone(), label.expr.clone());
                self.parts += size(&whole);
                self.add(from, to, whole);
            }
        }
    }
}

/// Returns the alternation of two expressions, with their common beginning and end factored out.
fn either(one: Expr, other: Expr) -> Expr {
    let mut arms = match one.kind {
        ExprKind::Alternation(arms) => arms,
        _ => vec![one],
    };
    let others = match other.kind {
        ExprKind::Alternation(arms) => arms,
        _ => vec![other],
    };
    for other in others {
        match arms.iter_mut().find_map(|arm| Some((common(arm, &other)?, arm))) {
            Some((both, arm)) => *arm = both,
            None => arms.push(other),
        }
    }
    alternation(arms)
}

/// Returns the alternation of two expressions as a sequence, if they have a common beginning or end.
fn common(one: &Expr, other: &Expr) -> Option<Expr> {
    let (one, other) = (items(one), items(other));
    let shorter = one.len().min(other.len());
    let front = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let back = one.iter().rev().zip(other.iter().rev()).take(shorter - front);
    let back = back.take_while(|(one, other)| one == other).count();
    if front + back == 0 {
        return None;
    }
    let joined = |items: &[Expr]| items.iter().cloned().fold(empty(), sequence);
    let middle = either(joined(&one[front..one.len() - back]), joined(&other[front..other.len() - back]));
    Some(sequence(sequence(joined(&one[..front]), middle), joined(&one[one.len() - back..])))
}

fn items(expr: &Expr) -> &[Expr] {
    match &expr.kind {
        ExprKind::Sequence(items) => items,
        _ => std::slice::from_ref(expr),
    }
}

fn star(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Repeat { expr, min: 0 | 1, max: None | Some(1) } => times(*expr, 0, None),
        _ if is_empty(&expr) => empty(),
        _ => times(expr, 0, None),
    }
}

/// Returns the number of parts of an expression.
pub(super) fn size(expr: &Expr) -> usize {
    let mut parts = 0;
    expr.walk(&mut |_| parts += 1);
    parts
}

/// Estimates the length of an expression in characters, with rules written out in place.
pub(super) fn weight(expr: &Expr, weights: &Weights) -> usize {
    let mut sum: usize = 0;
    expr.walk(&mut |part| {
        sum = sum.saturating_add(match &part.kind {
            ExprKind::Literal(text) => text.len(),
            ExprKind::Regex(pattern) => pattern.len(),
            ExprKind::Class { ranges, .. } => 2 + 3 * ranges.len(),
            ExprKind::Name(name) => weights.get(name).copied().unwrap_or(name.len()),
            ExprKind::Alternation(arms) => arms.len() + 3,
            ExprKind::Repeat { .. } => 4,
            ExprKind::Any
            | ExprKind::Exception(..)
            | ExprKind::Token(_)
            | ExprKind::Limited(..)
            | ExprKind::Json(_)
            | ExprKind::Lazy(_) => 8,
            ExprKind::Substring(chunks) => chunks.iter().map(String::len).sum(),
            ExprKind::Sequence(_) | ExprKind::Captured { .. } => 0,
        });
    });
    sum
}
