//! Holds the style of each use of `each` until all nodes exist.

use ogc_grammar::ogc::ast::Reference;
use ogc_schema::source::{NodeId, Origin};

use super::environment::{Argument, EnvId, ViewId};
use super::policy::Policy;
use crate::hir::items::ItemId;
use crate::ir::{ExprId, RuleId};

/// A use of `each` whose fields are written once all nodes exist.
pub(super) struct WaitingEach<'db> {
    /// The expression that is its placeholder.
    pub(super) expr: ExprId,
    pub(super) node: NodeId,
    pub(super) style: FieldStyle<'db>,
    pub(super) reference: &'db Reference,
    pub(super) env: EnvId,
    pub(super) policy: Policy,
    pub(super) origin: Origin,
}

/// The style in which fields are written.
pub(super) struct FieldStyle<'db> {
    pub(super) field: Template<'db>,
    /// The template of optional fields.
    pub(super) optional: Template<'db>,
    /// The text between two fields.
    pub(super) separator: Option<RuleId>,
    pub(super) absent: Option<Absent<'db>>,
    /// The template of undeclared fields.
    pub(super) others: Option<Template<'db>>,
}

/// A rule that writes fields, and its arguments after the first two.
#[derive(Clone)]
pub(super) struct Template<'db> {
    pub(super) view: ViewId,
    pub(super) item: ItemId,
    pub(super) more: Vec<Argument<'db>>,
}

/// The replacement for an omitted field.
#[derive(Clone)]
pub(super) enum Absent<'db> {
    Text(RuleId),
    /// A template whose parameter is the field's name.
    Named(Template<'db>),
}
