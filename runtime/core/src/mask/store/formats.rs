//! Completions of formats whose matchers have token budgets. They are kept as long as the format exists, within a limit in bytes.

use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::completion::Completions;

/// Completions of one format may always take this many bytes, whatever the limit: evicting completions in use would repeat their search
/// again and again.
const MOST_OF_ONE: usize = 16 << 20;

/// The completions of a format.
#[derive(Debug)]
struct OfFormat {
    /// A weak reference keeps the address in use, so that no other format can get it.
    format: Weak<Automaton>,
    completions: Arc<Completions>,
    /// The sequence number of the last request for these completions.
    used: u64,
}

/// Completions, by the address of the automaton.
#[derive(Debug)]
pub(super) struct CompletionsOfFormats {
    known: FxHashMap<usize, OfFormat>,
    requests: u64,
    /// Limit in bytes; `None` for no limit.
    limit: Option<usize>,
}

impl CompletionsOfFormats {
    pub(super) fn new(limit: Option<usize>) -> Self {
        Self { known: FxHashMap::default(), requests: 0, limit }
    }

    pub(super) fn set_limit(&mut self, limit: usize) {
        self.limit = Some(limit);
        self.make_room();
    }

    /// Returns the bytes of all completions.
    pub(super) fn bytes(&self) -> usize {
        self.known.values().map(OfFormat::bytes).sum()
    }

    /// Looks up the completions of a format. Completions grow with use, so this may evict others.
    pub(super) fn get(&mut self, automaton: &Arc<Automaton>) -> Option<Arc<Completions>> {
        self.requests += 1;
        let found = self.known.get_mut(&Arc::as_ptr(automaton).addr())?;
        found.used = self.requests;
        let completions = Arc::clone(&found.completions);
        self.make_room();
        Some(completions)
    }

    /// Keeps completions. Drops the completions of formats that no longer exist, and the least recently used ones until all fit. Returns
    /// the completions of the format that are kept: earlier ones take precedence over `made`. Users keep dropped completions alive.
    pub(super) fn keep(&mut self, automaton: &Arc<Automaton>, mut made: Completions) -> Arc<Completions> {
        let (used, key) = (self.requests, Arc::as_ptr(automaton).addr());
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(&known.completions);
        }
        // Growth is noticed only at the next request, so that the size of each is limited until then.
        self.limit.iter().for_each(|limit| made.limit(MOST_OF_ONE.max(limit / 4)));
        let made = Arc::new(made);
        let of = OfFormat { format: Arc::downgrade(automaton), completions: Arc::clone(&made), used };
        self.known.insert(key, of);
        self.forget_gone();
        self.make_room();
        made
    }

    /// Drops the completions of formats that no longer exist.
    fn forget_gone(&mut self) {
        self.known.retain(|_, of| of.format.strong_count() > 0);
    }

    /// Drops the least recently used completions until all fit.
    fn make_room(&mut self) {
        let Some(limit) = self.limit.filter(|limit| self.bytes() > *limit) else { return };
        self.forget_gone();
        let mut by_use: Vec<(u64, usize)> = self.known.iter().map(|(&key, of)| (of.used, key)).collect();
        by_use.sort_unstable();
        let mut bytes = self.bytes();
        for (_, key) in by_use {
            if bytes <= limit {
                return;
            }
            bytes -= self.known.remove(&key).map_or(0, |of| of.bytes());
        }
    }
}

impl OfFormat {
    fn bytes(&self) -> usize {
        3 * size_of::<(usize, Self)>() / 2 + self.completions.bytes()
    }
}
