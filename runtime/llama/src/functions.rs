//! The functions of libllama that this crate calls, as `llama.h` declares them.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::{c_char, c_void};
use std::path::Path;

use libloading::Library;

use crate::error::LlamaError;
use crate::log::LogCallback;
use crate::parameters::Parameters;

/// Tokens to read (`llama_batch`); the fields have been the same since November 2024.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) len: i32,
    pub(crate) tokens: *mut i32,
    pub(crate) embeddings: *mut f32,
    pub(crate) positions: *mut i32,
    pub(crate) sequence_counts: *mut i32,
    pub(crate) sequences: *mut *mut i32,
    /// Whether the logits after each token are wanted.
    pub(crate) wanted: *mut i8,
}

/// Declares the functions that every version has, and those that only some versions have.
macro_rules! functions {
    (
        always { $($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)* }
        sometimes { $($other:ident: fn($($other_argument:ty),*) $(-> $other_result:ty)?;)* }
    ) => {
        /// The functions of a library, which stays loaded until the process ends.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $(pub(crate) $other: Option<unsafe extern "C" fn($($other_argument),*) $(-> $other_result)?>,)*
        }

        impl Functions {
            /// Finds the functions of a library.
            pub(crate) fn find(library: &Library, path: &Path) -> Result<Self, LlamaError> {
                let missing = |name| LlamaError::Function { path: path.to_owned(), name };
                // SAFETY: the types are those in the declarations of llama.h, in all versions whose layouts are known.
                unsafe {
                    Ok(Self {
                        $($name: *library.get(stringify!($name)).map_err(|_| missing(stringify!($name)))?,)*
                        $($other: library.get(stringify!($other)).ok().map(|function| *function),)*
                    })
                }
            }
        }
    };
}

functions! {
    always {
        llama_backend_init: fn();
        llama_log_set: fn(LogCallback, *mut c_void);
        llama_model_default_params: fn();
        llama_context_default_params: fn();
        llama_model_load_from_file: fn(*const c_char, Parameters) -> *mut c_void;
        llama_model_free: fn(*mut c_void);
        llama_model_get_vocab: fn(*const c_void) -> *const c_void;
        llama_model_n_ctx_train: fn(*const c_void) -> i32;
        llama_model_has_encoder: fn(*const c_void) -> bool;
        llama_model_is_recurrent: fn(*const c_void) -> bool;
        llama_init_from_model: fn(*mut c_void, Parameters) -> *mut c_void;
        llama_free: fn(*mut c_void);
        llama_n_ctx: fn(*const c_void) -> u32;
        llama_set_n_threads: fn(*mut c_void, i32, i32);
        llama_get_memory: fn(*const c_void) -> *mut c_void;
        llama_memory_seq_rm: fn(*mut c_void, i32, i32, i32) -> bool;
        llama_decode: fn(*mut c_void, Batch) -> i32;
        llama_get_logits_ith: fn(*mut c_void, i32) -> *const f32;
        llama_vocab_n_tokens: fn(*const c_void) -> i32;
        llama_tokenize: fn(*const c_void, *const c_char, i32, *mut i32, i32, bool, bool) -> i32;
    }
    sometimes {
        llama_version: fn() -> *const c_char;
        llama_model_is_hybrid: fn(*const c_void) -> bool;
        llama_model_is_diffusion: fn(*const c_void) -> bool;
        ggml_backend_load_all_from_path: fn(*const c_char);
    }
}
