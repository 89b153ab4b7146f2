//! Finds the ends of free texts: the literals with which the texts after them begin.
//!
//! FIRST and FOLLOW as for LL parsers (Lewis and Stearns, "Syntax-directed transduction", 1968), but of whole literals:
//! a free text goes on until a literal occurs that may follow it. Tokens of the vocabulary are literals too; they end a
//! text, but cannot occur in it.

use std::collections::BTreeSet;

use always_assert::never;
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::Dfa;
use ogc_runtime::automaton::RuleId as MachineRule;
use ogc_schema::source::Origin;

use crate::ir::{ExprId, ExprKind, Grammar, Mix, is_marker};

/// Maximum size of a set of literals; a larger set counts as unknown.
const LITERALS: usize = 4_096;

/// A rule that another lowering has written, and the countdowns of its calls.
#[derive(Clone, Debug)]
pub struct External {
    /// The rule.
    pub rule: MachineRule,
    /// Value of countdown `a` with which it is called.
    pub a: u32,
    /// Value of countdown `b` with which it is called.
    pub b: u32,
    /// The characters that its texts can begin with, if they are known and few.
    pub begin: Option<Vec<u8>>,
}

impl From<crate::lower::json::Inside> for External {
    fn from(inside: crate::lower::json::Inside) -> Self {
        let crate::lower::json::Inside { rule, a, b, begin } = inside;
        Self { rule, a, b, begin }
    }
}

/// A first set of literals: the beginnings of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstLiterals {
    /// Literals, each with its whole text.
    pub literals: BTreeSet<Box<[u8]>>,
    /// Whether the text can be empty; in a follow set, whether the output can end.
    pub empty: bool,
    /// Whether the text can begin with something other than a literal.
    pub unknown: bool,
}

impl FirstLiterals {
    fn add(&mut self, other: &FirstLiterals) {
        self.literals.extend(other.literals.iter().cloned());
        self.unknown |= other.unknown || self.literals.len() > LITERALS;
        self.empty |= other.empty;
        if self.unknown {
            self.literals.clear();
        }
    }

    /// Returns the beginnings of this text followed by `next`; those of `next` count if this text can be empty.
    fn then(&self, next: &FirstLiterals) -> FirstLiterals {
        let mut both = self.clone();
        if both.empty {
            both.empty = false;
            both.add(next);
        }
        both
    }
}

/// The literals that end each free text.
#[derive(Debug, Default)]
pub struct Stops {
    ends: Vec<(ExprId, FirstLiterals)>,
    avoided: Vec<Vec<Box<[u8]>>>,
}

impl Stops {
    /// Finds the ends of all free texts, and checks the regions of mixes.
    pub fn find(grammar: &Grammar, externals: &[External], found: &mut Vec<Diagnostic<Origin>>) -> Stops {
        let has_free = grammar.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Free { .. }));
        if !has_free && grammar.mixes.is_empty() {
            return Stops::default();
        }
        let search = Search::run(grammar, externals);
        let before = found.len();
        for mix in &grammar.mixes {
            search.check(mix, found);
        }
        let told_apart = found.len() == before;
        let mut stops = Stops::default();
        for (id, expr) in (0..).map(ExprId).zip(&grammar.exprs) {
            let ExprKind::Free { .. } = expr.kind else { continue };
            let end = &search.follow[id.index()];
            // A region without a trigger leaves the text before it without an end; the region's own finding says so.
            if end.unknown && told_apart {
                found.push(without_stop(expr.origin));
            }
            let literals = end.literals.iter().filter(|literal| !is_marker(literal) && !literal.is_empty());
            stops.avoided.push(literals.cloned().collect());
            stops.ends.push((id, end.clone()));
        }
        stops
    }

    /// Returns the free texts, each with the beginnings of the texts that can follow it.
    pub fn ends(&self) -> impl Iterator<Item = (ExprId, &FirstLiterals)> {
        self.ends.iter().map(|(id, begin)| (*id, begin))
    }

    /// Returns the literals that must not occur in a free text.
    #[must_use]
    pub fn of(&self, id: ExprId) -> &[Box<[u8]>] {
        let at = self.ends.binary_search_by_key(&id, |(id, _)| *id);
        let Some(avoided) = at.ok().and_then(|at| self.avoided.get(at)) else {
            never!("{:?} is no free text", id);
            return &[];
        };
        avoided
    }
}

fn without_stop(origin: Origin) -> Diagnostic<Origin> {
    let message = "nothing fixed follows this text, so nothing tells where it ends";
    let help = "put a literal or a token after it, or say `without = ...` what cannot occur in it";
    Diagnostic::warning(Code::TextWithoutStop, origin, message).help(help)
}

/// Computes the beginnings of each expression, in the order of their ids.
#[must_use]
pub fn beginnings(grammar: &Grammar, externals: &[External]) -> Vec<FirstLiterals> {
    Search::run(grammar, externals).first
}

struct Search<'g> {
    grammar: &'g Grammar,
    externals: &'g [External],
    first: Vec<FirstLiterals>,
    follow: Vec<FirstLiterals>,
}

impl<'g> Search<'g> {
    fn run(grammar: &'g Grammar, externals: &'g [External]) -> Self {
        let none = vec![FirstLiterals::default(); grammar.exprs.len()];
        let mut search = Search { grammar, externals, first: none.clone(), follow: none };
        while search.firsts() {}
        let end = FirstLiterals { empty: true, ..FirstLiterals::default() };
        search.follow[grammar.rules[grammar.root.index()].body.index()] = end;
        while search.follows() {}
        search
    }

    /// Runs one round of first sets, children before parents; returns whether any set grew.
    fn firsts(&mut self) -> bool {
        let mut news = false;
        for at in 0..self.grammar.exprs.len() {
            let begin = self.begin(ExprId(at as u32));
            if begin != self.first[at] {
                self.first[at] = begin;
                news = true;
            }
        }
        news
    }

    fn begin(&self, id: ExprId) -> FirstLiterals {
        let of = |id: &ExprId| &self.first[id.index()];
        match self.grammar.kind(id) {
            ExprKind::Literal(text) if text.is_empty() => FirstLiterals { empty: true, ..FirstLiterals::default() },
            ExprKind::Literal(text) => FirstLiterals { literals: [text.clone()].into(), ..FirstLiterals::default() },
            ExprKind::Machine(machine) => of_machine(&self.grammar.machines[machine.index()]),
            ExprKind::Rule(rule) => self.first[self.grammar.rules[rule.index()].body.index()].clone(),
            ExprKind::Sequence(items) => {
                let end = FirstLiterals { empty: true, ..FirstLiterals::default() };
                items.iter().rev().fold(end, |rest, item| of(item).then(&rest))
            }
            ExprKind::Alternation(arms) => arms.iter().fold(FirstLiterals::default(), |mut all, arm| {
                all.add(of(arm));
                all
            }),
            ExprKind::Repeat { body, min, .. } => {
                FirstLiterals { empty: *min == 0 || of(body).empty, ..of(body).clone() }
            }
            ExprKind::Exception(kept, _) | ExprKind::Intersection(kept, _) => of(kept).clone(),
            ExprKind::Lazy(body) | ExprKind::Limited { body, .. } => of(body).clone(),
            ExprKind::Free { .. } => FirstLiterals { empty: true, unknown: true, ..FirstLiterals::default() },
            ExprKind::External(external) => {
                let begin = self.externals.get(external.index()).and_then(|external| external.begin.as_ref());
                let literals = begin.iter().copied().flatten().map(|&byte| Box::from([byte])).collect();
                FirstLiterals { literals, empty: false, unknown: begin.is_none() }
            }
        }
    }

    /// Runs one round of follow sets, parents before children; returns whether any set grew.
    fn follows(&mut self) -> bool {
        let mut news = false;
        for at in (0..self.grammar.exprs.len()).rev() {
            let behind = self.follow[at].clone();
            match self.grammar.kind(ExprId(at as u32)) {
                ExprKind::Sequence(items) => {
                    let mut rest = behind;
                    for item in items.iter().rev() {
                        news |= self.learn(*item, &rest);
                        rest = self.first[item.index()].then(&rest);
                    }
                }
                ExprKind::Alternation(arms) => {
                    for arm in arms {
                        news |= self.learn(*arm, &behind);
                    }
                }
                ExprKind::Repeat { body, max, .. } => {
                    let mut rest = behind;
                    if *max != Some(1) {
                        let again = FirstLiterals { empty: false, ..self.first[body.index()].clone() };
                        rest.add(&again);
                    }
                    news |= self.learn(*body, &rest);
                }
                ExprKind::Limited { body, .. } => news |= self.learn(*body, &behind),
                ExprKind::Rule(rule) => {
                    news |= self.learn(self.grammar.rules[rule.index()].body, &behind);
                }
                ExprKind::Literal(_)
                | ExprKind::Machine(_)
                | ExprKind::External(_)
                | ExprKind::Exception(..)
                | ExprKind::Intersection(..)
                | ExprKind::Lazy(_)
                | ExprKind::Free { .. } => {}
            }
        }
        news
    }

    fn learn(&mut self, id: ExprId, behind: &FirstLiterals) -> bool {
        let known = &mut self.follow[id.index()];
        let before = (known.literals.len(), known.empty, known.unknown);
        known.add(behind);
        before != (known.literals.len(), known.empty, known.unknown)
    }

    /// Checks that each region begins with a literal, and that no such literal is a prefix of another.
    fn check(&self, mix: &Mix, found: &mut Vec<Diagnostic<Origin>>) {
        let mut triggers: Vec<(&[u8], Origin)> = Vec::new();
        for region in &mix.regions {
            let (begin, origin) = (&self.first[region.index()], self.grammar.exprs[region.index()].origin);
            if begin.unknown || begin.empty || begin.literals.is_empty() {
                let message = "this region has no trigger: it does not begin with a literal or a token";
                let help =
                    "begin it with fixed characters or `tok\"...\"`, so that it can be told from the text around it";
                found.push(Diagnostic::error(Code::MixWithoutTrigger, origin, message).help(help));
            }
            triggers.extend(begin.literals.iter().map(|literal| (&**literal, origin)));
        }
        triggers.sort_unstable();
        for pair in triggers.windows(2) {
            let [(one, here), (other, there)] = pair else { continue };
            if other.starts_with(one) && one != other {
                let shown = String::from_utf8_lossy(one);
                let message = format!("the trigger `{shown}` of one region begins the trigger of another");
                let help = "make them differ before the shorter one ends";
                found.push(
                    Diagnostic::error(Code::AmbiguousTrigger, *there, message)
                        .label(*here, "the shorter one")
                        .help(help),
                );
            }
        }
    }
}

/// Returns the beginnings of an automaton's texts: their common prefix as one literal.
fn of_machine(dfa: &Dfa) -> FirstLiterals {
    let mut prefix = Vec::new();
    let mut at = dfa.state(dfa.start());
    let empty = at.accept;
    loop {
        match at.edges.as_slice() {
            [edge] if edge.lo == edge.hi => {
                prefix.push(edge.lo);
                at = dfa.state(edge.to);
            }
            _ => break,
        }
        if at.accept || prefix.len() > 64 {
            break;
        }
    }
    let unknown = prefix.is_empty() && dfa.states().iter().any(|state| !state.edges.is_empty());
    let literals = if prefix.is_empty() { BTreeSet::new() } else { [prefix.into_boxed_slice()].into() };
    FirstLiterals { literals, empty, unknown }
}
