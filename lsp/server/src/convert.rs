//! Converts places and edits to the protocol's form and back: no other module converts lines and columns.

use ogc_ide::{FilePosition, FileSpan, LineEnds, LineIndex, SourceFile, Span};
use tower_lsp_server::ls_types::{Location, Position, Range, TextDocumentPositionParams, TextEdit};

use crate::view::View;

impl View {
    /// Converts an offset to the protocol's form.
    pub(crate) fn to_position(&self, file: SourceFile, offset: u32) -> Position {
        self.position_in(self.snapshot.lines(file), offset)
    }

    fn position_in(&self, lines: &LineIndex, offset: u32) -> Position {
        let place = lines.position(offset, self.client.unit);
        Position::new(place.line, place.column)
    }

    /// Returns the protocol's form of a span.
    pub(crate) fn to_range(&self, file: SourceFile, span: Span) -> Range {
        self.range_in(self.snapshot.lines(file), span)
    }

    /// Returns the protocol's form of a span of a text with these lines.
    pub(crate) fn range_in(&self, lines: &LineIndex, span: Span) -> Range {
        Range::new(self.position_in(lines, span.start), self.position_in(lines, span.end))
    }

    /// Converts a place in a file to the protocol's form; `None` for a file that no editor can open.
    pub(crate) fn to_location(&self, place: FileSpan) -> Option<Location> {
        Some(Location::new(self.uri(place.file)?, self.to_range(place.file, place.span)))
    }

    /// Converts a position to an offset.
    pub(crate) fn offset(&self, file: SourceFile, position: Position) -> u32 {
        self.offset_in(self.snapshot.lines(file), position)
    }

    /// Converts a position to an offset, in a text with these lines.
    pub(crate) fn offset_in(&self, lines: &LineIndex, position: Position) -> u32 {
        let place = ogc_ide::Position { line: position.line, column: position.character };
        lines.offset(place, self.client.unit)
    }

    /// Converts a position to a place in a file.
    pub(crate) fn at(&self, file: SourceFile, position: Position) -> FilePosition {
        self.snapshot.position(file, self.offset(file, position))
    }

    /// Returns the place that a request is about, if its document is a format.
    pub(crate) fn asked_at(&self, params: &TextDocumentPositionParams) -> Option<FilePosition> {
        let file = self.file(&params.text_document.uri)?;
        Some(self.at(file, params.position))
    }

    /// Converts a range to a span.
    pub(crate) fn span(&self, file: SourceFile, range: Range) -> Span {
        Span::new(self.offset(file, range.start), self.offset(file, range.end))
    }

    /// Converts edits of a file to the protocol's form. New lines get the file's line ends.
    pub(crate) fn to_edits(&self, file: SourceFile, edits: &[ogc_ide::TextEdit]) -> Vec<TextEdit> {
        let line_ends = LineEnds::of(self.snapshot.text(file));
        let edit = |edit: &ogc_ide::TextEdit| {
            TextEdit::new(self.to_range(file, edit.span), line_ends.written(&edit.text).into_owned())
        };
        edits.iter().map(edit).collect()
    }
}
