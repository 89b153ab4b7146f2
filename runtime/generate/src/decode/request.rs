//! What to write, and how.

use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::sampling::Sampling;
use ogc_runtime::vocabulary::TokenId;

use super::record::Recording;
use crate::model::Prefixes;

/// Whether tokens that the format forces share a pass.
///
/// ```
/// use ogc_generate::Jump;
/// assert_eq!(Jump::default(), Jump::Verify);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jump {
    /// The tokens of a forced run are read in one pass, and kept as far as the model chooses them.
    #[default]
    Verify,
    /// Each token takes a pass.
    Off,
}

/// How tokens are guessed where the format leaves a choice, so that several share a pass. The text is the same with and without.
///
/// ```
/// use ogc_generate::Speculation;
/// assert_eq!(Speculation::default(), Speculation::Off);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speculation {
    /// Tokens are not guessed.
    #[default]
    Off,
    /// What followed the last tokens when they came before, in the prompt or in the text, is guessed to follow again.
    Lookup {
        /// The most tokens of a guess.
        most: usize,
    },
}

/// What to write, and how.
///
/// ```
/// use ogc_generate::Request;
/// use ogc_runtime::vocabulary::TokenId;
/// let request = Request::new(vec![TokenId(1)], 100);
/// assert_eq!(request.max_tokens, 100);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The tokens of the prompt; at least one.
    pub prompt: Vec<TokenId>,
    /// The most tokens to write; the text is complete within them.
    pub max_tokens: u32,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The number of the request, which its draws depend on.
    pub number: u64,
    /// Whether forced tokens share a pass.
    pub jump: Jump,
    /// Which tokens write what the format determines; `None` leaves it to the format, and takes canonical ones where that does not say.
    pub tokens: Option<TokenPolicy>,
    /// How other tokens are guessed.
    pub speculation: Speculation,
    /// The number of likeliest tokens whose probabilities are kept beside that of each token that is written; `None` keeps none.
    pub probabilities: Option<usize>,
    /// What is recorded of each token.
    pub recording: Recording,
    /// Where beginnings of the prompt are found that were read before, by a model on the host; `None` reads all of it.
    pub prefixes: Option<Prefixes>,
}

impl Request {
    /// Makes a request with the most likely tokens.
    ///
    /// ```
    /// use ogc_generate::{Jump, Request};
    /// assert_eq!(Request::new(Vec::new(), 1).jump, Jump::Verify);
    /// ```
    #[must_use]
    pub fn new(prompt: Vec<TokenId>, max_tokens: u32) -> Self {
        Self {
            prompt,
            max_tokens,
            sampling: Sampling::default(),
            number: 0,
            jump: Jump::default(),
            tokens: None,
            speculation: Speculation::default(),
            probabilities: None,
            recording: Recording::default(),
            prefixes: None,
        }
    }
}
