//! An HTTP server that writes texts of formats with a model, in the interface of OpenAI: `/v1/chat/completions`, `/v1/responses`,
//! `/v1/completions`, `/v1/models`, `/health`, `/metrics`.
//!
//! # From a request to an answer
//!
//! 1. [`gate`] refuses requests that may not use the server ([`access`]).
//! 2. [`api`] reads the body: what is not supported is an error, never ignored. Its format becomes a [`FormatSource`].
//! 3. [`formats`] has it compiled off the server's threads, each format once; the caller of this crate says how ([`Compile`]).
//! 4. [`scheduler`] is the thread of the model: all texts that are being written share its passes, and what is read of prompts that begin
//!    alike. A text whose client goes away leaves at the next pass; one whose masks take long is left out until they are there.
//! 5. [`answer`] makes an answer of a text while it grows: stop strings, calls of tools, probabilities; [`routes`] sends it, at
//!    once or in parts.
//!
//! A text is whole whatever the request says: the budget of a request is that of the format (see `ogc_runtime::matcher`), and a stop
//! string ends a text only where the format lets it end.

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
