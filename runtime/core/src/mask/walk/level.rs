//! The heads of a walk: for each depth in the trie, the heads at the last node visited there.
//!
//! Most steps take one head along an edge that changes nothing but its state. Such a depth is *plain*: it records only the table of the new
//! state. The rest of the head is at the last depth above whose step was not plain. So a plain step writes a few bytes, and a head is
//! assembled only when it is needed.

use crate::mask::table::{Link, Tables};
use crate::step::{BOTTOM, Head, Mark};

/// The number of a configuration, assigned by [`super::known_steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Number(pub(super) u32);

impl Number {
    /// No number: the heads were not numbered.
    pub(super) const NONE: Number = Number(u32::MAX);
}

/// The heads after the bytes from the root to a node.
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
    /// Returns the heads; `list` is the walker's list of heads.
    pub(super) fn heads<'a>(&'a self, list: &'a [Head]) -> &'a [Head] {
        match self {
            LevelKind::Dead => &[],
            LevelKind::One(head) => std::slice::from_ref(head),
            LevelKind::Many(from, to) => &list[*from as usize..*to as usize],
        }
    }

    /// Returns whether both have the same heads. May return `false` for equal heads.
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
    /// The table of the single head's state; [`Link::NONE`] if there are several heads, or the head is in an escape or has returned.
    pub(super) table: Link,
    /// The lengths to which the stack is truncated when the walk returns here.
    pub(super) mark: Mark,
    /// The length in use of the walker's list of heads.
    pub(super) heads: u32,
    /// The number of the heads' configuration, or [`Number::NONE`].
    pub(super) number: Number,
}

impl Level {
    const DEAD: Level =
        Level { kind: LevelKind::Dead, table: Link::NONE, mark: Mark::ZERO, heads: 0, number: Number::NONE };

    /// Makes the level of a single head.
    pub(super) fn of(head: Head, table: Link, mark: Mark) -> Level {
        Level { kind: LevelKind::One(head), table, mark, heads: 0, number: Number::NONE }
    }

    /// Replaces the heads by a single head, whose frames are already in the walk's stack.
    pub(super) fn with(self, head: Head, table: Link) -> Level {
        Level { kind: LevelKind::One(head), table, number: Number::NONE, ..self }
    }
}

/// The data that a plain step reads and writes at each depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The table of the single head's state, as in [`Level::table`].
    pub(super) table: Link,
    /// Whether there is a frame below the head, which may read bytes after a return.
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
    /// Makes room for a trie of the given depth.
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

    /// Returns whether the depth has a level of its own, because its step was not plain.
    #[inline]
    pub(super) fn is_own(&self, depth: usize) -> bool {
        usize::from(self.plain[depth].origin) == depth
    }

    /// Records a plain step: the head of the depth above, in the state of another table.
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
        // Depths fit in 16 bits, as the trie stores them so: tokens are shorter than 65,536 bytes.
        self.plain[depth] = Plain { table: level.table, on_frame, origin: depth as u16 };
        self.levels[depth] = level;
    }

    /// Records the number of the configuration at a depth, if the depth has these heads.
    pub(super) fn set_number(&mut self, depth: usize, kind: &LevelKind, number: Number) {
        let level = &mut self.levels[depth];
        if usize::from(self.plain[depth].origin) == depth && level.kind.is_same(kind) {
            level.number = number;
        }
    }

    /// Keeps the whole stack up to the mark as long as the heads at this depth are in use.
    pub(super) fn keep(&mut self, tables: &Tables, depth: usize, mark: Mark) {
        self.set(depth, Level { mark, ..self.get(tables, depth) });
    }
}
