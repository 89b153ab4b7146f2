//! Elaborates `raw<T>`: the values of a type as texts without quotes and escapes, for formats that are not JSON.
//!
//! Without `without = x`, the type may only have scalars, and its texts are one automaton. With it, strings must not
//! contain `x`, besides their other conditions, and arrays and records are written as JSON.
//!
//! All of this is computed from the type's node. That needs the nodes of all types that it uses, and some of them may
//! still wait. So `raw<T>` first becomes a placeholder, an expression without texts, and [`Elaborator::settle_raws`]
//! replaces it at the end.

use ogc_grammar::ogc::ast::{Argument as Written, Attribute, Expr, ExprKind, Reference};
use ogc_grammar::ogc::print_expr;
use ogc_regular::Dfa;
use ogc_schema::source::{At, Keywords, NodeId, Origin, Types};
use ogc_schema::{Algebra, SchemaError, SchemaErrorKind, Table, Unquoted, UnquotedStrings};

use super::environment::Argument;
use super::free::rest_span;
use super::instances::WaitingRaw;
use super::literal::NO_TYPES;
use super::policy::Policy;
use super::reference::Meaning;
use super::text::Context;
use super::value::types;
use super::{Elaborator, EnvId};
use crate::SchemaFault;
use crate::hir::items::{Keyword, item_tree};
use crate::ir::{ExprId, ExprKind as Ir, RuleId, TextLimit};

/// The texts of a use of `raw`.
enum Bare {
    /// The texts of scalars, as one automaton.
    Machine(Dfa),
    /// Strings that do not contain the excluded text, and other values.
    Parts(Unquoted),
    /// No texts: the type has no values.
    Empty,
}

impl<'db> Elaborator<'db> {
    /// Elaborates `raw<T>` and `raw<T, without = x>`.
    pub(super) fn raw(&mut self, expr: &'db Expr, reference: &'db Reference, env: EnvId, context: Context) -> ExprId {
        let help = "write `raw<T>`, as in `raw<datetime>` or `raw<\"yes\" | \"no\">`; behind it `without = x` and policies may stand";
        let [Written { name: None, value, .. }, named @ ..] = reference.arguments.as_slice() else {
            let origin = self.origin(expr.span, env);
            return self.wrong_text(expr, env, "`raw` takes one type", help, origin);
        };
        if named.iter().any(|one| one.name.is_none()) {
            let origin = self.origin(expr.span, env);
            return self.wrong_text(expr, env, "`raw` takes one type", help, origin);
        }
        let is_without = |one: &&Written| one.name.as_ref().is_some_and(|name| name.text == "without");
        let without = named.iter().find(is_without).map(|one| self.without(&one.value, env, context.policy));
        let policies = named.iter().filter(|one| !is_without(one));
        let policy =
            policies.fold(context.policy, |policy, one| self.arguments_policy(std::slice::from_ref(one), env, policy));
        if without.is_some() {
            self.check_escapes(rest_span(named, expr), env, policy);
        }
        self.raw_text(value, env, policy, without)
    }

    /// Elaborates the argument of `raw`. If an alternative has a policy, such as `@numbers("json")`, each alternative
    /// becomes a text of its own.
    fn raw_text(&mut self, expr: &'db Expr, env: EnvId, policy: Policy, without: Option<RuleId>) -> ExprId {
        let origin = self.origin(expr.span, env);
        match &expr.ungrouped().kind {
            ExprKind::Attributed { attributes, item } => {
                let policy = self.attributes_policy(attributes, env, policy);
                self.raw_text(item, env, policy, without)
            }
            ExprKind::Union(arms) if self.differs(expr, env) => {
                let arms = arms.iter().map(|arm| self.raw_text(&arm.expr, env, policy, without)).collect();
                self.parts.expr(Ir::Alternation(arms), origin)
            }
            _ => {
                let attributes = self.type_attributes(expr, env);
                let policy = self.attributes_policy(attributes, env, policy);
                let node = self.value(expr, env);
                let expr = self.parts.expr(Ir::Alternation(Box::default()), origin);
                let may_be_empty = self.environment.of_field(env);
                self.instances.raws.push(WaitingRaw { expr, node, policy, without, may_be_empty, origin });
                expr
            }
        }
    }

    /// Returns the rule of all texts that do not contain a given text. Uses with the same text share the rule.
    fn without(&mut self, expr: &'db Expr, env: EnvId, policy: Policy) -> RuleId {
        let key = match self.environment.argument(expr, env) {
            Argument::Given(expr, inside) => Some((print_expr(expr), inside)),
            Argument::Opaque | Argument::Value(_) | Argument::Names(_) => None,
        };
        if let Some(known) = key.as_ref().and_then(|key| self.instances.withouts.get(key)) {
            return *known;
        }
        let origin = self.origin(expr.span, env);
        let text = self.text(expr, env, Context::plain(policy));
        // The empty text occurs everywhere; excluding it cannot be meant.
        let some = Dfa::any_text().difference(&Dfa::epsilon(), usize::MAX).unwrap_or_else(|_| Dfa::any_text());
        let some = self.parts.machine(some, origin);
        let text = self.parts.expr(Ir::Intersection(text, some), origin);
        let before = self.parts.machine(Dfa::any_text(), origin);
        let behind = self.parts.machine(Dfa::any_text(), origin);
        let with = self.parts.expr(Ir::Sequence([before, text, behind].into()), origin);
        let any = self.parts.machine(Dfa::any_text(), origin);
        let body = self.parts.expr(Ir::Exception(any, with), origin);
        let rule = self.anonymous(body, origin);
        self.instances.withouts.extend(key.map(|key| (key, rule)));
        rule
    }

    /// Returns the attributes of the type that an expression names.
    fn type_attributes(&mut self, expr: &'db Expr, env: EnvId) -> &'db [Attribute] {
        let ExprKind::Reference(reference) = &expr.ungrouped().kind else { return &[] };
        match self.meaning(reference, env) {
            Meaning::Item(_, item) if item.key.kind == Keyword::Type => &item_tree(self.db, &item).item.attributes,
            _ => &[],
        }
    }

    /// Makes the texts of all uses of `raw`, and calls of the non-empty values in templates of `each`. When an item is
    /// elaborated alone, its types are empty nodes, so nothing is made.
    pub(super) fn settle_raws(&mut self) {
        let raws = std::mem::take(&mut self.instances.raws);
        let values = std::mem::take(&mut self.instances.field_values);
        if raws.is_empty() && values.is_empty() || self.is_alone() || !self.findings.is_sound() {
            return;
        }
        let limits = self.environment.home_file().options(self.db).limits(self.db).schema;
        let table = Table::new(&self.parts.schemas);
        let mut algebra = Algebra::new(&table, limits);
        let nodes = raws.iter().map(|raw| raw.node).chain(values.iter().map(|one| one.value.node));
        let roots: Vec<_> = nodes.map(|node| algebra.value_of(node)).collect();
        if let Err(error) = algebra.solve_all(&roots) {
            self.findings.add(SchemaFault::from(error).finding());
            return;
        }
        let made: Vec<Result<Bare, SchemaError>> =
            raws.iter().zip(&roots).map(|(raw, &value)| bare(&algebra, raw, value)).collect();
        let held: Vec<bool> = roots[raws.len()..].iter().map(|&value| algebra.holds_something(value)).collect();
        for (raw, made) in raws.iter().zip(made) {
            match made {
                Ok(made) => self.write_raw(raw, made),
                Err(error) => {
                    self.findings.add(SchemaFault::from(error).finding());
                }
            }
        }
        for (waiting, _) in values.iter().zip(held).filter(|(_, held)| *held) {
            let external = self.parts.external(waiting.value);
            self.parts.exprs[waiting.expr.index()].kind = Ir::External(external);
        }
    }

    /// Replaces the placeholder of a use of `raw` by its texts.
    fn write_raw(&mut self, raw: &WaitingRaw, made: Bare) {
        let origin = raw.origin;
        let kind = match (made, raw.without) {
            (Bare::Machine(dfa), _) => {
                let machine = self.parts.machine(dfa, origin);
                self.parts.exprs[machine.index()].kind.clone()
            }
            (Bare::Parts(parts), Some(without)) => {
                let arms = self.bare_parts(parts, raw, without);
                let body = self.parts.expr(Ir::Alternation(arms.into()), origin);
                Ir::Rule(self.anonymous(body, origin))
            }
            (Bare::Parts(_), None) | (Bare::Empty, _) => Ir::Alternation(Box::default()),
        };
        self.parts.exprs[raw.expr.index()].kind = kind;
    }

    /// Returns the alternatives of a type whose values are written in different ways.
    fn bare_parts(&mut self, parts: Unquoted, raw: &WaitingRaw, without: RuleId) -> Vec<ExprId> {
        let origin = raw.origin;
        let scalars = !parts.strings.is_empty() || parts.words.is_some();
        let mut arms = Vec::new();
        for UnquotedStrings { language, max } in parts.strings {
            let free = self.use_of(without, origin);
            let body = match language {
                Some(dfa) => {
                    let dfa = self.parts.machine(dfa, origin);
                    self.parts.expr(Ir::Intersection(dfa, free), origin)
                }
                None => free,
            };
            arms.push(match max {
                Some(max) => self.parts.expr(Ir::Limited { body, limit: TextLimit::Chars(max) }, origin),
                None => body,
            });
        }
        arms.extend(parts.words.map(|words| self.parts.machine(words, origin)));
        if parts.brackets {
            let node = if scalars { self.in_brackets(raw.node, origin) } else { raw.node };
            let value = self.value_use(node, raw.policy, origin);
            let external = self.parts.external(value);
            arms.push(self.parts.expr(Ir::External(external), origin));
        }
        arms
    }

    /// Returns a node for the arrays and records among a node's values.
    fn in_brackets(&mut self, node: NodeId, origin: Origin) -> NodeId {
        let brackets = Types { array: true, object: true, ..NO_TYPES };
        let types = Keywords { types: types(origin, brackets), ..Keywords::default() };
        let types = self.parts.keywords(types, origin);
        let reference = Keywords { reference: Some(At { origin, value: node }), ..Keywords::default() };
        let node = self.parts.keywords(reference, origin);
        self.parts.keywords(Keywords { all_of: vec![node, types], ..Keywords::default() }, origin)
    }
}

/// Computes the texts of a use of `raw`, from the solved value of its type.
fn bare(algebra: &Algebra<'_>, raw: &WaitingRaw, value: ogc_schema::ValueId) -> Result<Bare, SchemaError> {
    if !algebra.holds_something(value) {
        return match raw.may_be_empty {
            true => Ok(Bare::Empty),
            false => Err(SchemaError::new(raw.origin, SchemaErrorKind::Empty)),
        };
    }
    let policy = raw.policy.json();
    let spelling = (policy.spelling, policy.words);
    match raw.without {
        Some(_) => algebra.unquoted_parts(value, spelling, raw.origin).map(Bare::Parts),
        None => algebra.unquoted(value, spelling, raw.origin).map(Bare::Machine),
    }
}
