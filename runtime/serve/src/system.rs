//! What a server asks of its operating system: to run a thread after others, and to take memory back. Where the system cannot, nothing happens.

#![allow(unsafe_code, reason = "two functions of the C library, which take numbers alone")]

/// How much a thread is put behind others: of two that compete for a processor, one at 10 gets about a tenth.
const NICENESS: i32 = 10;

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_uint};

    /// A thread or process, for `setpriority`.
    const PRIO_PROCESS: c_uint = 0;

    unsafe extern "C" {
        fn gettid() -> c_int;
        fn setpriority(which: c_uint, who: c_uint, priority: c_int) -> c_int;
        #[cfg(target_env = "gnu")]
        fn malloc_trim(pad: usize) -> c_int;
    }

    pub(super) fn thread_id() -> c_int {
        // SAFETY: it takes nothing, and cannot fail.
        unsafe { gettid() }
    }

    pub(super) fn set_niceness(thread: c_int, niceness: c_int) {
        // SAFETY: it takes numbers, and what it cannot do it refuses. On Linux each thread has a priority of its own.
        unsafe { setpriority(PRIO_PROCESS, thread.unsigned_abs(), niceness) };
    }

    #[cfg(target_env = "gnu")]
    pub(super) fn trim() {
        // SAFETY: it takes a number, may be called at any time from any thread, and moves nothing that is in use.
        unsafe { malloc_trim(0) };
    }
}

/// A thread that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadId(#[cfg(target_os = "linux")] i32);

impl ThreadId {
    /// Returns this thread.
    pub(crate) fn current() -> Self {
        Self(
            #[cfg(target_os = "linux")]
            linux::thread_id(),
        )
    }

    /// Has a thread run after those that were not put behind, from now to its end: it cannot be taken back. Threads that it starts are put
    /// behind, too.
    pub(crate) fn put_behind(self) {
        #[cfg(target_os = "linux")]
        linux::set_niceness(self.0, NICENESS);
    }
}

/// Gives memory that was freed back to the system, which allocators keep for the next that ask.
pub(crate) fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    linux::trim();
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    /// Returns the niceness of a thread of this process.
    fn niceness(ThreadId(thread): ThreadId) -> i32 {
        #[allow(clippy::disallowed_methods, reason = "the system tells it in a file")]
        let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap();
        // The name of the thread may have spaces; behind it, niceness is the 17th field.
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        fields.split(' ').nth(16).unwrap().parse().unwrap()
    }

    #[test]
    fn a_thread_is_put_behind_and_others_are_not() {
        let own = ThreadId::current();
        let before = niceness(own);
        std::thread::spawn(|| {
            let thread = ThreadId::current();
            thread.put_behind();
            assert_eq!(niceness(thread), NICENESS);
        })
        .join()
        .unwrap();
        assert_eq!(niceness(own), before);
    }
}
