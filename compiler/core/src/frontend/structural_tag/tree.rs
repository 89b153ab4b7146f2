//! The tree of a structural tag: what its nodes say, without the many ways in which they can say it.

use ogc_grammar::Span;
use ogc_grammar::json::JsonValue;

use super::style::Style;

/// A node and its place.
pub(super) struct Node<'a> {
    pub(super) span: Span,
    pub(super) kind: NodeKind<'a>,
}

/// The kinds of nodes.
pub(super) enum NodeKind<'a> {
    /// These characters.
    Literal(&'a str),
    /// A value of a schema.
    Schema(SchemaNode<'a>),
    /// Any characters but some.
    Free { excludes: Vec<&'a str>, limit: Option<FreeLimit> },
    /// One token of the vocabulary.
    Token(TokenName<'a>),
    /// One token of text.
    TextToken,
    /// A text of a grammar; the value is the string with it.
    Grammar(&'a JsonValue),
    /// A text that a pattern matches; the value is the string with it.
    Regex(&'a JsonValue),
    /// One after another.
    Sequence(Vec<Node<'a>>),
    /// Any one.
    Union(Vec<Node<'a>>),
    /// A beginning, a content and an end.
    Tag(Box<Tag<'a>>),
    /// Free text in which triggers begin something else.
    Dispatch(Dispatch<'a>),
    /// Tags with a separator between them.
    List { tags: Vec<Node<'a>>, separator: &'a str, repeats: bool, may_be_empty: bool },
    /// Several times; without `max` any number.
    Repeat { content: Box<Node<'a>>, min: u32, max: Option<u32> },
}

/// A schema, and how its values are written.
pub(super) struct SchemaNode<'a> {
    /// The schema, or a string that holds its text.
    pub(super) schema: &'a JsonValue,
    pub(super) style: Style,
    /// Whether keys stand in any order.
    pub(super) is_unordered: bool,
    /// The most white space in a row.
    pub(super) longest_space: Option<u32>,
    /// Texts that do not occur in strings without quotes.
    pub(super) excludes: Vec<&'a str>,
}

impl<'a> SchemaNode<'a> {
    /// Returns a schema without any options.
    pub(super) fn plain(schema: &'a JsonValue, style: Style) -> Self {
        Self { schema, style, is_unordered: false, longest_space: None, excludes: Vec::new() }
    }
}

/// The greatest length of a free text.
#[derive(Clone, Copy)]
pub(super) enum FreeLimit {
    Tokens(u32),
    Chars(u32),
}

/// A token of the vocabulary, as a tag names it.
#[derive(Clone, Copy)]
pub(super) enum TokenName<'a> {
    Name(&'a str),
    Id(u32),
}

/// The beginning or an end of a tag.
#[derive(Clone, Copy)]
pub(super) enum Edge<'a> {
    Text(&'a str),
    Token(TokenName<'a>, Span),
}

/// A tag.
pub(super) struct Tag<'a> {
    pub(super) begin: Edge<'a>,
    pub(super) content: Node<'a>,
    /// One of these ends it.
    pub(super) ends: Vec<Edge<'a>>,
}

/// Free text in which triggers begin something else.
pub(super) struct Dispatch<'a> {
    pub(super) triggers: Vec<Trigger<'a>>,
    /// Texts that do not occur in the free text.
    pub(super) excludes: Vec<&'a str>,
    /// Whether the end of the tag around it does not occur in it either.
    pub(super) stops_at_end: bool,
    /// Whether free text goes on behind what a trigger began.
    pub(super) repeats: bool,
    /// Whether it begins with a trigger.
    pub(super) begins_at_once: bool,
}

/// A trigger, and what can follow it.
pub(super) struct Trigger<'a> {
    pub(super) text: Edge<'a>,
    pub(super) arms: Vec<Arm<'a>>,
}

/// The rest of a tag behind its trigger: the rest of its beginning, the content and the end.
pub(super) struct Arm<'a> {
    pub(super) rest: &'a str,
    pub(super) content: Node<'a>,
    /// One of these ends it; none for a content that ends by itself.
    pub(super) ends: Vec<Edge<'a>>,
}
