//! Shrinks the arena of a long text: keeps the nodes that the latest moments of the text need, and drops the rest.

use rustc_hash::FxHashMap;

use super::{Head, Mark, Memory, Node, NodeId, Numbers, Stack, moved};

/// A moment of the text to which the matcher may go back: its heads, and the lengths of the arena then.
#[derive(Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) heads: &'a mut [Head],
    pub(crate) mark: &'a mut Mark,
}

impl Stack {
    /// Drops the nodes and key sets that are needed neither by the moments nor by the live heads. The moments must be in order of time.
    /// Their heads and marks, and the live heads, are renumbered.
    pub(crate) fn compact(&mut self, moments: &mut [Moment<'_>], alive: &mut [Head]) {
        let of_moments = moments.iter().flat_map(|moment| moment.heads.iter());
        let heads: Vec<Head> = of_moments.chain(alive.iter()).copied().collect();
        let needed = self.needed(&heads, 0);
        let old = std::mem::take(self);
        (self.ways, self.overflow, self.renumberings) = (old.ways.clone(), old.overflow, old.renumberings + 1);
        // The text and its items are kept whole, as frames refer to them by number. Items refer to key sets, which are then kept too.
        self.seen.clone_from(&old.seen);
        if self.keeps_text() {
            self.sets = old.sets.clone();
        }
        let mut copying =
            Copying { old, needed, done: 0, inclusions: 0, numbers: Numbers::default(), sets: FxHashMap::default() };
        for Moment { heads, mark } in moments {
            copying.copy_until(self, **mark);
            heads.iter_mut().for_each(|head| *head = copying.head(self, *head));
            **mark = Mark { seen: mark.seen, ..self.mark() };
        }
        let end = copying.old.mark();
        copying.copy_until(self, end);
        alive.iter_mut().for_each(|head| *head = copying.head(self, *head));
    }
}

/// Copies nodes from one arena to another.
struct Copying {
    old: Stack,
    /// The nodes to copy, ascending: each comes after the nodes below it.
    needed: Vec<NodeId>,
    /// Number of nodes of `needed` that have been copied.
    done: usize,
    /// Number of inclusions of `old` that have been visited.
    inclusions: usize,
    numbers: Numbers,
    /// For each memory in the old arena that refers to a key set: the memory in the new one.
    sets: FxHashMap<Memory, Memory>,
}

impl Copying {
    /// Copies the needed nodes that existed at a mark of the old arena.
    fn copy_until(&mut self, to: &mut Stack, mark: Mark) {
        while let Some(&node) = self.needed.get(self.done).filter(|node| node.0 < mark.nodes) {
            self.done += 1;
            let copied = match self.old.content(node) {
                Node::Frame(mut frame, parent) => {
                    frame.memory = self.memory(to, frame.memory);
                    to.push(frame, moved(&self.numbers, parent))
                }
                Node::Join { .. } => to.copy(&self.old, node, &self.numbers),
            };
            self.numbers.insert(node, copied);
        }
        let range = self.inclusions..mark.inclusions as usize;
        self.inclusions = range.end.max(self.inclusions);
        to.keep_inclusions(&self.old, range, &self.numbers, |node| self.numbers.contains_key(&node));
    }

    fn head(&mut self, to: &mut Stack, head: Head) -> Head {
        Head { parent: moved(&self.numbers, head.parent), memory: self.memory(to, head.memory), ..head }
    }

    /// Returns the memory of a frame in the new arena, where key sets have other numbers.
    fn memory(&mut self, to: &mut Stack, memory: Memory) -> Memory {
        let Some(set) = self.old.set(memory).filter(|_| !to.keeps_text()) else { return memory };
        *self.sets.entry(memory).or_insert_with(|| to.add_set(set.clone()))
    }
}
