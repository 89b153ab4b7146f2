//! Formats.

use std::path::PathBuf;
use std::sync::Arc;

use ogc_compiler::db::Language;
use ogc_embed::{NamedText, Source, compile};
use ogc_runtime::artifact::{Artifact, write};
use ogc_workbench::settings::Policy;
use ogc_workbench::settings::table::{Choice, ESCAPES, FORMATS, NUMBERS, ORDERS, SPACES, chosen};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::error::value;
use crate::finding::{Finding, refusal};
use crate::matcher::Matcher;
use crate::vocabulary::Vocabulary;

/// A compiled format.
///
/// A format pickles as an artifact, with its warnings and the type that it was made of: loading one compiles nothing. Copies are the format itself.
#[pyclass(frozen, module = "ogc", name = "Format")]
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) artifact: Artifact,
    /// What it was made of, for `repr`.
    origin: String,
    warnings: Vec<Finding>,
    /// Reader of its texts into objects, if it was made of a type.
    reader: Option<Py<PyAny>>,
}

/// Options of `ogc.Format` beside the text: language, definition and policies.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Given {
    /// The extension of files in its language.
    language: String,
    definition: Option<String>,
    space: Option<String>,
    order: Option<String>,
    escapes: Option<String>,
    numbers: Option<String>,
    formats: Option<String>,
}

impl Given {
    /// Reads the policies that are named; languages that are not about JSON have none.
    fn policy(&self, language: Language) -> PyResult<Policy> {
        let policy = Policy {
            space: choice(&SPACES, "space", self.space.as_deref())?,
            order: choice(&ORDERS, "order", self.order.as_deref())?,
            escapes: choice(&ESCAPES, "escapes", self.escapes.as_deref())?,
            numbers: choice(&NUMBERS, "numbers", self.numbers.as_deref())?,
            formats: choice(&FORMATS, "formats", self.formats.as_deref())?,
        };
        if policy != Policy::default() && language != Language::JsonSchema {
            let name = language.name();
            return Err(value(&format!(
                "space, order, escapes, numbers and formats are for JSON Schema; this is {name}"
            )));
        }
        Ok(policy)
    }
}

/// Returns the choice of a name.
fn choice<T: Copy>(choices: &[Choice<T>], key: &str, name: Option<&str>) -> PyResult<Option<T>> {
    let Some(name) = name else { return Ok(None) };
    match chosen(choices, name) {
        Some(choice) => Ok(Some(choice)),
        None => {
            let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            Err(value(&format!("{key} is {name:?}; it can be {}", names.join(", "))))
        }
    }
}

/// Returns the language of a name of ours.
fn language(name: &str) -> PyResult<Language> {
    Language::of_name(&format!("format.{name}")).map_err(|error| value(&error))
}

impl Format {
    /// Compiles a text, which may import others; `below` has the policies that are not given.
    fn compiled(
        py: Python<'_>,
        (name, text): &(String, String),
        imports: &[(String, String)],
        given: &Given,
        below: Policy,
    ) -> PyResult<Self> {
        let language = language(&given.language)?;
        let policy = given.policy(language)?.over(below);
        let imports = imports.iter().map(|(name, text)| NamedText { name, text }).collect();
        let definition = given.definition.as_deref();
        let (policy, formats) = (policy.json(), policy.formats());
        let source = Source { name, text, language, definition, policy, formats, imports };
        let compiled = py.detach(|| compile(&source)).map_err(|refused| refusal(py, &source, refused))?;
        let origin = definition.map_or_else(|| name.clone(), |definition| format!("{definition} of {name}"));
        let warnings = Finding::all(&source, &compiled.findings);
        Ok(Self { artifact: compiled.artifact, origin, warnings, reader: None })
    }
}

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
        Ok(Self { reader, ..Self::compiled(py, &source, &imports, &given, Policy::default())? })
    }

    /// Compiles a file with all that it imports.
    #[staticmethod]
    fn _compile_file(py: Python<'_>, path: PathBuf, given: Given) -> PyResult<Self> {
        let file = py.detach(|| ogc_cli::format_file(&path)).map_err(PyOSError::new_err)?;
        Self::compiled(py, &file.source, &file.imports, &given, file.policy)
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

    /// The fewest tokens that a text of the format takes with a vocabulary, as far as it is known; ``None`` if no text is.
    fn least_tokens(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<Option<u32>> {
        let mut matcher = vocabulary.matcher(self)?;
        Ok(py.detach(|| matcher.least_budget()))
    }

    /// Makes the masks of the first steps, so that no step waits for them. Matchers of the format and the vocabulary share them.
    fn warm_up(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<()> {
        let mut matcher = vocabulary.matcher(self)?;
        py.detach(|| matcher.warm_up());
        Ok(())
    }

    /// A matcher at the beginning of a text.
    ///
    /// With ``max_tokens`` every text is whole after at most so many tokens, end tokens not counted; :class:`BudgetError` if none is. ``stop_tokens``
    /// end texts instead of the vocabulary's end tokens. ``rollback_window`` is how many tokens can be taken back at least, all if it is not given.
    #[pyo3(signature = (vocabulary, *, max_tokens = None, stop_tokens = None, rollback_window = None))]
    fn matcher(
        slf: Py<Self>,
        py: Python<'_>,
        vocabulary: Py<Vocabulary>,
        max_tokens: Option<u32>,
        stop_tokens: Option<Vec<u32>>,
        rollback_window: Option<usize>,
    ) -> PyResult<Matcher> {
        Matcher::new(py, slf, vocabulary, max_tokens, stop_tokens, rollback_window)
    }

    fn __repr__(&self) -> String {
        format!("<Format {} ({} states)>", self.origin, self.artifact.format().automaton.states.len())
    }
}
