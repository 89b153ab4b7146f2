//! Calls of the operating system: lowering a thread's priority, and keeping memory small. On other systems than Linux they do nothing.

#![allow(unsafe_code, reason = "functions of the C library, which take numbers")]

use std::time::Duration;

/// Niceness of threads with low priority: at 19, a thread gets 1.5% of a CPU that another thread competes for. The
/// threads of a model wake each other up some hundred times a pass. They wait longer for a CPU if low-priority threads
/// have a larger share: beside eight threads at niceness 10, half a millisecond in the median; beside eight at 19, a
/// tenth of that.
const NICENESS: i32 = 19;

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_long, c_uint};
    use std::time::Duration;

    /// Selects a thread or process, for `setpriority`.
    const PRIO_PROCESS: c_uint = 0;

    /// Time in the layout of the C library.
    #[repr(C)]
    #[derive(Default)]
    struct Timespec {
        seconds: c_long,
        nanoseconds: c_long,
    }

    /// Bits of the clock of a thread, beside its number: CPU time (2) of a thread (4).
    const THREAD_CLOCK: c_int = 2 | 4;

    unsafe extern "C" {
        fn gettid() -> c_int;
        fn setpriority(which: c_uint, who: c_uint, priority: c_int) -> c_int;
        fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
        #[cfg(target_env = "gnu")]
        fn malloc_trim(pad: usize) -> c_int;
        #[cfg(target_env = "gnu")]
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }

    pub(super) fn thread_id() -> c_int {
        // SAFETY: it takes no arguments, and cannot fail.
        unsafe { gettid() }
    }

    pub(super) fn set_niceness(thread: c_int, niceness: c_int) {
        // SAFETY: it takes numbers only, and fails cleanly. On Linux each thread has a priority of its own.
        unsafe { setpriority(PRIO_PROCESS, thread.unsigned_abs(), niceness) };
    }

    pub(super) fn processor_time(thread: c_int) -> Duration {
        let mut time = Timespec::default();
        // SAFETY: it writes only to `time`, which has the library's layout; for a thread that is gone it fails.
        unsafe { clock_gettime((!thread << 3) | THREAD_CLOCK, &raw mut time) };
        Duration::new(time.seconds.unsigned_abs(), time.nanoseconds.unsigned_abs() as u32)
    }

    #[cfg(target_env = "gnu")]
    pub(super) fn trim() {
        // SAFETY: it takes a number, may be called at any time from any thread, and moves nothing that is in use.
        unsafe { malloc_trim(0) };
    }

    #[cfg(target_env = "gnu")]
    pub(super) fn bound_arenas(count: c_int) {
        /// Limits the number of arenas, for `mallopt`.
        const ARENA_MAX: c_int = -8;
        // SAFETY: it takes numbers, may be called at any time from any thread, and moves nothing that is in use.
        unsafe { mallopt(ARENA_MAX, count) };
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

    /// Returns the CPU time of a thread; `Duration::MAX` if the system does not report it.
    pub(crate) fn processor_time(self) -> Duration {
        #[cfg(target_os = "linux")]
        return linux::processor_time(self.0);
        #[cfg(not(target_os = "linux"))]
        Duration::MAX
    }

    /// Lowers the priority of a thread to [`NICENESS`], until it ends: this cannot be undone. Threads that it starts inherit the priority.
    pub(crate) fn put_behind(self) {
        #[cfg(target_os = "linux")]
        linux::set_niceness(self.0, NICENESS);
    }
}

/// Returns freed memory to the system, which allocators would keep otherwise.
pub(crate) fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    linux::trim();
}

/// Makes threads share arenas of the allocator, one for each CPU instead of eight: memory that one thread has freed is then available to others. In a
/// test with 72 large compilations, a server on two CPUs took half the memory.
pub(crate) fn share_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    linux::bound_arenas(std::thread::available_parallelism().map_or(2, |count| count.get().max(2) as i32));
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    /// Returns the niceness of a thread of this process.
    fn niceness(ThreadId(thread): ThreadId) -> i32 {
        #[allow(clippy::disallowed_methods, reason = "the system tells it in a file")]
        let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap();
        // The name of the thread may contain spaces; after the name, niceness is the 17th field.
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        fields.split(' ').nth(16).unwrap().parse().unwrap()
    }

    #[test]
    fn thread_time_counts_only_processor_time() {
        let own = ThreadId::current();
        let before = own.processor_time();
        std::thread::sleep(Duration::from_millis(50));
        assert!(own.processor_time() - before < Duration::from_millis(40));
        let mut number = 0_u64;
        while own.processor_time() - before < Duration::from_millis(60) {
            number = std::hint::black_box(number + 1);
        }
        let other = std::thread::spawn(ThreadId::current).join().unwrap();
        assert!(other.processor_time() < Duration::from_millis(40), "it has ended, or has just begun");
    }

    #[test]
    fn lowering_the_priority_of_a_thread_affects_no_other() {
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
