//! Turns expressions into epsilon automata (K. Thompson, "Regular expression search algorithm", 1968), without recursion.

use ogc_regular::LimitError;

use crate::ir::{ExprId, ExprKind, ExternalId, Grammar, RuleId, TextLimit};
use crate::pass::facts::Facts;
use crate::pass::nfa::{Label, Nfa, UnitId};
use crate::pass::plan::Plan;

/// The kind of a unit, which a call enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum UnitKind {
    /// A rule's texts without the empty text.
    Rule(RuleId),
    /// The expression repeated exactly as often as the first countdown says.
    Exactly(ExprId),
    /// The expression repeated at least once and at most as often as the second countdown says.
    UpTo(ExprId),
    /// A text of bounded length; the empty text is excluded.
    Limited(ExprId),
    /// A rule that another lowering has written.
    External(ExternalId),
}

/// The tables that building an automaton reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'c> {
    pub(crate) grammar: &'c Grammar,
    pub(crate) facts: &'c Facts,
    pub(crate) plan: &'c Plan,
    /// Number of states of other automata, which count towards the limit.
    pub(crate) others: usize,
    pub(crate) limit: usize,
}

/// An expression that is still to be written between two states. Only parts written earlier lead to `from`.
struct Task {
    expr: ExprId,
    from: u32,
    to: u32,
}

/// Writes expressions into an automaton; `unit` returns the ids of the called units.
pub(crate) struct NfaWriter<'c, 'u> {
    context: Context<'c>,
    pub(crate) nfa: Nfa,
    open: Vec<Task>,
    unit: &'u mut dyn FnMut(UnitKind) -> UnitId,
}

impl<'c, 'u> NfaWriter<'c, 'u> {
    pub(crate) fn new(context: Context<'c>, unit: &'u mut dyn FnMut(UnitKind) -> UnitId) -> Self {
        Self { context, nfa: Nfa::new(), open: Vec::new(), unit }
    }

    /// Writes `expr` between two states; nothing may lead to `from` from inside.
    pub(crate) fn write(&mut self, expr: ExprId, from: u32, to: u32) -> Result<(), LimitError> {
        self.open.push(Task { expr, from, to });
        while let Some(task) = self.open.pop() {
            self.nfa.reserve(2, 2, self.context.others, self.context.limit)?;
            self.task(task)?;
            self.nfa.check(self.context.others, self.context.limit)?;
        }
        Ok(())
    }

    fn task(&mut self, Task { expr, from, to }: Task) -> Result<(), LimitError> {
        let grammar = self.context.grammar;
        if !self.context.facts.expr(expr).productive() {
            return Ok(());
        }
        let origin = grammar.exprs[expr.index()].origin.0;
        match grammar.kind(expr) {
            ExprKind::Literal(text) => {
                self.nfa.reserve(text.len(), text.len(), self.context.others, self.context.limit)?;
                self.literal(text, from, to, origin);
            }
            ExprKind::Machine(machine) => {
                let dfa = &grammar.machines[machine.index()];
                let edges = dfa.states().iter().map(|state| state.edges.len()).sum();
                self.nfa.reserve(dfa.len(), edges, self.context.others, self.context.limit)?;
                self.nfa.machine(dfa, from, to, origin);
            }
            ExprKind::Rule(rule) => self.rule(*rule, from, to, origin),
            ExprKind::Sequence(items) => self.sequence(items, from, to),
            ExprKind::Alternation(arms) => {
                self.open.extend(arms.iter().rev().map(|&expr| Task { expr, from, to }));
            }
            ExprKind::Repeat { body, min, max } => self.repeat(*body, *min, *max, (from, to, origin))?,
            ExprKind::Limited { limit, .. } => self.limited(expr, *limit, (from, to, origin)),
            ExprKind::External(external) => {
                let unit = (self.unit)(UnitKind::External(*external));
                self.nfa.read(from, Label::Call(unit, 0, 0), to, origin);
            }
            // An earlier pass has resolved these kinds.
            ExprKind::Exception(..) | ExprKind::Intersection(..) | ExprKind::Lazy(_) | ExprKind::Free { .. } => {}
        }
        Ok(())
    }

    fn literal(&mut self, text: &[u8], mut from: u32, to: u32, origin: u32) {
        let Some((last, init)) = text.split_last() else { return self.nfa.silent(from, to) };
        for &byte in init {
            let next = self.nfa.state();
            self.nfa.read(from, Label::Bytes(byte, byte), next, origin);
            from = next;
        }
        self.nfa.read(from, Label::Bytes(*last, *last), to, origin);
    }

    fn rule(&mut self, rule: RuleId, from: u32, to: u32, origin: u32) {
        if self.context.plan.inlines(rule) {
            return self.open.push(Task { expr: self.context.grammar.rules[rule.index()].body, from, to });
        }
        let fact = self.context.facts.rule(rule);
        if fact.nullable {
            self.nfa.silent(from, to);
        }
        if fact.has_nonempty {
            let unit = (self.unit)(UnitKind::Rule(rule));
            self.nfa.read(from, Label::Call(unit, 0, 0), to, origin);
        }
    }

    fn limited(&mut self, expr: ExprId, limit: TextLimit, (from, to, origin): (u32, u32, u32)) {
        let fact = self.context.facts.expr(expr);
        if fact.nullable {
            self.nfa.silent(from, to);
        }
        if fact.has_nonempty {
            let unit = (self.unit)(UnitKind::Limited(expr));
            let (a, b) = match limit {
                TextLimit::Chars(most) => (0, most),
                TextLimit::Tokens(most) => (most, 0),
            };
            self.nfa.read(from, Label::Call(unit, a, b), to, origin);
        }
    }

    fn sequence(&mut self, items: &[ExprId], mut from: u32, to: u32) {
        let Some((&last, init)) = items.split_last() else { return self.nfa.silent(from, to) };
        for &expr in init {
            let next = self.nfa.state();
            self.open.push(Task { expr, from, to: next });
            from = next;
        }
        self.open.push(Task { expr: last, from, to });
    }

    fn repeat(&mut self, body: ExprId, min: u32, max: Option<u32>, place: (u32, u32, u32)) -> Result<(), LimitError> {
        let (from, to, origin) = place;
        let fact = self.context.facts.expr(body);
        // If the body can be empty, every mandatory repetition may be empty.
        let min = if fact.nullable { 0 } else { min };
        if !fact.has_nonempty {
            self.nfa.silent(from, to);
            return Ok(());
        }
        let middle = self.mandatory(body, min, from, origin)?;
        match max {
            None => {
                let hub = self.nfa.state();
                self.nfa.silent(middle, hub);
                self.nfa.silent(hub, to);
                self.again(body, hub);
                Ok(())
            }
            Some(max) => self.optional(body, max - min, (middle, to, origin)),
        }
    }

    /// Writes a loop at `hub`; the body's start is a separate state.
    fn again(&mut self, body: ExprId, hub: u32) {
        let (first, last) = (self.nfa.state(), self.nfa.state());
        self.nfa.silent(hub, first);
        self.nfa.silent(last, hub);
        self.open.push(Task { expr: body, from: first, to: last });
    }

    /// Writes `body` exactly `count` times; returns the state after them.
    fn mandatory(&mut self, body: ExprId, count: u32, mut from: u32, origin: u32) -> Result<u32, LimitError> {
        if count == 0 || self.context.plan.copies(body, count) {
            for _ in 0..count {
                from = self.copy(body, from)?;
            }
            return Ok(from);
        }
        let (unit, next) = ((self.unit)(UnitKind::Exactly(body)), self.nfa.state());
        self.nfa.read(from, Label::Call(unit, count, 0), next, origin);
        Ok(next)
    }

    /// Writes `body` at most `count` times.
    fn optional(&mut self, body: ExprId, count: u32, place: (u32, u32, u32)) -> Result<(), LimitError> {
        let (mut from, to, origin) = place;
        self.nfa.silent(from, to);
        if self.context.plan.copies(body, count) {
            for _ in 0..count {
                from = self.copy(body, from)?;
                self.nfa.silent(from, to);
            }
        } else {
            let unit = (self.unit)(UnitKind::UpTo(body));
            self.nfa.read(from, Label::Call(unit, 0, count), to, origin);
        }
        Ok(())
    }

    fn copy(&mut self, body: ExprId, from: u32) -> Result<u32, LimitError> {
        let next = self.nfa.state();
        self.open.push(Task { expr: body, from, to: next });
        self.nfa.check(self.context.others, self.context.limit)?;
        Ok(next)
    }
}
