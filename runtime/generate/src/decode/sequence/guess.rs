//! Guesses: the tokens that should come next, which a pass reads together with those that were written.

use std::time::Instant;

use ogc_runtime::vocabulary::TokenId;

use super::super::lookup::followers;
use super::super::request::{Jump, Speculation};
use super::Sequence;
use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::sample::odds::Odds;

/// The source of a guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// The format forces these bytes.
    #[default]
    Format,
    /// Look-up: the same tokens came before.
    Lookup,
    /// A draft model drew them.
    Draft,
}

/// Tokens that probably come next; a pass reads them together with the text so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Guess {
    pub(super) tokens: Vec<TokenId>,
    pub(super) source: Source,
    /// The odds with which a draft model drew each token: `None` for tokens without alternatives, empty for other sources.
    odds: Vec<Option<Odds>>,
}

impl Guess {
    fn new(tokens: Vec<TokenId>, source: Source) -> Self {
        Self { tokens, source, odds: Vec::new() }
    }

    /// Makes the guess of a draft model.
    pub(super) fn drawn(tokens: Vec<TokenId>, odds: Vec<Option<Odds>>) -> Self {
        Self { tokens, source: Source::Draft, odds }
    }

    /// Returns the odds with which a draft model drew a token.
    pub(super) fn odds(&self, at: usize) -> Option<&Odds> {
        self.odds.get(at)?.as_ref()
    }

    /// Returns the source of a token; if a draft model had no alternative to the token, its source is the format.
    pub(super) fn source(&self, at: usize) -> Source {
        match self.source {
            Source::Draft if self.odds(at).is_none() => Source::Format,
            source => source,
        }
    }
}

impl Sequence {
    /// Guesses the next tokens without a model, as many as fit into the context.
    pub(super) fn guess(&mut self, loaded: &LoadedModel) -> Result<Guess, GenerateError> {
        if !loaded.model.takes_back() {
            return Ok(Guess::new(Vec::new(), Source::Format));
        }
        let start = Instant::now();
        let mut guess = Guess::new(self.forced_run(loaded), Source::Format);
        if guess.tokens.is_empty() {
            guess = Guess::new(self.looked_up()?, Source::Lookup);
        }
        guess.tokens.truncate(self.room(loaded));
        self.statistics.mask_time += start.elapsed();
        Ok(guess)
    }

    /// Returns the number of guessed tokens that fit into the context.
    pub(super) fn room(&self, loaded: &LoadedModel) -> usize {
        loaded.model.context().saturating_sub(self.cache.len() + self.pending.len())
    }

    /// Returns the tokens of the forced run that comes next; none if the model writes the run with other tokens, as guesses would be rejected.
    fn forced_run(&mut self, loaded: &LoadedModel) -> Vec<TokenId> {
        if self.jump == Jump::Off {
            return Vec::new();
        }
        let run = self.matcher.forced_tokens(|text| loaded.tokenizer.text_tokens(text));
        self.refused &= !run.is_empty();
        if self.refused { Vec::new() } else { run }
    }

    /// Returns the tokens that followed an earlier occurrence of the last few tokens, as far as the format allows them
    /// now.
    fn looked_up(&mut self) -> Result<Vec<TokenId>, GenerateError> {
        let most = match self.speculation {
            Speculation::Lookup { most } | Speculation::Draft { lookup: most, .. } => most,
            Speculation::Off => 0,
        };
        let mut guess = followers(&self.past, most).to_vec();
        let stops = self.matcher.stop_tokens();
        guess.truncate(guess.iter().position(|token| stops.contains(token)).unwrap_or(guess.len()));
        let accepted = self.matcher.accept_tokens(&guess).map_or_else(|(accepted, _)| accepted, |()| guess.len());
        self.matcher.rollback(accepted)?;
        guess.truncate(accepted);
        Ok(guess)
    }
}
