//! An allocator that counts the bytes that a program holds, for memory tests. It is a crate in `runtime/` because `unsafe` is allowed only
//! there.
//!
//! A test program of its own declares it as the global allocator. All threads count, so that such a program must run one test at a time.

#![allow(unsafe_code, reason = "allocators are; each method hands its arguments to the system's allocator as they are")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The requested bytes of all blocks that are not freed.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count of the bytes that are allocated.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: ogc_counting::CountingAllocator = ogc_counting::CountingAllocator;
///
/// let before = ogc_counting::live_bytes();
/// let numbers = vec![0_u8; 1_000];
/// assert_eq!(ogc_counting::live_bytes() - before, 1_000);
/// drop(numbers);
/// assert_eq!(ogc_counting::live_bytes(), before);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// Returns the bytes that the program has allocated; 0 if [`CountingAllocator`] is not its global allocator.
///
/// ```
/// assert_eq!(ogc_counting::live_bytes(), 0);
/// ```
#[must_use]
pub fn live_bytes() -> usize {
    LIVE.load(Ordering::Relaxed)
}

// SAFETY: every method calls that of the system's allocator, and counting touches no memory but the counter.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the conditions of `alloc`, which are those of the system's.
        let block = unsafe { System.alloc(layout) };
        count(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        let block = unsafe { System.alloc_zeroed(layout) };
        count(block, layout.size());
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the block comes from `alloc`, and so from the system's allocator, with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as in `dealloc`, and the caller vouches for the new size.
        let moved = unsafe { System.realloc(block, layout, size) };
        if !moved.is_null() {
            LIVE.fetch_add(size, Ordering::Relaxed);
            LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        moved
    }
}

/// Counts a block, unless the allocation failed.
fn count(block: *mut u8, bytes: usize) {
    if !block.is_null() {
        LIVE.fetch_add(bytes, Ordering::Relaxed);
    }
}
