//! Another server that writes the texts: it gets the strongest constraint that it supports, and its text is verified byte by byte.
//!
//! 1. [`request`] separates the format from a request, and makes the body for the other server.
//! 2. [`dialect`] knows the notations that a server reads, and their fields in a body.
//! 3. [`client`] sends the body and reads the stream, in [`pieces`](piece); [`failure`] makes the errors.
//! 4. [`verify`] follows the text with a matcher, and [`calls`] follows tool calls: a byte that violates the format is not passed on.
//!
//! Retries and continuations are decided where texts are followed, not here.

pub(crate) mod calls;
pub(crate) mod client;
mod custom;
mod dialect;
mod failure;
mod options;
pub(crate) mod piece;
pub(crate) mod request;
mod space;
pub(crate) mod verify;

pub use dialect::Dialect;
pub use options::{UpstreamError, UpstreamOptions};
