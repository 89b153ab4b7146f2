//! The graph of a schema while it is read: its nodes, their places, and its findings.

use super::report::Findings;
use always_assert::never;
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget;
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind, Origin};

/// Estimated bytes of a node, with its keywords and its entries in tables.
const NODE: usize = size_of::<Node>() + size_of::<Keywords>() + 256;

/// The graph so far.
///
/// Invariant: every [`NodeId`] handed out is an index of `nodes`; the node is `true` until its schema is read.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// The place of each [`Origin`]; the first is the whole text.
    pub(super) origins: Vec<Span>,
    pub(super) whole: Span,
    pub(super) findings: Findings,
    /// Maximum number of nodes.
    limit: usize,
    /// Whether the node limit or the budget is used up; reading stops then.
    pub(super) is_full: bool,
}

impl Graph {
    pub(super) fn new(whole: Span, limit: usize, diagnostics: Vec<Diagnostic>) -> Graph {
        let findings = Findings::new(diagnostics);
        Graph { nodes: Vec::new(), origins: vec![whole], whole, findings, limit, is_full: false }
    }

    /// Adds a node; beyond the limit it adds nothing, and reading stops with an error.
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let (given, limit) = (self.nodes.len(), self.limit);
        if given >= limit && !self.is_full {
            self.is_full = true;
            let message = format!("more than {given} schemas are reached here; the limit is {limit}");
            let finding = Diagnostic::error(Code::TooManySchemas, self.span_of(node.origin), message);
            self.findings.push(finding.help("split the schema"));
        }
        // Whoever opened the budget reports that it is exceeded.
        self.is_full |= budget::work(8).and(budget::keep(NODE)).is_err();
        if self.is_full && given > 0 {
            return NodeId(0);
        }
        self.nodes.push(node);
        NodeId(u32::try_from(given).unwrap_or(u32::MAX))
    }

    pub(super) fn keywords_mut(&mut self, id: NodeId) -> Option<&mut Keywords> {
        match &mut self.nodes.get_mut(id.0 as usize)?.kind {
            NodeKind::Keywords(keywords) => Some(keywords),
            NodeKind::Bool(_) => None,
        }
    }

    pub(super) fn set_kind(&mut self, id: NodeId, kind: NodeKind) {
        match self.nodes.get_mut(id.0 as usize) {
            Some(node) => node.kind = kind,
            None => never!("{:?} is no node of the graph", id),
        }
    }

    /// Adds a place.
    pub(super) fn origin(&mut self, span: Span) -> Origin {
        self.origins.push(span);
        Origin(u32::try_from(self.origins.len() - 1).unwrap_or(0))
    }

    pub(super) fn span_of(&self, origin: Origin) -> Span {
        self.origins.get(origin.0 as usize).copied().unwrap_or_else(|| {
            never!("{:?} has no place", origin);
            self.whole
        })
    }
}
