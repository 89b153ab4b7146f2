//! Vocabularies.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{Gguf, TokenId, VocabularyBuilder};
use ogc_workbench::vocabulary::{Encoder, default_vocabulary, parse};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::value;
use crate::format::Format;

/// The tokens of a model, and the masks that formats share.
#[pyclass(frozen, module = "ogc", name = "Vocabulary")]
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) store: Arc<MaskStore>,
    /// The tokenizer, if one was read.
    pub(crate) encoder: Option<Encoder>,
}

impl Vocabulary {
    /// Makes one with the end tokens and the length that the caller knows better.
    fn new(
        mut vocabulary: ogc_runtime::vocabulary::Vocabulary,
        encoder: Option<Encoder>,
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
        Ok(Self { store: MaskStore::new(Arc::new(vocabulary)), encoder })
    }

    /// Returns the tokens of a text; `None` if its tokenizer cannot write it.
    pub(crate) fn tokens_of(&self, py: Python<'_>, text: &str) -> PyResult<Option<Vec<u32>>> {
        let Some(encoder) = &self.encoder else {
            return Err(value(&"this vocabulary was made without a tokenizer: give `encode`"));
        };
        Ok(py.detach(|| encoder.encode(&self.store, text)).map(|tokens| tokens.iter().map(|token| token.0).collect()))
    }

    /// Makes a matcher at the beginning of a format.
    pub(crate) fn matcher(&self, format: &Format) -> PyResult<Matcher> {
        format.artifact.matcher(Arc::clone(&self.store)).map_err(|error| value(&error))
    }
}

#[pymethods]
impl Vocabulary {
    #[staticmethod]
    #[pyo3(signature = (data, *, end_tokens = None, size = None))]
    fn _parse(py: Python<'_>, data: &[u8], end_tokens: Option<Vec<u32>>, size: Option<usize>) -> PyResult<Self> {
        py.detach(|| {
            let vocabulary = parse(data).map_err(|error| value(&error))?;
            Self::new(vocabulary, Encoder::parse(data).ok(), end_tokens, size)
        })
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
            Self::new(vocabulary, None, end_tokens, size)
        })
    }

    #[staticmethod]
    fn _built_in(py: Python<'_>) -> PyResult<Self> {
        py.detach(|| {
            let vocabulary = default_vocabulary().map_err(|error| value(&error))?;
            Self::new(vocabulary, Encoder::built_in().ok(), None, None)
        })
    }

    /// Makes a vocabulary of texts by id, special tokens by name, and the end tokens.
    #[staticmethod]
    #[pyo3(signature = (texts, special, *, end_tokens = None, size = None))]
    fn _tokens(
        py: Python<'_>,
        texts: BTreeMap<u64, Vec<u8>>,
        special: BTreeMap<String, u64>,
        end_tokens: Option<Vec<u32>>,
        size: Option<usize>,
    ) -> PyResult<Self> {
        py.detach(|| {
            let mut builder = VocabularyBuilder::new();
            for (id, text) in &texts {
                builder.text(*id, text).map_err(|error| value(&error))?;
            }
            for (name, id) in &special {
                builder.special(*id, name).map_err(|error| value(&error))?;
            }
            Self::new(builder.build().map_err(|error| value(&error))?, None, end_tokens, size)
        })
    }

    fn __len__(&self) -> usize {
        self.store.vocabulary().len()
    }

    /// The tokens that end a text.
    #[getter]
    fn end_tokens(&self) -> Vec<u32> {
        self.store.vocabulary().eos().iter().map(|token| token.0).collect()
    }

    /// The bytes of a token's text; ``None`` for special tokens and ids without a token.
    fn token_bytes<'py>(&self, py: Python<'py>, token: u32) -> Option<Bound<'py, PyBytes>> {
        self.store.vocabulary().text(TokenId(token)).map(|text| PyBytes::new(py, text))
    }

    /// The name of a special or added token; ``None`` for others.
    fn token_name(&self, token: u32) -> Option<String> {
        self.store.vocabulary().name_of(TokenId(token)).map(str::to_owned)
    }

    /// The tokens of a text by the tokenizer that the vocabulary was read from; ``None`` if it cannot write the text.
    ///
    /// :raises ValueError: the vocabulary was made without a tokenizer.
    fn encode(&self, py: Python<'_>, text: &str) -> PyResult<Option<Vec<u32>>> {
        self.tokens_of(py, text)
    }

    fn __repr__(&self) -> String {
        let vocabulary = self.store.vocabulary();
        let ends: Vec<String> = vocabulary.eos().iter().map(|token| token.0.to_string()).collect();
        format!("<Vocabulary of {} tokens, end tokens {}>", vocabulary.len(), ends.join(", "))
    }
}
