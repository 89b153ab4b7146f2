//! Lists without duplicates, with fast lookup at any length.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// Longer lists also keep a set; up to this length, a linear search is faster.
const SHORT: usize = 32;

/// Keeps elements in the order in which they were first added.
///
/// Invariant: with more than [`SHORT`] elements, the set contains the same elements as the list.
#[derive(Clone, Debug)]
pub(crate) struct OrderedSet<T> {
    list: Vec<T>,
    set: FxHashSet<T>,
}

impl<T> Default for OrderedSet<T> {
    fn default() -> Self {
        Self { list: Vec::new(), set: FxHashSet::default() }
    }
}

impl<T: Copy + Eq + Hash> OrderedSet<T> {
    pub(crate) fn list(&self) -> &[T] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<T> {
        self.list
    }

    pub(crate) fn contains(&self, one: &T) -> bool {
        if self.list.len() > SHORT { self.set.contains(one) } else { self.list.contains(one) }
    }

    /// Adds an element; returns whether it is new.
    pub(crate) fn push(&mut self, one: T) -> bool {
        if self.contains(&one) {
            return false;
        }
        self.list.push(one);
        if self.list.len() > SHORT + 1 {
            self.set.insert(one);
        } else if self.list.len() > SHORT {
            self.set.extend(self.list.iter().copied());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderedSet, SHORT};

    #[test]
    fn short_and_long_ordered_sets_hold_each_element_once() {
        let mut list = OrderedSet::default();
        let new = (0..4 * SHORT).map(|at| list.push(at / 2)).filter(|new| *new).count();
        assert_eq!((new, list.list().len()), (2 * SHORT, 2 * SHORT));
        assert!(list.contains(&(2 * SHORT - 1)) && !list.contains(&(2 * SHORT)));
    }
}
