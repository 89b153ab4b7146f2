//! The memory that an automaton takes, which caches count towards their bounds.

use super::derived::{Derived, KeyTables, OnDemand, Similar};
use super::{Automaton, Op, Rule};

/// Returns the allocated size of a vector's elements in bytes.
fn bytes_of<T>(elements: &Vec<T>) -> usize {
    elements.capacity() * size_of::<T>()
}

impl Automaton {
    /// Returns the memory of the automaton in bytes, including the tables that masks compute on first use. Tables that are not computed yet
    /// are estimated, so that the number hardly grows later.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(format.bytes() > size_of_val(&*format) && format.bytes() < 4_096);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        let states =
            bytes_of(&self.states) + bytes_of(&self.origins) + bytes_of(&self.min_bytes) + bytes_of(&self.twins);
        let moves = bytes_of(&self.edges) + bytes_of(&self.calls) + bytes_of(&self.ops);
        let keys = |op: &Op| if let Op::KeyAlive { keys, .. } = op { size_of_val(&**keys) } else { 0 };
        let keys: usize = self.ops.iter().map(keys).sum();
        let objects: usize =
            self.objects.iter().map(|shape| size_of_val(&*shape.required) + shape.conditions.bytes()).sum();
        let rules: usize = self.rules.iter().map(|rule| rule.name.capacity()).sum();
        let tokens: usize = self.tokens.iter().map(String::capacity).sum();
        let lists = bytes_of(&self.objects) + bytes_of(&self.rules) + bytes_of(&self.tokens);
        size_of::<Self>() + states + moves + keys + objects + rules + tokens + lists + self.derived.bytes(self)
    }
}

impl Derived {
    /// Returns the heap memory of the tables in bytes, without [`Derived`] itself.
    fn bytes(&self, automaton: &Automaton) -> usize {
        let states = bytes_of(&self.bare) + bytes_of(&self.free) + bytes_of(&self.twins);
        let lists = bytes_of(&self.threshold) + bytes_of(&self.first_depth) + bytes_of(&self.by_ways);
        let similar: usize = self.similar.iter().filter_map(OnDemand::made).map(Similar::bytes).sum();
        let fingerprints = size_of::<u128>() * automaton.rules.len();
        let rules = lists + bytes_of(&self.follow) + bytes_of(&self.similar) + similar + fingerprints;
        let of_rule = |(rule, tables): (&Rule, &OnDemand<Box<KeyTables>>)| {
            let states = rule.states.len as usize;
            let expected = if rule.object.is_some() { KeyTables::expected_bytes(states) } else { 0 };
            tables.made().map_or(expected, |tables| tables.bytes(states))
        };
        let of_keys = bytes_of(&self.keys) + automaton.rules.iter().zip(&self.keys).map(of_rule).sum::<usize>();
        states + rules + of_keys
    }
}
