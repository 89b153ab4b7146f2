//! A format after a text: its readings with their stacks, the mask with its rows, and why a token is allowed or not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ogc_compiler::pipeline::{Format, place_in};
use ogc_runtime::automaton::UNBOUNDED;
use ogc_runtime::mask::{Mask, RowView};
use ogc_runtime::matcher::{MatchError, Matcher, Memory, Reading, ReadingFrame};
use ogc_runtime::vocabulary::{TokenId, Vocabulary, shown};

use crate::bytes::show;
use crate::render;
use crate::session::Session;
use crate::words::{counted, part_of};

/// Groups of allowed tokens that are listed.
const GROUPS: usize = 24;

/// Tokens that are listed of a group.
const TOKENS: usize = 8;

/// A format and what is asked about it.
pub(super) struct At<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
    pub(super) text: &'a str,
    /// A token by its text, or by its number after `#`.
    pub(super) token: Option<&'a str>,
}

impl At<'_> {
    /// Steps the text and tells where the format stands then.
    ///
    /// # Errors
    ///
    /// The engine gives up, or the vocabulary lacks the token.
    pub(super) fn tell(&self, matcher: &mut Matcher) -> Result<String, String> {
        let accepted = step(matcher, self.text.as_bytes()).map_err(|error| error.to_string())?;
        let mut told = self.head(matcher, accepted);
        for (number, reading) in matcher.readings().iter().enumerate() {
            self.reading(&mut told, number + 1, reading);
        }
        let mask = matcher.mask().map_err(|error| error.to_string())?;
        tell_mask(&mut told, &mask, matcher.store().vocabulary());
        if let Some(token) = self.token {
            told += &self.token(matcher, token)?;
        }
        Ok(told)
    }

    fn head(&self, matcher: &Matcher, accepted: usize) -> String {
        let text = &self.text.as_bytes()[..accepted];
        let end = if matcher.is_complete() { "the text may end here" } else { "the text may not end here" };
        let readings = counted(matcher.readings().len(), "reading");
        let refused = match self.text.len() - accepted {
            0 => String::new(),
            left => {
                format!("the last {} of the text are refused; this is the place before them\n", counted(left, "byte"))
            }
        };
        format!("{refused}after \"{}\" ({}): {readings}; {end}\n", show(text), counted(accepted, "byte"))
    }

    fn reading(&self, told: &mut String, number: usize, reading: &Reading) {
        put(told, format_args!("reading {number}, {} deep, innermost first", counted(reading.depth, "rule")));
        reading.frames.iter().for_each(|frame| self.frame(told, frame));
        if let Some(more) = reading.depth.checked_sub(reading.frames.len()).filter(|more| *more > 0) {
            put(told, format_args!("  and {} around it", counted(more, "more rule")));
        }
    }

    fn frame(&self, told: &mut String, frame: &ReadingFrame) {
        let place = place_in(&self.session.db, self.format, frame.origin).map_or_else(String::new, |(file, span)| {
            let source = self.session.text(file);
            let (line, column) = render::line_column(source.text, span.start as usize);
            let excerpt = render::excerpt(source.text, render::range(source.text, span));
            format!(", {}:{line}:{column}: {excerpt}", source.name)
        });
        put(told, format_args!("  {} in state {}{}{place}", frame.rule, frame.state.0, registers(frame)));
    }

    fn token(&self, matcher: &mut Matcher, token: &str) -> Result<String, String> {
        let vocabulary = matcher.store().vocabulary().clone();
        let id = find(&vocabulary, token)
            .ok_or_else(|| format!("the vocabulary has no token `{token}`; write its text, or its number as `#123`"))?;
        let (explanation, bytes) = (matcher.explain(id), vocabulary.text(id).unwrap_or_default().to_vec());
        let name = format!("token {} \"{}\"", id.0, shown(&bytes));
        if explanation.allowed {
            return Ok(format!("{name} is allowed\n"));
        }
        let read = explanation.accepted_bytes.min(bytes.len());
        let mut inside = matcher.fork();
        let after = match read {
            0 => "at its first byte".to_owned(),
            _ => format!("after {}", counted(read, "byte")),
        };
        let may_come = match inside.accept_bytes(&bytes[..read]) {
            Ok(()) => crate::commands::run::may_follow(&mut inside),
            Err(error) => error.to_string(),
        };
        Ok(format!("{name} is refused {after}, where these may come: {may_come}\n"))
    }
}

/// Accepts as much of a text as is allowed; the number of its bytes.
fn step(matcher: &mut Matcher, text: &[u8]) -> Result<usize, MatchError> {
    match matcher.accept_bytes(text) {
        Ok(()) => Ok(text.len()),
        Err(MatchError::NotAllowed { at }) => matcher.accept_bytes(&text[..at]).map(|()| at),
        Err(error) => Err(error),
    }
}

/// The counts and the memory of a frame, where it has any.
fn registers(frame: &ReadingFrame) -> String {
    let mut words = String::new();
    match (frame.needed, frame.spare) {
        (0, 0) => {}
        (0, UNBOUNDED) => words += ", any number more",
        (needed, UNBOUNDED) => words += &format!(", {needed} or more to come"),
        (needed, spare) => words += &format!(", {needed} to {} more", needed.saturating_add(spare)),
    }
    match &frame.memory {
        Memory::Nothing => {}
        Memory::NextKey(key) => words += &format!(", keys from number {key} on may come"),
        Memory::KeysSeen(keys) if keys.is_empty() => words += ", no key has come",
        Memory::KeysSeen(keys) => words += &format!(", the keys {keys:?} have come"),
        Memory::TokensLeft(left) => words += &format!(", {} left", counted(*left as usize, "token")),
    }
    words
}

fn tell_mask(told: &mut String, mask: &Mask, vocabulary: &Vocabulary) {
    let rows: Vec<RowView<'_>> = mask.rows().collect();
    let of = counted(rows.len(), "row");
    let end = if mask.allows_end() { ", and the end" } else { "" };
    put(told, format_args!("mask: {}{end}, of {of}", part_of(mask.count(), vocabulary.len(), "token")));
    for (number, row) in rows.iter().enumerate() {
        put(told, format_args!("  row {}: {}", number + 1, row_words(row)));
    }
    let mut groups: BTreeMap<u8, Vec<TokenId>> = BTreeMap::new();
    for token in mask.tokens() {
        if let Some(&first) = vocabulary.text(token).and_then(<[u8]>::first) {
            groups.entry(first).or_default().push(token);
        }
    }
    let mut groups: Vec<(u8, Vec<TokenId>)> = groups.into_iter().collect();
    groups.sort_by_key(|(first, tokens)| (std::cmp::Reverse(tokens.len()), *first));
    for (_, tokens) in groups.iter().take(GROUPS) {
        let some = tokens.iter().take(TOKENS).filter_map(|token| vocabulary.text(*token));
        let some: Vec<String> = some.map(|text| format!("\"{}\"", shown(text))).collect();
        let more = if tokens.len() > TOKENS { ", ..." } else { "" };
        put(told, format_args!("  {}: {}{more}", counted(tokens.len(), "token"), some.join(", ")));
    }
    if let Some(more) = groups.len().checked_sub(GROUPS).filter(|more| *more > 0) {
        put(told, format_args!("  and tokens that begin with {}", counted(more, "other byte")));
    }
}

fn row_words(row: &RowView<'_>) -> String {
    match row {
        RowView::Sparse(tokens) => format!("a list of {}", counted(tokens.len(), "token")),
        RowView::Dense(words) => format!("bits in {}", counted(words.len(), "word")),
        RowView::Delta { base, add, remove } => {
            format!("bits in {}, {} more and {} less", counted(base.len(), "word"), add.len(), remove.len())
        }
    }
}

/// The token of a text, or of a number after `#`.
fn find(vocabulary: &Vocabulary, wanted: &str) -> Option<TokenId> {
    let of_text = vocabulary.texts().find(|(_, text)| *text == wanted.as_bytes()).map(|(token, _)| token);
    let of_number = || wanted.strip_prefix('#')?.parse().ok().map(TokenId).filter(|id| id.index() < vocabulary.len());
    of_text.or_else(of_number)
}

/// Writing to a string does not fail.
fn put(told: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(told, "{line}");
}
