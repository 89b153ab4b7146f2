//! Writes a completion in which no key comes twice: reads a completion with the fewest bytes as far as possible, then makes the key new,
//! and so on. Items that must differ are chosen on the way, from the list for their call ([`ItemChoices`]).
//!
//! After `{"a":0,` the completion with the fewest bytes of an object of three members may be `"a":0,"a":0}`. It can be read up to `"a`;
//! there the search for a new key writes one more letter: `"ab`. From there the completion is `":0,"a":0}`, of which `":0,"a` can be read,
//! and so on.
//!
//! [`ItemChoices`]: crate::completion::ItemChoices

use super::places::{OpenItems, readings_of};
use super::search::Search;
use super::{alive, on_heads};
use crate::completion::{ChoiceId, Piece};
use crate::item::ItemReader;
use crate::matcher::{MatchError, Matcher, budget};
use crate::step::{Head, Stack, step};
use crate::vocabulary::TokenId;

/// Cap on the keys that are replaced by new ones.
const MAX_KEYS: usize = 10_000;

/// Returns the tokens of a completion; `None` if none is known.
pub(super) fn plan(matcher: &mut Matcher) -> Result<Option<Vec<TokenId>>, MatchError> {
    let mark = matcher.stack.mark();
    let written = write(matcher);
    matcher.stack.truncate(mark);
    Ok(written?.and_then(|text| budget::cut(matcher, &text)))
}

/// Returns the tokens of a completion from some heads for which items are chosen; `None` if none is known.
pub(super) fn chosen_plan(matcher: &mut Matcher, heads: &[Head]) -> Result<Option<Vec<TokenId>>, MatchError> {
    let mark = matcher.stack.mark();
    let (mut heads, mut texts) = (heads.to_vec(), Vec::new());
    let mut is_written = Ok(false);
    for _ in 0..MAX_KEYS {
        let Some(pieces) = on_heads(matcher, &heads, budget::pieces) else { break };
        match write_pieces(matcher, &mut heads, pieces, &mut texts) {
            Ok(Written::Part) => {}
            Ok(Written::Nothing) => break,
            Ok(Written::All) => is_written = Ok(true),
            Err(error) => is_written = Err(error),
        }
        if is_written != Ok(false) {
            break;
        }
    }
    matcher.stack.truncate(mark);
    let cut = |text: &Vec<u8>| budget::cut(matcher, text);
    Ok(is_written?.then(|| texts.iter().map(cut).collect::<Option<Vec<_>>>()).flatten().map(|texts| texts.concat()))
}

/// The part of a completion that was written.
enum Written {
    All,
    /// Up to a key that had come before, with a new key in its place.
    Part,
    /// No text can follow.
    Nothing,
}

fn write_pieces(
    matcher: &mut Matcher,
    heads: &mut Vec<Head>,
    pieces: Vec<Piece>,
    texts: &mut Vec<Vec<u8>>,
) -> Result<Written, MatchError> {
    let may_repeat_key = matcher.automaton.derived.spare_tokens() > 0;
    for piece in pieces {
        let text = match piece {
            Piece::Item(item) => match choose(matcher, heads, item)? {
                Some(text) => text,
                None => return Ok(Written::Nothing),
            },
            Piece::Text(mut text) if may_repeat_key => {
                let read = read(matcher, heads, &text)?;
                if read < text.len() {
                    text.truncate(read);
                    texts.push(text);
                    let more = more(matcher, heads)?;
                    let is_part = more.is_some();
                    texts.extend(more);
                    return Ok(if is_part { Written::Part } else { Written::Nothing });
                }
                text
            }
            Piece::Text(text) => {
                *heads = after(matcher, heads, &text)?;
                text
            }
        };
        if heads.is_empty() {
            return Ok(Written::Nothing);
        }
        texts.push(text);
    }
    Ok(Written::All)
}

/// Reads an item that differs from every earlier one, and returns its text; `None` if all listed items have come before.
fn choose(matcher: &mut Matcher, heads: &mut Vec<Head>, item: ChoiceId) -> Result<Option<Vec<u8>>, MatchError> {
    let completions = matcher.store.completions(&matcher.automaton);
    for text in completions.choices.texts(item) {
        let mut reader = ItemReader::default();
        text.iter().for_each(|byte| reader.push(*byte));
        let value = reader.finish();
        let is_new = |head: &Head| {
            let array = Stack::seen_of(head.memory);
            array.is_some_and(|array| !matcher.stack.items(array).any(|item| value.as_ref() == Some(item)))
        };
        let free: Vec<Head> = heads.iter().copied().filter(is_new).collect();
        let mark = matcher.stack.mark();
        let after = after(matcher, &free, text)?;
        if !after.is_empty() {
            *heads = after;
            return Ok(Some(text.to_vec()));
        }
        matcher.stack.truncate(mark);
    }
    Ok(None)
}

fn write(matcher: &mut Matcher) -> Result<Option<Vec<u8>>, MatchError> {
    let (mut heads, mut text) = (matcher.heads.to_vec(), Vec::new());
    for _ in 0..MAX_KEYS {
        let Some(rest) = on_heads(matcher, &heads, budget::cheapest) else { return Ok(None) };
        let vocabulary = matcher.store.vocabulary();
        let rest = rest.iter().map(|token| vocabulary.text(*token)).collect::<Option<Vec<_>>>();
        let Some(rest) = rest.map(|rest| rest.concat()) else { return Ok(None) };
        let read = read(matcher, &mut heads, &rest)?;
        text.extend_from_slice(&rest[..read]);
        if read == rest.len() {
            return Ok(Some(text));
        }
        let Some(more) = more(matcher, &mut heads)? else { return Ok(None) };
        text.extend(more);
    }
    Ok(None)
}

/// Reads a text up to the first dead end; returns the number of bytes read.
fn read(matcher: &mut Matcher, heads: &mut Vec<Head>, text: &[u8]) -> Result<usize, MatchError> {
    for (at, &byte) in text.iter().enumerate() {
        let mark = matcher.stack.mark();
        let after = after(matcher, heads, &[byte])?;
        let lives = alive(matcher, &after)?;
        let after: Vec<Head> = after.into_iter().zip(lives).filter(|(_, lives)| *lives).map(|(head, _)| head).collect();
        if after.is_empty() {
            matcher.stack.truncate(mark);
            return Ok(at);
        }
        *heads = after;
    }
    Ok(text.len())
}

/// Reads a text after which the current key is new, and returns it; `None` if none is found.
fn more(matcher: &mut Matcher, heads: &mut Vec<Head>) -> Result<Option<Vec<u8>>, MatchError> {
    let arrays = readings_of(&matcher.stack, heads)?;
    let items = OpenItems::read(&matcher.stack, &arrays);
    for &head in heads.iter() {
        let Matcher { automaton, stack, scratch, .. } = &mut *matcher;
        let found = Search { automaton, stack, scratch }.way_out(head, &items)?;
        if let Some(text) = found.filter(|text| !text.is_empty()) {
            *heads = after(matcher, &[head], &text)?;
            return Ok(Some(text));
        }
    }
    Ok(None)
}

fn after(matcher: &mut Matcher, heads: &[Head], text: &[u8]) -> Result<Vec<Head>, MatchError> {
    let Matcher { automaton, stack, scratch, .. } = matcher;
    let mut heads = heads.to_vec();
    for &byte in text {
        let before = std::mem::take(&mut heads);
        step(automaton, stack, scratch, &before, byte, &mut heads);
        if stack.take_overflow() {
            return Err(MatchError::of_overflow(stack));
        }
    }
    Ok(heads)
}
