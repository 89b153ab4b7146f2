//! Rebuilds the content of a text from its events: its values by their paths, its captures and calls, its other text.

use ogc_runtime::captures::{Capture, Content};
use ogc_runtime::events::{Complete, Event, EventError, EventReader, Path, Step, ValueKind};
use serde_json::Value;

use ogc_kit::Random;

/// Reads a text at once, and its end.
///
/// # Errors
/// The errors of the reader.
pub fn whole(content: &Content, text: &[u8]) -> Result<Vec<Event>, EventError> {
    let mut reader = EventReader::new(content);
    let mut events = reader.read_bytes(text)?;
    events.extend(reader.finish()?);
    Ok(events)
}

/// Reads a text in random pieces, and its end; adjacent pieces of one text or string are joined.
///
/// # Errors
/// The errors of the reader.
pub fn in_pieces(content: &Content, text: &[u8], random: &mut Random) -> Result<Vec<Event>, EventError> {
    let mut reader = EventReader::new(content);
    let mut events = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let most = if random.one_in(3) { rest.len() } else { 3.min(rest.len()) };
        let (piece, after) = rest.split_at(1 + random.below(most));
        // The marker of a token is read whole.
        let cut = piece.iter().rposition(|byte| *byte == 0xFF).filter(|from| !piece[*from..].contains(&0xFE));
        let more = cut.and_then(|_| after.iter().position(|byte| *byte == 0xFE)).map_or(0, |end| end + 1);
        let (piece, after) = rest.split_at(piece.len() + more);
        events.extend(reader.read_bytes(piece)?);
        rest = after;
    }
    events.extend(reader.finish()?);
    Ok(merged(events))
}

/// Joins pieces of one text or string.
#[must_use]
pub fn merged(events: Vec<Event>) -> Vec<Event> {
    let mut all: Vec<Event> = Vec::new();
    for event in events {
        match (all.last_mut(), event) {
            (Some(Event::TextGrows { text }), Event::TextGrows { text: more }) => *text += &more,
            (Some(Event::StringGrows { text, .. }), Event::StringGrows { text: more, .. }) => *text += &more,
            (_, event) => all.push(event),
        }
    }
    all
}

/// A value in a text: its first byte, the byte behind its last, and the value.
pub type Placed = (usize, usize, Value);

/// Rebuilds the outermost values.
///
/// # Panics
/// If the events do not fit together.
#[must_use]
pub fn values(events: &[Event]) -> Vec<Placed> {
    let mut all = Vec::new();
    let mut root = Value::Null;
    for event in events {
        match event {
            Event::ValueBegins { path, kind, .. } => {
                let empty = match kind {
                    ValueKind::Object => Value::Object(serde_json::Map::new()),
                    ValueKind::Array => Value::Array(Vec::new()),
                    ValueKind::String => Value::String(String::new()),
                    ValueKind::Number | ValueKind::Bool | ValueKind::Null => Value::Null,
                };
                *slot(&mut root, path) = empty;
            }
            Event::StringGrows { path, text } => match slot(&mut root, path) {
                Value::String(string) => *string += text,
                other => panic!("{other} at {path} grows"),
            },
            Event::ValueComplete { path, value, start, end } => {
                match value {
                    Complete::Object | Complete::Array | Complete::String => {}
                    Complete::Number(written) => {
                        *slot(&mut root, path) = serde_json::from_str(written).expect("a number");
                    }
                    Complete::Bool(value) => *slot(&mut root, path) = Value::Bool(*value),
                    Complete::Null => *slot(&mut root, path) = Value::Null,
                }
                if path.last().is_none() {
                    all.push((*start, *end, root.take()));
                }
            }
            _ => {}
        }
    }
    all
}

/// Finds the place of a value; the place is made if it is the next one.
fn slot<'v>(root: &'v mut Value, path: &Path) -> &'v mut Value {
    path.steps().into_iter().fold(root, |at, step| match (at, step) {
        (Value::Object(members), Step::Key(key)) => members.entry(key.clone()).or_insert(Value::Null),
        (Value::Array(items), Step::Index(index)) => {
            if items.len() == *index {
                items.push(Value::Null);
            }
            &mut items[*index]
        }
        (at, step) => panic!("{step:?} of {at}"),
    })
}

/// Rebuilds the captures; calls are captures with the name `call TOOL`.
///
/// # Panics
/// If an end has no beginning.
#[must_use]
pub fn captures(events: &[Event]) -> Vec<Capture> {
    let mut open = vec![Capture { name: String::new(), start: 0, end: None, inner: Vec::new() }];
    for event in events {
        match event {
            Event::CaptureBegins { name, at } => {
                open.push(Capture { name: name.clone(), start: *at, end: None, inner: Vec::new() });
            }
            Event::CallBegins { tool, at } => {
                open.push(Capture { name: format!("call {tool}"), start: *at, end: None, inner: Vec::new() });
            }
            Event::CaptureEnds { start, end, .. } | Event::CallEnds { start, end, .. } => {
                let capture = open.pop().expect("a beginning");
                assert_eq!(capture.start, *start, "{events:?}");
                let around = open.last_mut().expect("the text is around all");
                around.inner.push(Capture { end: Some(*end), ..capture });
            }
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "all captures have ended");
    open.swap_remove(0).inner
}

/// Returns the text outside of values; tokens are written `⟨name⟩`.
#[must_use]
pub fn text(events: &[Event]) -> String {
    let mut all = String::new();
    for event in events {
        match event {
            Event::TextGrows { text } => all += text,
            Event::Token { name } => all += &format!("⟨{name}⟩"),
            _ => {}
        }
    }
    all
}
