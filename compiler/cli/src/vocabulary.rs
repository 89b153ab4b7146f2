//! Loads vocabularies by name or from files.

use std::path::Path;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{MAX_SOURCE_BYTES, Vocabulary};
use ogc_workbench::vocabulary::{BUILT_IN, Encoder, default_vocabulary, parse};

use crate::files;
use crate::problem::Problem;

/// Loads the vocabulary of a tokenizer file, or the built-in one.
pub(crate) fn load(path: &Path) -> Result<Arc<MaskStore>, Problem> {
    if path == Path::new(BUILT_IN) {
        return Ok(store(default_vocabulary().map_err(|error| failed(path, &error))?));
    }
    let vocabulary = parse(&files::read(path, MAX_SOURCE_BYTES)?).map_err(|error| failed(path, &error))?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(store(vocabulary.with_name(&name)))
}

/// Loads the encoder of a tokenizer file, or of the built-in vocabulary.
pub(crate) fn load_encoder(path: &Path) -> Result<Encoder, Problem> {
    if path == Path::new(BUILT_IN) {
        return Encoder::built_in().map_err(|error| failed(path, &error));
    }
    Encoder::parse(&files::read(path, MAX_SOURCE_BYTES)?).map_err(|error| failed(path, &error))
}

/// Makes the failure of a vocabulary; that of single bytes and named tokens has no file.
pub(crate) fn failed(path: &Path, error: &dyn std::error::Error) -> Problem {
    Problem::Vocabulary { path: path.to_owned(), message: error.to_string() }
}

/// The path under which the vocabulary of single bytes and named tokens is reported.
pub(crate) const BYTES: &str = "bytes";

fn store(vocabulary: Vocabulary) -> Arc<MaskStore> {
    MaskStore::new(Arc::new(vocabulary))
}
