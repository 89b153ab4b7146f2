//! What was found in source texts, and failures outside of them.

use ogc_grammar::Severity;
use serde::Serialize;

use super::{PartCost, Place};

/// Something found in a source text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Finding {
    /// The file that the text is from; `<stdin>` is standard input.
    pub(crate) file: String,
    /// How grave it is.
    pub(crate) severity: Gravity,
    /// The stable name of this kind of finding; `ogc explain CODE` says more.
    pub(crate) code: String,
    /// One sentence.
    pub(crate) message: String,
    /// The place it is about.
    pub(crate) span: Place,
    /// Other places that explain it.
    pub(crate) labels: Vec<Label>,
    /// The way out.
    pub(crate) help: Option<String>,
    /// The correction, if only one can be meant.
    pub(crate) fix: Option<Correction>,
    /// What the part costs that it is about, if that was measured.
    pub(crate) cost: Option<PartCost>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Gravity {
    /// Nothing can be built.
    Error,
    /// Probably not what is meant.
    Warning,
    /// Further information.
    Note,
}

/// Another place of a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Label {
    /// The place.
    pub(crate) span: Place,
    /// What it has to do with the finding.
    pub(crate) message: String,
}

/// A correction of a source text: all of its edits together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Correction {
    /// What it does.
    pub(crate) label: String,
    /// What it replaces.
    pub(crate) edits: Vec<Edit>,
}

/// A replacement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edit {
    /// What is replaced.
    pub(crate) span: Place,
    /// The new text.
    pub(crate) text: String,
}

/// A failure outside of source texts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Failure {
    /// The stable name of this kind of failure.
    pub(crate) code: String,
    /// The file that it is about.
    pub(crate) file: Option<String>,
    /// One sentence.
    pub(crate) message: String,
    /// The way out.
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
