//! Follows a text with parts, and reports them as soon as they are decided.
//!
//! Each reading of the text ([`Readings`]) has a list of marks. The common beginning of all lists is certain: no reading without these
//! marks is left. The bytes before the first mark on which readings differ are certain too; later bytes are held back.

use std::sync::Arc;

use super::json::JsonReader;
use super::text::TextReader;
use super::{Event, EventError};
use crate::captures::readings::Readings;
use crate::captures::trail::{self, Mark};
use crate::captures::{CapturePart, Captures};

/// A search for decided marks visits all undecided ones. After a search that visits more marks than this, the next search waits for as many
/// bytes of text, so that the total cost is proportional to the length of the text even with many readings.
const MANY_MARKS: usize = 256;

/// The position of a reader in a text with parts.
#[derive(Clone, Debug)]
pub(super) struct MarkedReader {
    captures: Arc<Captures>,
    readings: Readings,
    /// The length of the text so far.
    at: usize,
    /// The end of the text that was not reported yet.
    rest: Vec<u8>,
    /// The open parts, the outermost first.
    open: Vec<Open>,
    text: TextReader,
    /// The length of text at which the next search for decided marks is due.
    next_look: usize,
}

/// An open part.
#[derive(Clone, Debug)]
enum Open {
    Capture { name: String, start: usize },
    Call { tool: String, start: usize },
    Value(Box<JsonReader>),
}

impl MarkedReader {
    /// Makes a reader at the beginning of a text.
    pub(super) fn new(captures: &Arc<Captures>) -> Self {
        Self {
            captures: Arc::clone(captures),
            readings: Readings::new(captures),
            at: 0,
            rest: Vec::new(),
            open: Vec::new(),
            text: TextReader::default(),
            next_look: 0,
        }
    }

    /// Returns whether tokens that the format asks for by name are read by their markers.
    pub(super) fn reads_markers(&self) -> bool {
        self.captures.automaton.derived.reads_markers()
    }

    /// Reads bytes; rules that count tokens count them as one token. If the format does not allow them, nothing has changed.
    pub(super) fn read(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), EventError> {
        self.readings.read(&self.captures, self.at, bytes)?;
        self.at += bytes.len();
        self.rest.extend_from_slice(bytes);
        if self.at < self.next_look {
            return Ok(());
        }
        let (marks, until, looked) = self.readings.take_decided(&self.captures, self.at);
        if looked > MANY_MARKS {
            self.next_look = self.at + looked;
        }
        self.apply(&marks, out)?;
        self.tell_until(until, out)?;
        self.readings.compact();
        Ok(())
    }

    /// Ends the text.
    pub(super) fn finish(&mut self, out: &mut Vec<Event>) -> Result<(), EventError> {
        let marks = self.readings.finished_marks(&self.captures).ok_or(EventError::Incomplete { at: self.at })?;
        self.apply(&marks, out)?;
        self.tell_until(self.at, out)?;
        self.text.finish(self.at)
    }

    fn apply(&mut self, marks: &[Mark], out: &mut Vec<Event>) -> Result<(), EventError> {
        for mark in marks {
            self.tell_until(mark.at, out)?;
            match mark.event {
                trail::Event::Begin(part) => self.begin(part, mark.at, out)?,
                trail::Event::End => self.end(mark.at, out)?,
            }
        }
        Ok(())
    }

    /// Begins the part with this index, if it exists; only a broken automaton has marks with other indexes.
    fn begin(&mut self, part: usize, at: usize, out: &mut Vec<Event>) -> Result<(), EventError> {
        self.text.finish(at)?;
        match self.captures.parts.get(part) {
            Some(CapturePart::Capture(name)) => {
                out.push(Event::CaptureBegins { name: name.clone(), at });
                self.open.push(Open::Capture { name: name.clone(), start: at });
            }
            Some(CapturePart::Call(tool)) => {
                out.push(Event::CallBegins { tool: tool.clone(), at });
                self.open.push(Open::Call { tool: tool.clone(), start: at });
            }
            Some(CapturePart::Value) | None => self.open.push(Open::Value(Box::new(JsonReader::new(at)))),
        }
        Ok(())
    }

    fn end(&mut self, end: usize, out: &mut Vec<Event>) -> Result<(), EventError> {
        self.text.finish(end)?;
        match self.open.pop() {
            Some(Open::Capture { name, start }) => out.push(Event::CaptureEnds { name, start, end }),
            Some(Open::Call { tool, start }) => out.push(Event::CallEnds { tool, start, end }),
            Some(Open::Value(mut value)) => value.finish(out)?,
            None => {}
        }
        Ok(())
    }

    /// Reports the text up to offset `until`.
    fn tell_until(&mut self, until: usize, out: &mut Vec<Event>) -> Result<(), EventError> {
        let first = self.at - self.rest.len();
        let len = until.saturating_sub(first).min(self.rest.len());
        if len == 0 {
            return Ok(());
        }
        let bytes: Vec<u8> = self.rest.drain(..len).collect();
        match self.open.last_mut() {
            Some(Open::Value(value)) => value.read(&bytes, out),
            Some(Open::Capture { .. } | Open::Call { .. }) | None => self.text.read(&bytes, first, out),
        }
    }
}
