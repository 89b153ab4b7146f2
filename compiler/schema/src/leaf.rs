//! Patterns and lengths as automata of `ogc-regular`, with those that were combined before.

use std::sync::Arc;

use ogc_regular::budget;
use ogc_regular::pattern::PatternError;
use ogc_regular::{Dfa, LimitError, Limits, intersect_all};
use rustc_hash::FxHashMap;

use crate::source::Value;

/// An automaton of decoded texts: made for this schema, or one of those that all schemas share.
#[derive(Clone, Debug)]
pub enum Text {
    /// Made for this schema.
    Made(Arc<Dfa>),
    /// The language of a format.
    Known(&'static Dfa),
}

impl Text {
    pub(crate) fn new(dfa: Dfa) -> Self {
        Self::Made(Arc::new(dfa))
    }

    /// Draws the memory of an automaton that is kept for the whole compilation.
    pub(crate) fn kept(&self) -> Result<(), LimitError> {
        match self {
            Self::Made(dfa) => budget::keep(dfa.bytes()),
            Self::Known(_) => Ok(()),
        }
    }

    /// The address of the automaton, equal for the same one.
    #[must_use]
    pub fn address(&self) -> usize {
        std::ptr::from_ref::<Dfa>(self) as usize
    }
}

impl std::ops::Deref for Text {
    type Target = Dfa;

    fn deref(&self) -> &Dfa {
        match self {
            Self::Made(dfa) => dfa,
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

/// Compiles an unanchored ECMA-262 pattern.
pub(crate) fn pattern(text: &str, limits: &Limits) -> Result<Text, PatternError> {
    ogc_regular::pattern::compile(text, limits).map(Text::new)
}

/// The texts of `min` to `max` code points.
pub(crate) fn with_length(dfa: &Dfa, min: u64, max: Option<u64>, limit: usize) -> Result<Text, LimitError> {
    let over = |_| LimitError::of_large("least length of a string", min, u64::from(u32::MAX));
    let min = u32::try_from(min).map_err(over)?;
    let max = max.and_then(|max| u32::try_from(max).ok());
    ogc_regular::length::with_length(dfa, min, max, limit).map(Text::new)
}

/// Keeps intersections and complements that were made before.
///
/// The terms of a disjunctive normal form ask for the same few patterns in hundreds of combinations, most of which
/// begin alike. Automata are told apart by where they lie, so all that is named in a key is kept alive here.
#[derive(Debug, Default)]
pub(crate) struct CombinationCache {
    known: FxHashMap<(usize, usize), Text>,
    complements: FxHashMap<usize, Text>,
    /// By where the lists lie; they outlive the algebra.
    unlisted: FxHashMap<Vec<(usize, usize)>, Text>,
    kept: Vec<Text>,
}

impl CombinationCache {
    /// The texts of all parts, of which there is at least one.
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
            // A part can be too large beside another one, and be small beside all.
            let parts: Vec<&Dfa> = distinct.iter().map(|part| &**part).collect();
            intersect_all(&parts, limit).map(Text::new)
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
        let made = Text::new(left.intersect(right, limit)?);
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
        let made = Text::new(of.complement(limit)?);
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
