//! Findings about source texts, and failures outside of them.

use ogc_grammar::Severity;
use serde::Serialize;

use super::{PartCost, Place};

/// A finding about a source text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Finding {
    /// The file of the text; `<stdin>` is standard input.
    pub(crate) file: String,
    /// The severity.
    pub(crate) severity: Gravity,
    /// The diagnostic code, which is stable; `ogc explain CODE` explains it.
    pub(crate) code: String,
    /// The message, in one sentence.
    pub(crate) message: String,
    /// The place that it is about.
    pub(crate) span: Place,
    /// Related places that explain it.
    pub(crate) labels: Vec<Label>,
    /// A suggested remedy.
    pub(crate) help: Option<String>,
    /// The correction, if it is unambiguous.
    pub(crate) fix: Option<Correction>,
    /// The cost of the part that it is about, if it was measured.
    pub(crate) cost: Option<PartCost>,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Gravity {
    /// Nothing can be built from the text.
    Error,
    /// Probably a mistake.
    Warning,
    /// Further information.
    Note,
}

/// A related place of a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Label {
    /// The place.
    pub(crate) span: Place,
    /// Its relation to the finding.
    pub(crate) message: String,
}

/// A correction of a source text. Its edits belong together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Correction {
    /// A description of the correction.
    pub(crate) label: String,
    /// The replacements.
    pub(crate) edits: Vec<Edit>,
}

/// A replacement of a part of a source text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edit {
    /// The replaced part.
    pub(crate) span: Place,
    /// The new text.
    pub(crate) text: String,
}

/// A failure outside of source texts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Failure {
    /// The diagnostic code, which is stable.
    pub(crate) code: String,
    /// The file that it is about.
    pub(crate) file: Option<String>,
    /// The message, in one sentence.
    pub(crate) message: String,
    /// A suggested remedy.
    pub(crate) help: Option<String>,
}

impl From<Severity> for Gravity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}
