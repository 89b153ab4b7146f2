//! Reads a generated text again, and finds the places where the model would have written something else.

use std::sync::Arc;

use ogc_generate::{Generated, MaskedOdds, Probable};
use ogc_runtime::matcher::{DeclaredKey, Matcher, MatcherPosition};
use ogc_runtime::vocabulary::Vocabulary;

use super::kind::{self, Kind, RefusedAt};
use super::scan::{JsonPlace, Scanner};
use super::surroundings::Surroundings;
use crate::commands::generate::formats::Format;

/// Minimum probability of a refused token that is examined.
const LEAST: f32 = 0.01;

/// A token that the model would have written and the format refuses.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    /// Index of the text, which is that of its prompt.
    pub(super) text: usize,
    /// Number of tokens before the place.
    pub(super) at: usize,
    /// The token, and its probability.
    pub(super) token: u32,
    pub(super) mass: f64,
    /// Whether the token was the model's first choice.
    pub(super) is_first: bool,
    pub(super) kind: Kind,
    /// The accepted bytes of the token, and the rest.
    pub(super) read: Vec<u8>,
    pub(super) rest: Vec<u8>,
    /// The format's state before the refused byte.
    pub(super) position: MatcherPosition,
    pub(super) json: Option<Scanner>,
    /// The text that the format forces from the refused byte on, outside JSON.
    pub(super) forced: Vec<u8>,
    /// The keys of the object around the place, for a refusal about keys.
    pub(super) keys: Vec<DeclaredKey>,
}

/// The refusals of the masks in one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    pub(super) refusals: Vec<Refusal>,
    /// Number of places, and of places where the model's first choice was refused.
    pub(super) places: usize,
    pub(super) first_refused: usize,
    /// Sum of the refused probability over all places; and the part of it that only the token budget refused, although
    /// the format allows it.
    pub(super) refused: f64,
    pub(super) over_budget: f64,
}

/// Follows one text.
struct Walk {
    vocabulary: Arc<Vocabulary>,
    matcher: Matcher,
    surroundings: Surroundings,
    /// Maximum number of allowed bytes seen inside the current string.
    widest: usize,
    text: usize,
    walked: Walked,
}

/// Finds the tokens that the masks of a text refused.
///
/// # Errors
/// The engine gives up on the text, although it has generated it.
pub(super) fn walk(
    text: usize,
    generated: &Generated,
    format: &Format,
    matcher: Matcher,
) -> Result<Walked, Box<dyn std::error::Error>> {
    let vocabulary = Arc::clone(matcher.store().vocabulary());
    let surroundings = Surroundings::new(&format.content);
    let mut walk = Walk { vocabulary, matcher, surroundings, widest: 0, text, walked: Walked::default() };
    for (at, record) in generated.record.iter().enumerate() {
        if let Some(odds) = &record.odds {
            walk.place(at, odds);
        }
        if at < generated.tokens.len() {
            walk.matcher.accept_token(record.token)?;
            walk.surroundings.read_token(&walk.vocabulary, record.token)?;
            walk.widen();
        }
    }
    Ok(walk.walked)
}

impl Walk {
    /// Records the number of allowed bytes, if the place is inside a string.
    fn widen(&mut self) {
        let place = self.surroundings.json.as_ref().map(|json| json.place);
        let expected = self.matcher.position().expected.len();
        self.widest = if place == Some(JsonPlace::String) { self.widest.max(expected) } else { 0 };
    }

    fn place(&mut self, at: usize, odds: &MaskedOdds) {
        self.walked.places += 1;
        self.walked.refused += f64::from(odds.refused);
        let first = odds.refused_first();
        self.walked.first_refused += usize::from(first.is_some());
        for refused in odds.likeliest_refused.iter().filter(|refused| refused.logarithm.exp() >= LEAST) {
            let is_first = first.is_some_and(|first| first.token == refused.token);
            self.refusal(at, refused, is_first);
        }
    }

    fn refusal(&mut self, at: usize, refused: &Probable, is_first: bool) {
        let mass = f64::from(refused.logarithm.exp());
        let explanation = self.matcher.explain(refused.token);
        if explanation.allowed {
            self.walked.over_budget += mass;
            return;
        }
        let is_stop = self.matcher.stop_tokens().contains(&refused.token);
        let bytes = if is_stop { Vec::new() } else { self.bytes(refused) };
        let (read, rest) = bytes.split_at(explanation.accepted_bytes.min(bytes.len()));
        let json = self.surroundings.after(read).json;
        let position = explanation.position;
        let place = RefusedAt {
            json: json.as_ref(),
            expected: &position.expected,
            is_start: at == 0 && read.is_empty(),
            widest: self.widest_after(json.as_ref(), position.expected.len(), read),
        };
        let kind = kind::kind(place, rest);
        let forced = if kind == Kind::Text { self.forced_after(read) } else { Vec::new() };
        let keys = if is_about_keys(kind) { self.keys() } else { Vec::new() };
        self.walked.refusals.push(Refusal {
            text: self.text,
            at,
            token: refused.token.0,
            mass,
            is_first,
            kind,
            read: read.to_vec(),
            rest: rest.to_vec(),
            position,
            json,
            forced,
            keys,
        });
    }

    /// Returns the bytes of a token; for a token without text, its name.
    fn bytes(&self, refused: &Probable) -> Vec<u8> {
        let text = self.vocabulary.text(refused.token).filter(|text| !text.is_empty());
        let name = || self.vocabulary.name_of(refused.token).unwrap_or("?").as_bytes().to_vec();
        text.map_or_else(name, <[u8]>::to_vec)
    }

    /// Returns the maximum number of allowed bytes in the string, including the place of the refused token: a token
    /// that ends a free text, or exceeds its length, begins inside the string.
    fn widest_after(&mut self, json: Option<&Scanner>, expected: usize, read: &[u8]) -> usize {
        if json.is_none_or(|json| json.place != JsonPlace::String) {
            return 0;
        }
        let begins_here = self.surroundings.json.as_ref().is_none_or(|json| json.place != JsonPlace::String);
        let before = match begins_here {
            true => {
                let quote = read.iter().rposition(|byte| *byte == b'"').map_or(0, |at| at + 1);
                let mut inside = self.matcher.fork();
                inside.accept_bytes(&read[..quote]).map_or(0, |()| inside.position().expected.len())
            }
            false => self.widest,
        };
        before.max(expected)
    }

    /// Returns the bytes that the format forces after `read`.
    fn forced_after(&self, read: &[u8]) -> Vec<u8> {
        let mut inside = self.matcher.fork();
        inside.accept_bytes(read).map_or_else(|_| Vec::new(), |()| inside.forced_bytes())
    }

    /// Returns the keys of the object around the place.
    fn keys(&self) -> Vec<DeclaredKey> {
        self.matcher.object_keys().into_iter().next().map(|object| object.keys).unwrap_or_default()
    }
}

fn is_about_keys(kind: Kind) -> bool {
    matches!(kind, Kind::Key | Kind::MoreKeys | Kind::CloseObject)
}
