//! Elaborates `raw<T>`: the scalars of a type as texts without quotes and escapes, for formats that are not JSON.
//!
//! The texts are an automaton, computed from the type's node. That needs the nodes of all types that it uses, of
//! which some still wait. So `raw<T>` becomes an empty automaton first, and [`Elaborator::settle_raws`] replaces it
//! at the end.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Argument as Written, Attribute, Expr, ExprKind, Reference};
use ogc_regular::Dfa;
use ogc_schema::{Algebra, Table};

use super::instances::WaitingRaw;
use super::policy::Policy;
use super::reference::Meaning;
use super::text::Context;
use super::{Elaborator, EnvId};
use crate::SchemaFault;
use crate::hir::items::{Keyword, item_tree};
use crate::ir::{ExprId, ExprKind as Ir, MachineId};

impl<'db> Elaborator<'db> {
    /// Elaborates `raw<T>`.
    pub(super) fn raw(&mut self, expr: &'db Expr, reference: &'db Reference, env: EnvId, context: Context) -> ExprId {
        match reference.arguments.as_slice() {
            [Written { name: None, value, .. }] => self.raw_text(value, env, context.policy),
            _ => {
                let origin = self.origin(expr.span, env);
                let help = "write `raw<T>`, as in `raw<datetime>` or `raw<\"yes\" | \"no\">`";
                self.error(Code::WrongArguments, expr.span, env, "`raw` takes one type").help = Some(help.to_owned());
                self.nothing(origin)
            }
        }
    }

    /// Elaborates the argument of `raw`. Alternatives become automata of their own if one has a policy, such as
    /// `@numbers("json")`.
    fn raw_text(&mut self, expr: &'db Expr, env: EnvId, policy: Policy) -> ExprId {
        let origin = self.origin(expr.span, env);
        match &expr.ungrouped().kind {
            ExprKind::Attributed { attributes, item } => {
                let policy = self.attributes_policy(attributes, env, policy);
                self.raw_text(item, env, policy)
            }
            ExprKind::Union(arms) if self.differs(expr, env) => {
                let arms = arms.iter().map(|arm| self.raw_text(&arm.expr, env, policy)).collect();
                self.parts.expr(Ir::Alternation(arms), origin)
            }
            _ => {
                let origin = self.origin(expr.span, env);
                let attributes = self.type_attributes(expr, env);
                let policy = self.attributes_policy(attributes, env, policy);
                let node = self.value(expr, env);
                let body = self.parts.machine(Dfa::empty(), origin);
                let machine = MachineId(self.parts.machines.len() as u32 - 1);
                self.instances.raws.push(WaitingRaw { machine, node, spelling: policy.json().spelling, origin });
                body
            }
        }
    }

    /// Returns the attributes of the type that an expression names.
    fn type_attributes(&mut self, expr: &'db Expr, env: EnvId) -> &'db [Attribute] {
        let ExprKind::Reference(reference) = &expr.ungrouped().kind else { return &[] };
        match self.meaning(reference, env) {
            Meaning::Item(_, item) if item.key.kind == Keyword::Type => &item_tree(self.db, &item).item.attributes,
            _ => &[],
        }
    }

    /// Makes the automata of all uses of `raw`. Alone, the types are empty nodes, so none is made.
    pub(super) fn settle_raws(&mut self) {
        let raws = std::mem::take(&mut self.instances.raws);
        if raws.is_empty() || self.is_alone() || !self.findings.is_sound() {
            return;
        }
        let limits = self.environment.home_file().options(self.db).limits(self.db).schema;
        let table = Table::new(&self.parts.schemas);
        let mut algebra = Algebra::new(&table, limits);
        let made: Vec<Result<Dfa, ogc_schema::SchemaError>> = raws
            .iter()
            .map(|raw| {
                let value = algebra.value_of(raw.node);
                algebra.unquoted(value, raw.spelling, raw.origin)
            })
            .collect();
        for (raw, made) in raws.into_iter().zip(made) {
            match made {
                Ok(dfa) => self.parts.machines[raw.machine.0 as usize] = dfa,
                Err(error) => {
                    self.findings.add(SchemaFault::from(error).finding());
                }
            }
        }
    }
}
