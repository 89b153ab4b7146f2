//! Automata as flat tables of arrows, and their strongly connected components.

use crate::state::Edge;

/// A range of labels that leads to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrow {
    /// Least label.
    pub(crate) lo: u32,
    /// Greatest label.
    pub(crate) hi: u32,
    /// The state, or the class of states, that it leads to.
    pub(crate) to: u32,
}

/// The arrows of all states, state by state; those of one state are ascending and disjoint.
#[derive(Debug)]
pub(crate) struct Graph {
    starts: Vec<u32>,
    arrows: Vec<Arrow>,
}

impl Graph {
    /// Makes an empty graph with room for `states` and `arrows`.
    pub(crate) fn with_capacity(states: usize, arrows: usize) -> Self {
        let mut starts = Vec::with_capacity(states + 1);
        starts.push(0);
        Self { starts, arrows: Vec::with_capacity(arrows) }
    }

    /// Makes the graph of lists of edges, one list a state.
    pub(crate) fn of_edges(states: &[&[Edge]]) -> Self {
        let mut made = Self::with_capacity(states.len(), states.iter().map(|edges| edges.len()).sum());
        for edges in states {
            edges.iter().for_each(|edge| made.push(edge.lo.into(), edge.hi.into(), edge.to.0));
            made.end();
        }
        made
    }

    /// Adds an arrow to the state under construction; neighbours with one target become one arrow.
    pub(crate) fn push(&mut self, lo: u32, hi: u32, to: u32) {
        let first = self.starts[self.len()] as usize;
        push_arrow(&mut self.arrows, first, Arrow { lo, hi, to });
    }

    /// Ends the state under construction.
    pub(crate) fn end(&mut self) {
        self.starts.push(self.arrows.len() as u32);
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of arrows of all states.
    pub(crate) fn arrows(&self) -> usize {
        self.arrows.len()
    }

    /// Returns the arrows of a state.
    pub(crate) fn of(&self, state: u32) -> &[Arrow] {
        &self.arrows[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// Calls `found` with each strongly connected component; the components that it leads to come before it.
    ///
    /// The method is that of R. Tarjan, "Depth-first search and linear graph algorithms" (SIAM Journal on Computing 1, 1972),
    /// with a list in place of recursion.
    pub(crate) fn components(&self, mut found: impl FnMut(&[u32])) {
        let mut search = Search { seen: vec![0; self.len()], low: vec![0; self.len()], count: 0, stack: Vec::new() };
        let mut path: Vec<(u32, u32)> = Vec::new();
        for root in 0..self.len() as u32 {
            if search.seen[root as usize] == 0 {
                search.enter(root);
                path.push((root, self.starts[root as usize]));
            }
            while let Some(&mut (state, ref mut next)) = path.last_mut() {
                if *next < self.starts[state as usize + 1] {
                    let to = self.arrows[*next as usize].to;
                    *next += 1;
                    if search.seen[to as usize] == 0 {
                        search.enter(to);
                        path.push((to, self.starts[to as usize]));
                    } else {
                        search.reaches(state, search.seen[to as usize]);
                    }
                    continue;
                }
                path.pop();
                let low = search.low[state as usize];
                if let Some(&(before, _)) = path.last() {
                    search.reaches(before, low);
                }
                if low == search.seen[state as usize] {
                    search.leave(state, &mut found);
                }
            }
        }
    }
}

/// The search for components. Once the component of a state is known, its `seen` and `low` are [`u32::MAX`].
struct Search {
    /// Per state: when it was entered, counted from 1; 0 if it was not.
    seen: Vec<u32>,
    /// Per state: the earliest state of its component that it is known to reach.
    low: Vec<u32>,
    count: u32,
    /// The states that were entered and whose component is not known.
    stack: Vec<u32>,
}

impl Search {
    fn enter(&mut self, state: u32) {
        self.count += 1;
        self.seen[state as usize] = self.count;
        self.low[state as usize] = self.count;
        self.stack.push(state);
    }

    fn reaches(&mut self, state: u32, low: u32) {
        let own = &mut self.low[state as usize];
        *own = low.min(*own);
    }

    /// Reports the component whose first state is `state`.
    fn leave(&mut self, state: u32, found: &mut impl FnMut(&[u32])) {
        // The members are the states entered since `state`; none of them has been left.
        let members = self.stack.iter().rev().take_while(|&&other| other != state).count() + 1;
        let first = self.stack.len() - members;
        for &member in &self.stack[first..] {
            self.seen[member as usize] = u32::MAX;
            self.low[member as usize] = u32::MAX;
        }
        found(&self.stack[first..]);
        self.stack.truncate(first);
    }
}

/// Appends an arrow to the list that begins at `first`: neighbours with one target become one arrow.
pub(crate) fn push_arrow(arrows: &mut Vec<Arrow>, first: usize, arrow: Arrow) {
    match arrows[first..].last_mut() {
        Some(last) if last.to == arrow.to && last.hi + 1 == arrow.lo => last.hi = arrow.hi,
        _ => arrows.push(arrow),
    }
}
