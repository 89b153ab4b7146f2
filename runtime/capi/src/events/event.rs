//! One event in the C interface.

use ogc_runtime::events::{Complete, Event, ValueKind};

/// What became certain of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ogc_event_kind {
    /// Nothing: all events were taken.
    #[default]
    NONE = 0,
    /// More text outside of values: `text` has it.
    TEXT_GROWS = 1,
    /// A token that the format asks for by name, outside of values: `text` has its name.
    TOKEN = 2,
    /// A capture begins, whose name is in `text`.
    CAPTURE_BEGINS = 3,
    /// The capture ends that began last.
    CAPTURE_ENDS = 4,
    /// A call of a tool begins, whose name is in `text`.
    CALL_BEGINS = 5,
    /// The call ends that began last.
    CALL_ENDS = 6,
    /// A JSON value begins, one by itself or one inside of another.
    VALUE_BEGINS = 7,
    /// The key of a member is known; its value, whose place is `path`, follows.
    FIELD_BEGINS = 8,
    /// A string that is a value grows: `text` has the characters that were added, without escapes.
    STRING_GROWS = 9,
    /// A JSON value is complete: `text` has a number as it is written, `true`, `false` or `null`; it is empty for others.
    VALUE_COMPLETE = 10,
    /// The text is complete and has ended.
    ENDED = 11,
}

/// What a JSON value is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ogc_value_kind {
    /// The event is not of one that begins or is complete.
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

/// Something that became certain of a text. Texts are UTF-8 without a zero at the end; those that an event does not have are empty.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_event {
    /// `sizeof(ogc_event)`.
    pub struct_size: usize,
    /// An `ogc_event_kind`.
    pub kind: u32,
    /// An `ogc_value_kind`, where a value begins or is complete.
    pub value: u32,
    /// The first byte of the text that it is about, counted from 0; where the text grows, 0.
    pub start: usize,
    /// The byte behind the last, where something ends; else the same as `start`.
    pub end: usize,
    /// The place of a value in the outermost value around it, as a JSON pointer (RFC 6901); empty for the outermost.
    pub path: *const u8,
    /// The bytes of the path.
    pub path_len: usize,
    /// What the kind says.
    pub text: *const u8,
    /// The bytes of the text.
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
