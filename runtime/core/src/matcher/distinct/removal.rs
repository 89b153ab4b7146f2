//! Removes tokens from a mask after which an item repeats an earlier one, or can become nothing else.
//!
//! The mask was made as if each item were new, so that it is right for tokens along which no item can become an earlier one. The token trie
//! is walked only where an item can become an earlier one, and where a token ends an item and begins another.

use std::sync::Arc;

use smallvec::SmallVec;

use super::fates::Fates;
use super::places::{OpenItems, Outlook, readings, readings_of};
use super::search::Search;
use crate::automaton::StateKind;
use crate::mask::{Mask, Row, RowRef, Separators, clear_bit, get_bit};
use crate::matcher::{MatchError, Matcher};
use crate::step::{Head, Mark, step};
use crate::trie::{NodeId, TokenTrie};
use crate::watch;

/// A node of the token trie on the way from the root.
struct Level {
    heads: Vec<Head>,
    items: OpenItems,
    mark: Mark,
    /// Whether some item can become an earlier one, or a reading on which the mask is based has been lost (`is_lost`).
    is_watched: bool,
    is_lost: bool,
    in_string: bool,
    in_array: bool,
}

/// Decides whether a text may continue from some heads, given the current items there.
pub(super) type MayGoOn<'a> = dyn FnMut(&mut Matcher, &[Head], &OpenItems, &mut Fates) -> Result<bool, MatchError> + 'a;

/// Returns the mask without the tokens for which `may_go_on` returns false. It is called only where some item can become an earlier one.
pub(super) fn without_refused(
    matcher: &mut Matcher,
    mask: Mask,
    may_go_on: &mut MayGoOn<'_>,
) -> Result<Mask, MatchError> {
    if matcher.terminated || mask.rows.is_empty() {
        return Ok(mask);
    }
    let store = Arc::clone(&matcher.store);
    let mut words = vec![0; store.vocabulary().len().div_ceil(32)];
    Mask { eos: false, stops: None, ..mask.clone() }.fill(&mut words);
    let heads = matcher.heads.to_vec();
    let items = OpenItems::read(&matcher.stack, &readings_of(&matcher.stack, &heads)?);
    let fates = Fates::new(&matcher.stack, &items);
    let root = level(matcher, heads, items, false)?;
    let mut removal = Removal { trie: store.trie(), separators: store.separators(), fates, words, removed: 0 };
    let mark = matcher.stack.mark();
    let walked = removal.walk(matcher, root, may_go_on);
    matcher.stack.truncate(mark);
    walked?;
    if removal.removed == 0 {
        return Ok(mask);
    }
    let is_empty = removal.words.iter().all(|word| *word == 0);
    let row = || RowRef::Shared(Arc::new(Row::Dense(removal.words.into())));
    Ok(Mask { rows: if is_empty { SmallVec::new() } else { SmallVec::from_iter([row()]) }, ..mask })
}

struct Removal<'a> {
    trie: &'a TokenTrie,
    separators: &'a Separators,
    fates: Fates,
    words: Vec<u32>,
    removed: usize,
}

impl Removal<'_> {
    fn walk(&mut self, matcher: &mut Matcher, root: Level, may_go_on: &mut MayGoOn<'_>) -> Result<(), MatchError> {
        let mut levels = vec![root];
        let mut node = NodeId(1);
        while (node.0 as usize) < self.trie.len() {
            levels.truncate(self.trie.depth(node));
            let Some(above) = levels.last() else { break };
            let is_needed = above.is_watched || self.separators.may_separate(node, above.in_string, above.in_array);
            let below = if is_needed { self.enter(matcher, above, node, may_go_on)? } else { None };
            node = match below {
                Some(level) => {
                    levels.push(level);
                    NodeId(node.0 + 1)
                }
                None => self.trie.subtree_end(node),
            };
            if watch::spend(1) {
                return Err(MatchError::STOPPED);
            }
        }
        Ok(())
    }

    /// Reads a node's byte; `None` if no node below it needs a visit.
    fn enter(
        &mut self,
        matcher: &mut Matcher,
        above: &Level,
        node: NodeId,
        may_go_on: &mut MayGoOn<'_>,
    ) -> Result<Option<Level>, MatchError> {
        let byte = self.trie.byte(node);
        let Matcher { automaton, stack, scratch, .. } = &mut *matcher;
        stack.truncate(above.mark);
        let mut heads = Vec::new();
        step(automaton, stack, scratch, &above.heads, byte, &mut heads);
        if stack.take_overflow() {
            return Err(MatchError::of_overflow(stack));
        }
        let is_lost = stack.take_refused() || above.is_lost;
        if heads.is_empty() {
            if is_lost {
                self.remove_all(node);
            }
            return Ok(None);
        }
        let arrays = readings_of(stack, &heads)?;
        let items = above.items.after(stack, byte, &arrays);
        let level = level(matcher, heads, items, is_lost)?;
        let has_tokens = self.trie.tokens(node).iter().any(|token| get_bit(&self.words, token.0));
        if level.is_watched && has_tokens && !may_go_on(matcher, &level.heads, &level.items, &mut self.fates)? {
            self.remove(self.trie.tokens(node).iter().map(|token| token.0));
        }
        Ok(Some(level))
    }

    fn remove_all(&mut self, node: NodeId) {
        self.remove(self.trie.subtree_tokens(node).iter().map(|token| token.0));
    }

    fn remove(&mut self, tokens: impl Iterator<Item = u32>) {
        for token in tokens {
            if get_bit(&self.words, token) {
                clear_bit(&mut self.words, token);
                self.removed += 1;
            }
        }
    }
}

fn level(matcher: &Matcher, heads: Vec<Head>, items: OpenItems, is_lost: bool) -> Result<Level, MatchError> {
    let Matcher { automaton, stack, .. } = matcher;
    let (mut is_watched, mut in_array) = (is_lost, false);
    for head in heads.iter().filter(|head| !head.is_returned()) {
        let readings = readings(stack, head)?;
        is_watched |= readings.iter().any(|arrays| items.outlook(arrays) != Outlook::Free);
        in_array |= readings.iter().any(|arrays| !arrays.is_empty());
    }
    let in_text = |head: &Head| !head.is_returned() && automaton.states[head.state.index()].kind == StateKind::Text;
    let in_string = heads.iter().all(in_text);
    Ok(Level { mark: stack.mark(), heads, items, is_watched, is_lost, in_string, in_array })
}

/// Returns whether some reading of the heads has a continuation whose items are all new.
pub(super) fn is_alive(
    matcher: &mut Matcher,
    heads: &[Head],
    items: &OpenItems,
    fates: &mut Fates,
) -> Result<bool, MatchError> {
    for &head in heads {
        if is_head_alive(matcher, head, items, fates)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn is_head_alive(
    matcher: &mut Matcher,
    head: Head,
    items: &OpenItems,
    fates: &mut Fates,
) -> Result<bool, MatchError> {
    let Matcher { automaton, stack, scratch, .. } = matcher;
    Search { automaton, stack, scratch }.leads_out(head, items, fates)
}
