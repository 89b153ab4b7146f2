//! Transition tables of states, indexed by byte. With them, a walk of the trie steps by one look-up instead of a search among edges.

use crate::automaton::{Automaton, AutomatonState, ByteSet, Free, Op, OpId, StateId, StateKind, UNBOUNDED, insert};
use crate::step::Head;

/// The code of a byte that the state does not read.
const DEAD: u32 = 0;
/// The code of a byte that needs the general step, because of several edges, a call, an escape or a close.
const SLOW: u32 = u32::MAX;
/// The bit that marks an edge with an operation, or an edge into a state that only returns; the other bits are the
/// edge's index.
const WITH_OP: u32 = 1 << 31;
/// The bit that marks a target state whose table is not linked yet; the other bits are the state.
const UNLINKED: u32 = 1 << 30;

/// The number of a table, with two facts about its state that a walk needs at each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    /// No table.
    pub(super) const NONE: Link = Link(DEAD);

    fn new(number: usize, table: &Table) -> Self {
        // Numbers start at 1, so that no link equals `NONE`.
        Self((number as u32 + 1) << 2 | u32::from(table.may_be_free) << 1 | u32::from(table.accept))
    }

    fn number(self) -> usize {
        (self.0 >> 2) as usize - 1
    }

    /// Returns whether the rule may return in the state.
    #[inline]
    pub(super) fn accepts(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns whether the state reads free text.
    #[inline]
    pub(super) fn may_be_free(self) -> bool {
        self.0 & 2 == 2
    }
}

/// The effect of a byte on a head, by the table of the head's state.
#[derive(Clone, Copy, Debug)]
pub(super) enum ByTable {
    /// The byte is not read.
    Dead,
    /// The byte needs the general step.
    Slow,
    /// The byte takes the edge with this index, which has an operation or leads into a state that only returns.
    Edge(usize),
    /// The byte leads to another state, and changes nothing else.
    To(Link),
}

/// The transitions of one state by each byte.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) state: StateId,
    countdown: Countdown,
    /// The effect of each byte, as a code: [`DEAD`], [`SLOW`], an edge marked [`WITH_OP`], a target state marked
    /// [`UNLINKED`], or else the link of the target's table. Codes do not cover returns from the state's rule.
    codes: [u32; 256],
    /// The bytes that are not [`DEAD`].
    pub(super) live: ByteSet,
    /// Whether the rule may return here.
    accept: bool,
    /// A superset of the bytes that the frame below may read after a return; empty if the rule may not return here.
    pub(super) follow: ByteSet,
    /// Whether the state reads free text.
    may_be_free: bool,
}

/// Kinds of countdowns, by their distance from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Countdown {
    /// They must be counted.
    Near,
    /// The minimum is reached, and the maximum is endless: every [`Op::Count`] allows the head and does not change it.
    Endless,
}

impl Countdown {
    #[inline]
    pub(super) fn of(head: &Head) -> Self {
        let endless = head.a == 0 && head.b == UNBOUNDED && head.memory.way().is_none();
        if endless { Self::Endless } else { Self::Near }
    }
}

/// The tables of an automaton's states, each computed at first use.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// For each kind of countdown and each state: the link to the table.
    links: [Vec<Link>; 2],
    tables: Vec<Table>,
}

/// Cap on the tables that are kept between walks: 32 MB.
const KEPT: usize = 1 << 15;

impl Tables {
    /// Drops all tables if there are more than [`KEPT`]. Must not be called during a walk, which holds links to them.
    pub(super) fn shrink(&mut self) {
        if self.tables.len() > KEPT {
            self.links.iter_mut().for_each(Vec::clear);
            self.tables.clear();
        }
    }

    /// Returns the bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        let links: usize = self.links.iter().map(Vec::capacity).sum();
        links * size_of::<Link>() + self.tables.capacity() * size_of::<Table>()
    }

    /// Returns the table of a link other than [`Link::NONE`].
    #[inline]
    pub(super) fn get(&self, link: Link) -> &Table {
        &self.tables[link.number()]
    }

    /// Returns the effect of a byte in the state of a table; `from` is not [`Link::NONE`].
    #[inline]
    pub(super) fn step(&mut self, automaton: &Automaton, from: Link, byte: u8) -> ByTable {
        let code = self.tables[from.number()].codes[usize::from(byte)];
        match code {
            DEAD => ByTable::Dead,
            _ if code < UNLINKED => ByTable::To(Link(code)),
            SLOW => ByTable::Slow,
            _ if code & WITH_OP != 0 => ByTable::Edge((code & !WITH_OP) as usize),
            _ => ByTable::To(self.link(automaton, from, byte, StateId(code & !UNLINKED))),
        }
    }

    /// Replaces the code of a byte that leads to state `to` by the link to that state's table.
    #[cold]
    fn link(&mut self, automaton: &Automaton, from: Link, byte: u8, to: StateId) -> Link {
        let link = self.of(automaton, to, self.get(from).countdown);
        self.tables[from.number()].codes[usize::from(byte)] = link.0;
        link
    }

    /// Returns the link to a state's table, and computes the table if there is none.
    #[inline]
    pub(super) fn of(&mut self, automaton: &Automaton, state: StateId, countdown: Countdown) -> Link {
        match self.links[countdown as usize].get(state.index()) {
            Some(&link) if link != Link::NONE => link,
            _ => self.make(automaton, state, countdown),
        }
    }

    #[cold]
    fn make(&mut self, automaton: &Automaton, state: StateId, countdown: Countdown) -> Link {
        let table = Table::new(automaton, state, countdown);
        let link = Link::new(self.tables.len(), &table);
        self.tables.push(table);
        let links = &mut self.links[countdown as usize];
        if links.len() < automaton.states.len() {
            links.resize(automaton.states.len(), Link::NONE);
        }
        links[state.index()] = link;
        link
    }
}

impl Table {
    fn new(automaton: &Automaton, id: StateId, countdown: Countdown) -> Self {
        let codes = codes(automaton, id, countdown);
        let mut live = [0; 4];
        let is_live = |byte: &u8| codes[usize::from(*byte)] != DEAD;
        (0..=u8::MAX).filter(is_live).for_each(|byte| insert(&mut live, byte));
        let AutomatonState { accept, rule, .. } = automaton.states[id.index()];
        let follow = if accept { *automaton.derived.follow(rule) } else { [0; 4] };
        let may_be_free = automaton.derived.free(id) != Free::No;
        Self { state: id, countdown, codes, live, accept, follow, may_be_free }
    }
}

fn codes(automaton: &Automaton, id: StateId, countdown: Countdown) -> [u32; 256] {
    let does_nothing = |op: OpId| match automaton.ops[op.index()] {
        Op::None => true,
        Op::Count { .. } => countdown == Countdown::Endless,
        _ => false,
    };
    let mut codes = [DEAD; 256];
    let state = &automaton.states[id.index()];
    for (offset, edge) in automaton.edges(id).iter().enumerate() {
        let simple = does_nothing(edge.op) && !automaton.derived.is_bare(edge.to);
        let code = if simple { UNLINKED | edge.to.0 } else { WITH_OP | (state.edges.first + offset as u32) };
        for slot in &mut codes[usize::from(edge.lo)..=usize::from(edge.hi)] {
            *slot = if *slot == DEAD { code } else { SLOW };
        }
    }
    for call in automaton.calls(id) {
        let first = automaton.rules[call.rule.index()].first;
        for (byte, slot) in codes.iter_mut().enumerate() {
            if first[byte >> 6] >> (byte & 63) & 1 == 1 {
                *slot = SLOW;
            }
        }
    }
    if state.kind == StateKind::Text {
        codes[..0x20].fill(DEAD);
        codes[usize::from(b'\\')] = SLOW;
        codes[usize::from(b'"')] = if state.close.is_some() { SLOW } else { DEAD };
    }
    codes
}
