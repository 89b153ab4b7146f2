//! Reads and shows the captures of an accepted text.

use always_assert::never;
use ogc_compiler::pipeline::Format;
use ogc_runtime::captures::Capture;
use ogc_runtime::matcher::MatchError;
use ogc_runtime::vocabulary::shown;
use ogc_workbench::attempt;

use crate::message::Captured;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;

/// Maximum number of characters shown of a captured text.
const SHOWN_CHARS: usize = 60;

/// Returns the captures of a text that the format accepts; a format without captures has none.
pub(super) fn read(
    session: &Session,
    format: &Format,
    text: &[u8],
    output: &Output,
) -> Result<Result<Vec<Capture>, MatchError>, Problem> {
    let found = match attempt::captured(&session.db, format, text) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    if let Some(refused) = &found.refused {
        output.diagnostic(session.text(format.file), refused)?;
    }
    Ok(Ok(found.captures))
}

/// Returns the captures for machines.
pub(super) fn captured(captures: &[Capture], text: &[u8]) -> Vec<Captured> {
    let one = |capture: &Capture| Captured {
        name: capture.name.to_string(),
        start: capture.start,
        end: capture.end,
        text: part(capture, text),
        captures: captured(&capture.inner, text),
    };
    captures.iter().map(one).collect()
}

/// Returns the captures for people, one per line; inner captures are indented.
pub(super) fn lines(captures: &[Capture], text: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open: Vec<(&Capture, usize)> = captures.iter().rev().map(|capture| (capture, 1)).collect();
    while let Some((capture, depth)) = open.pop() {
        let text = part(capture, text);
        let (head, tail) = text.char_indices().nth(SHOWN_CHARS).map_or((&*text, ""), |(at, _)| (&text[..at], "..."));
        lines.push(format!("{:indent$}{}: {head:?}{tail}", "", capture.name, indent = 2 * depth));
        open.extend(capture.inner.iter().rev().map(|inner| (inner, depth + 1)));
    }
    lines
}

fn part(capture: &Capture, text: &[u8]) -> String {
    let end = capture.end.unwrap_or(text.len());
    let Some(part) = text.get(capture.start..end) else {
        never!("the capture `{}` is {}..{} of {} bytes", capture.name, capture.start, end, text.len());
        return String::new();
    };
    shown(part)
}
