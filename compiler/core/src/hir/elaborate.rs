//! One definition and all that it uses: names become nodes and rules, parameters their arguments.
//!
//! The elaborator walks expressions with an environment (what names and parameters mean there). A use of a definition is
//! an *instance*: the definition with its arguments. Each instance is elaborated once, from a queue, so that recursion is an
//! edge and nothing nests deeper than one expression.

mod attribute;
mod bounds;
mod document;
mod environment;
mod free;
mod import;
mod keys;
mod kind;
mod layout;
mod literal;
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

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::ogc::ast::{self, Expr, Reference};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::Dfa;
use ogc_regular::budget::{self, Usage, spend};
use ogc_runtime::automaton::Escapes;
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind, Origin, Schemas};
use rustc_hash::FxHashMap;

pub(super) use attribute::check_attributes;
use environment::{Arguments, ViewId};
pub(super) use environment::{EnvId, Environment};
use policy::Policy;

use super::builtin::{BuiltinKind, TextKind};
use super::items::{ItemId, Keyword, definition, item_tree, policies};
use super::module::{Module, Place, Root};
use super::scope::item_named;
use crate::budget::exceeded;
use crate::db::{Db, SourceFile};
use crate::frontend::docs::DocsByNode;
use crate::ir::{self, Captured, ExprId, ExprKind, Grammar, Mix, Rule, RuleId};
use crate::lower::json::ValueUse;

/// Instances of definitions in one module.
const INSTANCES: usize = 100_000;

/// Bytes of a node's keywords, with what their lists hold in the mean.
const KEYWORDS: usize = size_of::<Keywords>() + 64;

/// A definition with all that it uses. Equal after edits of anything else.
#[salsa::tracked(returns(clone))]
pub fn module(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Arc<Module>> {
    let item = item_named(db, file, &name)?;
    Some(Arc::new(elaborate(db, &item)))
}

/// Elaborates a definition: a type, a rule or an output without parameters.
fn elaborate(db: &dyn Db, item: &ItemId) -> Module {
    metered(db, item, || {
        let mut elaborator = Elaborator::new(db, item.file, false);
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
        let mut elaborator = Elaborator::new(db, item.file, true);
        let root = elaborator.root(item);
        elaborator.finish(root)
    })
}

/// Looks at the settings of a `policy` item.
pub(super) fn elaborate_policy(db: &dyn Db, item: &ItemId) -> Module {
    let mut elaborator = Elaborator::new(db, item.file, true);
    let view = elaborator.environment.home();
    let env = elaborator.environment.instance(view, item, Arguments::default());
    elaborator.settings(item, env, Policy::default());
    elaborator.finish(Root::Nothing)
}

/// What is to be elaborated.
enum Open<'db> {
    Type { node: NodeId, item: ItemId, env: EnvId },
    Rule { rule: RuleId, item: ItemId, env: EnvId, policy: Policy },
    Replaced { rule: RuleId, expr: &'db Expr, env: EnvId, policy: Policy },
}

struct Elaborator<'db> {
    db: &'db dyn Db,
    /// What is used is not entered.
    alone: bool,
    /// Something that was reported elsewhere keeps the module from having a meaning.
    unsound: bool,
    environment: Environment<'db>,
    schemas: Schemas,
    exprs: Vec<ir::Expr>,
    rules: Vec<Rule>,
    machines: Vec<Dfa>,
    tokens: BTreeSet<String>,
    mixes: Vec<Mix>,
    /// The unions whose alternatives are being read as regions, the innermost last.
    open_unions: Vec<&'db Expr>,
    captures: Vec<Captured>,
    values: Vec<ValueUse>,
    /// Automata of `raw<T>` that are still to be made.
    raws: Vec<raw::Raw>,
    policies: settle::Changes,
    names: Vec<(NodeId, String)>,
    /// Names of definitions of imported schemas.
    foreign_names: Vec<(NodeId, String)>,
    docs: DocsByNode,
    places: Vec<Place>,
    found: Vec<Diagnostic<Origin>>,
    /// The last finding beyond those that are kept.
    unsaid: Diagnostic<Origin>,
    types: FxHashMap<(ItemId, EnvId), NodeId>,
    named: FxHashMap<(ItemId, EnvId, Policy), RuleId>,
    graphs: FxHashMap<ViewId, import::Graph>,
    grammars: FxHashMap<(ViewId, Policy), FxHashMap<String, RuleId>>,
    /// Bounds of the depths from 0 on, ascending.
    depths: Vec<NodeId>,
    /// How the strings of all values are escaped; known from the root.
    escapes: Option<Escapes>,
    open: VecDeque<Open<'db>>,
}

impl<'db> Elaborator<'db> {
    fn new(db: &'db dyn Db, home: SourceFile, alone: bool) -> Self {
        Self {
            db,
            alone,
            unsound: false,
            environment: Environment::new(home),
            schemas: Schemas::default(),
            exprs: Vec::new(),
            rules: Vec::new(),
            machines: Vec::new(),
            tokens: BTreeSet::new(),
            mixes: Vec::new(),
            open_unions: Vec::new(),
            captures: Vec::new(),
            values: Vec::new(),
            raws: Vec::new(),
            policies: settle::Changes::new(),
            names: Vec::new(),
            foreign_names: Vec::new(),
            docs: DocsByNode::default(),
            places: Vec::new(),
            found: Vec::new(),
            unsaid: Diagnostic::note(Code::MoreDiagnostics, Origin(0), String::new()),
            types: FxHashMap::default(),
            named: FxHashMap::default(),
            graphs: FxHashMap::default(),
            grammars: FxHashMap::default(),
            depths: Vec::new(),
            escapes: None,
            open: VecDeque::new(),
        }
    }

    fn root(&mut self, item: &ItemId) -> Root {
        let tree = item_tree(self.db, item);
        let Some(definition) = definition(&tree.item) else { return Root::Nothing };
        self.unsound |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let view = self.environment.home();
        let arguments = if self.alone { Arguments::opaque(definition) } else { Arguments::default() };
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
        while let Some(open) = self.open.pop_front() {
            // Where there is no budget left, the module is not used.
            if budget::exhausted() {
                return;
            }
            match open {
                Open::Type { node, item, env } => self.write_type(node, &item, env),
                Open::Rule { rule, item, env, policy } => self.write_rule(rule, &item, env, policy),
                Open::Replaced { rule, expr, env, policy } => {
                    let body = self.text(expr, env, text::Context::plain(policy));
                    self.rules[rule.index()].body = body;
                }
            }
        }
    }

    fn finish(mut self, root: Root) -> Module {
        self.settle_raws();
        let policies = self.settle_policies();
        self.captures.sort_by_key(|captured| captured.body);
        self.names.append(&mut self.foreign_names);
        let unsound = self.unsound || self.found.iter().any(Diagnostic::is_error);
        let root = if unsound { Root::Nothing } else { root };
        let grammar = Grammar {
            exprs: self.exprs,
            rules: self.rules,
            machines: self.machines,
            root: RuleId(0),
            tokens: self.tokens.into_iter().collect(),
            mixes: self.mixes,
            captures: self.captures,
        };
        Module {
            root,
            schemas: self.schemas,
            values: self.values,
            grammar,
            policies,
            names: self.names,
            docs: self.docs,
            places: self.places,
            diagnostics: self.found,
            usage: Usage::default(),
        }
    }

    /// The node of a type with its arguments.
    fn type_instance(&mut self, item: &ItemId, env: EnvId) -> NodeId {
        let key = (item.clone(), env);
        if let Some(&known) = self.types.get(&key) {
            return known;
        }
        let node = self.node(NodeKind::Bool(true), Origin(0));
        self.types.insert(key, node);
        self.names.push((node, item.key.name.clone()));
        if self.may_enter(item, env) {
            self.open.push_back(Open::Type { node, item: item.clone(), env });
        }
        node
    }

    /// The rule of a rule or output with its arguments.
    fn rule_instance(&mut self, item: &ItemId, env: EnvId, policy: Policy) -> RuleId {
        let key = (item.clone(), env, policy);
        if let Some(&known) = self.named.get(&key) {
            return known;
        }
        let rule = self.rule(&item.key.name, Origin(0));
        self.named.insert(key, rule);
        if self.may_enter(item, env) {
            self.open.push_back(Open::Rule { rule, item: item.clone(), env, policy });
        }
        rule
    }

    /// What is elaborated alone enters only itself. Too many instances are an error, said once.
    fn may_enter(&mut self, item: &ItemId, env: EnvId) -> bool {
        let instances = self.types.len() + self.named.len();
        if instances == INSTANCES + 1 {
            let message =
                format!("uses of definitions with different arguments: {instances}; the limit is {INSTANCES}");
            self.error(Code::Limit, Span::default(), env, message).help =
                Some("pass fewer different arguments, or write parts without parameters".to_owned());
        }
        instances <= INSTANCES && (!self.alone || instances == 1 && self.environment.item(env) == item)
    }

    fn write_type(&mut self, node: NodeId, item: &ItemId, env: EnvId) {
        let tree = item_tree(self.db, item);
        self.unsound |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let Some(definition) = definition(&tree.item) else { return };
        let _place = self.spending(definition.name.span, env);
        let body = self.value(&definition.body, env);
        let body = self.discriminated(&tree.item, definition, body, env);
        self.document(node, &tree.item.docs, &tree.item.attributes, env);
        if !self.docs.contains_key(&node)
            && let Some(said) = self.docs.get(&body).cloned()
        {
            // A name for an imported schema keeps what the schema says of itself.
            self.docs.insert(node, said);
        }
        let origin = self.origin(definition.name.span, env);
        let (change, depth) = self.item_change(item, env);
        let body = depth.map_or(body, |depth| self.bounded(body, depth, origin));
        let plain = change.is_none() && !self.policies.contains_key(&body);
        // The type is its body; one with a policy of its own stands behind it.
        let (node_kind, change) = match plain {
            true => (self.schemas.nodes[body.0 as usize].kind.clone(), None),
            false => self.changed(body, change, origin),
        };
        self.schemas.nodes[node.0 as usize] = Node { origin, kind: node_kind };
        if let Some(change) = change {
            self.policies.insert(node, change);
        }
    }

    fn write_rule(&mut self, rule: RuleId, item: &ItemId, env: EnvId, policy: Policy) {
        let tree = item_tree(self.db, item);
        self.unsound |= tree.diagnostics.iter().any(Diagnostic::is_error);
        let Some(definition) = definition(&tree.item) else { return };
        let _place = self.spending(definition.name.span, env);
        let policy = if rule == RuleId(0) { policy } else { self.item_policy(item, env, policy) };
        let skip = self.skip(item, env, policy);
        let body = self.text(&definition.body, env, text::Context { policy, skip });
        let origin = self.origin(definition.name.span, env);
        self.rules[rule.index()].body = body;
        self.rules[rule.index()].origin = origin;
    }

    /// Says that what is drawn from now on is for a definition.
    fn spending(&mut self, name: Span, env: EnvId) -> budget::At {
        let origin = self.origin(name, env);
        budget::at(budget::Place(origin.0))
    }

    fn node(&mut self, kind: NodeKind, origin: Origin) -> NodeId {
        let bytes = match &kind {
            NodeKind::Bool(_) => size_of::<Node>(),
            NodeKind::Keywords(_) => size_of::<Node>() + KEYWORDS,
        };
        // Where there is no budget left, the module is not used, and any node will do.
        if budget::work(2).and(budget::keep(bytes)).is_err() && !self.schemas.nodes.is_empty() {
            return NodeId(0);
        }
        self.schemas.nodes.push(Node { origin, kind });
        NodeId((self.schemas.nodes.len() - 1) as u32)
    }

    fn keywords(&mut self, keywords: Keywords, origin: Origin) -> NodeId {
        self.node(NodeKind::Keywords(Box::new(keywords)), origin)
    }

    /// A new rule; its body comes later.
    fn rule(&mut self, name: &str, origin: Origin) -> RuleId {
        self.rules.push(Rule { name: name.to_owned(), origin, body: ExprId(0) });
        RuleId((self.rules.len() - 1) as u32)
    }

    fn expr(&mut self, kind: ExprKind, origin: Origin) -> ExprId {
        // As for nodes.
        if budget::work(2).and(budget::keep(2 * size_of::<ir::Expr>())).is_err() && !self.exprs.is_empty() {
            return ExprId(0);
        }
        self.exprs.push(ir::Expr { kind, origin });
        ExprId((self.exprs.len() - 1) as u32)
    }

    fn machine(&mut self, dfa: Dfa, origin: Origin) -> ExprId {
        let _ = budget::keep(dfa.bytes());
        self.machines.push(dfa);
        self.expr(ExprKind::Machine(ir::MachineId((self.machines.len() - 1) as u32)), origin)
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
        self.place(place)
    }

    fn place(&mut self, place: Place) -> Origin {
        let _ = budget::keep(size_of::<Place>());
        self.places.push(place);
        Origin(self.places.len() as u32)
    }

    /// Reports an error, for which the caller adds what helps.
    fn error(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.say(Diagnostic::error(code, origin, message))
    }

    fn warning(&mut self, code: Code, span: Span, env: EnvId, message: impl Into<String>) -> &mut Diagnostic<Origin> {
        let origin = self.origin(span, env);
        self.say(Diagnostic::warning(code, origin, message))
    }

    /// Keeps a finding, unless there are too many and it is not the first error of them.
    fn say(&mut self, one: Diagnostic<Origin>) -> &mut Diagnostic<Origin> {
        let kept = !self.is_flooded() || one.is_error() && !self.found.iter().any(Diagnostic::is_error);
        if !kept {
            self.unsaid = one;
            return &mut self.unsaid;
        }
        self.found.push(one);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// More was found than is ever shown.
    fn is_flooded(&self) -> bool {
        self.found.len() > DIAGNOSTIC_LIMIT
    }

    /// The policies that a file has for its outputs.
    fn file_policy(&mut self, file: SourceFile) -> Policy {
        let mut policy = Policy::default();
        let found = self.found.len();
        for item in policies(self.db, file) {
            let view = self.environment.home();
            let env = self.environment.instance(view, item, Arguments::default());
            policy = self.settings(item, env, policy);
        }
        // The item's own check says what is wrong with it.
        self.unsound |= self.found.len() > found;
        self.found.truncate(found);
        policy
    }
}
