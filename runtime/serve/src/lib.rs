//! An HTTP server that writes texts of formats with a model, with OpenAI's interface: `/v1/chat/completions`, `/v1/responses`, `/v1/completions`,
//! `/v1/models`, `/health`, `/metrics`.
//!
//! # From a request to an answer
//!
//! 1. [`gate`] rejects requests of clients that may not use the server ([`access`]).
//! 2. [`api`] reads the body: an unsupported field is an error, never ignored. The format of the request becomes a [`FormatSource`].
//! 3. [`formats`] compiles each format once, off the server's threads; the caller of this crate supplies the compiler ([`Compile`]).
//! 4. [`scheduler`] is the thread of the model. All texts under way share its passes, and the KV cache of common prompt prefixes. A text whose client
//!    goes away leaves at the next pass; a text whose masks take long skips passes until they are computed.
//! 5. [`answer`] turns the growing text into an answer: stop strings, tool calls, probabilities. [`routes`] sends it, at once or as a stream.
//!
//! A text is always complete: the token budget of a request is also the matcher's (see `ogc_runtime::matcher`), and a stop string ends a text only
//! where the format allows an end.

mod access;
mod answer;
mod api;
mod background;
mod call_syntax;
mod compile;
mod connections;
mod formats;
mod gate;
mod held;
mod log;
mod memory;
mod metrics;
mod options;
mod peer;
mod record;
mod routes;
mod scheduler;
mod server;
mod shared;
mod system;
mod text_places;
mod texts;
mod turns;
mod upstream;

pub use access::{AccessError, AccessOptions};
pub use compile::{Compile, CompiledFormat, Finding, FormatSource, Notation, Refused, SchemaPolicy, SourceText};
pub use ogc_runtime::cache::{Cancel, CompileStop};
pub use options::ServeOptions;
pub use record::Record;
pub use server::Server;
pub use upstream::{Dialect, UpstreamError, UpstreamOptions};
