//! Computes which leaves of a grammar can follow one another, and reads characters with them: a position automaton
//! (Glushkov, "The abstract theory of automata", 1961) that is computed on the fly.

use std::collections::BTreeSet;

use always_assert::never;
use ogc_compiler::db::Limits;
use ogc_compiler::hir::Module;
use ogc_compiler::ir::{ExprId, ExprKind, Grammar};
use ogc_compiler::pass::regular;
use ogc_compiler::pass::stops::{External, FirstLiterals, Stops, beginnings};
use ogc_compiler::pipeline;
use ogc_regular::{Dfa, StateId};
use rustc_hash::FxHashSet;

/// An automaton is free text if at least this many of the 128 ASCII characters may come next: `[^\n]` and `.` are,
/// `[a-z]` and `\w` are not.
const FREE: usize = 64;

/// Cap on the steps of all readings of one grammar.
const EFFORT: usize = 4_000_000;

/// The texts of a module: the grammar as written, and the grammar with its operations replaced by automata.
pub(super) struct Texts<'m> {
    pub(super) grammar: &'m Grammar,
    resolved: Grammar,
    begins: Vec<FirstLiterals>,
    parents: Vec<Option<ExprId>>,
    /// Per rule: the expressions that refer to it.
    uses: Vec<Vec<ExprId>>,
}

/// The start of the search for leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum From {
    /// At the beginning of an expression.
    Inside(ExprId),
    /// After an expression.
    Behind(ExprId),
}

impl<'m> Texts<'m> {
    /// Prepares the texts of a module; `None` if an operation cannot be resolved.
    pub(super) fn of(module: &'m Module, limits: &Limits) -> Option<Self> {
        let grammar = &module.grammar;
        let externals: Vec<External> = pipeline::externals(module, limits)?;
        let (mut resolved, mut found) = (grammar.clone(), Vec::new());
        let stops = Stops::find(grammar, &externals, &mut found);
        regular::resolve(&mut resolved, &stops, &limits.grammar, &mut found).ok()?;
        let begins = beginnings(grammar, &externals);
        let mut parents = vec![None; grammar.exprs.len()];
        let mut uses = vec![Vec::new(); grammar.rules.len()];
        for (id, expr) in (0..).map(ExprId).zip(&grammar.exprs) {
            expr.kind.children(|child| parents[child.index()] = Some(id));
            if let ExprKind::Rule(rule) = expr.kind {
                uses[rule.index()].push(id);
            }
        }
        Some(Self { grammar, resolved, begins, parents, uses })
    }

    pub(super) fn begin(&self, id: ExprId) -> &FirstLiterals {
        &self.begins[id.index()]
    }

    /// Returns the leaves that an expression can begin with.
    pub(super) fn entered(&self, id: ExprId) -> Vec<ExprId> {
        self.leaves(From::Inside(id))
    }

    /// Returns the leaves that can come after an expression.
    pub(super) fn behind(&self, id: ExprId) -> Vec<ExprId> {
        self.leaves(From::Behind(id))
    }

    /// Returns whether an expression can begin with free text.
    pub(super) fn begins_freely(&self, id: ExprId) -> bool {
        self.entered(id).iter().any(|leaf| self.dfa(*leaf).is_some_and(|dfa| width(dfa, dfa.start()) >= FREE))
    }

    fn dfa(&self, leaf: ExprId) -> Option<&Dfa> {
        match self.resolved.kind(leaf) {
            ExprKind::Machine(machine) => Some(&self.resolved.machines[machine.index()]),
            _ => None,
        }
    }

    fn leaves(&self, from: From) -> Vec<ExprId> {
        let mut leaves = Vec::new();
        let mut open = vec![from];
        let mut seen = FxHashSet::default();
        while let Some(from) = open.pop() {
            if !seen.insert(from) {
                continue;
            }
            match from {
                From::Inside(id) => self.inside(id, &mut open, &mut leaves),
                From::Behind(id) => self.outside(id, &mut open),
            }
        }
        leaves
    }

    fn inside(&self, id: ExprId, open: &mut Vec<From>, leaves: &mut Vec<ExprId>) {
        match self.resolved.kind(id) {
            ExprKind::Literal(_) | ExprKind::Machine(_) => leaves.push(id),
            ExprKind::Rule(rule) => open.push(From::Inside(self.resolved.rules[rule.index()].body)),
            ExprKind::Sequence(items) => self.first_of(items, open),
            ExprKind::Alternation(arms) => open.extend(arms.iter().map(|arm| From::Inside(*arm))),
            ExprKind::Repeat { max: Some(0), .. } => {}
            ExprKind::Repeat { body, .. } | ExprKind::Limited { body, .. } => open.push(From::Inside(*body)),
            ExprKind::External(_)
            | ExprKind::Exception(..)
            | ExprKind::Intersection(..)
            | ExprKind::Lazy(_)
            | ExprKind::Free { .. } => {}
        }
    }

    /// Adds items up to the first one that cannot be empty; returns whether all can be empty.
    fn first_of(&self, items: &[ExprId], open: &mut Vec<From>) {
        for item in items {
            open.push(From::Inside(*item));
            if !self.begin(*item).empty {
                return;
            }
        }
    }

    fn outside(&self, id: ExprId, open: &mut Vec<From>) {
        let Some(parent) = self.parents[id.index()] else {
            let rules = self.resolved.rules.iter().zip(&self.uses).filter(|(rule, _)| rule.body == id);
            open.extend(rules.flat_map(|(_, uses)| uses).map(|one| From::Behind(*one)));
            return;
        };
        match self.resolved.kind(parent) {
            ExprKind::Sequence(items) => {
                let Some(at) = items.iter().position(|item| *item == id) else {
                    never!("{:?} is no item of its parent {:?}", id, parent);
                    return;
                };
                let rest = &items[at + 1..];
                self.first_of(rest, open);
                if rest.iter().all(|item| self.begin(*item).empty) {
                    open.push(From::Behind(parent));
                }
            }
            ExprKind::Alternation(_) | ExprKind::Limited { .. } => open.push(From::Behind(parent)),
            ExprKind::Repeat { body, max, .. } => {
                if *max != Some(1) {
                    open.push(From::Inside(*body));
                }
                open.push(From::Behind(parent));
            }
            _ => {}
        }
    }
}

/// Counts the ASCII characters that may come next in a state.
fn width(dfa: &Dfa, at: StateId) -> usize {
    let edges = dfa.state(at).edges.iter().filter(|edge| edge.lo < 128);
    edges.map(|edge| usize::from(edge.hi.min(127) - edge.lo) + 1).sum()
}

/// A free text that can spell beginnings of a structured part.
pub(super) struct Spelled {
    /// The free text.
    pub(super) text: ExprId,
    /// Whether it is the built-in `text`, not a regex.
    pub(super) is_text: bool,
    /// Whether it reads the beginnings from the first character on.
    pub(super) whole: bool,
    /// The beginnings that it can spell.
    pub(super) beginnings: Vec<String>,
}

impl Spelled {
    /// Returns the text to exclude, as an ogc literal and without trailing line ends. `None` if too little is left to
    /// identify the part.
    pub(super) fn excluded(&self) -> Option<String> {
        let trimmed: BTreeSet<&str> = self.beginnings.iter().map(|one| one.trim_end_matches(['\r', '\n'])).collect();
        let tells = |one: &&str| one.trim().chars().count() > 1;
        let shown: Vec<String> = trimmed.iter().map(|one| format!("{one:?}")).collect();
        trimmed.iter().all(tells).then(|| shown.join(" | "))
    }
}

/// A position of the reading, inside a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    leaf: ExprId,
    state: u32,
    /// Whether no character of the leaf has been read yet.
    fresh: bool,
    /// The automaton that read the last character, and whether it also read all characters before it.
    by: Option<(ExprId, bool)>,
}

/// Reads characters with the leaves of a grammar.
pub(super) struct Reading<'t, 'm> {
    texts: &'t Texts<'m>,
    effort: usize,
}

impl<'t, 'm> Reading<'t, 'm> {
    pub(super) fn new(texts: &'t Texts<'m>) -> Self {
        Self { texts, effort: 0 }
    }

    /// Finds a free text, among `leaves` or after the characters that they read, that can spell one of the beginnings;
    /// returns it with all beginnings that it can spell.
    pub(super) fn spell(&mut self, leaves: &[ExprId], beginnings: &[&[u8]]) -> Option<Spelled> {
        let mut spelled: Option<Spelled> = None;
        for beginning in beginnings {
            let Some((text, whole)) = self.free_behind(leaves, beginning) else { continue };
            let written = String::from_utf8_lossy(beginning).into_owned();
            match &mut spelled {
                Some(known) if known.text == text => known.beginnings.push(written),
                Some(_) => {}
                None => {
                    let is_text = matches!(self.texts.grammar.kind(text), ExprKind::Free { .. });
                    spelled = Some(Spelled { text, is_text, whole, beginnings: vec![written] });
                }
            }
        }
        spelled
    }

    /// Finds the automaton that reads the last of the characters, if most characters may follow there.
    fn free_behind(&mut self, leaves: &[ExprId], text: &[u8]) -> Option<(ExprId, bool)> {
        let mut now: BTreeSet<At> = leaves.iter().map(|&leaf| At { leaf, state: 0, fresh: true, by: None }).collect();
        for (index, &byte) in text.iter().enumerate() {
            let mut next = BTreeSet::new();
            for at in now {
                self.step(at, byte, index == 0, &mut next);
            }
            now = next;
            self.effort += now.len() + 1;
            if self.effort > EFFORT {
                return None;
            }
        }
        let mut widths: Vec<((ExprId, bool), usize)> = Vec::new();
        for at in now {
            let (Some(by), Some(dfa)) = (at.by, self.texts.dfa(at.leaf)) else { continue };
            let wide = width(dfa, StateId(at.state));
            match widths.iter_mut().find(|(known, _)| *known == by) {
                Some((_, known)) => *known = wide.max(*known),
                None => widths.push((by, wide)),
            }
        }
        let free = widths.into_iter().filter(|(_, width)| *width >= FREE).map(|(by, _)| by);
        free.min_by_key(|(leaf, whole)| (!whole, *leaf))
    }

    fn step(&mut self, at: At, byte: u8, first: bool, next: &mut BTreeSet<At>) {
        match self.texts.resolved.kind(at.leaf) {
            ExprKind::Literal(text) if text.get(at.state as usize) == Some(&byte) => {
                let state = at.state + 1;
                if state as usize == text.len() {
                    self.go_on(at.leaf, None, next);
                } else {
                    next.insert(At { state, fresh: false, by: None, ..at });
                }
            }
            ExprKind::Machine(machine) => {
                let dfa = &self.texts.resolved.machines[machine.index()];
                let Some(to) = dfa.state(StateId(at.state)).step(byte) else { return };
                let whole = first || !at.fresh && at.by == Some((at.leaf, true));
                let by = Some((at.leaf, whole));
                next.insert(At { state: to.0, fresh: false, by, ..at });
                if dfa.state(to).accept {
                    self.go_on(at.leaf, by, next);
                }
            }
            _ => {}
        }
    }

    fn go_on(&mut self, leaf: ExprId, by: Option<(ExprId, bool)>, next: &mut BTreeSet<At>) {
        let leaves = self.texts.behind(leaf);
        self.effort += leaves.len();
        next.extend(leaves.into_iter().map(|leaf| At { leaf, state: 0, fresh: true, by }));
    }
}
