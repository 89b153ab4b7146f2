//! Arguments of `ogc report`.

use std::path::PathBuf;

use clap::Args;

use super::{EndArgs, FormatArgs};

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The format
    pub(crate) file: PathBuf,
    /// The page to write; `-` is standard output [default: the format's name with .html added]
    #[arg(short, long, value_name = "PAGE")]
    pub(crate) output: Option<PathBuf>,
    /// The vocabulary to compute masks for: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a
    /// model's folder, or the built-in `o200k` [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Show this many sample texts
    #[arg(long, default_value_t = 5)]
    pub(crate) samples: usize,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
