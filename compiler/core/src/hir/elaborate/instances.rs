//! Holds the instances of a module: definitions with their arguments. A queue makes sure that each is elaborated once.

use std::collections::VecDeque;

use ogc_grammar::ogc::ast::Expr;
use ogc_schema::source::{NodeId, Origin};
use rustc_hash::FxHashMap;

use super::environment::{EnvId, ViewId};
use super::field_style::WaitingEach;
use super::kind::PhraseKind;
use super::policy::Policy;
use crate::hir::items::ItemId;
use crate::ir::{ExprId, MachineId, RuleId};
use crate::lower::json::ValueUse;

/// A body that waits to be elaborated. Its node or rule exists already, so that other bodies can refer to it.
///
/// `Expression` becomes a rule of its own: the text of `@skip(x)`, or the replacement of an imported rule.
pub(super) enum Waiting<'db> {
    Type { node: NodeId, item: ItemId, env: EnvId },
    Rule { rule: RuleId, item: ItemId, env: EnvId, policy: Policy },
    Expression { rule: RuleId, expr: &'db Expr, env: EnvId, policy: Policy },
}

/// A use of `raw<T>` whose text is made at the end: its placeholder expression, and the type's node.
pub(super) struct WaitingRaw {
    pub(super) expr: ExprId,
    pub(super) node: NodeId,
    pub(super) policy: Policy,
    /// The rule of all texts that do not contain the argument of `without`.
    pub(super) without: Option<RuleId>,
    /// Whether the type may be empty, as in a template of `each`.
    pub(super) may_be_empty: bool,
    pub(super) origin: Origin,
}

/// A value in a template of `each`. At the end it becomes a call of the value, if the value's set is not empty.
pub(super) struct WaitingValue {
    pub(super) expr: ExprId,
    pub(super) value: ValueUse,
}

/// A use of `quoted<x>` whose rule is written at the end: its own rule, and the rule of `x`.
pub(super) struct WaitingQuote {
    pub(super) rule: RuleId,
    pub(super) text: RuleId,
    pub(super) origin: Origin,
}

/// An imported schema graph. The module reserves a node for each of its nodes. Nodes that no used definition reaches
/// stay empty, because a library may be large.
#[derive(Debug, Default)]
pub(super) struct ImportedGraph {
    /// Ids of the definitions in the imported file, by name.
    pub(super) definitions: FxHashMap<String, NodeId>,
    /// Offset from an id in the imported file to the id in the module.
    pub(super) base: u32,
    /// Origins in the module, by origin in the imported file.
    pub(super) places: Vec<Origin>,
    /// Origin of nodes that have no place of their own.
    pub(super) outside: Origin,
    /// Whether a node is still empty, by its id in the imported file.
    pub(super) is_empty: Vec<bool>,
}

impl ImportedGraph {
    /// Converts a node id of the imported file to the module's.
    pub(super) fn moved(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.base)
    }
}

/// All instances, elaborated or waiting, and other results that exist once in each module.
#[derive(Default)]
pub(super) struct Instances<'db> {
    pub(super) types: FxHashMap<(ItemId, EnvId), NodeId>,
    /// Rules are keyed by the policy too, because the values in them are written under it. (Nodes have their policy at
    /// each use.)
    pub(super) rules: FxHashMap<(ItemId, EnvId, Policy), RuleId>,
    /// Imported schema graphs.
    pub(super) graphs: FxHashMap<ViewId, ImportedGraph>,
    /// The rules of imported grammars, by name.
    pub(super) grammars: FxHashMap<(ViewId, Policy), FxHashMap<String, RuleId>>,
    /// Nodes of all values that nest at most 0, 1, 2, ... levels, indexed by depth; their ids ascend.
    pub(super) depths: Vec<NodeId>,
    /// The kinds of expressions; `None` while the kind is being determined.
    pub(super) kinds: FxHashMap<(*const Expr, EnvId), Option<PhraseKind>>,
    /// Uses of `each<T, field>` whose fields are written once all nodes exist.
    pub(super) eaches: Vec<WaitingEach<'db>>,
    /// Values in templates of `each`.
    pub(super) field_values: Vec<WaitingValue>,
    /// Nodes made for conjunctions of nodes and complements of nodes (the flag).
    pub(super) conjunctions: FxHashMap<Vec<(NodeId, bool)>, NodeId>,
    /// Automata of the names of undeclared fields.
    pub(super) names: Vec<MachineId>,
    /// Rules of the texts that do not contain a given text, keyed by that text as it is written.
    pub(super) withouts: FxHashMap<(String, EnvId), RuleId>,
    /// Uses of `raw<T>` whose texts are made at the end.
    pub(super) raws: Vec<WaitingRaw>,
    /// Uses of `quoted<x>` whose rules are written at the end.
    pub(super) quotes: Vec<WaitingQuote>,
    pub(super) waiting: VecDeque<Waiting<'db>>,
}

impl Instances<'_> {
    /// Returns the number of instances.
    pub(super) fn len(&self) -> usize {
        self.types.len() + self.rules.len()
    }
}
