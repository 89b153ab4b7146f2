//! Checks every bit of every mask along random walks against a language.

use super::texts::Language;
use crate::engine::vocabulary;
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use std::sync::Arc;

/// An automaton, and the language that it must have.
#[derive(Debug)]
pub struct Subject<'s, L> {
    /// The language of the oracle.
    pub language: &'s L,
    /// The compiled automaton.
    pub automaton: Arc<Automaton>,
    /// Texts to walk along: words or beginnings of words of the language.
    pub walks: &'s [Vec<u8>],
    /// The length up to which the oracle knows beginnings of texts; a token may not lead beyond it.
    pub longest: usize,
}

/// Maximum number of tokens that are cut out of the walks.
const TOKENS: usize = 60;

/// The number of places that are checked.
const PLACES: usize = 12;

impl<L: Language> Subject<'_, L> {
    /// Checks masks, ends and forced bytes at random places under a random vocabulary.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn check(&self, random: &mut Random) -> Result<(), String> {
        let tokens: Vec<Vec<u8>> = (0..TOKENS).filter_map(|_| self.token(random)).collect();
        let vocabulary = Arc::new(vocabulary(&tokens).map_err(|error| error.to_string())?);
        let store = MaskStore::new(Arc::clone(&vocabulary));
        for _ in 0..PLACES {
            let mut matcher = Matcher::new(Arc::clone(&self.automaton), Arc::clone(&store));
            let walk = random.choose(self.walks).cloned().unwrap_or_default();
            let longest = self.longest.saturating_sub(vocabulary_depth(&tokens));
            let prefix = walk.get(..random.below(walk.len().min(longest) + 1)).unwrap_or_default();
            self.enter(&mut matcher, prefix, random)?;
            self.place(&mut matcher, &vocabulary, prefix)?;
        }
        Ok(())
    }

    /// Cuts a token out of a walk; sometimes the token is spoilt.
    fn token(&self, random: &mut Random) -> Option<Vec<u8>> {
        let walk = random.choose(self.walks)?;
        let from = random.below(walk.len() + 1);
        let to = (from + 1 + random.below(self.longest.min(12) / 2)).min(walk.len());
        let mut token = walk.get(from..to)?.to_vec();
        if random.one_in(4) {
            let byte = *random.choose(b"ab\"\\,:{}[] 01n\n\xc3\xa9")?;
            let at = random.below(token.len() + 1);
            token.insert(at, byte);
        }
        (token.len() > 1).then_some(token)
    }

    /// Steps the matcher through a prefix, at once or in two parts, with a detour that is taken back.
    fn enter(&self, matcher: &mut Matcher, prefix: &[u8], random: &mut Random) -> Result<(), String> {
        let (first, second) = prefix.split_at(random.below(prefix.len() + 1));
        for part in [first, second] {
            let taken = matcher.accept_bytes(part);
            taken.map_err(|error| format!("refused: {error}; at {} of {}", show(part), show(prefix)))?;
        }
        let allowed = matcher.mask().map_err(|error| error.to_string())?.tokens();
        let ends = matcher.store().vocabulary().eos().to_vec();
        if let Some(&detour) = random.choose(&allowed).filter(|token| !ends.contains(token)) {
            matcher.accept_token(detour).map_err(|error| format!("allowed, then refused: {error}"))?;
            matcher.rollback(1).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn place(&self, matcher: &mut Matcher, vocabulary: &Vocabulary, prefix: &[u8]) -> Result<(), String> {
        let mask = matcher.mask().map_err(|error| format!("{error} after {}", show(prefix)))?;
        for (id, text) in vocabulary.texts() {
            let expected = self.language.extends(&[prefix, text].concat());
            if mask.contains(id) != expected {
                let verb = if expected { "refuses" } else { "allows" };
                return Err(format!("the mask {verb} {} after {}", show(text), show(prefix)));
            }
        }
        let complete = self.language.contains(prefix);
        let end = vocabulary.eos().first().copied().unwrap_or(TokenId(u32::MAX));
        if mask.contains(end) != complete || mask.allows_end() != complete || matcher.is_complete() != complete {
            return Err(format!("the end is {} after {}", if complete { "refused" } else { "allowed" }, show(prefix)));
        }
        self.forced(matcher, prefix)
    }

    /// Checks that forced bytes leave no choice: at each of them, no other byte and no end is allowed.
    fn forced(&self, matcher: &mut Matcher, prefix: &[u8]) -> Result<(), String> {
        let mut at = prefix.to_vec();
        for byte in matcher.forced_bytes() {
            if at.len() >= self.longest {
                break;
            }
            let others = (0..=u8::MAX).filter(|&other| other != byte);
            let choice = others.clone().any(|other| self.language.extends(&[at.as_slice(), &[other]].concat()));
            if choice || self.language.contains(&at) || !self.language.extends(&[at.as_slice(), &[byte]].concat()) {
                return Err(format!("{:?} is not forced after {}", char::from(byte), show(&at)));
            }
            at.push(byte);
        }
        Ok(())
    }
}

fn vocabulary_depth(tokens: &[Vec<u8>]) -> usize {
    tokens.iter().map(Vec::len).max().unwrap_or(1)
}

/// Shows bytes for people.
#[must_use]
pub fn show(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii())
}
