//! Elaborates `each<T, field>`: the fields of an object type, each written by a template.
//!
//! The template is a rule with two parameters, `rule field<name, Value> = name ": " raw<Value> "\n"`. It is used once
//! for each field, with the key as a literal and the values of the field as a type. The fields of the type, and the
//! combinations in which they occur, are known only once the type's node and all that it uses are written. So
//! `each<T, field>` first becomes a placeholder, an expression without texts.
//!
//! # Steps
//!
//! 1. [`Elaborator::each`] reads the arguments, and puts the use in a queue.
//! 2. [`Elaborator::settle_eaches`] empties the queue in rounds: [`fields`] reads the fields of the types from their
//!    shapes, [`order`] finds the orders in which they may be written, and [`mod@write`] writes these orders as rules.
//!    Templates may use `each` again; those uses are settled in the next round.

mod fields;
mod order;
mod write;

use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Reference};
use ogc_grammar::{Code, Diagnostic, Fix, Span, nearest};
use ogc_schema::source::Origin;
use ogc_schema::{Algebra, Table};

use super::environment::Argument;
use super::field_style::{Absent, FieldStyle, Template, WaitingEach};
use super::policy::Policy;
use super::reference::Meaning;
use super::text::Context;
use super::{Elaborator, EnvId};
use crate::SchemaFault;
use crate::hir::items::{Keyword, item_tree, signature};
use crate::hir::resolve::Target;
use crate::hir::setting::PolicyKind;
use crate::ir::{ExprId, ExprKind as Ir};
use fields::{FieldArm, fields_of};

/// Maximum nesting of `each` inside the templates of `each`.
const NESTED: usize = 64;

impl<'db> Elaborator<'db> {
    /// Elaborates `each<T, field, ..., separator = x>`.
    pub(super) fn each(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let plain: Vec<&Written> = reference.arguments.iter().filter(|one| one.name.is_none()).collect();
        let [values, field, more @ ..] = plain.as_slice() else {
            let help = "write `each<T, field>`, with `rule field<name, Value> = name \": \" raw<Value> \"\\n\"`";
            return self.wrong_text(
                expr,
                env,
                "`each` takes a type of objects and a rule that writes a field",
                help,
                origin,
            );
        };
        if self.is_rule(&values.value, env) && !self.is_rule(&field.value, env) {
            let help = "write `each<T, field>`, with the type of the objects for `T`";
            return self.wrong_text(expr, env, "the type comes first, then the rule that writes a field", help, origin);
        }
        let more: Vec<Argument<'db>> = more.iter().map(|one| self.environment.argument(&one.value, env)).collect();
        let policy = self.each_policy(reference, env, context.policy);
        let node = self.value(&values.value, env);
        let field = self.field_template(field, &more, env);
        let style = field.and_then(|field| self.field_style(field, &more, reference, env, policy));
        let expr = self.parts.expr(Ir::Alternation(Box::default()), origin);
        if let Some(style) = style {
            self.instances.eaches.push(WaitingEach { expr, node, style, reference, env, policy, origin });
        }
        expr
    }

    /// Returns `policy` changed by the policies among the arguments, and reports arguments with unknown names.
    fn each_policy(&mut self, reference: &'db Reference, env: EnvId, mut policy: Policy) -> Policy {
        for written in &reference.arguments {
            let Some(name) = &written.name else { continue };
            if PolicyKind::of(&name.text).is_some() {
                policy = self.arguments_policy(std::slice::from_ref(written), env, policy);
            } else if !NAMED.contains(&name.text.as_str()) {
                let near = nearest(&name.text, NAMED.iter().copied());
                let guess = near.map(|near| self.fix(&Fix::instead(name.span, near), env));
                let found = self.error(Code::WrongArguments, written.span, env, "`each` has no such parameter");
                found.help = Some(format!("its named parameters are {}, and policies", NAMED.join(", ")));
                found.guesses.extend(guess);
            }
        }
        policy
    }

    /// Reads the named arguments; `None` after an error, or if a parameter is opaque.
    fn field_style(
        &mut self,
        field: Template<'db>,
        more: &[Argument<'db>],
        reference: &'db Reference,
        env: EnvId,
        policy: Policy,
    ) -> Option<FieldStyle<'db>> {
        let named = |name: &str| {
            reference.arguments.iter().find(|one| one.name.as_ref().is_some_and(|given| given.text == name))
        };
        let optional = named("optional").map(|written| self.field_template(written, more, env));
        let others = named("others").map(|written| self.field_template(written, more, env));
        let absent = named("absent").map(|written| self.absent(written, more, env, policy));
        let separator = named("separator").map(|one| self.shared(&one.value, env, Context::plain(policy)));
        let optional = optional.unwrap_or_else(|| Some(field.clone()))?;
        let others = others.map_or(Some(None), |others| others.map(Some))?;
        let absent = absent.map_or(Some(None), |absent| absent.map(Some))?;
        Some(FieldStyle { field, optional, separator, absent, others })
    }

    /// Returns the rule that an argument names as a field template; `None` after an error, or if a parameter is opaque.
    fn field_template(&mut self, written: &'db Written, more: &[Argument<'db>], env: EnvId) -> Option<Template<'db>> {
        let (expr, inside) = self.behind_parameters(&written.value, env)?;
        if self.reports_applied(expr, inside, written, env) {
            return None;
        }
        match self.template(expr, inside) {
            Some((view, item)) if item.key.kind == Keyword::Rule => {
                let template = Template { view, item, more: more.to_vec() };
                self.check_parameters(&template, &OF_FIELD, written, env).then_some(template)
            }
            Some((_, item)) if item_tree(self.db, &item).diagnostics.iter().any(Diagnostic::is_error) => {
                // It may have been meant as a rule.
                self.findings.reported_elsewhere = true;
                None
            }
            Some((_, item)) => {
                let message = format!("`{}` is a type: a rule that writes a field is needed here", item.key.name);
                self.error(Code::WrongArguments, written.span, env, message).help = Some(FIELD_RULE.to_owned());
                None
            }
            None if self.reports_unknown(expr, inside) => None,
            None => {
                let message = "a rule that writes a field is needed here";
                self.error(Code::WrongArguments, written.span, env, message).help = Some(FIELD_RULE.to_owned());
                None
            }
        }
    }

    /// Reports a template that is given arguments, `field<name, Value>`; returns whether this is one.
    fn reports_applied(&mut self, expr: &'db Expr, inside: EnvId, written: &'db Written, env: EnvId) -> bool {
        let ExprKind::Reference(reference) = &expr.kind else { return false };
        let Meaning::Item(_, item) = self.meaning(reference, inside) else { return false };
        if reference.arguments.is_empty() || item.key.kind != Keyword::Rule {
            return false;
        }
        let name = reference.path.segments.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(".");
        let place = written.value.span;
        let message = format!("`each` itself gives `{name}` its arguments, field by field");
        let given = Span::new(reference.path.span.end, expr.span.end);
        let fix = std::ptr::eq(expr, &raw const written.value)
            .then(|| self.fix(&Fix::new(format!("write `{name}`"), given, ""), env));
        let found = self.error(Code::WrongArguments, place, env, message);
        (found.help, found.fix) = (Some(format!("write `{name}`, without arguments")), fix);
        true
    }

    /// Returns whether an expression names a rule with parameters.
    fn is_rule(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        let template = self.template(expr, env).filter(|(_, item)| item.key.kind == Keyword::Rule);
        template.is_some_and(|(_, item)| !signature(self.db, &item).parameters.is_empty())
    }

    /// Reports an unknown name in place of a template; returns whether it is one.
    fn reports_unknown(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        let ExprKind::Reference(reference) = &expr.kind else { return false };
        let resolved = self.resolved(reference, env);
        let is_unknown = matches!(resolved.target, Target::Unknown);
        if let Some(found) = resolved.finding.clone().filter(|_| is_unknown) {
            self.report(&found, env);
        }
        is_unknown
    }

    /// Reports a template whose number of parameters does not fit the arguments.
    fn check_parameters(&mut self, template: &Template<'db>, wanted: &Wanted, written: &Written, env: EnvId) -> bool {
        let parameters = &signature(self.db, &template.item).parameters;
        let needed = parameters.iter().filter(|(_, has_default)| !has_default).count();
        let given = wanted.parameters.len() + template.more.len();
        if needed <= given && given <= parameters.len() {
            return true;
        }
        let counted = |count: usize| format!("{count} parameter{}", if count == 1 { "" } else { "s" });
        let message = format!(
            "`{}` has {}, and {} takes {given}: {}{}",
            template.item.key.name,
            counted(parameters.len()),
            wanted.role,
            wanted.parameters.join(", "),
            if template.more.is_empty() { "" } else { ", and what stands behind the rule" }
        );
        self.error(Code::WrongArguments, written.span, env, message).help = Some(wanted.help.to_owned());
        false
    }

    /// Reads the replacement for omitted fields: a text, or a rule whose parameter is the field's name.
    fn absent(
        &mut self,
        written: &'db Written,
        more: &[Argument<'db>],
        env: EnvId,
        policy: Policy,
    ) -> Option<Absent<'db>> {
        if let Some((expr, inside)) = self.behind_parameters(&written.value, env)
            && let Some((view, item)) = self.template(expr, inside)
            && !signature(self.db, &item).parameters.is_empty()
        {
            let template = Template { view, item, more: more.to_vec() };
            let fits = self.check_parameters(&template, &OF_ABSENT, written, env);
            return fits.then_some(Absent::Named(template));
        }
        Some(Absent::Text(self.shared(&written.value, env, Context::plain(policy))))
    }

    /// Writes the fields of all uses of `each`, and of the uses in their templates. When an item is elaborated alone,
    /// its types are empty nodes, so no fields are written.
    pub(super) fn settle_eaches(&mut self) {
        for round in 0.. {
            let eaches = std::mem::take(&mut self.instances.eaches);
            let Some(first) = eaches.first() else { return };
            if self.is_alone() || !self.findings.is_sound() || ogc_regular::budget::exhausted() {
                return;
            }
            if round == NESTED {
                let message = format!("`each` is nested {} deep in its templates; the limit is {NESTED}", NESTED + 1);
                let found = Diagnostic::error(Code::GenericRecursion, first.origin, message);
                let help = "let the template use `each` on the field's own type, without adding to it";
                self.findings.add(found.help(help));
                return;
            }
            let read = self.read_fields(&eaches);
            for (each, read) in eaches.iter().zip(read) {
                match read {
                    Ok(arms) => self.write_fields(each, &arms),
                    Err(found) => {
                        self.findings.add(*found);
                    }
                }
            }
            self.drain();
        }
    }

    /// Reads the fields of the types of some uses.
    fn read_fields(&self, eaches: &[WaitingEach<'db>]) -> Vec<Result<Vec<FieldArm>, Box<Diagnostic<Origin>>>> {
        let limits = self.environment.home_file().options(self.db).limits(self.db).schema;
        let table = Table::new(&self.parts.schemas);
        let mut algebra = Algebra::new(&table, limits);
        let roots: Vec<_> = eaches.iter().map(|each| algebra.value_of(each.node)).collect();
        if let Err(error) = algebra.solve_all(&roots) {
            return vec![Err(Box::new(SchemaFault::from(error).finding()))];
        }
        let read = eaches.iter().zip(roots).map(|(each, value)| {
            let may_be_empty = self.environment.of_field(each.env);
            fields_of(&algebra, value, each.origin, may_be_empty)
        });
        read.collect()
    }
}

/// Names of the named parameters, without the policies.
const NAMED: [&str; 4] = ["separator", "optional", "absent", "others"];

/// The parameters that a template must have.
struct Wanted {
    /// The template, in words.
    role: &'static str,
    parameters: &'static [&'static str],
    help: &'static str,
}

const OF_FIELD: Wanted =
    Wanted { role: "a rule that writes a field", parameters: &["the field's name", "its type"], help: FIELD_RULE };

const OF_ABSENT: Wanted = Wanted {
    role: "a rule for `absent`",
    parameters: &["the field's name"],
    help: "define one with one parameter: `rule missing<name> = name \": none\\n\"`; or write a text, `absent = \"\"`",
};

/// Advice for an argument that is not a field template.
const FIELD_RULE: &str = "define one with two parameters: `rule field<name, Value> = name \": \" raw<Value> \"\\n\"`";
