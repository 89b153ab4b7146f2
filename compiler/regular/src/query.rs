//! Queries of a language: its shortest string, a random string, or all its strings if they are few.

use std::collections::VecDeque;

use crate::dfa::Dfa;
use crate::state::StateId;

impl Dfa {
    /// Returns the string of fewest bytes, the least of these in byte order; `None` for the empty language.
    #[must_use]
    pub fn shortest(&self) -> Option<Vec<u8>> {
        let mut came: Vec<Option<(u32, u8)>> = vec![None; self.len()];
        let mut seen = vec![false; self.len()];
        seen[0] = true;
        let mut queue = VecDeque::from([0u32]);
        while let Some(at) = queue.pop_front() {
            let state = self.state(StateId(at));
            if state.accept {
                return Some(backwards(&came, at));
            }
            for edge in &state.edges {
                if !std::mem::replace(&mut seen[edge.to.index()], true) {
                    came[edge.to.index()] = Some((at, edge.lo));
                    queue.push_back(edge.to.0);
                }
            }
        }
        None
    }

    /// Returns, for each state, the bytes of its shortest completion; `u32::MAX` only for the empty language.
    #[must_use]
    pub fn distances(&self) -> Vec<u32> {
        let sources = crate::trim::Reverse::new(self.states());
        let mut distance: Vec<u32> =
            self.states().iter().map(|state| if state.accept { 0 } else { u32::MAX }).collect();
        let mut queue: VecDeque<u32> = (0..self.len() as u32).filter(|&at| distance[at as usize] == 0).collect();
        while let Some(at) = queue.pop_front() {
            for &from in sources.of(at) {
                if distance[from as usize] == u32::MAX {
                    distance[from as usize] = distance[at as usize] + 1;
                    queue.push_back(from);
                }
            }
        }
        distance
    }

    /// Returns a random string, or `None` for the empty language. Makes about 64 random choices, and then takes the
    /// shortest way to the end.
    #[must_use]
    pub fn sample(&self, random: &mut impl FnMut() -> u64) -> Option<Vec<u8>> {
        if self.is_empty() {
            return None;
        }
        let distances = self.distances();
        let mut text = Vec::new();
        let mut at = self.start();
        for turn in 0.. {
            let state = self.state(at);
            let tired = turn >= 64;
            if state.edges.is_empty() || state.accept && (tired || random().is_multiple_of(8)) {
                break;
            }
            let nearest = |edge: &&crate::state::Edge| !tired || distances[edge.to.index()] < distances[at.index()];
            let edges: Vec<_> = state.edges.iter().filter(nearest).collect();
            let edge = edges[(random() % edges.len() as u64) as usize];
            text.push(edge.lo + (random() % (u64::from(edge.hi - edge.lo) + 1)) as u8);
            at = edge.to;
        }
        Some(text)
    }

    /// Counts the strings; `None` if there are infinitely many or more than a `u64` holds.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let mut counts: Vec<u64> = vec![0; self.len()];
        for at in self.children_first()? {
            let state = self.state(StateId(at));
            counts[at as usize] = state.edges.iter().try_fold(u64::from(state.accept), |sum, edge| {
                let width = u64::from(edge.hi - edge.lo) + 1;
                sum.checked_add(width.checked_mul(counts[edge.to.index()])?)
            })?;
        }
        counts.first().copied()
    }

    /// Returns all strings in byte order, or `None` if they are more than `limit`.
    #[must_use]
    pub fn finite_strings(&self, limit: usize) -> Option<Vec<String>> {
        if self.count()? > limit as u64 {
            return None;
        }
        let mut strings = Vec::new();
        let mut open = vec![(StateId(0), Vec::new())];
        while let Some((at, text)) = open.pop() {
            let state = self.state(at);
            if state.accept {
                strings.push(String::from_utf8(text.clone()).ok()?);
            }
            for edge in state.edges.iter().rev() {
                for byte in (edge.lo..=edge.hi).rev() {
                    open.push((edge.to, text.iter().copied().chain([byte]).collect()));
                }
            }
        }
        Some(strings)
    }

    /// Returns the states in reverse topological order (successors first); `None` if there is a cycle.
    fn children_first(&self) -> Option<Vec<u32>> {
        let sources = crate::trim::Reverse::new(self.states());
        let mut open: Vec<usize> = self.states().iter().map(|state| state.edges.len()).collect();
        let mut order: Vec<u32> = (0..self.len() as u32).filter(|&at| open[at as usize] == 0).collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for &from in sources.of(at) {
                open[from as usize] -= 1;
                if open[from as usize] == 0 {
                    order.push(from);
                }
            }
        }
        (order.len() == self.len()).then_some(order)
    }
}

/// Returns the bytes that led to `at`.
fn backwards(came: &[Option<(u32, u8)>], mut at: u32) -> Vec<u8> {
    let mut text = Vec::new();
    while let Some((from, byte)) = came[at as usize] {
        text.push(byte);
        at = from;
    }
    text.reverse();
    text
}
