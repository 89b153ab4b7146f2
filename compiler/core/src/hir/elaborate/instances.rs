//! Holds the instances of a module: definitions with their arguments, each elaborated once, from a queue.

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

/// A body that waits to be elaborated; its node or rule is there already, so that others can refer to it.
///
/// `Expression` is an expression that becomes a rule of its own: the text of `@skip(x)`, or the replacement of an
/// imported rule.
pub(super) enum Waiting<'db> {
    Type { node: NodeId, item: ItemId, env: EnvId },
    Rule { rule: RuleId, item: ItemId, env: EnvId, policy: Policy },
    Expression { rule: RuleId, expr: &'db Expr, env: EnvId, policy: Policy },
}

/// A use of `raw<T>` whose text is made at the end: the expression that holds its place, and the type's node.
pub(super) struct WaitingRaw {
    pub(super) expr: ExprId,
    pub(super) node: NodeId,
    pub(super) policy: Policy,
    /// The rule of the texts in which the argument `without` does not occur.
    pub(super) without: Option<RuleId>,
    /// Whether the type may have no values: in a template of `each`.
    pub(super) may_be_empty: bool,
    pub(super) origin: Origin,
}

/// A value in a template of `each`, which becomes a call of a value at the end if there is such a value.
pub(super) struct WaitingValue {
    pub(super) expr: ExprId,
    pub(super) value: ValueUse,
}

/// A use of `quoted<x>` whose rule is written at the end: that rule, and the rule of `x`.
pub(super) struct WaitingQuote {
    pub(super) rule: RuleId,
    pub(super) text: RuleId,
    pub(super) origin: Origin,
}

/// An imported schema graph. The module has a node for each of its nodes; those that no definition in use reaches are left
/// empty, because a library may be large.
#[derive(Debug, Default)]
pub(super) struct ImportedGraph {
    /// The ids in the imported file, by name.
    pub(super) definitions: FxHashMap<String, NodeId>,
    /// The number by which ids are greater in the module.
    pub(super) base: u32,
    /// The places in the module, by those of the imported file.
    pub(super) places: Vec<Origin>,
    /// The place of what has none of its own.
    pub(super) outside: Origin,
    /// Whether a node is empty, by its id in the imported file.
    pub(super) is_empty: Vec<bool>,
}

impl ImportedGraph {
    /// Returns the node of the module for one of the imported file.
    pub(super) fn moved(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.base)
    }
}

/// All instances, elaborated or waiting, and other results that are made once for each module.
#[derive(Default)]
pub(super) struct Instances<'db> {
    pub(super) types: FxHashMap<(ItemId, EnvId), NodeId>,
    /// Rules depend on the policy too: values in them are written by it. (Nodes have the policy where they are used.)
    pub(super) rules: FxHashMap<(ItemId, EnvId, Policy), RuleId>,
    /// Imported schema graphs.
    pub(super) graphs: FxHashMap<ViewId, ImportedGraph>,
    /// The rules of imported grammars, by name.
    pub(super) grammars: FxHashMap<(ViewId, Policy), FxHashMap<String, RuleId>>,
    /// Nodes of all values that nest at most 0, 1, 2, ... deep, by depth; their numbers ascend.
    pub(super) depths: Vec<NodeId>,
    /// The kinds of expressions; `None` while one is being determined.
    pub(super) kinds: FxHashMap<(*const Expr, EnvId), Option<PhraseKind>>,
    /// Uses of `each<T, field>` whose fields are written when all nodes are there.
    pub(super) eaches: Vec<WaitingEach<'db>>,
    /// Values in templates of `each`.
    pub(super) field_values: Vec<WaitingValue>,
    /// Nodes that were made for conjunctions of others and of complements of others.
    pub(super) conjunctions: FxHashMap<Vec<(NodeId, bool)>, NodeId>,
    /// Automata of the names of undeclared fields.
    pub(super) names: Vec<MachineId>,
    /// The rules of texts in which another does not occur, by that one as it is written.
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
