//! Elaborates sequences, repetitions and lists, with the gap that `@skip` allows between neighbouring parts.
//!
//! Every expression of the IR has one parent, so an expression that occurs twice becomes a rule of its own. An
//! optional part is absent together with one gap beside it, so that between two parts that are present there is
//! exactly one gap: with the gap `g`, `a b? c` becomes `a (g b)? g c`.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Name, Repetition};
use ogc_schema::source::Origin;

use super::text::Context;
use super::{Elaborator, EnvId};
use crate::ir::{ExprId, ExprKind as Ir, RuleId};

/// A part of a sequence: the rule of its non-absent text, and whether the part is optional.
struct Part {
    rule: RuleId,
    optional: bool,
}

impl<'db> Elaborator<'db> {
    /// Elaborates a sequence.
    pub(super) fn sequence(&mut self, parts: &'db [Expr], env: EnvId, context: Context, origin: Origin) -> ExprId {
        let Some(skip) = context.skip else {
            let parts = parts.iter().map(|part| self.text(part, env, context)).collect();
            return self.parts.expr(Ir::Sequence(parts), origin);
        };
        let parts: Vec<Part> = parts.iter().map(|part| self.part(part, env, context)).collect();
        match parts.iter().position(|part| !part.optional) {
            Some(at) => self.around(&parts, at, skip, origin),
            None => self.all_optional(&parts, skip, origin),
        }
    }

    /// Returns a sequence in which the part `at` is always present: each earlier part ends with a gap, and each later
    /// part begins with a gap.
    fn around(&mut self, parts: &[Part], at: usize, skip: RuleId, origin: Origin) -> ExprId {
        let mut all = Vec::new();
        for part in &parts[..at] {
            let (item, gap) = (self.use_of(part.rule, origin), self.use_of(skip, origin));
            let both = self.parts.expr(Ir::Sequence([item, gap].into()), origin);
            all.push(self.optional(both, origin));
        }
        all.push(self.use_of(parts[at].rule, origin));
        for part in &parts[at + 1..] {
            let (gap, item) = (self.use_of(skip, origin), self.use_of(part.rule, origin));
            let both = self.parts.expr(Ir::Sequence([gap, item].into()), origin);
            all.push(if part.optional { self.optional(both, origin) } else { both });
        }
        self.parts.expr(Ir::Sequence(all.into()), origin)
    }

    /// Returns a sequence of optional parts: one alternative for each part that can come first, and the empty text.
    fn all_optional(&mut self, parts: &[Part], skip: RuleId, origin: Origin) -> ExprId {
        let mut arms = Vec::new();
        for (at, first) in parts.iter().enumerate() {
            let mut all = vec![self.use_of(first.rule, origin)];
            for part in &parts[at + 1..] {
                let (gap, item) = (self.use_of(skip, origin), self.use_of(part.rule, origin));
                let both = self.parts.expr(Ir::Sequence([gap, item].into()), origin);
                all.push(self.optional(both, origin));
            }
            arms.push(self.parts.expr(Ir::Sequence(all.into()), origin));
        }
        arms.push(self.parts.expr(Ir::Sequence(Box::default()), origin));
        self.parts.expr(Ir::Alternation(arms.into()), origin)
    }

    /// Elaborates a part of a sequence. If the part is optional (`x?`, `x*`, `x[0..n]`), its rule excludes the absent
    /// case.
    fn part(&mut self, part: &'db Expr, env: EnvId, context: Context) -> Part {
        let origin = self.origin(part.span, env);
        let (names, inner) = through_captures(part);
        let present = match &inner.kind {
            ExprKind::Repeat { item, times } if !self.is_value(inner, env) => {
                let (min, max) = self.repetition(times, env);
                (min == 0 && max != Some(0)).then(|| {
                    let item = self.shared(item, env, context);
                    self.several(item, 1, max, context.skip, origin)
                })
            }
            ExprKind::List { item, times: Some(times), separator } => {
                let (min, max) = self.repetition(times, env);
                (min == 0 && max != Some(0)).then(|| self.separated(item, separator, (1, max), env, context, origin))
            }
            _ => None,
        };
        let optional = present.is_some();
        let body = match present {
            Some(body) => names.iter().rev().fold(body, |body, name| {
                let origin = self.origin(name.span, env);
                self.captured(body, name, origin)
            }),
            None => self.text(part, env, context),
        };
        Part { rule: self.anonymous(body, origin), optional }
    }

    /// Elaborates `x?`, `x*`, `x[m..n]`.
    pub(super) fn repeated(
        &mut self,
        item: &'db Expr,
        times: &'db Repetition,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let (min, max) = self.repetition(times, env);
        if context.skip.is_some() && max != Some(1) {
            let item = self.shared(item, env, context);
            return self.several(item, min, max, context.skip, origin);
        }
        let body = self.text(item, env, context);
        self.parts.expr(Ir::Repeat { body, min, max }, origin)
    }

    /// Elaborates `x % s`, a list with separators.
    pub(super) fn list(
        &mut self,
        item: &'db Expr,
        times: Option<&'db Repetition>,
        separator: &'db Expr,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let (min, max) = times.map_or((1, None), |times| self.repetition(times, env));
        self.separated(item, separator, (min, max), env, context, origin)
    }

    /// Returns `min` to `max` items with separators between them, and gaps around the separators.
    fn separated(
        &mut self,
        item: &'db Expr,
        separator: &'db Expr,
        (min, max): (u32, Option<u32>),
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let item = self.shared(item, env, context);
        let mut between = Vec::new();
        if let Some(skip) = context.skip {
            between.push(self.use_of(skip, origin));
        }
        between.push(self.text(separator, env, context));
        if let Some(skip) = context.skip {
            between.push(self.use_of(skip, origin));
        }
        let between = self.parts.expr(Ir::Sequence(between.into()), origin);
        let between = self.anonymous(between, origin);
        self.several(item, min, max, Some(between), origin)
    }

    /// Returns `min` to `max` uses of a rule, with the rule `between` between each two.
    fn several(&mut self, item: RuleId, min: u32, max: Option<u32>, between: Option<RuleId>, origin: Origin) -> ExprId {
        if max == Some(0) {
            return self.parts.expr(Ir::Sequence(Box::default()), origin);
        }
        let first = self.use_of(item, origin);
        let mut again = vec![];
        again.extend(between.map(|between| self.use_of(between, origin)));
        again.push(self.use_of(item, origin));
        let body = self.parts.expr(Ir::Sequence(again.into()), origin);
        let rest = Ir::Repeat { body, min: min.saturating_sub(1), max: max.map(|max| max - 1) };
        let rest = self.parts.expr(rest, origin);
        let all = self.parts.expr(Ir::Sequence([first, rest].into()), origin);
        if min == 0 { self.optional(all, origin) } else { all }
    }

    fn optional(&mut self, body: ExprId, origin: Origin) -> ExprId {
        self.parts.expr(Ir::Repeat { body, min: 0, max: Some(1) }, origin)
    }

    pub(super) fn use_of(&mut self, rule: RuleId, origin: Origin) -> ExprId {
        self.parts.expr(Ir::Rule(rule), origin)
    }

    /// Elaborates an expression that occurs more than once, as a rule of its own.
    pub(super) fn shared(&mut self, expr: &'db Expr, env: EnvId, context: Context) -> RuleId {
        let origin = self.origin(expr.span, env);
        let body = self.text(expr, env, context);
        self.anonymous(body, origin)
    }

    pub(super) fn anonymous(&mut self, body: ExprId, origin: Origin) -> RuleId {
        let rule = self.parts.rule("part", origin);
        self.parts.rules[rule.index()].body = body;
        rule
    }
}

/// Returns the names of the captures around an expression, outermost first, and the captured expression.
fn through_captures(expr: &Expr) -> (Vec<&Name>, &Expr) {
    let (mut names, mut expr) = (Vec::new(), expr);
    loop {
        expr = match &expr.kind {
            ExprKind::Capture { name, item } => {
                names.push(name);
                item
            }
            ExprKind::Group(item) => item,
            _ => return (names, expr),
        }
    }
}
