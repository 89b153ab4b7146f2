//! Walks a schema's tree: makes one node for each schema reached, by a work list instead of recursion.

use super::annotations::annotations;
use super::by_name::holds_schemas;
use super::definitions::Definition;
use super::head::Head;
use super::keywords::Site;
use super::no_schema;
use super::options::ReadOptions;
use super::report::{Fate, FateKind, Findings};
use super::resources::{Bundle, Resources};
use super::scope::{Dialect, DynamicId, Place, ResourceId, Scope, address};
use super::unevaluated::{self, Pending};
use super::uri;
use super::{Draft, Imported};
use crate::frontend::docs::DocsByNode;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget;
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Value};
use rustc_hash::FxHashMap;

/// The result of reading a keyword: `Ok` means that it is enforced.
pub(super) type Read = Result<(), FateKind>;

/// A schema whose node is made and still to be filled.
struct Work<'a> {
    node: NodeId,
    place: Place<'a>,
    /// Empty unless a report is wanted.
    pointer: String,
}

/// The bytes of a node, with its keywords and its places in tables.
const NODE: usize = size_of::<Node>() + size_of::<Keywords>() + 256;

/// The kinds of reference keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReferenceKind {
    Static,
    Dynamic,
    Recursive,
}

/// The reader: the graph so far, and the work list.
///
/// Invariant: every [`NodeId`] handed out is an index of `nodes`; the node is `true` until its work is done.
pub(super) struct Reader<'a> {
    pub(super) options: &'a ReadOptions,
    pub(super) resources: Resources<'a>,
    pub(super) pending: Pending,
    root: &'a JsonValue,
    whole: Span,
    nodes: Vec<Node>,
    origins: Vec<Span>,
    report: Vec<Fate>,
    findings: Findings,
    docs: DocsByNode,
    work: Vec<Work<'a>>,
    places: FxHashMap<(usize, DynamicId), NodeId>,
    references: FxHashMap<(ReferenceKind, ResourceId, DynamicId, &'a str), NodeId>,
    targets: Vec<(NodeId, String)>,
    is_full: bool,
    /// The number of unknown keys that were compared with the keywords.
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
            pending: Pending::default(),
            root,
            whole,
            nodes: Vec::new(),
            origins: vec![whole],
            report: Vec::new(),
            findings: Findings::new(diagnostics),
            docs: DocsByNode::default(),
            work: Vec::new(),
            places: FxHashMap::default(),
            references: FxHashMap::default(),
            targets: Vec::new(),
            is_full: false,
            compared_keys: 0,
        }
    }

    /// Reads all schemas that the root reaches; `pointer` is the place of the root in its text.
    pub(super) fn read(mut self, pointer: &str) -> Imported {
        let resource = self.resources.open(&self.options.base_uri, self.root);
        let dialect = Dialect::of(self.options.default_draft);
        let dynamic = self.resources.bind(resource, DynamicId::default());
        let scope = Scope { dialect, resource, dynamic, via: None };
        if let Some(finding) = no_schema::finding(self.root, self.options.default_draft) {
            self.say(finding);
        }
        let root = self.node_at(Place { value: self.root, scope }, || pointer.to_owned());
        self.fill_all();
        let mut definitions = Vec::new();
        if self.options.definitions {
            self.keep_name(root);
            definitions = self.definitions(self.root, scope);
            self.fill_all();
        }
        unevaluated::rewrite(&mut self);
        self.finish(root, definitions)
    }

    /// Keeps the URI of the whole schema, which an export repeats.
    fn keep_name(&mut self, root: NodeId) {
        let id = Head::of(self.root.as_object().unwrap_or_default()).id(self.draft());
        if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains('#')) {
            let name = ("$id".to_owned(), Value::String(id.to_owned()));
            self.docs.entry(root).or_default().others.insert(0, name);
        }
    }

    /// Returns the draft of the root.
    fn draft(&self) -> Draft {
        let named = self.root.get("$schema").and_then(JsonValue::as_str);
        named.and_then(|uri| self.resources.dialect(uri)).map_or(self.options.default_draft, |dialect| dialect.draft)
    }

    fn fill_all(&mut self) {
        while let Some(work) = self.work.pop() {
            if self.is_full {
                break;
            }
            self.fill(work);
        }
    }

    fn finish(self, root: NodeId, definitions: Vec<Definition>) -> Imported {
        let draft = self.draft();
        let mut report = self.report;
        report.sort_by_key(|fate| fate.span.start);
        Imported {
            schemas: Schemas { nodes: self.nodes, root: Some(root) },
            origins: self.origins,
            definitions,
            targets: self.targets,
            docs: self.docs,
            report,
            diagnostics: self.findings.finish(self.whole),
            is_tools: false,
            draft,
            plain_integers: draft == Draft::Draft4,
        }
    }

    /// Returns the node of the schema at `place`, made when it is first asked for.
    pub(super) fn node_at(&mut self, place: Place<'a>, pointer: impl FnOnce() -> String) -> NodeId {
        let key = (address(place.value), place.scope.dynamic);
        if let Some(node) = self.places.get(&key) {
            return *node;
        }
        let origin = self.origin(place.scope, place.value.span);
        let node = self.add(Node { origin, kind: NodeKind::Bool(true) });
        let pointer = if self.options.report { pointer() } else { String::new() };
        self.places.insert(key, node);
        self.work.push(Work { node, place, pointer });
        node
    }

    /// Adds a node; beyond the limit, none is added and reading ends with an error.
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let (given, limit) = (self.nodes.len(), self.options.limits.schemas);
        if given >= limit && !self.is_full {
            self.is_full = true;
            let message = format!("more than {given} schemas are reached here; the limit is {limit}");
            let finding = Diagnostic::error(Code::TooManySchemas, self.span_of(node.origin), message);
            self.findings.push(finding.help("split the schema"));
        }
        // What is over the budget is said by whoever opened it.
        self.is_full |= budget::work(8).and(budget::keep(NODE)).is_err();
        if self.is_full && given > 0 {
            return NodeId(0);
        }
        self.nodes.push(node);
        NodeId(u32::try_from(given).unwrap_or(u32::MAX))
    }

    fn fill(&mut self, work: Work<'a>) {
        let Place { value, scope } = work.place;
        let kind = match &value.kind {
            JsonKind::Bool(truth) => NodeKind::Bool(*truth),
            JsonKind::Object(members) => {
                let head = Head::of(members);
                let scope = self.resources.enter(value, &head, scope);
                self.annotate(work.node, members);
                let site = Site { members, scope, node: work.node, pointer: work.pointer };
                NodeKind::Keywords(Box::new(self.read_keywords(&site, &head)))
            }
            JsonKind::Null | JsonKind::Number(_) | JsonKind::String(_) | JsonKind::Array(_) => {
                let message = format!("a schema is an object or a boolean, and this is of type {}", value.type_name());
                let finding = Diagnostic::error(Code::NotASchema, self.span(scope, value.span), message);
                let help = match no_schema::holds_tools(value) {
                    true => no_schema::TOOLS,
                    false => "write `true` for a schema that any value obeys",
                };
                self.say(finding.help(help));
                NodeKind::Bool(true)
            }
        };
        self.set_kind(work.node, kind);
    }

    fn read_keywords(&mut self, site: &Site<'a>, head: &Head<'a>) -> Keywords {
        let mut keywords = Keywords::default();
        let is_hidden = head.has_reference && site.scope.dialect.draft.hides_siblings();
        for member in site.members {
            let read = if is_hidden && member.key.value != "$ref" {
                self.hidden(site, member)
            } else {
                self.keyword(site, member, &mut keywords)
            };
            if self.options.report {
                self.note(site, member, read.err().unwrap_or(FateKind::Enforced));
            }
        }
        keywords
    }

    fn annotate(&mut self, node: NodeId, members: &[Member]) {
        if self.options.definitions {
            let docs = annotations(members, self.options.formats);
            if !docs.is_empty() {
                self.docs.insert(node, docs);
            }
        }
    }

    fn note(&mut self, site: &Site<'a>, member: &Member, fate: FateKind) {
        let keyword = member.key.value.clone();
        let pointer = site.pointer_to(&keyword, None);
        let span = self.span(site.scope, member.key.span);
        self.report.push(Fate { pointer, keyword, fate, span });
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn keywords_mut(&mut self, id: NodeId) -> Option<&mut Keywords> {
        match &mut self.nodes.get_mut(id.0 as usize)?.kind {
            NodeKind::Keywords(keywords) => Some(keywords),
            NodeKind::Bool(_) => None,
        }
    }

    fn set_kind(&mut self, id: NodeId, kind: NodeKind) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.kind = kind;
        }
    }

    /// Returns the place of `span` in the text that is read.
    pub(super) fn span(&self, scope: Scope, span: Span) -> Span {
        scope.via.unwrap_or(span)
    }

    pub(super) fn span_of(&self, origin: Origin) -> Span {
        self.origins.get(origin.0 as usize).copied().unwrap_or(self.whole)
    }

    pub(super) fn origin(&mut self, scope: Scope, span: Span) -> Origin {
        let span = self.span(scope, span);
        self.origins.push(span);
        Origin(u32::try_from(self.origins.len() - 1).unwrap_or(0))
    }

    /// Returns `value` with the place of the keyword that gives it.
    pub(super) fn at<T>(&mut self, site: &Site<'a>, member: &Member, value: T) -> At<T> {
        let origin = self.origin(site.scope, member.key.span.merge(member.value.span));
        At { origin, value }
    }

    pub(super) fn say(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    /// Reports an error or warning about a keyword; returns its fate.
    pub(super) fn refuse(&mut self, finding: Diagnostic) -> FateKind {
        let reason = if self.options.report { finding.message.clone() } else { String::new() };
        let fate = if finding.is_error() { FateKind::Error(reason) } else { FateKind::Warning(reason) };
        self.findings.push(finding);
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
