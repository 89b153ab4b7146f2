//! Findings about source texts.

use ogc_embed::{Refused, Source};
use ogc_grammar::Severity;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::exception;

/// Something found in a source text.
#[pyclass(frozen, eq, hash, module = "ogc", name = "Finding")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    /// The kind of finding, such as ``unknown-name``; ``ogc explain CODE`` describes it.
    #[pyo3(get)]
    code: String,
    /// ``error``, ``warning`` or ``note``.
    #[pyo3(get)]
    severity: String,
    /// One sentence without a full stop.
    #[pyo3(get)]
    message: String,
    /// A suggested fix, if there is one.
    #[pyo3(get)]
    help: Option<String>,
    /// The name of the source.
    #[pyo3(get)]
    file: String,
    /// The line of the first character, from 1.
    #[pyo3(get)]
    line: u32,
    /// The column of the first character, in characters from 1.
    #[pyo3(get)]
    column: u32,
    /// The first byte of the finding in the source, and the byte behind the last.
    #[pyo3(get)]
    span: (u32, u32),
    /// The finding as the command line shows it.
    #[pyo3(get)]
    text: String,
    /// The finding in one line; other places and the help each in a line of their own.
    summary: String,
}

/// The fields of a finding in a pickle: the message, the place, and the rendered texts.
type Fields = ((String, String, String, Option<String>), (String, u32, u32, (u32, u32)), (String, String));

impl Finding {
    fn new(finding: &ogc_embed::Finding, text: String) -> Self {
        let (diagnostic, place) = (&finding.diagnostic, finding.place);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        Self {
            code: diagnostic.code.name().to_owned(),
            severity: severity.to_owned(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            file: finding.file.clone(),
            line: place.line,
            column: place.column,
            span: (place.start, place.end),
            text,
            summary: finding.to_string(),
        }
    }

    /// Makes the findings of a source, each with its text as the command line shows it.
    pub(crate) fn all(source: &Source<'_>, found: &[ogc_embed::Finding]) -> Vec<Self> {
        let text_of = |file: &str| {
            let import = source.imports.iter().find(|import| import.name == file);
            import.map_or(source.text, |import| import.text)
        };
        let shown = |finding: &ogc_embed::Finding| {
            Self::new(finding, ogc_cli::rendered(&finding.file, text_of(&finding.file), &finding.diagnostic))
        };
        found.iter().map(shown).collect()
    }
}

#[pymethods]
impl Finding {
    #[staticmethod]
    fn _of(fields: Fields) -> Self {
        let ((code, severity, message, help), (file, line, column, span), (text, summary)) = fields;
        Self { code, severity, message, help, file, line, column, span, text, summary }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Fields,))> {
        let Self { code, severity, message, help, file, line, column, span, text, summary } = self.clone();
        let fields = ((code, severity, message, help), (file, line, column, span), (text, summary));
        Ok((py.get_type::<Self>().getattr("_of")?, (fields,)))
    }

    fn __str__(&self) -> &str {
        &self.summary
    }

    fn __repr__(&self) -> String {
        format!("<Finding {} at {}:{}:{}>", self.code, self.file, self.line, self.column)
    }
}

/// Makes the exception for a source that does not compile.
pub(crate) fn refusal(py: Python<'_>, source: &Source<'_>, refused: Refused) -> PyErr {
    match refused {
        Refused::Findings(found) => {
            let found = Finding::all(source, &found);
            let text: String = found.iter().map(|finding| finding.text.as_str()).collect();
            exception(py, "FormatError", (text, found))
        }
        Refused::Definition { .. } | Refused::Import { .. } => {
            exception(py, "FormatError", (refused.to_string(), Vec::<Finding>::new()))
        }
        Refused::Defect { .. } | Refused::Thread(_) => PyRuntimeError::new_err(refused.to_string()),
    }
}
