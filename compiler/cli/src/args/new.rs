//! Arguments of `ogc new`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::templates;

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The file to begin; `.ogc` is added where it is missing, `-` is standard output
    #[arg(required_unless_present = "list")]
    pub(crate) path: Option<PathBuf>,
    /// What to begin with
    #[arg(long, value_name = "NAME", default_value = "record", value_parser = names())]
    pub(crate) template: String,
    /// Show the templates
    #[arg(long)]
    pub(crate) list: bool,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(templates::ALL.iter().map(|template| template.name))
}
