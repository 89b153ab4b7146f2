//! The threads that compile. Every compilation begins in the young lane; an expensive one leaves it after a while, so that cheap formats
//! never wait behind expensive ones.
//!
//! The young lane has [`CacheLimits::threads`] places, and as many more for clients that have no compilation in it. A compilation older
//! than [`CacheLimits::young`] moves to the long lane if that has room. If it has no room and others wait to begin, the compilation pauses
//! at its next [`Turn::make_way`] until the long lane has room. Then a paused compilation of the client with the fewest long compilations
//! continues first. If too many are paused, the last paused one of the client with the most paused compilations is refused. A compilation
//! that never calls `make_way` keeps its thread and its place, so that the number of threads is bounded in any case.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::limits::CacheLimits;
use super::queue::{Client, FairQueue};

/// Interval at which a paused compilation checks whether it is cancelled.
const PAUSE_LOOK: Duration = Duration::from_millis(20);

/// A compilation that has not begun. The lanes call it on one of their threads, or at once with an error if they refuse it.
pub(super) type Job = Box<dyn FnOnce(Result<Turn, Crowded>) + Send>;

/// Error: too many compilations are waiting or paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crowded {
    pub(super) given: usize,
    pub(super) limit: usize,
}

/// A compilation that has begun.
#[derive(Debug)]
struct Begun {
    client: Client,
    since: Instant,
    /// Set if it must stop because too many compilations are paused.
    is_refused: AtomicBool,
    /// Set once it is in the long lane, where it never pauses.
    is_long: AtomicBool,
}

#[derive(Default)]
struct Lists {
    queue: FairQueue<Job>,
    /// The number of threads that were started and have not taken a job yet.
    starting: usize,
    young: Vec<Arc<Begun>>,
    long: Vec<Arc<Begun>>,
    /// The paused compilations, in the order in which they paused.
    paused: Vec<Arc<Begun>>,
    /// Whether the thread that moves old compilations to the long lane is running.
    is_kept: bool,
}

/// The lanes of a cache.
pub(super) struct Lanes {
    limits: CacheLimits,
    lists: Mutex<Lists>,
    /// Notified when the long lane may have gained room.
    has_room: Condvar,
}

impl std::fmt::Debug for Lanes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lanes").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Lanes {
    pub(super) fn new(limits: CacheLimits) -> Self {
        Self { limits, lists: Mutex::default(), has_room: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job, to begin when the young lane has room. If too many jobs are waiting, refuses one, which may be another than `job`.
    pub(super) fn submit(self: &Arc<Self>, client: Client, job: Job) {
        let mut lists = self.lock();
        let refused = lists.queue.push(client, job, self.limits.waiting);
        let given = lists.queue.len() + 1;
        self.start_threads(&mut lists);
        drop(lists);
        if let Some(job) = refused {
            job(Err(Crowded { given, limit: self.limits.waiting }));
        }
    }

    /// Starts threads for waiting jobs, as far as the young lane has room.
    fn start_threads(self: &Arc<Self>, lists: &mut Lists) {
        while self.young_has_room(lists) && lists.starting < lists.queue.len()
            || self.young_has_room_for_others(lists) && lists.starting < lists.others().count()
        {
            lists.starting += 1;
            let lanes = Arc::clone(self);
            std::thread::spawn(move || lanes.work());
        }
    }

    /// Returns whether the young lane has room.
    fn young_has_room(&self, lists: &Lists) -> bool {
        lists.young.len() + lists.starting < self.limits.threads.get()
    }

    /// Returns whether the young lane has room for clients that have no compilation in it.
    fn young_has_room_for_others(&self, lists: &Lists) -> bool {
        lists.young.len() + lists.starting < self.limits.threads.get().saturating_mul(2)
    }

    /// Takes the next job for which the young lane has room.
    fn next(&self, lists: &mut Lists) -> Option<(Client, Job)> {
        if self.young_has_room(lists) {
            return lists.queue.pop();
        }
        let next = lists.others().next().filter(|_| self.young_has_room_for_others(lists))?;
        lists.queue.pop_where(|client| client == next)
    }

    /// Runs jobs as long as there are any and the young lane has room.
    fn work(self: Arc<Self>) {
        let mut lists = self.lock();
        lists.starting -= 1;
        while let Some((client, job)) = self.next(&mut lists) {
            let (is_refused, is_long) = Default::default();
            let begun = Arc::new(Begun { client, since: Instant::now(), is_refused, is_long });
            lists.young.push(Arc::clone(&begun));
            self.start_keeper(&mut lists);
            drop(lists);
            job(Ok(Turn { lanes: Arc::clone(&self), begun }));
            lists = self.lock();
        }
    }

    fn start_keeper(self: &Arc<Self>, lists: &mut Lists) {
        if !std::mem::replace(&mut lists.is_kept, true) {
            let lanes = Arc::clone(self);
            std::thread::spawn(move || lanes.keep());
        }
    }

    /// Moves compilations that are no longer young to the long lane, until no compilation is young or waits for room there.
    fn keep(self: Arc<Self>) {
        loop {
            std::thread::sleep((self.limits.young / 2).max(Duration::from_millis(1)));
            let mut lists = self.lock();
            if lists.young.is_empty() && lists.queue.is_empty() {
                lists.is_kept = false;
                return;
            }
            let is_old = |begun: &Arc<Begun>| begun.since.elapsed() >= self.limits.young;
            let old: Vec<_> = lists.young.iter().filter(|begun| is_old(begun)).map(Arc::clone).collect();
            for begun in old {
                self.move_to_long(&mut lists, &begun);
            }
        }
    }

    /// Moves a compilation to the long lane; returns `false` if the lane has no room.
    fn move_to_long(self: &Arc<Self>, lists: &mut Lists, begun: &Arc<Begun>) -> bool {
        let has_room = lists.long.len() < self.limits.long.get();
        if has_room {
            remove(&mut lists.young, begun);
            remove(&mut lists.paused, begun);
            begun.is_long.store(true, Ordering::Relaxed);
            lists.long.push(Arc::clone(begun));
            self.start_threads(lists);
        }
        has_room
    }

    /// Pauses a compilation until the long lane has room for it, or it is cancelled or refused. Returns `false` if it was refused.
    fn pause(
        self: &Arc<Self>,
        mut lists: MutexGuard<'_, Lists>,
        begun: &Arc<Begun>,
        is_cancelled: &AtomicBool,
    ) -> bool {
        remove(&mut lists.young, begun);
        lists.paused.push(Arc::clone(begun));
        if lists.paused.len() > self.limits.paused {
            lists.refuse_paused();
            self.has_room.notify_all();
        }
        self.start_threads(&mut lists);
        while !is_cancelled.load(Ordering::Relaxed) {
            if begun.is_refused.load(Ordering::Relaxed) {
                return false;
            }
            let is_next = lists.next_paused().is_some_and(|next| Arc::ptr_eq(next, begun));
            if is_next && self.move_to_long(&mut lists, begun) {
                return true;
            }
            lists = self.has_room.wait_timeout(lists, PAUSE_LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Lists {
    /// Returns the clients that have waiting jobs and no compilation in the young lane.
    fn others(&self) -> impl Iterator<Item = Client> {
        self.queue.clients().filter(|client| count(&self.young, *client) == 0)
    }

    /// Returns the paused compilation to continue first: the one that paused first, of the client with the fewest long compilations (among
    /// equals, the fewest paused ones).
    fn next_paused(&self) -> Option<&Arc<Begun>> {
        self.paused.iter().min_by_key(|begun| (count(&self.long, begun.client), count(&self.paused, begun.client)))
    }

    /// Refuses the last paused compilation of the client with the most paused ones.
    fn refuse_paused(&mut self) {
        let paused = self.paused.iter().enumerate();
        let most = paused.max_by_key(|(at, begun)| (count(&self.paused, begun.client), *at)).map(|(at, _)| at);
        if let Some(at) = most {
            self.paused.remove(at).is_refused.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns the number of a client's compilations in a list.
fn count(list: &[Arc<Begun>], client: Client) -> usize {
    list.iter().filter(|begun| begun.client == client).count()
}

/// A compilation's place in the lanes, released on drop.
#[derive(Debug)]
pub(super) struct Turn {
    lanes: Arc<Lanes>,
    begun: Arc<Begun>,
}

impl Turn {
    /// Leaves the young lane if the compilation is no longer young and others wait for a place. May pause; returns the length of the pause.
    pub(super) fn make_way(&self, is_cancelled: &AtomicBool) -> Result<Duration, Crowded> {
        let lanes = &self.lanes;
        if self.begun.is_long.load(Ordering::Relaxed) || self.begun.since.elapsed() < lanes.limits.young {
            return Ok(Duration::ZERO);
        }
        let mut lists = lanes.lock();
        // It may have been moved to the long lane while this waited for the lock. A pause would then wait for the place that it holds
        // itself.
        if self.begun.is_long.load(Ordering::Relaxed) {
            return Ok(Duration::ZERO);
        }
        let is_turn = lists.paused.is_empty();
        if (is_turn && lanes.move_to_long(&mut lists, &self.begun)) || lists.queue.is_empty() {
            return Ok(Duration::ZERO);
        }
        let start = Instant::now();
        if lanes.pause(lists, &self.begun, is_cancelled) {
            return Ok(start.elapsed());
        }
        let limit = lanes.limits.paused;
        Err(Crowded { given: limit + 1, limit })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut lists = self.lanes.lock();
        let Lists { young, long, paused, .. } = &mut *lists;
        for list in [young, long, paused] {
            remove(list, &self.begun);
        }
        self.lanes.start_threads(&mut lists);
        drop(lists);
        self.lanes.has_room.notify_all();
    }
}

fn remove(list: &mut Vec<Arc<Begun>>, begun: &Arc<Begun>) {
    list.retain(|other| !Arc::ptr_eq(other, begun));
}
