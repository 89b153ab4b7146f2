//! Arguments of `ogc inspect`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use ogc_compiler::pass::Pass;

use super::{EndArgs, FormatArgs};

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The format
    pub(crate) file: PathBuf,
    /// The stage to show
    #[arg(long, default_value = "automaton")]
    pub(crate) stage: Stage,
    /// Show the grammar, or what it has become, after this compiler pass
    #[arg(long, value_name = "PASS", value_parser = passes(), conflicts_with_all = ["stage", "at"])]
    pub(crate) pass: Option<Pass>,
    /// Show the state after this text: the ways to read it, with their stacks, and the mask of the next token
    #[arg(long, value_name = "TEXT", conflicts_with = "stage")]
    pub(crate) at: Option<String>,
    /// With --at: say why this token may come next or not; write its text, its name, or its number as `#123`
    #[arg(long, value_name = "TOKEN", requires = "at")]
    pub(crate) token: Option<String>,
    /// With --stage masks: show at most this many rows
    #[arg(long, value_name = "ROWS", default_value_t = 100)]
    pub(crate) limit: usize,
    /// The vocabulary to compute masks for: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a
    /// model's folder, or the built-in `o200k` [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// The syntax tree of the file, as an outline
    Tree,
    /// The graph of schemas, one node on each line
    Schema,
    /// The grammar, as rules over bytes
    Ir,
    /// The automaton: rules, states and edges
    Automaton,
    /// The rows of the masks, state by state
    Masks,
    /// The header and the tables of the artifact
    Artifact,
}

impl Stage {
    /// Returns the stage's name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Schema => "schema",
            Self::Ir => "ir",
            Self::Automaton => "automaton",
            Self::Masks => "masks",
            Self::Artifact => "artifact",
        }
    }
}

/// Parses the name of a pass; the help lists all passes with their descriptions.
fn passes() -> impl TypedValueParser<Value = Pass> {
    let names = Pass::ALL.map(|pass| PossibleValue::new(pass.name()).help(pass.does()));
    PossibleValuesParser::new(names).try_map(|name| Pass::named(&name).ok_or("there is no such pass"))
}
