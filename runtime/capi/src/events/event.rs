//! One event in the C interface.

use ogc_runtime::events::{Complete, Event, ValueKind};

/// The kind of an event: what became certain of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ogc_event_kind {
    /// No event is left to take.
    #[default]
    NONE = 0,
    /// Text outside of values grew by `text`.
    TEXT_GROWS = 1,
    /// A special token, outside of values, that the format requires; `text` is its name.
    TOKEN = 2,
    /// A capture begins; `text` is its name.
    CAPTURE_BEGINS = 3,
    /// The innermost open capture ends.
    CAPTURE_ENDS = 4,
    /// A tool call begins; `text` is the name of the tool.
    CALL_BEGINS = 5,
    /// The innermost open call ends.
    CALL_ENDS = 6,
    /// A JSON value begins, by itself or inside of another one.
    VALUE_BEGINS = 7,
    /// The key of a member is known; its value follows, at `path`.
    FIELD_BEGINS = 8,
    /// A string value grew by the characters of `text`, unescaped.
    STRING_GROWS = 9,
    /// A JSON value is complete. `text` is a number as written, or `true`, `false` or `null`; empty for strings, arrays and objects.
    VALUE_COMPLETE = 10,
    /// The text is complete and has ended.
    ENDED = 11,
}

/// The type of a JSON value.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ogc_value_kind {
    /// The event is not about a value that begins or is complete.
    #[default]
    NONE = 0,
    /// An object.
    OBJECT = 1,
    /// An array.
    ARRAY = 2,
    /// A string.
    STRING = 3,
    /// A number.
    NUMBER = 4,
    /// `true` or `false`.
    BOOL = 5,
    /// `null`.
    NULL = 6,
}

/// An event: something that became certain of a text. Texts are UTF-8 without a terminating zero; texts that an event lacks are empty.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_event {
    /// `sizeof(ogc_event)`.
    pub struct_size: usize,
    /// An `ogc_event_kind`.
    pub kind: u32,
    /// An `ogc_value_kind`, where a value begins or is complete.
    pub value: u32,
    /// The offset of the first byte of the text that the event is about; 0 for events of growing text.
    pub start: usize,
    /// The offset behind the last byte, for events of an end; else equal to `start`.
    pub end: usize,
    /// The position of a value in the outermost value around it, as a JSON pointer (RFC 6901); empty for the outermost.
    pub path: *const u8,
    /// The length of the path in bytes.
    pub path_len: usize,
    /// The text that the kind describes.
    pub text: *const u8,
    /// The length of the text in bytes.
    pub text_len: usize,
}

/// An event with the texts that it points to.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    kind: ogc_event_kind,
    value: ogc_value_kind,
    start: usize,
    end: usize,
    path: String,
    text: String,
}

impl Shown {
    pub(super) fn new(event: Event) -> Self {
        let named = |kind, text, start, end| Self { kind, text, start, end, ..Self::default() };
        match event {
            Event::TextGrows { text } => named(ogc_event_kind::TEXT_GROWS, text, 0, 0),
            Event::Token { name } => named(ogc_event_kind::TOKEN, name, 0, 0),
            Event::CaptureBegins { name, at } => named(ogc_event_kind::CAPTURE_BEGINS, name, at, at),
            Event::CaptureEnds { name, start, end } => named(ogc_event_kind::CAPTURE_ENDS, name, start, end),
            Event::CallBegins { tool, at } => named(ogc_event_kind::CALL_BEGINS, tool, at, at),
            Event::CallEnds { tool, start, end } => named(ogc_event_kind::CALL_ENDS, tool, start, end),
            Event::ValueBegins { path, kind, at } => Self {
                value: kind.into(),
                path: path.to_string(),
                ..named(ogc_event_kind::VALUE_BEGINS, String::new(), at, at)
            },
            Event::FieldBegins { path, at } => {
                Self { path: path.to_string(), ..named(ogc_event_kind::FIELD_BEGINS, String::new(), at, at) }
            }
            Event::StringGrows { path, text } => {
                Self { path: path.to_string(), ..named(ogc_event_kind::STRING_GROWS, text, 0, 0) }
            }
            Event::ValueComplete { path, value, start, end } => Self {
                value: value.kind().into(),
                path: path.to_string(),
                ..named(ogc_event_kind::VALUE_COMPLETE, written(value), start, end)
            },
            Event::Ended { at } => named(ogc_event_kind::ENDED, String::new(), at, at),
        }
    }

    /// Returns the event with pointers to its texts.
    pub(super) fn event(&self, struct_size: usize) -> ogc_event {
        ogc_event {
            struct_size,
            kind: self.kind as u32,
            value: self.value as u32,
            start: self.start,
            end: self.end,
            path: self.path.as_ptr(),
            path_len: self.path.len(),
            text: self.text.as_ptr(),
            text_len: self.text.len(),
        }
    }
}

/// Returns the text of a complete value; empty if earlier events have already given it.
fn written(value: Complete) -> String {
    match value {
        Complete::Object | Complete::Array | Complete::String => String::new(),
        Complete::Number(number) => number,
        Complete::Bool(value) => value.to_string(),
        Complete::Null => "null".to_owned(),
    }
}

impl From<ValueKind> for ogc_value_kind {
    fn from(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Object => Self::OBJECT,
            ValueKind::Array => Self::ARRAY,
            ValueKind::String => Self::STRING,
            ValueKind::Number => Self::NUMBER,
            ValueKind::Bool => Self::BOOL,
            ValueKind::Null => Self::NULL,
        }
    }
}
