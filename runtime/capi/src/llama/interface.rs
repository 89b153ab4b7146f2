//! The types of `llama.h` that cross the boundary.
//!
//! This library relies on no other types; all have been stable since custom samplers exist (b3600, August 2024). Only the table of a sampler's
//! functions has grown at its end ever since. So [`Functions`] ends with null pointers for the functions of later versions; to each version, null
//! means that the sampler lacks the function.

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
    /// Id of the token.
    pub(super) id: i32,
    /// Logit of the token; minus infinity is never chosen.
    pub(super) logit: f32,
    /// Probability of the token, which later samplers compute.
    pub(super) probability: f32,
}

/// The candidates for the next token, in any order, and not necessarily all tokens.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) data: *mut Candidate,
    pub(super) len: usize,
    /// Index of the chosen candidate, if one was chosen.
    pub(super) selected: i64,
    /// Whether the logits are in descending order.
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
    /// Current versions use six of them: sampling on a device, and `copy_state`, without which llama.cpp clones, frees and moves the state.
    pub(super) later: [Missing; 16],
}

/// `llama_sampler_init`: makes a sampler from its functions, which it never writes to, and its state.
pub(super) type SamplerInit = unsafe extern "C" fn(*const Functions, *mut c_void) -> *mut Outer;
