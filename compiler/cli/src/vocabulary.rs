//! Loads vocabularies by name or from files; the content of a file decides its kind.

use std::path::Path;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{MAX_SOURCE_BYTES, Vocabulary};
use serde_json::Value;

use crate::default_vocabulary::default_vocabulary;
use crate::files;
use crate::problem::Problem;

/// The name of the vocabulary that needs no file.
pub(crate) const BUILT_IN: &str = "o200k";

/// Loads the vocabulary of a tokenizer file, or the built-in one.
pub(crate) fn load(path: &Path) -> Result<Arc<MaskStore>, Problem> {
    let failed = |message: String| Problem::Vocabulary { path: path.to_owned(), message };
    if path == Path::new(BUILT_IN) {
        let vocabulary = default_vocabulary().map_err(|error| failed(error.to_string()))?;
        return Ok(MaskStore::new(Arc::new(vocabulary)));
    }
    let bytes = files::read(path, MAX_SOURCE_BYTES)?;
    let vocabulary = parse(&bytes).map_err(failed)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(MaskStore::new(Arc::new(vocabulary.with_name(&name))))
}

fn parse(bytes: &[u8]) -> Result<Vocabulary, String> {
    let read = if !bytes.trim_ascii_start().starts_with(b"{") {
        Vocabulary::from_tiktoken(bytes, &[])
    } else if is_tekken(bytes) {
        Vocabulary::from_tekken_json(bytes)
    } else {
        Vocabulary::from_tokenizer_json(bytes)
    };
    read.map_err(|error| error.to_string())
}

/// Returns whether a file is in the Tekken format: it has a list under `vocab`, and Hugging Face's files have `model`.
fn is_tekken(json: &[u8]) -> bool {
    let parsed: Result<Value, _> = serde_json::from_slice(json);
    parsed.is_ok_and(|value| value.get("vocab").is_some_and(Value::is_array) && value.get("model").is_none())
}

/// The token of the end of the sequence in [`bytes_and`]: the first id behind the bytes; the named tokens follow.
pub(crate) const END: u32 = 256;

/// Makes a vocabulary of single bytes and the tokens that a format names, for samples and tests: its masks are cheap.
pub(crate) fn bytes_and(names: &[String]) -> Result<Arc<MaskStore>, Problem> {
    let tokens: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let end = if names.iter().any(|name| name == "</s>") { "<end of sequence>" } else { "</s>" };
    let named = names.iter().map(String::as_str).zip(END + 1..);
    let specials: Vec<(&str, u32)> = std::iter::once((end, END)).chain(named).collect();
    let vocabulary = Vocabulary::from_tokens(&tokens, &specials)
        .map_err(|error| Problem::Vocabulary { path: "bytes".into(), message: error.to_string() })?;
    Ok(MaskStore::new(Arc::new(vocabulary)))
}
