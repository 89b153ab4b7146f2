//! Shows a format's state after a text: its readings with their stacks, the mask with its rows, and why a token is
//! allowed or not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use ogc_compiler::pipeline::{Format, place_in};
use ogc_runtime::automaton::UNBOUNDED;
use ogc_runtime::mask::{Mask, RowView};
use ogc_runtime::matcher::{MatchError, Matcher, Memory, Reading, ReadingFrame};
use ogc_runtime::vocabulary::{TokenId, Vocabulary, marker};
use ogc_workbench::attempt::{accept_most, may_follow};
use ogc_workbench::mask_view::find_token;

use crate::problem::Problem;
use crate::render;
use crate::session::Session;
use ogc_workbench::describe::{self, show};
use ogc_workbench::words::{counted, part_of};

/// Maximum number of groups of allowed tokens that are listed.
const GROUPS: usize = 24;

/// Maximum number of tokens of a group that are listed.
const TOKENS: usize = 8;

/// A format, a text, and a question about the tokens that may follow it.
pub(super) struct At<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    /// A token given by its text, by its name, or by its number after `#`.
    pub(super) token: Option<&'a str>,
}

impl At<'_> {
    /// Reads the text and describes the readings and the mask after it.
    ///
    /// # Errors
    ///
    /// The engine gives up ([`Problem::Engine`]), or the vocabulary lacks the token ([`Problem::Usage`]).
    pub(super) fn tell(&self, matcher: &mut Matcher) -> Result<String, Problem> {
        let engine = |error: MatchError| Problem::Engine { path: self.path.to_owned(), message: error.to_string() };
        let accepted = accept_most(matcher, self.text.as_bytes()).map_err(engine)?;
        let readings = matcher.readings();
        let mut told = self.head(matcher, accepted, readings.len());
        for (number, reading) in readings.iter().enumerate() {
            self.reading(&mut told, number + 1, reading);
        }
        let mask = matcher.mask().map_err(engine)?;
        tell_mask(&mut told, &mask, matcher.store().vocabulary());
        if let Some(token) = self.token {
            told += &token_words(matcher, token)?;
        }
        Ok(told)
    }

    fn head(&self, matcher: &Matcher, accepted: usize, readings: usize) -> String {
        let text = &self.text.as_bytes()[..accepted];
        let end = if matcher.is_complete() { "the text may end here" } else { "the text may not end here" };
        let readings = counted(readings, "reading");
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
        let place = place_in(&self.session.db, self.format, frame.origin);
        let place = place
            .map_or_else(String::new, |(file, span)| format!(", {}", render::cited(self.session.text(file), span)));
        put(told, format_args!("  {} in state {}{}{place}", frame.rule, frame.state.0, registers(frame)));
    }
}

/// Describes whether a token is allowed; if it is not, the refused byte and the allowed ones.
fn token_words(matcher: &mut Matcher, token: &str) -> Result<String, Problem> {
    let vocabulary = Arc::clone(matcher.store().vocabulary());
    let id = find_token(&vocabulary, token).ok_or_else(|| Problem::Usage {
        message: format!("the vocabulary has no token `{token}`; write its text, its name, or its number as `#123`"),
    })?;
    let (explanation, bytes) = (matcher.explain(id), vocabulary.text(id).unwrap_or_default());
    let shown = match vocabulary.name_of(id).filter(|_| bytes.is_empty()) {
        Some(name) => describe::token(&marker(name)),
        None => describe::token(bytes),
    };
    let name = format!("token {} {shown}", id.0);
    if explanation.allowed {
        return Ok(format!("{name} is allowed\n"));
    }
    let read = &bytes[..explanation.accepted_bytes.min(bytes.len())];
    let place = match read.len() {
        0 => "at its first byte".to_owned(),
        read => format!("after {}", counted(read, "byte")),
    };
    let mut inside = matcher.fork();
    let may_come = match inside.accept_bytes(read) {
        Ok(()) => may_follow(&mut inside),
        Err(error) => error.to_string(),
    };
    Ok(format!("{name} is refused {place}, where these may come: {may_come}\n"))
}

/// Describes the registers of a frame, if it has any.
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
    tell_tokens(told, &mask.tokens(), vocabulary);
}

/// Lists tokens by their first bytes, the largest group first.
fn tell_tokens(told: &mut String, tokens: &[TokenId], vocabulary: &Vocabulary) {
    let mut groups: BTreeMap<u8, Vec<TokenId>> = BTreeMap::new();
    for &token in tokens {
        if let Some(&first) = vocabulary.text(token).and_then(<[u8]>::first) {
            groups.entry(first).or_default().push(token);
        }
    }
    let mut groups: Vec<(u8, Vec<TokenId>)> = groups.into_iter().collect();
    groups.sort_by_key(|(first, tokens)| (std::cmp::Reverse(tokens.len()), *first));
    for (_, tokens) in groups.iter().take(GROUPS) {
        let some = tokens.iter().take(TOKENS).filter_map(|token| vocabulary.text(*token));
        let some: Vec<String> = some.map(describe::token).collect();
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
        RowView::Delta { dense, add, remove } => {
            format!("bits in {}, {} more and {} less", counted(dense.len(), "word"), add.len(), remove.len())
        }
    }
}

/// Appends a line; writing to a string cannot fail.
fn put(told: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(told, "{line}");
}
