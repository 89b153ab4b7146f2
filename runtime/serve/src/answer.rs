//! Turns a growing text into an answer: finds stop strings and calls of tools, and holds back text that may belong to one of them.

mod calls;
mod input;
mod json_writer;
mod prefix;
mod stops;

use ogc_runtime::captures::Content;
use ogc_runtime::events::{Event, EventError, EventReader, EventRecord};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use calls::{CallPart, Calls};
pub(crate) use input::{InputReader, NoInput};
pub(crate) use prefix::Prefix;
use stops::Stops;

use crate::call_syntax::{CalledTools, ToolKind};

/// A change of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Delta {
    /// More of the text.
    Content(String),
    /// More of another field of the message, which another server sent.
    OtherField { field: &'static str, text: String },
    /// A call of a tool begins: its number in the answer, and the tool.
    CallBegins { index: usize, kind: ToolKind, name: String },
    /// More of the arguments of a call, or of the input of a custom tool.
    Arguments { index: usize, text: String },
    /// Events of the text.
    Events(Vec<EventRecord>),
}

/// The reason why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The model ended it, the format allows nothing more, or a stop string came.
    Stop,
    /// A text that may end anywhere has reached the maximum number of tokens.
    Length,
    /// It has calls of tools.
    ToolCalls,
    /// Another server cut it by a filter.
    Filter,
}

impl Finish {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::Filter => "content_filter",
        }
    }
}

/// An answer that grows.
#[derive(Debug)]
pub(crate) struct Answer {
    stops: Stops,
    calls: Option<Calls>,
    called: usize,
    events: Option<EventReader>,
    /// Set while text outside of the format may be the beginning of a stop string: the offset of that text in bytes, and the state before it.
    refused: Option<(usize, Stops)>,
}

/// Whether text outside of the format is a stop string.
#[derive(Debug)]
pub(crate) enum Beyond {
    /// The text is a stop string, or the end of one: the answer ends before it.
    Stopped(Vec<Delta>),
    /// The text so far may be the beginning of a stop string.
    Waiting(Vec<Delta>),
    /// The text is not a stop string.
    NoStop,
}

impl Answer {
    /// Begins an answer with these stop strings, with calls of these tools in texts of `content`, and with the events of a reader.
    pub(crate) fn new(stops: Vec<String>, tools: Option<(CalledTools, &Content)>, events: Option<EventReader>) -> Self {
        let calls = tools.map(|(tools, content)| Calls::new(tools, content));
        Self { stops: Stops::new(stops), calls, called: 0, events, refused: None }
    }

    /// Adds tokens, and their text, for a format that asks for some tokens by name. No text is held back for stop strings.
    ///
    /// # Errors
    /// As for [`Answer::grow`].
    pub(crate) fn grow_tokens(
        &mut self,
        text: &str,
        vocabulary: &Vocabulary,
        tokens: &[TokenId],
    ) -> Result<Vec<Delta>, EventError> {
        let mut deltas = match &mut self.calls {
            Some(calls) => {
                let parts = calls.grow_tokens(text, vocabulary, tokens)?;
                self.told(parts)
            }
            None => self.deltas(text)?,
        };
        for token in tokens {
            deltas.extend(self.events(|reader| reader.read_token(vocabulary, *token))?);
        }
        Ok(deltas)
    }

    /// Adds text. A stop string ends the answer only if `may_end` says that the text before it could end there.
    ///
    /// # Errors
    /// The reader of events cannot read the text.
    pub(crate) fn grow(&mut self, text: &str, may_end: impl FnMut(&str) -> bool) -> Result<Vec<Delta>, EventError> {
        let certain = self.stops.grow(text, may_end);
        let mut deltas = self.deltas(&certain)?;
        deltas.extend(self.events(|reader| reader.read_bytes(certain.as_bytes()))?);
        Ok(deltas)
    }

    /// Adds text outside of the format, which may be a stop string or the end of one.
    ///
    /// # Errors
    /// As for [`Answer::grow`].
    pub(crate) fn grow_beyond(&mut self, text: &str, may_end: impl FnMut(&str) -> bool) -> Result<Beyond, EventError> {
        if self.stops.is_empty() {
            return Ok(Beyond::NoStop);
        }
        let border = self.refused.as_ref().map_or(self.stops.len(), |(border, _)| *border);
        let mut trial = self.stops.clone();
        let certain = trial.grow(text, may_end);
        if !trial.is_stopped() && trial.undecided() > border {
            if let Some((_, before)) = self.refused.take() {
                self.stops.go_back(before);
            }
            return Ok(Beyond::NoStop);
        }
        let before = std::mem::replace(&mut self.stops, trial);
        let mut deltas = self.deltas(&certain)?;
        deltas.extend(self.events(|reader| reader.read_bytes(certain.as_bytes()))?);
        if self.stops.is_stopped() {
            return Ok(Beyond::Stopped(deltas));
        }
        self.refused.get_or_insert((border, before));
        Ok(Beyond::Waiting(deltas))
    }

    /// Returns whether a stop string came.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stops.is_stopped()
    }

    /// Ends the answer; returns the text that was held back, and the reason why the answer ended. `is_full` is true if
    /// the maximum number of tokens is reached. `has_text` is true if the answer has a text of the format and not calls
    /// in its place; only then the last events of the text are read.
    ///
    /// # Errors
    /// As for [`Answer::grow`].
    pub(crate) fn end(&mut self, is_full: bool, has_text: bool) -> Result<(Vec<Delta>, Finish), EventError> {
        let rest = self.stops.end();
        let mut deltas = self.deltas(&rest)?;
        deltas.extend(self.events(|reader| reader.read_bytes(rest.as_bytes()))?);
        if let Some(calls) = &mut self.calls {
            let parts = calls.end()?;
            deltas.extend(self.told(parts));
        }
        let finish = match (self.called, is_full && !self.stops.is_stopped()) {
            (0, true) => Finish::Length,
            (0, false) => Finish::Stop,
            (_, _) => Finish::ToolCalls,
        };
        if finish != Finish::Length && has_text {
            deltas.extend(self.events(EventReader::finish)?);
        }
        Ok((deltas, finish))
    }

    /// Reads events, if the client wants them.
    fn events(
        &mut self,
        read: impl FnOnce(&mut EventReader) -> Result<Vec<Event>, EventError>,
    ) -> Result<Option<Delta>, EventError> {
        let Some(reader) = &mut self.events else { return Ok(None) };
        let records: Vec<EventRecord> = read(reader)?.into_iter().map(EventRecord::from).collect();
        Ok((!records.is_empty()).then_some(Delta::Events(records)))
    }

    fn deltas(&mut self, text: &str) -> Result<Vec<Delta>, EventError> {
        let Some(calls) = &mut self.calls else {
            return Ok(if text.is_empty() { Vec::new() } else { vec![Delta::Content(text.to_owned())] });
        };
        let parts = calls.grow(text)?;
        Ok(self.told(parts))
    }

    /// Turns parts of the text into deltas, and gives each call the next index.
    fn told(&mut self, parts: Vec<CallPart>) -> Vec<Delta> {
        let one = |part| match part {
            CallPart::Text(text) => Delta::Content(text),
            CallPart::Begins { kind, name } => {
                self.called += 1;
                Delta::CallBegins { index: self.called - 1, kind, name }
            }
            CallPart::Arguments(text) => Delta::Arguments { index: self.called.saturating_sub(1), text },
        };
        parts.into_iter().map(one).collect()
    }
}

/// Returns the length of the longest suffix of `text` that is a proper prefix of one of `strings`.
fn begun(text: &str, strings: &[&str]) -> usize {
    let longest = strings.iter().map(|string| string.len()).max().unwrap_or(0);
    let starts = (1..longest.min(text.len() + 1)).rev().map(|len| text.len() - len);
    let mut starts = starts.filter(|start| text.is_char_boundary(*start));
    let found = starts.find(|start| {
        let end = &text[*start..];
        strings.iter().any(|string| string.len() > end.len() && string.starts_with(end))
    });
    found.map_or(0, |start| text.len() - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, stops: &[&str], expected: &[Delta], finish: Finish) {
        let stops: Vec<String> = stops.iter().copied().map(str::to_owned).collect();
        // The result is the same for pieces of any length.
        for len in 1..=text.len() {
            let mut answer = Answer::new(stops.clone(), None, None);
            let mut found: Vec<Delta> = Vec::new();
            let mut start = 0;
            while start < text.len() && !answer.is_stopped() {
                let end = (start + len..).find(|end| *end >= text.len() || text.is_char_boundary(*end)).unwrap_or(0);
                join(&mut found, answer.grow(&text[start..end.min(text.len())], |_| true).unwrap());
                start = end;
            }
            let (rest, ended) = answer.end(false, true).unwrap();
            join(&mut found, rest);
            assert_eq!((&*found, ended), (expected, finish), "in parts of {len} bytes");
        }
    }

    /// Appends changes, and merges text with the text before it.
    fn join(all: &mut Vec<Delta>, more: Vec<Delta>) {
        for delta in more {
            match (all.last_mut(), delta) {
                (Some(Delta::Content(text)), Delta::Content(more)) => text.push_str(&more),
                (_, delta) => all.push(delta),
            }
        }
    }

    fn content(text: &str) -> Delta {
        Delta::Content(text.to_owned())
    }

    #[test]
    fn stop_strings_end_texts_at_their_first_occurrence() {
        check("Hello w\u{f6}rld", &[], &[content("Hello w\u{f6}rld")], Finish::Stop);
        check("one\n\ntwo", &["\n\n"], &[content("one")], Finish::Stop);
        check("aab", &["ab", "x"], &[content("a")], Finish::Stop);
        check("one\ntwo\n", &["\n\n"], &[content("one\ntwo\n")], Finish::Stop);
        // Of two stop strings, the one that begins first counts.
        check("abcd", &["bcd", "cd"], &[content("a")], Finish::Stop);
    }

    #[test]
    fn a_stop_string_counts_only_where_the_format_allows_an_end() {
        let mut answer = Answer::new(vec!["}".to_owned()], None, None);
        let deltas = answer.grow("{\"a\": {}} ", |before| before.len() == 8).unwrap();
        assert_eq!(deltas, [content("{\"a\": {}")]);
        assert!(answer.is_stopped());
    }

    #[test]
    fn a_text_at_its_token_limit_finishes_with_length() {
        let mut answer = Answer::new(Vec::new(), None, None);
        answer.grow("a", |_| true).unwrap();
        assert_eq!(answer.end(true, true).unwrap().1, Finish::Length);
    }

    #[test]
    fn a_stop_string_may_extend_beyond_the_format() {
        // The format reads digits and a line break; the rejected text begins at byte 3.
        let whole = |before: &str| before == "42";
        let mut answer = Answer::new(vec!["\nQ:".to_owned()], None, None);
        assert_eq!(answer.grow("42\n", whole).unwrap(), [content("42")]);
        assert!(matches!(answer.grow_beyond("Q", whole).unwrap(), Beyond::Waiting(deltas) if deltas.is_empty()));
        assert!(matches!(answer.grow_beyond(":", whole).unwrap(), Beyond::Stopped(deltas) if deltas.is_empty()));
        // Text that turns out not to be a stop string leaves everything as it was.
        let mut answer = Answer::new(vec!["\nQ:".to_owned()], None, None);
        answer.grow("42\n", whole).unwrap();
        answer.grow_beyond("Q", whole).unwrap();
        assert!(matches!(answer.grow_beyond("x", whole).unwrap(), Beyond::NoStop));
        assert_eq!(answer.grow("7", whole).unwrap(), [content("\n7")]);
    }
}
