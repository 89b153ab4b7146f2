//! Lets a process fork while one of its threads makes a sampler.
//!
//! A child of `fork` has only the forking thread, and a copy of every lock: a lock that another thread held is never released there. So
//! `fork` waits until no thread makes a sampler. Then the lock of [`KEPT`] is free, and so is all state that the first compilation creates
//! for later ones. Rows of masks also have locks, which samplers in other threads may hold at any time; the child forgets the vocabularies
//! with these rows, and reads them again.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::{MutexGuard, PoisonError};

use crate::models::{KEPT, Model};

type Handler = extern "C" fn();

unsafe extern "C" {
    fn pthread_atfork(prepare: Option<Handler>, parent: Option<Handler>, child: Option<Handler>) -> c_int;
}

thread_local! {
    /// The lock, held while this thread forks.
    static HELD: RefCell<Option<MutexGuard<'static, Vec<Model>>>> = const { RefCell::new(None) };
}

/// The loader calls this before any thread can begin.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: Handler = watch;

extern "C" fn watch() {
    // SAFETY: the functions live as long as the library; the system forgets them when the library is unloaded.
    let refused = unsafe { pthread_atfork(Some(prepare), Some(parent), Some(child)) };
    if refused != 0 {
        crate::say("no memory is left: a process that forks while it makes a sampler may hang");
    }
}

extern "C" fn prepare() {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    // A thread that is ending has no storage for the lock, so that the lock is released at once.
    drop(HELD.try_with(|held| held.replace(Some(kept))));
}

extern "C" fn parent() {
    drop(HELD.try_with(RefCell::take));
}

extern "C" fn child() {
    if let Ok(Some(mut kept)) = HELD.try_with(RefCell::take) {
        // Freeing them may need locks that nothing will release.
        std::mem::forget(std::mem::take(&mut *kept));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::models::compile;

    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn kill(process: c_int, signal: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    /// `WNOHANG` and `SIGKILL` of Linux.
    const NO_WAIT: c_int = 1;
    const KILL: c_int = 9;

    /// Compiles a grammar in a child process; returns the status of the child, `None` if it hangs.
    fn compiled_in_a_child() -> Option<c_int> {
        // SAFETY: the child uses only objects that it makes itself, and exits without destructors.
        let process = unsafe { fork() };
        if process == 0 {
            let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let is_compiled = kept.is_empty() && compile("root ::= [a-z]+ \"\\n\"").is_ok();
            // SAFETY: as above.
            unsafe { _exit(c_int::from(!is_compiled)) }
        }
        assert!(process > 0, "the system gives no process");
        let (start, mut status) = (Instant::now(), -1);
        while start.elapsed() < Duration::from_secs(60) {
            // SAFETY: the status is alive.
            if unsafe { waitpid(process, &raw mut status, NO_WAIT) } == process {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
        // SAFETY: the process is our child and has not been waited for.
        unsafe { kill(process, KILL) };
        // SAFETY: as above.
        unsafe { waitpid(process, &raw mut status, 0) };
        None
    }

    #[test]
    fn a_forked_child_compiles_while_a_parent_thread_compiles() {
        let end = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !end.load(Ordering::Relaxed) {
                    let _kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
                    assert!(compile("root ::= \"x\" ([a-z] [a-z0-9]* \", \"){1,50}").is_ok());
                }
            });
            let ends: Vec<Option<c_int>> = (0..20).map(|_| compiled_in_a_child()).collect();
            end.store(true, Ordering::Relaxed);
            assert_eq!(ends, [Some(0); 20], "a child hangs or refuses a grammar");
        });
    }
}
