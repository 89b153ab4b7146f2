//! Finds the fewest conditions that are empty together (QuickXplain: U. Junker, "QuickXplain: Preferred Explanations and
//! Relaxations for Over-Constrained Problems", AAAI 2004).

/// Returns a minimal subset of `all` that is empty: without any one of its conditions, it is not. `all` itself is
/// empty. Of several contradictions, one of the first is found.
pub(super) fn least<T: Copy>(all: &[T], is_empty: &mut impl FnMut(&[T]) -> bool) -> Vec<T> {
    within(&mut Vec::new(), false, all, is_empty)
}

/// Returns the conditions of `open` that are needed beside those of `kept`. `is_new` says that `kept` has grown since
/// it was last tested for emptiness.
fn within<T: Copy>(kept: &mut Vec<T>, is_new: bool, open: &[T], is_empty: &mut impl FnMut(&[T]) -> bool) -> Vec<T> {
    if is_new && is_empty(kept) || open.is_empty() {
        return Vec::new();
    }
    if let [only] = open {
        return vec![*only];
    }
    let (first, second) = open.split_at(open.len() / 2);
    let base = kept.len();
    kept.extend_from_slice(first);
    let of_second = within(kept, true, second, is_empty);
    kept.truncate(base);
    kept.extend_from_slice(&of_second);
    let mut needed = within(kept, !of_second.is_empty(), first, is_empty);
    kept.truncate(base);
    needed.extend(of_second);
    needed
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn the_smallest_contradicting_subset_is_found() {
        let all: Vec<u32> = (0..40).collect();
        for wanted in [vec![0], vec![39], vec![3, 17, 30], vec![0, 1, 38, 39], (0..40).collect()] {
            let mut asked = 0;
            let found = least(&all, &mut |some: &[u32]| {
                asked += 1;
                wanted.iter().all(|one| some.contains(one))
            });
            assert_eq!(found, wanted);
            assert!(asked <= 2 * 40 + 2, "{asked}");
        }
    }

    #[test]
    fn exactly_one_of_two_contradictions_is_found() {
        let all: Vec<u32> = (0..10).collect();
        let found = least(&all, &mut |some: &[u32]| {
            [[1, 8], [2, 5]].iter().any(|pair| pair.iter().all(|one| some.contains(one)))
        });
        assert!(found == [1, 8] || found == [2, 5], "{found:?}");
    }
}
