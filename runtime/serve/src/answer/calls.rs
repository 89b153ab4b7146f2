//! Finds the calls of tools in a text whose format has them: as soon as a call's beginning is written, a whole call follows.

use super::begun;
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE};

/// A part of a text with calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallPart {
    /// Text outside of calls.
    Text(String),
    /// A call of the tool of this name begins.
    Begins(String),
    /// More of the arguments of the call.
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
#[derive(Debug, Default)]
pub(super) struct Calls {
    reading: Reading,
    /// What was not told apart yet.
    rest: String,
    /// Whether a call came before, so that line breaks between calls are no text.
    is_behind_call: bool,
}

impl Calls {
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
            Reading::Name => parts.push(CallPart::Begins(self.take(certain))),
            Reading::Arguments => {
                let arguments = self.take(certain);
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

    fn take(&mut self, len: usize) -> String {
        self.rest.drain(..len).collect()
    }
}
