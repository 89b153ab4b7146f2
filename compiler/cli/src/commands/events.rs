//! Shows events of a text, for people and machines.

use ogc_runtime::events::{Event, EventRecord};

use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;

/// Shows events.
pub(super) fn say(events: Vec<Event>, output: &Output) -> Result<(), Problem> {
    for event in events {
        let event = EventRecord::from(event);
        let line = line(&event);
        output.either(Message::Event(event), || line)?;
    }
    Ok(())
}

/// Writes an event in a line: its kind, its place, and its content.
fn line(event: &EventRecord) -> String {
    let place = match (event.start, event.end) {
        (Some(start), Some(end)) => format!("{start}..{end}"),
        (Some(at), None) | (None, Some(at)) => at.to_string(),
        (None, None) => String::new(),
    };
    let path = event.path.as_deref().map(|path| if path.is_empty() { "$" } else { path });
    let said = [event.name.as_deref(), path, event.value].into_iter().flatten();
    let text = event.text.as_ref().map(|text| format!("{text:?}"));
    let said: Vec<&str> = said.chain(text.as_deref()).collect();
    format!("{place:>9}  {:<14}  {}", event.event.name(), said.join(" ")).trim_end().to_owned()
}
