//! Vocabularies, with the rows of masks that formats of a vocabulary share.

use std::ffi::c_void;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};

use crate::pointers::{give, optional_slice, shared, slice, take, unique};
use crate::status::{Failure, call, ogc_status};

/// A vocabulary and its cached masks.
#[derive(Debug)]
pub struct ogc_vocabulary {
    pub(crate) store: Arc<MaskStore>,
    /// The tokens that end texts, if they differ from the vocabulary's.
    pub(crate) ends: Option<Box<[TokenId]>>,
}

impl ogc_vocabulary {
    fn new(vocabulary: Vocabulary) -> Self {
        Self { store: MaskStore::new(Arc::new(vocabulary)), ends: None }
    }

    /// Makes a vocabulary whose texts end with the tokens `ends`, which ascend.
    pub(crate) fn with_ends(vocabulary: Vocabulary, ends: Vec<TokenId>) -> Self {
        let ends = (ends != vocabulary.eos()).then(|| ends.into());
        Self { ends, ..Self::new(vocabulary) }
    }
}

/// The kind of a token.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_token_kind {
    /// No token has this id.
    NONE = 0,
    /// A token of text, which may have a name too.
    TEXT = 1,
    /// A special token, which has a name and no text.
    SPECIAL = 2,
}

/// A token as a vocabulary source gives it. Its bytes are copied before the source is called again.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_token {
    /// An `ogc_token_kind`.
    pub kind: u32,
    /// The bytes of its text; unused for special tokens.
    pub text: *const u8,
    /// The length of the text in bytes.
    pub text_len: usize,
    /// Its name in UTF-8, such as `<|im_end|>`; null for tokens of text without a name.
    pub name: *const u8,
    /// The length of the name in bytes.
    pub name_len: usize,
}

/// The tokens of a model.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_vocabulary_source {
    /// `sizeof(ogc_vocabulary_source)`.
    pub struct_size: usize,
    /// The number of ids, which begin at 0: at most the length of the model's logits.
    pub tokens: u32,
    /// Writes the token of an id to `token`, whose kind is `OGC_TOKEN_KIND_NONE` before.
    pub token: Option<extern "C" fn(user: *mut c_void, id: u32, token: *mut ogc_token)>,
    /// The first argument of `token`.
    pub user: *mut c_void,
    /// The special tokens that end a sequence; null to guess them by well-known names.
    pub end_tokens: *const u32,
    /// The number of these tokens; 0 for null.
    pub end_tokens_len: usize,
}

/// Reads a vocabulary from the bytes of a Hugging Face `tokenizer.json`.
///
/// # Safety
///
/// `json` points to `len` bytes, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_from_tokenizer_json(
    json: *const u8,
    len: usize,
    out: *mut *mut ogc_vocabulary,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (json, out) = unsafe { (slice(json, len, "json")?, unique(out, "out")?) };
        let vocabulary = Vocabulary::from_tokenizer_json(json).map_err(|error| Failure::data(&error))?;
        give(ogc_vocabulary::new(vocabulary), out);
        Ok(())
    })
}

/// Makes a vocabulary from a function that gives its tokens one by one.
///
/// # Safety
///
/// `source` points to a source whose function writes valid pointers, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_from_tokens(
    source: *const ogc_vocabulary_source,
    out: *mut *mut ogc_vocabulary,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (source, out) = unsafe { (shared(source, "source")?, unique(out, "out")?) };
        // SAFETY: as this function's.
        let vocabulary = unsafe { read(source) }?;
        give(ogc_vocabulary::new(vocabulary), out);
        Ok(())
    })
}

/// Reads all tokens of a source.
///
/// # Safety
///
/// The source's function writes valid pointers, and `end_tokens` is valid.
unsafe fn read(source: &ogc_vocabulary_source) -> Result<Vocabulary, Failure> {
    if source.struct_size < size_of::<ogc_vocabulary_source>() {
        return Err(Failure::argument("source.struct_size is less than sizeof(ogc_vocabulary_source)"));
    }
    let token = source.token.ok_or_else(|| Failure::argument("source.token is null"))?;
    let mut builder = VocabularyBuilder::new();
    for id in 0..source.tokens {
        let none = std::ptr::null();
        let mut given =
            ogc_token { kind: ogc_token_kind::NONE as u32, text: none, text_len: 0, name: none, name_len: 0 };
        token(source.user, id, &raw mut given);
        // SAFETY: the function wrote valid pointers.
        let (text, name) = unsafe {
            (slice(given.text, given.text_len, "token.text")?, slice(given.name, given.name_len, "token.name")?)
        };
        let name =
            std::str::from_utf8(name).map_err(|error| Failure::data(&format!("the name of token {id}: {error}")))?;
        const TEXT: u32 = ogc_token_kind::TEXT as u32;
        const SPECIAL: u32 = ogc_token_kind::SPECIAL as u32;
        const NONE: u32 = ogc_token_kind::NONE as u32;
        let defined = match given.kind {
            NONE => Ok(()),
            TEXT if name.is_empty() => builder.text(id.into(), text),
            TEXT => builder.named_text(id.into(), name, text),
            SPECIAL => builder.special(id.into(), name),
            other => return Err(Failure::argument(&format!("token {id} is of the kind {other}, which there is not"))),
        };
        defined.map_err(|error| Failure::data(&error))?;
    }
    let vocabulary = builder.build().map_err(|error| Failure::data(&error))?;
    // SAFETY: as this function's.
    let ends = unsafe { optional_slice(source.end_tokens, source.end_tokens_len, "source.end_tokens") }?;
    let Some(ends) = ends else { return Ok(vocabulary) };
    let ends: Vec<TokenId> = ends.iter().copied().map(TokenId).collect();
    vocabulary.with_eos(&ends).map_err(|error| Failure::data(&error))
}

/// Bounds the memory of the cached masks of a vocabulary to `bytes`; the default is 256 MiB. Beyond the bound the least recently used masks are
/// dropped, and computed again when they are needed: masks stay the same.
///
/// # Safety
///
/// `vocabulary` points to a vocabulary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_limit_masks(vocabulary: *const ogc_vocabulary, bytes: usize) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        unsafe { shared(vocabulary, "vocabulary") }?.store.set_limit(bytes);
        Ok(())
    })
}

/// Returns the size in bytes of the cached masks of a vocabulary; 0 for null.
///
/// # Safety
///
/// `vocabulary` is null or a vocabulary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_mask_bytes(vocabulary: *const ogc_vocabulary) -> usize {
    // SAFETY: as this function's.
    unsafe { vocabulary.as_ref() }.map_or(0, |vocabulary| vocabulary.store.stats().bytes)
}

/// Returns the number of ids, including ids without a token; 0 for null.
///
/// # Safety
///
/// `vocabulary` is null or a vocabulary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_len(vocabulary: *const ogc_vocabulary) -> usize {
    // SAFETY: as this function's.
    unsafe { vocabulary.as_ref() }.map_or(0, |vocabulary| vocabulary.store.vocabulary().len())
}

/// Frees a vocabulary.
///
/// # Safety
///
/// `vocabulary` is null, or a vocabulary that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_vocabulary_free(vocabulary: *mut ogc_vocabulary) {
    // SAFETY: as this function's.
    unsafe { take(vocabulary) };
}
