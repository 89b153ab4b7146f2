//! Arguments of drafting: the draft model, and the number of tokens.

use std::path::PathBuf;

use clap::Args;
use ogc_generate::DraftLength;

/// Maximum number of tokens of a draft.
const MAX_GUESSES: usize = 64;

#[derive(Clone, Debug, Args)]
pub(crate) struct DraftArgs {
    /// A smaller model with the same tokens, which drafts text ahead: a file or folder as for --model
    ///
    /// The model checks a draft in one pass, and keeps the tokens that it would have written itself. At temperature 0
    /// texts are the same as without drafts; above, they are other texts of the same distribution. Both models keep a
    /// KV cache for each text.
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub(crate) draft: Option<PathBuf>,
    /// With --draft: the most tokens of one draft
    #[arg(long, value_name = "COUNT", default_value = "8", requires = "draft", value_parser = tokens, help_heading = "Model")]
    pub(crate) draft_tokens: usize,
    /// With --draft: end a draft when the estimated probability that all of it is kept falls below this, from 0 to 1; 0
    /// never ends one early
    #[arg(long, value_name = "NUMBER", default_value = "0.4", requires = "draft", value_parser = share, help_heading = "Model")]
    pub(crate) draft_sure: f32,
}

impl DraftArgs {
    /// Returns the length of drafts, if there is a draft model.
    pub(crate) fn length(&self) -> Option<DraftLength> {
        self.draft.is_some().then_some(DraftLength { most: self.draft_tokens, least_sure: self.draft_sure })
    }
}

/// Reads the maximum length of a draft in tokens, which may be 0.
pub(super) fn guesses(text: &str) -> Result<usize, String> {
    let most = text.parse().ok().filter(|most| *most <= MAX_GUESSES);
    most.ok_or_else(|| format!("a number from 0 to {MAX_GUESSES} is expected"))
}

fn tokens(text: &str) -> Result<usize, String> {
    let most = guesses(text).ok().filter(|most| *most > 0);
    most.ok_or_else(|| format!("a number from 1 to {MAX_GUESSES} is expected"))
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}
