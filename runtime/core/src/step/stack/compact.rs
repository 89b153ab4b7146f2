//! Makes the arena of a long text small again: keeps what the latest moments of the text need, and drops the rest.

use rustc_hash::FxHashMap;

use super::{Head, Mark, Memory, Node, NodeId, Numbers, Stack, moved};

/// A moment of the text to which the matcher may go back: its heads, and the lengths of the arena then.
#[derive(Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) heads: &'a mut [Head],
    pub(crate) mark: &'a mut Mark,
}

impl Stack {
    /// Drops the nodes and key sets that no moment needs, nor the heads that are alive now. Moments are in the order of time; their
    /// heads and marks, and the heads alive, get the new numbers.
    pub(crate) fn compact(&mut self, moments: &mut [Moment<'_>], alive: &mut [Head]) {
        let of_moments = moments.iter().flat_map(|moment| moment.heads.iter());
        let heads: Vec<Head> = of_moments.chain(alive.iter()).copied().collect();
        let needed = self.needed(&heads, 0);
        let old = std::mem::take(self);
        (self.ways, self.overflow, self.renumberings) = (old.ways.clone(), old.overflow, old.renumberings + 1);
        // The text and the items that it has stay whole: frames name them as before. Items name key sets.
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

/// Nodes on their way from one arena to another.
struct Copying {
    old: Stack,
    /// The nodes that are copied, ascending: each after those that it stands on.
    needed: Vec<NodeId>,
    /// How many of them were copied.
    done: usize,
    /// How many inclusions were looked at.
    inclusions: usize,
    numbers: Numbers,
    /// The names of key sets there, by their names here.
    sets: FxHashMap<Memory, Memory>,
}

impl Copying {
    /// Copies the needed nodes that were there at a mark of the old arena.
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

    /// Returns what a frame of the new arena remembers: key sets have other numbers there.
    fn memory(&mut self, to: &mut Stack, memory: Memory) -> Memory {
        let Some(set) = self.old.set(memory).filter(|_| !to.keeps_text()) else { return memory };
        *self.sets.entry(memory).or_insert_with(|| to.add_set(set.clone()))
    }
}
