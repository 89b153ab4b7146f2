//! Merges the key orders of several schemas, each of which lists its keys as declared.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Orders keys so that each of the orders is kept; where they leave a choice, the key that comes first in `keys` goes
/// first. Where they contradict each other, the order of `keys` decides.
pub(super) fn merged<'t>(keys: Vec<&'t str>, orders: &[Vec<&'t str>]) -> Vec<&'t str> {
    let mut before: IndexMap<&'t str, usize, FxBuildHasher> = keys.iter().map(|&key| (key, 0)).collect();
    let mut after: IndexMap<&'t str, Vec<&'t str>, FxBuildHasher> = IndexMap::default();
    for pair in orders.iter().flat_map(|order| order.windows(2)) {
        if let [one, next] = *pair
            && let Some(count) = before.get_mut(next)
        {
            *count += 1;
            after.entry(one).or_default().push(next);
        }
    }
    let mut ordered = Vec::with_capacity(keys.len());
    while !before.is_empty() {
        let free = before.values().position(|&count| count == 0).unwrap_or(0);
        let Some((key, _)) = before.shift_remove_index(free) else { break };
        for next in after.swap_remove(key).unwrap_or_default() {
            before.get_mut(next).into_iter().for_each(|count| *count = count.saturating_sub(1));
        }
        ordered.push(key);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn merging_keeps_all_compatible_key_orders() {
        let orders = [vec!["a", "c"], vec!["b", "c", "d"], vec!["a", "b"]];
        assert_eq!(merged(vec!["a", "c", "b", "d"], &orders), ["a", "b", "c", "d"]);
        // With a contradiction, the order of the keys stays.
        assert_eq!(merged(vec!["a", "b"], &[vec!["a", "b"], vec!["b", "a"]]), ["a", "b"]);
    }
}
