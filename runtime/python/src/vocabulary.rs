//! Vocabularies.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{Gguf, TokenId, TokenKind, VocabularyBuilder, VocabularyError};
use ogc_workbench::vocabulary::{Encoder, default_vocabulary, parse};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::error::value;

/// The tokens of a model, and the masks that its formats share.
///
/// A vocabulary pickles as the bytes of its tokenizer file, if it has one, or as its tokens. Copying returns the vocabulary itself.
#[pyclass(frozen, module = "ogc", name = "Vocabulary")]
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) store: Arc<MaskStore>,
    /// The tokenizer, if one was read.
    encoder: Option<Arc<Encoder>>,
    /// Cache of the tokenizer's canonical tokens, made when a matcher first needs it.
    canonical: OnceLock<Arc<CanonicalTokens>>,
    origin: Origin,
}

/// Form in which a vocabulary is pickled.
#[derive(Debug)]
enum Origin {
    /// The built-in vocabulary; its name suffices.
    BuiltIn,
    /// The bytes of its tokenizer file, which also says how texts are encoded.
    File(Py<PyBytes>),
    /// All of its tokens.
    Tokens,
}

impl Vocabulary {
    /// Makes a vocabulary, with the end tokens and the length that the caller gives, if any.
    fn new(
        mut vocabulary: ogc_runtime::vocabulary::Vocabulary,
        (encoder, origin): (Option<Encoder>, Origin),
        end_tokens: Option<Vec<u32>>,
        size: Option<usize>,
    ) -> PyResult<Self> {
        if let Some(ends) = end_tokens {
            let ends: Vec<TokenId> = ends.into_iter().map(TokenId).collect();
            vocabulary = vocabulary.with_eos(&ends).map_err(|error| value(&error))?;
        }
        if let Some(size) = size {
            vocabulary = vocabulary.with_padded_len(size).map_err(|error| value(&error))?;
        }
        let (encoder, store) = (encoder.map(Arc::new), MaskStore::new(Arc::new(vocabulary)));
        Ok(Self { store, encoder, canonical: OnceLock::new(), origin })
    }

    /// Returns the canonical tokens of its tokenizer.
    pub(crate) fn canonical_tokens(&self) -> PyResult<Arc<CanonicalTokens>> {
        let encoder = self.encoder.as_ref().ok_or_else(|| {
            value(&"this vocabulary was made without a tokenizer, so that its canonical tokens are not known: give `tokens=\"any\"`")
        })?;
        let tokens = self.canonical.get_or_init(|| {
            let (encoder, store) = (Arc::clone(encoder), Arc::clone(&self.store));
            let encode =
                move |text: &[u8]| std::str::from_utf8(text).ok().and_then(|text| encoder.encode_on(&store, text));
            Arc::new(CanonicalTokens::new(Arc::clone(&self.store), move |text| encode(text).unwrap_or_default()))
        });
        Ok(Arc::clone(tokens))
    }

    /// Returns the tokens of text that continues another text; no tokens if the tokenizer cannot write it.
    pub(crate) fn tokens_behind(&self, text: &str) -> PyResult<Vec<u32>> {
        let Some(encoder) = &self.encoder else {
            return Err(value(&"this vocabulary was made without a tokenizer: give `encode`"));
        };
        Ok(encoder.encode_on(&self.store, text).unwrap_or_default().iter().map(|token| token.0).collect())
    }

    /// Returns the tokens of a text; `None` if its tokenizer cannot write it.
    pub(crate) fn tokens_of(&self, py: Python<'_>, text: &str) -> PyResult<Option<Vec<u32>>> {
        let Some(encoder) = &self.encoder else {
            return Err(value(&"this vocabulary was made without a tokenizer: give `encode`"));
        };
        Ok(py.detach(|| encoder.encode(&self.store, text)).map(|tokens| tokens.iter().map(|token| token.0).collect()))
    }
}

#[pymethods]
impl Vocabulary {
    #[staticmethod]
    #[pyo3(signature = (data, end_tokens = None, size = None))]
    fn _parse(py: Python<'_>, data: Py<PyBytes>, end_tokens: Option<Vec<u32>>, size: Option<usize>) -> PyResult<Self> {
        let bytes = data.as_bytes(py);
        let (vocabulary, encoder) = py.detach(|| (parse(bytes), Encoder::parse(bytes).ok()));
        let vocabulary = vocabulary.map_err(|error| value(&error))?;
        py.detach(|| Self::new(vocabulary, (encoder, Origin::File(data)), end_tokens, size))
    }

    #[staticmethod]
    #[pyo3(signature = (path, *, end_tokens = None, size = None))]
    fn _gguf(py: Python<'_>, path: PathBuf, end_tokens: Option<Vec<u32>>, size: Option<usize>) -> PyResult<Self> {
        let failed = |error: std::io::Error| PyOSError::new_err(format!("{}: {error}", path.display()));
        py.detach(|| {
            let file = File::open(&path).map_err(failed)?;
            let len = file.metadata().map_err(failed)?.len();
            let gguf = Gguf::read(BufReader::new(file), len).map_err(|error| value(&error))?;
            let vocabulary = ogc_runtime::vocabulary::Vocabulary::from_gguf(&gguf).map_err(|error| value(&error))?;
            Self::new(vocabulary, (None, Origin::Tokens), end_tokens, size)
        })
    }

    #[staticmethod]
    fn _built_in(py: Python<'_>) -> PyResult<Self> {
        py.detach(|| {
            let vocabulary = default_vocabulary().map_err(|error| value(&error))?;
            Self::new(vocabulary, (Encoder::built_in().ok(), Origin::BuiltIn), None, None)
        })
    }

    /// Makes a vocabulary from texts by id, special tokens, the names of both, the end tokens, and whether a detokeniser drops a leading space.
    #[staticmethod]
    #[pyo3(signature = (texts, special, names, end_tokens = None, size = None, strips = false))]
    fn _tokens(
        py: Python<'_>,
        texts: BTreeMap<u64, Vec<u8>>,
        special: Vec<u64>,
        names: BTreeMap<u64, String>,
        end_tokens: Option<Vec<u32>>,
        size: Option<usize>,
        strips: bool,
    ) -> PyResult<Self> {
        py.detach(|| {
            let built = build(&texts, &special, &names, strips).map_err(|error| value(&error))?;
            Self::new(built, (None, Origin::Tokens), end_tokens, size)
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let vocabulary = self.store.vocabulary();
        let (ends, size) = (self.end_tokens(), vocabulary.padded_len());
        let (made_by, arguments) = match &self.origin {
            Origin::BuiltIn => ("_built_in", PyTuple::empty(py)),
            Origin::File(data) => ("_parse", (data, ends, size).into_pyobject(py)?),
            Origin::Tokens => {
                let (texts, special, names) = parts(vocabulary);
                ("_tokens", (texts, special, names, ends, size, vocabulary.strips_leading_space()).into_pyobject(py)?)
            }
        };
        Ok((py.get_type::<Self>().getattr(made_by)?, arguments))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> usize {
        self.store.vocabulary().len()
    }

    /// The tokens that end a text.
    #[getter]
    fn end_tokens(&self) -> Vec<u32> {
        self.store.vocabulary().eos().iter().map(|token| token.0).collect()
    }

    /// The size of the masks that are kept for its formats, in bytes.
    #[getter]
    fn mask_bytes(&self) -> usize {
        self.store.stats().bytes
    }

    /// Limits the memory of the masks that are kept for its formats, in bytes; the default is 256 MiB. Beyond the limit, the least recently used
    /// masks are evicted and computed again when needed: masks stay the same.
    fn limit_masks(&self, py: Python<'_>, bytes: usize) {
        py.detach(|| self.store.set_limit(bytes));
    }

    /// The bytes of a token's text; ``None`` for special tokens and ids without a token.
    fn token_bytes<'py>(&self, py: Python<'py>, token: u32) -> Option<Bound<'py, PyBytes>> {
        self.store.vocabulary().text(TokenId(token)).map(|text| PyBytes::new(py, text))
    }

    /// The name of a special or added token; ``None`` for all others.
    fn token_name(&self, token: u32) -> Option<String> {
        self.store.vocabulary().name_of(TokenId(token)).map(str::to_owned)
    }

    /// The tokens of a text by the tokenizer that the vocabulary was read from; ``None`` if it cannot write the text.
    ///
    /// :raises ValueError: the vocabulary was made without a tokenizer.
    fn encode(&self, py: Python<'_>, text: &str) -> PyResult<Option<Vec<u32>>> {
        self.tokens_of(py, text)
    }

    /// Whether texts can be encoded, because a tokenizer was read with the vocabulary.
    #[getter]
    pub(crate) fn has_tokenizer(&self) -> bool {
        self.encoder.is_some()
    }

    fn __repr__(&self) -> String {
        let vocabulary = self.store.vocabulary();
        let ends: Vec<String> = vocabulary.eos().iter().map(|token| token.0.to_string()).collect();
        format!("<Vocabulary of {} tokens, end tokens {}>", vocabulary.len(), ends.join(", "))
    }
}

/// Builds a vocabulary from its parts.
fn build(
    texts: &BTreeMap<u64, Vec<u8>>,
    special: &[u64],
    names: &BTreeMap<u64, String>,
    strips: bool,
) -> Result<ogc_runtime::vocabulary::Vocabulary, VocabularyError> {
    let mut builder = VocabularyBuilder::new();
    for (&id, text) in texts {
        match names.get(&id) {
            Some(name) => builder.named_text(id, name, text)?,
            None => builder.text(id, text)?,
        }
    }
    for &id in special {
        match names.get(&id) {
            Some(name) => builder.special(id, name)?,
            None => builder.unnamed_special(id)?,
        }
    }
    builder.strips_leading_space(strips);
    builder.build()
}

/// The texts of tokens by id, the special tokens, and the names of both.
type Parts = (BTreeMap<u32, Vec<u8>>, Vec<u32>, BTreeMap<u32, String>);

/// Returns the parts of a vocabulary, for [`build`].
fn parts(vocabulary: &ogc_runtime::vocabulary::Vocabulary) -> Parts {
    let texts = vocabulary.texts().map(|(token, text)| (token.0, text.to_vec())).collect();
    let ids = (0..vocabulary.len() as u32).filter(|&id| vocabulary.kind(TokenId(id)) == TokenKind::Special);
    let names = vocabulary.named_tokens().map(|(token, name)| (token.0, name.to_owned())).collect();
    (texts, ids.collect(), names)
}
