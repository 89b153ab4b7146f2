//! Shows the events of an accepted text, as an engine would tell them while it grows.

use ogc_compiler::pipeline;
use ogc_runtime::events::{Complete, Event, EventReader, ValueKind};

use super::{Tried, engine};
use crate::message::{EventKind, Message, TextEvent};
use crate::output::Output;
use crate::problem::Problem;

/// Shows all events: of the text read token by token where tokens are counted, else of all of it at once.
pub(super) fn show(tried: &Tried<'_>, text: &[u8], output: &Output) -> Result<(), Problem> {
    let db = &tried.session.db;
    let content = pipeline::content(db, tried.format.clone());
    let mut reader = EventReader::new(&content);
    let ends = tried.trial.pieces(text).unwrap_or_default().into_iter().map(|piece| piece.end);
    let mut read = 0;
    for end in ends.chain([text.len()]) {
        // A token that the format asks for by name is spelled in several tokens here.
        let piece = text.get(read..end).unwrap_or_default();
        if end < text.len() && ogc_runtime::vocabulary::is_cut(piece) {
            continue;
        }
        read = end.max(read);
        say(reader.read_bytes(piece).map_err(|error| engine(tried.args, &error))?, output)?;
    }
    say(reader.finish().map_err(|error| engine(tried.args, &error))?, output)
}

fn say(events: Vec<Event>, output: &Output) -> Result<(), Problem> {
    for event in events {
        let event = message(event);
        let line = line(&event);
        output.either(Message::Event(event), || line)?;
    }
    Ok(())
}

/// Writes an event in a line: what it is, where it is, and what it says.
fn line(event: &TextEvent) -> String {
    let kind = serde_json::to_value(event.event).unwrap_or_default();
    let place = match (event.start, event.end) {
        (Some(start), Some(end)) => format!("{start}..{end}"),
        (Some(at), None) | (None, Some(at)) => at.to_string(),
        (None, None) => String::new(),
    };
    let path = event.path.as_ref().map(|path| if path.is_empty() { "$" } else { path });
    let said = [event.name.as_deref(), path, event.value.as_deref()].into_iter().flatten();
    let text = event.text.as_ref().map(|text| format!("{text:?}"));
    let said: Vec<&str> = said.chain(text.as_deref()).collect();
    format!("{place:>9}  {:<14}  {}", kind.as_str().unwrap_or_default(), said.join(" ")).trim_end().to_owned()
}

/// Returns an event for machines.
fn message(event: Event) -> TextEvent {
    let of = |event| TextEvent { event, ..TextEvent::default() };
    match event {
        Event::TextGrows { text } => TextEvent { text: Some(text), ..of(EventKind::TextGrows) },
        Event::Token { name } => TextEvent { name: Some(name), ..of(EventKind::Token) },
        Event::CaptureBegins { name, at } => {
            TextEvent { name: Some(name), start: Some(at), ..of(EventKind::CaptureBegins) }
        }
        Event::CaptureEnds { name, start, end } => {
            TextEvent { name: Some(name), start: Some(start), end: Some(end), ..of(EventKind::CaptureEnds) }
        }
        Event::CallBegins { tool, at } => TextEvent { name: Some(tool), start: Some(at), ..of(EventKind::CallBegins) },
        Event::CallEnds { tool, start, end } => {
            TextEvent { name: Some(tool), start: Some(start), end: Some(end), ..of(EventKind::CallEnds) }
        }
        Event::ValueBegins { path, kind, at } => TextEvent {
            path: Some(path.to_string()),
            value: Some(name(kind).to_owned()),
            start: Some(at),
            ..of(EventKind::ValueBegins)
        },
        Event::FieldBegins { path, at } => {
            TextEvent { path: Some(path.to_string()), start: Some(at), ..of(EventKind::FieldBegins) }
        }
        Event::StringGrows { path, text } => {
            TextEvent { path: Some(path.to_string()), text: Some(text), ..of(EventKind::StringGrows) }
        }
        Event::ValueComplete { path, value, start, end } => TextEvent {
            path: Some(path.to_string()),
            value: Some(name(value.kind()).to_owned()),
            text: written(value),
            start: Some(start),
            end: Some(end),
            ..of(EventKind::ValueComplete)
        },
        Event::Ended { at } => TextEvent { end: Some(at), ..of(EventKind::Ended) },
    }
}

fn name(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Object => "object",
        ValueKind::Array => "array",
        ValueKind::String => "string",
        ValueKind::Number => "number",
        ValueKind::Bool => "bool",
        ValueKind::Null => "null",
    }
}

/// Returns how a value that does not grow is written.
fn written(value: Complete) -> Option<String> {
    match value {
        Complete::Object | Complete::Array | Complete::String => None,
        Complete::Number(written) => Some(written),
        Complete::Bool(value) => Some(value.to_string()),
        Complete::Null => Some("null".to_owned()),
    }
}
