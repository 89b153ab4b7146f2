//! Reads the arguments of a tool call from the events of the call; returns them as JSON, or as the input of a custom tool.

use always_assert::never;
use ogc_generate::{ArgumentFrame, CallFrame, ToolStyle};
use ogc_runtime::events::{Event, ValueKind};

use crate::answer::InputReader;
use crate::answer::json_writer::{JsonWriter, escaped};
use crate::call_syntax::INPUT_BEGINS;
use crate::call_syntax::capture::{INPUT, JSON, KEY, TEXT};

/// The arguments of a call, or its input, while the call grows.
#[derive(Debug)]
pub(super) enum Arguments {
    Function(FunctionArguments),
    Custom(CustomInput),
    /// The call has ended.
    Over,
}

/// The arguments of a function: one value, or values with tags.
#[derive(Debug, Default)]
pub(super) struct FunctionArguments {
    writer: JsonWriter,
    /// Whether the arguments are one value, which has begun.
    is_value: bool,
    /// The number of arguments with tags so far.
    count: usize,
    part: ArgumentPart,
}

/// The part that is read of an argument with tags.
#[derive(Debug, Default)]
enum ArgumentPart {
    #[default]
    Tags,
    Key(String),
    Text,
    Json,
}

/// The input of a custom tool.
#[derive(Debug)]
pub(super) struct CustomInput {
    /// The capture of the call.
    capture: String,
    /// Decodes an input that is a JSON string; `None` if the input is between tags.
    decoder: Option<InputReader>,
    /// Whether the input of a grammar is read.
    is_inside: bool,
}

impl Arguments {
    pub(super) fn of_function() -> Self {
        Self::Function(FunctionArguments::default())
    }

    /// Begins the call of a custom tool with this capture.
    pub(super) fn of_custom(capture: &str, style: ToolStyle) -> Self {
        let decoder = match CallFrame::of(style).arguments {
            ArgumentFrame::Json(_) | ArgumentFrame::Keywords { .. } => {
                let mut decoder = InputReader::default();
                never!(decoder.grow(INPUT_BEGINS).is_err(), "the reader of inputs knows what stands before them");
                Some(decoder)
            }
            ArgumentFrame::Fields { .. } => None,
        };
        Self::Custom(CustomInput { capture: capture.to_owned(), decoder, is_inside: false })
    }

    /// Reads an event of the call; returns the text that it adds. `text` is the whole text so far.
    pub(super) fn read(&mut self, event: &Event, text: &str) -> String {
        match (&mut *self, event) {
            (Self::Function(arguments), Event::CallEnds { .. }) => {
                let end = arguments.end();
                *self = Self::Over;
                end.to_owned()
            }
            (Self::Custom(input), Event::CaptureEnds { name, .. }) if *name == input.capture => {
                *self = Self::Over;
                String::new()
            }
            (Self::Function(arguments), event) => arguments.read(event),
            (Self::Custom(input), event) => input.read(event, text),
            (Self::Over, _) => String::new(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Over)
    }
}

impl FunctionArguments {
    fn read(&mut self, event: &Event) -> String {
        match (&mut self.part, event) {
            (_, Event::CaptureBegins { name, .. }) => self.begin(name),
            (ArgumentPart::Key(key), Event::TextGrows { text }) => {
                key.push_str(text);
                String::new()
            }
            (ArgumentPart::Key(key), Event::CaptureEnds { .. }) => {
                let before = if self.count == 0 { "{" } else { ", " };
                let written = format!("{before}\"{}\": ", escaped(key));
                (self.count, self.part) = (self.count + 1, ArgumentPart::Tags);
                written
            }
            (ArgumentPart::Text, Event::TextGrows { text }) => escaped(text),
            (ArgumentPart::Text, Event::CaptureEnds { .. }) => {
                self.part = ArgumentPart::Tags;
                "\"".to_owned()
            }
            (ArgumentPart::Json, Event::CaptureEnds { .. }) => {
                self.part = ArgumentPart::Tags;
                String::new()
            }
            // A number or a word: no event of its value comes.
            (ArgumentPart::Json, Event::TextGrows { text }) => text.clone(),
            (ArgumentPart::Tags, Event::ValueBegins { .. }) => {
                self.is_value = true;
                self.writer.written(event)
            }
            (_, event) => self.writer.written(event),
        }
    }

    fn begin(&mut self, capture: &str) -> String {
        match capture {
            KEY => self.part = ArgumentPart::Key(String::new()),
            JSON => self.part = ArgumentPart::Json,
            TEXT => {
                self.part = ArgumentPart::Text;
                return "\"".to_owned();
            }
            _ => {}
        }
        String::new()
    }

    /// Returns the end of the arguments.
    fn end(&self) -> &'static str {
        match (self.is_value, self.count) {
            (true, _) => "",
            (false, 0) => "{}",
            (false, _) => "}",
        }
    }
}

impl CustomInput {
    fn read(&mut self, event: &Event, whole: &str) -> String {
        match event {
            Event::CaptureBegins { name, .. } if name == INPUT => self.is_inside = true,
            Event::CaptureEnds { name, start, end } if name == INPUT => {
                self.is_inside = false;
                if self.decoder.is_none() {
                    return whole.get(*start..*end).unwrap_or_default().to_owned();
                }
            }
            Event::TextGrows { text } if self.is_inside => return self.decoded(text),
            // Text of any kind comes as the value itself.
            Event::StringGrows { text, path } if !self.is_inside && path.last().is_none() => return text.clone(),
            Event::ValueBegins { kind, .. } => {
                never!(!self.is_inside && *kind != ValueKind::String, "the input of a custom tool is a string");
            }
            _ => {}
        }
        String::new()
    }

    /// Decodes more of a string, if the input is a JSON string.
    fn decoded(&mut self, text: &str) -> String {
        let Some(decoder) = &mut self.decoder else { return String::new() };
        let decoded = decoder.grow(text);
        never!(decoded.is_err(), "the format of a custom tool's call lets it be without an input");
        decoded.unwrap_or_default()
    }
}
