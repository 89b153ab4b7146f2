//! Arguments of `ogc fmt`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Files, or folders to search for .ogc files
    #[arg(default_value = ".", conflicts_with = "stdin")]
    pub(crate) paths: Vec<PathBuf>,
    /// Write no files: show what would change, and exit with 1 if anything would
    #[arg(long)]
    pub(crate) check: bool,
    /// Format standard input to standard output, as the path `-` does
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Refuse files longer than this many bytes
    #[arg(long, value_name = "BYTES", default_value_t = crate::source::MAX_FORMAT)]
    pub(crate) max_input: u64,
}
