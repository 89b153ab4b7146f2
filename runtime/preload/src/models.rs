//! Caches the vocabularies of models, with their rows of masks, and formats.
//!
//! A model is identified by its tokens, which are hashed at each request, and not by its address, at which another model may be loaded
//! later.

use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use libloading::os::unix::Library;
use ogc_capi::{
    llama_sampler, llama_vocab, ogc_canonical, ogc_canonical_free, ogc_format, ogc_format_compile, ogc_format_free,
    ogc_language, ogc_last_error, ogc_llama_canonical, ogc_llama_sampler, ogc_llama_vocabulary, ogc_options,
    ogc_source, ogc_status, ogc_vocabulary, ogc_vocabulary_free,
};

/// Maximum number of models in the cache.
const MODELS: usize = 4;

/// Maximum number of cached formats of a model. Beyond it, the whole model is evicted, with the rows of masks of all its formats.
const FORMATS: usize = 128;

/// Hash of a model's tokens.
type Key = [u8; 32];

/// A vocabulary, and the formats that were used with it.
pub(crate) struct Model {
    key: Key,
    vocabulary: Vocabulary,
    /// The canonical tokens, with the vocabulary of llama.cpp that they use.
    canonical: Option<(*const llama_vocab, Canonical)>,
    /// The formats, each with its grammar.
    formats: Vec<(String, Format)>,
}

// SAFETY: the pointer is only compared.
unsafe impl Send for Model {}

/// Canonical tokens of the C interface.
struct Canonical(*mut ogc_canonical);

impl Drop for Canonical {
    fn drop(&mut self) {
        // SAFETY: they are not used again.
        unsafe { ogc_canonical_free(self.0) };
    }
}

/// A vocabulary of the C interface.
struct Vocabulary(*mut ogc_vocabulary);

// SAFETY: the interface lets all threads use a vocabulary.
unsafe impl Send for Vocabulary {}

impl Drop for Vocabulary {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        unsafe { ogc_vocabulary_free(self.0) };
    }
}

/// A format of the C interface.
pub(crate) struct Format(*mut ogc_format);

// SAFETY: the interface lets all threads use a format.
unsafe impl Send for Format {}

impl Drop for Format {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        unsafe { ogc_format_free(self.0) };
    }
}

/// The most recently used models, latest last.
pub(crate) static KEPT: Mutex<Vec<Model>> = Mutex::new(Vec::new());

/// Makes a sampler of a grammar.
///
/// # Safety
///
/// `vocab` is a vocabulary of the libllama whose functions are visible in the process.
pub(crate) unsafe fn sampler(vocab: *const llama_vocab, grammar: &str) -> Result<*mut llama_sampler, String> {
    // SAFETY: the caller upholds this function's conditions.
    let key = unsafe { key(vocab) }?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept.iter().position(|model| model.key == key);
    let known = known.map(|at| kept.remove(at)).filter(|model| model.formats.len() < FORMATS);
    let mut model = match known {
        Some(model) => model,
        // SAFETY: the caller upholds this function's conditions.
        None => Model { key, vocabulary: unsafe { vocabulary(vocab) }?, canonical: None, formats: Vec::new() },
    };
    // SAFETY: the caller upholds this function's conditions.
    let made = unsafe { model.sampler(vocab, grammar) };
    kept.push(model);
    let most = kept.len().saturating_sub(MODELS);
    kept.drain(..most);
    made
}

impl Model {
    /// # Safety
    ///
    /// As [`sampler`].
    unsafe fn sampler(&mut self, vocab: *const llama_vocab, grammar: &str) -> Result<*mut llama_sampler, String> {
        let known = self.formats.iter().position(|(known, _)| known == grammar);
        let format = match known {
            Some(at) => self.formats.remove(at).1,
            None => compile(grammar)?,
        };
        // SAFETY: the caller upholds this function's conditions.
        let canonical = unsafe { self.canonical(vocab) };
        let options = ogc_options {
            struct_size: size_of::<ogc_options>(),
            max_tokens: 0,
            rollback_window: 0,
            stop_tokens: ptr::null(),
            stop_tokens_len: 0,
            canonical,
        };
        let mut sampler = ptr::null_mut();
        // SAFETY: all pointers are valid, and a sampler needs neither object afterwards.
        let status = unsafe { ogc_llama_sampler(format.0, self.vocabulary.0, &raw const options, &raw mut sampler) };
        self.formats.push((grammar.to_owned(), format));
        done(status).map(|()| sampler)
    }
}

impl Model {
    /// Returns the canonical tokens for this vocabulary; null if any tokens are allowed, or if there are none.
    ///
    /// # Safety
    ///
    /// As [`sampler`].
    unsafe fn canonical(&mut self, vocab: *const llama_vocab) -> *const ogc_canonical {
        match std::env::var("OGC_TOKENS").as_deref() {
            Err(std::env::VarError::NotPresent) | Ok("canonical") => {}
            Ok("any") => return ptr::null(),
            _ => crate::say("OGC_TOKENS is neither `canonical` nor `any`: constants are written in canonical tokens"),
        }
        // Another address means another vocabulary with the same tokens; the previous one may be gone.
        if self.canonical.as_ref().is_none_or(|(asked, _)| *asked != vocab) {
            let mut made = ptr::null_mut();
            // SAFETY: the caller upholds this function's conditions; samplers of a model are not used after the model is gone.
            let made = done(unsafe { ogc_llama_canonical(vocab, self.vocabulary.0, &raw mut made) }).map(|()| made);
            match made {
                Ok(made) => self.canonical = Some((vocab, Canonical(made))),
                Err(message) => {
                    crate::say(&format!("constants are written in any tokens: {message}"));
                    return ptr::null();
                }
            }
        }
        self.canonical.as_ref().map_or(ptr::null(), |(_, canonical)| canonical.0.cast_const())
    }
}

/// # Safety
///
/// As [`sampler`].
unsafe fn vocabulary(vocab: *const llama_vocab) -> Result<Vocabulary, String> {
    let mut made = ptr::null_mut();
    // SAFETY: the caller upholds this function's conditions.
    done(unsafe { ogc_llama_vocabulary(vocab, &raw mut made) }).map(|()| Vocabulary(made))
}

pub(crate) fn compile(grammar: &str) -> Result<Format, String> {
    let name = "grammar";
    let source = ogc_source {
        struct_size: size_of::<ogc_source>(),
        language: ogc_language::GBNF as u32,
        text: grammar.as_ptr(),
        text_len: grammar.len(),
        name: name.as_ptr(),
        name_len: name.len(),
        definition: ptr::null(),
        definition_len: 0,
        space: 0,
        order: 0,
        escapes: 0,
        numbers: 0,
        formats: 0,
        objects: 0,
        words: 0,
        annotate: ptr::null(),
        annotate_len: 0,
        resources: ptr::null(),
        resources_len: 0,
        vocabulary: ptr::null(),
    };
    let mut made = ptr::null_mut();
    // SAFETY: the texts are alive.
    done(unsafe { ogc_format_compile(&raw const source, &raw mut made) }).map(|()| Format(made))
}

/// Turns a status into the message of the thread's last error.
fn done(status: ogc_status) -> Result<(), String> {
    if status == ogc_status::OK {
        return Ok(());
    }
    // SAFETY: the pointer is a string until the next call.
    Err(unsafe { CStr::from_ptr(ogc_last_error()) }.to_string_lossy().into_owned())
}

/// Hashes all data from which a vocabulary is read.
///
/// # Safety
///
/// As [`sampler`].
unsafe fn key(vocab: *const llama_vocab) -> Result<Key, String> {
    type Count = unsafe extern "C" fn(*const llama_vocab) -> i32;
    type OfToken = unsafe extern "C" fn(*const llama_vocab, i32) -> i32;
    type Text = unsafe extern "C" fn(*const llama_vocab, i32) -> *const c_char;
    type Is = unsafe extern "C" fn(*const llama_vocab, i32) -> bool;
    // SAFETY: the types are those in the declarations of llama.h.
    let (count, kind, attributes, text, is_end) = unsafe {
        (
            find::<Count>(b"llama_vocab_n_tokens\0")?,
            find::<Count>(b"llama_vocab_type\0")?,
            find::<OfToken>(b"llama_vocab_get_attr\0")?,
            find::<Text>(b"llama_vocab_get_text\0")?,
            find::<Is>(b"llama_vocab_is_eog\0")?,
        )
    };
    let mut hasher = blake3::Hasher::new();
    // SAFETY: the caller upholds this function's conditions; ids are in range, and texts end with a zero byte and live as long as the
    // vocabulary.
    unsafe {
        let count = count(vocab);
        hasher.update(&count.to_le_bytes());
        hasher.update(&kind(vocab).to_le_bytes());
        for id in 0..count {
            hasher.update(&attributes(vocab, id).to_le_bytes());
            hasher.update(&[u8::from(is_end(vocab, id))]);
            let text = text(vocab, id);
            if !text.is_null() {
                hasher.update(CStr::from_ptr(text).to_bytes_with_nul());
            }
        }
    }
    Ok(*hasher.finalize().as_bytes())
}

/// Finds a function of the process.
///
/// # Safety
///
/// `F` is the type of the function.
unsafe fn find<F: Copy>(name: &[u8]) -> Result<F, String> {
    // SAFETY: the caller upholds this function's conditions; libllama stays loaded while its objects are used.
    let found = unsafe { Library::this().get::<F>(name) };
    found.map(|function| *function).map_err(|error| error.to_string())
}
