//! Requests about an open `ogc.toml`, which is not a file of the database.

use ogc_ide::completion::CompletionList;
use ogc_ide::hover::Hover;
use ogc_ide::{Diagnostic, LineIndex, Span, settings_file};
use tower_lsp_server::ls_types::{Position, Range, Uri};

use crate::view::View;

/// An open `ogc.toml`.
pub(crate) struct SettingsText {
    text: std::sync::Arc<str>,
    lines: LineIndex,
}

impl SettingsText {
    /// Returns the document with this URI, if it is an `ogc.toml`.
    pub(crate) fn of(view: &View, uri: &Uri) -> Option<Self> {
        let text = view.settings_file(uri)?;
        let lines = LineIndex::new(&text);
        Some(Self { text, lines })
    }

    /// Returns the protocol's form of a span.
    pub(crate) fn to_range(&self, view: &View, span: Span) -> Range {
        view.range_in(&self.lines, span)
    }

    /// Returns the findings.
    pub(crate) fn findings(&self) -> Vec<Diagnostic> {
        settings_file::diagnostics(&self.text)
    }

    /// Returns the completions at a position.
    pub(crate) fn completion(&self, view: &View, position: Position) -> CompletionList {
        settings_file::completion(&self.text, view.offset_in(&self.lines, position))
    }

    /// Returns the documentation of the thing at a position.
    pub(crate) fn hover(&self, view: &View, position: Position) -> Option<Hover> {
        settings_file::hover(&self.text, view.offset_in(&self.lines, position))
    }
}
