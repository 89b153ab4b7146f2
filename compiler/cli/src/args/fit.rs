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
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// The prompts: a message on each line; of a file that ends in .jsonl an object of JSON on each line, with `prompt` and `system`, or
    /// with `messages`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) prompts: PathBuf,
    /// The system message before prompts that have none [default: that of the model's chat template]
    #[arg(long, value_name = "TEXT", conflicts_with = "raw")]
    pub(crate) system: Option<String>,
    /// Continue prompts as they stand, without the model's chat template
    #[arg(long)]
    pub(crate) raw: bool,
    /// Write at most this many tokens for each prompt; what does not fit is refused, and counted apart
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    pub(crate) max_tokens: u32,
    /// Report what the format refuses at least so many times a text: probabilities are summed up
    #[arg(long, value_name = "NUMBER", default_value_t = 0.2, value_parser = least)]
    pub(crate) least: f64,
    #[command(flatten)]
    pub(crate) numbers: NumberArgs,
    /// Draw from this seed
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
