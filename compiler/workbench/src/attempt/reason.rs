//! Explains why a text is refused: by keys, values and paths if the text is JSON, otherwise by the texts that may come
//! next.
//!
//! Every text that a message calls expected was tried, and the automaton accepts it at that place.

mod keys;
mod mistake;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;

use super::json::{Json, JsonPlace, is_space, open_value};
use super::next::{Next, excerpt};
use crate::cut::cut;
pub use mistake::Mistake;

/// The reason why a text is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The kind of mistake; `None` if the format is too ambiguous to tell.
    pub code: Option<Mistake>,
    /// The mistake in a sentence.
    pub message: String,
    /// Start of the mistaken part of the text, as a byte offset; `expected` is about this place.
    pub at: usize,
    /// The path in a JSON value, if the text is one.
    pub path: Option<String>,
    /// Description of the texts that may come there.
    pub expected: String,
    /// The keys that may come there.
    pub keys: Vec<String>,
    /// The texts that may come there.
    pub words: Vec<String>,
    /// Advice on how to fix it.
    pub help: Option<String>,
}

/// A text and the format that refuses it.
pub(super) struct Refusal<'a> {
    pub(super) automaton: &'a Arc<Automaton>,
    pub(super) store: &'a Arc<MaskStore>,
    pub(super) text: &'a [u8],
    /// The number of accepted bytes.
    pub(super) accepted: usize,
    /// Whether the format's texts are JSON values.
    pub(super) is_value: bool,
}

impl Refusal<'_> {
    /// Finds the reason; `None` if the format is too ambiguous to tell.
    pub(super) fn reason(&self) -> Option<Reason> {
        let at = floor(self.text, self.accepted);
        let json = open_value(self.text.get(..at)?, self.is_value).filter(|json| self.is_written_as(json));
        let found = json.and_then(|json| self.of_json(&json, at));
        match found {
            Some(reason) => Some(reason),
            None => self.of_text(at),
        }
    }

    /// Returns a matcher after the first `at` bytes of the text.
    fn matcher_at(&self, at: usize) -> Option<Matcher> {
        let mut matcher = Matcher::new(Arc::clone(self.automaton), Arc::clone(self.store));
        matcher.accept_bytes(self.text.get(..at)?).ok()?;
        Some(matcher)
    }

    fn next_at(&self, at: usize) -> Option<Next> {
        self.matcher_at(at).map(|mut matcher| Next::of(&mut matcher))
    }

    /// Returns the text from the offset `at` on.
    fn rest(&self, at: usize) -> &[u8] {
        self.text.get(at..).unwrap_or_default()
    }

    /// Returns whether the format has a JSON value where the text looks like JSON; in other texts, brackets may mean
    /// something else.
    fn is_written_as(&self, json: &Json) -> bool {
        let whole = cut(self.text, json.start).0.iter().all(|&byte| is_space(byte));
        let has_value = |mut matcher: Matcher| {
            let frames = matcher.position().frames;
            !matcher.object_keys().is_empty() || frames.iter().any(|frame| frame.rule == "array")
        };
        whole || self.matcher_at(self.accepted).is_some_and(has_value)
    }

    fn of_json(&self, json: &Json, at: usize) -> Option<Reason> {
        let first = self.rest(at).first().copied();
        let outside = !matches!(json.place, JsonPlace::String(_) | JsonPlace::InKey(_) | JsonPlace::Scalar(_));
        if let Some(byte) = first.filter(|&byte| outside && is_space(byte)) {
            return self.white_space(json, at, byte);
        }
        match json.place {
            JsonPlace::KeyOrEnd | JsonPlace::Key => self.key(json, at, at),
            JsonPlace::InKey(start) => self.key(json, start, at),
            JsonPlace::Value | JsonPlace::ItemOrEnd => self.value(json, at),
            JsonPlace::String(start) => self.string(json, start, at),
            JsonPlace::Scalar(start) => self.scalar(json, start, at),
            JsonPlace::AfterValue => self.after(json, at),
            JsonPlace::Colon => self.plain(
                at,
                Mistake::Colon,
                Some(json.path()),
                format!("`:` is missing after the key at `{}`", json.path()),
            ),
        }
    }

    /// Explains white space that the format's policy does not allow.
    fn white_space(&self, json: &Json, at: usize, byte: u8) -> Option<Reason> {
        let name = crate::describe::quoted(&char::from(byte).to_string());
        let message = format!("{name} is not allowed here: the format fixes the white space between the parts of JSON");
        let reason = self.plain(at, Mistake::WhiteSpace, Some(json.path()), message)?;
        let help = "write the value without it, or let the format allow it: `space` is the policy".to_owned();
        Some(Reason { help: Some(help), ..reason })
    }

    /// Makes a reason that describes the texts that may come at its place.
    fn plain(&self, at: usize, code: Mistake, path: Option<String>, message: String) -> Option<Reason> {
        let next = self.next_at(at)?;
        let (expected, words) = (next.describe(), next.words);
        Some(Reason { code: Some(code), message, at, path, expected, words, ..Reason::default() })
    }

    /// Explains a mistake outside JSON; in the middle of a word, the reason is about the whole word.
    fn of_text(&self, at: usize) -> Option<Reason> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let word = self.text.get(..at)?.iter().rev().take_while(|byte| is_word(byte)).count();
        let from = at - word;
        let word = self.text.get(from..at).unwrap_or_default();
        let whole = self.next_at(from).filter(|next| {
            let is_other = |other: &String| other.len() > word.len();
            next.ranges.is_empty() && !next.may_end && next.words.iter().all(is_other) && next.words.len() > 1
        });
        let (at, next) = match whole {
            Some(next) => (from, next),
            None => (at, self.next_at(at)?),
        };
        let rest = self.rest(at);
        let (code, message) = match (rest.is_empty() || self.accepted == self.text.len(), next.may_end) {
            (true, _) => (Mistake::EndsEarly, "the text ends too early".to_owned()),
            (false, true) if next.words.is_empty() && next.ranges.is_empty() => {
                (Mistake::GoesOn, format!("the text goes on with {} where it must end", excerpt(&first_word(rest))))
            }
            (false, _) => (Mistake::NotAllowed, format!("{} is not allowed here", excerpt(&first_word(rest)))),
        };
        let (expected, words) = (next.describe(), next.words);
        Some(Reason { code: Some(code), message, at, expected, words, ..Reason::default() })
    }
}

/// Returns the start of the character that contains the byte.
fn floor(text: &[u8], at: usize) -> usize {
    let is_inner = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let lead = (at.saturating_sub(3)..=at).rev().find(|&at| !is_inner(at)).unwrap_or(at);
    let whole = |lead: usize| {
        (1..=4).any(|len| text.get(lead..lead + len).is_some_and(|part| std::str::from_utf8(part).is_ok()))
    };
    if is_inner(at) && whole(lead) { lead } else { at }
}

/// Returns the word at the start of a text, or its first character if that is no word.
fn first_word(text: &[u8]) -> Vec<u8> {
    let text = text.get(..text.len().min(200)).unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let first: String = text.chars().take(1).collect();
    if word.is_empty() { first.into_bytes() } else { word.into_bytes() }
}
