//! Elaborates expressions as sets of texts: grammar IR.

use always_assert::never;
use ogc_grammar::ogc::ast::{Attribute, Expr, ExprKind, Name, Reference};
use ogc_grammar::{Code, Span};

use ogc_regular::budget;
use ogc_schema::source::Origin;

use super::environment::Argument;
use super::instances::{Waiting, WaitingValue};
use super::policy::{Policy, is_policy};
use super::reference::Meaning;
use super::{Elaborator, EnvId};
use crate::hir::attribute::AttributeKind;
use crate::hir::builtin::BuiltinKind;
use crate::hir::items::{ItemId, Keyword, item_tree};
use crate::ir::{Captured, ExprId, ExprKind as Ir, Extent, RuleId};
use crate::lower::json::ValueUse;

/// The settings that an expression inherits from those around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The policies by which values are spelled.
    pub(super) policy: Policy,
    /// The rule of the text that `@skip` allows between neighbouring parts.
    pub(super) skip: Option<RuleId>,
}

impl Context {
    /// Returns a context in which no text is allowed between parts.
    pub(super) fn plain(policy: Policy) -> Self {
        Self { policy, skip: None }
    }
}

impl<'db> Elaborator<'db> {
    /// Elaborates an expression as a set of texts. The parser's nesting limit bounds the recursion.
    pub(super) fn text(&mut self, expr: &'db Expr, env: EnvId, context: Context) -> ExprId {
        // If the budget is used up, the module is discarded anyway.
        if budget::exhausted() {
            let origin = self.origin(expr.span, env);
            return self.parts.expr(Ir::Sequence(Box::default()), origin);
        }
        if self.is_value(expr, env) {
            return self.value_in_text(expr, env, context.policy);
        }
        let origin = self.origin(expr.span, env);
        let kind = match &expr.kind {
            ExprKind::Error => Ir::Sequence(Box::default()),
            ExprKind::Null => literal(context.policy.words.null()),
            ExprKind::Bool(value) => literal(context.policy.words.truth(*value)),
            ExprKind::Number(text) | ExprKind::String(text) => literal(text),
            ExprKind::Regex(pattern) => match self.pattern(expr, pattern, env) {
                Some(dfa) => return self.parts.machine(dfa, origin),
                None => Ir::Sequence(Box::default()),
            },
            ExprKind::Token(name) => self.token(name),
            ExprKind::Reference(reference) => return self.reference_text(expr, reference, env, context, origin),
            ExprKind::Union(arms) => {
                Ir::Alternation(arms.iter().map(|arm| self.text(&arm.expr, env, context)).collect())
            }
            ExprKind::Intersection(parts) => return self.intersection(parts, env, context, origin),
            ExprKind::Difference { kept, removed } => {
                let kept = self.text(kept, env, context);
                let removed = removed.iter().map(|one| self.text(one, env, context)).collect();
                let removed = self.parts.expr(Ir::Alternation(removed), origin);
                Ir::Exception(kept, removed)
            }
            ExprKind::Repeat { .. } if self.is_called_in_brackets(expr, env) => Ir::Sequence(Box::default()),
            ExprKind::Repeat { item, times } => return self.repeated(item, times, env, context, origin),
            ExprKind::List { item, times, separator } => {
                return self.list(item, times.as_ref(), separator, env, context, origin);
            }
            ExprKind::Sequence(parts) => return self.sequence(parts, env, context, origin),
            ExprKind::Capture { name, item } => {
                let origin = self.origin(name.span, env);
                let body = self.text(item, env, context);
                return self.captured(body, name, origin);
            }
            ExprKind::Group(item) => return self.text(item, env, context),
            ExprKind::Attributed { attributes, item } => {
                let policy = self.attributes_policy(attributes, env, context.policy);
                return self.text(item, env, Context { policy, ..context });
            }
            ExprKind::Record(_) | ExprKind::Range(_) => {
                never!("the set of values at {:?} is not known as one", expr.span);
                Ir::Sequence(Box::default())
            }
        };
        self.parts.expr(kind, origin)
    }

    /// Makes an expression a capture with a name.
    pub(super) fn captured(&mut self, body: ExprId, name: &Name, origin: Origin) -> ExprId {
        self.parts.captures.push(Captured { name: name.text.clone(), body, extent: Extent::Whole, origin });
        body
    }

    fn intersection(&mut self, parts: &'db [Expr], env: EnvId, context: Context, origin: Origin) -> ExprId {
        let mut all = parts.iter().map(|part| self.text(part, env, context)).collect::<Vec<_>>().into_iter();
        let Some(first) = all.next() else {
            never!("an intersection has no parts");
            return self.nothing(origin);
        };
        all.fold(first, |one, other| self.parts.expr(Ir::Intersection(one, other), origin))
    }

    /// Elaborates a value inside a text. If an alternative has a policy, each alternative becomes a value of its own.
    fn value_in_text(&mut self, expr: &'db Expr, env: EnvId, policy: Policy) -> ExprId {
        let expr = expr.ungrouped();
        match &expr.kind {
            ExprKind::Attributed { attributes, item } if self.differs(item, env) => {
                let policy = self.attributes_policy(attributes, env, policy);
                self.value_in_text(item, env, policy)
            }
            ExprKind::Union(arms) if self.differs(expr, env) => {
                let origin = self.origin(expr.span, env);
                let arms = arms.iter().map(|arm| self.alternative(&arm.expr, env, policy)).collect();
                self.parts.expr(Ir::Alternation(arms), origin)
            }
            _ => self.value_text(expr, env, policy),
        }
    }

    /// Elaborates one alternative of a value under the policies that its attributes set.
    fn alternative(&mut self, expr: &'db Expr, env: EnvId, policy: Policy) -> ExprId {
        match &expr.ungrouped().kind {
            ExprKind::Attributed { attributes, item } => {
                let policy = self.attributes_policy(attributes, env, policy);
                self.value_in_text(item, env, policy)
            }
            _ => self.value_in_text(expr, env, policy),
        }
    }

    /// Returns whether the alternatives of a union of values have different spellings: one has a policy, and another
    /// one is no literal. (Literals alone have only one spelling, so the policy can apply to the whole union.)
    pub(super) fn differs(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        match &expr.ungrouped().kind {
            ExprKind::Attributed { item, .. } => self.differs(item, env),
            ExprKind::Union(arms) => {
                let several = arms.iter().filter(|arm| !self.is_literal(&arm.expr, env)).count() > 1;
                several && arms.iter().any(|arm| self.has_policy(&arm.expr, env) || self.differs(&arm.expr, env))
            }
            _ => false,
        }
    }

    /// Returns whether an expression has a policy attribute, or names a type that has one.
    fn has_policy(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        let any = |attributes: &[Attribute]| attributes.iter().any(is_policy);
        match &expr.ungrouped().kind {
            ExprKind::Attributed { attributes, .. } => any(attributes),
            ExprKind::Reference(reference) => match self.meaning(reference, env) {
                Meaning::Item(_, item) => any(&item_tree(self.db, &item).item.attributes),
                _ => false,
            },
            _ => false,
        }
    }

    /// Elaborates a value that is written as JSON.
    fn value_text(&mut self, expr: &'db Expr, env: EnvId, policy: Policy) -> ExprId {
        let origin = self.origin(expr.span, env);
        let node = self.value(expr, env);
        self.check_escapes(expr.span, env, policy);
        let value = self.value_use(node, policy, origin);
        self.external(value, env, origin)
    }

    /// Adds a call of a value to the grammar. In a template of [`super::each`] the value may turn out to be empty, so
    /// the call is added later.
    pub(super) fn external(&mut self, value: ValueUse, env: EnvId, origin: Origin) -> ExprId {
        if self.environment.of_field(env) {
            let expr = self.parts.expr(Ir::Alternation(Box::default()), origin);
            self.instances.field_values.push(WaitingValue { expr, value });
            return expr;
        }
        let external = self.parts.external(value);
        self.parts.expr(Ir::External(external), origin)
    }

    /// Reports a policy for escapes that differs from the root's: an automaton has a single way to escape.
    pub(super) fn check_escapes(&mut self, span: Span, env: EnvId, policy: Policy) {
        self.chose_escapes |= policy.chosen_escapes.is_some();
        if self.escapes.is_some_and(|escapes| escapes != policy.escapes()) {
            let message = "escapes are the same in the whole of an output";
            self.error(Code::MixedEscapes, span, env, message).help =
                Some("put `@escapes(...)` before the output, or in the file's `policy`".to_owned());
        }
    }

    /// Returns a literal that stands for one token of the vocabulary.
    fn token(&mut self, name: &str) -> Ir {
        self.parts.tokens.insert(name.to_owned());
        Ir::Literal(crate::ir::marker(name).into())
    }

    /// Elaborates a name as a set of texts.
    fn reference_text(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        match self.meaning_reported(reference, env) {
            Meaning::Argument(Argument::Given(inner, inside)) => {
                self.no_arguments(reference, "a parameter", env);
                self.text(inner, inside, Context::plain(context.policy))
            }
            Meaning::Builtin(builtin) => match builtin.kind {
                BuiltinKind::Text(kind) => self.builtin_text(kind, expr, reference, env, context, origin),
                BuiltinKind::Calls => self.calls_text(expr, reference, env, context, origin),
                BuiltinKind::Value(_) => {
                    never!("the values of `{}` are not known as such", builtin.name);
                    self.nothing(origin)
                }
            },
            Meaning::Item(view, item) if item.key.kind != Keyword::Type => {
                match self.enter(view, &item, reference, env) {
                    Some(inside) => {
                        let rule = self.rule_instance(&item, inside, context.policy);
                        self.parts.expr(Ir::Rule(rule), origin)
                    }
                    None => self.nothing(origin),
                }
            }
            Meaning::Foreign(view, name) => {
                self.no_arguments(reference, "an imported rule", env);
                match self.imported_rule(view, &name, context.policy) {
                    Some(rule) => self.parts.expr(Ir::Rule(rule), origin),
                    None => self.nothing(origin),
                }
            }
            Meaning::Argument(Argument::Names(machine)) => {
                self.no_arguments(reference, "a parameter", env);
                self.parts.expr(Ir::Machine(machine), origin)
            }
            Meaning::Argument(Argument::Value(_)) => {
                never!("the values of a field at {:?} are not known as such", expr.span);
                self.nothing(origin)
            }
            Meaning::Argument(Argument::Opaque) | Meaning::Item(..) | Meaning::Unknown => self.nothing(origin),
        }
    }

    /// Returns the empty text, in place of an expression with errors.
    pub(super) fn nothing(&mut self, origin: Origin) -> ExprId {
        self.parts.expr(Ir::Sequence(Box::default()), origin)
    }

    /// Returns the rule of the text that `@skip(x)` allows between the parts of an item.
    pub(super) fn skip(&mut self, item: &ItemId, env: EnvId, policy: Policy) -> Option<RuleId> {
        let attributes = &item_tree(self.db, item).item.attributes;
        let attribute = attributes.iter().find(|attribute| AttributeKind::Skip.is(attribute))?;
        let [argument] = attribute.arguments.as_slice() else { return None };
        let origin = self.origin(argument.span, env);
        let rule = self.parts.rule("skip", origin);
        self.instances.waiting.push_back(Waiting::Expression { rule, expr: &argument.value, env, policy });
        Some(rule)
    }
}

fn literal(text: &str) -> Ir {
    Ir::Literal(text.as_bytes().into())
}
