//! Writes the fields of an object type as rules: one rule for each field, and one for each state that several paths
//! reach.

use std::sync::Arc;

use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::LimitError;
use ogc_runtime::automaton::KeyOrder;
use ogc_schema::source::{At, Keywords, NodeId, Origin};

use super::fields::{FieldArm, FieldValue};
use super::order::{OrderStyle, Orders, Part, Step, any, declared};
use crate::db::{Db, SourceFile};
use crate::hir::elaborate::environment::Argument;
use crate::hir::elaborate::field_style::{Absent, Template, WaitingEach};
use crate::hir::elaborate::{Elaborator, python_names};
use crate::ir::{ExprId, ExprKind as Ir, MachineId, RuleId};

/// Cap on the required number of undeclared fields.
const MOST: u64 = u32::MAX as u64 - 2;

/// Returns the name of a field as a literal expression, placed where the file uses `each`.
#[salsa::tracked]
fn name_literal(db: &dyn Db, file: SourceFile, span: Span, name: Arc<str>) -> Expr {
    let _ = (db, file);
    Expr { kind: ExprKind::String(name.to_string()), span }
}

/// The rules of one object arm.
struct FieldRules {
    /// Per field: the rule of each of its options.
    fields: Vec<Vec<RuleId>>,
    /// Per field: the rule of its replacement text, if an omitted field leaves one.
    absent: Vec<Option<RuleId>>,
    /// The rule of undeclared fields.
    others: Option<RuleId>,
    separator: Option<RuleId>,
}

impl<'db> Elaborator<'db> {
    /// Writes the fields of a use of `each`, one arm after the other.
    pub(super) fn write_fields(&mut self, each: &WaitingEach<'db>, arms: &[FieldArm]) {
        let mut written = Vec::new();
        if each.style.absent.is_some() && each.policy.order() == KeyOrder::Any {
            let message = "in any order, nothing has a place where a field that is left out would stand";
            let found = Diagnostic::error(Code::EachFields, each.origin, message);
            self.findings.add(found.help("leave `absent` out, or write `order = \"declared\"`"));
            return;
        }
        if self.is_standard_template(&each.style.field.item, python_names::ARGUMENT) {
            let names = arms.iter().flat_map(|arm| &arm.fields).map(|field| field.name.as_str());
            self.check_python_names("parameter", names, |_| each.origin);
        }
        for arm in arms {
            self.check_others(each, arm);
            match self.orders(each, arm) {
                Ok(orders) if orders.states.is_empty() => {}
                Ok(orders) => written.extend(self.write_arm(each, arm, &orders)),
                Err(error) => return self.too_many_orders(each, &error),
            }
        }
        if written.is_empty() && !arms.is_empty() {
            let message = "no object of this type can be written without undeclared fields";
            let found = Diagnostic::error(Code::EachFields, each.origin, message);
            self.findings.add(found.help("say how these are written: `others = field`"));
            return;
        }
        let body = match written.as_slice() {
            [] => return,
            [only] => *only,
            _ => self.parts.expr(Ir::Alternation(written.into()), each.origin),
        };
        let rule = self.anonymous(body, each.origin);
        self.parts.exprs[each.expr.index()].kind = Ir::Rule(rule);
    }

    /// Warns of fields that the type describes and the use does not write.
    fn check_others(&mut self, each: &WaitingEach<'db>, arm: &FieldArm) {
        if each.style.others.is_none() && arm.others.iter().any(|others| !others.is_any) {
            let message = "the type describes fields without a name of their own, and these are not written";
            let found = Diagnostic::warning(Code::UnwrittenFields, each.origin, message);
            self.findings.add(found.help("say how they are written: `others = field`, or declare fields by name"));
        }
    }

    fn orders(&self, each: &WaitingEach<'db>, arm: &FieldArm) -> Result<Orders, LimitError> {
        let style = OrderStyle {
            is_separated: each.style.separator.is_some(),
            shows_absent: each.style.absent.is_some(),
            has_others: each.style.others.is_some(),
        };
        match each.policy.order() {
            KeyOrder::Declared => declared(arm, style),
            KeyOrder::Any => any(arm, style),
        }
    }

    fn too_many_orders(&mut self, each: &WaitingEach<'db>, error: &LimitError) {
        let help = match each.policy.order() {
            KeyOrder::Any => "write the fields in their order: `order = \"declared\"`",
            KeyOrder::Declared => "let fewer fields depend on others",
        };
        self.findings.add(Diagnostic::error(Code::EachFields, each.origin, error.to_string()).help(help));
    }

    /// Writes the orders of one object arm; `None` after an error.
    fn write_arm(&mut self, each: &WaitingEach<'db>, arm: &FieldArm, orders: &Orders) -> Option<ExprId> {
        let rules = self.field_rules(each, arm)?;
        let mut users = vec![0u32; orders.states.len()];
        orders.states.iter().flat_map(|state| &state.steps).for_each(|(_, to)| users[*to] += 1);
        let mut known: Vec<Option<RuleId>> = vec![None; orders.states.len()];
        let mut open = Vec::new();
        let whole = self.write_from(0, orders, &users, &rules, &mut known, &mut open, each.origin);
        while let Some((state, rule)) = open.pop() {
            let body = self.write_from(state, orders, &users, &rules, &mut known, &mut open, each.origin);
            self.parts.rules[rule.index()].body = body;
        }
        Some(whole)
    }

    /// Writes the continuation of a state: a sequence up to the next state that several paths reach.
    #[allow(clippy::too_many_arguments, reason = "the graph, and what is written of it so far")]
    fn write_from(
        &mut self,
        state: usize,
        orders: &Orders,
        users: &[u32],
        rules: &FieldRules,
        known: &mut [Option<RuleId>],
        open: &mut Vec<(usize, RuleId)>,
        origin: Origin,
    ) -> ExprId {
        let mut parts = Vec::new();
        let mut at = state;
        loop {
            let steps = &orders.states[at].steps;
            let Some(&(_, next)) = steps.first() else { break };
            let is_one = !orders.states[at].ends && steps.iter().all(|(_, to)| *to == next);
            if is_one {
                parts.push(self.write_steps(steps.iter().map(|(step, _)| *step), rules, origin));
                if users[next] as usize == steps.len() {
                    at = next;
                    continue;
                }
                parts.push(self.state_rule(next, known, open, origin));
                break;
            }
            let mut arms = Vec::new();
            for (step, next) in steps {
                let step = self.write_step(*step, rules, origin);
                let next = self.state_rule(*next, known, open, origin);
                arms.push(self.parts.expr(Ir::Sequence([step, next].into()), origin));
            }
            if orders.states[at].ends {
                arms.push(self.nothing(origin));
            }
            parts.push(self.parts.expr(Ir::Alternation(arms.into()), origin));
            break;
        }
        self.parts.expr(Ir::Sequence(parts.into()), origin)
    }

    /// Returns a call of a state's rule; a new rule is queued to be written.
    fn state_rule(
        &mut self,
        state: usize,
        known: &mut [Option<RuleId>],
        open: &mut Vec<(usize, RuleId)>,
        origin: Origin,
    ) -> ExprId {
        let rule = match known[state] {
            Some(rule) => rule,
            None => {
                let rule = self.parts.rule("part", origin);
                known[state] = Some(rule);
                open.push((state, rule));
                rule
            }
        };
        self.use_of(rule, origin)
    }

    /// Writes the steps that lead to one state. A step that omits a field without a trace makes the other steps
    /// optional.
    fn write_steps(&mut self, steps: impl Iterator<Item = Step>, rules: &FieldRules, origin: Origin) -> ExprId {
        let (mut arms, mut may_lack) = (Vec::new(), false);
        for step in steps {
            match step.what {
                Part::Absent(field) if rules.absent[field].is_none() => may_lack = true,
                _ => arms.push(self.write_step(step, rules, origin)),
            }
        }
        let body = match arms.as_slice() {
            [only] => *only,
            _ => self.parts.expr(Ir::Alternation(arms.into()), origin),
        };
        match may_lack {
            true => self.parts.expr(Ir::Repeat { body, min: 0, max: Some(1) }, origin),
            false => body,
        }
    }

    /// Writes one step.
    fn write_step(&mut self, step: Step, rules: &FieldRules, origin: Origin) -> ExprId {
        let (rule, again) = match step.what {
            Part::Field(field, option) => (Some(rules.fields[field][option]), None),
            Part::Absent(field) => (rules.absent[field], None),
            Part::Others(least, most) => (rules.others, Some((least - 1, most.map(|most| most - 1)))),
        };
        let Some(rule) = rule else { return self.nothing(origin) };
        let mut parts = Vec::new();
        if !step.is_first {
            parts.extend(rules.separator.map(|separator| self.use_of(separator, origin)));
        }
        parts.push(self.use_of(rule, origin));
        if let Some((least, most)) = again {
            let mut more = Vec::new();
            more.extend(rules.separator.map(|separator| self.use_of(separator, origin)));
            more.push(self.use_of(rule, origin));
            let body = self.parts.expr(Ir::Sequence(more.into()), origin);
            let count = |number: u64| u32::try_from(number.min(MOST)).unwrap_or(u32::MAX - 1);
            parts.push(self.parts.expr(Ir::Repeat { body, min: count(least), max: most.map(count) }, origin));
        }
        self.parts.expr(Ir::Sequence(parts.into()), origin)
    }

    /// Returns the rules of the fields of one object arm; `None` after an error.
    fn field_rules(&mut self, each: &WaitingEach<'db>, arm: &FieldArm) -> Option<FieldRules> {
        let mut rules = FieldRules {
            fields: Vec::with_capacity(arm.fields.len()),
            absent: Vec::with_capacity(arm.fields.len()),
            others: None,
            separator: each.style.separator,
        };
        for field in &arm.fields {
            let name = self.name_argument(each, &field.name);
            let template = if field.required { &each.style.field } else { &each.style.optional };
            let options = field.options.iter().map(|(_, value)| {
                let value = Argument::Value(self.node_of(value, each.origin));
                self.filled_template(template, vec![name, value], each)
            });
            rules.fields.push(options.collect::<Option<_>>()?);
            rules.absent.push(match &each.style.absent {
                None => None,
                Some(Absent::Text(rule)) => Some(*rule),
                Some(Absent::Named(template)) => Some(self.filled_template(template, vec![name], each)?),
            });
        }
        if let Some(template) = &each.style.others {
            let mut arms = Vec::new();
            for others in &arm.others {
                let value = Argument::Value(self.node_of(&others.value, each.origin));
                let names = self.names_argument(&others.names, each.origin);
                let rule = self.filled_template(template, vec![names, value], each)?;
                arms.push(self.use_of(rule, each.origin));
            }
            let body = self.parts.expr(Ir::Alternation(arms.into()), each.origin);
            rules.others = Some(self.anonymous(body, each.origin));
        }
        Some(rules)
    }

    /// Returns the rule of a template with the given arguments; `None` after an error.
    fn filled_template(
        &mut self,
        template: &Template<'db>,
        given: Vec<Argument<'db>>,
        each: &WaitingEach<'db>,
    ) -> Option<RuleId> {
        let given = given.into_iter().chain(template.more.iter().copied()).map(Some).collect();
        let inside = self.given_in_order(template.view, &template.item, given, each.reference);
        let inside = self.reported(inside, each.env)?;
        Some(self.rule_instance(&template.item, inside, each.policy))
    }

    /// Returns the name of a field as an argument.
    fn name_argument(&mut self, each: &WaitingEach<'db>, name: &str) -> Argument<'db> {
        let file = self.environment.item(each.env).file;
        let literal = name_literal(self.db, file, each.reference.path.span, name.into());
        self.environment.argument(literal, each.env)
    }

    /// Returns the names of undeclared fields as an argument; equal sets of names share one automaton.
    fn names_argument(&mut self, names: &ogc_regular::Dfa, origin: Origin) -> Argument<'db> {
        let known = self.instances.names.iter().find(|known| self.parts.machines[known.index()] == *names);
        Argument::Names(known.copied().unwrap_or_else(|| {
            self.parts.machine(names.clone(), origin);
            let machine = MachineId((self.parts.machines.len() - 1) as u32);
            self.instances.names.push(machine);
            machine
        }))
    }

    /// Returns a node for the values of a field. A field that is a single node keeps that node; equal conjunctions
    /// share one node.
    fn node_of(&mut self, value: &FieldValue, origin: Origin) -> NodeId {
        if let [(node, false)] = value.as_slice() {
            return *node;
        }
        if let Some(&known) = self.instances.conjunctions.get(value) {
            return known;
        }
        let mut all_of = Vec::new();
        for &(node, is_excluded) in value {
            all_of.push(match is_excluded {
                false => node,
                true => {
                    let not = Some(At { origin, value: node });
                    self.parts.keywords(Keywords { not, ..Keywords::default() }, origin)
                }
            });
        }
        let node = self.parts.keywords(Keywords { all_of, ..Keywords::default() }, origin);
        self.instances.conjunctions.insert(value.clone(), node);
        node
    }
}
