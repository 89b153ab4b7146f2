//! Another server that writes the texts: it gets the best constraint that it takes, and what it writes is verified byte by byte.
//!
//! 1. [`request`] takes from a request what is the format's, and makes the body that the other server gets.
//! 2. [`dialect`] says which notations a server reads, and where they stand in a body.
//! 3. [`client`] sends the body and reads the stream, in [`pieces`](piece); [`failure`] says why there is none.
//! 4. [`verify`] follows the text with a matcher, and [`calls`] those of tools: a byte that the format does not allow is not passed on.
//!
//! How often a text is begun again or gone on with is decided where texts are followed, not here.

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
