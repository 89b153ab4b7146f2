//! The C interface of the runtime: `include/ogc.h` declares it.
//!
//! # Rules
//!
//! * Objects are opaque. Each is freed once, by the function of its kind; freeing null does nothing. Vocabularies and formats may be freed before
//!   matchers made of them.
//! * Functions return an [`ogc_status`]. [`ogc_last_error`] says what went wrong, on the thread that made the call.
//! * A vocabulary, a format and a device may be used by many threads at once; a matcher, a reader of events and slots by one thread at a time.
//! * No panic leaves a function: it becomes the status `OGC_STATUS_DEFECT`. After that, the objects of the call must only be freed.
//! * Structs that the caller fills begin with their own size, so that later versions can add fields.

#![allow(unsafe_code, reason = "pointers come from C; each use is argued where it stands")]
#![allow(non_camel_case_types, reason = "the names of C")]

mod batch;
mod canonical;
#[cfg(feature = "cuda")]
mod device;
mod events;
mod forced;
mod format;
mod llama;
mod logits;
mod matcher;
mod pointers;
mod pool;
mod rows;
#[cfg(feature = "cuda")]
mod slots;
#[cfg(feature = "compiler")]
mod source;
mod state;
mod status;
mod text;
mod tokenizer;
mod version;
mod vocabulary;

pub use batch::{ogc_accept_tokens, ogc_fill_masks, ogc_fill_masks_at};
pub use canonical::{ogc_canonical, ogc_canonical_free, ogc_canonical_new};
#[cfg(feature = "cuda")]
pub use device::{
    ogc_device, ogc_device_apply, ogc_device_facts, ogc_device_free, ogc_device_info, ogc_device_open, ogc_masking,
};
pub use events::{
    ogc_event, ogc_event_kind, ogc_events, ogc_events_finish, ogc_events_fork, ogc_events_free, ogc_events_new,
    ogc_events_next, ogc_events_read_bytes, ogc_events_read_token, ogc_value_kind,
};
pub use forced::ogc_matcher_forced_tokens;
pub use format::{
    ogc_format, ogc_format_build_masks, ogc_format_free, ogc_format_load, ogc_format_tokens, ogc_format_warnings,
    ogc_tokens,
};
pub use llama::{
    llama_sampler, llama_vocab, ogc_llama_canonical, ogc_llama_sampler, ogc_llama_sampler_error, ogc_llama_vocabulary,
};
pub use logits::{ogc_host_logits, ogc_logit_format, ogc_mask_logits};
pub use matcher::{
    ogc_matcher, ogc_matcher_accept_bytes, ogc_matcher_accept_token, ogc_matcher_allows, ogc_matcher_explain,
    ogc_matcher_forced_bytes, ogc_matcher_fork, ogc_matcher_free, ogc_matcher_is_complete, ogc_matcher_is_ended,
    ogc_matcher_least_budget, ogc_matcher_len, ogc_matcher_new, ogc_matcher_reset, ogc_matcher_rollback,
    ogc_matcher_set_budget, ogc_matcher_set_canonical, ogc_matcher_validate, ogc_matcher_warm_up, ogc_options,
};
pub use pool::{ogc_format_load_with, ogc_pool, ogc_pool_free, ogc_pool_open};
pub use rows::{ogc_matcher_fill_draft, ogc_matcher_fill_mask, ogc_rows};
#[cfg(feature = "cuda")]
pub use slots::{
    ogc_allowed_tokens, ogc_draft_end, ogc_logits, ogc_row, ogc_slot_addresses, ogc_slot_drafts, ogc_slot_limits,
    ogc_slot_lists, ogc_slot_outcome, ogc_slot_runs, ogc_slot_status, ogc_slots, ogc_slots_add_format,
    ogc_slots_addresses, ogc_slots_advance, ogc_slots_begin, ogc_slots_draft, ogc_slots_fill, ogc_slots_free,
    ogc_slots_new, ogc_slots_place, ogc_slots_remove_format, ogc_slots_rollback, ogc_slots_run, ogc_slots_set_rows,
    ogc_slots_status, ogc_slots_step, ogc_slots_verify, ogc_slots_write_mask,
};
#[cfg(feature = "compiler")]
pub use source::{
    ogc_escapes, ogc_format_compile, ogc_formats, ogc_key_order, ogc_language, ogc_numbers, ogc_objects, ogc_resource,
    ogc_source, ogc_space, ogc_words,
};
pub use state::{ogc_matcher_restore, ogc_matcher_save};
pub use status::{ogc_last_error, ogc_status};
pub use tokenizer::ogc_tokenizer;
pub use version::ogc_version;
pub use vocabulary::{
    ogc_token, ogc_token_kind, ogc_vocabulary, ogc_vocabulary_free, ogc_vocabulary_from_tokenizer_json,
    ogc_vocabulary_from_tokens, ogc_vocabulary_len, ogc_vocabulary_limit_masks, ogc_vocabulary_mask_bytes,
    ogc_vocabulary_source,
};
