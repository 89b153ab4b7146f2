//! Holds the instances of a module: definitions with their arguments, each elaborated once, from a queue.

use std::collections::VecDeque;

use ogc_grammar::ogc::ast::Expr;
use ogc_schema::source::NodeId;
use rustc_hash::FxHashMap;

use super::environment::{EnvId, ViewId};
use super::kind::Kind;
use super::policy::Policy;
use super::{import, raw};
use crate::hir::items::ItemId;
use crate::ir::RuleId;

/// A body that waits to be elaborated; its node or rule is there already, so that others can refer to it.
///
/// `Replaced` is an expression that becomes a rule of its own: the text of `@skip(x)`, or the replacement of an
/// imported rule.
pub(super) enum Waiting<'db> {
    Type { node: NodeId, item: ItemId, env: EnvId },
    Rule { rule: RuleId, item: ItemId, env: EnvId, policy: Policy },
    Expression { rule: RuleId, expr: &'db Expr, env: EnvId, policy: Policy },
}

/// All instances, elaborated or waiting, and other results that are made once for each module.
#[derive(Default)]
pub(super) struct Instances<'db> {
    pub(super) types: FxHashMap<(ItemId, EnvId), NodeId>,
    /// Rules depend on the policy too: values in them are written by it. (Nodes have the policy where they are used.)
    pub(super) rules: FxHashMap<(ItemId, EnvId, Policy), RuleId>,
    /// Imported schema graphs.
    pub(super) graphs: FxHashMap<ViewId, import::Graph>,
    /// The rules of imported grammars, by name.
    pub(super) grammars: FxHashMap<(ViewId, Policy), FxHashMap<String, RuleId>>,
    /// Nodes of all values that nest at most 0, 1, 2, ... deep, by depth; their numbers ascend.
    pub(super) depths: Vec<NodeId>,
    /// The kinds of expressions; `None` while one is being determined.
    pub(super) kinds: FxHashMap<(*const Expr, EnvId), Option<Kind>>,
    /// Uses of `raw<T>` whose automata are made at the end.
    pub(super) raws: Vec<raw::Raw>,
    pub(super) waiting: VecDeque<Waiting<'db>>,
}

impl Instances<'_> {
    /// Returns the number of instances.
    pub(super) fn len(&self) -> usize {
        self.types.len() + self.rules.len()
    }
}
