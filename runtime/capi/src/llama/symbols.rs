//! Finds functions of libllama among the global symbols of the process.

use std::ffi::{CStr, c_char};

use super::interface::SamplerInit;
use super::llama_vocab;
use crate::status::Failure;

/// The functions that read a vocabulary.
#[derive(Clone, Copy, Debug)]
pub(super) struct VocabularyFunctions {
    /// Returns the number of tokens.
    pub(super) n_tokens: unsafe extern "C" fn(*const llama_vocab) -> i32,
    /// Returns the attributes of a token, as bits.
    pub(super) get_attr: unsafe extern "C" fn(*const llama_vocab, i32) -> i32,
    /// Returns the name of a token as the model's file has it.
    pub(super) get_text: unsafe extern "C" fn(*const llama_vocab, i32) -> *const c_char,
    /// Returns whether a token ends a generation.
    pub(super) is_eog: unsafe extern "C" fn(*const llama_vocab, i32) -> bool,
    /// Returns the token that ends a text; negative if there is none.
    pub(super) eos: unsafe extern "C" fn(*const llama_vocab) -> i32,
    /// Returns the token that ends a turn; negative if there is none.
    pub(super) eot: unsafe extern "C" fn(*const llama_vocab) -> i32,
    /// Writes the bytes of a token. Further arguments: buffer, its length, spaces to strip, whether special tokens have bytes. Returns the number of
    /// bytes, negated if they do not fit.
    pub(super) to_piece: unsafe extern "C" fn(*const llama_vocab, i32, *mut c_char, i32, i32, bool) -> i32,
}

/// Finds the functions that read a vocabulary.
pub(super) fn vocabulary_functions() -> Result<VocabularyFunctions, Failure> {
    // SAFETY: each type is that of the declaration in llama.h.
    unsafe {
        Ok(VocabularyFunctions {
            n_tokens: find(c"llama_vocab_n_tokens")?,
            get_attr: find(c"llama_vocab_get_attr")?,
            get_text: find(c"llama_vocab_get_text")?,
            is_eog: find(c"llama_vocab_is_eog")?,
            eos: find(c"llama_vocab_eos")?,
            eot: find(c"llama_vocab_eot")?,
            to_piece: find(c"llama_token_to_piece")?,
        })
    }
}

/// `llama_tokenize`: tokenises a text. Further arguments: the text and its length, the buffer for tokens and its length, whether to add begin and end
/// tokens, whether to parse names of special tokens. Returns the number of tokens, negated if they do not fit.
pub(super) type Tokenize =
    unsafe extern "C" fn(*const llama_vocab, *const c_char, i32, *mut i32, i32, bool, bool) -> i32;

/// Finds the function that tokenises texts.
pub(super) fn tokenize() -> Result<Tokenize, Failure> {
    // SAFETY: the type is that of the declaration in llama.h.
    unsafe { find(c"llama_tokenize") }
}

/// Finds the function that makes a sampler.
pub(super) fn sampler_init() -> Result<SamplerInit, Failure> {
    // SAFETY: the type is that of the declaration in llama.h, but for `const`.
    unsafe { find(c"llama_sampler_init") }
}

/// Finds a function by its name.
///
/// # Safety
///
/// `F` is the type of the function.
#[cfg(unix)]
unsafe fn find<F: Copy>(name: &CStr) -> Result<F, Failure> {
    let process = libloading::os::unix::Library::this();
    // SAFETY: as this function's; the pointer stays valid as long as libllama is loaded, which users of its objects ensure.
    let found = unsafe { process.get::<F>(name.to_bytes_with_nul()) };
    found
        .map(|function| *function)
        .map_err(|_| not_found(name, "load libllama with RTLD_GLOBAL, or link the program with it"))
}

/// Returns an error: on other systems a process has no global symbols.
///
/// # Safety
///
/// None.
#[cfg(not(unix))]
unsafe fn find<F: Copy>(name: &CStr) -> Result<F, Failure> {
    Err(not_found(
        name,
        "samplers of llama.cpp are for systems with global symbols; use ogc_matcher in a sampler of your own",
    ))
}

fn not_found(name: &CStr, way_out: &str) -> Failure {
    Failure::library(&format!("no {} in the process: {way_out}", name.to_string_lossy()))
}
