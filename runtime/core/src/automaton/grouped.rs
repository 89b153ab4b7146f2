//! Items grouped by the state that they belong to.

use super::ids::StateId;

/// Items of many states in one list, grouped by state with a counting sort.
#[derive(Debug)]
pub(super) struct Grouped<T> {
    items: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy> Grouped<T> {
    /// Groups the items that `visit` passes on; `visit` is called twice, and passes on the same items each time.
    pub(super) fn new(states: usize, visit: impl Fn(&mut dyn FnMut(StateId, T))) -> Self {
        let mut starts = vec![0u32; states + 1];
        let mut any = None;
        visit(&mut |state, item| {
            starts[state.index() + 1] += 1;
            any = Some(item);
        });
        for i in 0..states {
            starts[i + 1] += starts[i];
        }
        let mut items: Vec<T> = any.map_or_else(Vec::new, |item| vec![item; starts[states] as usize]);
        let mut next = starts.clone();
        visit(&mut |state, item| {
            let slot = &mut next[state.index()];
            items[*slot as usize] = item;
            *slot += 1;
        });
        Self { items, starts }
    }

    pub(super) fn of_list(states: usize, list: &[(StateId, T)]) -> Self {
        Self::new(states, |take| list.iter().for_each(|&(state, item)| take(state, item)))
    }

    pub(super) fn of(&self, state: usize) -> &[T] {
        &self.items[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}
