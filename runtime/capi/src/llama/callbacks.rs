//! The functions that llama.cpp calls. No panic leaves them.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::interface::{Candidates, Functions, Outer, SamplerInit};
use super::sampler::Sampler;

/// The functions of all samplers of this library.
static FUNCTIONS: Functions = Functions { name, accept, apply, reset, clone, free, later: [None; 16] };

/// The state behind a sampler of llama.cpp.
#[derive(Debug)]
struct State {
    sampler: Sampler,
    /// Makes the samplers of clones.
    init: SamplerInit,
}

/// Makes a sampler of llama.cpp; null if `init` returns null.
pub(super) fn wrap(sampler: Sampler, init: SamplerInit) -> *mut Outer {
    let state = Box::into_raw(Box::new(State { sampler, init }));
    // SAFETY: the functions live forever and are those of the state.
    let made = unsafe { init(&raw const FUNCTIONS, state.cast::<c_void>()) };
    if made.is_null() {
        // SAFETY: nobody else has the pointer.
        drop(unsafe { Box::from_raw(state) });
    }
    made
}

/// Returns the state behind a sampler of llama.cpp; `None` if it is not a sampler of this library.
///
/// # Safety
///
/// The pointer is null or a sampler that no other thread uses during `'a`.
pub(super) unsafe fn sampler<'a>(sampler: *const Outer) -> Option<&'a Sampler> {
    // SAFETY: as this function's.
    let outer = unsafe { sampler.as_ref() }?;
    if !ptr::eq(outer.functions, &raw const FUNCTIONS) {
        return None;
    }
    // SAFETY: with these functions, the state is null or from `wrap`, and it is freed with the sampler.
    unsafe { outer.state.cast::<State>().as_ref() }.map(|state| &state.sampler)
}

/// Returns the state of a sampler of this library; `None` if the state was moved away.
///
/// # Safety
///
/// The pointer is a sampler of this library that nobody else uses during `'a`.
unsafe fn state<'a>(sampler: *const Outer) -> Option<&'a mut State> {
    // SAFETY: as this function's; the state is from `wrap`.
    unsafe { (*sampler).state.cast::<State>().as_mut() }
}

unsafe extern "C" fn name(_: *const Outer) -> *const c_char {
    c"ogc".as_ptr()
}

unsafe extern "C" fn accept(sampler: *mut Outer, token: i32) {
    // SAFETY: llama.cpp calls this on a sampler with these functions, on one thread at a time.
    if let Some(state) = unsafe { state(sampler) } {
        state.sampler.accept(token);
    }
}

unsafe extern "C" fn apply(sampler: *mut Outer, candidates: *mut Candidates) {
    // SAFETY: llama.cpp calls this on a sampler with these functions, on one thread at a time; the candidates are its own.
    let (Some(state), Some(candidates)) = (unsafe { (state(sampler), candidates.as_mut()) }) else { return };
    if candidates.data.is_null() || candidates.len == 0 {
        return;
    }
    // SAFETY: llama.cpp passes a pointer to `len` candidates, which nobody else uses during the call.
    let slice = unsafe { std::slice::from_raw_parts_mut(candidates.data, candidates.len) };
    if state.sampler.apply(slice) && candidates.len > 1 {
        candidates.is_sorted = false;
    }
}

unsafe extern "C" fn reset(sampler: *mut Outer) {
    // SAFETY: as for `accept`.
    if let Some(state) = unsafe { state(sampler) } {
        state.sampler.reset();
    }
}

unsafe extern "C" fn clone(sampler: *const Outer) -> *mut Outer {
    // SAFETY: llama.cpp calls this on a sampler with these functions, whose state is only read meanwhile.
    let Some(state) = (unsafe { (*sampler).state.cast::<State>().as_ref() }) else { return ptr::null_mut() };
    state.sampler.copy().map_or(ptr::null_mut(), |copy| wrap(copy, state.init))
}

unsafe extern "C" fn free(sampler: *mut Outer) {
    // SAFETY: llama.cpp calls this once, before it frees the sampler itself or gives it another state.
    let state = unsafe { std::mem::replace(&mut (*sampler).state, ptr::null_mut()) };
    if !state.is_null() {
        // SAFETY: the state is from `wrap`, and nobody uses it again.
        drop(unsafe { Box::from_raw(state.cast::<State>()) });
    }
}
