//! Finds the counted repetitions of a pattern, to explain why its automaton is large.

use super::ast::{Node, Span};
use super::error::PatternError;
use super::parse::parse;
use crate::limits::Limits;

/// A repetition with a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The position of the repeated part with its bounds.
    pub span: Span,
    /// The least number of times.
    pub min: u32,
    /// The greatest number of times, if there is one.
    pub max: Option<u32>,
}

impl Repetition {
    /// Returns how many copies of the body the program has.
    #[must_use]
    pub fn copies(&self) -> u32 {
        self.max.unwrap_or(self.min)
    }

    /// Returns the position of the bounds; of the whole repetition, if the bounds are not written `{m,n}`.
    #[must_use]
    pub fn bounds(&self, pattern: &str) -> Span {
        let open = pattern.get(self.span.clone()).and_then(|text| text.rfind('{'));
        self.span.start + open.unwrap_or(0)..self.span.end
    }

    /// Returns the repetition without its bounds: `*` or `+`.
    #[must_use]
    pub fn unbounded(&self, pattern: &str) -> String {
        let body = pattern.get(self.span.start..self.bounds(pattern).start).unwrap_or_default();
        format!("{body}{}", if self.min == 0 { '*' } else { '+' })
    }

    /// Returns the pattern with the repetition [`unbounded`](Self::unbounded).
    #[must_use]
    pub fn loosened(&self, pattern: &str) -> String {
        let outside = |range: Option<&str>| range.unwrap_or_default().to_owned();
        let (before, after) = (outside(pattern.get(..self.span.start)), outside(pattern.get(self.span.end..)));
        before + &self.unbounded(pattern) + &after
    }
}

/// Returns the repetitions of a pattern whose bodies have more than `copies` copies in the program, inner repetitions
/// before outer ones.
///
/// ```
/// use ogc_regular::{Limits, pattern::repetitions};
/// let pattern = "^a{3}(b|[{]){1,400}?$";
/// let found = repetitions(pattern, 3, &Limits::default())?;
/// assert_eq!(&pattern[found[0].span.clone()], "(b|[{]){1,400}?");
/// assert_eq!(found[0].loosened(pattern), "^a{3}(b|[{])+$");
/// # Ok::<(), ogc_regular::pattern::PatternError>(())
/// ```
///
/// # Errors
///
/// As [`compile`](super::compile).
pub fn repetitions(pattern: &str, copies: u32, limits: &Limits) -> Result<Vec<Repetition>, PatternError> {
    let mut found = Vec::new();
    collect(&parse(pattern, limits)?.root, &mut found);
    found.retain(|one| one.copies() > copies);
    Ok(found)
}

/// Collects the repetitions of a node. The parser's limit on nesting bounds the recursion.
fn collect(node: &Node, found: &mut Vec<Repetition>) {
    match node {
        Node::Concat(parts) | Node::Alt(parts) => parts.iter().for_each(|part| collect(part, found)),
        Node::Look { node, .. } => collect(node, found),
        Node::Repeat { node, min, max, span } => {
            collect(node, found);
            found.push(Repetition { span: span.clone(), min: *min, max: *max });
        }
        Node::Empty | Node::Set(_) | Node::Half(_) | Node::Start | Node::End | Node::Boundary { .. } => {}
    }
}
