//! One definition and all that it uses: names become nodes and rules, parameters their arguments.
//!
//! The elaborator walks expressions with an environment (what names and parameters mean there). A use of a definition is
//! an *instance*: the definition with its arguments. Each instance is elaborated once, from a queue, so that recursion is an
//! edge and nothing nests deeper than one expression.

mod bounds;
mod document;
mod environment;
mod findings;
mod free;
mod import;
mod instances;
mod keys;
mod kind;
mod layout;
mod literal;
mod parts;
mod pattern;
mod policy;
mod raw;
mod record;
mod reference;
mod refine;
mod settle;
mod spread;
mod text;
mod tools;
mod value;

use std::sync::Arc;

use ogc_grammar::ogc::ast::{self, Expr, Reference};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget::{self, spend};
use ogc_runtime::automaton::Escapes;
use ogc_schema::source::{Node, NodeId, NodeKind, Origin};

use environment::Arguments;
pub(super) use environment::{EnvId, Environment};
use findings::Findings;
use instances::{Instances, Waiting};
use parts::ModuleParts;
use policy::Policy;

use super::builtin::{BuiltinKind, TextKind};
use super::items::{ItemId, Keyword, item_tree, policies};
use super::module::{Module, Root};
use super::scope::item_named;
use crate::budget::exceeded;
use crate::db::{Db, SourceFile};
use crate::ir::RuleId;
use crate::lower::json::ValueUse;

/// Instances of definitions in one module.
const INSTANCES: usize = 100_000;

/// A definition with all that it uses. Equal after edits of anything else.
#[salsa::tracked(returns(clone))]
pub fn module(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Arc<Module>> {
    let item = item_named(db, file, &name)?;
    Some(Arc::new(elaborate(db, &item)))
}

/// Elaborates a definition: a type, a rule or an output without parameters.
fn elaborate(db: &dyn Db, item: &ItemId) -> Module {
    metered(db, item, || {
        let mut elaborator = Elaborator::new(db, item.file, Extent::WithUses);
        let root = elaborator.root(item);
        elaborator.finish(root)
    })
}

/// Elaborates under the budget of the item's file.
fn metered(db: &dyn Db, item: &ItemId, elaborate: impl FnOnce() -> Module) -> Module {
    let (module, usage) = spend(item.file.options(db).limits(db).budget, elaborate);
    match usage.exceeded {
        Some((error, place)) => module.over_budget(usage, exceeded(place, &error)),
        None => Module { usage, ..module },
    }
}

/// Elaborates an item alone: what it uses is looked up, not entered. Parameters stand for anything.
pub(super) fn elaborate_alone(db: &dyn Db, item: &ItemId) -> Module {
    metered(db, item, || {
        let mut elaborator = Elaborator::new(db, item.file, Extent::ItemAlone);
        let root = elaborator.root(item);
        elaborator.finish(root)
    })
}

/// Looks at the settings of a `policy` item.
pub(super) fn elaborate_policy(db: &dyn Db, item: &ItemId) -> Module {
    let mut elaborator = Elaborator::new(db, item.file, Extent::ItemAlone);
    let view = elaborator.environment.home();
    let env = elaborator.environment.instance(view, item, Arguments::default());
    elaborator.settings(item, env, Policy::default());
    elaborator.finish(Root::Nothing)
}

/// How far elaboration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Into everything that is used: a module.
    WithUses,
    /// One item; what it uses is looked up, not entered.
    ItemAlone,
}

/// Walks the expressions of one definition, and of all that it uses.
struct Elaborator<'db> {
    db: &'db dyn Db,
    extent: Extent,
    /// What names and parameters mean.
    environment: Environment<'db>,
    /// What has been elaborated, and what is waiting.
    instances: Instances<'db>,
    /// The module in the making.
    parts: ModuleParts,
    findings: Findings,
    /// The unions whose alternatives are being read as regions, the innermost last.
    open_unions: Vec<&'db Expr>,
    /// How the strings of all values are escaped; known from the root.
    escapes: Option<Escapes>,
}

impl<'db> Elaborator<'db> {
    fn new(db: &'db dyn Db, home: SourceFile, extent: Extent) -> Self {
        Self {
            db,
            extent,
            environment: Environment::new(home),
            instances: Instances::default(),
            parts: ModuleParts::default(),
            findings: Findings::default(),
            open_unions: Vec::new(),
            escapes: None,
        }
    }

    fn is_alone(&self) -> bool {
        self.extent == Extent::ItemAlone
    }

    fn root(&mut self, item: &ItemId) -> Root {
        let tree = item_tree(self.db, item);
        let Some(definition) = tree.item.definition() else { return Root::Nothing };
        self.findings.reported_elsewhere |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let view = self.environment.home();
        let arguments = if self.is_alone() { Arguments::opaque(definition) } else { Arguments::default() };
        let env = self.environment.instance(view, item, arguments);
        let policy = self.file_policy(item.file);
        let policy = self.item_policy(item, env, policy);
        self.escapes = Some(policy.escapes);
        let origin = self.origin(definition.name.span, env);
        let _place = budget::at(budget::Place(origin.0));
        let (node, policy) = match item.key.kind {
            Keyword::Type => (self.type_instance(item, env), policy),
            _ if self.is_value(&definition.body, env) && !self.differs(&definition.body, env) => {
                (self.value(&definition.body, env), policy)
            }
            _ => match self.whole_json(&definition.body, env) {
                Some(reference) => {
                    let arguments = self.json_arguments(&definition.body, reference, env, policy);
                    let Some((body, policy)) = arguments else { return Root::Nothing };
                    self.escapes = Some(policy.escapes);
                    (self.value(body, env), policy)
                }
                None => {
                    // The root is rule 0.
                    self.rule_instance(item, env, policy);
                    self.drain();
                    return Root::Text(policy.escapes);
                }
            },
        };
        self.drain();
        Root::Value(self.value_use(node, policy, origin))
    }

    /// The expression is `json<...>` and nothing else: one value, as the type alone would be.
    fn whole_json(&mut self, expr: &'db Expr, env: EnvId) -> Option<&'db Reference> {
        let ast::ExprKind::Reference(reference) = &expr.ungrouped().kind else { return None };
        let reference::Meaning::Builtin(builtin) = self.meaning_of(reference, env) else { return None };
        (builtin.kind == BuiltinKind::Text(TextKind::Json)).then_some(reference)
    }

    /// Elaborates what is waiting, and what that uses.
    fn drain(&mut self) {
        while let Some(open) = self.instances.waiting.pop_front() {
            // Where there is no budget left, the module is not used.
            if budget::exhausted() {
                return;
            }
            match open {
                Waiting::Type { node, item, env } => self.write_type(node, &item, env),
                Waiting::Rule { rule, item, env, policy } => self.write_rule(rule, &item, env, policy),
                Waiting::Replaced { rule, expr, env, policy } => {
                    let body = self.text(expr, env, text::Context::plain(policy));
                    self.parts.rules[rule.index()].body = body;
                }
            }
        }
    }

    fn finish(mut self, root: Root) -> Module {
        self.settle_raws();
        let policies = self.settle_policies();
        let root = if self.findings.is_sound() { root } else { Root::Nothing };
        self.parts.finish(root, policies, self.findings.found)
    }

    /// The node of a type with its arguments.
    fn type_instance(&mut self, item: &ItemId, env: EnvId) -> NodeId {
        let key = (item.clone(), env);
        if let Some(&known) = self.instances.types.get(&key) {
            return known;
        }
        let node = self.parts.node(NodeKind::Bool(true), Origin(0));
        self.instances.types.insert(key, node);
        self.parts.names.push((node, item.key.name.clone()));
        if self.may_enter(item, env) {
            self.instances.waiting.push_back(Waiting::Type { node, item: item.clone(), env });
        }
        node
    }

    /// The rule of a rule or output with its arguments.
    fn rule_instance(&mut self, item: &ItemId, env: EnvId, policy: Policy) -> RuleId {
        let key = (item.clone(), env, policy);
        if let Some(&known) = self.instances.rules.get(&key) {
            return known;
        }
        let rule = self.parts.rule(&item.key.name, Origin(0));
        self.instances.rules.insert(key, rule);
        if self.may_enter(item, env) {
            self.instances.waiting.push_back(Waiting::Rule { rule, item: item.clone(), env, policy });
        }
        rule
    }

    /// What is elaborated alone enters only itself. Too many instances are an error, said once.
    fn may_enter(&mut self, item: &ItemId, env: EnvId) -> bool {
        let instances = self.instances.len();
        if instances == INSTANCES + 1 {
            let message =
                format!("uses of definitions with different arguments: {instances}; the limit is {INSTANCES}");
            self.error(Code::Limit, Span::default(), env, message).help =
                Some("pass fewer different arguments, or write parts without parameters".to_owned());
        }
        instances <= INSTANCES && (!self.is_alone() || instances == 1 && self.environment.item(env) == item)
    }

    fn write_type(&mut self, node: NodeId, item: &ItemId, env: EnvId) {
        let tree = item_tree(self.db, item);
        self.findings.reported_elsewhere |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let Some(definition) = tree.item.definition() else { return };
        let _place = self.spending(definition.name.span, env);
        let body = self.value(&definition.body, env);
        let body = self.discriminated(&tree.item, definition, body, env);
        self.document(node, &tree.item.docs, &tree.item.attributes, env);
        if !self.parts.docs.contains_key(&node)
            && let Some(said) = self.parts.docs.get(&body).cloned()
        {
            // A name for an imported schema keeps what the schema says of itself.
            self.parts.docs.insert(node, said);
        }
        let origin = self.origin(definition.name.span, env);
        let (change, depth) = self.item_change(item, env);
        let body = depth.map_or(body, |depth| self.bounded(body, depth, origin));
        let plain = change.is_none() && !self.parts.policies.contains_key(&body);
        // The type is its body; one with a policy of its own stands behind it.
        let (node_kind, change) = match plain {
            true => (self.parts.schemas.nodes[body.0 as usize].kind.clone(), None),
            false => self.changed(body, change, origin),
        };
        self.parts.schemas.nodes[node.0 as usize] = Node { origin, kind: node_kind };
        if let Some(change) = change {
            self.parts.policies.insert(node, change);
        }
    }

    fn write_rule(&mut self, rule: RuleId, item: &ItemId, env: EnvId, policy: Policy) {
        let tree = item_tree(self.db, item);
        self.findings.reported_elsewhere |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let Some(definition) = tree.item.definition() else { return };
        let _place = self.spending(definition.name.span, env);
        let policy = if rule == RuleId(0) { policy } else { self.item_policy(item, env, policy) };
        let skip = self.skip(item, env, policy);
        let body = self.text(&definition.body, env, text::Context { policy, skip });
        let origin = self.origin(definition.name.span, env);
        self.parts.rules[rule.index()].body = body;
        self.parts.rules[rule.index()].origin = origin;
    }

    /// Says that what is drawn from now on is for a definition.
    fn spending(&mut self, name: Span, env: EnvId) -> budget::At {
        let origin = self.origin(name, env);
        budget::at(budget::Place(origin.0))
    }

    /// A value in text; each is written once.
    fn value_use(&mut self, node: NodeId, policy: Policy, origin: Origin) -> ValueUse {
        let node = match policy.depth {
            Some(depth) => self.bounded(node, depth, origin),
            None => node,
        };
        ValueUse { node, policy: policy.json() }
    }

    /// The origin of a place in the item of an environment.
    fn origin(&mut self, span: Span, env: EnvId) -> Origin {
        let place = self.environment.place(span, env);
        self.parts.place(place)
    }

    /// Reports an error, for which the caller adds what helps.
    fn error(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.findings.say(Diagnostic::error(code, origin, message))
    }

    fn warning(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.findings.say(Diagnostic::warning(code, origin, message))
    }

    /// The policies that a file has for its outputs.
    fn file_policy(&mut self, file: SourceFile) -> Policy {
        let mut policy = Policy::default();
        let found = self.findings.found.len();
        for item in policies(self.db, file) {
            let view = self.environment.home();
            let env = self.environment.instance(view, item, Arguments::default());
            policy = self.settings(item, env, policy);
        }
        // The item's own check says what is wrong with it.
        self.findings.reported_elsewhere |= self.findings.found.len() > found;
        self.findings.found.truncate(found);
        policy
    }
}
