//! Arguments of `ogc fit`.

use std::path::PathBuf;

use clap::Args;

use super::device::DeviceArgs;
use super::generate::NumberArgs;
use super::{FormatArgs, LevelArgs};

#[derive(Debug, Args)]
pub(crate) struct Fit {
    /// The format
    pub(crate) file: PathBuf,
    /// The model, as `ogc generate` takes it
    #[arg(short, long, value_name = "FILE", help_heading = "Model")]
    pub(crate) model: PathBuf,
    /// The prompts, one on each line
    ///
    /// In a file that ends in .jsonl, each line is a JSON object with `prompt` and, if you like, `system`, or with
    /// `messages`. In any other file, each line is a message.
    #[arg(short, long, value_name = "FILE", help_heading = "Prompts")]
    pub(crate) prompts: PathBuf,
    /// The system message for prompts that have none [default: that of the model's chat template]
    #[arg(long, value_name = "TEXT", conflicts_with = "raw", help_heading = "Prompts")]
    pub(crate) system: Option<String>,
    /// Continue prompts as they stand, without the model's chat template
    #[arg(long, help_heading = "Prompts")]
    pub(crate) raw: bool,
    /// Write at most this many tokens for each prompt; tokens refused because the rest would not fit are counted apart
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    pub(crate) max_tokens: u32,
    /// Report what the format refuses at least this often per text; the probabilities of refused tokens are summed up
    #[arg(long, value_name = "NUMBER", default_value_t = 0.2, value_parser = least)]
    pub(crate) least: f64,
    #[command(flatten)]
    pub(crate) numbers: NumberArgs,
    /// Seed of the random choices: the same seed gives the same texts
    #[arg(long, default_value_t = 1, help_heading = "Sampling")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) place: DeviceArgs,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn least(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "a number from 0 on is expected".to_owned())
}
