//! Arguments of `ogc diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::FormatArgs;

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The old format and the new one; with --since the new one alone
    #[arg(required = true, num_args = 1..=2, value_names = ["OLD", "NEW"])]
    pub(crate) files: Vec<PathBuf>,
    /// Compare with what the file, and all that it imports, was at this revision of git: a branch, a tag, `HEAD~3`
    #[arg(long, value_name = "REVISION")]
    pub(crate) since: Option<String>,
    /// The change that is expected; any other ends with exit code 1
    #[arg(long, value_name = "CHANGE", default_value = "same")]
    pub(crate) expect: Expected,
    /// The definition in the old file, where it has another name than that of --definition
    #[arg(long, value_name = "NAME")]
    pub(crate) old_definition: Option<String>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The change that is expected between two versions of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expected {
    /// None: both accept the same texts
    Same,
    /// Each old text is still accepted, so that what was written can be read
    Wider,
    /// No new text is accepted, so that old readers can read what is written
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
