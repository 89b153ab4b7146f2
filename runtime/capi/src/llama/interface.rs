//! The types of `llama.h` that cross the boundary.
//!
//! Only these are relied on; all have been the same since custom samplers exist (b3600, August 2024). The table of a sampler's functions
//! has grown at its end ever since: [`Functions`] ends with null pointers for what later versions ask for, which mean to each of
//! them that the sampler does not have it.

use std::ffi::{c_char, c_void};

/// A sampler, `struct llama_sampler`.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Outer {
    pub(super) functions: *const Functions,
    pub(super) state: *mut c_void,
}

/// A candidate for the next token.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Its id.
    pub(super) id: i32,
    /// Its logit; minus infinity is never chosen.
    pub(super) logit: f32,
    /// Its probability, which later samplers compute.
    pub(super) probability: f32,
}

/// The candidates for the next token, in any order, and not necessarily all tokens.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) data: *mut Candidate,
    pub(super) len: usize,
    /// The index of the one that was chosen, if one was.
    pub(super) selected: i64,
    /// Whether their logits descend.
    pub(super) is_sorted: bool,
}

/// A function that this library does not have.
type Missing = Option<unsafe extern "C" fn()>;

/// The functions of a sampler.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) name: unsafe extern "C" fn(*const Outer) -> *const c_char,
    pub(super) accept: unsafe extern "C" fn(*mut Outer, i32),
    pub(super) apply: unsafe extern "C" fn(*mut Outer, *mut Candidates),
    pub(super) reset: unsafe extern "C" fn(*mut Outer),
    pub(super) clone: unsafe extern "C" fn(*const Outer) -> *mut Outer,
    pub(super) free: unsafe extern "C" fn(*mut Outer),
    /// Six are asked for now: sampling on a device, and `copy_state`, without which llama.cpp clones, frees and moves the state.
    pub(super) later: [Missing; 16],
}

/// `llama_sampler_init`: makes a sampler of its functions, which it never writes to, and its state.
pub(super) type SamplerInit = unsafe extern "C" fn(*const Functions, *mut c_void) -> *mut Outer;
