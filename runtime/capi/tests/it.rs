//! All integration tests of this crate: one program, so that one is linked.

#[cfg(not(ogc_sanitized))] // programs without AddressSanitizer cannot load the library
mod device;
mod events;
#[cfg(not(ogc_sanitized))]
mod languages;
#[cfg(not(ogc_sanitized))] // what libllama allocates is not ours to check
mod llama;
mod source;
