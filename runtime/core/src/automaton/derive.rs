//! Computes the tables of [`Derived`]: most of them at once, and on first use those that few formats need.

mod alike;
mod follow;
mod free;
mod large;
mod possible;
mod similar;
mod threshold;

use super::derived::{Alike, Derived, KeyTables, OnDemand, PossibleKeys, Similar};
use super::{Automaton, RuleId, StateId, StateKind};
use crate::vocabulary::MARKER_START;
use possible::possible_keys;
use similar::similar_states;
use threshold::thresholds;

/// Similar states are sought for states with at least this many first bytes; the trie walk of other states is short anyway.
const WIDE: u32 = 48;

/// Computes everything but the tables that need first sets or follow sets.
pub(super) fn derive(automaton: &Automaton) -> Derived {
    let bare = automaton.states.iter().map(|s| s.accept && s.edges.len == 0 && s.calls.len == 0 && s.close.is_none());
    Derived {
        bare: bare.collect(),
        threshold: thresholds(automaton),
        fingerprints: OnDemand::default(),
        all_keys: OnDemand::default(),
        keys: automaton.rules.iter().map(|_| OnDemand::default()).collect(),
        similar: automaton.rules.iter().map(|_| OnDemand::default()).collect(),
        free: free::classify(automaton),
        twins: super::twins::table(automaton),
        first_depth: Vec::new(),
        by_ways: Vec::new(),
        follow: Vec::new(),
        distinct_items: automaton.rules.iter().any(|rule| rule.distinct_items),
        spare_tokens: spare_tokens(automaton),
        chooses_items: automaton.rules.iter().any(|rule| rule.item_choices > 0),
        reads_markers: automaton.edges.iter().any(|edge| edge.hi == MARKER_START),
    }
}

/// Tokens reserved for keys that must be new, in addition to two for each required key.
const SPARE_TOKENS: u32 = 32;

fn spare_tokens(automaton: &Automaton) -> u32 {
    let remembers_keys = |rule: RuleId| {
        let rule = automaton.rules.get(rule.index());
        rule.is_some_and(|rule| rule.distinct_items && rule.object.is_some())
    };
    let calls = automaton.calls.iter().map(|call| (call.rule, call.a));
    let all = calls.chain([(automaton.root.rule, automaton.root.a)]).filter(|(rule, _)| remembers_keys(*rule));
    all.map(|(_, needed)| needed.saturating_mul(2).saturating_add(SPARE_TOKENS)).max().unwrap_or(0)
}

/// Computes the follow sets, and the tables that need them or first sets. First sets must be there.
pub(super) fn fill_follow(automaton: &mut Automaton) {
    automaton.derived.follow = follow::follow(automaton);
    automaton.derived.by_ways = large::table(automaton);
}

impl Automaton {
    /// Computes for all rules the tables of possible keys, which a mask inside a key would compute on demand. Tables of alike states are
    /// left out: only escapes inside keys, and masks on demand, need them.
    pub(crate) fn make_tables_of_keys(&self) {
        self.derived.all_keys.get(|| {
            let rules = (0..self.rules.len() as u32).map(RuleId);
            rules.filter(|rule| self.rules[rule.index()].object.is_some()).for_each(|rule| {
                let _ = self.possible_in_rule(rule);
            });
        });
    }

    /// Returns the state that is alike to a state inside a key: both read nearly all text in the same way.
    #[inline]
    pub(crate) fn alike(&self, state: StateId) -> Option<&Alike> {
        let rule = self.rule_with_key_text(state)?;
        let states = self.key_tables(rule).alike.get(|| alike::table(self, rule));
        states.of(self.number_in_rule(state))
    }

    /// Returns the declared keys, ascending, that the text of a state inside a key can still become. `None` outside of keys, for objects
    /// with keys in any order, and if the list would be too long.
    #[inline]
    pub(crate) fn possible_keys(&self, state: StateId) -> Option<&[u32]> {
        let rule = self.rule_with_key_text(state)?;
        self.possible_in_rule(rule).of(self.number_in_rule(state))
    }

    fn possible_in_rule(&self, rule: RuleId) -> &PossibleKeys {
        self.key_tables(rule).possible.get(|| possible_keys(self, rule))
    }

    #[inline]
    fn key_tables(&self, rule: RuleId) -> &KeyTables {
        self.derived.keys[rule.index()].get(Box::default)
    }

    /// Returns the rule of a text state if the rule has keys. Only such a state can be in the tables of keys.
    #[inline]
    fn rule_with_key_text(&self, state: StateId) -> Option<RuleId> {
        let is_text = self.states[state.index()].kind == StateKind::Text && self.rule_of(state).object.is_some();
        is_text.then(|| self.states[state.index()].rule)
    }

    #[inline]
    fn number_in_rule(&self, state: StateId) -> u32 {
        state.0 - self.rule_of(state).states.first
    }

    /// Returns a state of the same rule that reads nearly the same tokens, if the state reads many first bytes. The returned state has no
    /// similar state itself, so that there are no chains. `None` in rules with keys, where [`alike`](Self::alike) applies.
    pub(crate) fn similar(&self, state: StateId) -> Option<StateId> {
        if self.rule_of(state).object.is_some() {
            return None;
        }
        let width: u32 = self.edges(state).iter().map(|edge| u32::from(edge.hi) - u32::from(edge.lo) + 1).sum();
        if width < WIDE { None } else { self.similar_in_rule(state).representative(state) }
    }

    /// Returns whether two states of one rule have the same effect on every text of up to `length` bytes (of decoded text for `Text`
    /// states). May return `false` for states that do agree.
    pub(crate) fn agree(&self, one: StateId, other: StateId, length: usize) -> bool {
        one == other || self.similar_in_rule(one).agree(one, other, length)
    }

    fn similar_in_rule(&self, state: StateId) -> &Similar {
        let rule = self.states[state.index()].rule;
        self.derived.similar[rule.index()].get(|| similar_states(self, rule))
    }
}
