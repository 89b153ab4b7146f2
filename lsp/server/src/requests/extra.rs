//! The requests beyond the protocol, as `lsp/REQUESTS.md` describes them. Every request has a file with its parameters
//! and its result.

pub(crate) mod add_test;
pub(crate) mod attempt;
pub(crate) mod convert;
pub(crate) mod costs;
pub(crate) mod diagram;
pub(crate) mod difference;
pub(crate) mod export;
pub(crate) mod formats;
pub(crate) mod mask;
pub(crate) mod sample;
pub(crate) mod tests;

use always_assert::never;
use ogc_ide::requests::{self, RequestError};
use ogc_ide::{FileSpan, Format, SourceFile};
use serde::Deserialize;
use tower_lsp_server::ls_types::{Location, TextDocumentIdentifier, Uri};

use crate::failure::Failure;
use crate::view::View;

/// The names of all requests.
pub(crate) const REQUESTS: &[&str] = &[
    "ogc/formats",
    "ogc/definitionAt",
    "ogc/sample",
    "ogc/match",
    "ogc/mask",
    "ogc/token",
    "ogc/diagram",
    "ogc/difference",
    "ogc/costs",
    "ogc/convert",
    "ogc/tests",
    "ogc/testResults",
    "ogc/acceptTest",
    "ogc/addTest",
    "ogc/export",
];

/// A file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
}

/// A format: a file, and optionally a definition.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FormatParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
    /// The definition; if absent, the only output.
    pub(crate) definition: Option<String>,
}

impl FormatParams {
    /// Returns the format.
    pub(crate) fn decide(&self, view: &View) -> Result<Format, Failure> {
        let file = file(view, &self.text_document.uri)?;
        Ok(requests::decide(&view.snapshot, file, self.definition.as_deref())?)
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Failure::Refused(error.to_string())
    }
}

/// Returns the file of a document that must be a format.
pub(crate) fn file(view: &View, uri: &Uri) -> Result<SourceFile, Failure> {
    let unknown = || Failure::Refused(format!("`{}` is no format that the server knows; open it first", uri.as_str()));
    view.file(uri).ok_or_else(unknown)
}

/// Converts a place, if there is one, to the protocol's form.
fn location(view: &View, place: Option<FileSpan>) -> Option<Location> {
    place.and_then(|place| view.to_location(place))
}

/// Counts the UTF-16 units of a text's first `bytes` bytes.
fn units(text: &str, bytes: usize) -> usize {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let Some(before) = end.and_then(|end| text.get(..end)) else {
        never!("no character of the text begins at 0");
        return 0;
    };
    before.encode_utf16().count()
}

#[cfg(test)]
mod checks {
    use super::units;

    #[test]
    fn offsets_count_utf16_units() {
        assert_eq!([0, 1, 5, 6, 99].map(|bytes| units("a😀b", bytes)), [0, 1, 3, 4, 4]);
        assert_eq!(units("a😀b", 3), 1, "in a character");
    }
}
