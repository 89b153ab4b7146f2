//! Groups of tokens of a head inside a key, made from the groups of its reference: see [`GroupsBeside`].

use std::sync::Arc;

use super::load;
use crate::completion::{Completions, Costs};
use crate::mask::free::FreeText;
use crate::mask::making;
use crate::mask::part::CostGroup;
use crate::mask::row::{Row, RowView, clear, set};
use crate::mask::store::MaskStore;
use crate::mask::walk::{GroupsBeside, Walker};
use crate::step::{Head, Stack};
use crate::trie::NodeId;
use crate::vocabulary::TokenId;
use crate::watch;

/// A list of tokens, ascending.
type Ascending = Vec<u32>;

impl MaskStore {
    /// Computes the groups and the exits of a head inside a key from those of its reference. `None` if it has no reference, or if the
    /// format is too ambiguous here.
    pub(super) fn costed_beside(
        &self,
        walker: &mut Walker,
        stack: &Stack,
        head: Head,
        (completions, costs): (&Completions, &mut Costs<'_>),
    ) -> Option<(Vec<CostGroup>, Vec<NodeId>)> {
        let automaton = costs.automaton();
        if automaton.derived.reads_markers() {
            return None;
        }
        let tables = self.tables(automaton.escapes)?;
        let start = load(walker, stack, head);
        let state = walker.reference_in_key(automaton, start)?;
        let known = self.costed(walker, stack, (None, Head { state, ..head }), (completions, &mut *costs))?;
        let start = load(walker, stack, head);
        let cutter = completions.cut.cutter(self.trie());
        let cost = |stack: &Stack, heads: &[Head]| costs.tokens_of(stack, heads, cutter);
        let groups = known.groups.iter().map(|group| Some((self.vocabulary().text(group.sample)?, group.cost)));
        let groups = groups.collect::<Option<Vec<_>>>()?;
        let found =
            walker.groups_beside(automaton, tables, (start, Head { state, ..start }), groups.into_iter(), cost)?;
        if walker.stack.take_overflow() || watch::is_stopped() {
            return None;
        }
        let exits = making::patched_exits(known.exits.nodes(), &found.governed, &found.found.exits);
        Some((self.groups_of(tables.free, &known.groups, found), exits))
    }

    /// Makes the groups of a head from those of its reference, and from those of a walk at governed nodes.
    fn groups_of(
        &self,
        free: &FreeText,
        known: &[CostGroup],
        GroupsBeside { found, governed }: GroupsBeside,
    ) -> Vec<CostGroup> {
        let lost = self.tokens_at(&governed);
        let mut own = found.groups.into_iter();
        let changed = known.iter().zip(own.by_ref()).filter_map(|(group, own)| self.changed(group, &lost, own.tokens));
        let mut groups: Vec<CostGroup> = changed.collect();
        groups.extend(own.filter_map(|group| self.group(free, group)));
        groups.sort_by_key(|group| (group.cost, group.sample));
        groups
    }

    fn tokens_at(&self, governed: &[(NodeId, NodeId)]) -> Ascending {
        let tokens = governed.iter().flat_map(|&(from, to)| self.trie().tokens_between(from, to));
        let mut tokens: Ascending = tokens.map(|token| token.0).collect();
        tokens.sort_unstable();
        tokens
    }

    /// Returns the group without the tokens in `lost`, which ascends, and with the tokens in `added`. `None` if none are left.
    fn changed(&self, group: &CostGroup, lost: &[u32], added: Vec<u32>) -> Option<CostGroup> {
        if added.is_empty() && !has_any(group.row.view(), lost) {
            return Some(CostGroup { row: Arc::clone(&group.row), ..*group });
        }
        let row = self.changed_row(group.row.view(), lost, added);
        let sample = self.sample_of(&row)?;
        Some(CostGroup { cost: group.cost, row: row.into(), sample })
    }

    fn changed_row(&self, row: RowView<'_>, lost: &[u32], mut added: Vec<u32>) -> Row {
        let len = self.vocabulary().len();
        if let RowView::Sparse(tokens) = row {
            added.extend(tokens.iter().filter(|token| lost.binary_search(token).is_err()));
            added.sort_unstable();
            added.dedup();
            return Row::from_tokens(&added, len);
        }
        let mut bits = vec![0; len.div_ceil(32)];
        row.copy_to(&mut bits);
        lost.iter().for_each(|&token| clear(&mut bits, token));
        added.iter().for_each(|&token| set(&mut bits, token));
        Row::from_bits(bits)
    }

    /// Returns the sample of a group with this row: the same as if the group had been collected by a walk.
    fn sample_of(&self, row: &Row) -> Option<TokenId> {
        if let Row::Sparse(tokens) = row {
            return self.sample(tokens.iter().map(|&token| TokenId(token)));
        }
        let all = self.trie().tokens_between(NodeId(1), NodeId(self.trie().len() as u32)).iter().copied();
        self.sample(all.filter(|token| row.view().contains(token.0)))
    }
}

/// Returns whether the row has one of the tokens in a list that ascends.
fn has_any(row: RowView<'_>, tokens: &[u32]) -> bool {
    match row {
        RowView::Sparse(own) if own.len() < tokens.len() => own.iter().any(|token| tokens.binary_search(token).is_ok()),
        RowView::Sparse(_) | RowView::Dense(_) | RowView::Delta { .. } => {
            tokens.iter().any(|&token| row.contains(token))
        }
    }
}
