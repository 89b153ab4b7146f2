//! Masks along the draft tokens of speculative decoding, in one call and without moving the matcher.

use super::batch::MaskRows;
use super::{MatchError, Matcher};
use crate::vocabulary::TokenId;

/// A token of a draft tree.
///
/// ```
/// use ogc_runtime::matcher::DraftNode;
/// use ogc_runtime::vocabulary::TokenId;
/// let first = DraftNode { token: TokenId(5), parent: None };
/// assert_ne!(first, DraftNode { token: TokenId(5), parent: Some(0) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftNode {
    /// The token.
    pub token: TokenId,
    /// The index of the node before it, which is less than its own; `None` if the token comes first.
    pub parent: Option<usize>,
}

impl Matcher {
    /// Writes the masks along a draft: row 0 is the mask now, row `i` the mask after the first `i` tokens. Returns the number of draft
    /// tokens that are allowed. The rows after the first refused token allow nothing. The matcher does not move.
    ///
    /// # Errors
    ///
    /// As [`Matcher::mask`]; [`MatchError::Rows`] if there are fewer rows than tokens plus one.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut words = [u32::MAX; 3];
    /// let mut rows = MaskRows::new(&mut words, 1).expect("a stride");
    /// assert_eq!(matcher.fill_draft(&[TokenId(2), TokenId(0)], &mut rows)?, 1);
    /// assert_eq!(words, [0b101, 0b1_0010, 0]);
    /// assert!(matcher.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_draft(&mut self, tokens: &[TokenId], rows: &mut MaskRows<'_>) -> Result<usize, MatchError> {
        let node = |(at, &token): (usize, &TokenId)| DraftNode { token, parent: at.checked_sub(1) };
        let nodes: Vec<DraftNode> = tokens.iter().enumerate().map(node).collect();
        Ok(self.fill_draft_tree(&nodes, rows)?.into_iter().filter(|allowed| *allowed).count())
    }

    /// Writes the masks of a draft tree: row 0 is the mask now, row `i + 1` the mask after node `i` and all its ancestors. Returns for each
    /// node whether it is allowed; the row of a refused node allows nothing. The matcher does not move.
    ///
    /// # Errors
    ///
    /// As [`Matcher::fill_draft`]. A node whose parent does not precede it is not allowed.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let node = |token, parent| DraftNode { token: TokenId(token), parent };
    /// let tree = [node(2, None), node(1, Some(0)), node(3, Some(0)), node(0, None)];
    /// let mut words = [0; 5];
    /// let mut rows = MaskRows::new(&mut words, 1).expect("a stride");
    /// assert_eq!(matcher.fill_draft_tree(&tree, &mut rows)?, [true, true, false, true]);
    /// assert_eq!(words, [0b101, 0b1_0010, 0b1_0010, 0, 0b10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_draft_tree(&mut self, nodes: &[DraftNode], rows: &mut MaskRows<'_>) -> Result<Vec<bool>, MatchError> {
        if rows.len() <= nodes.len() {
            return Err(MatchError::Rows { given: rows.len(), limit: nodes.len() + 1 });
        }
        self.and_back(|matcher| matcher.fill_tree(nodes, rows))
    }

    /// As [`Matcher::fill_draft_tree`], but leaves the matcher at the last node.
    fn fill_tree(&mut self, nodes: &[DraftNode], rows: &mut MaskRows<'_>) -> Result<Vec<bool>, MatchError> {
        self.fill_mask(rows.row(0))?;
        let mut allowed = Vec::with_capacity(nodes.len());
        // The nodes that the matcher has accepted: a path from the root.
        let mut way: Vec<usize> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let is_allowed = match node.parent {
                Some(parent) if !allowed.get(parent).copied().unwrap_or(false) => false,
                parent => {
                    self.go_to(nodes, &mut way, parent)?;
                    self.accept_token(node.token).is_ok()
                }
            };
            allowed.push(is_allowed);
            if is_allowed {
                way.push(at);
                self.fill_mask(rows.row(at + 1))?;
            } else {
                rows.row(at + 1).fill(0);
            }
        }
        Ok(allowed)
    }

    /// Moves the matcher from the node at the end of `way` to a node that was accepted before.
    fn go_to(&mut self, nodes: &[DraftNode], way: &mut Vec<usize>, to: Option<usize>) -> Result<(), MatchError> {
        let mut ahead = Vec::new();
        let mut at = to;
        // Go up from the target to a node on the path; this ends, as a parent has a lesser index.
        while let Some(node) = at.filter(|node| !way.contains(node)) {
            ahead.push(node);
            at = nodes[node].parent;
        }
        let keep = at.and_then(|node| way.iter().position(|&other| other == node)).map_or(0, |depth| depth + 1);
        self.rollback(way.len() - keep)?;
        way.truncate(keep);
        for node in ahead.into_iter().rev() {
            self.accept_token(nodes[node].token)?;
            way.push(node);
        }
        Ok(())
    }
}
