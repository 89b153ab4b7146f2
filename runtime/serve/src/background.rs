//! Work that may take long, on a thread of its own. It begins with normal priority. Once it is long, its priority falls below that of the threads
//! that answer and that run the model ([`FrontTime`]). Afterwards its memory is returned to the system.

mod front_time;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ogc_runtime::cache::Client;

use crate::system::{ThreadId, give_back_memory};
use front_time::FrontTime;

/// CPU time from which on work counts as large: it may have taken much memory.
const LARGE: Duration = Duration::from_millis(50);

/// Minimum time between two returns of memory while large work is under way: a return stops threads that allocate.
const PAUSE: Duration = Duration::from_secs(5);

/// Minimum time between two checks of a thread.
const LEAST_LOOK: Duration = Duration::from_millis(1);

/// The large work that is under way.
#[derive(Debug)]
struct LargeWork {
    count: usize,
    given_back: Option<Instant>,
}

static LARGE_WORK: Mutex<LargeWork> = Mutex::new(LargeWork { count: 0, given_back: None });

static FRONT_TIME: LazyLock<Mutex<FrontTime>> = LazyLock::new(Mutex::default);

fn front_time() -> MutexGuard<'static, FrontTime> {
    FRONT_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks work as large until this is dropped.
struct Large;

impl Large {
    fn begin() -> Self {
        lock().count += 1;
        Self
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        let mut work = lock();
        work.count -= 1;
        let is_time = work.count == 0 || work.given_back.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_time {
            work.given_back = Some(Instant::now());
            drop(work);
            give_back_memory();
        }
    }
}

fn lock() -> MutexGuard<'static, LargeWork> {
    LARGE_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs work of a client on another thread, and waits for it. A panic continues here.
pub(crate) fn run<T: Send>(client: Client, work: impl FnOnce() -> T + Send) -> T {
    let front = front_time().left(client, Instant::now());
    std::thread::scope(|scope| {
        let (tell, told) = channel();
        let worker = scope.spawn(move || {
            let thread = ThreadId::current();
            if front.is_zero() {
                thread.put_behind();
            }
            // The sender lives until the work has ended, even after a panic; the receiver lives longer.
            let _ = tell.send(thread);
            let done = catch_unwind(AssertUnwindSafe(work));
            front_time().count(client, thread.processor_time().min(front), Instant::now());
            drop(tell);
            done
        });
        let mut large = None;
        if let Ok(thread) = told.recv()
            && lasts(&told, thread, front)
        {
            thread.put_behind();
            large = lasts(&told, thread, LARGE).then(Large::begin);
        }
        let done = worker.join();
        // The work has freed its memory by now.
        drop(large);
        done.flatten().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Waits until work has had `time` of CPU time, which takes longer on a busy machine; returns whether it is still running.
fn lasts(told: &Receiver<ThreadId>, thread: ThreadId, time: Duration) -> bool {
    loop {
        let left = time.saturating_sub(thread.processor_time());
        if left.is_zero() {
            return told.try_recv() == Err(TryRecvError::Empty);
        }
        // A waiting thread gets no CPU time.
        if told.recv_timeout(left.max(LEAST_LOOK)) != Err(RecvTimeoutError::Timeout) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    /// Sleeps, and works as long.
    fn busy(time: Duration) {
        std::thread::sleep(time);
        let start = Instant::now();
        while start.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn background_work_of_any_length_returns_its_result() {
        for time in [Duration::ZERO, LARGE / 5, LARGE * 2] {
            let done = run(Client(1), || {
                busy(time);
                time
            });
            assert_eq!(done, time);
        }
        assert_eq!(lock().count, 0);
    }

    #[test]
    fn a_panic_in_background_work_reaches_the_caller() {
        for time in [Duration::ZERO, LARGE * 2] {
            let work = || {
                busy(time);
                resume_unwind(Box::new(7))
            };
            assert_eq!(catch_unwind(|| run::<()>(Client(2), work)).unwrap_err().downcast_ref(), Some(&7));
        }
    }
}
