//! Arguments of `ogc diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::FormatArgs;

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The old format and the new one; with --since, only the new one
    #[arg(required = true, num_args = 1..=2, value_names = ["OLD", "NEW"])]
    pub(crate) files: Vec<PathBuf>,
    /// Compare with the same file at this git revision (a branch, a tag, `HEAD~3`), imports included
    #[arg(long, value_name = "REVISION")]
    pub(crate) since: Option<String>,
    /// The change that you expect; any other exits with 1
    #[arg(long, value_name = "CHANGE", default_value = "same")]
    pub(crate) expect: Expected,
    /// The definition of the old format, if it had another name than --definition
    #[arg(long, value_name = "NAME")]
    pub(crate) old_definition: Option<String>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The change that is expected between two versions of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expected {
    /// No change: both accept the same texts
    Same,
    /// The new format accepts every text that the old one does: it can read old texts
    Wider,
    /// The new format accepts no text that the old one refuses: old readers can read new texts
    Narrower,
}

impl Expected {
    /// Returns the name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Wider => "wider",
            Self::Narrower => "narrower",
        }
    }
}
