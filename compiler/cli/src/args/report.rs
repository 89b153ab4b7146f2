//! Arguments of `ogc report`.

use std::path::PathBuf;

use clap::Args;

use super::{EndArgs, FormatArgs};

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The format
    pub(crate) file: PathBuf,
    /// The page; `-` is standard output. If not given, `.html` is added to the format's name
    #[arg(short, long, value_name = "PAGE")]
    pub(crate) output: Option<PathBuf>,
    /// The vocabulary of the masks [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Show this many sample outputs
    #[arg(long, default_value_t = 5)]
    pub(crate) samples: usize,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
