//! Work that may take long, on a thread of its own: it begins like any other, is put behind the threads that answer and that run the model once
//! it is long, and the memory that it took is given back.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::system::{ThreadId, give_back_memory};

/// The time for which work is like any other. Most formats are compiled in less.
const SHORT: Duration = Duration::from_millis(5);

/// The time of work that may have taken much memory.
const LARGE: Duration = Duration::from_millis(50);

/// The least time between two times at which memory is given back while large work is under way: that stops threads that allocate.
const PAUSE: Duration = Duration::from_secs(5);

/// The large work that is under way.
#[derive(Debug)]
struct LargeWork {
    count: usize,
    given_back: Option<Instant>,
}

static LARGE_WORK: Mutex<LargeWork> = Mutex::new(LargeWork { count: 0, given_back: None });

/// Work that has become large, until this is dropped.
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

/// Does work on another thread, and waits for it. A panic goes on here.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let (tell, told) = channel();
        let worker = scope.spawn(move || {
            // The sender is there until the work has ended, after a panic too; who waits is there longer.
            let _ = tell.send(ThreadId::current());
            let done = work();
            drop(tell);
            done
        });
        let thread = told.recv();
        let mut large = None;
        if let Ok(thread) = thread
            && is_under_way(told.recv_timeout(SHORT))
        {
            thread.put_behind();
            if is_under_way(told.recv_timeout(LARGE - SHORT)) {
                large = Some(Large::begin());
            }
        }
        let done = worker.join();
        // The work has freed what it took.
        drop(large);
        done.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn is_under_way(told: Result<ThreadId, RecvTimeoutError>) -> bool {
    told == Err(RecvTimeoutError::Timeout)
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn work_short_and_long_is_done() {
        for time in [Duration::ZERO, SHORT * 2, LARGE * 2] {
            let done = run(|| {
                std::thread::sleep(time);
                time
            });
            assert_eq!(done, time);
        }
        assert_eq!(lock().count, 0);
    }

    #[test]
    fn a_panic_goes_on() {
        for time in [Duration::ZERO, LARGE * 2] {
            let work = || {
                std::thread::sleep(time);
                resume_unwind(Box::new(7))
            };
            assert_eq!(catch_unwind(|| run::<()>(work)).unwrap_err().downcast_ref(), Some(&7));
        }
    }
}
