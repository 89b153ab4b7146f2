//! Arguments of `ogc run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{EndArgs, FormatArgs};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The format
    #[arg(value_name = "FORMAT")]
    pub(crate) file: PathBuf,
    /// The text to match [default: standard input, as with `-`]
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Read the text from this file; `-` is standard input
    #[arg(long = "file", value_name = "FILE", conflicts_with = "text")]
    pub(crate) text_file: Option<PathBuf>,
    /// Match each line as a text of its own, and count those that are accepted
    #[arg(long, value_name = "LINES", num_args = 0..=1, require_equals = true, default_missing_value = "texts")]
    pub(crate) jsonl: Option<Lines>,
    /// Match a line break at the end of the text, too; otherwise it is ignored if the format does not allow it
    #[arg(long)]
    pub(crate) exact: bool,
    /// Count tokens of this vocabulary, for bounds such as `max_tokens`: a tokenizer.json, tekken.json, .tiktoken,
    /// tokenizer.model or .gguf file, a model's folder, or the built-in `o200k` [default: as ogc.toml says, or none]
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Read the name of a special token in the text as that token, if the format uses it
    #[arg(long)]
    pub(crate) tokens: bool,
    /// If the text is accepted, show the events that a reader of the growing text would get: what begins, what is
    /// complete, which tools are called. With --vocab, token by token
    #[arg(long)]
    pub(crate) events: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The form of the lines in a file with several texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lines {
    /// The line is the text, for example a JSON value
    Texts,
    /// The line is a JSON string with the text in it, so that texts may have line breaks
    Strings,
}
