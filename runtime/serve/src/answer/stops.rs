//! Finds stop strings.

use super::begun;

/// The stop strings, and the text so far.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    strings: Vec<String>,
    /// The text so far; empty if there are no stop strings.
    text: String,
    /// Number of bytes of the text that were returned.
    given: usize,
    /// Offset in bytes from which stop strings are searched.
    searched: usize,
    is_stopped: bool,
}

impl Stops {
    pub(super) fn new(strings: Vec<String>) -> Self {
        Self { strings, text: String::new(), given: 0, searched: 0, is_stopped: false }
    }

    /// Returns the offset in bytes from which on the text is undecided.
    pub(super) fn undecided(&self) -> usize {
        self.searched
    }

    /// Returns the length of the text so far, in bytes; 0 if there are no stop strings.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// Restores an earlier state, except for the text that was returned since.
    pub(super) fn go_back(&mut self, before: Self) {
        let given = self.given;
        *self = Self { given, searched: before.searched.max(given), ..before };
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Adds text; returns the text that is certain to lie before a stop string, and was not returned yet.
    pub(super) fn grow(&mut self, text: &str, mut may_end: impl FnMut(&str) -> bool) -> String {
        if self.strings.is_empty() {
            return text.to_owned();
        }
        if self.is_stopped {
            return String::new();
        }
        self.text.push_str(text);
        while let Some(at) = self.next() {
            if may_end(&self.text[..at]) {
                self.is_stopped = true;
                return self.give(at);
            }
            self.searched = at + self.text[at..].chars().next().map_or(1, char::len_utf8);
        }
        let strings: Vec<&str> = self.strings.iter().map(String::as_str).collect();
        let kept = begun(&self.text[self.searched..], &strings);
        self.searched = self.text.len() - kept;
        self.give(self.searched)
    }

    /// Ends the text; returns the rest.
    pub(super) fn end(&mut self) -> String {
        if self.is_stopped { String::new() } else { self.give(self.text.len()) }
    }

    /// Finds the first occurrence of a stop string.
    fn next(&self) -> Option<usize> {
        let rest = &self.text[self.searched..];
        self.strings.iter().filter_map(|string| rest.find(string)).min().map(|at| self.searched + at)
    }

    fn give(&mut self, end: usize) -> String {
        let given = self.text[self.given..end].to_owned();
        self.given = end;
        given
    }
}
