//! Elaborates one definition and all that it uses: names become nodes and rules, parameters their arguments.
//!
//! The elaborator walks expressions. It writes a set of values as nodes of the schema graph ([`value`]) and a set of
//! texts as grammar IR ([`mod@text`]); where an expression could be either, as a name or `"a" | "b"`, [`kind`]
//! decides.
//!
//! # Words
//!
//! - An *environment* ([`environment`]) gives the names in an expression their meaning: the item that contains the
//!   expression, the arguments of that item's parameters, and the view of its file.
//! - A *view* is a file together with the `with { ... }` of the import that led to it. A file that is imported once
//!   plainly and once with replacements has two views, because its definitions then mean two things.
//! - An *instance* ([`instances`]) is a definition in one environment, such as `Page<int>`: one node or rule of the
//!   module.
//! - The *parts* ([`parts`]) are the unfinished module.
//! - A *finding* ([`findings`]) is an error or a warning whose place is an [`Origin`] of the module.
//!
//! # Steps
//!
//! 1. `root` elaborates the definition itself, as a value or a text, under the policies of its file and its attributes.
//! 2. At its first use an instance gets an empty node or rule and enters a queue; `drain` writes the bodies. So a
//!    recursive definition is an edge to a node that exists already, and calls nest no deeper than one expression.
//! 3. `finish` settles what needs all nodes: the fields of `each<T, field>` ([`each`]), whose templates add further
//!    instances; the texts of `raw<T>` ([`raw`]); and the policy of each node that several policies reach ([`settle`]).
//!    If there was an error, the module's root is [`Root::Nothing`].
//!
//! # Alone and in modules
//!
//! A definition is elaborated in two ways, which [`Extent`] tells apart:
//!
//! - *Alone*, by [`super::check`]: the instances that it uses stay empty, and its parameters are opaque (they stand for
//!   anything). So each item is checked once, by a query of its own, even if nothing uses it or it has parameters.
//! - *In modules*, with all uses: here parameters have arguments, so `int<least..5>` can be wrong for one use and
//!   right for another. Findings that both ways give are merged when a file's findings are put together.

mod bounds;
mod document;
mod each;
mod environment;
mod field_style;
mod findings;
mod free;
mod import;
mod instances;
mod keys;
mod kind;
mod layout;
mod literal;
mod members;
mod parts;
mod pattern;
mod policy;
mod python_names;
mod quoted;
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

use ogc_grammar::ogc::ast::{self, Expr, ItemKind, Record, Reference};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget::{self, spend};
use ogc_runtime::automaton::Escapes;
use ogc_schema::Words;
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
use super::tested::test_of;
use crate::budget::exceeded;
use crate::db::{Db, SourceFile};
use crate::ir::RuleId;
use crate::lower::json::ValueUse;
use crate::{SchemaFault, SchemaFaultKind};

/// Maximum number of instances of definitions in one module.
const INSTANCES: usize = 100_000;

/// Returns the module of the definition `name`, which has no parameters. Equal after edits of anything that the
/// definition does not use.
#[salsa::tracked(returns(clone))]
pub fn module(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Arc<Module>> {
    let module = fresh_module(db, file, &name)?;
    db.count_kept(module.usage.kept);
    Some(Arc::new(module))
}

/// Makes the module of a definition without keeping it in the database, for callers that go through many definitions.
pub fn fresh_module(db: &dyn Db, file: SourceFile, name: &str) -> Option<Module> {
    match item_named(db, file, name) {
        Some(item) => Some(elaborate(db, &item)),
        None => test_of(db, file, name).map(|test| elaborate_test(db, test, Extent::WithUses)),
    }
}

/// Elaborates the target of a test, alone or with all that it uses, as if a definition in the test's file stood for it.
fn elaborate_test(db: &dyn Db, item: &ItemId, extent: Extent) -> Module {
    metered(db, item, || {
        let mut elaborator = Elaborator::new(db, item.file, extent);
        let root = elaborator.tested(item);
        elaborator.finish(root)
    })
}

/// Elaborates the target of a test for its findings, without entering the definitions that it uses.
pub(super) fn elaborate_test_alone(db: &dyn Db, item: &ItemId) -> Module {
    elaborate_test(db, item, Extent::UseAlone)
}

/// Elaborates a type, a rule or an output without parameters, and all that it uses.
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

/// Elaborates a definition alone for its findings: definitions that it uses are not entered, and its parameters are
/// opaque.
pub(super) fn elaborate_alone(db: &dyn Db, item: &ItemId) -> Module {
    metered(db, item, || {
        let mut elaborator = Elaborator::new(db, item.file, Extent::ItemAlone);
        let root = elaborator.root(item);
        elaborator.finish(root)
    })
}

/// Elaborates the settings of a `policy` item, for its findings.
pub(super) fn elaborate_policy(db: &dyn Db, item: &ItemId) -> Module {
    let mut elaborator = Elaborator::new(db, item.file, Extent::ItemAlone);
    let view = elaborator.environment.home();
    let env = elaborator.environment.instance(view, item, Arguments::default());
    elaborator.settings(item, env, Policy::default());
    elaborator.finish(Root::Nothing)
}

/// The extent of an elaboration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// A definition and everything that it uses: a module that can be lowered.
    WithUses,
    /// One item. Names in it are resolved and their arguments checked, but the definitions behind them stay empty
    /// nodes and rules. Only the findings of such a module are used.
    ItemAlone,
    /// The target of a test: names are resolved, but no definition is entered.
    UseAlone,
}

/// The elaborated expression of a format.
enum Entry {
    /// A value, and the policy by which it is written.
    Value(NodeId, Policy),
    /// A text, which is rule 0.
    Text,
    /// Nothing, because of errors.
    Nothing,
}

/// The state of one elaboration.
struct Elaborator<'db> {
    db: &'db dyn Db,
    extent: Extent,
    /// The environments made so far.
    environment: Environment<'db>,
    /// The instances made so far, and the queue of those without a body.
    instances: Instances<'db>,
    /// The unfinished module.
    parts: ModuleParts,
    findings: Findings,
    /// The unions that `mix` is splitting into regions, the innermost last: in `rule r = mix<text, r | "a">` the inner
    /// `r` is not split again.
    open_unions: Vec<&'db Expr>,
    /// The records with spreads whose fields are being elaborated, the innermost last.
    open_spreads: Vec<(&'db Record, EnvId)>,
    /// The escapes of all strings of the module, set by the root: an automaton has a single way to escape.
    escapes: Option<Escapes>,
    /// Whether something sets these escapes.
    chose_escapes: bool,
    /// The place of the definition or of the test's target.
    place: Origin,
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
            open_spreads: Vec::new(),
            escapes: None,
            chose_escapes: false,
            place: Origin::default(),
        }
    }

    fn is_alone(&self) -> bool {
        self.extent != Extent::WithUses
    }

    /// Elaborates the definition itself and then all instances that it uses.
    ///
    /// A rule or output whose body is a value, `output O = { a: int }` or `output O = json<T>`, becomes a value too:
    /// it needs no grammar around it.
    fn root(&mut self, item: &ItemId) -> Root {
        let tree = item_tree(self.db, item);
        let Some(definition) = tree.item.definition() else { return Root::Nothing };
        self.findings.reported_elsewhere |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let view = self.environment.home();
        let arguments = if self.is_alone() { Arguments::opaque(definition) } else { Arguments::default() };
        let env = self.environment.instance(view, item, arguments);
        let policy = self.file_policy(item.file);
        let policy = self.item_policy(item, env, policy);
        self.parts.token_policy = policy.tokens;
        self.set_escapes(policy);
        let origin = self.origin(definition.name.span, env);
        self.place = origin;
        let _place = budget::at(budget::Spender(origin.0));
        let entry = match item.key.kind {
            Keyword::Type => Entry::Value(self.type_instance(item, env), policy),
            _ => self.entry(&definition.body, env, policy),
        };
        if matches!(entry, Entry::Text) {
            // The root is rule 0.
            self.rule_instance(item, env, policy);
        }
        self.rooted(entry, policy, origin)
    }

    /// Elaborates the target of a test and then all instances that it uses.
    fn tested(&mut self, item: &ItemId) -> Root {
        let ItemKind::Test(test) = &item_tree(self.db, item).item.kind else { return Root::Nothing };
        let view = self.environment.home();
        let env = self.environment.instance(view, item, Arguments::default());
        let policy = self.file_policy(item.file);
        self.parts.token_policy = policy.tokens;
        self.set_escapes(policy);
        let origin = self.origin(test.target.span, env);
        self.place = origin;
        let _place = budget::at(budget::Spender(origin.0));
        let entry = self.entry(&test.target, env, policy);
        if matches!(entry, Entry::Text) {
            let rule = self.parts.rule("test", origin);
            self.instances.waiting.push_back(Waiting::Expression { rule, expr: &test.target, env, policy });
        }
        self.rooted(entry, policy, origin)
    }

    /// Elaborates the expression of a format, if it is a value. `json<T>` on its own counts as a value too.
    fn entry(&mut self, body: &'db Expr, env: EnvId, policy: Policy) -> Entry {
        if self.is_value(body, env) && !self.differs(body, env) {
            return Entry::Value(self.value(body, env), policy);
        }
        let Some(reference) = self.whole_json(body, env) else { return Entry::Text };
        let arguments = self.json_arguments(body, reference, env, policy);
        let Some((body, policy)) = arguments else { return Entry::Nothing };
        self.set_escapes(policy);
        Entry::Value(self.value(body, env), policy)
    }

    /// Elaborates all that an entry uses, and returns the module's root for it.
    fn rooted(&mut self, entry: Entry, policy: Policy, origin: Origin) -> Root {
        if !matches!(entry, Entry::Nothing) {
            self.drain();
        }
        match entry {
            Entry::Value(node, policy) => Root::Value(self.value_use(node, policy, origin)),
            Entry::Text => Root::Text(policy.escapes()),
            Entry::Nothing => Root::Nothing,
        }
    }

    /// Returns the reference of an expression that is just `json<...>`: it means the value itself.
    fn whole_json(&mut self, expr: &'db Expr, env: EnvId) -> Option<&'db Reference> {
        let ast::ExprKind::Reference(reference) = &expr.ungrouped().kind else { return None };
        let reference::Meaning::Builtin(builtin) = self.meaning(reference, env) else { return None };
        (builtin.kind == BuiltinKind::Text(TextKind::Json)).then_some(reference)
    }

    /// Writes the bodies of waiting instances until none waits; bodies may add instances.
    fn drain(&mut self) {
        while let Some(open) = self.instances.waiting.pop_front() {
            // If the budget is used up, the module is discarded anyway.
            if budget::exhausted() {
                return;
            }
            match open {
                Waiting::Type { node, item, env } => self.write_type(node, &item, env),
                Waiting::Rule { rule, item, env, policy } => self.write_rule(rule, &item, env, policy),
                Waiting::Expression { rule, expr, env, policy } => {
                    let body = self.text(expr, env, text::Context::plain(policy));
                    self.parts.rules[rule.index()].body = body;
                }
            }
        }
    }

    /// Settles everything that needs all nodes, and makes the module.
    fn finish(mut self, root: Root) -> Module {
        self.settle_eaches();
        self.settle_raws();
        self.settle_quotes();
        let policies = self.settle_policies();
        let root = if self.findings.is_sound() { root } else { Root::Nothing };
        let (any_escape, chosen) = (self.escapes == Some(Escapes::Any) && !self.is_alone(), self.chose_escapes);
        let mut module = self.parts.finish(root, policies, self.findings.found);
        match any_escape && module.has_words(Words::Python) {
            true if chosen => {
                module.root = Root::Nothing;
                module.diagnostics.push(SchemaFault::new(self.place, SchemaFaultKind::PythonEscapes).in_ogc());
            }
            // Unless something says otherwise, values with Python's words have the escapes that Python reads alike.
            true => module.escape_canonically(),
            false => {}
        }
        module
    }

    /// Sets the escapes of the whole module.
    fn set_escapes(&mut self, policy: Policy) {
        (self.escapes, self.chose_escapes) = (Some(policy.escapes()), policy.chosen_escapes.is_some());
    }

    /// Returns the node of a type in an environment; at the first use, makes the node and queues its body.
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

    /// Returns the IR rule of a rule or output in an environment; at the first use, makes the rule and queues its body.
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

    /// Returns whether to elaborate the body of a new instance. Too many instances are an error, reported once; alone,
    /// only the item's own body is elaborated.
    fn may_enter(&mut self, item: &ItemId, env: EnvId) -> bool {
        let instances = self.instances.len();
        if instances == INSTANCES + 1 {
            let message =
                format!("uses of definitions with different arguments: {instances}; the limit is {INSTANCES}");
            self.error(Code::Limit, Span::default(), env, message).help =
                Some("pass fewer different arguments, or write parts without parameters".to_owned());
        }
        instances <= INSTANCES
            && match self.extent {
                Extent::WithUses => true,
                Extent::ItemAlone => instances == 1 && self.environment.item(env) == item,
                Extent::UseAlone => false,
            }
    }

    /// Writes the body of a type's instance into its node.
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
            // A type that only names an imported schema keeps the schema's documentation.
            self.parts.docs.insert(node, said);
        }
        let origin = self.origin(definition.name.span, env);
        let (change, depth) = self.item_change(item, env);
        let body = depth.map_or(body, |depth| self.bounded(body, depth, origin));
        let plain = change.is_none() && !self.parts.policies.contains_key(&body);
        // The type's node is a copy of its body's node. If either has a policy, it refers to the body's node instead,
        // so that each keeps its own.
        let (node_kind, change) = match plain {
            true => (self.parts.schemas.nodes[body.0 as usize].kind.clone(), None),
            false => self.changed(body, change, origin),
        };
        self.parts.schemas.nodes[node.0 as usize] = Node { origin, kind: node_kind };
        if let Some(change) = change {
            self.parts.policies.insert(node, change);
        }
    }

    /// Writes the body of a rule's or output's instance.
    fn write_rule(&mut self, rule: RuleId, item: &ItemId, env: EnvId, policy: Policy) {
        let tree = item_tree(self.db, item);
        self.findings.reported_elsewhere |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let Some(definition) = tree.item.definition() else { return };
        let _place = self.spending(definition.name.span, env);
        // The policies of the root's attributes are in `policy` already.
        let policy = if rule == RuleId(0) { policy } else { self.item_policy(item, env, policy) };
        let skip = self.skip(item, env, policy);
        let body = self.text(&definition.body, env, text::Context { policy, skip });
        let origin = self.origin(definition.name.span, env);
        self.parts.rules[rule.index()].body = body;
        self.parts.rules[rule.index()].origin = origin;
    }

    /// Charges the budget that is used while the guard lives to the definition with this name.
    fn spending(&mut self, name: Span, env: EnvId) -> budget::SpenderGuard {
        let origin = self.origin(name, env);
        budget::at(budget::Spender(origin.0))
    }

    /// Returns a node with the policy by which it is written; the policy's depth bounds the node's nesting.
    fn value_use(&mut self, node: NodeId, policy: Policy, origin: Origin) -> ValueUse {
        let node = match policy.depth {
            Some(depth) => self.bounded(node, depth, origin),
            None => node,
        };
        ValueUse { node, policy: policy.json() }
    }

    /// Returns a new origin for a span in the item of an environment.
    fn origin(&mut self, span: Span, env: EnvId) -> Origin {
        let place = self.environment.place(span, env);
        self.parts.place(place)
    }

    /// Adds an error and returns it, so that the caller can add help.
    fn error(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.findings.add(Diagnostic::error(code, origin, message))
    }

    /// Adds a warning and returns it, so that the caller can add help.
    fn warning(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.findings.add(Diagnostic::warning(code, origin, message))
    }

    /// Returns the policy that the `policy` items of a file set.
    fn file_policy(&mut self, file: SourceFile) -> Policy {
        let mut policy = Policy::default();
        let found = self.findings.found.len();
        for item in policies(self.db, file) {
            let view = self.environment.home();
            let env = self.environment.instance(view, item, Arguments::default());
            policy = self.settings(item, env, policy);
        }
        // The `policy` item's own check reports its errors: here they are dropped.
        self.findings.reported_elsewhere |= self.findings.found.len() > found;
        self.findings.found.truncate(found);
        policy
    }
}
