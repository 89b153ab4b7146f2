//! Distributes the parts of a build among threads. Parts are computed in any order, but pay in the order of the list.
//!
//! A thread that has finished a part takes the next one of the list. A finished part waits until all parts before it have paid. Threads do
//! not run far ahead of the part that pays next, as all unpaid work may be in vain.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::build_budget::{Answer, BuildBudget, GroupAnswers};

/// The interval between reports of progress to the caller.
const POLL: Duration = Duration::from_millis(5);

/// Processes all items, with a thread for each worker, until the budget closes. Returns results in the items' order, `None` for items that
/// the budget did not pay for. Calls `done` repeatedly with the number of items that have paid; if `done` panics, the threads stop after
/// their current parts.
pub(super) fn run<T: Sync, W: Send, R: Send + Answer>(
    workers: &mut [W],
    items: &[T],
    budget: &mut BuildBudget,
    work: impl Fn(&mut W, &T) -> GroupAnswers<R> + Sync,
    done: impl Fn(usize),
) -> Vec<Option<GroupAnswers<R>>> {
    let (waiting, paid) = (BTreeMap::new(), Vec::new());
    let progress = Progress { next: 0, in_work: 0, waiting, work_waiting: 0, paid, budget, stopped: false };
    let queue = &Queue { items: items.len(), progress: Mutex::new(progress), moved: Condvar::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let _stops = StopOnPanic(queue);
        let (works, waits) = channel::<()>();
        for worker in workers {
            let works = works.clone();
            scope.spawn(move || {
                // Dropped when the thread ends, so that the receiver is disconnected once all threads have ended.
                let _works = works;
                let _stops = StopOnPanic(queue);
                let mut at = queue.take();
                while let Some(item) = at {
                    at = queue.put(item, work(worker, &items[item]));
                }
            });
        }
        drop(works);
        while waits.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
            let paid = queue.lock().paid.len();
            done(paid);
        }
    });
    let mut paid = std::mem::take(&mut queue.lock().paid);
    done(paid.len());
    paid.resize_with(items.len(), || None);
    paid
}

/// The queue of the items of a run.
struct Queue<'b, R> {
    items: usize,
    progress: Mutex<Progress<'b, R>>,
    /// Notified when parts have paid, or the run has stopped.
    moved: Condvar,
}

/// The progress of a run, which its threads share.
struct Progress<'b, R> {
    /// The first item that no thread has taken.
    next: usize,
    /// The number of items being computed.
    in_work: u64,
    /// Finished parts that wait for earlier parts to pay, by item.
    waiting: BTreeMap<usize, GroupAnswers<R>>,
    /// The work of all parts in `waiting`.
    work_waiting: u64,
    paid: Vec<Option<GroupAnswers<R>>>,
    budget: &'b mut BuildBudget,
    stopped: bool,
}

impl<R: Answer> Progress<'_, R> {
    /// Adds a finished part, then lets parts pay in order, up to the first unfinished one.
    fn add(&mut self, item: usize, part: GroupAnswers<R>) {
        self.in_work -= 1;
        self.work_waiting += part.work;
        self.waiting.insert(item, part);
        while let Some(part) = self.waiting.remove(&self.paid.len()) {
            self.work_waiting -= part.work;
            let part = self.budget.accept(part);
            self.paid.push(part);
        }
    }

    /// Returns whether a thread may begin another item ahead of the parts that have not paid yet.
    fn has_room(&self) -> bool {
        (self.in_work == 0 && self.waiting.is_empty()) || self.budget.has_room(self.work_waiting, self.in_work + 1)
    }
}

impl<'b, R: Answer> Queue<'b, R> {
    fn lock(&self) -> MutexGuard<'_, Progress<'b, R>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next item as soon as there is room; `None` if the run is over.
    fn take(&self) -> Option<usize> {
        self.take_with(self.lock())
    }

    /// Adds the part of an item, and takes the next one.
    fn put(&self, item: usize, part: GroupAnswers<R>) -> Option<usize> {
        let mut progress = self.lock();
        progress.add(item, part);
        self.moved.notify_all();
        self.take_with(progress)
    }

    fn take_with(&self, mut progress: MutexGuard<'_, Progress<'b, R>>) -> Option<usize> {
        loop {
            if progress.stopped || progress.budget.closed || progress.next == self.items {
                return None;
            }
            if progress.has_room() {
                progress.next += 1;
                progress.in_work += 1;
                return Some(progress.next - 1);
            }
            progress = self.moved.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops all threads of a run when one of them or the caller panics, so that none waits forever.
struct StopOnPanic<'q, 'b, R: Answer>(&'q Queue<'b, R>);

impl<R: Answer> Drop for StopOnPanic<'_, '_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().stopped = true;
            self.0.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::exit_set::ExitSet;
    use super::super::super::part::Tail;
    use super::super::super::row::Row;
    use super::super::PackLimits;
    use super::*;
    use crate::mask::build_time::BuildTime;
    use crate::mask::effort::Effort;
    use std::sync::Arc;

    fn part(work: u64, name: u32) -> GroupAnswers<Tail> {
        let row = Some(Arc::new(Row::Sparse([name].into())));
        let (took, effort) = (BuildTime(Duration::ZERO), Effort { work });
        let tail = Tail { row, exits: ExitSet::NONE, ways: None, took, effort };
        GroupAnswers { answers: vec![Some(tail)], exits: Vec::new(), work, cut: false, took: Duration::ZERO }
    }

    fn names(threads: usize, items: &[u64], limits: &PackLimits) -> Vec<Option<u32>> {
        let mut budget = BuildBudget::new(limits);
        let work = |_: &mut (), &work: &u64| {
            std::thread::sleep(Duration::from_micros(work % 7 * 30));
            part(work, work as u32)
        };
        let parts = run(&mut vec![(); threads], items, &mut budget, work, |_| {});
        let name = |part: GroupAnswers<Tail>| match part.answers.first()?.as_ref()?.row.as_deref()? {
            Row::Sparse(tokens) => tokens.first().copied(),
            Row::Dense(_) | Row::Delta { .. } => None,
        };
        parts.into_iter().map(|part| part.and_then(name)).collect()
    }

    #[test]
    fn the_work_budget_is_spent_in_order_for_any_number_of_threads() {
        let items: Vec<u64> = (0..300).map(|item| item * 31 % 97 + 1).collect();
        let limits = PackLimits { work: 6_000, ..PackLimits::default() };
        let alone = names(1, &items, &limits);
        let paid = alone.iter().take_while(|name| name.is_some()).count();
        assert!(paid > 40 && alone[paid..].iter().all(Option::is_none), "{paid}");
        assert!(alone.iter().zip(&items).take(paid).all(|(name, item)| *name == Some(*item as u32)));
        for threads in [2, 3, 8] {
            assert_eq!(names(threads, &items, &limits), alone, "{threads} threads");
        }
        assert!(names(4, &items, &PackLimits::default()).iter().all(Option::is_some));
    }

    #[test]
    #[should_panic(expected = "enough")]
    fn a_panic_in_the_callback_ends_the_build() {
        let mut budget = BuildBudget::new(&PackLimits::default());
        let slow = |_: &mut (), _: &u64| {
            std::thread::sleep(Duration::from_millis(2));
            part(1, 1)
        };
        run(&mut [(); 3], &[1; 100_000], &mut budget, slow, |_| panic!("enough"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_in_a_worker_thread_ends_the_build() {
        let mut budget = BuildBudget::new(&PackLimits { work: 640, ..PackLimits::default() });
        let third = |_: &mut (), &item: &u64| if item == 3 { panic!("a defect") } else { part(10, 1) };
        run(&mut [(); 3], &(0..1_000).collect::<Vec<u64>>(), &mut budget, third, |_| {});
    }
}
