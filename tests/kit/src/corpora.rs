//! Finds the corpora and the models of tests.
//!
//! The folder of the corpora is named by `OGC_CORPORA`, by default `shared/data` beside the repository.

use std::io::Read;
use std::path::PathBuf;

use ruzstd::decoding::StreamingDecoder;

use crate::skip;

/// Returns the folder of the corpora; it may not exist.
#[must_use]
pub fn folder() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("OGC_CORPORA").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// Returns the path of a file or folder of the corpora. If it is absent, reports that the running test is skipped.
#[must_use]
pub fn find(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    let found = path.exists();
    if !found {
        skip(&format!("no corpus {name}"));
    }
    found.then_some(path)
}

/// Decompresses bytes that zstd has compressed.
///
/// # Errors
/// The bytes are not a compressed file.
///
/// ```
/// assert!(ogc_kit::corpora::unpack(b"plain text").is_err());
/// ```
pub fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut decoder = StreamingDecoder::new(packed).map_err(std::io::Error::other)?;
    decoder.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the path of a model that `tests/models/fetch` installed. If it is absent, reports that the running test is
/// skipped.
///
/// The folder of the models is named by `OGC_MODELS`, by default `models` in cargo's target folder.
#[must_use]
pub fn find_model(name: &str) -> Option<PathBuf> {
    let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from(target), PathBuf::from);
    let path = std::env::var_os("OGC_MODELS").map_or_else(|| target.join("models"), PathBuf::from).join(name);
    let found = path.exists();
    if !found {
        skip(&format!("no model {name} (tests/models/fetch installs it)"));
    }
    found.then_some(path)
}
