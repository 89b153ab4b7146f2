//! The work that a text took.

use std::time::Duration;

use crate::chosen::Choices;

/// Counts and times of one text.
///
/// ```
/// use ogc_generate::Statistics;
/// let statistics = Statistics { tokens: 6, passes: 4, ..Statistics::default() };
/// assert_eq!(statistics.passes_per_token(), 4.0 / 6.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The number of tokens of the prompt.
    pub prompt_tokens: usize,
    /// The number of prompt tokens that other texts had read before.
    pub reused: usize,
    /// The number of tokens that were written, without an end of sequence.
    pub tokens: usize,
    /// The number of written tokens that the format forced, so that they took no pass of their own.
    pub forced: usize,
    /// The number of written tokens that were guessed right by look-up, so that they took no pass of their own.
    pub guessed: usize,
    /// The number of tokens that a draft model drew, ends of sequence among them.
    pub drafted: usize,
    /// The number of drafted tokens that were kept, so that they took no pass of their own.
    pub accepted: usize,
    /// The number of passes of the draft model after the prompt.
    pub draft_passes: usize,
    /// The time in the draft model after the prompt; a pass that is shared with other texts counts in full.
    pub draft_time: Duration,
    /// The choosers of all tokens that were chosen by a pass, ends of sequence among them.
    pub choices: Choices,
    /// The number of passes of the model after the prompt.
    pub passes: usize,
    /// The time in the model, and in the draft model, to read the prompt.
    pub prompt_time: Duration,
    /// The time in the model after the prompt; a pass that is shared with other texts counts in full.
    pub model_time: Duration,
    /// The time to compute masks and forced runs.
    pub mask_time: Duration,
    /// The time to choose tokens by logits and masks.
    pub choice_time: Duration,
}

impl Statistics {
    /// Returns the passes of the model for each token that was written.
    ///
    /// ```
    /// assert_eq!(ogc_generate::Statistics::default().passes_per_token(), 0.0);
    /// ```
    #[must_use]
    pub fn passes_per_token(&self) -> f64 {
        self.passes as f64 / self.tokens.max(1) as f64
    }

    /// Returns the tokens written in a second, the time for the prompt not counted.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ogc_generate::Statistics;
    /// let statistics = Statistics { tokens: 6, model_time: Duration::from_secs(2), ..Statistics::default() };
    /// assert_eq!(statistics.tokens_per_second(), 3.0);
    /// ```
    #[must_use]
    pub fn tokens_per_second(&self) -> f64 {
        let time = self.time();
        if time.is_zero() { 0.0 } else { self.tokens as f64 / time.as_secs_f64() }
    }

    /// Returns the time that the text took, the time for the prompt not counted.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ogc_generate::Statistics;
    /// let second = Duration::from_secs(1);
    /// let statistics = Statistics { model_time: second, draft_time: second, ..Statistics::default() };
    /// assert_eq!(statistics.time(), 2 * second);
    /// ```
    #[must_use]
    pub fn time(&self) -> Duration {
        self.model_time + self.draft_time + self.mask_time + self.choice_time
    }

    /// Returns the share of the drafted tokens that were kept; 0 if none was drafted.
    ///
    /// ```
    /// use ogc_generate::Statistics;
    /// let statistics = Statistics { drafted: 4, accepted: 3, ..Statistics::default() };
    /// assert_eq!(statistics.acceptance(), 0.75);
    /// ```
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        self.accepted as f64 / self.drafted.max(1) as f64
    }
}
