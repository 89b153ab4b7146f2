//! Samplers of llama.cpp: a format as a `llama_sampler` of an unmodified libllama.
//!
//! Nothing of llama.cpp is linked. Its functions are looked up in the process when they are first needed. So one build of this library works with
//! every version that has them, and with programs without llama.cpp.
//!
//! # Steps
//!
//! * [`interface`] has the types of `llama.h` that cross the boundary, and the table of a sampler's functions.
//! * [`symbols`] finds functions of libllama in the process.
//! * [`tokens`] reads a model's tokens.
//! * [`tokenizer`] tokenises texts with the model's tokenizer.
//! * [`sampler`] is the state of a sampler: it withholds candidates, and after an error allows only the end of the text. It knows no pointers.
//! * [`callbacks`] are the functions that llama.cpp calls.

mod callbacks;
mod interface;
mod sampler;
mod symbols;
mod tokenizer;
mod tokens;

use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

use ogc_runtime::canonical::CanonicalTokens;

use crate::canonical::ogc_canonical;
use crate::format::ogc_format;
use crate::matcher::{matcher_of, ogc_options};
use crate::pointers::{give, shared, unique};
use crate::status::{Failure, call, ogc_status};
use crate::vocabulary::ogc_vocabulary;
use interface::Outer;
use sampler::Sampler;
use tokenizer::Tokenizer;

/// A vocabulary of llama.cpp, as `llama.h` declares it.
#[derive(Debug)]
pub struct llama_vocab {
    _opaque: [u8; 0],
}

/// A sampler of llama.cpp, as `llama.h` declares it.
#[derive(Debug)]
pub struct llama_sampler {
    _opaque: [u8; 0],
}

/// Reads the vocabulary of a model of llama.cpp: `llama_model_get_vocab` gives `vocab`, which is not used after the call.
///
/// All tokens at which llama.cpp ends a generation (`llama_vocab_is_eog`) end the texts of matchers and samplers of this vocabulary.
/// An artifact with masks for the same GGUF file fits, unless llama.cpp has changed the kinds of tokens as it read the file.
/// `OGC_STATUS_NO_LIBRARY` if the process has no libllama among its global symbols.
///
/// # Safety
///
/// `vocab` is a vocabulary of the libllama that is loaded, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_llama_vocabulary(vocab: *const llama_vocab, out: *mut *mut ogc_vocabulary) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let out = unsafe { unique(out, "out") }?;
        if vocab.is_null() {
            return Err(Failure::argument("vocab is null"));
        }
        // SAFETY: as this function's, and it is not null.
        let (vocabulary, ends) = unsafe { tokens::read(vocab) }?;
        give(ogc_vocabulary::with_ends(vocabulary, ends), out);
        Ok(())
    })
}

/// Makes the canonical tokens of a model of llama.cpp: those that its tokenizer (`llama_tokenize`) writes. With them as
/// `options.canonical`, a sampler writes keys, punctuation and other constants in the tokens that the model was trained on. One serves all
/// samplers of a model.
///
/// `vocabulary` is from [`ogc_llama_vocabulary`] of the same model. Spaces that a tokenizer puts in front of a text are taken off. `OGC_STATUS_NO_LIBRARY` if the process
/// has no libllama among its global symbols.
///
/// # Safety
///
/// `vocab` is a vocabulary of the libllama that is loaded, and lives as long as the canonical tokens and all samplers and matchers that
/// have them; `vocabulary` is a vocabulary of this library, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_llama_canonical(
    vocab: *const llama_vocab,
    vocabulary: *const ogc_vocabulary,
    out: *mut *mut ogc_canonical,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (vocabulary, out) = unsafe { (shared(vocabulary, "vocabulary")?, unique(out, "out")?) };
        if vocab.is_null() {
            return Err(Failure::argument("vocab is null"));
        }
        // SAFETY: as this function's, and it is not null.
        let tokenizer = unsafe { Tokenizer::new(vocab, Arc::clone(vocabulary.store.vocabulary())) }?;
        let tokens = CanonicalTokens::new(Arc::clone(&vocabulary.store), move |text| tokenizer.tokens(text));
        give(ogc_canonical { tokens: Arc::new(tokens) }, out);
        Ok(())
    })
}

/// Makes a sampler that allows the tokens of a format, for `llama_sampler_chain_add`. It belongs in front of all samplers that drop
/// candidates. The chain owns it, or else `llama_sampler_free` frees it; format and vocabulary may be freed before it.
///
/// The vocabulary is an argument, and not a `llama_vocab`, so that it is read once for all samplers of a model, which then share the
/// rows of masks; and so that no hidden cache has to guess from a pointer whether a model is still the same.
///
/// `options` may be null. `max_tokens` counts the tokens that the sampler is given; `rollback_window` has no effect, as samplers
/// never roll back. With `canonical` they write as the model's tokenizer does, which chains without it do not.
///
/// After a token that the format refuses (a token of the prompt, say) the sampler allows nothing but the tokens that end the text,
/// until it is reset; so it does where no token can follow. [`ogc_llama_sampler_error`] says why. `OGC_STATUS_NO_LIBRARY` if the process
/// has no libllama among its global symbols.
///
/// # Safety
///
/// `format` is a format, `vocabulary` a vocabulary, `options` is null or points to options with valid pointers, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_llama_sampler(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    options: *const ogc_options,
    out: *mut *mut llama_sampler,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (format, vocabulary) = unsafe { (shared(format, "format")?, shared(vocabulary, "vocabulary")?) };
        // SAFETY: as this function's.
        let (out, options) = unsafe { (unique(out, "out")?, options.as_ref()) };
        let init = symbols::sampler_init()?;
        // SAFETY: as this function's.
        let sampler = Sampler::new(unsafe { matcher_of(format, vocabulary, options) }?)?;
        *out = callbacks::wrap(sampler, init).cast();
        match out.is_null() {
            true => Err(Failure::library("llama_sampler_init gave no sampler")),
            false => Ok(()),
        }
    })
}

/// Returns why a sampler of [`ogc_llama_sampler`] allows nothing but the end of the text, or why it withheld all candidates: zero-terminated
/// UTF-8, valid until the sampler is used again. Null if nothing went wrong, for null, and for samplers of other libraries.
///
/// # Safety
///
/// `sampler` is null or a sampler that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_llama_sampler_error(sampler: *const llama_sampler) -> *const c_char {
    // SAFETY: as this function's.
    let sampler = unsafe { callbacks::sampler(sampler.cast::<Outer>()) };
    sampler.and_then(Sampler::fault).map_or(ptr::null(), |fault| fault.as_ptr())
}
