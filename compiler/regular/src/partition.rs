//! Finds the equivalent states of a partial deterministic automaton, by partition refinement in O(m log n).
//!
//! The method is that of A. Valmari, "Fast brief practical DFA minimization" (Information Processing Letters 112,
//! 2012), a variant of Hopcroft's (1971): blocks of states and sets of transitions that share a label (*bundles*)
//! refine each other until nothing splits. A bundle splits blocks: it separates states that have a transition in the
//! bundle from states that have none. A block splits bundles: it separates transitions into the block from the other
//! transitions of the same label.
//!
//! In `ab|cb|d` with the states 0, 1 (after `a`), 2 (after `c`) and 3 (the end), the blocks begin as {0, 1, 2} and {3}. The
//! bundle of `b` splits {0} from {1, 2}, as only these read `b`; nothing splits {1, 2}, so that they are equivalent.

/// A transition of the automaton to refine.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The state that it leaves.
    pub from: u32,
    /// The symbol that it reads. At most one transition of each label leaves a state.
    pub label: u32,
    /// The state that it reaches.
    pub to: u32,
}

/// A partition of elements into blocks; marked elements stand at the front of their block.
struct Partition {
    /// The elements, block by block.
    elements: Vec<u32>,
    /// Per element: its index in `elements`, and its block.
    location: Vec<u32>,
    block: Vec<u32>,
    /// Per block: its range in `elements`, and how many of its elements are marked.
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
    /// The blocks with marked elements.
    touched: Vec<u32>,
}

impl Partition {
    /// Makes a partition in which elements with equal keys are one block.
    fn by_key(count: usize, key: impl Fn(u32) -> u32) -> Self {
        let mut elements: Vec<u32> = (0..count as u32).collect();
        elements.sort_by_key(|&element| key(element));
        let mut made = Self {
            location: vec![0; count],
            block: vec![0; count],
            first: Vec::new(),
            past: Vec::new(),
            marked: Vec::new(),
            touched: Vec::new(),
            elements,
        };
        for at in 0..count {
            let element = made.elements[at];
            if at == 0 || key(made.elements[at - 1]) != key(element) {
                made.open(at as u32, at as u32);
            }
            made.location[element as usize] = at as u32;
            made.place(at);
        }
        made
    }

    fn open(&mut self, first: u32, past: u32) {
        self.first.push(first);
        self.past.push(past);
        self.marked.push(0);
    }

    fn place(&mut self, at: usize) {
        let block = self.first.len() - 1;
        self.block[self.elements[at] as usize] = block as u32;
        self.past[block] = at as u32 + 1;
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    fn members(&self, block: usize) -> std::ops::Range<usize> {
        self.first[block] as usize..self.past[block] as usize
    }

    fn mark(&mut self, element: u32) {
        let block = self.block[element as usize] as usize;
        let at = self.location[element as usize];
        let slot = self.first[block] + self.marked[block];
        if at < slot {
            return;
        }
        let other = self.elements[slot as usize];
        self.elements.swap(at as usize, slot as usize);
        self.location[other as usize] = at;
        self.location[element as usize] = slot;
        if self.marked[block] == 0 {
            self.touched.push(block as u32);
        }
        self.marked[block] += 1;
    }

    /// Splits every touched block into its marked and its unmarked elements; the smaller part becomes a new block.
    fn split(&mut self) {
        while let Some(block) = self.touched.pop() {
            let block = block as usize;
            let middle = self.first[block] + std::mem::take(&mut self.marked[block]);
            if middle == self.past[block] {
                continue;
            }
            let new = self.first.len();
            if middle - self.first[block] <= self.past[block] - middle {
                self.open(self.first[block], middle);
                self.first[block] = middle;
            } else {
                self.open(middle, self.past[block]);
                self.past[block] = middle;
            }
            for at in self.members(new) {
                self.block[self.elements[at] as usize] = new as u32;
            }
        }
    }
}

/// Returns the block of each state in the coarsest partition that refines `kind` and is stable under `moves`.
///
/// The automaton must be trim: otherwise states that differ only in dead successors end up in different blocks.
///
/// ```
/// use ogc_regular::partition::{Transition, blocks};
/// // `ab|cb`: states 1 and 2 both read `b` to state 3.
/// let moves = [(0, b'a', 1), (0, b'c', 2), (1, b'b', 3), (2, b'b', 3)];
/// let moves = moves.map(|(from, label, to)| Transition { from, label: label.into(), to });
/// let found = blocks(4, &moves, |state| u32::from(state == 3));
/// assert!(found[1] == found[2] && found[0] != found[1]);
/// ```
pub fn blocks(states: usize, moves: &[Transition], kind: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut blocks = Partition::by_key(states, kind);
    let mut bundles = Partition::by_key(moves.len(), |at| moves[at as usize].label);
    let incoming = Incoming::new(states, moves);
    // The first block is never used as a splitter: the other blocks together split everything that it would.
    let mut done_blocks = 1;
    let mut done_bundles = 0;
    while done_bundles < bundles.len() {
        for at in bundles.members(done_bundles) {
            blocks.mark(moves[bundles.elements[at] as usize].from);
        }
        blocks.split();
        done_bundles += 1;
        while done_blocks < blocks.len() {
            for at in blocks.members(done_blocks) {
                for &entry in incoming.of(blocks.elements[at]) {
                    bundles.mark(entry);
                }
            }
            bundles.split();
            done_blocks += 1;
        }
    }
    blocks.block
}

/// Maps bytes to classes, ascending, so that every range is a union of classes.
///
/// ```
/// let classes = ogc_regular::partition::byte_classes([(b'a', b'z'), (b'd', b'd')].into_iter());
/// assert_eq!((classes[0], classes[b'b' as usize], classes[b'd' as usize], classes[b'z' as usize]), (0, 1, 2, 3));
/// ```
pub fn byte_classes(ranges: impl Iterator<Item = (u8, u8)>) -> [u8; 256] {
    let mut begins = [false; 257];
    for (lo, hi) in ranges {
        begins[usize::from(lo)] = true;
        begins[usize::from(hi) + 1] = true;
    }
    let mut classes = [0; 256];
    for byte in 1..256 {
        classes[byte] = classes[byte - 1] + u8::from(begins[byte]);
    }
    classes
}

/// The transitions into each state.
struct Incoming {
    starts: Vec<u32>,
    moves: Vec<u32>,
}

impl Incoming {
    fn new(states: usize, moves: &[Transition]) -> Self {
        let mut starts = vec![0u32; states + 1];
        for entry in moves {
            starts[entry.to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0; moves.len()];
        for (at, entry) in moves.iter().enumerate() {
            let slot = &mut next[entry.to as usize];
            order[*slot as usize] = at as u32;
            *slot += 1;
        }
        Self { starts, moves: order }
    }

    fn of(&self, state: u32) -> &[u32] {
        &self.moves[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}
