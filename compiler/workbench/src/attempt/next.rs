//! Describes the texts that may come next at a place: forced words, characters, tokens, the end.

use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{marker, shown};

use crate::describe::{self, json_spelling, show};
use crate::words::either;

/// Maximum number of words that are listed.
const MOST_WORDS: usize = 8;

/// Length from which words are cut, in bytes.
const LONGEST_WORD: usize = 40;

/// Maximum number of strings that are listed.
const MOST_STRINGS: usize = 16;

/// The texts that may come next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Next {
    /// Words that may come next. Every character that may come next begins a word or is in `ranges`, except escapes of
    /// characters that may also come plain.
    pub(super) words: Vec<String>,
    pub(super) ranges: Vec<(char, char)>,
    /// Bytes that continue an incomplete character.
    bytes: Vec<u8>,
    tokens: Vec<String>,
    pub(super) may_end: bool,
}

impl Next {
    pub(super) fn of(matcher: &mut Matcher) -> Self {
        let position = matcher.position();
        let mut next = Self { tokens: position.tokens, may_end: position.may_end, ..Self::default() };
        let ranges = matcher.next_characters();
        let ranges = without_respelling(matcher, "", ranges);
        if ranges.is_empty() {
            next.bytes = position.expected;
        }
        let single = |&(lo, hi): &(char, char)| u32::from(hi) - u32::from(lo) < 2;
        let singles: Vec<char> = ranges.iter().filter(|range| single(range)).flat_map(|&(lo, hi)| lo..=hi).collect();
        if singles.len() > MOST_WORDS {
            return Self { ranges, ..next };
        }
        next.ranges = ranges.into_iter().filter(|range| !single(range)).collect();
        next.words = words(matcher, &singles);
        next
    }

    /// Cuts the words at the end of the JSON string that contains the place.
    pub(super) fn inside_string(mut self) -> Self {
        for word in &mut self.words {
            let mut escaped = false;
            let end = word.char_indices().find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            if let Some((at, _)) = end {
                word.truncate(at + 1);
            }
        }
        self
    }

    /// Describes the next texts for people: `a` or `b`, or the end of the text.
    pub(super) fn describe(&self) -> String {
        let words = self.words.iter().map(|word| describe::quoted(word));
        let ranges = Some(describe::characters(&self.ranges)).filter(|_| !self.ranges.is_empty());
        let bytes = Some(describe::describe(&self.bytes)).filter(|_| !self.bytes.is_empty());
        let tokens = self.tokens.iter().map(|name| shown(&marker(name)));
        let end = self.may_end.then(|| "the end of the text".to_owned());
        either(words.chain(ranges).chain(bytes).chain(tokens).chain(end))
    }
}

/// Extends the first characters to words, as long as only few characters may follow.
fn words(matcher: &mut Matcher, first: &[char]) -> Vec<String> {
    let mut open: Vec<String> = first.iter().rev().map(char::to_string).collect();
    let mut done = Vec::new();
    while let Some(word) = open.pop() {
        let room = MOST_WORDS.saturating_sub(open.len() + done.len());
        match after(matcher, &word) {
            Some(more) if more.len() <= room.min(4) => open.extend(more.iter().rev().map(|c| format!("{word}{c}"))),
            _ => done.push(word),
        }
    }
    done
}

/// Returns the characters that may follow a word, if they belong to it and are few.
fn after(matcher: &mut Matcher, word: &str) -> Option<Vec<char>> {
    let ends = word.len() >= LONGEST_WORD || word.ends_with(char::is_whitespace);
    let is_string = word.len() > 1 && word.starts_with('"') && word.ends_with('"');
    if ends || is_string || matcher.accept_bytes(word.as_bytes()).is_err() {
        return None;
    }
    let (may_end, ranges) = (matcher.is_complete(), matcher.next_characters());
    let _ = matcher.rollback(1);
    let ranges = without_respelling(matcher, word, ranges);
    let few = !may_end && ranges.iter().all(|&(lo, hi)| u32::from(hi) - u32::from(lo) < 2);
    let more: Vec<char> = ranges.iter().filter(|_| few).take(5).flat_map(|&(lo, hi)| lo..=hi).collect();
    let begins_another = more.iter().any(|c| c.is_whitespace());
    (few && !more.is_empty() && !begins_another).then_some(more)
}

/// Removes the backslash from the characters that may follow a word, if all its escapes spell characters that may also
/// come plain: with `escapes = "any"`, `\u0063` is `c` and `\/` is `/`.
fn without_respelling(matcher: &mut Matcher, word: &str, mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    let backslash = ('\\', '\\');
    let is_choice = ranges.len() > 1 && ranges.contains(&backslash);
    if is_choice && matcher.accept_bytes(format!("{word}\\").as_bytes()).is_ok() {
        let escapes = matcher.next_characters();
        let _ = matcher.rollback(1);
        if escapes.iter().all(|range| [('u', 'u'), ('/', '/')].contains(range)) {
            ranges.retain(|range| *range != backslash);
        }
    }
    ranges
}

/// Returns all strings that may come where a JSON value starts, if they are few.
pub(super) fn strings(matcher: &mut Matcher) -> Option<Vec<String>> {
    let mut open = vec![("\"".to_owned(), String::new())];
    let mut done = Vec::new();
    while let Some((spelled, text)) = open.pop() {
        matcher.accept_bytes(spelled.as_bytes()).ok()?;
        let found = string_steps(matcher);
        let _ = matcher.rollback(1);
        let (ends, steps) = found?;
        done.extend(ends.then(|| text.clone()));
        if done.len() + open.len() + steps.len() > MOST_STRINGS || text.len() > 10 * LONGEST_WORD {
            return None;
        }
        open.extend(steps.iter().rev().map(|(c, step)| (format!("{spelled}{step}"), format!("{text}{c}"))));
    }
    Some(done)
}

/// Returns whether a string may end here, and the characters that may continue it with their spellings.
fn string_steps(matcher: &mut Matcher) -> Option<(bool, Vec<(char, String)>)> {
    let ranges = matcher.next_characters();
    let count: u64 = ranges.iter().map(|&(lo, hi)| u64::from(u32::from(hi) - u32::from(lo)) + 1).sum();
    if count > MOST_STRINGS as u64 + 2 {
        return None;
    }
    let raw: Vec<char> = ranges.iter().flat_map(|&(lo, hi)| lo..=hi).collect();
    let mut steps: Vec<(char, String)> =
        raw.iter().filter(|&&c| c != '"' && c != '\\').map(|&c| (c, c.to_string())).collect();
    if raw.contains(&'\\') {
        for c in ('\0'..' ').chain(['"', '\\']) {
            let step = json_spelling(c);
            if matcher.accept_bytes(step.as_bytes()).is_ok() {
                let _ = matcher.rollback(1);
                steps.push((c, step));
            }
        }
    }
    Some((raw.contains(&'"'), steps))
}

/// Returns a text in backticks for a sentence; a long text is cut.
pub(super) fn excerpt(text: &[u8]) -> String {
    let shown = show(text);
    let cut = shown.char_indices().nth(LONGEST_WORD).map(|(at, _)| at);
    format!("`{}{}`", &shown[..cut.unwrap_or(shown.len())], if cut.is_some() { "..." } else { "" })
}
