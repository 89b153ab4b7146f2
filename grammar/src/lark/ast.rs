//! The syntax tree of a Lark file, before templates are expanded and terminals are separated from rules.

use crate::rules::{Grammar, TextLength, VocabularyToken};
use crate::span::{Span, Spanned};

/// A Lark file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Rules and terminals in source order, imported ones included.
    pub(super) items: Vec<Item>,
    /// The patterns of `%ignore`.
    pub(super) ignored: Vec<Node>,
    pub(super) options: Options,
    /// The imports of other files that are still to be resolved.
    pub(super) imports: Vec<Import>,
}

impl File {
    /// Returns the grammars that the file names with `@name`, each with its place.
    pub(super) fn given(&self) -> Vec<(Span, &str)> {
        let mut found = Vec::new();
        let mut open: Vec<&Node> = self.items.iter().map(|item| &item.body).collect();
        while let Some(node) = open.pop() {
            if let NodeKind::Given(name) = &node.kind {
                found.push((node.span, name.as_str()));
            }
            open.extend(node.children());
        }
        found.sort_unstable();
        found
    }
}

/// `%import .a.b.NAME -> ALIAS`, or `%import .a.b (NAME, other)`.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// Span of the path after `%import`, including the dots, without the alias.
    pub(super) span: Span,
    /// Whether the path begins with a dot, so that no library is meant.
    pub(super) is_relative: bool,
    /// The folders and the name of the file.
    pub(super) parts: Vec<String>,
    /// The imported items, each with its alias, if any.
    pub(super) names: Vec<(Spanned<String>, Option<Spanned<String>>)>,
}

/// The options of a `%llguidance` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Whether ignored text may come before the first terminal.
    pub(super) initial_skip: bool,
    /// Whether ignored text is a single ignored terminal instead of any number of them.
    pub(super) ignore_once: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { initial_skip: true, ignore_once: false }
    }
}

/// The effect of a statement on an earlier one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Define,
    Override,
    Extend,
}

/// A rule or a terminal.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: Spanned<String>,
    /// The parameters of a template; empty if it is none.
    pub(super) params: Vec<Spanned<String>>,
    pub(super) mode: Mode,
    pub(super) ending: Ending,
    /// The maximum length of its texts.
    pub(super) length: Option<TextLength>,
    pub(super) captures: Captures,
    pub(super) body: Node,
}

/// The attributes of a rule.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) ending: Ending,
    pub(super) length: Option<TextLength>,
    pub(super) captures: Captures,
}

/// The captures that the attributes of a rule ask for; their spans are those of the attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Captures {
    /// Name of the rule's text; a text that ends the rule (`stop`, `suffix`) is no part of it.
    pub(super) text: Option<Spanned<String>>,
    /// Name of the text that ends the rule.
    pub(super) stop: Option<Spanned<String>>,
}

impl Item {
    /// Returns whether ignored text is forbidden inside the item's texts, as in a terminal: it is one, or a rule with
    /// an end condition or a maximum length.
    pub(super) fn is_terminal(&self) -> bool {
        is_terminal_name(&self.name.value) || self.ending != Ending::Free || self.length.is_some()
    }
}

/// The end condition of an item's texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Ending {
    /// None: a text ends wherever the body ends.
    #[default]
    Free,
    /// Lazy: a text ends at the first end of the body.
    Lazy(Span),
    /// A text ends at the first match of this expression after the body.
    Marker(Box<Node>, Span),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) kind: NodeKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Literal(String),
    Range(char, char),
    /// A regular expression in ogc's dialect.
    Regex(String),
    Name(String),
    Template {
        name: Spanned<String>,
        arguments: Vec<Node>,
    },
    Token(VocabularyToken),
    /// Zero or more of these texts that are consecutive in the list.
    Substring(Vec<String>),
    /// The text of a JSON Schema.
    Json(String),
    /// An inner grammar with names of its own.
    Nested(Box<Grammar>),
    /// A grammar that is given by name, `@name`, and still to be read.
    Given(String),
    Sequence(Vec<Node>),
    Alternation(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
    },
    /// The texts that all operands match. Invariant: at least two operands.
    And(Vec<Node>),
    /// The texts that the expression does not match.
    Not(Box<Node>),
}

impl Node {
    pub(super) fn new(kind: NodeKind, span: Span) -> Node {
        Node { span, kind }
    }

    /// Returns the nodes directly inside.
    pub(super) fn children(&self) -> &[Node] {
        match &self.kind {
            NodeKind::Sequence(nodes) | NodeKind::Alternation(nodes) | NodeKind::And(nodes) => nodes,
            NodeKind::Template { arguments, .. } => arguments,
            NodeKind::Repeat { node, .. } | NodeKind::Not(node) => std::slice::from_ref(node),
            NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Name(_)
            | NodeKind::Token(_)
            | NodeKind::Substring(_)
            | NodeKind::Json(_)
            | NodeKind::Nested(_)
            | NodeKind::Given(_) => &[],
        }
    }
}

/// Returns whether a name is written as terminals are: in capitals, underscores aside. For an imported item, the name
/// of its file, which comes first, does not count.
pub(super) fn is_terminal_name(name: &str) -> bool {
    let name = name.split('{').next().unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default().chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
}
