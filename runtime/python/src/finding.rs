//! Findings about source texts.

use ogc_embed::{Refused, Source};
use ogc_grammar::Severity;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::exception;

/// Something found in a source text.
#[pyclass(frozen, module = "ogc", name = "Finding")]
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    finding: ogc_embed::Finding,
    text: String,
}

impl Finding {
    /// Makes the findings of a source, with the text of each as the command line shows it.
    pub(crate) fn all(source: &Source<'_>, found: Vec<ogc_embed::Finding>) -> Vec<Self> {
        let text_of = |file: &str| {
            let import = source.imports.iter().find(|import| import.name == file);
            import.map_or(source.text, |import| import.text)
        };
        let shown = |finding: ogc_embed::Finding| {
            let text = ogc_cli::rendered(&finding.file, text_of(&finding.file), &finding.diagnostic);
            Self { finding, text }
        };
        found.into_iter().map(shown).collect()
    }
}

#[pymethods]
impl Finding {
    /// The kind of finding, such as ``unknown-name``; ``ogc explain CODE`` has more of it.
    #[getter]
    fn code(&self) -> &str {
        self.finding.diagnostic.code.name()
    }

    /// ``error``, ``warning`` or ``note``.
    #[getter]
    fn severity(&self) -> &str {
        match self.finding.diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }

    /// One sentence without a full stop.
    #[getter]
    fn message(&self) -> &str {
        &self.finding.diagnostic.message
    }

    /// The way out, where there is one.
    #[getter]
    fn help(&self) -> Option<&str> {
        self.finding.diagnostic.help.as_deref()
    }

    /// The name of the source.
    #[getter]
    fn file(&self) -> &str {
        &self.finding.file
    }

    /// The line of the first character, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.finding.place.line
    }

    /// The column of the first character, in characters from 1.
    #[getter]
    fn column(&self) -> u32 {
        self.finding.place.column
    }

    /// The first byte of the place in the source, and the byte behind its last.
    #[getter]
    fn span(&self) -> (u32, u32) {
        (self.finding.place.start, self.finding.place.end)
    }

    /// The finding as the command line shows it.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __str__(&self) -> String {
        self.finding.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Finding {} at {}:{}>", self.code(), self.file(), self.finding.place)
    }
}

/// Makes the exception of a source that is not compiled.
pub(crate) fn refusal(py: Python<'_>, source: &Source<'_>, refused: Refused) -> PyErr {
    match refused {
        Refused::Findings(found) => {
            let found = Finding::all(source, found);
            let text: String = found.iter().map(|finding| finding.text.as_str()).collect();
            exception(py, "FormatError", (text, found))
        }
        Refused::Definition { .. } | Refused::Import { .. } => {
            exception(py, "FormatError", (refused.to_string(), Vec::<Finding>::new()))
        }
        Refused::Defect { .. } | Refused::Thread(_) => PyRuntimeError::new_err(refused.to_string()),
    }
}
