//! The fields of a saved state: from a matcher to bytes, and back.

use super::bytes::{StateReader, StateWriter, invalid};
use super::{MAGIC, RestoreError, VERSION, identity};
use crate::container::Fingerprint;
use crate::matcher::budget::{SavedBudget, SavedPlan};
use crate::matcher::log::Accepted;
use crate::matcher::{Matcher, budget};
use crate::vocabulary::TokenId;

/// The size of the header, in bytes: the magic number, the version, the length, the checksum.
const HEADER: usize = 8 + 4 + 8 + 32;

/// The least size of an entry in bytes.
const ENTRY: usize = 4;

/// The entry of a text; the text's length and bytes follow.
const TEXT: u32 = u32::MAX;

/// A saved state.
#[derive(Debug)]
pub(super) struct MatcherState<'a> {
    format: Fingerprint,
    vocabulary: Fingerprint,
    pub(super) window: Option<usize>,
    pub(super) stops: Option<Vec<TokenId>>,
    /// Everything that was accepted, in order.
    pub(super) accepted: Vec<Accepted<'a>>,
    /// The number of accepted tokens and texts that cannot be taken back.
    pub(super) forgotten: usize,
    /// Whether the last token ended the text.
    pub(super) is_ended: bool,
    pub(super) budget: Option<SavedBudget>,
    /// Plans, each with the places at which it was the budget's plan: ascending, without overlap, none before `forgotten`.
    pub(super) plans: Vec<SavedPlan>,
}

impl<'a> MatcherState<'a> {
    /// Returns the state of a matcher.
    pub(super) fn of(matcher: &'a Matcher) -> Self {
        Self {
            format: identity(&matcher.automaton),
            vocabulary: Fingerprint(matcher.store.vocabulary().fingerprint()),
            window: matcher.window,
            stops: matcher.stops.as_ref().map(|stops| stops.to_vec()),
            accepted: matcher.log.iter().collect(),
            forgotten: matcher.forgotten,
            is_ended: matcher.terminated,
            budget: matcher.budget.as_ref().map(|budget| budget.saved()),
            plans: budget::saved_plans(matcher),
        }
    }

    /// Writes the state as bytes.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = StateWriter { bytes: vec![0; HEADER] };
        out.bytes.extend_from_slice(&self.format.0);
        out.bytes.extend_from_slice(&self.vocabulary.0);
        out.option(self.window);
        out.flag(self.stops.is_some());
        if let Some(stops) = &self.stops {
            out.tokens(stops);
        }
        out.number(self.accepted.len());
        self.accepted.iter().for_each(|&accepted| write_entry(accepted, &mut out));
        out.number(self.forgotten);
        out.flag(self.is_ended);
        out.flag(self.budget.is_some());
        if let Some(budget) = &self.budget {
            out.number(budget.end);
            out.option(budget.far);
        }
        out.number(self.plans.len());
        for plan in &self.plans {
            out.number(plan.first);
            out.number(plan.last);
            out.tokens(&plan.tokens);
        }
        seal(out.bytes)
    }

    /// Reads a state from bytes.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, RestoreError> {
        let mut fields = StateReader::new(open(bytes)?);
        let (format, vocabulary) = (Fingerprint(fields.array()?), Fingerprint(fields.array()?));
        let window = fields.option()?;
        let stops = if fields.flag()? { Some(fields.tokens()?) } else { None };
        let accepted = read_entries(&mut fields)?;
        let (forgotten, is_ended) = (fields.number()?, fields.flag()?);
        let budget = match fields.flag()? {
            true => Some(SavedBudget { end: fields.number()?, far: fields.option()? }),
            false => None,
        };
        let mut plans = Vec::new();
        for _ in 0..fields.number()? {
            let [first, last] = [fields.number()?, fields.number()?];
            plans.push(SavedPlan { first, last, tokens: fields.tokens()? });
        }
        fields.end()?;
        Ok(Self { format, vocabulary, window, stops, accepted, forgotten, is_ended, budget, plans })
    }

    /// Checks that the state is for the matcher's format and vocabulary, and that its places are in the text.
    pub(super) fn check(&self, matcher: &Matcher) -> Result<(), RestoreError> {
        let expected = identity(&matcher.automaton);
        if self.format != expected {
            return Err(RestoreError::OtherFormat { given: self.format, expected });
        }
        let expected = Fingerprint(matcher.store.vocabulary().fingerprint());
        if self.vocabulary != expected {
            return Err(RestoreError::OtherVocabulary { given: self.vocabulary, expected });
        }
        let len = self.accepted.len();
        let far = self.budget.as_ref().and_then(|budget| budget.far);
        let is_ended_by_token = matches!(self.accepted.last(), Some(Accepted::Token(_)));
        let ordered = self.plans.iter().all(|plan| plan.first <= plan.last)
            && self.plans.windows(2).all(|pair| pair[0].last < pair[1].first);
        let checks = [
            (self.forgotten <= len, "more is forgotten than was accepted"),
            (far.is_none_or(|far| far <= len), "the budget was looked at behind the end"),
            (!self.is_ended || is_ended_by_token, "no token has ended the text"),
            (ordered, "plans are not in order"),
            (self.plans.first().is_none_or(|plan| self.forgotten <= plan.first), "a plan is of what is forgotten"),
            (self.plans.last().is_none_or(|plan| plan.last <= len), "a plan is behind the end"),
        ];
        checks.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, what)| Err(invalid(what)))
    }
}

fn write_entry(accepted: Accepted<'_>, out: &mut StateWriter) {
    match accepted {
        Accepted::Token(token) => out.bytes.extend_from_slice(&token.0.to_le_bytes()),
        Accepted::Text(text) => {
            out.bytes.extend_from_slice(&TEXT.to_le_bytes());
            out.text(text);
        }
    }
}

fn read_entries<'a>(fields: &mut StateReader<'a>) -> Result<Vec<Accepted<'a>>, RestoreError> {
    let len = fields.number()?;
    if len > fields.left() / ENTRY {
        return Err(invalid("a list goes on behind its end"));
    }
    let mut entries = Vec::with_capacity(len);
    for _ in 0..len {
        entries.push(match u32::from_le_bytes(fields.array()?) {
            TEXT => Accepted::Text(fields.text()?),
            token => Accepted::Token(TokenId(token)),
        });
    }
    Ok(entries)
}

/// Hashes everything but the checksum.
fn checksum(bytes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(bytes.get(..HEADER - 32).unwrap_or_default());
    hasher.update(bytes.get(HEADER..).unwrap_or_default());
    *hasher.finalize().as_bytes()
}

/// Fills in the header before the fields.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let len = bytes.len() as u64;
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..20].copy_from_slice(&len.to_le_bytes());
    let checksum = checksum(&bytes);
    bytes[20..HEADER].copy_from_slice(&checksum);
    bytes
}

/// Checks the header; returns the fields after it.
fn open(bytes: &[u8]) -> Result<&[u8], RestoreError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(RestoreError::NotAState);
    }
    let given = bytes.len() as u64;
    let (header, fields) =
        bytes.split_at_checked(HEADER).ok_or(RestoreError::Length { given, expected: HEADER as u64 })?;
    let mut header = StateReader::new(&header[MAGIC.len()..]);
    let version = u32::from_le_bytes(header.array()?);
    if version != VERSION {
        return Err(RestoreError::Version { given: version, supported: VERSION });
    }
    let expected = u64::from_le_bytes(header.array()?);
    if given != expected {
        return Err(RestoreError::Length { given, expected });
    }
    if header.array()? != checksum(bytes) {
        return Err(RestoreError::Corrupt);
    }
    Ok(fields)
}
