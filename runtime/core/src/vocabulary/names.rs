//! Maps the names of added tokens to their ids and back. Part of a [`Vocabulary`](super::Vocabulary).

use super::{TokenId, VocabularyError};

/// Names and ids of added tokens.
///
/// Invariants: `pairs` is sorted by id, without duplicate ids or names; `by_name` holds the indices of `pairs` in the
/// order of their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pairs: Box<[(TokenId, String)]>,
    by_name: Box<[u32]>,
}

impl Names {
    /// Sorts the pairs by id and by name; the ids must differ.
    pub(super) fn new(mut pairs: Vec<(TokenId, String)>) -> Result<Self, VocabularyError> {
        pairs.sort_unstable_by_key(|pair| pair.0);
        let mut by_name: Vec<u32> = (0..pairs.len() as u32).collect();
        by_name.sort_unstable_by_key(|&index| &pairs[index as usize].1);
        let names = Self { pairs: pairs.into(), by_name: by_name.into() };
        names.check_distinct().map(|()| names)
    }

    fn check_distinct(&self) -> Result<(), VocabularyError> {
        for pair in self.by_name.windows(2) {
            let [(first, name), (second, other)] = [0, 1].map(|i| &self.pairs[pair[i] as usize]);
            if name == other {
                return Err(VocabularyError::DuplicateName { name: name.clone(), first: first.0, second: second.0 });
            }
        }
        Ok(())
    }

    pub(super) fn id(&self, name: &str) -> Option<TokenId> {
        let found = self.by_name.binary_search_by(|&index| self.pairs[index as usize].1.as_str().cmp(name));
        found.ok().map(|at| self.pairs[self.by_name[at] as usize].0)
    }

    pub(super) fn name(&self, id: TokenId) -> Option<&str> {
        let at = self.pairs.binary_search_by_key(&id, |pair| pair.0).ok()?;
        Some(&self.pairs[at].1)
    }

    /// Returns the pairs in the order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (TokenId, &str)> {
        self.pairs.iter().map(|(id, name)| (*id, name.as_str()))
    }
}
