//! Places in files, and edits of files, as features take and return them.

use ogc_compiler::db::SourceFile;
use ogc_grammar::Span;
use ogc_grammar::span::part;

/// A byte offset in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file.
    pub file: SourceFile,
    /// The offset, at most the length of the text.
    pub offset: u32,
}

/// A span in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileSpan {
    /// The file.
    pub file: SourceFile,
    /// The part.
    pub span: Span,
}

impl FileSpan {
    /// Makes the place of a span in a file.
    #[must_use]
    pub fn new(file: SourceFile, span: Span) -> Self {
        Self { file, span }
    }
}

impl From<(SourceFile, Span)> for FileSpan {
    fn from((file, span): (SourceFile, Span)) -> Self {
        Self { file, span }
    }
}

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// The replaced span; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl TextEdit {
    /// Replaces a part of a text.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Inserts text at a byte.
    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { span: Span::empty(at), text: text.into() }
    }
}

/// The edits of one file. Invariant: they do not overlap, and are ordered by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// The file.
    pub file: SourceFile,
    /// Edits of the file.
    pub edits: Vec<TextEdit>,
}

/// Returns the text with edits applied; edits that overlap an earlier one or lie outside the text are skipped.
#[must_use]
pub fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if let Some(between) = text.get(at..start).filter(|_| text.get(start..end).is_some()) {
            out.push_str(between);
            out.push_str(&edit.text);
            at = end;
        }
    }
    out.push_str(part(text, at..));
    out
}
