//! Instances: definitions with their arguments, each of which is elaborated once, from a queue.

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

/// A part that waits to be elaborated; the node or rule that it becomes is there already.
pub(super) enum Waiting<'db> {
    Type { node: NodeId, item: ItemId, env: EnvId },
    Rule { rule: RuleId, item: ItemId, env: EnvId, policy: Policy },
    Replaced { rule: RuleId, expr: &'db Expr, env: EnvId, policy: Policy },
}

/// What has been elaborated or is waiting: nodes and rules by definition and arguments.
#[derive(Default)]
pub(super) struct Instances<'db> {
    pub(super) types: FxHashMap<(ItemId, EnvId), NodeId>,
    pub(super) rules: FxHashMap<(ItemId, EnvId, Policy), RuleId>,
    /// Imported schemas.
    pub(super) graphs: FxHashMap<ViewId, import::Graph>,
    /// The rules of imported grammars, by name.
    pub(super) grammars: FxHashMap<(ViewId, Policy), FxHashMap<String, RuleId>>,
    /// Bounds of the depths from 0 on, ascending.
    pub(super) depths: Vec<NodeId>,
    /// Whether expressions are values or texts; `None` while that is being asked.
    pub(super) kinds: FxHashMap<(*const Expr, EnvId), Option<Kind>>,
    /// Automata of `raw<T>` that are still to be made.
    pub(super) raws: Vec<raw::Raw>,
    pub(super) waiting: VecDeque<Waiting<'db>>,
}

impl Instances<'_> {
    /// The number of definitions with their arguments.
    pub(super) fn len(&self) -> usize {
        self.types.len() + self.rules.len()
    }
}
