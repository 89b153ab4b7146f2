//! The reader: the schemas read so far, and those that are still to be read. Functions that read keywords are methods
//! of it.

use super::by_name::holds_schemas;
use super::graph::Graph;
use super::openapi::{self, family::Families};
use super::options::ReadOptions;
use super::report::{Fate, FateKind};
use super::resources::Resources;
use super::resources::bundle::Bundle;
use super::scope::{DynamicId, ResourceId, Scope, ScopedSchema, address};
use super::site::Site;
use super::undeclared::UndeclaredKey;
use super::unevaluated::Pending;
use super::uri;
use crate::frontend::docs::DocsByNode;
use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Diagnostic, Span};
use ogc_schema::source::{At, Node, NodeId, NodeKind, Origin};
use rustc_hash::FxHashMap;

/// The result of reading a keyword: `Ok` means that it is enforced.
pub(super) type Read = Result<(), FateKind>;

/// A schema whose node exists and is still to be filled.
pub(super) struct Work<'a> {
    pub(super) node: NodeId,
    pub(super) place: ScopedSchema<'a>,
    /// JSON pointer of the schema; empty unless a report is wanted.
    pub(super) pointer: String,
}

/// The kinds of reference keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReferenceKind {
    Static,
    Dynamic,
    Recursive,
}

/// The reader: the graph so far, and the work list.
///
/// Invariant: a node of the graph is `true` until its work is done.
pub(super) struct Reader<'a> {
    pub(super) options: &'a ReadOptions,
    pub(super) resources: Resources<'a>,
    pub(super) graph: Graph,
    pub(super) pending: Pending,
    /// Required keys that the schema requiring them does not declare.
    pub(super) undeclared: Vec<UndeclaredKey>,
    pub(super) root: &'a JsonValue,
    pub(super) report: Vec<Fate>,
    pub(super) docs: DocsByNode,
    pub(super) work: Vec<Work<'a>>,
    places: FxHashMap<(usize, DynamicId), NodeId>,
    references: FxHashMap<(ReferenceKind, ResourceId, DynamicId, &'a str), NodeId>,
    pub(super) targets: Vec<(NodeId, String)>,
    /// The schema families of the root, if it is an OpenAPI document.
    pub(super) families: Families<'a>,
    /// Number of unknown keys compared with the keywords so far.
    pub(super) compared_keys: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        root: &'a JsonValue,
        bundle: &'a Bundle<'a>,
        options: &'a ReadOptions,
        whole: Span,
        diagnostics: Vec<Diagnostic>,
    ) -> Reader<'a> {
        Reader {
            options,
            resources: Resources::new(bundle),
            graph: Graph::new(whole, options.limits.schemas, diagnostics),
            pending: Pending::default(),
            undeclared: Vec::new(),
            root,
            report: Vec::new(),
            docs: DocsByNode::default(),
            work: Vec::new(),
            places: FxHashMap::default(),
            references: FxHashMap::default(),
            targets: Vec::new(),
            families: if openapi::version(root).is_some() { Families::of(root) } else { Families::default() },
            compared_keys: 0,
        }
    }

    /// Returns the node of the schema at `place`; at the first request, makes it.
    pub(super) fn node_at(&mut self, place: ScopedSchema<'a>, pointer: impl FnOnce() -> String) -> NodeId {
        let key = (address(place.value), place.scope.dynamic);
        if let Some(node) = self.places.get(&key) {
            return *node;
        }
        let origin = self.origin(place.scope, place.value.span);
        let node = self.graph.add(Node { origin, kind: NodeKind::Bool(true) });
        let pointer = if self.options.report { pointer() } else { String::new() };
        self.places.insert(key, node);
        self.work.push(Work { node, place, pointer });
        node
    }

    /// Returns the place of `span` in the text that is read; for a remote document, the place of the reference that led
    /// there.
    pub(super) fn span(&self, scope: Scope, span: Span) -> Span {
        scope.via.unwrap_or(span)
    }

    pub(super) fn origin(&mut self, scope: Scope, span: Span) -> Origin {
        let span = self.span(scope, span);
        self.graph.origin(span)
    }

    /// Returns `value` with the place of the keyword that gives it.
    pub(super) fn at<T>(&mut self, site: &Site<'a>, member: &Member, value: T) -> At<T> {
        let origin = self.origin(site.scope, member.key.span.merge(member.value.span));
        At { origin, value }
    }

    pub(super) fn say(&mut self, finding: Diagnostic) {
        self.graph.findings.push(finding);
    }

    /// Reports an error or warning about a keyword; returns its fate.
    pub(super) fn refuse(&mut self, finding: Diagnostic) -> FateKind {
        let reason = if self.options.report { finding.message.clone() } else { String::new() };
        let fate = if finding.is_error() { FateKind::Error(reason) } else { FateKind::Warning(reason) };
        self.graph.findings.push(finding);
        fate
    }

    pub(super) fn known_reference(&self, kind: ReferenceKind, scope: Scope, text: &'a str) -> Option<NodeId> {
        self.references.get(&(kind, scope.resource, scope.dynamic, text)).copied()
    }

    pub(super) fn remember_reference(&mut self, kind: ReferenceKind, scope: Scope, text: &'a str, node: NodeId) {
        self.references.insert((kind, scope.resource, scope.dynamic, text), node);
        if self.options.definitions {
            self.targets.extend(name_of_target(text).map(|name| (node, name)));
        }
    }
}

/// Returns the name that a reference gives to its target: the last part of its pointer, its anchor, or the file that it
/// names.
fn name_of_target(reference: &str) -> Option<String> {
    let (location, fragment) = uri::split_fragment(reference);
    let fragment = uri::percent_decode(fragment)?;
    let last = match fragment.rsplit('/').next().unwrap_or_default() {
        "" => location.rsplit('/').next()?.split('.').next()?,
        last => last,
    };
    let name = last.replace("~1", "/").replace("~0", "~");
    let is_index = name.bytes().all(|byte| byte.is_ascii_digit());
    (!is_index && !holds_schemas(&name)).then_some(name)
}
