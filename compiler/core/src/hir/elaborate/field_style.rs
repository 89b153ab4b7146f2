//! Holds how the fields of a use of `each` are written, until all nodes are there.

use ogc_grammar::ogc::ast::Reference;
use ogc_schema::source::{NodeId, Origin};

use super::environment::{Argument, EnvId, ViewId};
use super::policy::Policy;
use crate::hir::items::ItemId;
use crate::ir::{ExprId, RuleId};

/// A use of `each` whose fields are written when all nodes are there.
pub(super) struct WaitingEach<'db> {
    /// The expression that holds its place.
    pub(super) expr: ExprId,
    pub(super) node: NodeId,
    pub(super) style: FieldStyle<'db>,
    pub(super) reference: &'db Reference,
    pub(super) env: EnvId,
    pub(super) policy: Policy,
    pub(super) origin: Origin,
}

/// How fields are written.
pub(super) struct FieldStyle<'db> {
    pub(super) field: Template<'db>,
    /// The template of fields that may be left out.
    pub(super) optional: Template<'db>,
    /// The text between two fields.
    pub(super) separator: Option<RuleId>,
    pub(super) absent: Option<Absent<'db>>,
    /// The template of undeclared fields.
    pub(super) others: Option<Template<'db>>,
}

/// A rule that writes fields, and the arguments behind the first two.
#[derive(Clone)]
pub(super) struct Template<'db> {
    pub(super) view: ViewId,
    pub(super) item: ItemId,
    pub(super) more: Vec<Argument<'db>>,
}

/// What stands in place of a field that is left out.
#[derive(Clone)]
pub(super) enum Absent<'db> {
    Text(RuleId),
    /// A template whose parameter is the name.
    Named(Template<'db>),
}
