//! The heads of a walk by depth in the trie: those at the last node that was visited at each depth.
//!
//! Most steps take one head along an edge that changes nothing but its state. Such a depth is *plain*: it has the table of the
//! new state alone, and the rest of the head is that of the depth it came from. So a plain step writes a few bytes, and a head
//! is put together only where it is asked for.

use crate::mask::table::{Link, Tables};
use crate::step::{BOTTOM, Head, Mark};

/// The number of a configuration, which [`super::known_steps`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number(pub(super) u32);

impl Number {
    /// No number: the heads were not numbered.
    pub(super) const NONE: Number = Number(u32::MAX);
}

/// The heads after the bytes on the way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum LevelKind {
    /// No head.
    Dead,
    /// One head, which is the usual case.
    One(Head),
    /// Several heads, as a range of the walker's list.
    Many(u32, u32),
}

impl LevelKind {
    /// Returns the heads; `list` is the walker's.
    pub(super) fn heads<'a>(&'a self, list: &'a [Head]) -> &'a [Head] {
        match self {
            LevelKind::Dead => &[],
            LevelKind::One(head) => std::slice::from_ref(head),
            LevelKind::Many(from, to) => &list[*from as usize..*to as usize],
        }
    }

    /// Returns whether both are the same heads; `false` may be wrong.
    pub(super) fn is_same(&self, other: &LevelKind) -> bool {
        match (self, other) {
            (LevelKind::One(one), LevelKind::One(other)) => one == other,
            (LevelKind::Many(from, to), LevelKind::Many(other_from, other_to)) => (from, to) == (other_from, other_to),
            _ => false,
        }
    }
}

/// The heads at one depth, and the lengths to which the walker's buffers are truncated before the next sibling is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) kind: LevelKind,
    /// The table of the one head's state; none if the head is in an escape or has returned.
    pub(super) table: Link,
    /// The part of the stack that the heads need.
    pub(super) mark: Mark,
    /// The length of the part of the walker's list of heads that is in use.
    pub(super) heads: u32,
    /// The number of the configuration, if the walk numbers them and this one has been asked for.
    pub(super) number: Number,
}

impl Level {
    const DEAD: Level =
        Level { kind: LevelKind::Dead, table: Link::NONE, mark: Mark::ZERO, heads: 0, number: Number::NONE };

    /// The level of one head, of which nothing else is known.
    pub(super) fn of(head: Head, table: Link, mark: Mark) -> Level {
        Level { kind: LevelKind::One(head), table, mark, heads: 0, number: Number::NONE }
    }

    /// The level with another head, whose stack the walk's has already.
    pub(super) fn with(self, head: Head, table: Link) -> Level {
        Level { kind: LevelKind::One(head), table, number: Number::NONE, ..self }
    }
}

/// What a plain step reads and writes at each depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The table of the one head's state, as [`Level::table`].
    pub(super) table: Link,
    /// Whether the head stands on a frame, which may read bytes behind a return.
    pub(super) on_frame: bool,
    /// The depth whose level has the rest of the head.
    origin: u16,
}

/// The levels of a walk, by depth.
#[derive(Debug, Default)]
pub(super) struct Levels {
    levels: Vec<Level>,
    plain: Vec<Plain>,
}

impl Levels {
    /// Makes room for a trie of so many levels below the root.
    pub(super) fn make_room(&mut self, max_depth: usize) {
        if self.levels.len() <= max_depth {
            self.levels.resize(max_depth + 1, Level::DEAD);
            self.plain.resize(max_depth + 1, Plain { table: Link::NONE, on_frame: false, origin: 0 });
        }
    }

    /// Returns the bytes of the levels.
    pub(super) fn bytes(&self) -> usize {
        self.levels.capacity() * size_of::<Level>() + self.plain.capacity() * size_of::<Plain>()
    }

    #[inline]
    pub(super) fn plain(&self, depth: usize) -> Plain {
        self.plain[depth]
    }

    /// Returns whether the depth has a level of its own, from a step that was not plain.
    #[inline]
    pub(super) fn is_own(&self, depth: usize) -> bool {
        usize::from(self.plain[depth].origin) == depth
    }

    /// Sets a depth to the head of the depth above it, in the state of another table.
    #[inline]
    pub(super) fn step(&mut self, depth: usize, above: Plain, table: Link) {
        self.plain[depth] = Plain { table, ..above };
    }

    /// Returns the level at a depth.
    #[inline]
    pub(super) fn get(&self, tables: &Tables, depth: usize) -> Level {
        let Plain { table, origin, .. } = self.plain[depth];
        let level = self.levels[usize::from(origin)];
        match level.kind {
            LevelKind::One(head) if usize::from(origin) != depth => {
                level.with(Head { state: tables.get(table).state, ..head }, table)
            }
            _ => level,
        }
    }

    pub(super) fn set(&mut self, depth: usize, level: Level) {
        let on_frame = matches!(level.kind, LevelKind::One(head) if head.parent != BOTTOM);
        // Tokens are shorter than 65,536 bytes, as the trie keeps depths of 16 bits.
        self.plain[depth] = Plain { table: level.table, on_frame, origin: depth as u16 };
        self.levels[depth] = level;
    }

    /// Notes the number of the configuration at a depth, if its heads are these.
    pub(super) fn set_number(&mut self, depth: usize, kind: &LevelKind, number: Number) {
        let level = &mut self.levels[depth];
        if usize::from(self.plain[depth].origin) == depth && level.kind.is_same(kind) {
            level.number = number;
        }
    }

    /// Keeps all of the stack up to the mark for the heads at a depth.
    pub(super) fn keep(&mut self, tables: &Tables, depth: usize, mark: Mark) {
        self.set(depth, Level { mark, ..self.get(tables, depth) });
    }
}
