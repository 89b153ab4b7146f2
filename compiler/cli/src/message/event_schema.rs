//! The schema of an event in messages: the fields of `ogc_runtime::events::EventRecord`, which a test compares.

#![allow(dead_code, reason = "only its schema is used")]

/// Something that became certain of a text while it grew. Which fields there are depends on `event`.
#[derive(schemars::JsonSchema)]
pub(crate) struct TextEvent {
    /// What became certain.
    pub(crate) event: EventKind,
    /// The name of a token, of a capture, or of the tool that is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The place of a value in the outermost value around it: a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// What a value is: `object`, `array`, `string`, `number`, `bool` or `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// The characters that were added; a complete number, boolean or null as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The first byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<usize>,
    /// The byte after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<usize>,
}

/// The kinds of events.
#[derive(schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EventKind {
    /// There is more text outside of values.
    TextGrows,
    /// A token that the format asks for by name.
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
    /// There is more of a string.
    StringGrows,
    /// A JSON value is complete.
    ValueComplete,
    /// The text is complete and has ended.
    Ended,
}
