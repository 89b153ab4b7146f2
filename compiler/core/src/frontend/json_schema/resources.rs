//! Schema resources: the documents that were read, the schemas in them that have a URI of their own, and the [`bundle`]
//! of other documents.
//!
//! The tree of a schema is walked for ids and anchors only when a reference needs them.

pub(super) mod bundle;

use super::by_name::{Draft, subschemas};
use super::head::Head;
use super::openapi;
use super::outside::Asked;
use super::scope::{Binding, Dialect, DocumentId, DynamicId, DynamicScopes, ResourceId, Scope, address};
use super::uri;
use always_assert::never;
use bundle::Bundle;
use ogc_grammar::json::{JsonKind, JsonValue};
use rustc_hash::FxHashMap;

/// A schema with a URI.
#[derive(Debug)]
pub(super) struct Resource<'a> {
    pub(super) uri: String,
    pub(super) root: &'a JsonValue,
    pub(super) dialect: Dialect,
    pub(super) document: DocumentId,
}

/// A schema that a fragment of a URI names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor<'a> {
    pub(super) value: &'a JsonValue,
    pub(super) dialect: Dialect,
    pub(super) is_dynamic: bool,
}

#[derive(Debug)]
struct Document {
    resource: ResourceId,
    is_indexed: bool,
}

/// The resources found so far, and the means to find more.
#[derive(Debug)]
pub(super) struct Resources<'a> {
    bundle: &'a Bundle<'a>,
    list: Vec<Resource<'a>>,
    documents: Vec<Document>,
    by_address: FxHashMap<usize, ResourceId>,
    by_uri: FxHashMap<String, ResourceId>,
    anchors: FxHashMap<(ResourceId, &'a str), Anchor<'a>>,
    declared: FxHashMap<ResourceId, Vec<Binding<'a>>>,
    loaded: FxHashMap<usize, ResourceId>,
    /// Resources by the URI that the bundle was asked for, once each; `None` if the bundle does not have it.
    found: FxHashMap<String, Option<ResourceId>>,
    pub(super) asked: Vec<Asked>,
    pub(super) dynamic: DynamicScopes<'a>,
    /// Member indices of large objects by key, for following pointers. The outer key is the object's address.
    pub(super) names: FxHashMap<usize, FxHashMap<&'a str, usize>>,
}

impl<'a> Resources<'a> {
    pub(super) fn new(bundle: &'a Bundle<'a>) -> Resources<'a> {
        Resources {
            bundle,
            list: Vec::new(),
            documents: Vec::new(),
            by_address: FxHashMap::default(),
            by_uri: FxHashMap::default(),
            anchors: FxHashMap::default(),
            declared: FxHashMap::default(),
            loaded: FxHashMap::default(),
            found: FxHashMap::default(),
            asked: Vec::new(),
            dynamic: DynamicScopes::new(),
            names: FxHashMap::default(),
        }
    }

    pub(super) fn get(&self, id: ResourceId) -> Option<&Resource<'a>> {
        self.list.get(id.0 as usize)
    }

    pub(super) fn dialect(&self, uri: &str) -> Option<Dialect> {
        self.bundle.dialect(uri)
    }

    /// Adds a document; its root is a resource under the URI by which it is known.
    pub(super) fn open(&mut self, uri: &str, root: &'a JsonValue) -> ResourceId {
        let document = DocumentId(u32::try_from(self.documents.len()).unwrap_or(u32::MAX));
        let dialect = openapi::dialect(root).unwrap_or_else(|| Dialect::of(self.bundle.default_draft()));
        let uri = uri::split_fragment(uri).0.to_owned();
        let resource = self.add(Resource { uri, root, dialect, document });
        self.documents.push(Document { resource, is_indexed: false });
        resource
    }

    fn add(&mut self, resource: Resource<'a>) -> ResourceId {
        let id = ResourceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.by_uri.entry(resource.uri.clone()).or_insert(id);
        self.list.push(resource);
        id
    }

    /// Returns the root resource of the document that holds `id`.
    pub(super) fn document_root(&self, id: ResourceId) -> Option<ResourceId> {
        let document = self.get(id)?.document;
        self.documents.get(document.0 as usize).map(|document| document.resource)
    }

    /// Returns the dialect and resource of a schema object whose parent has the dialect and resource `at`.
    fn identify(&mut self, value: &'a JsonValue, head: &Head<'a>, at: (Dialect, ResourceId)) -> (Dialect, ResourceId) {
        let (inherited, parent) = at;
        let dialect = head.schema.and_then(|uri| self.dialect(uri)).unwrap_or(inherited);
        let Some(id) = head.id(dialect.draft) else {
            return (dialect, parent);
        };
        if let Some(known) = self.by_address.get(&address(value)) {
            return (dialect, *known);
        }
        let Some((base, document)) = self.get(parent).map(|r| (r.uri.as_str(), r.document)) else {
            never!("{:?} is no resource", parent);
            return (dialect, parent);
        };
        let uri = uri::resolve(base, id);
        let resource = self.add(Resource { uri, root: value, dialect, document });
        self.by_address.insert(address(value), resource);
        (dialect, resource)
    }

    /// Returns the scope inside a schema object, given the scope around it.
    pub(super) fn enter(&mut self, value: &'a JsonValue, head: &Head<'a>, scope: Scope) -> Scope {
        if head.schema.is_none() && head.id(scope.dialect.draft).is_none() {
            return scope;
        }
        let (dialect, resource) = self.identify(value, head, (scope.dialect, scope.resource));
        if resource == scope.resource {
            return Scope { dialect, ..scope };
        }
        let dynamic = self.bind(resource, scope.dynamic);
        Scope { dialect, resource, dynamic, ..scope }
    }

    /// Returns the dynamic scope after an evaluation path with scope `dynamic` enters `resource`.
    pub(super) fn bind(&mut self, resource: ResourceId, dynamic: DynamicId) -> DynamicId {
        if !self.bundle.is_dynamic() {
            return dynamic;
        }
        self.index_document_of(resource);
        let Some(declared) = self.declared.get(&resource) else {
            return dynamic;
        };
        self.dynamic.extend(dynamic, declared)
    }

    /// Returns the anchor called `name` in `resource`.
    pub(super) fn anchor(&mut self, resource: ResourceId, name: &str) -> Option<Anchor<'a>> {
        self.index_document_of(resource);
        self.anchors.get(&(resource, name)).copied()
    }

    /// Returns the resource with the URI `uri`, which has no fragment; `from` is the resource that refers to it. The
    /// error is the reason why a remote schema cannot be read.
    pub(super) fn find(&mut self, uri: &str, from: ResourceId) -> Result<Option<ResourceId>, String> {
        self.index_all();
        if let Some(id) = self.by_uri.get(uri) {
            return Ok(Some(*id));
        }
        if let Some(index) = self.bundle.given(uri) {
            return self.load(index).map(Some);
        }
        for index in 0..self.bundle.given_len() {
            // A broken remote schema is an error only if it is the requested one.
            drop(self.load(index));
        }
        self.index_all();
        match self.by_uri.get(uri) {
            Some(id) => Ok(Some(*id)),
            None => self.look_outside(uri, from),
        }
    }

    fn load(&mut self, index: usize) -> Result<ResourceId, String> {
        if let Some(known) = self.loaded.get(&index) {
            return Ok(*known);
        }
        let (uri, value) = self.bundle.parse(index).ok_or("missing")?;
        let id = self.open(uri, value?);
        self.loaded.insert(index, id);
        Ok(id)
    }

    /// Asks the bundle for a schema that none of the given texts holds.
    fn look_outside(&mut self, uri: &str, from: ResourceId) -> Result<Option<ResourceId>, String> {
        if let Some(known) = self.found.get(uri) {
            return Ok(*known);
        }
        let asked = self.question(uri, from);
        let bundle = self.bundle;
        let value = bundle.find(&asked).transpose()?;
        self.asked.push(asked);
        let id = value.map(|value| self.open(uri, value));
        self.found.insert(uri.to_owned(), id);
        Ok(id)
    }

    /// Builds the request for a URI that `from` refers to.
    fn question(&self, uri: &str, from: ResourceId) -> Asked {
        let root = self.document_root(from).and_then(|root| self.get(root));
        let document = root.map(|root| root.uri.clone()).unwrap_or_default();
        let named = root.and_then(|root| self.by_address.get(&address(root.root))).and_then(|id| self.get(*id));
        let base = named.map_or_else(|| document.clone(), |named| named.uri.clone());
        Asked { uri: uri.to_owned(), base, document }
    }

    fn index_all(&mut self) {
        for document in 0..self.documents.len() {
            self.index(document);
        }
    }

    fn index_document_of(&mut self, resource: ResourceId) {
        match self.get(resource).map(|r| r.document.0 as usize) {
            Some(document) => self.index(document),
            None => never!("{:?} is no resource", resource),
        }
    }

    /// Finds the ids and anchors of a document, once.
    fn index(&mut self, document: usize) {
        let Some(entry) = self.documents.get_mut(document).filter(|entry| !entry.is_indexed) else {
            return;
        };
        entry.is_indexed = true;
        let resource = entry.resource;
        let Some((root, dialect)) = self.get(resource).map(|r| (r.root, r.dialect)) else {
            never!("{:?} is no resource", resource);
            return;
        };
        let mut open = vec![(root, dialect, resource)];
        while let Some((value, dialect, resource)) = open.pop() {
            let JsonKind::Object(members) = &value.kind else { continue };
            let head = Head::of(members);
            let (dialect, resource) = self.identify(value, &head, (dialect, resource));
            self.declare(value, &head, dialect, resource);
            let inner = members.iter().flat_map(subschemas);
            open.extend(inner.map(|value| (value, dialect, resource)));
        }
    }

    fn declare(&mut self, value: &'a JsonValue, head: &Head<'a>, dialect: Dialect, resource: ResourceId) {
        let draft = dialect.draft;
        let modern = |name: Option<&'a str>, since| name.filter(|_| draft >= since);
        let plain = modern(head.anchor, Draft::Draft2019).or(head.fragment_id(draft));
        let dynamic = modern(head.dynamic_anchor, Draft::Draft2020);
        for (name, is_dynamic) in [(plain, false), (dynamic, true)] {
            if let Some(name) = name {
                self.anchors.entry((resource, name)).or_insert(Anchor { value, dialect, is_dynamic });
            }
        }
        let is_root = self.get(resource).is_some_and(|r| address(r.root) == address(value));
        let recursive = (head.recursive_anchor && is_root && draft == Draft::Draft2019).then_some("");
        for name in [dynamic, recursive].into_iter().flatten() {
            self.declared.entry(resource).or_default().push(Binding { name, value, dialect, resource });
        }
    }
}
