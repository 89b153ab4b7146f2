//! The vocabulary, the formats and the samplers of ogc beside a libllama, and what a model is asked.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ptr;

use ogc_capi::*;

use super::formats::Case;
use super::library::Llama;

/// The vocabulary of the model, read by the functions of libllama.
pub(crate) fn vocabulary(llama: &Llama) -> *mut ogc_vocabulary {
    let mut vocabulary = ptr::null_mut();
    // SAFETY: the vocabulary of llama.cpp lives.
    assert_eq!(unsafe { ogc_llama_vocabulary(llama.vocab(), &raw mut vocabulary) }, ogc_status::OK);
    vocabulary
}

/// The canonical tokens of the model, by the functions of libllama.
pub(crate) fn canonical(llama: &Llama, vocabulary: *const ogc_vocabulary) -> *mut ogc_canonical {
    let mut canonical = ptr::null_mut();
    // SAFETY: both vocabularies live.
    let status = unsafe { ogc_llama_canonical(llama.vocab(), vocabulary, &raw mut canonical) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    canonical
}

/// Compiles a format; schemas with one space behind commas and colons, and canonical escapes.
pub(crate) fn compiled(case: &Case) -> *mut ogc_format {
    let is_schema = case.language == ogc_language::JSON_SCHEMA;
    let source = ogc_source {
        struct_size: size_of::<ogc_source>(),
        language: case.language as u32,
        text: case.text.as_ptr(),
        text_len: case.text.len(),
        name: case.name.as_ptr(),
        name_len: case.name.len(),
        definition: ptr::null(),
        definition_len: 0,
        space: if is_schema { ogc_space::SPACED as u32 } else { 0 },
        order: 0,
        escapes: if is_schema { ogc_escapes::CANONICAL as u32 } else { 0 },
        numbers: 0,
        formats: 0,
        objects: 0,
        words: 0,
        annotate: ptr::null(),
        annotate_len: 0,
        resources: ptr::null(),
        resources_len: 0,
        vocabulary: ptr::null(),
    };
    let mut format = ptr::null_mut();
    // SAFETY: the texts live.
    let status = unsafe { ogc_format_compile(&raw const source, &raw mut format) };
    assert_eq!(status, ogc_status::OK, "{}: {}", case.name, last_error());
    format
}

/// Returns the message of the last error.
pub(crate) fn last_error() -> String {
    // SAFETY: it is a string until the next call.
    unsafe { std::ffi::CStr::from_ptr(ogc_last_error()) }.to_string_lossy().into_owned()
}

/// Makes a sampler of a format; `max_tokens` is 0 for any number.
pub(crate) fn sampler(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    max_tokens: u32,
) -> *mut llama_sampler {
    canonical_sampler(format, vocabulary, max_tokens, ptr::null())
}

/// Makes the same with canonical tokens, unless they are null.
pub(crate) fn canonical_sampler(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    max_tokens: u32,
    canonical: *const ogc_canonical,
) -> *mut llama_sampler {
    let options = ogc_options {
        struct_size: size_of::<ogc_options>(),
        max_tokens,
        rollback_window: 0,
        stop_tokens: ptr::null(),
        stop_tokens_len: 0,
        canonical,
    };
    let mut sampler = ptr::null_mut();
    // SAFETY: format and vocabulary live.
    let status = unsafe { ogc_llama_sampler(format, vocabulary, &raw const options, &raw mut sampler) };
    assert_eq!(status, ogc_status::OK, "{}", last_error());
    sampler
}

/// The prompt of a conversation, as the model's template has it.
pub(crate) fn prompt(user: &str) -> String {
    let system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face";
    format!("<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}<|im_end|>\n<|im_start|>assistant\n")
}
