//! Diagnostics for people (ariadne) and for machines (JSON).

use std::ops::Range;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, sources};
use ogc_grammar::{Cost, Diagnostic, Fix, Severity, Span};
use serde_json::{Value, json};

use crate::output::Text;

/// Lines longer than this are shown in part, in a plain form.
const LONG_LINE: usize = 400;

/// A place in one of several texts.
pub(crate) type Place = (String, Range<usize>);

/// A diagnostic as an object: `{"type":"diagnostic","file","severity","code","message","span","labels","help","fix","cost"}`, where
/// a fix is null or `{"label","edits"}` with edits `{"span","text"}`, a cost null or as in [`cost_object`], and
/// a span is `{"start","end","line","column"}`: byte offsets, and where it starts counted from one, in characters.
pub(crate) fn object(source: Text<'_>, diagnostic: &Diagnostic) -> Value {
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|(span, text)| json!({"span": span_object(source.text, *span), "message": text}))
        .collect();
    json!({
        "type": "diagnostic",
        "file": source.name,
        "severity": severity(diagnostic.severity),
        "code": diagnostic.code,
        "message": diagnostic.message,
        "span": span_object(source.text, diagnostic.span),
        "labels": labels,
        "help": diagnostic.help,
        "fix": diagnostic.fix.as_ref().map(|fix| fix_object(source.text, fix)),
        "cost": diagnostic.cost.as_ref().map(cost_object),
    })
}

/// A cost as an object: `{"states","bytes","rows","row_bytes","build_ms","slowest_row_ms"}`, what is of masks null without a
/// vocabulary.
pub(crate) fn cost_object(cost: &Cost) -> Value {
    let masks = cost.masks.as_ref();
    let millis = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    json!({
        "states": cost.states,
        "bytes": cost.bytes,
        "rows": masks.map(|masks| masks.rows),
        "row_bytes": masks.map(|masks| masks.row_bytes),
        "build_ms": masks.map(|masks| millis(masks.times.build)),
        "slowest_row_ms": masks.map(|masks| millis(masks.times.slowest)),
    })
}

/// The times of what is found, in a sentence.
fn times(diagnostic: &Diagnostic) -> Option<String> {
    diagnostic.cost?.masks.map(|masks| masks.times.to_string())
}

fn fix_object(text: &str, fix: &Fix) -> Value {
    let edit = |(span, new): &(Span, String)| json!({"span": span_object(text, *span), "text": new});
    json!({"label": fix.label, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>()})
}

/// A span as an object.
pub(crate) fn span_object(text: &str, span: Span) -> Value {
    let (line, column) = line_column(text, span.start as usize);
    json!({"start": span.start, "end": span.end, "line": line, "column": column})
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Line and column of a byte, both from one; columns count characters.
pub(crate) fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..floor(text, at)).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count();
    (before.matches('\n').count() + 1, column + 1)
}

/// The nearest character boundary at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The range of a span, inside of the text and on character boundaries.
pub(crate) fn range(text: &str, span: Span) -> Range<usize> {
    let start = floor(text, span.start as usize);
    start..floor(text, span.end as usize).max(start)
}

/// A diagnostic for people.
pub(crate) fn report(source: Text<'_>, diagnostic: &Diagnostic, colours: bool) -> String {
    let range = range(source.text, diagnostic.span);
    if line_around(source.text, range.start).len() > LONG_LINE {
        return plain(source, diagnostic, range);
    }
    let kind = kind(diagnostic.severity);
    let place = (source.name.to_owned(), range);
    let mut builder = Report::build(kind, place.clone())
        .with_config(config(colours))
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_label(Label::new(place).with_color(colour(diagnostic.severity)).with_message("here"));
    for (span, text) in &diagnostic.labels {
        let place = (source.name.to_owned(), self::range(source.text, *span));
        builder = builder.with_label(Label::new(place).with_color(Color::Cyan).with_message(text));
    }
    if let Some(help) = &diagnostic.help {
        builder = builder.with_help(help);
    }
    if let Some(times) = times(diagnostic) {
        builder = builder.with_note(times);
    }
    if diagnostic.fix.is_some() {
        builder = builder.with_note("`ogc check --fix` does this");
    }
    write(&builder.finish(), [(source.name.to_owned(), source.text.to_owned())])
}

/// How reports look: places in bytes, colours only where they can be seen.
pub(crate) fn config(colours: bool) -> Config {
    Config::default().with_index_type(IndexType::Byte).with_color(colours)
}

/// The text of a report over some sources.
pub(crate) fn write<const N: usize>(report: &Report<'_, Place>, texts: [(String, String); N]) -> String {
    let mut bytes = Vec::new();
    match report.write(sources(texts), &mut bytes) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => format!("error: the report cannot be shown: {error}\n"),
    }
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
    text.get(start..end).unwrap_or_default()
}

/// A diagnostic in a line that is too long to be shown whole.
fn plain(source: Text<'_>, diagnostic: &Diagnostic, range: Range<usize>) -> String {
    let (line, column) = line_column(source.text, range.start);
    let excerpt = excerpt(source.text, range);
    let help = diagnostic.help.as_deref().map(|help| format!("  help: {help}\n")).unwrap_or_default();
    let (severity, code, message) = (severity(diagnostic.severity), diagnostic.code, &diagnostic.message);
    let related: String = diagnostic.labels.iter().map(|(span, text)| related(source, *span, text)).collect();
    let times = times(diagnostic).map(|times| format!("  note: {times}\n")).unwrap_or_default();
    format!("{severity}[{code}]: {message}\n  at {}:{line}:{column}: {excerpt}\n{related}{help}{times}", source.name)
}

fn related(source: Text<'_>, span: Span, text: &str) -> String {
    let range = range(source.text, span);
    let (line, column) = line_column(source.text, range.start);
    format!("  see {}:{line}:{column}: {}: {text}\n", source.name, excerpt(source.text, range))
}

/// The text of a range on one line, cut where it is long.
pub(crate) fn excerpt(text: &str, range: Range<usize>) -> String {
    const SHOWN: usize = 60;
    let words = text.get(range).unwrap_or_default().split_whitespace();
    let mut line = String::new();
    for word in words {
        if line.chars().count() > SHOWN {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.chars().count() <= SHOWN {
        return line;
    }
    line.chars().take(SHOWN).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Diagnostic {
        Diagnostic::error("a-code", Span::new(4, 6), "the message").label(Span::new(0, 1), "there").help("the way out")
    }

    #[test]
    fn people_see_message_place_and_help() {
        let shown = report(Text { name: "f.gbnf", text: "a b c d" }, &found(), false);
        for part in ["a-code", "the message", "f.gbnf:1:5", "there", "the way out"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn long_lines_and_wrong_spans_are_shown_in_part() {
        let long = "é".repeat(10_000);
        let shown = report(Text { name: "f", text: &long }, &found(), false);
        assert!(shown.contains("f:1:3") && shown.len() < 400, "{shown}");
        let beyond = Diagnostic::warning("a-code", Span::new(3, 900), "m");
        assert!(report(Text { name: "f", text: "é" }, &beyond, false).contains("a-code"));
    }

    #[test]
    fn machines_see_lines_and_columns() {
        let object = object(Text { name: "f", text: "é\nü b" }, &found());
        assert_eq!(object["span"], json!({"start": 4, "end": 6, "line": 2, "column": 1}));
        assert_eq!((&object["code"], &object["severity"]), (&json!("a-code"), &json!("error")));
    }
}
