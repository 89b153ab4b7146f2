//! Runs this project's engine behind the bench's interface. All formats of a run share masks, as in a server.

use crate::engine::{Engine, Format, Next, Refusal, Sequence};
use crate::tokens::Tokens;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{Mask, MaskStore};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::engine::{Policy, Reading, schema};
use std::sync::Arc;
use std::time::Instant;

/// This project's engine, with masks computed at first use.
pub(crate) struct Ours {
    store: Arc<MaskStore>,
    reading: Reading,
    policy: Policy,
    budget: Budget,
}

/// The number of tokens by which the budget of each sequence exceeds its instance; `None` for no budget.
pub(crate) type Budget = Option<u32>;

impl Ours {
    /// Loads the vocabulary.
    pub(crate) fn new(tokens: &Tokens, reading: Reading, policy: Policy, budget: Budget) -> Ours {
        let store = MaskStore::new(Arc::clone(&tokens.vocabulary));
        Ours { store, reading, policy, budget }
    }

    fn format(&self, text: &str, policy: Policy) -> Result<OurFormat, Refusal> {
        match schema(text, &self.reading, policy) {
            Ok(automaton) => Ok(OurFormat { automaton, store: Arc::clone(&self.store), budget: self.budget }),
            Err(failure) => Err(Refusal { code: failure.code, message: failure.message }),
        }
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "ogc"
    }

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Format>, Refusal> {
        self.format(schema, self.policy).map(|format| Box::new(format) as Box<dyn Format>)
    }

    fn compile_any_order(&mut self, schema: &str) -> Option<Box<dyn Format>> {
        let policy = Policy { any_order: true, ..self.policy };
        let format = (policy != self.policy).then(|| self.format(schema, policy).ok());
        format.flatten().map(|format| Box::new(format) as Box<dyn Format>)
    }
}

struct OurFormat {
    automaton: Arc<Automaton>,
    store: Arc<MaskStore>,
    budget: Budget,
}

impl OurFormat {
    fn matcher(&self) -> Matcher {
        Matcher::new(Arc::clone(&self.automaton), Arc::clone(&self.store))
    }
}

impl Format for OurFormat {
    fn first_mask(&mut self) -> Result<(), String> {
        self.matcher().mask().map(drop).map_err(|error| error.to_string())
    }

    fn start(&mut self, expected: usize) -> Result<Box<dyn Sequence + '_>, String> {
        Ok(Box::new(OurSequence::start(self.matcher(), self.budget, expected)?))
    }

    fn notes(&self) -> Vec<(&'static str, u64)> {
        vec![("states", self.automaton.states.len() as u64)]
    }
}

/// A sequence of this project's engine, from a compiled format or an artifact.
pub(crate) struct OurSequence {
    pub(crate) matcher: Matcher,
    pub(crate) mask: Option<Mask>,
}

impl OurSequence {
    /// Starts a sequence under a budget.
    pub(crate) fn start(mut matcher: Matcher, budget: Budget, expected: usize) -> Result<OurSequence, String> {
        if let Some(spare) = budget {
            let tokens = u32::try_from(expected).unwrap_or(u32::MAX).saturating_add(spare);
            matcher.set_budget(Some(tokens)).map_err(|error| error.to_string())?;
        }
        Ok(OurSequence { matcher, mask: None })
    }
}

impl Sequence for OurSequence {
    fn accept(&mut self, token: u32) -> Result<(), String> {
        self.matcher.accept_token(TokenId(token)).map_err(|error| error.to_string())
    }

    fn mask(&mut self, next: Next) -> Result<bool, String> {
        let mask = self.matcher.mask().map_err(|error| error.to_string())?;
        let mask = self.mask.insert(mask);
        Ok(match next {
            Next::Token(token) => mask.contains(TokenId(token)),
            Next::End => mask.allows_end(),
        })
    }

    fn saved(&self, tokens: &[u32]) -> Vec<(&'static str, u64)> {
        let begin = Instant::now();
        let saved = self.matcher.save();
        let saving = begin.elapsed();
        let mut other = self.matcher.fork();
        let begin = Instant::now();
        let restored = other.restore(&saved);
        let restoring = begin.elapsed();
        let text = |token: &u32| self.matcher.store().vocabulary().text(TokenId(*token)).map_or(0, <[u8]>::len);
        vec![
            ("texts saved", 1),
            ("refused", u64::from(restored.is_err())),
            ("of tokens", tokens.len() as u64),
            ("of bytes", tokens.iter().map(text).sum::<usize>() as u64),
            ("as bytes", saved.len() as u64),
            ("ns to save", saving.as_nanos() as u64),
            ("ns to restore", restoring.as_nanos() as u64),
        ]
    }

    fn rows_computed(&self) -> usize {
        let stats = self.matcher.store().stats();
        stats.bases + stats.tails
    }

    fn rule(&self) -> Option<String> {
        let reading = self.matcher.readings().into_iter().next()?;
        Some(reading.frames.into_iter().next()?.rule)
    }

    fn fill(&mut self, buffer: &mut [u32]) {
        if let Some(mask) = &self.mask {
            mask.fill(buffer);
        }
    }
}
