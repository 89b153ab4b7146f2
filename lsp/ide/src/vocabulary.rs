//! Vocabularies for masks: the built-in one, and those of tokenizer files.

use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_workbench::vocabulary::{self, default_vocabulary};

pub use ogc_workbench::vocabulary::BUILT_IN;

/// A vocabulary, or a sentence that says why there is none.
pub type Loaded = Result<Arc<MaskStore>, String>;

/// Reads the built-in vocabulary.
///
/// # Errors
/// It cannot be used; the sentence says why.
pub fn built_in() -> Loaded {
    let known = default_vocabulary().map_err(|error| error.to_string())?;
    Ok(MaskStore::new(Arc::new(known)))
}

/// Reads a vocabulary from the bytes of a `tokenizer.json`, a `tekken.json` or a `.tiktoken` file.
///
/// # Errors
/// The bytes make no vocabulary; the sentence says why.
pub fn read(bytes: &[u8]) -> Loaded {
    let known = vocabulary::parse(bytes).map_err(|error| error.to_string())?;
    Ok(MaskStore::new(Arc::new(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_vocabularies_say_why() {
        assert_eq!(read(b"YQ== 0\nYg== 1\n").unwrap().vocabulary().len(), 2);
        assert!(!read(b"{}").unwrap_err().is_empty());
        assert_eq!(built_in().unwrap().vocabulary().name(), ogc_workbench::vocabulary::DEFAULT_NAME);
    }
}
