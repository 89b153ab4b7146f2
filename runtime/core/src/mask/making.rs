//! Makes rows from the results of walks. Equal sets of tokens get equal forms, however they were found.

use std::sync::Arc;

use super::free::FreeText;
use super::part::Base;
use super::row::{Row, RowView, SPARSE, clear, ones, set};
use super::vocabulary_tables::VocabularyTables;
use super::walk::WalkFound;
use crate::trie::{NodeId, TokenTrie};

/// Makes a row of the tokens that a walk found.
pub(super) fn row(free: &FreeText, found: &WalkFound) -> Row {
    let tokens = &found.tokens;
    if !found.difference {
        return of_list(free, tokens);
    }
    // A token can be refused on one path and read on another (several tokens with one text, or two spellings). A token that is read by its
    // marker is in `tokens` even if the free row has it.
    let lost = found.removed.iter().copied().filter(|token| tokens.binary_search(token).is_err());
    let added = tokens.iter().copied().filter(|&token| !free.has(token));
    of_difference(free, added.collect(), lost.collect())
}

/// Makes the row and the exits of a head from those of its reference: the head's own tokens and exits (`found`) at governed nodes, and those
/// of the reference elsewhere. `found.exits` has the root if the head can return at once.
pub(super) fn patched(
    tables: VocabularyTables<'_>,
    known: &Base,
    governed: &[(NodeId, NodeId)],
    found: WalkFound,
) -> (Row, Vec<NodeId>) {
    let row = patched_row(tables.free, tables.trie, &known.row, governed, found.tokens);
    (row, patched_exits(known.exits.nodes(), governed, &found.exits))
}

/// Makes the row of a head from the row of its reference. It has the tokens that the head reads (`read`) at governed nodes, and the tokens
/// of the reference elsewhere.
pub(super) fn patched_row(
    free: &FreeText,
    trie: &TokenTrie,
    known: &Row,
    governed: &[(NodeId, NodeId)],
    mut read: Vec<u32>,
) -> Row {
    read.sort_unstable();
    read.dedup();
    let view = known.view();
    let at_governed = governed.iter().flat_map(|&(from, to)| trie.tokens_between(from, to));
    let mut lost: Vec<u32> = at_governed.map(|token| token.0).filter(|&token| view.contains(token)).collect();
    lost.retain(|token| read.binary_search(token).is_err());
    lost.sort_unstable();
    lost.dedup();
    read.retain(|&token| !view.contains(token));
    changed(free, known, &read, &lost)
}

/// Makes a row of tokens in any order.
pub(super) fn row_of(free: &FreeText, mut tokens: Vec<u32>) -> Row {
    // More tokens become bits, which need no sorting.
    if tokens.len() <= SPARSE {
        tokens.sort_unstable();
        tokens.dedup();
    }
    of_list(free, &tokens)
}

/// Adds the tokens `added`, which the row lacks, and removes the tokens `lost`, which it has. Both lists ascend.
fn changed(free: &FreeText, row: &Row, added: &[u32], lost: &[u32]) -> Row {
    if added.is_empty() && lost.is_empty() {
        return row.clone();
    }
    let (free_added, added): (Vec<u32>, Vec<u32>) = added.iter().partition(|&&token| free.has(token));
    let (free_lost, lost): (Vec<u32>, Vec<u32>) = lost.iter().partition(|&&token| free.has(token));
    match row.view() {
        RowView::Sparse(tokens) => {
            let kept = merged(&without(tokens, &merged(&lost, &free_lost)), &merged(&added, &free_added));
            of_list(free, &kept)
        }
        RowView::Dense(words) if words != &*free.row => {
            let mut bits = words.to_vec();
            added.iter().chain(&free_added).for_each(|&token| set(&mut bits, token));
            lost.iter().chain(&free_lost).for_each(|&token| clear(&mut bits, token));
            of_bits(free, bits)
        }
        RowView::Dense(_) => of_difference(free, added, free_lost),
        // The store makes deltas of the free row only.
        RowView::Delta { add, remove, .. } => {
            let add = merged(&without(add, &lost), &added);
            let remove = merged(&without(remove, &free_added), &free_lost);
            of_difference(free, add, remove)
        }
    }
}

/// Makes the exits of a head from those of its reference: the exits in `found` at governed nodes, and the exits of the reference elsewhere.
pub(super) fn patched_exits(known: &[NodeId], governed: &[(NodeId, NodeId)], found: &[NodeId]) -> Vec<NodeId> {
    let mut ranges = governed.iter().peekable();
    let mut exits: Vec<NodeId> = Vec::with_capacity(known.len() + found.len());
    for &node in known {
        while ranges.next_if(|(_, end)| *end <= node).is_some() {}
        let governed = ranges.peek().is_some_and(|(from, _)| *from <= node);
        exits.extend((!governed).then_some(node));
    }
    exits.extend_from_slice(found);
    exits.sort_unstable();
    exits.dedup();
    exits
}

/// Merges two ascending lists without common tokens.
fn merged(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut all = [one, other].concat();
    all.sort_unstable();
    all
}

/// Returns the tokens of the first list that are not in the second; both ascend.
fn without(tokens: &[u32], other: &[u32]) -> Vec<u32> {
    let mut other = other.iter().copied().peekable();
    let mut is_kept = |token: u32| {
        while other.next_if(|&next| next < token).is_some() {}
        other.peek() != Some(&token)
    };
    tokens.iter().copied().filter(|&token| is_kept(token)).collect()
}

/// Returns whether a row of `count` tokens, which differs from the free row in `difference` tokens, is stored as a list. Otherwise it is
/// stored as a delta of the free row if that is short, or else as bits.
fn is_list(count: usize, difference: usize) -> bool {
    count <= SPARSE && count <= difference
}

/// Makes a row from an ascending list of tokens.
fn of_list(free: &FreeText, tokens: &[u32]) -> Row {
    let inside = tokens.iter().filter(|&&token| free.has(token)).count();
    if is_list(tokens.len(), (tokens.len() + free.len).saturating_sub(2 * inside)) {
        return Row::Sparse(tokens.into());
    }
    let mut bits = vec![0; free.row.len()];
    tokens.iter().for_each(|&token| set(&mut bits, token));
    of_bits(free, bits)
}

/// Makes a row from its difference to the free row: `add` has the tokens that the free row lacks, `remove` the tokens that only the free
/// row has. Both ascend.
fn of_difference(free: &FreeText, add: Vec<u32>, remove: Vec<u32>) -> Row {
    let (count, difference) = ((free.len + add.len()).saturating_sub(remove.len()), add.len() + remove.len());
    if difference == 0 {
        return Row::Dense(Arc::clone(&free.row));
    }
    if difference <= SPARSE && !is_list(count, difference) {
        return Row::Delta { dense: Arc::clone(&free.row), add: add.into(), remove: remove.into() };
    }
    let mut bits = free.row.to_vec();
    add.into_iter().for_each(|token| set(&mut bits, token));
    remove.into_iter().for_each(|token| clear(&mut bits, token));
    of_bits(free, bits)
}

/// Makes a row of bits.
fn of_bits(free: &FreeText, bits: Vec<u32>) -> Row {
    let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
    let difference: u32 = bits.iter().zip(&*free.row).map(|(x, y)| (x ^ y).count_ones()).sum();
    if is_list(count as usize, difference as usize) {
        return Row::Sparse(ones(&bits).collect());
    }
    if difference as usize > SPARSE {
        return Row::Dense(bits.into());
    }
    if difference == 0 {
        return Row::Dense(Arc::clone(&free.row));
    }
    let only = |x: &[u32], y: &[u32]| -> Vec<u32> { x.iter().zip(y).map(|(x, y)| x & !y).collect() };
    let add = ones(&only(&bits, &free.row)).collect();
    let remove = ones(&only(&free.row, &bits)).collect();
    Row::Delta { dense: Arc::clone(&free.row), add, remove }
}
