//! Finds the calls of tools in a text, by the events of the text: the borders of regions, calls and arguments are never guessed from characters.
//! Arguments are returned as JSON, whatever the style of the calls.

mod arguments;

use ogc_runtime::captures::Content;
use ogc_runtime::events::{Event, EventError, EventReader};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use crate::call_syntax::capture::{ANSWER, CALLS, custom_number};
use crate::call_syntax::{CalledTools, ToolKind};
use arguments::Arguments;

/// A part of a text with calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallPart {
    /// Text outside of calls.
    Text(String),
    /// A call of the tool of this name begins.
    Begins { kind: ToolKind, name: String },
    /// More of the arguments of the call, or of the input of a custom tool.
    Arguments(String),
}

/// The part of an answer that is read.
#[derive(Debug)]
enum Reading {
    /// Text around calls.
    Text,
    /// The text that takes the place of calls.
    Answer,
    /// The texts around the calls of a region.
    Region,
    Call(Box<Arguments>),
}

/// The reader of a text with calls.
#[derive(Debug)]
pub(super) struct Calls {
    tools: CalledTools,
    reader: EventReader,
    reading: Reading,
    /// The text so far, as long as it may be an answer in place of calls.
    undecided: String,
    /// The text so far, if the input of custom tools needs it.
    whole: Option<String>,
    /// Line breaks after a call; they are not text if another call or the end follows. `None` if there was no call before.
    breaks: Option<String>,
}

impl Calls {
    /// Begins a text of `content`, which may call these tools.
    pub(super) fn new(tools: CalledTools, content: &Content) -> Self {
        let whole = (!tools.customs.is_empty()).then(String::new);
        Self {
            tools,
            reader: EventReader::new(content),
            reading: Reading::Text,
            undecided: String::new(),
            whole,
            breaks: None,
        }
    }

    /// Adds text; returns the parts that are already certain.
    pub(super) fn grow(&mut self, text: &str) -> Result<Vec<CallPart>, EventError> {
        if let Some(whole) = &mut self.whole {
            whole.push_str(text);
        }
        self.read(text, |reader| reader.read_bytes(text.as_bytes()))
    }

    /// Adds tokens, and their text, for a format that asks for some tokens by name.
    pub(super) fn grow_tokens(
        &mut self,
        text: &str,
        vocabulary: &Vocabulary,
        tokens: &[TokenId],
    ) -> Result<Vec<CallPart>, EventError> {
        self.read(text, |reader| {
            let mut events = Vec::new();
            for token in tokens {
                events.extend(reader.read_token(vocabulary, *token)?);
            }
            Ok(events)
        })
    }

    /// Ends the text; returns the last parts.
    pub(super) fn end(&mut self) -> Result<Vec<CallPart>, EventError> {
        self.read("", EventReader::finish)
    }

    fn read(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut EventReader) -> Result<Vec<Event>, EventError>,
    ) -> Result<Vec<CallPart>, EventError> {
        let events = read(&mut self.reader)?;
        let mut parts = Vec::new();
        match self.reading {
            Reading::Answer => parts.push(CallPart::Text(text.to_owned())),
            _ if self.tools.has_answer => self.undecided.push_str(text),
            _ => {}
        }
        events.into_iter().for_each(|event| self.event(&event, &mut parts));
        parts.retain(|part| !matches!(part, CallPart::Text(text) | CallPart::Arguments(text) if text.is_empty()));
        Ok(parts)
    }

    fn event(&mut self, event: &Event, parts: &mut Vec<CallPart>) {
        match (&mut self.reading, event) {
            (Reading::Text, Event::TextGrows { text }) if !self.tools.has_answer => {
                parts.push(CallPart::Text(outside(&mut self.breaks, text)));
            }
            (Reading::Text, Event::CaptureBegins { name, .. }) if name == ANSWER => {
                self.reading = Reading::Answer;
                parts.push(CallPart::Text(std::mem::take(&mut self.undecided)));
            }
            (Reading::Text, Event::CaptureBegins { name, .. }) if name == CALLS => self.reading = Reading::Region,
            (Reading::Region, Event::CaptureEnds { name, .. }) if name == CALLS => {
                self.reading = Reading::Text;
                self.breaks = Some(String::new());
            }
            (Reading::Region, Event::CallBegins { tool, .. }) => {
                parts.push(CallPart::Begins { kind: ToolKind::Function, name: tool.clone() });
                self.reading = Reading::Call(Box::new(Arguments::of_function()));
            }
            (Reading::Region, Event::CaptureBegins { name, .. }) => self.begin_custom(name, parts),
            (Reading::Call(arguments), event) => {
                let whole = self.whole.as_deref().unwrap_or_default();
                parts.push(CallPart::Arguments(arguments.read(event, whole)));
                if arguments.is_over() {
                    self.reading = Reading::Region;
                }
            }
            _ => {}
        }
    }

    /// Begins a call of a custom tool.
    fn begin_custom(&mut self, capture: &str, parts: &mut Vec<CallPart>) {
        let Some(name) = custom_number(capture).and_then(|number| self.tools.customs.get(number)) else { return };
        parts.push(CallPart::Begins { kind: ToolKind::Custom, name: name.clone() });
        self.reading = Reading::Call(Box::new(Arguments::of_custom(capture, self.tools.style)));
    }
}

/// Returns the certain part of text outside of calls. Line breaks after a call are held back until other text comes.
fn outside(breaks: &mut Option<String>, text: &str) -> String {
    let Some(kept) = breaks else { return text.to_owned() };
    kept.push_str(text);
    if text.bytes().all(|byte| byte == b'\n') { String::new() } else { breaks.take().unwrap_or_default() }
}
