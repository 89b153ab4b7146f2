//! The tree of a structural tag, in a normal form: a tag's JSON can express the same node in several ways.

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
    /// Literal characters.
    Literal(&'a str),
    /// A value of a JSON Schema.
    Schema(SchemaNode<'a>),
    /// Free text without the texts in `excludes`.
    Free { excludes: Vec<&'a str>, limit: Option<FreeLimit> },
    /// One token of the vocabulary.
    Token(TokenName<'a>),
    /// One token of text.
    TextToken,
    /// A text of a grammar; the field is the JSON string with the grammar.
    Grammar(&'a JsonValue),
    /// A text that matches a pattern; the field is the JSON string with the pattern.
    Regex(&'a JsonValue),
    /// Nodes one after another.
    Sequence(Vec<Node<'a>>),
    /// Alternatives.
    Union(Vec<Node<'a>>),
    /// A beginning, a content and an end.
    Tag(Box<Tag<'a>>),
    /// Free text in which triggers start tags.
    Dispatch(Dispatch<'a>),
    /// Tags with a separator between them.
    List { tags: Vec<Node<'a>>, separator: &'a str, repeats: bool, may_be_empty: bool },
    /// A repetition; unbounded if `max` is `None`.
    Repeat { content: Box<Node<'a>>, min: u32, max: Option<u32> },
}

/// A schema, with options for how its values are written.
pub(super) struct SchemaNode<'a> {
    /// The schema, or a JSON string with its text.
    pub(super) schema: &'a JsonValue,
    pub(super) style: Style,
    /// Whether keys may come in any order.
    pub(super) is_unordered: bool,
    /// Maximum length of a run of white space.
    pub(super) longest_space: Option<u32>,
    /// Texts that must not occur in unquoted strings.
    pub(super) excludes: Vec<&'a str>,
}

impl<'a> SchemaNode<'a> {
    /// Makes a schema node with default options.
    pub(super) fn plain(schema: &'a JsonValue, style: Style) -> Self {
        Self { schema, style, is_unordered: false, longest_space: None, excludes: Vec::new() }
    }
}

/// A bound on the length of a free text.
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
    /// The alternative endings.
    pub(super) ends: Vec<Edge<'a>>,
}

/// Free text in which triggers start tags.
pub(super) struct Dispatch<'a> {
    pub(super) triggers: Vec<Trigger<'a>>,
    /// Texts that must not occur in the free text.
    pub(super) excludes: Vec<&'a str>,
    /// Whether the ending of the enclosing tag must not occur in it either.
    pub(super) stops_at_end: bool,
    /// Whether free text continues after a triggered part.
    pub(super) repeats: bool,
    /// Whether the text must begin with a trigger.
    pub(super) begins_at_once: bool,
}

/// A trigger, and its possible continuations.
pub(super) struct Trigger<'a> {
    pub(super) text: Edge<'a>,
    pub(super) arms: Vec<Arm<'a>>,
}

/// A tag without its trigger: the rest of its beginning, the content and the ending.
pub(super) struct Arm<'a> {
    pub(super) rest: &'a str,
    pub(super) content: Node<'a>,
    /// The alternative endings; empty if the content ends by itself.
    pub(super) ends: Vec<Edge<'a>>,
}
