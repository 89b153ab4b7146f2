//! Renders diagnostics for people (with ariadne) and for machines (as JSON).

use std::ops::Range;

use ariadne::{Color, ReportKind};
use ogc_grammar::{Diagnostic, Fix, LineIndex, Position, Severity, Span, outline};

use crate::message::{self, Correction, Edit, Finding, Label as Marked, Message, PartCost};
use crate::source::Text;
use crate::visible::{visible, visible_line};

pub(crate) mod drawing;

use drawing::{Drawing, SourceLabel};

/// Length in bytes from which a line is shown only in part, in a plain form.
pub(crate) const LONG_LINE: usize = 400;

/// Renders a diagnostic for machines.
pub(crate) fn message(source: Text<'_>, diagnostic: &Diagnostic) -> Message {
    let lines = LineIndex::new(source.text);
    let label = |(span, text): &(Span, String)| Marked { span: place(&lines, *span), message: text.clone() };
    Message::Diagnostic(Finding {
        file: source.name.to_owned(),
        severity: diagnostic.severity.into(),
        code: diagnostic.code.name().to_owned(),
        message: diagnostic.message.clone(),
        span: place(&lines, diagnostic.span),
        labels: diagnostic.labels.iter().map(label).collect(),
        help: diagnostic.help.clone(),
        fix: diagnostic.fix.as_ref().map(|fix| correction(&lines, fix)),
        cost: diagnostic.cost.as_ref().map(PartCost::from),
    })
}

/// Returns the measured times of a finding in a sentence.
fn times(diagnostic: &Diagnostic) -> Option<String> {
    diagnostic.cost?.masks.map(|masks| masks.times.to_string())
}

fn correction(lines: &LineIndex, fix: &Fix) -> Correction {
    let edit = |(span, new): &(Span, String)| Edit { span: place(lines, *span), text: new.clone() };
    Correction { label: fix.label.clone(), edits: fix.edits.iter().map(edit).collect() }
}

/// Renders a place for machines: byte offsets, and 1-based line and column.
pub(crate) fn place(lines: &LineIndex, span: Span) -> message::Place {
    let Position { line, column } = lines.place(span.start);
    message::Place { start: span.start, end: span.end, line: line as usize + 1, column: column as usize + 1 }
}

/// Returns the word for a severity.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Returns the nearest character boundary at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the byte range of a span, clipped to the text and to character boundaries.
pub(crate) fn range(text: &str, span: Span) -> Range<usize> {
    let start = floor(text, span.start as usize);
    start..floor(text, span.end as usize).max(start)
}

/// Renders a diagnostic for people, followed by a note.
pub(crate) fn report(source: Text<'_>, diagnostic: &Diagnostic, note: Option<&str>, colours: bool) -> String {
    let (own, text) = (range(source.text, diagnostic.span), source.text);
    let label = |range, colour, message: &str| SourceLabel { source: 0, range, colour, message: message.to_owned() };
    let here = label(own, colour(diagnostic.severity), "here");
    let others = diagnostic.labels.iter().map(|(span, words)| label(range(text, *span), Color::Cyan, words));
    let labels: Vec<_> = [here].into_iter().chain(others).collect();
    let long = |at: usize| line_around(text, at).len() > LONG_LINE;
    if labels.iter().any(|label| long(label.range.start) || long(label.range.end)) {
        return plain(source, diagnostic);
    }
    let drawing = Drawing {
        kind: kind(diagnostic.severity),
        code: Some(diagnostic.code.to_string()),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        notes: times(diagnostic).into_iter().chain(note.map(str::to_owned)).collect(),
        sources: vec![source],
        labels,
    };
    drawing.draw(colours)
}

fn kind(severity: Severity) -> ReportKind<'static> {
    match severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
        Severity::Note => ReportKind::Advice,
    }
}

fn colour(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Note => Color::Blue,
    }
}

fn line_around(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at(at);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = after.find('\n').map_or(text.len(), |newline| at + newline);
    &text[start..end]
}

/// Renders a diagnostic whose line is too long to be shown in full.
fn plain(source: Text<'_>, diagnostic: &Diagnostic) -> String {
    let lines = LineIndex::new(source.text);
    let at = lines.place(diagnostic.span.start);
    let excerpt = excerpt(source.text, diagnostic.span);
    let help = diagnostic.help.as_deref().map(|help| format!("  help: {help}\n")).unwrap_or_default();
    let (severity, code, message) = (severity(diagnostic.severity), diagnostic.code, &diagnostic.message);
    let related: String = diagnostic.labels.iter().map(|(span, text)| related(source, &lines, *span, text)).collect();
    let times = times(diagnostic).map(|times| format!("  note: {times}\n")).unwrap_or_default();
    let name = visible_line(source.name);
    let shown = format!("{severity}[{code}]: {message}\n  at {name}:{at}: {excerpt}\n{related}{help}{times}");
    visible(&shown).into_owned()
}

fn related(source: Text<'_>, lines: &LineIndex, span: Span, text: &str) -> String {
    let (at, excerpt) = (lines.place(span.start), excerpt(source.text, span));
    format!("  see {}:{at}: {excerpt}: {text}\n", source.name)
}

/// Renders a place with the beginning of its text: `order.ogc:3:7: string<1..80>`.
pub(crate) fn cited(source: Text<'_>, span: Span) -> String {
    let at = LineIndex::new(source.text).place(span.start);
    format!("{}:{at}: {}", source.name, excerpt(source.text, span))
}

/// Returns the text of a span on one line, cut if it is long.
pub(crate) fn excerpt(text: &str, span: Span) -> String {
    outline::excerpt(&text[range(text, span)])
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Code;
    use serde_json::json;

    use super::*;

    fn found() -> Diagnostic {
        Diagnostic::error(Code::SplitRegex, Span::new(4, 6), "the message")
            .label(Span::new(0, 1), "there")
            .help("the way out")
    }

    #[test]
    fn text_reports_show_code_message_position_and_help() {
        let shown = report(Text { name: "f.gbnf", text: "a b c d" }, &found(), None, false);
        for part in ["split-regex", "the message", "f.gbnf:1:5", "there", "the way out"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn long_lines_are_truncated_and_spans_past_the_end_are_tolerated() {
        let long = "é".repeat(10_000);
        let shown = report(Text { name: "f", text: &long }, &found(), None, false);
        assert!(shown.contains("f:1:3") && shown.len() < 400, "{shown}");
        let beyond = Diagnostic::warning(Code::SplitRegex, Span::new(3, 900), "m");
        assert!(report(Text { name: "f", text: "é" }, &beyond, None, false).contains("split-regex"));
    }

    #[test]
    fn control_characters_of_sources_are_escaped_and_columns_stay_right() {
        let text = "a\x1b[2J\u{202e} b\r\nc";
        let at = text.find('b').unwrap() as u32;
        let found = Diagnostic::error(Code::SplitRegex, Span::new(at, at + 1), "m\x1b[1m").help("h\u{9b}");
        let shown = report(Text { name: "f\x1b\n", text }, &found, None, false);
        assert!(!shown.contains(['\x1b', '\u{9b}', '\u{202e}']), "{shown:?}");
        assert!(shown.contains(":1:8") && shown.contains("␛[2J"), "{shown}");
        let under = shown.lines().find(|line| line.contains('┬')).unwrap().chars().position(|c| c == '┬');
        assert_eq!(under, shown.lines().find(|line| line.contains("[2J")).unwrap().chars().position(|c| c == 'b'));
    }

    #[test]
    fn json_messages_have_lines_and_columns() {
        let object = serde_json::to_value(message(Text { name: "f", text: "é\nü b" }, &found())).unwrap();
        assert_eq!(object["span"], json!({"start": 4, "end": 6, "line": 2, "column": 1}));
        assert_eq!((&object["code"], &object["severity"]), (&json!("split-regex"), &json!("error")));
    }
}
