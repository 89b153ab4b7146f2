//! Computes bases and tails that the store does not have: by a walk of the trie, from the base of a similar head, or from the needs of a
//! state's tokens (the countdowns that each token requires). [`by_ways`] serves frames whose registers can take too many values, and
//! [`costed`] serves token budgets.

pub(in crate::mask) mod by_ways;
mod costed;
mod costed_beside;
mod find;
mod follow;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::automaton::{Automaton, StateId};
use crate::completion::Completions;
use crate::mask::build_time::BuildTime;
use crate::mask::classes::{canonical, key};
use crate::mask::effort::Effort;
use crate::mask::exit_set::ExitSet;
use crate::mask::making;
use crate::mask::part::{Base, Tail};
use crate::mask::row::Row;
use crate::mask::runs::answer_runs;
use crate::mask::store::MaskStore;
use crate::mask::vocabulary_tables::VocabularyTables;
use crate::mask::walk::{NeedsOfTokens, Walker};
use crate::step::{BOTTOM, Head, Stack};
use crate::trie::NodeId;
use crate::watch;

/// The needs of one state's tokens (see [`NeedsOfTokens`]), computed when the first base requires them.
struct Needs {
    found: Option<Arc<NeedsOfTokens>>,
    state: StateId,
}

impl Needs {
    /// Returns whether the state's tokens have needs, and charges the walker for finding them. The store remembers both from earlier
    /// requests.
    fn are_there(
        &mut self,
        store: &MaskStore,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
    ) -> bool {
        let rule = automaton.rule_of(self.state);
        let key = (automaton.fingerprint(automaton.states[self.state.index()].rule), self.state.0 - rule.states.first);
        let known = store.known_needs(key);
        let (are_there, effort) = known.unwrap_or_else(|| {
            let (found, effort) = walker.needs(automaton, tables, self.state);
            self.found = found;
            let known = (self.found.is_some(), effort);
            store.keep_needs(key, known);
            known
        });
        walker.spend(effort);
        are_there
    }

    fn get(
        &mut self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
    ) -> Option<Arc<NeedsOfTokens>> {
        if self.found.is_none() {
            self.found = walker.needs(automaton, tables, self.state).0;
        }
        self.found.clone()
    }
}

impl MaskStore {
    /// Looks up or computes the base of a head. `stack` holds the head's key set, if it has one. `None` if the format is too
    /// ambiguous here, or the base takes more work than the walker may do.
    pub(crate) fn base(&self, automaton: &Automaton, walker: &mut Walker, stack: &Stack, head: Head) -> Option<Base> {
        let head = canonical(automaton, head, self.longest());
        let key = key(automaton, stack, &head);
        if let Some(base) = self.known_base(&key) {
            walker.spend(base.effort);
            return Some(base).filter(|base| walker.affords(base.effort));
        }
        let tables = self.tables(automaton.escapes)?;
        let reference = self.reference(automaton, walker, stack, head);
        let begin = Instant::now();
        let start = load(walker, stack, head);
        let (row, exits, effort) = match &reference {
            Some((other, known)) => self.patched(automaton, walker, tables, start, *other, known),
            None => {
                let found = std::mem::take(walker.base(automaton, tables, start));
                let effort = walker.effort(&found);
                (making::row(tables.free, &found), found.exits, effort)
            }
        };
        walker.spend(effort);
        if walker.stack.take_overflow() {
            return None;
        }
        let base = self.keep_base(key, row, &exits, (BuildTime(begin.elapsed()), effort));
        Some(base).filter(|base| walker.affords(base.effort))
    }

    /// Returns the state of the head's reference, and the reference's base; `None` if the head has no reference. The reference's base
    /// belongs to another head, so that this part of a build is not charged for it.
    fn reference(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        stack: &Stack,
        head: Head,
    ) -> Option<(StateId, Base)> {
        if automaton.derived.reads_markers() {
            return None;
        }
        let start = load(walker, stack, head);
        let other = walker.reference(automaton, start)?;
        let spent = walker.spent();
        let base = self.base(automaton, walker, stack, Head { state: other, ..head });
        walker.set_spent(spent);
        Some((other, base?))
    }

    /// Computes the base of a head from the base of its reference, which is the same head in the state `other`.
    fn patched(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
        start: Head,
        other: StateId,
        known: &Base,
    ) -> (Row, Vec<NodeId>, Effort) {
        let patch = walker.patch(automaton, tables, start, Head { state: other, ..start });
        let effort = walker.effort(&patch.found);
        let mut found = patch.found;
        found.exits.extend(patch.at_once.then_some(NodeId::ROOT));
        let (row, exits) = making::patched(tables, known, &patch.governed, found);
        (row, exits, effort)
    }

    /// Looks up or computes the bases of heads of one group, whose answers are monotone. If the state allows it, one walk serves all of
    /// them ([`Walker::needs_of_tokens`]).
    pub(crate) fn bases(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        stack: &Stack,
        heads: &[Head],
    ) -> Vec<Option<Base>> {
        let counted = |head: &&Head| heads.len() > 2 && head.esc == 0 && automaton.rule_of(head.state).object.is_none();
        let first = heads.first().filter(counted);
        let Some((head, tables)) = first.zip(self.tables(automaton.escapes)) else {
            let base = |walker: &mut Walker, head| self.base(automaton, walker, stack, head);
            return answer_runs(heads.len(), |item| (!walker.is_spent()).then(|| base(walker, heads[item]))?);
        };
        let begin = Instant::now();
        let mut needs = Needs { found: None, state: head.state };
        let is_counted = needs.are_there(self, automaton, walker, tables);
        // A base that is computed alone, on demand, needs the whole walk, so that the time of every base includes the walk.
        let walk = begin.elapsed();
        answer_runs(heads.len(), |item| match is_counted {
            _ if walker.is_spent() => None,
            true => self.known_or_counted_base(automaton, walker, tables, &mut needs, (heads[item], walk)),
            false => self.base(automaton, walker, stack, heads[item]),
        })
    }

    /// Looks up or computes the base of a head from the needs of its state's tokens. `walk` is the time that finding the needs took.
    fn known_or_counted_base(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
        needs: &mut Needs,
        (head, walk): (Head, Duration),
    ) -> Option<Base> {
        let key = key(automaton, &Stack::default(), &head);
        if let Some(base) = self.known_counted(&key) {
            walker.spend(base.effort);
            return Some(base);
        }
        let needs = needs.get(automaton, walker, tables)?;
        let known = match needs.beside() {
            Some(beside) => Some(self.similar_base(automaton, walker, tables, beside.state, head)?),
            None => None,
        };
        let begin = Instant::now();
        walker.stack.clear();
        let found = std::mem::take(walker.counted_base(automaton, tables, &needs, Head { parent: BOTTOM, ..head }));
        let effort = walker.effort(&found);
        walker.spend(effort);
        if walker.stack.take_overflow() {
            return None;
        }
        let (row, exits) = match needs.beside().zip(known) {
            Some((beside, known)) => making::patched(tables, &known, &beside.governed, found),
            None => (making::row(tables.free, &found), found.exits),
        };
        Some(self.keep_counted(key, row, &exits, (BuildTime(walk + begin.elapsed()), effort)))
    }

    /// Looks up or computes the base of the head in the similar state `state`, from the needs of that state's tokens. That base belongs to
    /// another head, so that this part of a build is not charged for it.
    fn similar_base(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
        state: StateId,
        head: Head,
    ) -> Option<Base> {
        let spent = walker.spent();
        let mut needs = Needs { found: None, state };
        let of_similar = (Head { state, ..head }, Duration::ZERO);
        let base = self.known_or_counted_base(automaton, walker, tables, &mut needs, of_similar);
        walker.set_spent(spent);
        base
    }

    /// Looks up or computes the tail of a return state (as the head it becomes) after some exits.
    pub(crate) fn tail(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        stack: &Stack,
        exits: ExitSet,
        head: Head,
    ) -> Option<Tail> {
        let head = canonical(automaton, head, self.longest());
        let key = (exits, key(automaton, stack, &head));
        if let Some(tail) = self.known_tail(&key) {
            walker.spend(tail.effort);
            return Some(tail).filter(|tail| walker.affords(tail.effort));
        }
        let tables = self.tables(automaton.escapes)?;
        let begin = Instant::now();
        let start = load(walker, stack, head);
        let found = std::mem::take(walker.tail(automaton, tables, key.0.nodes(), start));
        let effort = walker.effort(&found);
        walker.spend(effort);
        if walker.stack.take_overflow() {
            return None;
        }
        let row = (!found.tokens.is_empty()).then(|| making::row(tables.free, &found));
        let tail = self.keep_tail(key, row, &found.exits, (BuildTime(begin.elapsed()), effort));
        Some(tail).filter(|tail| walker.affords(tail.effort))
    }

    /// Looks up or computes the completions of a format; the store keeps them as long as the format exists.
    pub(crate) fn completions(&self, automaton: &Arc<Automaton>) -> Arc<Completions> {
        let known = self.known_completions(automaton);
        known.unwrap_or_else(|| {
            let made = Completions::new(automaton, self.vocabulary(), self.trie());
            if watch::is_stopped() { Arc::new(made) } else { self.keep_completions(automaton, made) }
        })
    }
}

/// Clears the walker's stack, copies the head's key set into it, and returns the head with no frame below it.
fn load(walker: &mut Walker, stack: &Stack, head: Head) -> Head {
    walker.stack.clear();
    let memory = match stack.set(head.memory) {
        Some(keys) => walker.stack.add_set(keys.clone()),
        None => head.memory,
    };
    Head { memory, parent: BOTTOM, ..head }
}
