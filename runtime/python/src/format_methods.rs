//! The methods of [`Format`]. They stand above matchers, which a format makes and which keep it.

use std::path::PathBuf;
use std::sync::Arc;

use ogc_compiler::db::Resources;
use ogc_runtime::artifact::{Artifact, write};
use ogc_workbench::settings::Policy;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::error::value;
use crate::finding::Finding;
use crate::format::{Format, Given};
use crate::matcher::Matcher;
use crate::vocabulary::Vocabulary;

#[pymethods]
impl Format {
    /// Compiles a text with the name that findings call it, and the names and texts that it may import; see `Given`.
    #[staticmethod]
    #[pyo3(signature = (source, given, imports = Vec::new(), reader = None))]
    fn _compile(
        py: Python<'_>,
        source: (String, String),
        given: Given,
        imports: Vec<(String, String)>,
        reader: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self { reader, ..Self::compiled(py, &source, &imports, &given, Policy::default(), Resources::default())? })
    }

    /// Compiles a file with all that it imports.
    #[staticmethod]
    fn _compile_file(py: Python<'_>, path: PathBuf, given: Given) -> PyResult<Self> {
        let file = py.detach(|| ogc_cli::format_file(&path)).map_err(PyOSError::new_err)?;
        Self::compiled(py, &file.source, &file.imports, &given, file.policy, file.resources)
    }

    /// Loads an artifact that ``ogc build --self-contained`` has written.
    #[staticmethod]
    #[pyo3(signature = (bytes, name, warnings = Vec::new(), reader = None))]
    fn _load(
        py: Python<'_>,
        bytes: Vec<u8>,
        name: String,
        warnings: Vec<Py<Finding>>,
        reader: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let artifact = py.detach(|| Artifact::load(bytes)).map_err(|error| value(&format!("{name}: {error}")))?;
        let warnings = warnings.iter().map(|warning| warning.get().clone()).collect();
        Ok(Self { artifact, origin: name, warnings, reader })
    }

    /// Loads the artifact of a file.
    #[staticmethod]
    fn _load_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        #[allow(clippy::disallowed_methods, reason = "the caller names a file")]
        let bytes = py.detach(|| std::fs::read(&path));
        let bytes = bytes.map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
        Self::_load(py, bytes, path.display().to_string(), Vec::new(), None)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let bytes = py.detach(|| write(self.artifact.format(), self.artifact.masks().map(Arc::as_ref)));
        let arguments = (PyBytes::new(py, &bytes), &self.origin, self.warnings(), &self.reader);
        Ok((py.get_type::<Self>().getattr("_load")?, arguments.into_pyobject(py)?))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// What is probably not meant so: a list of :class:`Finding`.
    #[getter]
    fn warnings(&self) -> Vec<Finding> {
        self.warnings.clone()
    }

    #[getter]
    fn _reader(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.reader.as_ref().map(|reader| reader.clone_ref(py))
    }

    /// Which tokens write its texts, by its policy ``tokens``; ``None`` if it does not say.
    #[getter]
    fn tokens(&self) -> Option<String> {
        self.artifact.format().automaton.token_policy.map(|policy| policy.to_string())
    }

    /// The fewest tokens that a text of the format takes with a vocabulary, as far as it is known; ``None`` if no text is.
    fn least_tokens(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<Option<u32>> {
        let mut matcher = self.engine(vocabulary)?;
        Ok(py.detach(|| matcher.least_budget()))
    }

    /// Makes the masks of the first steps, so that no step waits for them. Matchers of the format and the vocabulary share them.
    fn warm_up(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<()> {
        let mut matcher = self.engine(vocabulary)?;
        py.detach(|| matcher.warm_up());
        Ok(())
    }

    /// A matcher at the beginning of a text.
    ///
    /// With ``max_tokens`` every text is whole after at most so many tokens, end tokens not counted; :class:`BudgetError` if none is. ``stop_tokens``
    /// end texts instead of the vocabulary's end tokens. ``rollback_window`` is how many tokens can be taken back at least, all if it is not given.
    /// With ``tokens="canonical"`` keys, punctuation and other constants are written with the tokens of the vocabulary's tokenizer alone: texts
    /// take fewer tokens, more of which are forced. Whoever reads the texts of others takes ``"any"``. ``None`` takes what the format says
    /// (:attr:`tokens`); where that says nothing, canonical tokens if the vocabulary knows its tokenizer.
    #[pyo3(signature = (vocabulary, *, max_tokens = None, stop_tokens = None, rollback_window = None, tokens = Some("any")))]
    fn matcher(
        slf: Py<Self>,
        py: Python<'_>,
        vocabulary: Py<Vocabulary>,
        max_tokens: Option<u32>,
        stop_tokens: Option<Vec<u32>>,
        rollback_window: Option<usize>,
        tokens: Option<&str>,
    ) -> PyResult<Matcher> {
        let policy = match tokens {
            Some(name) => crate::matcher::policy(name)?,
            None => slf.get().written_with(vocabulary.get()),
        };
        Matcher::new(py, slf, vocabulary, max_tokens, stop_tokens, rollback_window, policy)
    }

    fn __repr__(&self) -> String {
        format!("<Format {} ({} states)>", self.origin, self.artifact.format().automaton.states.len())
    }
}
