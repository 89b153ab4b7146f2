//! Arguments of `ogc new`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::templates;

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The file to create; `.ogc` is added if it is missing, and `-` writes to standard output
    #[arg(required_unless_present = "list")]
    pub(crate) path: Option<PathBuf>,
    /// The template to start from
    #[arg(long, value_name = "NAME", default_value = "record", value_parser = names())]
    pub(crate) template: String,
    /// List the templates, and create nothing
    #[arg(long)]
    pub(crate) list: bool,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(templates::ALL.iter().map(|template| template.name))
}
