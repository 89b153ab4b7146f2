//! Bases and tails whose tokens are grouped by the text that remains to be written after them, for a token budget that is nearly used up.
//!
//! A base or a tail has the tokens that a frame reads. Its [`Costed`] form groups the tokens that leave the same text to be written, and
//! gives for each group the number of tokens that complete the frame. Inside a string in an array, nearly all tokens are one group of cost
//! 1 (the closing quote); tokens that end inside a character are in other groups. The frames below cost the same for all groups, so that
//! the tokens that fit the budget are a union of groups.
//!
//! Like bases and tails, they are looked up by content, and kept.

use std::sync::Arc;

use super::load;
use crate::automaton::Automaton;
use crate::completion::{Completions, Costs, SLACK};
use crate::mask::classes::key;
use crate::mask::exit_set::ExitSet;
use crate::mask::free::FreeText;
use crate::mask::part::{CostGroup, Costed};
use crate::mask::row::{Row, SPARSE, set};
use crate::mask::store::MaskStore;
use crate::mask::walk::{Alike, Groups, Walker};
use crate::step::{Head, Memory, Stack, can_finish, digest};
use crate::trie::NodeId;
use crate::vocabulary::TokenId;
use crate::watch;

impl MaskStore {
    /// Looks up or computes the base of a head (`after` is `None`), or the tail of a return frame after some exits, split by
    /// cost. `None` if the format is too ambiguous here.
    pub(crate) fn costed(
        &self,
        walker: &mut Walker,
        stack: &Stack,
        (after, head): (Option<ExitSet>, Head),
        (completions, costs): (&Completions, &mut Costs<'_>),
    ) -> Option<Arc<Costed>> {
        let automaton = costs.automaton();
        let head = class(automaton, head, self.trie().max_depth() as u32);
        let key = (after.clone().unwrap_or_default(), key(automaton, stack, &head));
        if let Some(found) = self.known_costed(&key) {
            return Some(found);
        }
        let beside = match &after {
            None => self.costed_beside(walker, stack, head, (completions, &mut *costs)),
            Some(_) => None,
        };
        let (groups, exits) = match beside {
            Some(made) => made,
            None => self.costed_by_walk(walker, stack, (after.as_ref(), head), (completions, costs))?,
        };
        let start = load(walker, stack, head);
        let at_once = after.is_none() && can_finish(automaton, &walker.stack, start);
        Some(self.keep_costed(key, groups, &exits, at_once))
    }

    /// Computes the groups and the exits of a base or tail by a walk of the whole trie. `None` if the format is too ambiguous here.
    pub(super) fn costed_by_walk(
        &self,
        walker: &mut Walker,
        stack: &Stack,
        (after, head): (Option<&ExitSet>, Head),
        (completions, costs): (&Completions, &mut Costs<'_>),
    ) -> Option<(Vec<CostGroup>, Vec<NodeId>)> {
        let automaton = costs.automaton();
        let tables = self.tables(automaton.escapes)?;
        let start = load(walker, stack, head);
        let nodes = after.map_or(&[NodeId::ROOT][..], ExitSet::nodes);
        let cutter = completions.cut.cutter(self.trie());
        let cost = |stack: &Stack, heads: &[Head]| costs.tokens_of(stack, heads, cutter);
        let Groups { groups, mut exits } = walker.groups(automaton, tables, nodes, start, cost);
        // If the watch stopped the computation, costs may be wrong even though the walk was complete.
        if walker.stack.take_overflow() || watch::is_stopped() {
            return None;
        }
        exits.retain(|exit| *exit != NodeId::ROOT);
        let group = |group| self.group(tables.free, group);
        let mut groups: Vec<CostGroup> = groups.into_iter().filter_map(group).collect();
        groups.sort_by_key(|group| (group.cost, group.sample));
        Some((groups, exits))
    }

    /// Groups all tokens that may come next by what must follow them, for several heads together. Looks the groups up if some matcher had
    /// the same heads before. Returns `None` if the format is too ambiguous here.
    pub(crate) fn costed_together(
        &self,
        walker: &mut Walker,
        (stack, heads): (&Stack, &[Head]),
        (completions, costs): (&Completions, &mut Costs<'_>),
    ) -> Option<Arc<[CostGroup]>> {
        let automaton = costs.automaton();
        let tables = self.tables(automaton.escapes)?;
        let (own, heads) = stack.part(heads);
        // The content of heads that remember a text differs after each token.
        let key = (!stack.keeps_text()).then(|| digest(automaton, &own, &heads));
        if let Some(found) = key.and_then(|key| self.known_together(key)) {
            return Some(found);
        }
        walker.stack = own;
        let cutter = completions.cut.cutter(self.trie());
        let cost = |stack: &Stack, heads: &[Head]| costs.tokens_of(stack, heads, cutter);
        let groups = walker.groups_of_all(automaton, tables, &heads, cost);
        let overflow = walker.stack.take_overflow() || watch::is_stopped();
        walker.stack.clear();
        if overflow {
            return None;
        }
        let groups: Vec<CostGroup> = groups.into_iter().filter_map(|group| self.group(tables.free, group)).collect();
        Some(match key {
            Some(key) => self.keep_together(key, groups),
            None => groups.into(),
        })
    }

    pub(super) fn group(&self, free: &FreeText, group: Alike) -> Option<CostGroup> {
        let Alike { mut tokens, has_whole, cost } = group;
        let whole = if has_whole { free.whole_len() } else { 0 };
        if has_whole && whole + tokens.len() > SPARSE {
            let in_trie = self.trie().tokens_between(NodeId(1), NodeId(self.trie().len() as u32)).iter().copied();
            let whole = in_trie.filter(|token| free.is_whole(token.0));
            let sample = self.sample(whole.chain(tokens.iter().map(|&token| TokenId(token))))?;
            let mut bits = free.whole().to_vec();
            tokens.iter().for_each(|&token| set(&mut bits, token));
            return Some(CostGroup { cost, row: Arc::new(Row::Dense(bits.into())), sample });
        }
        if has_whole {
            tokens.extend(free.whole_by_length().flat_map(|(_, tokens)| tokens));
        }
        // A row of many tokens becomes bits, so that the order does not matter.
        if tokens.len() <= SPARSE {
            tokens.sort_unstable();
            tokens.dedup();
        }
        let sample = self.sample(tokens.iter().map(|&token| TokenId(token)))?;
        Some(CostGroup { cost, row: Arc::new(Row::from_tokens(&tokens, self.vocabulary().len())), sample })
    }

    /// Returns the first token without a name, or else the first token. A token with a name can be read by its name, and then something
    /// else must follow it than the rest of its group.
    pub(super) fn sample(&self, mut tokens: impl Iterator<Item = TokenId>) -> Option<TokenId> {
        let first = tokens.next()?;
        let is_unnamed = |token: &TokenId| self.vocabulary().name_of(*token).is_none();
        if is_unnamed(&first) { Some(first) } else { tokens.find(is_unnamed).or(Some(first)) }
    }
}

/// Maps a frame to the representative of its class. Frames of a class have equal tokens and costs.
fn class(automaton: &Automaton, head: Head, longest: u32) -> Head {
    let rule = automaton.rule_of(head.state);
    let memory = if rule.object.is_some() { head.memory } else { Memory::EMPTY };
    let threshold = automaton.derived.threshold(automaton.states[head.state.index()].rule);
    if threshold == 0 {
        return Head { a: 0, b: 0, memory, ..head };
    }
    let limit = threshold.saturating_add(SLACK).saturating_add(longest);
    Head { b: head.b.min(limit), memory, ..head }
}
