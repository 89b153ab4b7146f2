//! Strongly connected components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972), without recursion.

/// The strongly connected components of a graph.
#[derive(Debug)]
pub struct Components {
    /// The component of each node. Edges lead to components with equal or smaller numbers.
    pub of: Vec<u32>,
    /// The members of each component.
    pub members: Vec<Vec<u32>>,
    /// For each node, whether it lies on a cycle.
    pub cyclic: Vec<bool>,
}

const NEW: u32 = u32::MAX;

struct Search<'g> {
    edges: &'g [Vec<u32>],
    order: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    next: u32,
    made: Components,
}

/// Computes the components of the graph whose node `n` has edges to `edges[n]`.
#[must_use]
pub fn components(edges: &[Vec<u32>]) -> Components {
    let count = edges.len();
    let made = Components { of: vec![NEW; count], members: Vec::new(), cyclic: vec![false; count] };
    let mut search = Search { edges, order: vec![NEW; count], low: vec![0; count], stack: Vec::new(), next: 0, made };
    for root in 0..count as u32 {
        if search.order[root as usize] == NEW {
            search.from(root);
        }
    }
    search.made
}

impl Search<'_> {
    fn from(&mut self, root: u32) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            let Some(&next) = self.edges[node as usize].get(*at) else {
                path.pop();
                self.leave(node, path.last().map(|top| top.0));
                continue;
            };
            *at += 1;
            if self.order[next as usize] == NEW {
                self.enter(next);
                path.push((next, 0));
            } else if self.made.of[next as usize] == NEW {
                self.low[node as usize] = self.low[node as usize].min(self.order[next as usize]);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.stack.push(node);
    }

    fn leave(&mut self, node: u32, parent: Option<u32>) {
        if self.low[node as usize] == self.order[node as usize] {
            self.close(node);
        }
        if let Some(parent) = parent {
            self.low[parent as usize] = self.low[parent as usize].min(self.low[node as usize]);
        }
    }

    fn close(&mut self, node: u32) {
        let component = self.made.members.len() as u32;
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.made.of[member as usize] = component;
            members.push(member);
            if member == node {
                break;
            }
        }
        members.sort_unstable();
        let cyclic = members.len() > 1 || self.edges[node as usize].contains(&node);
        for &member in &members {
            self.made.cyclic[member as usize] = cyclic;
        }
        self.made.members.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_one_component_and_callees_come_first() {
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        assert_eq!(found.members, [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(found.cyclic, [false, true, true, false, true]);
    }
}
