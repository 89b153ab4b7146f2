//! Reads the vocabulary, and encodes texts in their canonical tokens.

use ogc_runtime::trie::{TokenTrie, greedy_tokens};
use ogc_runtime::vocabulary::Vocabulary;
use std::path::Path;
use std::sync::Arc;
use tokenizers::Tokenizer;

/// A tokenizer file, read for both engines.
pub(crate) struct Tokens {
    /// The vocabulary.
    pub(crate) vocabulary: Arc<Vocabulary>,
    /// The canonical tokeniser.
    pub(crate) canonical: Arc<Tokenizer>,
    trie: TokenTrie,
}

impl Tokens {
    /// Reads a `tokenizer.json`; the vocabulary has the name of its folder.
    pub(crate) fn read(path: &Path) -> Result<Tokens, String> {
        let json = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let vocabulary = Vocabulary::from_tokenizer_json(&json).map_err(|error| error.to_string())?;
        let vocabulary = vocabulary.with_name(&folder.to_string_lossy());
        let canonical = Tokenizer::from_bytes(&json).map_err(|error| error.to_string())?;
        let trie = TokenTrie::new(&vocabulary);
        Ok(Tokens { vocabulary: Arc::new(vocabulary), canonical: Arc::new(canonical), trie })
    }

    /// Encodes a text in its canonical tokens, or by longest matches if the canonical tokens do not write exactly the
    /// text.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding = self.canonical.encode_fast(text, false).map_err(|error| error.to_string())?;
        let ids = encoding.get_ids();
        if self.writes(ids, text.as_bytes()) {
            return Ok(ids.to_vec());
        }
        let tokens = greedy_tokens(&self.trie, text.as_bytes()).ok_or("no tokens write the text")?;
        Ok(tokens.into_iter().map(|token| token.0).collect())
    }

    fn writes(&self, ids: &[u32], text: &[u8]) -> bool {
        let mut rest = Some(text);
        for &id in ids {
            let token = self.vocabulary.text(ogc_runtime::vocabulary::TokenId(id));
            rest = rest.zip(token).and_then(|(rest, token)| rest.strip_prefix(token));
        }
        rest.is_some_and(<[u8]>::is_empty)
    }

    /// Returns the text of tokens, for people.
    pub(crate) fn show(&self, ids: &[u32]) -> String {
        let texts = ids.iter().filter_map(|&id| self.vocabulary.text(ogc_runtime::vocabulary::TokenId(id)));
        String::from_utf8_lossy(&texts.collect::<Vec<_>>().concat()).into_owned()
    }
}
