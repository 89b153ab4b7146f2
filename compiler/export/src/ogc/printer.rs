//! Walks a graph, decides which nodes become types of their own, and writes the others as expressions in place.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use ogc_compiler::frontend::docs::Docs;
use ogc_grammar::ogc::ast::{Definition, Expr, Item, ItemKind};
use ogc_grammar::{Diagnostic, Span};
use ogc_regular::budget::poll;
use ogc_schema::source::{Keywords, NodeId, NodeKind, Origin};
use ogc_schema::{Algebra, Limits, Table};
use rustc_hash::FxHashSet;

use super::build::{intersection, name, never, word};
use super::docs;
use super::mask::Mask;
use super::names::Names;
use super::pattern::Patterns;
use crate::edges::in_place;
use crate::graph::ExportGraph;

/// Levels of nesting in one item after which a node gets a name.
const DEPTH: usize = 12;

/// Cap on the findings; further ones are left out.
const FINDINGS: usize = 100;

/// The keys that a conjunction has declared.
pub(super) type Keys<'g> = Rc<BTreeSet<&'g str>>;

/// The context in which a node is exported.
#[derive(Clone, Debug)]
pub(super) struct NodeContext<'g> {
    /// Only values of these types are exported.
    pub(super) mask: Mask,
    /// The keys that other schemas of the same value declare before this one; `None` if there are no other schemas. A
    /// key that is only required comes after all declared keys, so this set matters.
    pub(super) around: Option<Keys<'g>>,
}

impl<'g> NodeContext<'g> {
    /// Makes the context of a node that is the only schema of its value.
    pub(super) fn alone() -> NodeContext<'g> {
        NodeContext { mask: Mask::ALL, around: None }
    }
}

/// The export: the graph, the names, and the items still to be written.
pub(super) struct Printer<'p, 'g> {
    pub(super) graph: &'p ExportGraph<'g>,
    pub(super) algebra: Algebra<'p>,
    table: &'p Table<'g>,
    names: Names<'g>,
    /// The nodes that are conjoined with others somewhere.
    conjoined: FxHashSet<NodeId>,
    queue: VecDeque<NodeId>,
    queued: FxHashSet<NodeId>,
    pub(super) patterns: Patterns<'g>,
    findings: Vec<Diagnostic>,
    depth: usize,
}

impl<'p, 'g> Printer<'p, 'g> {
    pub(super) fn new(graph: &'p ExportGraph<'g>, table: &'p Table<'g>) -> Printer<'p, 'g> {
        let names = Names::of(graph);
        let conjoined = conjoined(graph, &names.uses.order);
        Printer {
            graph,
            algebra: Algebra::new(table, Limits::default()),
            table,
            names,
            conjoined,
            queue: VecDeque::new(),
            queued: FxHashSet::default(),
            patterns: Patterns::default(),
            findings: Vec::new(),
            depth: 0,
        }
    }

    /// Builds the items of the root, of everything that it needs, and of everything with a name; returns them with the
    /// name of the root.
    pub(super) fn types(&mut self) -> (Vec<Item>, Option<String>) {
        let mut items = Vec::new();
        let root = self.graph.schemas.root.map(|root| self.mention(self.meant(root)));
        let named: Vec<NodeId> = self.graph.names.iter().map(|(_, node)| *node).collect();
        for node in [None].into_iter().chain(named.into_iter().map(Some)) {
            node.into_iter().for_each(|node| drop(self.mention(node)));
            while let Some(node) = self.queue.pop_front() {
                items.push(self.item(node));
            }
        }
        (items, root)
    }

    /// Returns an unused name.
    pub(super) fn free_name(&mut self, wanted: &str) -> String {
        self.names.free(wanted)
    }

    /// Returns the target of a root that is just a reference without annotations.
    fn meant(&self, root: NodeId) -> NodeId {
        let NodeKind::Keywords(keywords) = self.graph.kind(root) else { return root };
        let mut rest = keywords.clone();
        match rest.reference.take() {
            Some(target) if *rest == Keywords::default() && !self.graph.docs(root).is_some_and(Docs::speaks) => {
                target.value
            }
            _ => root,
        }
    }

    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.findings
    }

    fn item(&mut self, node: NodeId) -> Item {
        let around = self.conjoined.contains(&node).then(Keys::default);
        let body = self.body(node, &NodeContext { mask: Mask::ALL, around });
        let docs = self.graph.docs(node);
        let mut attributes = docs.map(docs::attributes).unwrap_or_default();
        attributes.extend(self.discriminator(node, &body));
        let definition = Definition { name: name(&self.mention(node)), parameters: Vec::new(), body };
        Item {
            docs: docs.map(docs::comments).unwrap_or_default(),
            attributes,
            kind: ItemKind::Type(definition),
            span: Span::default(),
        }
    }

    /// Returns the name of a node, and queues its item.
    fn mention(&mut self, node: NodeId) -> String {
        if self.queued.insert(node) {
            self.queue.push_back(node);
        }
        self.names.name(self.graph, node, "Type")
    }

    /// Gives a name to a node that is needed more than once, unless it is short enough to be repeated.
    pub(super) fn name(&mut self, node: NodeId) {
        if let NodeKind::Keywords(keywords) = self.graph.kind(node) {
            let is_leaf = keywords.object == Default::default() && keywords.array == Default::default();
            let mut parts = 0;
            in_place(keywords, &mut |_| parts += 1);
            if !(is_leaf && parts == 0) {
                self.names.name(self.graph, node, "Type");
            }
        }
    }

    pub(super) fn is_named(&self, node: NodeId) -> bool {
        self.names.get(node).is_some()
    }

    /// Exports a node that is the only schema of its value.
    pub(super) fn value(&mut self, node: NodeId) -> Expr {
        self.node(node, &NodeContext::alone())
    }

    /// Exports a node in a context.
    pub(super) fn node(&mut self, node: NodeId, place: &NodeContext<'g>) -> Expr {
        poll();
        let may = self.may(node);
        if !may.meets(place.mask) {
            return never();
        }
        let is_deep = self.depth >= DEPTH && matches!(self.graph.kind(node), NodeKind::Keywords(_));
        if !self.is_named(node) && !is_deep {
            self.depth += 1;
            let expr = self.body(node, place);
            self.depth -= 1;
            return expr;
        }
        let mention = word(&self.mention(node));
        if place.mask.has(may) { mention } else { intersection(vec![place.mask.expr(), mention]) }
    }

    fn body(&mut self, node: NodeId, place: &NodeContext<'g>) -> Expr {
        match self.graph.kind(node) {
            NodeKind::Bool(true) => place.mask.expr(),
            NodeKind::Bool(false) => never(),
            NodeKind::Keywords(keywords) => {
                let mask = place.mask.and(self.may(node));
                self.keywords(keywords, &NodeContext { mask, around: place.around.clone() })
            }
        }
    }

    /// Returns the types that a node's values may have, a superset.
    pub(super) fn may(&self, node: NodeId) -> Mask {
        Mask::of(&self.table.types(node))
    }

    pub(super) fn span(&self, origin: Origin) -> Span {
        self.graph.span(origin)
    }

    pub(super) fn say(&mut self, finding: Diagnostic) {
        if self.findings.len() < FINDINGS {
            self.findings.push(finding);
        }
    }
}

/// Returns the nodes that are conjoined with another schema that may declare keys.
fn conjoined(graph: &ExportGraph<'_>, nodes: &[NodeId]) -> FxHashSet<NodeId> {
    let mut found = FxHashSet::default();
    let mut open = Vec::new();
    for &node in nodes {
        if let NodeKind::Keywords(keywords) = graph.kind(node)
            && has_neighbours(keywords)
        {
            in_place(keywords, &mut |part| open.push(part));
        }
    }
    while let Some(node) = open.pop() {
        if found.insert(node)
            && let NodeKind::Keywords(keywords) = graph.kind(node)
        {
            in_place(keywords, &mut |part| open.push(part));
        }
    }
    found
}

/// Returns whether a node combines several schemas that may declare keys; its own keywords count as one.
pub(super) fn has_neighbours(keywords: &Keywords) -> bool {
    let own = usize::from(keywords.object != Default::default());
    let single = usize::from(keywords.reference.is_some()) + usize::from(keywords.conditional.is_some());
    let parts = keywords.all_of.len() + keywords.any_of.len() + keywords.one_of.len();
    own + single + parts > 1 || keywords.conditional.is_some() || !keywords.object.dependent_schemas.is_empty()
}
