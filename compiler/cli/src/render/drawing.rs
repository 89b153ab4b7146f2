//! Draws a report over excerpts of sources, with ariadne.
//!
//! ariadne 0.6 has limits that this module works around, so that every header names the place of a label and every
//! label is drawn once:
//!
//! - With [`IndexType::Byte`] it mistakes a count of characters for a count of bytes in the header of every source but
//!   the first: the place is wrong, or a panic happens inside a character. So spans are counted in characters here.
//! - Labels that are not in the order of their lines split their source into several groups, and each group repeats the
//!   header of the first. So labels are sorted by source and by their last line.
//! - An empty label at the start of a line also belongs to the line before, and the empty last line of a text is no
//!   line. So labels are at least one character long, and an invisible space follows the text.
//! - Two sources with the same name would be merged. So sources are identified by their index.

use std::fmt;
use std::ops::Range;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, sources};

use crate::source::Text;
use crate::visible::{stood_in, visible, visible_line};

/// The content of a report, and the places that it points at.
#[derive(Debug)]
pub(crate) struct Drawing<'t> {
    pub(crate) kind: ReportKind<'static>,
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) notes: Vec<String>,
    /// The sources, in the order in which they are shown.
    pub(crate) sources: Vec<Text<'t>>,
    /// The labels. The first label is the place in its source's header.
    pub(crate) labels: Vec<SourceLabel>,
}

/// A label on bytes of a source. Invariant: the range lies on character boundaries.
#[derive(Clone, Debug)]
pub(crate) struct SourceLabel {
    /// The index of the source.
    pub(crate) source: usize,
    pub(crate) range: Range<usize>,
    pub(crate) colour: Color,
    pub(crate) message: String,
}

/// The identity of a source for ariadne: its index and its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SourceId {
    index: usize,
    name: String,
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A label in the form that ariadne takes.
struct PlacedLabel<'l> {
    label: &'l SourceLabel,
    /// Range in characters from the start of the source. Invariant: not empty.
    characters: Range<usize>,
    /// Line on which the label's message is drawn.
    last_line: usize,
}

impl Drawing<'_> {
    /// Draws the report, with colours only if they are enabled.
    pub(crate) fn draw(&self, colours: bool) -> String {
        let mut labels: Vec<_> = self.labels.iter().map(|label| self.placed(label)).collect();
        let Some(first) = labels.first() else { return format!("{}\n", visible(&self.message)) };
        let mut report = Report::build(self.kind, self.span(first))
            .with_config(Config::default().with_index_type(IndexType::Char).with_color(colours))
            .with_message(visible(&self.message));
        labels.sort_by_key(|placed| (placed.label.source, placed.last_line, placed.characters.start));
        report = report.with_labels(labels.iter().map(|placed| {
            Label::new(self.span(placed)).with_color(placed.label.colour).with_message(visible(&placed.label.message))
        }));
        if let Some(code) = &self.code {
            report = report.with_code(code);
        }
        if let Some(help) = &self.help {
            report = report.with_help(visible(help));
        }
        for note in &self.notes {
            report = report.with_note(visible(note));
        }
        self.write(&report.finish())
    }

    fn placed<'l>(&self, label: &'l SourceLabel) -> PlacedLabel<'l> {
        let text = self.sources[label.source].text;
        let start = before_line_break(text, label.range.start);
        let count = |range: Range<usize>| text[range].chars().count();
        let first = count(0..start);
        let characters = first..first + count(start..label.range.end).max(1);
        let last = text[..label.range.end].char_indices().next_back().map_or(0, |(at, _)| at).max(start);
        PlacedLabel { label, characters, last_line: text[..last].matches('\n').count() }
    }

    fn span(&self, placed: &PlacedLabel<'_>) -> (SourceId, Range<usize>) {
        (self.id(placed.label.source), placed.characters.clone())
    }

    fn id(&self, index: usize) -> SourceId {
        SourceId { index, name: visible_line(self.sources[index].name).into_owned() }
    }

    fn write(&self, report: &Report<'_, (SourceId, Range<usize>)>) -> String {
        let texts = self.sources.iter().enumerate();
        let texts = texts.map(|(index, source)| (self.id(index), format!("{} ", stood_in(source.text))));
        let mut bytes = Vec::new();
        match report.write(sources(texts), &mut bytes) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => format!("error: the report cannot be shown: {error}\n"),
        }
    }
}

/// Moves a place inside a two-character line break to before it, where [`ogc_grammar::LineIndex`] sees it too.
fn before_line_break(text: &str, at: usize) -> usize {
    let inside = text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if inside { at - 1 } else { at }
}

#[cfg(test)]
mod tests;
