//! Follows a text of another server with a matcher, and passes on the part that matches the format.

use std::sync::Arc;

use always_assert::never;
use ogc_runtime::captures::Content;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use serde::Serialize;

use super::space::{Json, is_space};
use crate::compile::CompiledFormat;

/// Maximum number of characters of the found text, and maximum number of expected alternatives, that an error shows.
const MAX_SHOWN: (usize, usize) = (24, 8);

/// Longest run of white space that is added at a place, in bytes.
const MAX_ADDED: usize = 4_096;

/// Place at which a text violates its format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Violation {
    /// Part of the answer: `content`, or the arguments of a call.
    pub(crate) part: String,
    /// Offset in the part, in bytes.
    pub(crate) at: usize,
    /// Beginning of the text at that place; `None` if the text ended there.
    pub(crate) found: Option<String>,
    /// Text that would be allowed there.
    pub(crate) expected: Vec<String>,
    /// The innermost rule at that place.
    pub(crate) rule: Option<String>,
}

impl Violation {
    /// Makes a violation of the rules for calls: the tools, and the number of calls.
    pub(crate) fn of_calls(found: Option<&str>, expected: Vec<String>) -> Self {
        Self { part: "tool_calls".to_owned(), at: 0, found: found.map(str::to_owned), expected, rule: None }
    }

    /// Makes the violation of arguments that do not contain the input of a custom tool.
    pub(crate) fn of_input(part: &str, found: Option<&str>) -> Self {
        let found = found.map(|found| found.chars().take(MAX_SHOWN.0).collect());
        let expected = vec!["{\"input\": \"...\"}".to_owned()];
        Self { part: part.to_owned(), at: 0, found, expected, rule: None }
    }

    /// Describes the violation, for people.
    pub(crate) fn message(&self) -> String {
        let Self { part, at, found, expected, rule } = self;
        let found = found.as_ref().map_or("the end".to_owned(), |found| format!("{found:?}"));
        let rule = rule.as_ref().map_or(String::new(), |rule| format!(" in `{rule}`"));
        let expected = if expected.is_empty() { "nothing".to_owned() } else { expected.join(", ") };
        format!("byte {at} of {part}{rule}: found {found}, expected {expected}")
    }
}

/// Verifies a growing text.
pub(crate) struct Verifier {
    matcher: Matcher,
    /// If the text is JSON, its white space is adapted to the format.
    json: Option<Json>,
    part: String,
    /// Number of bytes of the other server's text that were read.
    read: usize,
    /// Number of these bytes that were left out of a text that is not JSON.
    left_out: usize,
    /// Whether the text is complete, and white space behind it was left out: then only more white space may follow.
    only_space_follows: bool,
    /// White space that was accepted behind a complete text, and the matcher before it. Models like to end with a line break, even if the format
    /// would read it as the beginning of more text.
    held: Option<(Matcher, String)>,
}

/// Result of verifying a piece of text.
pub(crate) struct Verified {
    /// The part that matches the format, and may be passed on.
    pub(crate) text: String,
    /// The rest, with the violation.
    pub(crate) refused: Option<(String, Violation)>,
}

impl Verifier {
    /// Begins a text of a format.
    pub(crate) fn new(format: &CompiledFormat, store: &Arc<MaskStore>, part: String) -> Self {
        let json = (format.content == Content::Value).then(Json::default);
        let matcher = format.matcher(store);
        Self { matcher, json, part, read: 0, left_out: 0, only_space_follows: false, held: None }
    }

    /// Reads more of the text.
    ///
    /// # Errors
    /// The format is too ambiguous to be followed.
    pub(crate) fn grow(&mut self, text: &str) -> Result<Verified, MatchError> {
        let (mut passed, mut rest) = (String::new(), text);
        while let Some(&next) = rest.as_bytes().first() {
            let joins = self.json.as_ref().is_some_and(|json| json.would_join(next));
            if joins || (self.only_space_follows && !is_space(next)) {
                return Ok(self.refused(passed, rest));
            }
            rest = &rest[self.accept_run(rest, &mut passed)?..];
            if rest.is_empty() {
                break;
            }
            match self.space(rest)? {
                Some(Space::LeftOut) => rest = &rest[1..],
                Some(Space::Added(added)) => passed.push_str(&added),
                None => return Ok(self.refused(passed, rest)),
            }
        }
        Ok(Verified { text: passed, refused: None })
    }

    /// Rejects the rest of a text, including the white space before it that was held back.
    fn refused(&mut self, text: String, rest: &str) -> Verified {
        let held = self.held.as_ref().map_or("", |(_, space)| space);
        let refused = [held, rest].concat();
        Verified { text, refused: Some((refused, self.violation(Some(rest)))) }
    }

    /// Accepts the longest prefix that matches the format, and appends it to `passed`, but holds back white space behind a complete text. Returns the
    /// prefix's length.
    fn accept_run(&mut self, text: &str, passed: &mut String) -> Result<usize, MatchError> {
        if self.json.is_some() {
            let len = self.accept(text)?;
            passed.push_str(&text[..len]);
            return Ok(len);
        }
        let core = text.trim_end_matches(|character: char| u8::try_from(character).is_ok_and(is_space));
        let mut len = self.accept(core)?;
        if len > 0 {
            let held = self.held.take().map_or(String::new(), |(_, space)| space);
            passed.push_str(&held);
            passed.push_str(&text[..len]);
        }
        if len == core.len() && len < text.len() {
            let whole = (self.held.is_none() && self.is_whole()).then(|| self.matcher.fork());
            let space = self.accept(&text[len..])?;
            match (whole, &mut self.held) {
                (Some(whole), _) if space > 0 => self.held = Some((whole, text[len..len + space].to_owned())),
                (_, Some((_, held))) => held.push_str(&text[len..len + space]),
                (_, None) => passed.push_str(&text[len..len + space]),
            }
            len += space;
        }
        Ok(len)
    }

    /// Ends the text, and adds white space that must follow. Returns that white space, and the violation if the text is incomplete.
    ///
    /// # Errors
    /// As for [`Verifier::grow`].
    pub(crate) fn end(&mut self) -> Result<(String, Option<Violation>), MatchError> {
        if self.matcher.is_complete() {
            return Ok((self.held.take().map_or(String::new(), |(_, space)| space), None));
        }
        if let Some((whole, _)) = self.held.take() {
            self.matcher = whole;
            return Ok((String::new(), None));
        }
        match self.add_space_until(Matcher::is_complete)? {
            Some(added) => Ok((added, None)),
            None => Ok((String::new(), Some(self.violation(None)))),
        }
    }

    /// Returns whether the text so far is a complete text of the format.
    pub(crate) fn is_whole(&self) -> bool {
        self.matcher.is_complete() || self.held.is_some()
    }

    /// Returns whether the text is complete, and nothing may follow.
    pub(crate) fn is_over(&mut self) -> bool {
        self.matcher.is_complete() && self.matcher.position().expected.is_empty()
    }

    /// Reads the text that is forced next, without escapes, which the other server need not write; returns it.
    ///
    /// # Errors
    /// As for [`Verifier::grow`].
    pub(crate) fn read_forced(&mut self) -> Result<String, MatchError> {
        // The other server will continue with a new text; white space that was left out before does not concern it.
        self.only_space_follows = false;
        if let Some((whole, _)) = self.held.take() {
            self.matcher = whole;
        }
        self.json.iter_mut().for_each(Json::forget_left_out);
        let (mut matcher, mut forced) = (self.matcher.fork(), Vec::new());
        while forced.len() < MAX_ADDED && !matcher.is_complete() {
            let mut expected = matcher.position().expected;
            // In a string of JSON nearly each character can be an escape too.
            expected.retain(|byte| self.json.is_none() || *byte != b'\\');
            let [byte] = expected[..] else { break };
            matcher.accept_bytes(&[byte])?;
            forced.push(byte);
        }
        // The other server continues after whole characters only.
        let whole = forced.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        self.matcher.accept_bytes(whole.as_bytes())?;
        self.read += whole.len();
        if let Some(json) = &mut self.json {
            json.read(whole);
        }
        Ok(whole.to_owned())
    }

    /// Accepts the longest prefix that matches the format, in whole characters; returns its length.
    fn accept(&mut self, text: &str) -> Result<usize, MatchError> {
        let len = match self.matcher.accept_bytes(text.as_bytes()) {
            Ok(()) => text.len(),
            Err(MatchError::NotAllowed { at }) => {
                let mut len = at.min(text.len());
                while !text.is_char_boundary(len) {
                    len -= 1;
                }
                self.matcher.accept_bytes(&text.as_bytes()[..len])?;
                len
            }
            Err(MatchError::Terminated) => 0,
            Err(error) => return Err(error),
        };
        self.read += len;
        if let Some(json) = &mut self.json {
            json.read(&text[..len]);
        }
        Ok(len)
    }

    /// Leaves out or adds white space, so that a text that violates the format can go on.
    fn space(&mut self, bad: &str) -> Result<Option<Space>, MatchError> {
        let is_space = bad.bytes().next().is_some_and(is_space);
        // Models like to write line breaks before and behind a text of any format.
        self.only_space_follows |= is_space && self.json.is_none() && self.read > self.left_out && self.is_whole();
        if is_space && self.json.is_none() && (self.only_space_follows || self.read == self.left_out) {
            self.left_out += 1;
            self.read += 1;
            return Ok(Some(Space::LeftOut));
        }
        let Some(json) = self.json.as_mut().filter(|json| json.is_between_tokens()) else { return Ok(None) };
        if is_space {
            json.leave_out();
            self.read += 1;
            return Ok(Some(Space::LeftOut));
        }
        let Some(character) = bad.chars().next() else {
            never!("nothing of {} is refused at byte {}", self.part, self.read);
            return Ok(None);
        };
        let fits =
            |matcher: &Matcher| matcher.fork().accept_bytes(character.encode_utf8(&mut [0; 4]).as_bytes()).is_ok();
        Ok(self.add_space_until(fits)?.map(Space::Added))
    }

    /// Adds white space up to a place where `holds` is true, if only that white space can follow; returns the added white space.
    fn add_space_until(&mut self, mut holds: impl FnMut(&Matcher) -> bool) -> Result<Option<String>, MatchError> {
        let Some(json) = self.json.as_mut().filter(|json| json.is_between_tokens()) else { return Ok(None) };
        let (mut matcher, mut added) = (self.matcher.fork(), String::new());
        while added.len() < MAX_ADDED {
            let spaces: Vec<u8> = matcher.position().expected.into_iter().filter(|byte| is_space(*byte)).collect();
            let [space] = spaces[..] else { return Ok(None) };
            matcher.accept_bytes(&[space])?;
            added.push(char::from(space));
            if holds(&matcher) {
                json.read(&added);
                self.matcher = matcher;
                return Ok(Some(added));
            }
        }
        Ok(None)
    }

    /// Describes the violation at the current place; `found` is `None` at the end of the text.
    fn violation(&mut self, found: Option<&str>) -> Violation {
        let (most_found, most_expected) = MAX_SHOWN;
        let position = self.matcher.position();
        let characters = self.matcher.next_characters();
        let mut expected: Vec<String> = characters.iter().take(most_expected).map(range).collect();
        expected.extend((characters.len() > most_expected).then(|| "\u{2026}".to_owned()));
        expected.extend(position.tokens);
        expected.extend(position.may_end.then(|| "the end".to_owned()));
        Violation {
            part: self.part.clone(),
            at: self.read,
            found: found.map(|found| found.chars().take(most_found).collect()),
            expected,
            rule: position.frames.into_iter().next().map(|frame| frame.rule).filter(|rule| !rule.is_empty()),
        }
    }
}

/// Change of the other server's white space, so that the text is of the format.
enum Space {
    /// A white space character was left out.
    LeftOut,
    /// This white space was added.
    Added(String),
}

/// Writes a range of characters.
fn range(&(first, last): &(char, char)) -> String {
    if first == last { format!("{first:?}") } else { format!("{first:?} to {last:?}") }
}
