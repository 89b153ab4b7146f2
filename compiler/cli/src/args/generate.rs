//! Arguments of `ogc generate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::FormatArgs;
use super::device::DeviceArgs;

/// The most tokens of a guess.
const MAX_GUESSES: usize = 64;

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The format; with --requests that of requests that name none
    #[arg(required_unless_present = "requests")]
    pub(crate) file: Option<PathBuf>,
    /// The model: a GGUF file, or a folder with safetensors, of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3), or the beginning
    /// of the name of one in the folder that `OGC_MODELS` of the environment names
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// The message to answer
    #[arg(short, long, value_name = "TEXT", required_unless_present = "requests")]
    pub(crate) prompt: Option<String>,
    /// Write a text for each line of this file, an object of JSON: `prompt`, and where they differ from the flags `format`, `definition`,
    /// `system`, `max_tokens`, `temperature`, `top_k`, `top_p`, `min_p`, `repetition_penalty`, `presence_penalty`, `frequency_penalty`,
    /// `logit_bias`, `seed`. Texts that are written at the same time share passes, and are the same as alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prompt", "events"])]
    pub(crate) requests: Option<PathBuf>,
    /// Write this many texts of --requests at a time
    #[arg(long, value_name = "COUNT", default_value = "8", requires = "requests")]
    pub(crate) slots: NonZeroUsize,
    /// Show typed events while the text grows, in place of the text: values with their places, captures, calls of tools
    #[arg(long)]
    pub(crate) events: bool,
    /// The system message before it [default: that of the model's chat template]
    #[arg(long, value_name = "TEXT", conflicts_with = "raw")]
    pub(crate) system: Option<String>,
    /// Continue the prompt as it stands, without the model's chat template
    #[arg(long)]
    pub(crate) raw: bool,
    /// Write at most this many tokens; the text is whole within them
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    pub(crate) max_tokens: u32,
    /// Take each token pass by pass, also those that the format forces; the text is the same
    #[arg(long)]
    pub(crate) no_jump: bool,
    /// Guess this many tokens from what came before, and read them in one pass; the text is the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = guesses)]
    pub(crate) speculate: usize,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) place: DeviceArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// How tokens are chosen.
#[derive(Clone, Debug, Args)]
pub(crate) struct SamplingArgs {
    /// How even the choice of tokens is: 0 takes the most likely one, 1 draws by the model's probabilities
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = at_least_zero, help_heading = "Sampling")]
    pub(crate) temperature: f32,
    /// Draw from this many most likely tokens; 0 is all
    #[arg(long, value_name = "COUNT", default_value_t = 0, help_heading = "Sampling")]
    pub(crate) top_k: usize,
    /// Draw from the most likely tokens that together have this share
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share, help_heading = "Sampling")]
    pub(crate) top_p: f32,
    /// Draw from the tokens that are at least this many times as likely as the first
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, help_heading = "Sampling")]
    pub(crate) min_p: f32,
    /// Divide the logits of tokens that were written before by this
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = at_least_one, help_heading = "Sampling")]
    pub(crate) repetition_penalty: f32,
    /// Take this from the logits of tokens that were written before
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = finite, help_heading = "Sampling")]
    pub(crate) presence_penalty: f32,
    /// Take this from the logits of tokens for each time that they were written before
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = finite, help_heading = "Sampling")]
    pub(crate) frequency_penalty: f32,
    /// Add this to the logit of a token: of the only token of a text, of one with that name, or of one by its number as in `#17=-5`
    #[arg(long, value_name = "TOKEN=NUMBER", allow_hyphen_values = true, help_heading = "Sampling")]
    pub(crate) bias: Vec<String>,
    /// Draw from this seed: the same seed gives the same text
    #[arg(long, default_value_t = 1, help_heading = "Sampling")]
    pub(crate) seed: u64,
}

fn at_least_zero(text: &str) -> Result<f32, String> {
    number(text, 0.0, f32::MAX, "0 or more")
}

fn at_least_one(text: &str) -> Result<f32, String> {
    number(text, 1.0, f32::MAX, "1 or more")
}

fn finite(text: &str) -> Result<f32, String> {
    number(text, -1000.0, 1000.0, "from -1000 to 1000")
}

fn share(text: &str) -> Result<f32, String> {
    number(text, 0.0, 1.0, "from 0 to 1")
}

pub(super) fn guesses(text: &str) -> Result<usize, String> {
    let most = text.parse().ok().filter(|most| *most <= MAX_GUESSES);
    most.ok_or_else(|| format!("a number from 0 to {MAX_GUESSES} is expected"))
}

/// Reads a number in a range, which words describe.
fn number(text: &str, least: f32, most: f32, range: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number {range} is expected"))
}
