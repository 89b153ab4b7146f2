//! The methods of [`Format`]. They are in a file of their own, because they use matchers, which in turn use formats.

use std::path::PathBuf;
use std::sync::Arc;

use ogc_compiler::db::Resources;
use ogc_runtime::artifact::{Artifact, write};
use ogc_runtime::mask::{MaskPack, PackLimits};
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
    /// Compiles a text. `source` has the name that findings use and the text; `imports` has the names and texts that it may import; see `Given`.
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

    /// The warnings of the compiler: a list of :class:`Finding`.
    #[getter]
    fn warnings(&self) -> Vec<Finding> {
        self.warnings.clone()
    }

    #[getter]
    fn _reader(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.reader.as_ref().map(|reader| reader.clone_ref(py))
    }

    /// The policy of the format for tokens, ``tokens``; ``None`` if it has none.
    #[getter]
    fn tokens(&self) -> Option<String> {
        self.artifact.format().automaton.token_policy.map(|policy| policy.to_string())
    }

    /// The fewest tokens that a text of the format takes with a vocabulary, if known; ``None`` if no text is known.
    fn least_tokens(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<Option<u32>> {
        let mut matcher = self.engine(vocabulary)?;
        Ok(py.detach(|| matcher.least_budget()))
    }

    /// Computes the masks of the first steps, so that no step waits for them. All matchers of the format and the vocabulary share them.
    fn warm_up(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<()> {
        let mut matcher = self.engine(vocabulary)?;
        py.detach(|| matcher.warm_up());
        Ok(())
    }

    /// The format with all its masks for a vocabulary, as devices and artifacts need them; ``ogc build --vocab`` makes the same.
    ///
    /// It takes up to some seconds, on ``threads`` threads (as many as the machine has, if 0). Matchers of the result compute no mask.
    ///
    /// :raises ValueError: the masks of the format exceed a limit; the message names the limit.
    #[pyo3(signature = (vocabulary, *, threads = 0))]
    fn with_masks(&self, py: Python<'_>, vocabulary: &Vocabulary, threads: usize) -> PyResult<Self> {
        let mut limits = PackLimits::default();
        if threads > 0 {
            limits.threads = limits.threads.min(threads);
        }
        let automaton = &self.artifact.format().automaton;
        let masks = py.detach(|| MaskPack::build(automaton, &vocabulary.store, &limits, |_, _| {}));
        let masks = Arc::new(masks.map_err(|error| value(&error))?);
        let artifact = self.artifact.with_masks(masks).map_err(|error| value(&error))?;
        let reader = self.reader.as_ref().map(|reader| reader.clone_ref(py));
        Ok(Self { artifact, origin: self.origin.clone(), warnings: self.warnings.clone(), reader })
    }

    /// A matcher at the beginning of a text.
    ///
    /// With ``max_tokens`` every text is complete after at most that many tokens, not counting end tokens; :class:`BudgetError` if that is
    /// impossible. ``stop_tokens`` end texts instead of the vocabulary's end tokens. ``rollback_window`` is the number of tokens that can always be
    /// taken back; by default all can. With ``tokens="canonical"``, keys, punctuation and other constants are written only with the tokens of the
    /// vocabulary's tokenizer: texts then take fewer tokens, and more of them are forced. To read texts that others wrote, take ``"any"``. ``None``
    /// takes the format's policy (:attr:`tokens`); without one, it takes canonical tokens if the vocabulary has a tokenizer.
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
