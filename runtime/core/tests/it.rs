//! All integration tests of this crate: one program, so that one is linked.

mod budgets;
mod cache;
mod canonical;
mod eviction;
mod forced;
mod formats;
mod masks;
mod merges;
mod random_tokens;
mod readings;
mod saved;
mod saved_bytes;
mod serving;
mod spelling;
mod vocabulary;
mod watch;
mod wide_objects;
