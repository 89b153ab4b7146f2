//! Finds the calls of tools in a text whose format has them: as soon as a call's beginning is written, a whole call follows.

use always_assert::never;

use super::begun;
use super::input::InputReader;
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE, CalledTools, ToolKind};

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

/// What is read next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reading {
    #[default]
    Text,
    Name,
    /// Arguments stand on one line, so that the end of a call, which begins a line, cannot stand in them.
    Arguments,
}

/// The reader of a text with calls.
#[derive(Debug)]
pub(super) struct Calls {
    tools: CalledTools,
    reading: Reading,
    /// Decodes the arguments of a call of a custom tool.
    input: Option<InputReader>,
    /// What was not told apart yet.
    rest: String,
    /// Whether a call came before, so that line breaks between calls are no text.
    is_behind_call: bool,
}

impl Calls {
    /// Begins a text that may call such tools.
    pub(super) fn new(tools: CalledTools) -> Self {
        Self { tools, reading: Reading::default(), input: None, rest: String::new(), is_behind_call: false }
    }

    /// Adds text; returns the parts that are certain.
    pub(super) fn grow(&mut self, text: &str) -> Vec<CallPart> {
        self.rest.push_str(text);
        let mut parts = Vec::new();
        while self.step(&mut parts) {}
        parts
    }

    /// Ends the text; returns the rest, which belongs to no call.
    pub(super) fn end(&mut self) -> String {
        let rest = std::mem::take(&mut self.rest);
        if self.is_behind_call && rest.trim_matches('\n').is_empty() { String::new() } else { rest }
    }

    /// Reads up to the next border; returns whether it is there.
    fn step(&mut self, parts: &mut Vec<CallPart>) -> bool {
        let border = match self.reading {
            Reading::Text => CALL_BEGINS,
            Reading::Name => CALL_MIDDLE,
            Reading::Arguments => CALL_ENDS,
        };
        let found = self.rest.find(border);
        let certain = found.unwrap_or_else(|| self.rest.len() - begun(&self.rest, &[border]));
        match self.reading {
            Reading::Text => self.text(certain, found.is_some(), parts),
            Reading::Name if found.is_none() => return false,
            Reading::Name => {
                let name = self.take(certain);
                let kind = self.tools.kind(&name);
                self.input = (kind == ToolKind::Custom).then(InputReader::default);
                parts.push(CallPart::Begins { kind, name });
            }
            Reading::Arguments => {
                let arguments = self.take(certain);
                let arguments = self.decoded(arguments);
                parts.extend((!arguments.is_empty()).then_some(CallPart::Arguments(arguments)));
            }
        }
        if found.is_none() {
            return false;
        }
        self.take(border.len());
        self.is_behind_call |= self.reading == Reading::Arguments;
        self.reading = match self.reading {
            Reading::Text => Reading::Name,
            Reading::Name => Reading::Arguments,
            Reading::Arguments => Reading::Text,
        };
        true
    }

    /// Takes text outside of calls; line breaks between two calls are none.
    fn text(&mut self, certain: usize, is_before_call: bool, parts: &mut Vec<CallPart>) {
        let breaks_alone = self.rest[..certain].bytes().all(|byte| byte == b'\n');
        if self.is_behind_call && breaks_alone && !is_before_call {
            return;
        }
        let text = self.take(certain);
        if !(text.is_empty() || self.is_behind_call && breaks_alone) {
            self.is_behind_call = false;
            parts.push(CallPart::Text(text));
        }
    }

    /// Decodes the arguments of a custom tool, which the format has in the form that is read.
    fn decoded(&mut self, arguments: String) -> String {
        let Some(input) = &mut self.input else { return arguments };
        let decoded = input.grow(&arguments);
        never!(decoded.is_err(), "the format of a custom tool's call lets it be without an input");
        decoded.unwrap_or_default()
    }

    fn take(&mut self, len: usize) -> String {
        self.rest.drain(..len).collect()
    }
}
