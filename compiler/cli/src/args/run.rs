//! Arguments of `ogc run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{EndArgs, FormatArgs};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The format
    #[arg(value_name = "FORMAT")]
    pub(crate) file: PathBuf,
    /// The text; `-`, or none, reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Read the text from this file; `-` is standard input
    #[arg(long = "file", value_name = "FILE", conflicts_with = "text")]
    pub(crate) text_file: Option<PathBuf>,
    /// Read several texts, one a line, and count those that are accepted
    #[arg(long, value_name = "LINES", num_args = 0..=1, require_equals = true, default_missing_value = "texts")]
    pub(crate) jsonl: Option<Lines>,
    /// A line break at the end of the text counts; else one that the format does not allow is ignored
    #[arg(long)]
    pub(crate) exact: bool,
    /// The vocabulary in whose tokens the text is written, so that bounds on tokens count: a tokenizer.json,
    /// tekken.json, .tiktoken, tokenizer.model or .gguf file, a model's folder, or `o200k` [default: as ogc.toml says, or none]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Read the names of the tokens that the format asks for as those tokens
    #[arg(long)]
    pub(crate) tokens: bool,
    /// Show the events of an accepted text in the order in which they become certain, token by token with `--vocab`: what begins, what
    /// is complete, where tools are called
    #[arg(long)]
    pub(crate) events: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The form of the lines in a file with several texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lines {
    /// A text as it stands, for example a JSON value
    Texts,
    /// A JSON string, which says the text: it may have line breaks
    Strings,
}
