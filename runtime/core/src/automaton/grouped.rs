//! Items grouped by the state that they belong to.

use super::ids::StateId;

/// Items of many states in one list, grouped by state with a counting sort.
#[derive(Debug)]
pub(super) struct Grouped<T> {
    items: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy> Grouped<T> {
    /// Groups the items of `items`. It is called twice, and must give the same items each time.
    pub(super) fn new<I: Iterator<Item = (StateId, T)>>(states: usize, items: impl Fn() -> I) -> Self {
        Self::placed(states, items().map(|(state, _)| state), items)
    }

    /// Groups the items of `items` by state; `owners` gives their states, in any order.
    pub(super) fn placed<I: Iterator<Item = (StateId, T)>>(
        states: usize,
        owners: impl Iterator<Item = StateId>,
        items: impl Fn() -> I,
    ) -> Self {
        let mut starts = vec![0u32; states + 1];
        owners.for_each(|state| starts[state.index() + 1] += 1);
        for i in 0..states {
            starts[i + 1] += starts[i];
        }
        let any = items().next();
        let mut grouped: Vec<T> = any.map_or_else(Vec::new, |(_, item)| vec![item; starts[states] as usize]);
        // While items are placed, starts[s] is the position of the next item of state s; in the end it is the start of state s + 1.
        items().for_each(|(state, item)| {
            let slot = &mut starts[state.index()];
            grouped[*slot as usize] = item;
            *slot += 1;
        });
        starts.rotate_right(1);
        if let Some(first) = starts.first_mut() {
            *first = 0;
        }
        Self { items: grouped, starts }
    }

    pub(super) fn of_list(states: usize, list: &[(StateId, T)]) -> Self {
        Self::placed(states, list.iter().map(|(state, _)| *state), || list.iter().copied())
    }

    pub(super) fn of(&self, state: usize) -> &[T] {
        &self.items[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::{Grouped, StateId};

    #[test]
    fn grouped_items_keep_their_order_per_state() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let states = 1 + random.next() as usize % 9;
            let items = random.next() % 20;
            let list: Vec<(StateId, u64)> =
                (0..items).map(|item| (StateId((random.next() as usize % states) as u32), item)).collect();
            let grouped = Grouped::of_list(states, &list);
            for state in 0..states {
                let own = list.iter().filter(|(of, _)| of.index() == state).map(|(_, item)| *item);
                assert_eq!(grouped.of(state), own.collect::<Vec<_>>());
            }
        }
    }
}
