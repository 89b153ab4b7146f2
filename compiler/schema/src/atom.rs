//! Atoms: the conditions of a schema on one JSON type after its combinators are resolved.

use crate::source::NodeId;

/// The JSON types; `integer` is a kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    /// All of them.
    pub(crate) const ALL: [Self; 6] = [Self::Null, Self::Bool, Self::Number, Self::String, Self::Array, Self::Object];

    /// The set of this type alone.
    pub(crate) fn bit(self) -> TypeSet {
        TypeSet(1 << self as u8)
    }
}

/// A set of JSON types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TypeSet(pub(crate) u8);

impl TypeSet {
    /// Every type.
    pub(crate) const ALL: Self = Self(0b11_1111);
    /// No type.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn has(self, ty: Type) -> bool {
        self.0 & ty.bit().0 != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// One condition on values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Atom {
    /// The node's keywords of this type hold.
    Base(NodeId),
    /// The value is in the node's n-th list.
    Listed(NodeId, u32),
    /// The value is not in the node's n-th list.
    Unlisted(NodeId, u32),
    /// One keyword of this type fails.
    Fails(NodeId, Keyword),
    /// The key of the n-th property is absent.
    Without(NodeId, u32),
    /// The key of the n-th `dependentRequired` is absent.
    ListAbsent(NodeId, u32),
    /// The key of the n-th `dependentRequired` is present, and so are all keys that it requires.
    ListPresent(NodeId, u32),
    /// The key of the n-th `dependentRequired` is present, and its m-th requirement is absent.
    ListFails(NodeId, u32, u32),
    /// The key of the n-th `dependentSchemas` is absent.
    SchemaAbsent(NodeId, u32),
    /// The key of the n-th `dependentSchemas` is present.
    SchemaPresent(NodeId, u32),
    /// A choice between keys of an object that is kept as a condition, by its index; the node is one of its
    /// alternatives.
    Kept(NodeId, u32),
}

impl Atom {
    /// The node whose keywords the atom is about.
    pub(crate) fn node(self) -> NodeId {
        match self {
            Self::Base(node)
            | Self::Listed(node, _)
            | Self::Unlisted(node, _)
            | Self::Fails(node, _)
            | Self::Without(node, _)
            | Self::ListAbsent(node, _)
            | Self::ListPresent(node, _)
            | Self::ListFails(node, _, _)
            | Self::SchemaAbsent(node, _)
            | Self::SchemaPresent(node, _)
            | Self::Kept(node, _) => node,
        }
    }
}

/// A single keyword that a negation may violate; the index picks one of several of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Keyword {
    /// All keywords of numbers together: sets of numbers are closed under complement.
    Number,
    MinLength,
    MaxLength,
    Pattern(u32),
    Format(u32),
    Prefix(u32),
    Items,
    MinItems,
    MaxItems,
    Unique,
    /// Fewer items match `contains` than required.
    FewContained,
    /// More items match `contains` than allowed.
    ManyContained,
    Property(u32),
    PatternProperty(u32),
    Additional,
    Names,
    Required(u32),
    MinProperties,
    MaxProperties,
}
