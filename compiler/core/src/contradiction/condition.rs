//! Single conditions: the parts of a conjunction that can be left out one by one.

use ogc_schema::keyword::{Keyword, Subject};
use ogc_schema::source::{
    ArrayKeywords, At, Keywords, Node, NodeId, NodeKind, NumberKeywords, ObjectKeywords, Origin, Schemas,
    StringKeywords, Types, Value,
};

/// Cap on the length of a displayed value or pattern, in characters.
const SHOWN: usize = 40;

/// Maximum number of `enum` values that a message lists.
const LISTED: usize = 3;

/// One condition on values, with what messages and the search need of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// `false`
    Never,
    /// `type`. The flag means that `integer` stands for all numbers here, as the contradiction does not depend on
    /// wholeness.
    Type(Types, bool),
    /// `enum` or `const`: the first values as they are displayed, and the number of all values.
    Values(Vec<String>, usize),
    AnyOf(Vec<NodeId>),
    /// `oneOf`: its branches, and a node that is the `anyOf` of the same branches.
    OneOf(Vec<NodeId>, NodeId),
    /// A keyword with a number.
    Bound(Keyword, String),
    Pattern(String),
    Format(String),
    PrefixItems(Vec<NodeId>),
    /// `items`: its schema, and the number of leading items that have schemas of their own.
    Items(usize, NodeId),
    Property(String, NodeId),
    PatternProperty(String, NodeId),
    /// `additionalProperties`: the declared keys beside it, its schema, and whether it is `false`.
    Additional(Vec<String>, NodeId, bool),
    Required(String),
    /// A keyword of which only the name is shown.
    Keyword(Keyword),
}

/// A condition as a node of its own.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) condition: Condition,
    pub(super) node: NodeId,
    pub(super) origin: Origin,
}

impl Condition {
    /// Returns the single type of values that the condition is about; `None` if there are several.
    pub(super) fn about(&self) -> Option<Subject> {
        let subject = match self {
            Self::Pattern(_) | Self::Format(_) => Subject::Strings,
            Self::PrefixItems(_) | Self::Items(..) => Subject::Arrays,
            Self::Property(..) | Self::PatternProperty(..) | Self::Additional(..) | Self::Required(_) => {
                Subject::Objects
            }
            Self::Bound(keyword, _) | Self::Keyword(keyword) => keyword.subject(),
            Self::Never | Self::Type(..) | Self::Values(..) | Self::AnyOf(_) | Self::OneOf(..) => Subject::Any,
        };
        Some(subject).filter(|subject| *subject != Subject::Any)
    }
}

/// Returns the schemas that hold wherever all of `nodes` do: references and `allOf` are followed.
pub(super) fn conjuncts(schemas: &Schemas, nodes: &[NodeId]) -> Vec<NodeId> {
    let mut seen = vec![false; schemas.nodes.len()];
    let mut open: Vec<NodeId> = nodes.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        let Some(is_seen) = seen.get_mut(node.0 as usize) else { continue };
        if std::mem::replace(is_seen, true) {
            continue;
        }
        match &schemas.nodes[node.0 as usize].kind {
            NodeKind::Bool(true) => {}
            NodeKind::Bool(false) => found.push(node),
            NodeKind::Keywords(keywords) => {
                let rest = Keywords { reference: None, all_of: Vec::new(), ..(**keywords).clone() };
                if rest != Keywords::default() {
                    found.push(node);
                }
                open.extend(keywords.all_of.iter().rev().chain(keywords.reference.iter().map(|at| &at.value)));
            }
        }
    }
    found
}

/// Writes each condition of the schemas as a new node at the end of the graph.
pub(super) fn parts(schemas: &mut Schemas, nodes: &[NodeId]) -> Vec<Part> {
    let anything = push(schemas, Origin::default(), NodeKind::Bool(true));
    let mut writer = Writer { schemas, anything, parts: Vec::new() };
    for &node in nodes {
        let Node { origin, kind } = writer.schemas.nodes[node.0 as usize].clone();
        match kind {
            NodeKind::Bool(true) => {}
            NodeKind::Bool(false) => writer.parts.push(Part { condition: Condition::Never, node, origin }),
            NodeKind::Keywords(keywords) => writer.keywords(*keywords, origin),
        }
    }
    // Most contradictions of integers need only numbers, so the narrower condition comes last.
    let is_narrow =
        |part: &Part| matches!(&part.condition, Condition::Type(types, false) if types.integer && !types.number);
    writer.parts.sort_by_key(|part| match &part.condition {
        _ if is_narrow(part) => 3,
        Condition::Property(..) | Condition::PatternProperty(..) => 1,
        Condition::AnyOf(_) | Condition::OneOf(..) | Condition::Keyword(_) => 2,
        _ => 0,
    });
    writer.parts
}

fn push(schemas: &mut Schemas, origin: Origin, kind: NodeKind) -> NodeId {
    schemas.nodes.push(Node { origin, kind });
    NodeId((schemas.nodes.len() - 1) as u32)
}

/// Writes the conditions of one schema after the other.
struct Writer<'s> {
    schemas: &'s mut Schemas,
    /// A node that accepts everything.
    anything: NodeId,
    parts: Vec<Part>,
}

impl Writer<'_> {
    fn add(&mut self, origin: Origin, condition: Condition, keywords: Keywords) {
        let node = push(self.schemas, origin, NodeKind::Keywords(Box::new(keywords)));
        self.parts.push(Part { condition, node, origin });
    }

    fn keywords(&mut self, keywords: Keywords, origin: Origin) {
        if let Some(types) = &keywords.types {
            self.types(types);
        }
        for list in keywords.one_of_values {
            let first = list.value.iter().take(LISTED).map(shown).collect();
            let condition = Condition::Values(first, list.value.len());
            self.add(list.origin, condition, Keywords { one_of_values: vec![list], ..Keywords::default() });
        }
        for choice in keywords.any_of {
            let condition = Condition::AnyOf(choice.value.clone());
            self.add(choice.origin, condition, Keywords { any_of: vec![choice], ..Keywords::default() });
        }
        for choice in keywords.one_of {
            let any = Keywords { any_of: vec![choice.clone()], ..Keywords::default() };
            let any = push(self.schemas, choice.origin, NodeKind::Keywords(Box::new(any)));
            let condition = Condition::OneOf(choice.value.clone(), any);
            self.add(choice.origin, condition, Keywords { one_of: vec![choice], ..Keywords::default() });
        }
        if let Some(not) = keywords.not {
            self.add(not.origin, Condition::Keyword(Keyword::Not), Keywords { not: Some(not), ..Keywords::default() });
        }
        if let Some(at) = keywords.conditional {
            self.add(
                at.origin,
                Condition::Keyword(Keyword::If),
                Keywords { conditional: Some(at), ..Keywords::default() },
            );
        }
        self.strings(keywords.string);
        self.numbers(keywords.number);
        self.arrays(keywords.array, origin);
        self.objects(keywords.object, origin);
    }

    fn types(&mut self, types: &At<Types>) {
        let narrow = types.value;
        if narrow.integer && !narrow.number {
            let wide = Types { number: true, ..narrow };
            let keywords = Keywords { types: Some(At { value: wide, ..types.clone() }), ..Keywords::default() };
            self.add(types.origin, Condition::Type(narrow, true), keywords);
        }
        let keywords = Keywords { types: Some(types.clone()), ..Keywords::default() };
        self.add(types.origin, Condition::Type(narrow, false), keywords);
    }

    /// Adds a keyword with a number; `slot` selects its field.
    fn bound<T: ToString>(
        &mut self,
        keyword: Keyword,
        at: Option<At<T>>,
        slot: fn(&mut Keywords) -> &mut Option<At<T>>,
    ) {
        let Some(at) = at else { return };
        let (origin, condition) = (at.origin, Condition::Bound(keyword, at.value.to_string()));
        let mut keywords = Keywords::default();
        *slot(&mut keywords) = Some(at);
        self.add(origin, condition, keywords);
    }

    fn strings(&mut self, string: StringKeywords) {
        self.bound(Keyword::MinLength, string.min_length, |out| &mut out.string.min_length);
        self.bound(Keyword::MaxLength, string.max_length, |out| &mut out.string.max_length);
        for pattern in string.patterns {
            let mut keywords = Keywords::default();
            let (origin, condition) = (pattern.origin, Condition::Pattern(pattern.value.clone()));
            keywords.string.patterns.push(pattern);
            self.add(origin, condition, keywords);
        }
        for format in string.formats {
            let mut keywords = Keywords::default();
            let (origin, condition) = (format.origin, Condition::Format(format.value.clone()));
            keywords.string.formats.push(format);
            self.add(origin, condition, keywords);
        }
    }

    fn numbers(&mut self, number: NumberKeywords) {
        self.bound(Keyword::Minimum, number.minimum, |out| &mut out.number.minimum);
        self.bound(Keyword::Maximum, number.maximum, |out| &mut out.number.maximum);
        self.bound(Keyword::ExclusiveMinimum, number.exclusive_minimum, |out| &mut out.number.exclusive_minimum);
        self.bound(Keyword::ExclusiveMaximum, number.exclusive_maximum, |out| &mut out.number.exclusive_maximum);
        self.bound(Keyword::MultipleOf, number.multiple_of, |out| &mut out.number.multiple_of);
    }

    fn arrays(&mut self, array: ArrayKeywords, origin: Origin) {
        self.bound(Keyword::MinItems, array.min_items, |out| &mut out.array.min_items);
        self.bound(Keyword::MaxItems, array.max_items, |out| &mut out.array.max_items);
        let free = vec![self.anything; array.prefix_items.len()];
        if !array.prefix_items.is_empty() {
            let mut keywords = Keywords::default();
            keywords.array.prefix_items.clone_from(&array.prefix_items);
            self.add(origin, Condition::PrefixItems(array.prefix_items), keywords);
        }
        if let Some(items) = array.items {
            let mut keywords = Keywords::default();
            let (origin, condition) = (items.origin, Condition::Items(free.len(), items.value));
            keywords.array.prefix_items = free;
            keywords.array.items = Some(items);
            self.add(origin, condition, keywords);
        }
        if let Some(origin) = array.unique_items {
            let mut keywords = Keywords::default();
            keywords.array.unique_items = Some(origin);
            self.add(origin, Condition::Keyword(Keyword::UniqueItems), keywords);
        }
        if let Some(contains) = array.contains {
            let mut keywords = Keywords::default();
            let origin = contains.origin;
            keywords.array.contains = Some(contains);
            (keywords.array.min_contains, keywords.array.max_contains) = (array.min_contains, array.max_contains);
            self.add(origin, Condition::Keyword(Keyword::Contains), keywords);
        }
    }

    fn objects(&mut self, object: ObjectKeywords, origin: Origin) {
        let ObjectKeywords { properties, pattern_properties, additional_properties, property_names, .. } = object;
        if let Some(rest) = additional_properties {
            self.others(rest, &properties, &pattern_properties);
        }
        for key in object.required {
            let (origin, condition) = (key.origin, Condition::Required(key.value.clone()));
            self.object(origin, condition, |out| out.required.push(key));
        }
        self.bound(Keyword::MinProperties, object.min_properties, |out| &mut out.object.min_properties);
        self.bound(Keyword::MaxProperties, object.max_properties, |out| &mut out.object.max_properties);
        for (name, node) in properties {
            let origin = self.schemas.nodes.get(node.0 as usize).map_or(origin, |node| node.origin);
            let condition = Condition::Property(name.clone(), node);
            self.object(origin, condition, |out| out.properties.push((name, node)));
        }
        for (pattern, node) in pattern_properties {
            let (origin, condition) = (pattern.origin, Condition::PatternProperty(pattern.value.clone(), node));
            self.object(origin, condition, |out| out.pattern_properties.push((pattern, node)));
        }
        if let Some(names) = property_names {
            let origin = names.origin;
            self.object(origin, Condition::Keyword(Keyword::PropertyNames), |out| out.property_names = Some(names));
        }
        for entry in object.dependent_required {
            let origin = entry.0.origin;
            self.object(origin, Condition::Keyword(Keyword::DependentRequired), |out| {
                out.dependent_required.push(entry)
            });
        }
        for entry in object.dependent_schemas {
            let origin = entry.0.origin;
            self.object(origin, Condition::Keyword(Keyword::DependentSchemas), |out| out.dependent_schemas.push(entry));
        }
    }

    /// Adds `additionalProperties`, which applies to keys that match neither `properties` nor `patternProperties`.
    fn others(&mut self, rest: At<NodeId>, properties: &[(String, NodeId)], patterns: &[(At<String>, NodeId)]) {
        let names: Vec<String> = properties.iter().map(|(name, _)| name.clone()).collect();
        let closes =
            self.schemas.nodes.get(rest.value.0 as usize).is_some_and(|node| node.kind == NodeKind::Bool(false));
        let (anything, origin) = (self.anything, rest.origin);
        let condition = Condition::Additional(names.clone(), rest.value, closes);
        self.object(origin, condition, |out| {
            out.properties = names.into_iter().map(|name| (name, anything)).collect();
            out.pattern_properties = patterns.iter().map(|(pattern, _)| (pattern.clone(), anything)).collect();
            out.additional_properties = Some(rest);
        });
    }

    fn object(&mut self, origin: Origin, condition: Condition, set: impl FnOnce(&mut ObjectKeywords)) {
        let mut keywords = Keywords::default();
        set(&mut keywords.object);
        self.add(origin, condition, keywords);
    }
}

/// Formats a value for a message; long values are shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => short(&number.to_string()),
        Value::String(text) => format!("{:?}", short(text)),
        Value::Array(_) => "[...]".to_owned(),
        Value::Object(_) => "{...}".to_owned(),
    }
}

/// Returns the beginning of a text longer than [`SHOWN`] characters, and a shorter text as it is.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
