//! The events of a text, and the token at which each became certain.

use ogc_generate::Generated;
use ogc_runtime::captures::Content;
use ogc_runtime::events::{Event, EventError, EventKind, EventReader, EventRecord};
use ogc_runtime::vocabulary::{Vocabulary, marker};
use ogc_workbench::markup::escape;

use super::{marked, tokens};

/// An event, with the first and the last token at which it became certain; events of growing text are merged.
struct Row {
    first: usize,
    last: usize,
    event: EventRecord,
}

/// Writes the table.
pub(super) fn table(content: &Content, generated: &Generated, answer: usize, vocabulary: &Vocabulary) -> String {
    let rows = match rows(content, generated, vocabulary) {
        Ok(rows) => rows,
        Err(error) => return format!("<p>The events cannot be found: {}</p>\n", escape(&error.to_string())),
    };
    let text = text(generated, vocabulary);
    let rows: String = rows.iter().map(|row| told(row, &text, (answer, generated.record.len()))).collect();
    format!(
        "<div class=\"scroll card\"><table><thead><tr><th>at token</th><th>event</th><th>of</th><th>text</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>\n"
    )
}

/// Returns the text to whose bytes the places of events refer.
fn text(generated: &Generated, vocabulary: &Vocabulary) -> Vec<u8> {
    let bytes = |token| match (vocabulary.text(token), vocabulary.name_of(token)) {
        (Some(text), _) if !text.is_empty() => text.to_vec(),
        (_, Some(name)) => marker(name),
        _ => Vec::new(),
    };
    generated.tokens.iter().flat_map(|token| bytes(*token)).collect()
}

fn rows(content: &Content, generated: &Generated, vocabulary: &Vocabulary) -> Result<Vec<Row>, EventError> {
    let mut reader = EventReader::new(content);
    let mut rows = Vec::new();
    for (at, token) in generated.tokens.iter().enumerate() {
        add(&mut rows, at, reader.read_token(vocabulary, *token)?);
    }
    add(&mut rows, generated.tokens.len().saturating_sub(1), reader.finish()?);
    Ok(rows)
}

fn add(rows: &mut Vec<Row>, at: usize, events: Vec<Event>) {
    for event in events.into_iter().map(EventRecord::from) {
        let grows = matches!(event.event, EventKind::StringGrows | EventKind::TextGrows);
        let last = rows.last_mut().filter(|row| {
            grows && row.event.event == event.event && row.event.path == event.path && row.event.text.is_some()
        });
        match last {
            Some(row) => {
                row.last = at;
                row.event.text = row.event.text.take().map(|text| text + event.text.as_deref().unwrap_or_default());
            }
            None => rows.push(Row { first: at, last: at, event }),
        }
    }
}

fn told(row: &Row, text: &[u8], (answer, tokens): (usize, usize)) -> String {
    let link = |at: usize| match at < tokens {
        true => format!("<a href=\"#{}\">{}</a>", tokens::id(answer, at), at + 1),
        false => (at + 1).to_string(),
    };
    let at = if row.first == row.last { link(row.last) } else { format!("{}–{}", link(row.first), link(row.last)) };
    let EventRecord { event, name, path, value, text: said, start, end } = &row.event;
    let path = path.as_deref().map(|path| if path.is_empty() { "$" } else { path });
    let of: Vec<&str> = [name.as_deref(), path, *value].into_iter().flatten().collect();
    let captured =
        start.zip(*end).filter(|_| *event == EventKind::CaptureEnds).and_then(|(start, end)| text.get(start..end));
    let said = captured.or(said.as_ref().map(|said| said.as_bytes()));
    let said = said.map_or_else(String::new, |said| format!("<code>{}</code>", marked::bytes(said)));
    format!("<tr><td>{at}</td><td>{}</td><td>{}</td><td>{said}</td></tr>", event.name(), escape(&of.join(" ")))
}
