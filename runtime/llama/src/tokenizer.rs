//! The tokenizer of a model in libllama.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::c_void;
use std::sync::Arc;

use ogc_generate::TextTokenizer;
use ogc_runtime::vocabulary::TokenId;

use crate::functions::Functions;

/// A model in the memory of libllama, freed with the last reference.
#[derive(Debug)]
pub(crate) struct ModelHandle {
    pub(crate) functions: Functions,
    pub(crate) model: *mut c_void,
}

// SAFETY: a model does not change after it was loaded, and may be read by several threads.
unsafe impl Send for ModelHandle {}
// SAFETY: as above.
unsafe impl Sync for ModelHandle {}

impl Drop for ModelHandle {
    fn drop(&mut self) {
        // SAFETY: the model was loaded, and nothing uses it any more.
        unsafe { (self.functions.llama_model_free)(self.model) }
    }
}

impl ModelHandle {
    /// Returns the model's vocabulary.
    pub(crate) fn vocabulary(&self) -> *const c_void {
        // SAFETY: the model is alive, and its vocabulary with it.
        unsafe { (self.functions.llama_model_get_vocab)(self.model) }
    }
}

/// Tokenises texts as llama.cpp does for the model.
///
/// ```
/// # use ogc_llama::LlamaModel;
/// use ogc_generate::TextTokenizer;
/// fn count(model: &LlamaModel, text: &str) -> Result<usize, String> {
///     Ok(model.tokenizer().tokens(text, false)?.len())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct LlamaTokenizer(pub(crate) Arc<ModelHandle>);

impl TextTokenizer for LlamaTokenizer {
    fn tokens(&self, text: &str, names: bool) -> Result<Vec<TokenId>, String> {
        let len = i32::try_from(text.len()).map_err(|_| format!("a text of {} bytes is too long", text.len()))?;
        let vocabulary = self.0.vocabulary();
        let tokenize = |tokens: &mut [i32]| {
            // SAFETY: the vocabulary is alive, and the buffers have the lengths that are passed.
            unsafe {
                let (text, room) = (text.as_ptr().cast(), tokens.len() as i32);
                (self.0.functions.llama_tokenize)(vocabulary, text, len, tokens.as_mut_ptr(), room, false, names)
            }
        };
        // Most tokens have at least one byte of the text. If a tokenizer adds more tokens than fit, it returns their number.
        let mut tokens = vec![0; text.len() + 8];
        let mut count = tokenize(&mut tokens);
        if count < 0 && count > i32::MIN {
            tokens = vec![0; count.unsigned_abs() as usize];
            count = tokenize(&mut tokens);
        }
        let count = usize::try_from(count).map_err(|_| "libllama makes no tokens of the text".to_owned())?;
        let found = tokens.get(..count).ok_or("libllama makes more tokens of the text than it has room for")?;
        found.iter().map(|&token| u32::try_from(token).map(TokenId).map_err(|_| format!("token {token}"))).collect()
    }
}
