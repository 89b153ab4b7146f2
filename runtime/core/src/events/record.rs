//! Events as records with the same fields for all kinds, for messages to other programs.

use serde::Serialize;

use super::{Complete, Event, ValueKind};

/// An event as a record; `event` determines the other fields.
///
/// ```
/// use ogc_runtime::captures::Content;
/// use ogc_runtime::events::{EventReader, EventRecord};
/// let events = EventReader::new(&Content::Value).read_bytes(br#"[true"#)?;
/// let records: Vec<EventRecord> = events.into_iter().map(EventRecord::from).collect();
/// assert_eq!(serde_json::to_string(&records[1])?, r#"{"event":"value-begins","path":"/0","value":"bool","start":1}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        rename = "TextEvent",
        description = "An event of a text that is read piece by piece. `event` determines the other fields."
    )
)]
pub struct EventRecord {
    /// The kind of the event.
    pub event: EventKind,
    /// The name of a token, of a capture, or of the called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The JSON pointer of a value in its outermost value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The type of a value: `object`, `array`, `string`, `number`, `bool` or `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'static str>,
    /// The added characters, or the spelling of a complete number, boolean or null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The offset of the first byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// The offset after the last byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

/// The kinds of events.
///
/// ```
/// use ogc_runtime::events::EventKind;
/// assert_eq!(EventKind::CallBegins.name(), "call-begins");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(description = "The kinds of events."))]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Text outside of values was added.
    #[default]
    TextGrows,
    /// A special token that the format requires by name.
    Token,
    /// A capture begins.
    CaptureBegins,
    /// A capture ends.
    CaptureEnds,
    /// A call of a tool begins.
    CallBegins,
    /// A call of a tool ends.
    CallEnds,
    /// A JSON value begins.
    ValueBegins,
    /// The key of a member is known.
    FieldBegins,
    /// Characters of a string were added.
    StringGrows,
    /// A JSON value is complete.
    ValueComplete,
    /// The text is complete and has ended.
    Ended,
}

impl EventKind {
    /// Returns the kind's name in messages.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::events::EventKind::Ended.name(), "ended");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TextGrows => "text-grows",
            Self::Token => "token",
            Self::CaptureBegins => "capture-begins",
            Self::CaptureEnds => "capture-ends",
            Self::CallBegins => "call-begins",
            Self::CallEnds => "call-ends",
            Self::ValueBegins => "value-begins",
            Self::FieldBegins => "field-begins",
            Self::StringGrows => "string-grows",
            Self::ValueComplete => "value-complete",
            Self::Ended => "ended",
        }
    }
}

impl From<Event> for EventRecord {
    fn from(event: Event) -> Self {
        let of = |event| Self { event, ..Self::default() };
        match event {
            Event::TextGrows { text } => Self { text: Some(text), ..of(EventKind::TextGrows) },
            Event::Token { name } => Self { name: Some(name), ..of(EventKind::Token) },
            Event::CaptureBegins { name, at } => {
                Self { name: Some(name), start: Some(at), ..of(EventKind::CaptureBegins) }
            }
            Event::CaptureEnds { name, start, end } => {
                Self { name: Some(name), start: Some(start), end: Some(end), ..of(EventKind::CaptureEnds) }
            }
            Event::CallBegins { tool, at } => Self { name: Some(tool), start: Some(at), ..of(EventKind::CallBegins) },
            Event::CallEnds { tool, start, end } => {
                Self { name: Some(tool), start: Some(start), end: Some(end), ..of(EventKind::CallEnds) }
            }
            Event::ValueBegins { path, kind, at } => Self {
                path: Some(path.to_string()),
                value: Some(kind.name()),
                start: Some(at),
                ..of(EventKind::ValueBegins)
            },
            Event::FieldBegins { path, at } => {
                Self { path: Some(path.to_string()), start: Some(at), ..of(EventKind::FieldBegins) }
            }
            Event::StringGrows { path, text } => {
                Self { path: Some(path.to_string()), text: Some(text), ..of(EventKind::StringGrows) }
            }
            Event::ValueComplete { path, value, start, end } => Self {
                path: Some(path.to_string()),
                value: Some(value.kind().name()),
                text: written(value),
                start: Some(start),
                end: Some(end),
                ..of(EventKind::ValueComplete)
            },
            Event::Ended { at } => Self { end: Some(at), ..of(EventKind::Ended) },
        }
    }
}

impl ValueKind {
    /// Returns the kind's name in messages.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::events::ValueKind::Bool.name(), "bool");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Bool => "bool",
            Self::Null => "null",
        }
    }
}

/// Returns the text of a number, boolean or null; `None` for other values.
fn written(value: Complete) -> Option<String> {
    match value {
        Complete::Object | Complete::Array | Complete::String => None,
        Complete::Number(written) => Some(written),
        Complete::Bool(value) => Some(value.to_string()),
        Complete::Null => Some("null".to_owned()),
    }
}
