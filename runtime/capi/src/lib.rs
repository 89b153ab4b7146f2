//! The C interface of the runtime: `include/ogc.h` declares it.
//!
//! # Rules
//!
//! * Objects are opaque. Each is freed by the function of its kind, once; null is freed by doing nothing. Vocabularies and
//!   formats may be freed while matchers made of them live on.
//! * Functions return an [`ogc_status`]. [`ogc_last_error`] says what went wrong, on the thread that made the call.
//! * A vocabulary and a format may be used by many threads at once; a matcher by one thread at a time.
//! * No panic leaves a function: it becomes the status `OGC_STATUS_DEFECT`. After that an object must only be freed.
//! * Structs that the caller fills begin with their own size, so that later versions can add fields.

#![allow(unsafe_code, reason = "pointers come from C; each use is argued where it stands")]
#![allow(non_camel_case_types, reason = "the names of C")]

mod forced;
mod format;
mod llama;
mod matcher;
mod pointers;
mod pool;
mod rows;
#[cfg(feature = "compiler")]
mod source;
mod status;
mod vocabulary;

pub use forced::{ogc_matcher_forced_tokens, ogc_tokenizer};
pub use format::{ogc_format, ogc_format_free, ogc_format_load};
pub use llama::{llama_sampler, llama_vocab, ogc_llama_sampler, ogc_llama_sampler_error, ogc_llama_vocabulary};
pub use matcher::{
    ogc_matcher, ogc_matcher_accept_bytes, ogc_matcher_accept_token, ogc_matcher_allows, ogc_matcher_explain,
    ogc_matcher_forced_bytes, ogc_matcher_fork, ogc_matcher_free, ogc_matcher_is_complete, ogc_matcher_is_ended,
    ogc_matcher_len, ogc_matcher_new, ogc_matcher_reset, ogc_matcher_rollback, ogc_options,
};
pub use pool::{ogc_format_load_with, ogc_pool, ogc_pool_free, ogc_pool_open};
pub use rows::{ogc_fill_masks, ogc_matcher_fill_draft, ogc_matcher_fill_mask, ogc_rows};
#[cfg(feature = "compiler")]
pub use source::{ogc_escapes, ogc_format_compile, ogc_key_order, ogc_language, ogc_source, ogc_space};
pub use status::{ogc_last_error, ogc_status};
pub use vocabulary::{
    ogc_token, ogc_token_kind, ogc_vocabulary, ogc_vocabulary_free, ogc_vocabulary_from_tokenizer_json,
    ogc_vocabulary_from_tokens, ogc_vocabulary_len, ogc_vocabulary_source,
};
