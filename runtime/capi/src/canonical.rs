//! Canonical tokens: a matcher that uses only the tokens of the caller's tokenizer for text that its format determines.

use std::ffi::c_void;
use std::sync::Arc;

use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::vocabulary::TokenId;

use crate::pointers::{give, shared, take, unique};
use crate::status::{call, ogc_status};
use crate::tokenizer::{EncodeText, ogc_tokenizer};
use crate::vocabulary::ogc_vocabulary;

/// The canonical tokens of a tokenizer, shared by all matchers of a vocabulary; results are cached.
#[derive(Debug)]
pub struct ogc_canonical {
    pub(crate) tokens: Arc<CanonicalTokens>,
}

/// A tokenizer that is called from any thread.
struct SharedTokenizer {
    encode: EncodeText,
    user: *mut c_void,
}

// SAFETY: `ogc_canonical_new` asks for a tokenizer that may be called from any thread, several at a time.
unsafe impl Send for SharedTokenizer {}
// SAFETY: as above.
unsafe impl Sync for SharedTokenizer {}

impl SharedTokenizer {
    /// Tokenises a text; returns no tokens if the tokenizer reports more tokens than the text has bytes.
    fn tokens(&self, text: &[u8]) -> Vec<TokenId> {
        let mut found = vec![0; text.len()];
        let count = (self.encode)(self.user, text.as_ptr(), text.len(), found.as_mut_ptr(), found.len());
        let count = if count > found.len() { 0 } else { count };
        found.into_iter().take(count).map(TokenId).collect()
    }
}

/// Makes the canonical tokens of a vocabulary. The tokenizer is called from every thread that uses a matcher with them, also from several at
/// a time, until they and all these matchers are freed.
///
/// # Safety
///
/// `vocabulary` is a vocabulary, `tokenizer` points to a tokenizer that may be called in this way, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_canonical_new(
    vocabulary: *const ogc_vocabulary,
    tokenizer: *const ogc_tokenizer,
    out: *mut *mut ogc_canonical,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (vocabulary, tokenizer) = unsafe { (shared(vocabulary, "vocabulary")?, shared(tokenizer, "tokenizer")?) };
        // SAFETY: as this function's.
        let out = unsafe { unique(out, "out") }?;
        let shared = SharedTokenizer { encode: tokenizer.checked()?, user: tokenizer.user };
        let tokens = CanonicalTokens::new(Arc::clone(&vocabulary.store), move |text| shared.tokens(text));
        give(ogc_canonical { tokens: Arc::new(tokens) }, out);
        Ok(())
    })
}

/// Frees canonical tokens; matchers that use them keep what they need. Does nothing for null.
///
/// # Safety
///
/// `canonical` is null, or from `ogc_canonical_new`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_canonical_free(canonical: *mut ogc_canonical) {
    // SAFETY: as this function's.
    unsafe { take(canonical) };
}
