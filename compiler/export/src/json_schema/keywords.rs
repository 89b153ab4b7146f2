//! Writes nodes as schema objects.

use super::docs;
use super::names::{Names, reference};
use super::simple::simple;
use super::text::Json;
use crate::graph::ExportGraph;
use always_assert::never;
use ogc_regular::budget::poll;
use ogc_schema::source::{
    ArrayKeywords, At, Keywords, NodeId, NodeKind, NumberKeywords, ObjectKeywords, StringKeywords, Types, Value,
};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Levels of nesting after which a schema gets a name.
const DEPTH: usize = 24;

type Members = Vec<(String, Json)>;

/// Style of keywords where several would be equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As in the schema that was read.
    AsRead,
    /// With few and usual keywords ([`simple`]).
    Simple,
}

/// The export: the graph, the names, and the definitions still to be written.
#[derive(Debug)]
pub(super) struct SchemaWriter<'w, 'g> {
    graph: &'w ExportGraph<'g>,
    style: Style,
    names: Names<'g>,
    /// Named nodes that were referred to, in order of first reference.
    queue: VecDeque<NodeId>,
    queued: Vec<bool>,
    depth: usize,
}

impl<'w, 'g> SchemaWriter<'w, 'g> {
    pub(super) fn new(graph: &'w ExportGraph<'g>, style: Style) -> SchemaWriter<'w, 'g> {
        let queued = vec![false; graph.schemas.nodes.len()];
        SchemaWriter { graph, style, names: Names::of(graph), queue: VecDeque::new(), queued, depth: 0 }
    }

    /// Writes the root's schema in place; a named root is a reference.
    pub(super) fn root(&mut self, node: NodeId) -> Json {
        if self.names.get(node).is_some() { self.schema(node) } else { self.body(node) }
    }

    /// Writes every definition: first the nodes with names, in order, then the others that were referred to.
    pub(super) fn definitions(&mut self) -> Members {
        let mut out = Members::new();
        let mut written: FxHashSet<NodeId> = FxHashSet::default();
        for (name, node) in &self.graph.names {
            let Some(own) = self.names.get(*node).map(str::to_owned) else {
                never!("{:?}, called `{}`, has no name among the definitions", node, name);
                continue;
            };
            if written.insert(*node) {
                out.push((own, self.body(*node)));
            } else if own != **name && self.names.alias(name) {
                out.push(((*name).to_owned(), self.schema(*node)));
            }
        }
        while let Some(node) = self.queue.pop_front() {
            if written.insert(node) {
                let name = self.names.name(node);
                let schema = self.body(node);
                out.push((name, schema));
            }
        }
        out
    }

    /// Writes a schema where it is used.
    fn schema(&mut self, node: NodeId) -> Json {
        poll();
        if self.graph.schemas.root == Some(node) && self.names.get(node).is_none() {
            return Json::Object(vec![("$ref".to_owned(), Json::text("#"))]);
        }
        let is_deep = self.depth > DEPTH && matches!(self.graph.kind(node), NodeKind::Keywords(_));
        if self.names.get(node).is_none() && !is_deep {
            return self.body(node);
        }
        if let Some(queued) = self.queued.get_mut(node.0 as usize).filter(|queued| !**queued) {
            *queued = true;
            self.queue.push_back(node);
        }
        let name = self.names.name(node);
        Json::Object(vec![("$ref".to_owned(), Json::String(reference(&name)))])
    }

    fn body(&mut self, node: NodeId) -> Json {
        let docs = self.graph.docs(node);
        let is_root = self.graph.schemas.root == Some(node);
        let mut out = docs.map(|docs| docs::head(docs, is_root)).unwrap_or_default();
        let tail = docs.map(docs::tail).unwrap_or_default();
        let keywords = match self.graph.kind(node) {
            NodeKind::Bool(truth) if out.is_empty() && tail.is_empty() => return Json::Bool(*truth),
            NodeKind::Bool(truth) => {
                out.extend((!truth).then(|| ("not".to_owned(), Json::Object(Vec::new()))));
                out.extend(tail);
                return Json::Object(out);
            }
            NodeKind::Keywords(keywords) => keywords,
        };
        self.depth += 1;
        match self.alias(keywords) {
            // Annotations here override those of the target.
            Some(Json::Object(mut members)) => {
                members.retain(|(key, _)| !is_said(&out, key) && !is_said(&tail, key));
                out.append(&mut members);
            }
            _ => {
                let is_exclusive = docs.is_some_and(|docs| docs.discriminator.is_some());
                self.keywords(keywords, is_exclusive, &mut out);
            }
        }
        if self.style == Style::Simple {
            out = simple(out);
        }
        out.extend(tail);
        self.depth -= 1;
        Json::Object(out)
    }

    /// Writes the target of a node that only refers to an unnamed node.
    fn alias(&mut self, keywords: &'g Keywords) -> Option<Json> {
        let target = keywords.reference.as_ref()?.value;
        let is_named = self.names.get(target).is_some() || self.graph.schemas.root == Some(target);
        let is_alone = Keywords { reference: keywords.reference.clone(), ..Keywords::default() } == *keywords;
        (is_alone && !is_named && self.depth <= DEPTH).then(|| self.schema(target))
    }

    /// Returns the definition, if an `allOf` node only refers to one.
    fn referred(&self, node: NodeId) -> Option<NodeId> {
        let NodeKind::Keywords(keywords) = self.graph.kind(node) else { return None };
        let target = keywords.reference.as_ref()?.value;
        let is_alone = Keywords { reference: keywords.reference.clone(), ..Keywords::default() } == **keywords;
        let is_named = self.names.get(target).is_some() && self.names.get(node).is_none();
        (is_alone && is_named && self.graph.docs(node).is_none()).then_some(target)
    }

    /// Writes all keywords; if the alternatives exclude each other, as `oneOf`.
    fn keywords(&mut self, keywords: &'g Keywords, is_exclusive: bool, out: &mut Members) {
        let mut more = Vec::new();
        add(out, "type", keywords.types.as_ref().and_then(|types| type_names(&types.value)));
        for (at, list) in keywords.one_of_values.iter().enumerate() {
            extra(at, list_of(&list.value), out, &mut more);
        }
        number(&keywords.number, out);
        string(&keywords.string, out, &mut more);
        self.array(&keywords.array, out);
        self.object(&keywords.object, out);
        for (at, any) in keywords.any_of.iter().enumerate() {
            let key = if is_exclusive && keywords.one_of.is_empty() { "oneOf" } else { "anyOf" };
            extra(at, (key, self.schemas(&any.value)), out, &mut more);
        }
        for (at, one) in keywords.one_of.iter().enumerate() {
            extra(at, ("oneOf", self.schemas(&one.value)), out, &mut more);
        }
        self.conditional(keywords, out);
        // A single `allOf` with just a reference means the same as that reference.
        let single = match keywords.all_of.as_slice() {
            [only] if keywords.reference.is_none() && more.is_empty() => self.referred(*only),
            _ => None,
        };
        let target = keywords.reference.as_ref().map(|target| target.value).or(single);
        if let Some(target) = target {
            self.names.name_unless_root(self.graph, target);
            match self.schema(target) {
                Json::Object(mut members) if members.len() == 1 && members[0].0 == "$ref" => out.append(&mut members),
                other => more.push(other),
            }
        }
        for node in keywords.all_of.iter().filter(|_| single.is_none()) {
            let schema = self.schema(*node);
            more.push(schema);
        }
        add(out, "allOf", (!more.is_empty()).then_some(Json::Array(more)));
        let not = keywords.not.as_ref().map(|not| self.schema(not.value));
        add(out, "not", not);
    }

    fn schemas(&mut self, nodes: &[NodeId]) -> Json {
        Json::Array(nodes.iter().map(|node| self.schema(*node)).collect())
    }

    fn conditional(&mut self, keywords: &Keywords, out: &mut Members) {
        let Some(conditional) = keywords.conditional.as_ref().map(|conditional| conditional.value) else { return };
        let parts = [("if", Some(conditional.condition)), ("then", conditional.then), ("else", conditional.otherwise)];
        for (key, node) in parts {
            let schema = node.map(|node| self.schema(node));
            add(out, key, schema);
        }
    }

    fn array(&mut self, array: &ArrayKeywords, out: &mut Members) {
        let prefix = (!array.prefix_items.is_empty()).then(|| self.schemas(&array.prefix_items));
        add(out, "prefixItems", prefix);
        let items = array.items.as_ref().map(|items| self.schema(items.value));
        add(out, "items", items);
        count(out, "minItems", array.min_items.as_ref());
        count(out, "maxItems", array.max_items.as_ref());
        add(out, "uniqueItems", array.unique_items.map(|_| Json::Bool(true)));
        let contains = array.contains.as_ref().map(|contains| self.schema(contains.value));
        add(out, "contains", contains);
        count(out, "minContains", array.min_contains.as_ref());
        count(out, "maxContains", array.max_contains.as_ref());
    }

    fn object(&mut self, object: &'g ObjectKeywords, out: &mut Members) {
        let properties = object.properties.iter().map(|(key, node)| (key.as_str(), *node));
        self.map(out, "properties", properties.collect());
        let patterns = object.pattern_properties.iter().map(|(pattern, node)| (pattern.value.as_str(), *node));
        self.map(out, "patternProperties", patterns.collect());
        let required = object.required.iter().map(|key| Json::text(&key.value)).collect::<Vec<_>>();
        add(out, "required", (!required.is_empty()).then_some(Json::Array(required)));
        let additional = object.additional_properties.as_ref().map(|node| self.schema(node.value));
        add(out, "additionalProperties", additional);
        let names = object.property_names.as_ref().map(|node| self.schema(node.value));
        add(out, "propertyNames", names);
        count(out, "minProperties", object.min_properties.as_ref());
        count(out, "maxProperties", object.max_properties.as_ref());
        let names = |names: &Vec<String>| Json::Array(names.iter().map(|name| Json::text(name)).collect());
        let dependent = object.dependent_required.iter().map(|(key, list)| (key.value.clone(), names(list)));
        let dependent: Members = dependent.collect();
        add(out, "dependentRequired", (!dependent.is_empty()).then_some(Json::Object(dependent)));
        let dependent = object.dependent_schemas.iter().map(|(key, node)| (key.value.as_str(), *node));
        self.map(out, "dependentSchemas", dependent.collect());
    }

    fn map(&mut self, out: &mut Members, key: &str, entries: Vec<(&str, NodeId)>) {
        if !entries.is_empty() {
            let members = entries.into_iter().map(|(name, node)| (name.to_owned(), self.schema(node)));
            let members = Json::Object(members.collect());
            add(out, key, Some(members));
        }
    }
}

fn is_said(out: &Members, key: &str) -> bool {
    out.iter().any(|(said, _)| said == key)
}

fn add(out: &mut Members, key: &str, value: Option<Json>) {
    out.extend(value.map(|value| (key.to_owned(), value)));
}

/// Adds a keyword that may occur several times: the first goes to the object, the others to `allOf`.
fn extra(at: usize, (key, value): (&str, Json), out: &mut Members, more: &mut Vec<Json>) {
    let member = (key.to_owned(), value);
    if at == 0 { out.push(member) } else { more.push(Json::Object(vec![member])) }
}

fn count(out: &mut Members, key: &str, count: Option<&At<u64>>) {
    add(out, key, count.map(|count| Json::number(count.value)));
}

fn list_of(values: &[Value]) -> (&'static str, Json) {
    match values {
        [only] => ("const", Json::value(only)),
        _ => ("enum", Json::Array(values.iter().map(Json::value).collect())),
    }
}

fn type_names(types: &Types) -> Option<Json> {
    let flags = [
        (types.boolean, "boolean"),
        (types.integer && !types.number, "integer"),
        (types.number, "number"),
        (types.string, "string"),
        (types.array, "array"),
        (types.object, "object"),
        (types.null, "null"),
    ];
    let mut names: Vec<Json> = flags.iter().filter(|(flag, _)| *flag).map(|(_, name)| Json::text(name)).collect();
    if names.len() > 1 { Some(Json::Array(names)) } else { names.pop() }
}

fn number(number: &NumberKeywords, out: &mut Members) {
    let keywords = [
        ("minimum", &number.minimum),
        ("maximum", &number.maximum),
        ("exclusiveMinimum", &number.exclusive_minimum),
        ("exclusiveMaximum", &number.exclusive_maximum),
        ("multipleOf", &number.multiple_of),
    ];
    for (key, bound) in keywords {
        add(out, key, bound.as_ref().map(|bound| Json::number(&bound.value)));
    }
}

fn string(string: &StringKeywords, out: &mut Members, more: &mut Vec<Json>) {
    count(out, "minLength", string.min_length.as_ref());
    count(out, "maxLength", string.max_length.as_ref());
    for (at, pattern) in string.patterns.iter().enumerate() {
        extra(at, ("pattern", Json::text(&pattern.value)), out, more);
    }
    for (at, format) in string.formats.iter().enumerate() {
        extra(at, ("format", Json::text(&format.value)), out, more);
    }
}
