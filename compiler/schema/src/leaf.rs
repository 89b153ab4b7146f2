//! Patterns and lengths as automata of `ogc-regular`, with a cache of their combinations.

use std::sync::Arc;

use ogc_regular::budget;
use ogc_regular::kept::Kept;
use ogc_regular::pattern::PatternError;
use ogc_regular::{Dfa, LimitError, Limits, intersect_all};
use rustc_hash::FxHashMap;

use crate::source::Value;
use crate::term::{MOST, Term};

/// An automaton of decoded texts: made for this schema, or shared by schemas.
#[derive(Clone, Debug)]
pub enum Text {
    /// Made for this schema.
    Made(Arc<Dfa>),
    /// The language of a format.
    Known(&'static Dfa),
    /// Made of patterns and formats, and cached for the process.
    Shared(Arc<Dfa>, Term),
}

impl Text {
    pub(crate) fn new(dfa: Dfa) -> Self {
        Self::Made(Arc::new(dfa))
    }

    /// Draws the memory of an automaton that stays for the whole compilation.
    pub(crate) fn kept(&self) -> Result<(), LimitError> {
        match self {
            Self::Made(dfa) | Self::Shared(dfa, _) => budget::keep(dfa.bytes()),
            Self::Known(_) => Ok(()),
        }
    }

    /// The address of the automaton, which identifies it.
    #[must_use]
    pub fn address(&self) -> usize {
        std::ptr::from_ref::<Dfa>(self) as usize
    }

    /// Returns the combination of patterns and formats that the automaton was made of; `None` for automata made for
    /// this schema alone.
    fn term(&self) -> Option<Term> {
        match self {
            Self::Made(_) => None,
            Self::Known(_) => Some(Term::format(self.address())),
            Self::Shared(_, term) => Some(term.clone()),
        }
    }
}

impl std::ops::Deref for Text {
    type Target = Dfa;

    fn deref(&self) -> &Dfa {
        match self {
            Self::Made(dfa) | Self::Shared(dfa, _) => dfa,
            Self::Known(dfa) => dfa,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address() || **self == **other
    }
}

impl Eq for Text {}

/// Patterns that the process has compiled.
pub(crate) static PATTERNS: Kept<(String, Limits), Result<Arc<Dfa>, PatternError>> = Kept::new(MOST);

/// Combinations of patterns and formats that the process has made.
pub(crate) static COMBINATIONS: Kept<(Term, usize), Result<Arc<Dfa>, LimitError>> = Kept::new(MOST);

/// Compiles an ECMA-262 pattern, unanchored.
pub(crate) fn pattern(text: &str, limits: &Limits) -> Result<Text, PatternError> {
    let make = |_: &(String, Limits)| ogc_regular::pattern::compile(text, limits).map(Arc::new);
    let bytes = |made: &Result<Arc<Dfa>, PatternError>| text.len() + made.as_ref().map_or(0, |dfa| dfa.bytes());
    let made = PATTERNS.get(&(text.to_owned(), *limits), make, bytes);
    made.as_ref().clone().map(|dfa| Text::Shared(dfa, Term::pattern(text)))
}

/// The texts of `min` to `max` code points.
pub(crate) fn with_length(text: &Text, min: u64, max: Option<u64>, limit: usize) -> Result<Text, LimitError> {
    let over = |_| LimitError::of_large("least length of a string", min, u64::from(u32::MAX));
    let min = u32::try_from(min).map_err(over)?;
    let max = max.and_then(|max| u32::try_from(max).ok());
    let term = text.term().and_then(|term| term.with_length(min, max));
    shared(term, limit, || ogc_regular::length::with_length(text, min, max, limit))
}

/// Returns the automaton of a term, from the cache of the process or newly made. Without a term it is made for this
/// schema alone.
pub(crate) fn shared(
    term: Option<Term>,
    limit: usize,
    make: impl FnOnce() -> Result<Dfa, LimitError>,
) -> Result<Text, LimitError> {
    let Some(term) = term else { return make().map(Text::new) };
    let key = (term, limit);
    let own = key.0.bytes();
    let bytes = |made: &Result<Arc<Dfa>, LimitError>| own + made.as_ref().map_or(0, |dfa| dfa.bytes());
    let made = COMBINATIONS.get(&key, |_| make().map(Arc::new), bytes);
    made.as_ref().clone().map(|dfa| Text::Shared(dfa, key.0))
}

/// Caches intersections and complements.
///
/// The terms of a disjunctive normal form need the same few patterns in hundreds of combinations, most of which have
/// long prefixes in common. Keys identify automata by their addresses, so the cache keeps every automaton in a key
/// alive.
#[derive(Debug, Default)]
pub(crate) struct CombinationCache {
    known: FxHashMap<(usize, usize), Text>,
    complements: FxHashMap<usize, Text>,
    /// The texts in none of some lists, keyed by the addresses of the lists, which outlive the algebra.
    unlisted: FxHashMap<Vec<(usize, usize)>, Text>,
    kept: Vec<Text>,
}

impl CombinationCache {
    /// The texts that all parts contain; there is at least one part.
    pub(crate) fn all(&mut self, parts: &[Text], limit: usize) -> Result<Text, LimitError> {
        let mut distinct: Vec<Text> = Vec::new();
        for part in parts {
            if distinct.iter().all(|known| known.address() != part.address()) {
                distinct.push(part.clone());
            }
        }
        self.one_by_one(&distinct, limit).or_else(|error| {
            if budget::exhausted() {
                return Err(error);
            }
            // A part can be too large in combination with one other part, and small in combination with all.
            let all: Vec<&Dfa> = distinct.iter().map(|part| &**part).collect();
            shared(Term::all(distinct.iter().map(Text::term)), limit, || intersect_all(&all, limit))
        })
    }

    fn one_by_one(&mut self, parts: &[Text], limit: usize) -> Result<Text, LimitError> {
        let Some((first, others)) = parts.split_first() else { return Ok(Text::new(Dfa::any_text())) };
        let mut met = first.clone();
        for part in others {
            if met.is_empty() {
                break;
            }
            met = self.both(&met, part, limit)?;
        }
        Ok(met)
    }

    fn both(&mut self, left: &Text, right: &Text, limit: usize) -> Result<Text, LimitError> {
        let key = (left.address(), right.address());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let term = Term::all([left.term(), right.term()]);
        let made = shared(term, limit, || left.intersect(right, limit))?;
        made.kept()?;
        self.kept.extend([left.clone(), right.clone()]);
        self.known.insert(key, made.clone());
        Ok(made)
    }

    /// The texts that are not in an automaton.
    pub(crate) fn complement(&mut self, of: &Text, limit: usize) -> Result<Text, LimitError> {
        if let Some(known) = self.complements.get(&of.address()) {
            return Ok(known.clone());
        }
        let made = shared(of.term().and_then(Term::complement), limit, || of.complement(limit))?;
        made.kept()?;
        self.kept.push(of.clone());
        self.complements.insert(of.address(), made.clone());
        Ok(made)
    }

    /// The texts that are in none of some lists.
    pub(crate) fn unlisted(&mut self, lists: &[&[Value]], limit: usize) -> Result<Text, LimitError> {
        let key = lists.iter().map(|list| (list.as_ptr().addr(), list.len())).collect();
        if let Some(known) = self.unlisted.get(&key) {
            return Ok(known.clone());
        }
        let made = Text::new(Dfa::finite(lists.iter().flat_map(|list| texts(list))).complement(limit)?);
        self.unlisted.insert(key, made.clone());
        Ok(made)
    }
}

/// The strings of a list.
pub(crate) fn texts(values: &[Value]) -> impl Iterator<Item = &str> {
    values.iter().filter_map(|value| match value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;
    use ogc_regular::{Dfa, LimitError, Limits, format};

    use super::{CombinationCache, Text, pattern, with_length};

    const LIMIT: usize = 10_000;

    /// A text, and the same language made without any cache.
    type Both = (Text, Result<Dfa, LimitError>);

    fn leaf(random: &mut Random) -> Both {
        let patterns = ["^a", "b$", "^[a-c]{2,4}$", "^(ab)*$", "é|x"];
        let at = random.next() as usize % (patterns.len() + 3);
        match patterns.get(at) {
            Some(text) => {
                let plain = ogc_regular::pattern::compile(text, &Limits::default()).expect("it is a pattern");
                (pattern(text, &Limits::default()).expect("it is a pattern"), Ok(plain))
            }
            None => {
                let known = format(["ipv4", "date", "uuid"][at - patterns.len()]).expect("it is a format");
                (Text::Known(&known.dfa), Ok(known.dfa.clone()))
            }
        }
    }

    /// Combines two languages in one random way.
    fn combined(cache: &mut CombinationCache, left: &Both, right: &Both, random: &mut Random) -> Option<Both> {
        let (Ok(one), Ok(other)) = (&left.1, &right.1) else { return None };
        let (kept, plain) = match random.next() % 3 {
            0 => (cache.all(&[left.0.clone(), right.0.clone()], LIMIT), one.intersect(other, LIMIT)),
            1 => (cache.complement(&left.0, LIMIT), one.complement(LIMIT)),
            _ => {
                let (min, max) = (random.next() % 4, Some(4 + random.next() % 4));
                let plain = ogc_regular::length::with_length(one, min as u32, max.map(|max| max as u32), LIMIT);
                (with_length(&left.0, min, max, LIMIT), plain)
            }
        };
        assert_eq!(kept.is_ok(), plain.is_ok());
        kept.ok().map(|kept| (kept, plain))
    }

    #[test]
    fn cached_combinations_equal_fresh_ones() {
        let mut random = Random::new(1);
        for _ in 0..60 {
            // Each round is a separate compilation, which finds the terms of earlier rounds in the cache.
            let mut cache = CombinationCache::default();
            let mut all: Vec<Both> = (0..3).map(|_| leaf(&mut random)).collect();
            for _ in 0..8 {
                let pick = |random: &mut Random| random.next() as usize % all.len();
                let (left, right) = (pick(&mut random), pick(&mut random));
                if let Some(both) = combined(&mut cache, &all[left], &all[right], &mut random) {
                    assert_eq!(Ok(&*both.0), both.1.as_ref(), "{:?}", both.0.term());
                    all.push(both);
                }
            }
        }
    }
}
