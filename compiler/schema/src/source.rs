//! The input of the algebra: a graph of schemas with resolved references.
//!
//! Every input language with JSON values (JSON Schema and `.ogc` types) is translated to this graph. Nodes refer to
//! each other by [`NodeId`], so recursion is an edge. An absent keyword is `None` or empty. Every keyword constrains
//! only values of its own JSON type, as in the standard.

mod append;
mod print;

use ogc_regular::number::{Decimal, Decimals};

/// An opaque handle for the place of a node or a keyword; the front end maps it back to a source span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub u32);

/// Index of a schema in [`Schemas::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// All the schemas of one format, as a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schemas {
    /// The nodes; `NodeId` indexes them.
    pub nodes: Vec<Node>,
    /// The schema of the whole value.
    pub root: Option<NodeId>,
}

/// One schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// For diagnostics.
    pub origin: Origin,
    /// Its keywords, or a boolean.
    pub kind: NodeKind,
}

/// A boolean schema or an object of keywords.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `true` (any value) or `false` (none).
    Bool(bool),
    /// A conjunction of keywords.
    Keywords(Box<Keywords>),
}

/// A set of JSON types, as `type` writes it. `integer` is a subset of `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are JSON's own")]
#[allow(clippy::struct_excessive_bools, reason = "a set over seven fixed names")]
pub struct Types {
    pub null: bool,
    pub boolean: bool,
    pub integer: bool,
    pub number: bool,
    pub string: bool,
    pub array: bool,
    pub object: bool,
}

/// A JSON value with exact numbers (`enum`, `const`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// An exact number.
    Number(Decimal),
    /// Decoded text.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object; keys in source order, without duplicates.
    Object(Vec<(String, Value)>),
}

/// A keyword's value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The place.
    pub origin: Origin,
    /// The value.
    pub value: T,
}

/// The keywords of one schema object. `None` and empty mean "absent".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keywords {
    /// `type`
    pub types: Option<At<Types>>,
    /// `enum` (`const` is an enum of one)
    pub one_of_values: Vec<At<Vec<Value>>>,
    /// `$ref`, resolved. Where it hides its siblings, as in old drafts, the front end has dropped them.
    pub reference: Option<At<NodeId>>,
    /// `allOf`
    pub all_of: Vec<NodeId>,
    /// Each `anyOf` (normally one)
    pub any_of: Vec<At<Vec<NodeId>>>,
    /// Each `oneOf`
    pub one_of: Vec<At<Vec<NodeId>>>,
    /// `not`
    pub not: Option<At<NodeId>>,
    /// `if` with `then` and `else` (absent: true)
    pub conditional: Option<At<Conditional>>,
    /// String keywords.
    pub string: StringKeywords,
    /// Number keywords.
    pub number: NumberKeywords,
    /// Array keywords.
    pub array: ArrayKeywords,
    /// Object keywords.
    pub object: ObjectKeywords,
}

/// `if`, `then`, `else`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The condition.
    pub condition: NodeId,
    /// The schema that holds if the condition does.
    pub then: Option<NodeId>,
    /// The schema that holds if the condition does not.
    pub otherwise: Option<NodeId>,
}

/// Keywords that constrain strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringKeywords {
    /// `minLength`, in code points
    pub min_length: Option<At<u64>>,
    /// `maxLength`, in code points
    pub max_length: Option<At<u64>>,
    /// `pattern` (ECMA-262, unanchored); several after merging
    pub patterns: Vec<At<String>>,
    /// `format`: a name the front end knows to be supported
    pub formats: Vec<At<String>>,
}

/// Keywords that constrain numbers. `exclusiveMinimum: true` of draft 4 has become `exclusive_minimum`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the standard's own")]
pub struct NumberKeywords {
    pub minimum: Option<At<Decimal>>,
    pub maximum: Option<At<Decimal>>,
    pub exclusive_minimum: Option<At<Decimal>>,
    pub exclusive_maximum: Option<At<Decimal>>,
    /// Positive.
    pub multiple_of: Option<At<Decimal>>,
    /// The number of digits written behind the point. It constrains spelling, not values; a `multiple_of` next to it
    /// constrains the last digit.
    pub decimals: Option<At<Decimals>>,
}

/// Keywords that constrain arrays, named as in draft 2020-12.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the standard's own")]
pub struct ArrayKeywords {
    pub prefix_items: Vec<NodeId>,
    /// Schema of the items after the prefix.
    pub items: Option<At<NodeId>>,
    pub min_items: Option<At<u64>>,
    pub max_items: Option<At<u64>>,
    /// `uniqueItems: true`
    pub unique_items: Option<Origin>,
    pub contains: Option<At<NodeId>>,
    pub min_contains: Option<At<u64>>,
    pub max_contains: Option<At<u64>>,
}

/// Keywords that constrain objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the standard's own")]
pub struct ObjectKeywords {
    /// In source order; keys decoded.
    pub properties: Vec<(String, NodeId)>,
    pub pattern_properties: Vec<(At<String>, NodeId)>,
    pub additional_properties: Option<At<NodeId>>,
    pub property_names: Option<At<NodeId>>,
    pub required: Vec<At<String>>,
    pub min_properties: Option<At<u64>>,
    pub max_properties: Option<At<u64>>,
    /// `dependentRequired`, and the list form of `dependencies`
    pub dependent_required: Vec<(At<String>, Vec<String>)>,
    /// `dependentSchemas`, and the schema form of `dependencies`
    pub dependent_schemas: Vec<(At<String>, NodeId)>,
}
