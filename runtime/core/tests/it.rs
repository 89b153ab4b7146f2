//! All integration tests of this crate, in one program, so that only one is linked.

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
