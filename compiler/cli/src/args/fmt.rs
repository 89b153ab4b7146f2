//! Arguments of `ogc fmt`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Files, or directories that are searched for .ogc files
    #[arg(default_value = ".", conflicts_with = "stdin")]
    pub(crate) paths: Vec<PathBuf>,
    /// Write nothing; show what would change, and exit with 1 if anything would
    #[arg(long)]
    pub(crate) check: bool,
    /// Read standard input and write the formatted text to standard output; the same as the path `-`
    #[arg(long)]
    pub(crate) stdin: bool,
    /// The longest file that is read, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = crate::source::MAX_FORMAT)]
    pub(crate) max_input: u64,
}
