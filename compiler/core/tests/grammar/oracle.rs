//! The judge: a recogniser that computes, as a fixpoint, where every rule can end from every position.

use std::collections::HashMap;

use ogc_grammar::Grammar;
use ogc_grammar::Span;
use ogc_grammar::rules::{Expr, ExprKind, TextLength};

/// A set of positions, as bits.
type Ends = u64;

pub(crate) struct Oracle<'g> {
    grammar: &'g Grammar,
    text: Vec<char>,
    names: HashMap<&'g str, usize>,
    table: Vec<Vec<Ends>>,
}

/// Returns whether `rule` derives the whole of `text`, which has less than 64 characters.
pub(crate) fn accepts(grammar: &Grammar, rule: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let names: HashMap<&str, usize> = grammar.rules.iter().zip(0..).map(|(r, i)| (r.name.value.as_str(), i)).collect();
    let table = vec![vec![0; text.len() + 1]; grammar.rules.len()];
    let (root, end) = (names[rule], text.len());
    let mut oracle = Oracle { grammar, text, names, table };
    while oracle.round() {}
    oracle.table[root][0] >> end & 1 == 1
}

impl Oracle<'_> {
    fn round(&mut self) -> bool {
        let mut changed = false;
        for (rule, at) in self.grammar.rules.iter().zip(0..) {
            for from in 0..=self.text.len() {
                let ends = self.ends(&rule.body, from);
                changed |= ends != self.table[at][from];
                self.table[at][from] = ends;
            }
        }
        changed
    }

    fn all(&self, expr: &Expr, from: Ends) -> Ends {
        (0..=self.text.len()).filter(|at| from >> at & 1 == 1).fold(0, |ends, at| ends | self.ends(expr, at))
    }

    fn one(&self, from: usize, holds: impl Fn(char) -> bool) -> Ends {
        if self.text.get(from).is_some_and(|&c| holds(c)) { 1 << (from + 1) } else { 0 }
    }

    fn ends(&self, expr: &Expr, from: usize) -> Ends {
        match &expr.kind {
            ExprKind::Literal(text) => text.chars().fold(1 << from, |ends, c| {
                (0..self.text.len())
                    .filter(|&at| ends >> at & 1 == 1 && self.text[at] == c)
                    .fold(0, |e, at| e | 1 << (at + 1))
            }),
            ExprKind::Class { negated, ranges } => {
                self.one(from, |c| ranges.iter().any(|&(lo, hi)| lo <= c && c <= hi) != *negated)
            }
            ExprKind::Any => self.one(from, |_| true),
            ExprKind::Name(name) => self.table[self.names[name.as_str()]][from],
            ExprKind::Sequence(items) => items.iter().fold(1 << from, |ends, item| self.all(item, ends)),
            ExprKind::Alternation(arms) => arms.iter().fold(0, |ends, arm| ends | self.ends(arm, from)),
            ExprKind::Repeat { expr, min, max } => self.repeat(expr, *min, *max, from),
            ExprKind::Exception(kept, refused) => self.ends(kept, from) & !self.ends(refused, from),
            ExprKind::Regex(pattern) => self.pattern(pattern, from),
            ExprKind::Token(_) | ExprKind::Json(_) => 0,
            ExprKind::Substring(chunks) => self.substring(chunks, from),
            ExprKind::Captured { expr, .. } => self.ends(expr, from),
            ExprKind::Lazy(expr) => {
                let ends = self.ends(expr, from);
                ends & ends.wrapping_neg()
            }
            ExprKind::Limited(expr, TextLength::Chars(most)) => {
                let last = from + *most as usize;
                (from..=last.min(self.text.len())).fold(0, |allowed, to| allowed | 1 << to) & self.ends(expr, from)
            }
            ExprKind::Limited(expr, TextLength::Tokens(_)) => self.ends(expr, from),
        }
    }

    /// Tries every run of chunks separately.
    fn substring(&self, chunks: &[String], from: usize) -> Ends {
        let runs = (0..chunks.len()).flat_map(|first| (first..chunks.len()).map(move |last| (first, last)));
        runs.fold(1 << from, |ends, (first, last)| {
            let run = ExprKind::Literal(chunks[first..=last].concat());
            ends | self.ends(&Expr::new(run, Span::default()), from)
        })
    }

    /// Tries every part of the text separately.
    fn pattern(&self, pattern: &str, from: usize) -> Ends {
        let dfa = ogc_regular::pattern::compile_anchored(pattern, &ogc_regular::Limits::default()).expect("a pattern");
        let part = |to: usize| self.text[from..to].iter().collect::<String>();
        let holds = |to: &usize| dfa.contains(part(*to).as_bytes());
        (from..=self.text.len()).filter(holds).fold(0, |ends, to| ends | 1 << to)
    }

    fn repeat(&self, expr: &Expr, min: u32, max: Option<u32>, from: usize) -> Ends {
        let mut ends = (0..min).fold(1 << from, |ends, _| self.all(expr, ends));
        for _ in min..max.unwrap_or(u32::MAX) {
            let more = ends | self.all(expr, ends);
            if more == ends {
                break;
            }
            ends = more;
        }
        ends
    }
}
