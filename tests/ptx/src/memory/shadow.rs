//! Records the threads that touched each byte, and detects races.
//!
//! Time is a number that grows with every barrier and fence. An access is ordered before a later one if a barrier with
//! both threads came between, or a message (`knowledge`). For each byte are kept: the last write, and some reads since
//! then, with their times. Bytes share a cell as long as all accesses to a page take them together.
//!
//! In the order of warps and blocks of this launch, two kinds of races are found: an access that races with the last
//! write of its bytes, and a write that races with a read since that write. A race of two plain writes is found even if
//! other writes come between them, because a thread that knows of the last write also knows of the earlier ones. Not
//! found are:
//!
//! * races in orders, and of data, that no launch has: other seeds have other orders;
//! * a race with an access that was followed by a strong write without knowledge of it, if the access was strong, too
//!   (atomics in turn): only the last write and the reads behind it are kept;
//! * a write that races only with a read before [`MOST_READS`] other reads of its cell. Lanes of a warp that read
//!   together count as one read, so the reads of a block fit while its warps do not part. Lanes that read one after
//!   another count as a read each, and so do warps of many blocks.

use super::knowledge::Knowledge;
use super::thread::ThreadId;
use crate::ir::Strength;
use crate::lanes::each;
use smallvec::SmallVec;

/// An access that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    thread: ThreadId,
    time: u32,
    strength: Strength,
}

/// A read that some lanes of a warp did together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Read {
    warp: u32,
    lanes: u32,
    time: u32,
    strength: Strength,
}

impl Read {
    /// Returns the read of each lane.
    fn stamps(self) -> impl Iterator<Item = Stamp> {
        each(self.lanes).map(move |lane| Stamp {
            thread: ThreadId(self.warp * 32 + lane as u32),
            time: self.time,
            strength: self.strength,
        })
    }
}

/// Cap on the reads of a cell that are kept: one for each warp of a block.
const MOST_READS: usize = 32;

/// The record of bytes that were touched together.
#[derive(Clone, Debug, Default)]
struct Cell {
    write: Option<Stamp>,
    /// The reads since the last write, the oldest first. A thread is in one of each strength, its newest read.
    reads: SmallVec<[Read; 2]>,
}

/// A thread's knowledge of others: the accesses that are ordered before its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'v> {
    /// The thread.
    pub(crate) thread: ThreadId,
    /// The time.
    pub(crate) now: u32,
    /// The time at which the launch began; earlier accesses are ordered.
    pub(crate) launched: u32,
    /// The warps of its block: the first, and the first of the next block.
    pub(crate) warps: (u32, u32),
    /// The time of the block's last barrier.
    pub(crate) barrier: u32,
    /// For each lane of its warp, the time up to which the lane's accesses are known.
    pub(crate) seen: &'v [u32; 32],
    /// Its knowledge from messages.
    pub(crate) known: &'v Knowledge,
}

impl View<'_> {
    /// Returns whether an access is ordered before those of this thread.
    fn knows(&self, stamp: Stamp) -> bool {
        let in_block = (self.warps.0..self.warps.1).contains(&stamp.thread.warp());
        let in_warp = stamp.thread.warp() == self.thread.warp();
        stamp.thread == self.thread
            || stamp.time < self.launched
            || in_block && stamp.time < self.barrier
            || in_warp && stamp.time < self.seen[stamp.thread.lane()]
            || self.known.knows(stamp.thread, stamp.time)
    }

    /// Returns whether an access of this thread races with an earlier one; one of the two must write.
    fn races(&self, strength: Strength, stamp: Stamp) -> bool {
        let in_launch = stamp.time >= self.launched;
        let is_read_only = strength == Strength::ReadOnly || stamp.strength == Strength::ReadOnly;
        let is_strong = strength == Strength::Strong && stamp.strength == Strength::Strong;
        is_read_only && in_launch || !is_strong && !self.knows(stamp)
    }
}

/// A race that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The first byte of the cell.
    pub(crate) offset: usize,
    /// The thread of the earlier access.
    pub(crate) other: ThreadId,
    /// Whether the earlier access wrote.
    pub(crate) wrote: bool,
}

/// The bytes of a page.
const PAGE: usize = 4096;

/// The cells of a page; none if it was never touched.
#[derive(Clone, Debug)]
struct Page {
    /// The number of bytes that share a cell: a power of two, at most 16.
    grain: usize,
    cells: Vec<Cell>,
}

impl Page {
    fn new() -> Page {
        Page { grain: 16, cells: vec![Cell::default(); PAGE / 16] }
    }

    /// Makes cells so small that an access takes whole ones.
    fn refine(&mut self, offset: usize, size: usize) {
        let grain = 1 << (offset | size | 16).trailing_zeros();
        if grain < self.grain {
            let copies = self.grain / grain;
            self.cells = self.cells.iter().flat_map(|cell| std::iter::repeat_n(cell.clone(), copies)).collect();
            self.grain = grain;
        }
    }
}

/// The threads that touched the bytes of a region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    pages: Vec<Option<Page>>,
}

impl Shadow {
    /// Notes an access and returns the first race. An access is at most 32 bytes and aligned, so it lies in one page.
    pub(crate) fn touch(
        &mut self,
        offset: usize,
        size: usize,
        writes: bool,
        strength: Strength,
        view: &View<'_>,
    ) -> Option<Conflict> {
        let at = offset / PAGE;
        if self.pages.len() <= at {
            self.pages.resize(at + 1, None);
        }
        let page = self.pages[at].get_or_insert_with(Page::new);
        let inside = offset % PAGE;
        page.refine(inside, size);
        let grain = page.grain;
        let stamp = Stamp { thread: view.thread, time: view.now, strength };
        let cells = page.cells[inside / grain..(inside + size).div_ceil(grain)].iter_mut().enumerate();
        let mut conflicts = cells.map(|(number, cell)| {
            let conflict = if writes { cell.write(stamp, view) } else { cell.read(stamp, view) };
            conflict.map(|(other, wrote)| Conflict { offset: offset + number * grain, other, wrote })
        });
        conflicts.find_map(|conflict| conflict)
    }
}

impl Cell {
    fn read(&mut self, stamp: Stamp, view: &View<'_>) -> Option<(ThreadId, bool)> {
        let conflict = self.write.filter(|write| view.races(stamp.strength, *write));
        self.note(stamp);
        conflict.map(|write| (write.thread, true))
    }

    /// Notes a read.
    fn note(&mut self, Stamp { thread, time, strength }: Stamp) {
        let (warp, lane) = (thread.warp(), 1 << thread.lane());
        if let Some(last) = self.reads.last_mut()
            && (last.warp, last.time, last.strength) == (warp, time, strength)
        {
            last.lanes |= lane;
            return;
        }
        let mut has_empty = false;
        for read in self.reads.iter_mut().filter(|read| read.warp == warp && read.strength == strength) {
            read.lanes &= !lane;
            has_empty |= read.lanes == 0;
        }
        if has_empty {
            self.reads.retain(|read| read.lanes != 0);
        }
        if self.reads.len() == MOST_READS {
            self.reads.remove(0);
        }
        self.reads.push(Read { warp, lanes: lane, time, strength });
    }

    fn write(&mut self, stamp: Stamp, view: &View<'_>) -> Option<(ThreadId, bool)> {
        let with_write = self.write.filter(|write| view.races(stamp.strength, *write));
        let mut stamps = self.reads.iter().flat_map(|read| read.stamps());
        let with_read = stamps.find(|read| view.races(stamp.strength, *read));
        self.write = Some(stamp);
        self.reads.clear();
        with_write.map(|write| (write.thread, true)).or(with_read.map(|read| (read.thread, false)))
    }
}
