//! The nodes that the algebra works on: the source's, and one for each array or object listed by an `enum`.

use ogc_regular::budget;
use rustc_hash::FxHashMap;

use crate::atom::{Type, TypeSet};
use crate::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types, Value};

/// Passes over all nodes that narrow the type sets along references and combinators.
const PASSES: usize = 3;

/// Summary of a node: its types, and its target if it is a reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Types that the node's values may have (a superset).
    pub(crate) may: TypeSet,
    /// Types of which every value satisfies the node (a subset).
    pub(crate) free: TypeSet,
    /// The target, if the node is a reference and nothing else.
    pub(crate) alias: Option<NodeId>,
    /// Whether the node refers to itself without entering a property or item.
    pub(crate) cyclic: bool,
}

impl Summary {
    fn new(may: TypeSet, free: TypeSet) -> Self {
        Self { may, free, alias: None, cyclic: false }
    }
}

/// All nodes, immutable while the algebra works.
#[derive(Debug)]
pub struct Table<'s> {
    source: &'s Schemas,
    made: Vec<Node>,
    listed: FxHashMap<(NodeId, u32, u32), NodeId>,
    summaries: Vec<Summary>,
}

impl<'s> Table<'s> {
    /// Prepares a schema graph.
    #[must_use]
    pub fn new(source: &'s Schemas) -> Self {
        let mut table = Self { source, made: Vec::new(), listed: FxHashMap::default(), summaries: Vec::new() };
        table.make_listed();
        table.summarise();
        table
    }

    /// The root's node.
    pub(crate) fn root(&self) -> Option<NodeId> {
        self.source.root
    }

    /// A node; an id that does not exist yields `false`, the empty schema.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        let source = &self.source.nodes;
        source.get(id.0 as usize).or_else(|| self.made.get(id.0 as usize - source.len())).unwrap_or(&MISSING)
    }

    /// The keywords of a node, if it is not boolean.
    pub(crate) fn keywords(&self, id: NodeId) -> Option<&Keywords> {
        match &self.node(id).kind {
            NodeKind::Keywords(keywords) => Some(keywords),
            NodeKind::Bool(_) => None,
        }
    }

    /// The summary of a node.
    pub(crate) fn summary(&self, id: NodeId) -> Summary {
        self.summaries.get(id.0 as usize).copied().unwrap_or(Summary::new(TypeSet::NONE, TypeSet::NONE))
    }

    /// The node for the array or object at index `at` of list number `list` of `node`.
    pub(crate) fn listed(&self, node: NodeId, list: u32, at: u32) -> Option<NodeId> {
        self.listed.get(&(node, list, at)).copied()
    }

    fn make_listed(&mut self) {
        for (at, node) in (0..).zip(&self.source.nodes) {
            let NodeKind::Keywords(keywords) = &node.kind else { continue };
            for (list, values) in (0..).zip(&keywords.one_of_values) {
                for (index, value) in (0..).zip(&values.value) {
                    // Once the budget is exhausted, the table is discarded.
                    if budget::exhausted() {
                        return;
                    }
                    if matches!(value, Value::Array(_) | Value::Object(_)) {
                        let made = self.make(values.origin, value);
                        self.listed.insert((NodeId(at), list, index), made);
                    }
                }
            }
        }
    }

    fn push(&mut self, origin: Origin, keywords: Keywords) -> NodeId {
        let _ = budget::keep(size_of::<Node>() + size_of::<Keywords>());
        self.made.push(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) });
        NodeId((self.source.nodes.len() + self.made.len() - 1) as u32)
    }

    /// Makes a node that contains exactly `value`, without recursion: inner values first.
    fn make(&mut self, origin: Origin, value: &Value) -> NodeId {
        let mut order = vec![value];
        let mut at = 0;
        while let Some(&next) = order.get(at) {
            match next {
                Value::Array(items) => order.extend(items),
                Value::Object(members) => order.extend(members.iter().map(|(_, member)| member)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            at += 1;
        }
        self.make_all(origin, &order)
    }

    /// Makes the nodes of values given in breadth-first order; the first value is the root.
    fn make_all(&mut self, origin: Origin, order: &[&Value]) -> NodeId {
        let mut nodes = vec![NodeId(0); order.len()];
        let mut end = order.len();
        for (at, value) in order.iter().enumerate().rev() {
            let children = match value {
                Value::Array(items) => items.len(),
                Value::Object(members) => members.len(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
            };
            let inner = nodes.get(end - children..end).unwrap_or_default().to_vec();
            end -= children;
            nodes[at] = self.make_one(origin, value, &inner);
        }
        nodes.first().copied().unwrap_or(NodeId(0))
    }

    fn make_one(&mut self, origin: Origin, value: &Value, inner: &[NodeId]) -> NodeId {
        let mut keywords = Keywords::default();
        match value {
            Value::Array(items) => {
                keywords.types = Some(At { origin, value: Types { array: true, ..NO_TYPES } });
                keywords.array.prefix_items = inner.to_vec();
                keywords.array.min_items = Some(At { origin, value: items.len() as u64 });
                keywords.array.max_items = Some(At { origin, value: items.len() as u64 });
            }
            Value::Object(members) => {
                keywords.types = Some(At { origin, value: Types { object: true, ..NO_TYPES } });
                let names = members.iter().map(|(name, _)| name.clone());
                keywords.object.required = names.clone().map(|value| At { origin, value }).collect();
                keywords.object.properties = names.zip(inner.iter().copied()).collect();
                let nothing = self.nothing(origin);
                keywords.object.additional_properties = Some(At { origin, value: nothing });
            }
            scalar => keywords.one_of_values = vec![At { origin, value: vec![(*scalar).clone()] }],
        }
        self.push(origin, keywords)
    }

    fn nothing(&mut self, origin: Origin) -> NodeId {
        self.made.push(Node { origin, kind: NodeKind::Bool(false) });
        NodeId((self.source.nodes.len() + self.made.len() - 1) as u32)
    }

    fn summarise(&mut self) {
        let all: Vec<&Node> = self.source.nodes.iter().chain(&self.made).collect();
        let _ = budget::work(all.len() * PASSES);
        let _ = budget::keep(all.len() * (size_of::<Summary>() + size_of::<Vec<NodeId>>()));
        let nodes = || all.iter().copied();
        let mut summaries: Vec<Summary> = nodes().map(own).collect();
        for _ in 0..PASSES {
            let mut changed = false;
            for (at, node) in nodes().enumerate().rev() {
                let NodeKind::Keywords(keywords) = &node.kind else { continue };
                let may = sharpen(summaries[at].may, keywords, &summaries);
                changed |= may != summaries[at].may;
                summaries[at].may = may;
            }
            if !changed {
                break;
            }
        }
        for node in cyclic(&nodes().map(immediate).collect::<Vec<_>>()) {
            summaries[node].cyclic = true;
        }
        self.summaries = summaries;
    }
}

const MISSING: Node = Node { origin: Origin(0), kind: NodeKind::Bool(false) };

const NO_TYPES: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: false };

/// Summarises a node by its own `type`, `enum` and absent keywords.
fn own(node: &Node) -> Summary {
    let keywords = match &node.kind {
        NodeKind::Bool(true) => return Summary::new(TypeSet::ALL, TypeSet::ALL),
        NodeKind::Bool(false) => return Summary::new(TypeSet::NONE, TypeSet::NONE),
        NodeKind::Keywords(keywords) => keywords,
    };
    let types = keywords.types.as_ref().map_or(TypeSet::ALL, |types| type_set(&types.value));
    let listed = keywords.one_of_values.iter().map(|list| values_types(&list.value));
    let may = listed.fold(types, TypeSet::and);
    let free = if has_combinators(keywords) { TypeSet::NONE } else { without_keywords(keywords).and(may) };
    let alias = keywords.reference.as_ref().map(|reference| reference.value).filter(|_| is_alias(keywords));
    Summary { alias, ..Summary::new(may, free) }
}

/// Whether there is nothing besides the reference.
fn is_alias(keywords: &Keywords) -> bool {
    keywords.types.is_none()
        && keywords.one_of_values.is_empty()
        && keywords.all_of.is_empty()
        && keywords.any_of.is_empty()
        && keywords.one_of.is_empty()
        && keywords.not.is_none()
        && keywords.conditional.is_none()
        && without_keywords(keywords) == TypeSet::ALL
}

/// Whether the node constrains values through other nodes, or lists values.
pub(crate) fn has_combinators(keywords: &Keywords) -> bool {
    keywords.reference.is_some()
        || !keywords.all_of.is_empty()
        || !keywords.any_of.is_empty()
        || !keywords.one_of.is_empty()
        || !keywords.one_of_values.is_empty()
        || keywords.not.is_some()
        || keywords.conditional.is_some()
}

/// The types for which the node has no keyword.
fn without_keywords(keywords: &Keywords) -> TypeSet {
    let mut free = Type::Null.bit().or(Type::Bool.bit());
    for (ty, used) in [
        (Type::Number, has_number(keywords)),
        (Type::String, has_string(keywords)),
        (Type::Array, has_array(keywords)),
        (Type::Object, has_object(keywords)),
    ] {
        if !used {
            free = free.or(ty.bit());
        }
    }
    free
}

/// Whether the types have `integer` and not `number`.
pub(crate) fn only_integers(keywords: &Keywords) -> bool {
    keywords.types.as_ref().is_some_and(|types| types.value.integer && !types.value.number)
}

/// Whether the node constrains numbers.
pub(crate) fn has_number(keywords: &Keywords) -> bool {
    let number = &keywords.number;
    only_integers(keywords)
        || number.minimum.is_some()
        || number.maximum.is_some()
        || number.exclusive_minimum.is_some()
        || number.exclusive_maximum.is_some()
        || number.multiple_of.is_some()
        || number.decimals.is_some()
}

/// Whether the node constrains strings.
pub(crate) fn has_string(keywords: &Keywords) -> bool {
    let string = &keywords.string;
    string.min_length.is_some()
        || string.max_length.is_some()
        || !string.patterns.is_empty()
        || !string.formats.is_empty()
}

/// Whether the node constrains arrays.
pub(crate) fn has_array(keywords: &Keywords) -> bool {
    let array = &keywords.array;
    !array.prefix_items.is_empty()
        || array.items.is_some()
        || array.min_items.is_some()
        || array.max_items.is_some()
        || array.unique_items.is_some()
        || array.contains.is_some()
}

/// Whether the node constrains objects by a keyword that is no choice.
pub(crate) fn has_object_base(keywords: &Keywords) -> bool {
    let object = &keywords.object;
    !object.properties.is_empty()
        || !object.pattern_properties.is_empty()
        || object.additional_properties.is_some()
        || object.property_names.is_some()
        || !object.required.is_empty()
        || object.min_properties.is_some()
        || object.max_properties.is_some()
}

fn has_object(keywords: &Keywords) -> bool {
    let object = &keywords.object;
    has_object_base(keywords) || !object.dependent_required.is_empty() || !object.dependent_schemas.is_empty()
}

fn type_set(types: &Types) -> TypeSet {
    let flags = [
        (types.null, Type::Null),
        (types.boolean, Type::Bool),
        (types.number || types.integer, Type::Number),
        (types.string, Type::String),
        (types.array, Type::Array),
        (types.object, Type::Object),
    ];
    flags.iter().filter(|(flag, _)| *flag).fold(TypeSet::NONE, |set, (_, ty)| set.or(ty.bit()))
}

/// The type of a value.
pub(crate) fn value_type(value: &Value) -> Type {
    match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Bool,
        Value::Number(_) => Type::Number,
        Value::String(_) => Type::String,
        Value::Array(_) => Type::Array,
        Value::Object(_) => Type::Object,
    }
}

fn values_types(values: &[Value]) -> TypeSet {
    values.iter().fold(TypeSet::NONE, |set, value| set.or(value_type(value).bit()))
}

/// Narrows `may` by the node's references and combinators.
fn sharpen(mut may: TypeSet, keywords: &Keywords, summaries: &[Summary]) -> TypeSet {
    let of = |node: &NodeId| summaries.get(node.0 as usize).map_or(TypeSet::NONE, |summary| summary.may);
    let any = |nodes: &Vec<NodeId>| nodes.iter().map(of).fold(TypeSet::NONE, TypeSet::or);
    for node in keywords.reference.iter().map(|reference| &reference.value).chain(&keywords.all_of) {
        may = may.and(of(node));
    }
    for choice in keywords.any_of.iter().chain(&keywords.one_of) {
        may = may.and(any(&choice.value));
    }
    may
}

/// The nodes that apply to the same value as this node.
fn immediate(node: &Node) -> Vec<NodeId> {
    let NodeKind::Keywords(keywords) = &node.kind else { return Vec::new() };
    if !has_combinators(keywords) && keywords.object.dependent_schemas.is_empty() {
        return Vec::new();
    }
    let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
    let single = keywords.reference.iter().chain(&keywords.not).map(|node| node.value);
    let parts = |conditional: &crate::source::Conditional| {
        [Some(conditional.condition), conditional.then, conditional.otherwise].into_iter().flatten()
    };
    let conditional = keywords.conditional.iter().flat_map(|conditional| parts(&conditional.value));
    let dependent = keywords.object.dependent_schemas.iter().map(|(_, node)| *node);
    single.chain(keywords.all_of.iter().chain(choices).copied()).chain(conditional).chain(dependent).collect()
}

/// The nodes from which a cycle can be reached: those that are left after repeatedly removing nodes without successors.
fn cyclic(successors: &[Vec<NodeId>]) -> Vec<usize> {
    if successors.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut open: Vec<usize> = successors.iter().map(Vec::len).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for target in targets {
            match before.get_mut(target.0 as usize) {
                Some(sources) => sources.push(from),
                None => open[from] -= 1,
            }
        }
    }
    let mut done: Vec<usize> = (0..open.len()).filter(|&at| open[at] == 0).collect();
    while let Some(at) = done.pop() {
        for &from in &before[at] {
            open[from] -= 1;
            if open[from] == 0 {
                done.push(from);
            }
        }
    }
    (0..open.len()).filter(|&at| open[at] > 0).collect()
}
