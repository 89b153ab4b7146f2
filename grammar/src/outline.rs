//! The syntax of a text as an indented outline, which shows how a reader understood the text.
//!
//! A node has the name of its kind, its place, and the beginning of its text. Each kind of tree has a file that makes
//! its nodes; the nesting limit of the tree's reader bounds the recursion.

mod json;
mod ogc;
mod rules;

use std::fmt::Write as _;

use crate::lines::LineIndex;
use crate::span::{Span, part};

/// A node of an outline.
///
/// ```
/// use ogc_grammar::outline::Node;
/// use ogc_grammar::LineIndex;
/// let text = "[1, \"b\"]";
/// let (value, _) = ogc_grammar::json::parse(text);
/// let outline = Node::of_json(&value.unwrap());
/// let expected = "array 1:1  [1, \"b\"]\n  number 1:2  1\n  string 1:5  \"b\"\n";
/// assert_eq!(outline.print(text, &LineIndex::new(text)), expected);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name of the node's kind.
    pub kind: &'static str,
    /// Place of the node in the text.
    pub span: Span,
    /// Content of the node that follows from the notation and is not written in the text.
    pub implied: Option<String>,
    /// Nodes directly inside, in source order.
    pub children: Vec<Node>,
}

impl Node {
    fn new(kind: &'static str, span: Span, children: Vec<Node>) -> Node {
        Node { kind, span, implied: None, children }
    }

    /// Makes a node without children.
    #[must_use]
    pub fn leaf(kind: &'static str, span: Span) -> Node {
        Node::new(kind, span, Vec::new())
    }

    /// Returns the outline as text: a line for each node, indented by two spaces for each level. `text` is the text
    /// that the tree was read from.
    #[must_use]
    pub fn print(&self, text: &str, lines: &LineIndex) -> String {
        let mut out = String::new();
        self.print_at(0, text, lines, &mut out);
        out
    }

    fn print_at(&self, depth: usize, text: &str, lines: &LineIndex, out: &mut String) {
        let place = lines.place(self.span.start);
        let said = match &self.implied {
            Some(implied) => format!("  (implied: {})", excerpt(implied)),
            None if self.span.is_empty() => String::new(),
            None => format!("  {}", excerpt(self.span.text(text))),
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "{:1$}{2} {place}{said}", "", 2 * depth, self.kind);
        self.children.iter().for_each(|child| child.print_at(depth + 1, text, lines, out));
    }
}

/// Returns a text on one line, shortened if it is long.
///
/// ```
/// use ogc_grammar::outline::excerpt;
/// assert_eq!(excerpt("a =\n  1"), "a = 1");
/// assert_eq!(excerpt(&"x".repeat(80)), format!("{}...", "x".repeat(60)));
/// ```
#[must_use]
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let (mut line, mut count) = (String::new(), 0);
    for word in text.split_whitespace() {
        if count > SHOWN {
            break;
        }
        let space = if line.is_empty() { "" } else { " " };
        for c in space.chars().chain(word.chars().take(SHOWN + 1)) {
            line.push(c);
            count += 1;
        }
    }
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", part(&line, ..end)),
        None => line,
    }
}
