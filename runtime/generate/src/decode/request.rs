//! Requests: what to write, and how.

use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::sampling::Sampling;
use ogc_runtime::vocabulary::TokenId;

use super::record::Recording;
use crate::model::Prefixes;

/// The way in which tokens that the format forces are read: in a shared pass or not.
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

/// A way to guess tokens where the format leaves a choice, so that several share a pass.
///
/// Guesses do not change the text, except with a draft model at a temperature above 0: it is then another text of the same distribution,
/// determined by the model, the draft model and the request.
///
/// ```
/// use ogc_generate::Speculation;
/// assert_eq!(Speculation::default(), Speculation::Off);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Speculation {
    /// Tokens are not guessed.
    #[default]
    Off,
    /// The last tokens are searched for earlier in the prompt and the text; the tokens that followed there are the guess.
    Lookup {
        /// Cap on the tokens of a guess.
        most: usize,
    },
    /// A draft model ([`LoadedModel::with_draft`](crate::LoadedModel::with_draft)) writes some tokens under the masks of the format; the model
    /// judges them.
    Draft {
        /// The bounds of a draft's length.
        length: DraftLength,
        /// Cap on the tokens of a guess by look-up, which is tried before a draft; 0 for no look-up.
        lookup: usize,
    },
}

impl Speculation {
    /// Returns the speculation: drafts of length `draft`, if there is a draft model, and look-up of at most `lookup` tokens.
    ///
    /// ```
    /// use ogc_generate::{DraftLength, Speculation};
    /// assert_eq!(Speculation::of(None, 0), Speculation::Off);
    /// assert_eq!(Speculation::of(None, 4), Speculation::Lookup { most: 4 });
    /// assert!(matches!(Speculation::of(Some(DraftLength::default()), 0), Speculation::Draft { lookup: 0, .. }));
    /// ```
    #[must_use]
    pub fn of(draft: Option<DraftLength>, lookup: usize) -> Self {
        match (draft, lookup) {
            (None, 0) => Self::Off,
            (None, most) => Self::Lookup { most },
            (Some(length), lookup) => Self::Draft { length, lookup },
        }
    }
}

/// The bounds of the length of drafts.
///
/// ```
/// use ogc_generate::DraftLength;
/// assert!(DraftLength { most: 3, ..DraftLength::default() }.least_sure > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DraftLength {
    /// Cap on the tokens of a draft.
    pub most: usize,
    /// Confidence threshold, from 0 to 1: a draft ends before the product of the draft model's top probabilities falls below it.
    pub least_sure: f32,
}

impl Default for DraftLength {
    fn default() -> Self {
        Self { most: 8, least_sure: 0.4 }
    }
}

/// A request: what to write, and how.
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
    /// Cap on the tokens to write; the text is complete within them.
    pub max_tokens: u32,
    /// The sampling parameters.
    pub sampling: Sampling,
    /// The number of the request; its random draws depend on it.
    pub number: u64,
    /// Whether forced tokens share a pass.
    pub jump: Jump,
    /// Policy for the tokens of text that the format determines. `None` takes the policy of the format, or canonical
    /// tokens if it has none.
    pub tokens: Option<TokenPolicy>,
    /// Speculation for tokens that the format does not force.
    pub speculation: Speculation,
    /// The number of likeliest tokens whose probabilities are kept beside that of each token that is written; `None` keeps none.
    pub probabilities: Option<usize>,
    /// The odds that are recorded with each token.
    pub recording: Recording,
    /// The cache in which a model on the host finds beginnings of the prompt that were read before; `None` reads the whole prompt.
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
