//! Rewrites captures that are a part of their expression's text, so that each capture is the whole text of an
//! expression.
//!
//! Every text of a rule of Lark is empty, or ends with the ignored text behind its last terminal. So the rule becomes
//! `t ignored | ""`, where `t` is the rule without that ignored text, and the capture is that of `t`. For `t`, the rule
//! is copied, and each rule that may end its texts once.
//!
//! A capture of what stands before a fixed end needs no copies: an automaton of texts that end with `x` becomes the
//! automaton of the texts before `x`, followed by `x`.

use always_assert::never;
use ogc_regular::{Dfa, DfaState, LimitError, StateId};
use rustc_hash::FxHashMap;

use super::push;
use crate::ir::{Captured, Expr, ExprId, ExprKind, Extent, Grammar, MachineId, Rule, RuleId};
use crate::pass::facts::Facts;

/// Cap on the expressions that the copies of rules have.
const COPIES: usize = 1 << 20;

/// Makes each capture the whole text of an expression. The grammar's operations must have been resolved.
pub(crate) fn cut(grammar: &mut Grammar) -> Result<(), LimitError> {
    if grammar.captures.iter().all(|one| one.extent == Extent::Whole) {
        return Ok(());
    }
    let mut cut = Cut::new(grammar);
    let mut bodies: Vec<ExprId> = cut.by_body.keys().copied().collect();
    bodies.sort_unstable();
    let mut made = Vec::with_capacity(bodies.len());
    for body in bodies {
        made.extend(cut.parts(body)?.map(|parts| (body, parts)));
    }
    while let Some((rule, body, ignored)) = cut.open.pop() {
        if let Some(shorter) = cut.captured(body, ignored)? {
            cut.grammar.rules[rule.index()].body = shorter;
        }
    }
    for (body, parts) in made {
        grammar.exprs[body.index()].kind = ExprKind::Rule(parts);
    }
    grammar.captures.sort_by_key(|captured| captured.body);
    Ok(())
}

struct Cut<'g> {
    grammar: &'g mut Grammar,
    /// The facts of the grammar as it was given.
    facts: Facts,
    /// Number of expressions of the grammar as it was given.
    given: usize,
    /// The captures that are parts of texts, by their expressions.
    by_body: FxHashMap<ExprId, Vec<Captured>>,
    /// The rules without ignored text at their ends, by the rules with it and the rule of that text.
    rules: FxHashMap<(RuleId, RuleId), RuleId>,
    /// Such rules that still have no bodies, each with the body of the rule that it is made of.
    open: Vec<(RuleId, ExprId, RuleId)>,
}

impl<'g> Cut<'g> {
    /// Takes the captures that are parts of texts out of a grammar.
    fn new(grammar: &'g mut Grammar) -> Self {
        let (facts, given) = (Facts::of(grammar), grammar.exprs.len());
        let mut by_body: FxHashMap<ExprId, Vec<Captured>> = FxHashMap::default();
        for captured in grammar.captures.extract_if(.., |one| one.extent != Extent::Whole) {
            by_body.entry(captured.body).or_default().push(captured);
        }
        Self { grammar, facts, given, by_body, rules: FxHashMap::default(), open: Vec::new() }
    }

    /// Returns a rule that stands for an expression with captures of parts of its text.
    fn parts(&mut self, body: ExprId) -> Result<Option<RuleId>, LimitError> {
        let first = self.by_body.get(&body).and_then(|captures| captures.first());
        let parts = match first.map(|one| one.extent.clone()) {
            Some(Extent::WithoutIgnored(ignored)) => self.without_ignored(body, ignored)?,
            Some(Extent::Before(end) | Extent::End(end)) => match self.before(body, &end)? {
                Some(before) => self.before_end(body, before, &end)?,
                None => {
                    never!("a rule with a fixed end is no automaton: {:?}", self.grammar.kind(body));
                    return Ok(None);
                }
            },
            Some(Extent::Whole) | None => return Ok(None),
        };
        Ok(Some(self.rule("captured".to_owned(), parts)))
    }

    /// Returns `t ignored | ""` for an expression.
    fn without_ignored(&mut self, body: ExprId, ignored: RuleId) -> Result<ExprId, LimitError> {
        let mut arms = Vec::new();
        if let Some(shorter) = self.captured(body, ignored)? {
            let ignored = self.add(ExprKind::Rule(ignored), body)?;
            arms.push(self.add(ExprKind::Sequence([shorter, ignored].into()), body)?);
        }
        if self.facts.expr(body).nullable {
            let empty = self.add(ExprKind::Sequence(Box::default()), body)?;
            self.capture(body, empty, |_| true);
            arms.push(empty);
        }
        self.add(ExprKind::Alternation(arms.into()), body)
    }

    /// Returns an expression without the ignored text at its end, with the expression's captures.
    fn captured(&mut self, body: ExprId, ignored: RuleId) -> Result<Option<ExprId>, LimitError> {
        let shorter = self.shorter(body, ignored)?;
        if let Some(shorter) = shorter {
            self.capture(body, shorter, |extent| *extent == Extent::WithoutIgnored(ignored));
        }
        Ok(shorter)
    }

    /// Captures an expression under the names of those captures of `body` whose extent is wanted.
    fn capture(&mut self, body: ExprId, part: ExprId, is_wanted: impl Fn(&Extent) -> bool) {
        let captures = self.by_body.get(&body).into_iter().flatten().filter(|one| is_wanted(&one.extent));
        let whole = |one: &Captured| Captured { body: part, extent: Extent::Whole, ..one.clone() };
        self.grammar.captures.extend(captures.map(whole));
    }

    /// Returns the non-empty texts of an expression without the ignored text at their ends; `None` if there are none.
    /// The nesting limit of the grammar's reader bounds the recursion.
    fn shorter(&mut self, id: ExprId, ignored: RuleId) -> Result<Option<ExprId>, LimitError> {
        let kind = match self.grammar.kind(id).clone() {
            ExprKind::Rule(rule) if rule == ignored => ExprKind::Sequence(Box::default()),
            ExprKind::Rule(rule) => ExprKind::Rule(self.shorter_rule(rule, ignored)),
            ExprKind::Sequence(items) => return self.shorter_sequence(&items, id, ignored),
            ExprKind::Alternation(arms) => {
                let mut shorter = Vec::with_capacity(arms.len());
                for &arm in &arms {
                    shorter.extend(self.shorter(arm, ignored)?);
                }
                return if shorter.is_empty() { Ok(None) } else { self.one_of(shorter, id).map(Some) };
            }
            ExprKind::Repeat { max: Some(0), .. } => return Ok(None),
            ExprKind::Repeat { body, min, max } => {
                let Some(last) = self.shorter(body, ignored)? else { return Ok(None) };
                let body = self.copy(body)?;
                let (min, max) = (min.saturating_sub(1), max.map(|max| max - 1));
                let before = self.add(ExprKind::Repeat { body, min, max }, id)?;
                ExprKind::Sequence([before, last].into())
            }
            ExprKind::Literal(bytes) if bytes.is_empty() => return Ok(None),
            _ => return self.copy(id).map(Some),
        };
        self.add(kind, id).map(Some)
    }

    /// Returns [`Cut::shorter`] of a sequence: the last item that is not empty loses its ignored text.
    fn shorter_sequence(
        &mut self,
        items: &[ExprId],
        id: ExprId,
        ignored: RuleId,
    ) -> Result<Option<ExprId>, LimitError> {
        let Some((&last, before)) = items.split_last() else { return Ok(None) };
        let has_end =
            |item: ExprId| !self.facts.expr(item).nullable || *self.grammar.kind(item) == ExprKind::Rule(ignored);
        let first = items.iter().rposition(|&item| has_end(item)).unwrap_or(0);
        let mut shorter = self.shorter(last, ignored)?;
        for &item in before.iter().skip(first).rev() {
            let mut arms = Vec::new();
            if let Some(rest) = shorter {
                let item = self.copy(item)?;
                arms.push(self.add(ExprKind::Sequence([item, rest].into()), id)?);
            }
            arms.extend(self.shorter(item, ignored)?);
            shorter = if arms.is_empty() { None } else { Some(self.one_of(arms, id)?) };
        }
        let Some(shorter) = shorter else { return Ok(None) };
        let mut all = Vec::with_capacity(first + 1);
        for &item in items.iter().take(first) {
            all.push(self.copy(item)?);
        }
        all.push(shorter);
        self.add(ExprKind::Sequence(all.into()), id).map(Some)
    }

    /// Returns the rule of another rule's texts without ignored text at their ends; its body follows later.
    fn shorter_rule(&mut self, rule: RuleId, ignored: RuleId) -> RuleId {
        if let Some(&known) = self.rules.get(&(rule, ignored)) {
            return known;
        }
        let Rule { name, body, origin } = self.grammar.rules[rule.index()].clone();
        let nothing = push(self.grammar, Expr { kind: ExprKind::Alternation(Box::default()), origin });
        let shorter = self.rule(name, nothing);
        self.rules.insert((rule, ignored), shorter);
        self.open.push((shorter, body, ignored));
        shorter
    }

    /// Returns the texts of an expression before their fixed end; `None` if the expression is no automaton.
    fn before(&mut self, id: ExprId, end: &[u8]) -> Result<Option<ExprId>, LimitError> {
        match *self.grammar.kind(id) {
            ExprKind::Machine(machine) => {
                let before = before(&self.grammar.machines[machine.index()], end);
                self.grammar.machines.push(before);
                let machine = MachineId((self.grammar.machines.len() - 1) as u32);
                self.add(ExprKind::Machine(machine), id).map(Some)
            }
            ExprKind::Limited { body, limit } => {
                let Some(body) = self.before(body, end)? else { return Ok(None) };
                self.add(ExprKind::Limited { body, limit }, id).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Returns an expression as what stands `before` its end, and the end, with the captures of both.
    fn before_end(&mut self, body: ExprId, before: ExprId, end: &[u8]) -> Result<ExprId, LimitError> {
        let end = self.add(ExprKind::Literal(end.into()), body)?;
        self.capture(body, before, |extent| matches!(extent, Extent::Before(_)));
        self.capture(body, end, |extent| matches!(extent, Extent::End(_)));
        self.add(ExprKind::Sequence([before, end].into()), body)
    }

    /// Copies an expression. The nesting limit of the grammar's reader bounds the recursion.
    fn copy(&mut self, id: ExprId) -> Result<ExprId, LimitError> {
        let kind = self.grammar.kind(id).clone();
        let mut copies = FxHashMap::default();
        let mut children = Vec::new();
        kind.children(|child| children.push(child));
        for child in children {
            copies.insert(child, self.copy(child)?);
        }
        // Each child has been copied.
        self.add(kind.with_children(|child| copies[&child]), id)
    }

    fn one_of(&mut self, mut arms: Vec<ExprId>, from: ExprId) -> Result<ExprId, LimitError> {
        match (arms.pop(), arms.is_empty()) {
            (Some(only), true) => Ok(only),
            (last, _) => {
                arms.extend(last);
                self.add(ExprKind::Alternation(arms.into()), from)
            }
        }
    }

    /// Adds an expression with the place of `from`.
    fn add(&mut self, kind: ExprKind, from: ExprId) -> Result<ExprId, LimitError> {
        LimitError::check("expressions of captures", self.grammar.exprs.len() - self.given, COPIES)?;
        let origin = self.grammar.exprs[from.index()].origin;
        Ok(push(self.grammar, Expr { kind, origin }))
    }

    fn rule(&mut self, name: String, body: ExprId) -> RuleId {
        let origin = self.grammar.exprs[body.index()].origin;
        self.grammar.rules.push(Rule { name, origin, body });
        RuleId((self.grammar.rules.len() - 1) as u32)
    }
}

/// Returns the automaton of all `x` such that `x end` is a text.
fn before(dfa: &Dfa, end: &[u8]) -> Dfa {
    let ends = |from: StateId| {
        let last = end.iter().try_fold(from, |at, &byte| {
            let edges = &dfa.state(at).edges;
            edges.iter().find(|edge| (edge.lo..=edge.hi).contains(&byte)).map(|edge| edge.to)
        });
        last.is_some_and(|last| dfa.state(last).accept)
    };
    let state = |at: u32| DfaState { accept: ends(StateId(at)), edges: dfa.state(StateId(at)).edges.clone() };
    Dfa::from_states((0..dfa.len() as u32).map(state).collect()).minimize()
}
