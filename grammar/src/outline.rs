//! The syntax of a text as an indented outline: for those who look at what a reader made of it.
//!
//! A node has the name of its kind, its place, and the beginning of its text. One file for each kind of tree says which nodes
//! there are; all of them recurse as deep as their reader lets texts nest.

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
    /// The name of its kind.
    pub kind: &'static str,
    /// Where it is written.
    pub span: Span,
    /// What it says, if that follows from the notation and is written nowhere.
    pub implied: Option<String>,
    /// The nodes directly inside, in source order.
    pub children: Vec<Node>,
}

impl Node {
    fn new(kind: &'static str, span: Span, children: Vec<Node>) -> Node {
        Node { kind, span, implied: None, children }
    }

    /// A node without nodes in it.
    #[must_use]
    pub fn leaf(kind: &'static str, span: Span) -> Node {
        Node::new(kind, span, Vec::new())
    }

    /// The outline of `text`, which this was read from: a line for each node, two spaces for each level.
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

/// A text on one line, cut where it is long.
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
