//! Finds the ends of all texts of an expression that begin at a place.

use ogc_grammar::ogc::ast::{Attribute, Expr, ExprKind, Item, Reference};

use super::kind::{Kind, differs};
use super::scope::{Env, Meaning, defined, named};
use super::{Context, Ends, Judge, Policy};

impl<'p> Judge<'p> {
    /// Returns the ends of the texts of a definition.
    pub(super) fn definition(&self, item: &'p Item, env: Env<'p>, context: &Context<'p>, from: usize) -> Ends {
        let Some(definition) = defined(item) else { return Ends::new() };
        let policy = self.attributes(&item.attributes, context.policy);
        let skip = item.attributes.iter().find(|attribute| attribute.name.text == "skip");
        let skip = skip.and_then(|skip| Some((&skip.arguments.first()?.value, env.clone())));
        let inside = Context { env, policy, skip, follow: context.follow.clone() };
        self.ends(&definition.body, &inside, from)
    }

    /// Returns the policy after the settings of attributes.
    pub(super) fn attributes(&self, attributes: &'p [Attribute], mut policy: Policy) -> Policy {
        for attribute in attributes {
            if let [argument] = attribute.arguments.as_slice() {
                self.set_named(&mut policy, &attribute.name.text, &argument.value);
            }
        }
        policy
    }

    /// Returns the ends of the texts of an expression that begin at `from`.
    pub(super) fn ends(&self, expr: &'p Expr, context: &Context<'p>, from: usize) -> Ends {
        if !self.step() {
            return Ends::new();
        }
        if self.kind(expr, &context.env) == Kind::Value {
            return self.values(expr, context, context.policy, from);
        }
        match &expr.kind {
            ExprKind::Null => self.literal(context.policy.word("null"), from),
            ExprKind::Bool(true) => self.literal(context.policy.word("true"), from),
            ExprKind::Bool(false) => self.literal(context.policy.word("false"), from),
            ExprKind::Number(text) | ExprKind::String(text) => self.literal(text.as_bytes(), from),
            ExprKind::Regex(written) => {
                self.pattern(written).map_or_else(Ends::new, |pattern| pattern.ends(self.text, from))
            }
            ExprKind::Token(name) => self.literal(&marker(name), from),
            ExprKind::Reference(reference) => self.reference(reference, context, from),
            ExprKind::Union(arms) => arms.iter().flat_map(|arm| self.ends(&arm.expr, context, from)).collect(),
            ExprKind::Intersection(parts) => {
                let mut all = parts.iter().map(|part| self.ends(part, context, from));
                let first = all.next().unwrap_or_default();
                all.fold(first, |both, other| &both & &other)
            }
            ExprKind::Difference { kept, removed } => {
                let kept = self.ends(kept, context, from);
                removed.iter().fold(kept, |kept, one| &kept - &self.ends(one, context, from))
            }
            ExprKind::Repeat { item, times } => {
                let times = self.times(times, &context.env);
                self.repeated(item, None, times, context, from)
            }
            ExprKind::List { item, times, separator } => {
                let times = times.as_ref().map_or((1, usize::MAX), |times| self.times(times, &context.env));
                self.repeated(item, Some(separator), times, context, from)
            }
            ExprKind::Sequence(parts) => self.sequence(parts, context, from),
            ExprKind::Capture { item, .. } | ExprKind::Group(item) => self.ends(item, context, from),
            ExprKind::Attributed { attributes, item } => {
                let policy = self.attributes(attributes, context.policy);
                self.ends(item, &Context { policy, ..context.clone() }, from)
            }
            ExprKind::Error | ExprKind::Record(_) | ExprKind::Range(_) => Ends::new(),
        }
    }

    /// Returns the ends of a value's spellings; if an alternative has a policy, each alternative is read by itself.
    fn values(&self, expr: &'p Expr, context: &Context<'p>, policy: Policy, from: usize) -> Ends {
        let expr = expr.ungrouped();
        match &expr.kind {
            ExprKind::Attributed { attributes, item } => {
                self.values(item, context, self.attributes(attributes, policy), from)
            }
            ExprKind::Union(arms) if differs(expr) => {
                // If all other alternatives are literals, the policy of one value holds for the whole.
                let others = arms.iter().filter(|arm| self.kind(&arm.expr, &context.env) != Kind::Literal);
                if others.count() < 2 {
                    self.give_up();
                }
                arms.iter().flat_map(|arm| self.values(&arm.expr, context, policy, from)).collect()
            }
            _ => self.value_ends(expr, &context.env, policy, from),
        }
    }

    pub(super) fn literal(&self, literal: &[u8], from: usize) -> Ends {
        let there = self.text.get(from..).is_some_and(|rest| rest.starts_with(literal));
        there.then_some(from + literal.len()).into_iter().collect()
    }

    fn reference(&self, reference: &'p Reference, context: &Context<'p>, from: usize) -> Ends {
        match self.meaning(reference, &context.env) {
            Meaning::Argument(expr, env) => self.ends(expr, &Context { env, skip: None, ..context.clone() }, from),
            Meaning::Item(item, env) => self.definition(item, env, context, from),
            Meaning::Builtin(name) => self.builtin(name, reference, context, from),
        }
    }

    fn builtin(&self, name: &str, reference: &'p Reference, context: &Context<'p>, from: usize) -> Ends {
        let inside = Context { skip: None, ..context.clone() };
        let Some(first) = reference.arguments.first() else { return self.free(reference, &inside, from) };
        match name {
            "text" => self.free(reference, &inside, from),
            "mix" => self.mix(reference, &inside, from),
            "substring" => self.substring(&first.value, &inside, from),
            "quoted" => self.quoted(&first.value, &inside, from),
            "lazy" => self.ends(&first.value, &inside, from).into_iter().take(1).collect(),
            "raw" => match named(&reference.arguments, "without") {
                Some(without) => self.bare_ends(reference, without, &inside, from),
                None => self.raw_ends(&first.value, &context.env, context.policy, from),
            },
            // The fields of a type depend on its shape, which is not computed here.
            "each" => {
                self.give_up();
                Ends::new()
            }
            "json" => {
                let mut policy = context.policy;
                reference.arguments[1..].iter().for_each(|setting| self.set(&mut policy, setting));
                self.value_ends(&first.value, &context.env, policy, from)
            }
            _ => Ends::new(),
        }
    }
}

/// Returns the bytes that represent a token of the vocabulary in a text.
pub(super) fn marker(name: &str) -> Vec<u8> {
    [&[0xff], name.as_bytes(), &[0xfe]].concat()
}
