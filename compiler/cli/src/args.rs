//! The command line's arguments. Those of commands that stand alone have a file each.

mod fmt;
mod levels;
mod new;
mod report;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use fmt::Fmt;
pub(crate) use levels::LevelArgs;
pub(crate) use new::New;
pub(crate) use report::Report;

/// The output grammar compiler: from a schema or a grammar to tables of token masks.
#[derive(Debug, Parser)]
#[command(name = "ogc", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// What is written: text for people, or one JSON object a line
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 a format has errors or a text is not accepted; 2 wrong usage; \
                          3 a file or a vocabulary cannot be read or written.\n\
                          Formats: .ogc, .json (JSON Schema), .gbnf, .ebnf, .lark, .regex; `-` reads standard input.";

/// Who reads the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// People
    Human,
    /// Machines
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Begin a format: write a small one with tests
    New(New),
    /// Lay out .ogc files in the one way
    Fmt(Fmt),
    /// Compile formats and say what is wrong with them; write nothing
    Check(Check),
    /// Compile formats and their token masks to artifacts (.ogca)
    Build(Build),
    /// Hold a text against a format: how far it is accepted, and what was expected there
    Run(Run),
    /// Run the tests that .ogc files have in them
    Test(Test),
    /// Write random texts of a format
    Sample(Sample),
    /// Write a format in another notation that means the same, or as a description for a model
    Export(Export),
    /// Say what becomes of each keyword of a schema
    Import(Import),
    /// Explain a diagnostic code; without a code, list them
    Explain(Explain),
    /// Show a format at one stage of the compilation
    Inspect(Inspect),
    /// Say what a format costs, rule by rule
    Cost(Cost),
    /// Write a page about a format: diagrams, costs, masks, samples
    Report(Report),
}

/// How formats are read and compiled.
#[derive(Clone, Debug, Args)]
pub(crate) struct FormatArgs {
    /// The output, type or rule of an .ogc file that is meant; without it, its outputs
    #[arg(short, long, value_name = "NAME", help_heading = "Format")]
    pub(crate) definition: Option<String>,
    /// The language of the files, whatever their names say
    #[arg(long, value_name = "LANGUAGE", help_heading = "Format")]
    pub(crate) language: Option<LanguageName>,
    /// White space between the tokens of JSON, in files other than .ogc, which have policies [default: any]
    #[arg(long, help_heading = "Format")]
    pub(crate) space: Option<SpaceName>,
    /// The order of an object's keys [default: declared]
    #[arg(long, help_heading = "Format")]
    pub(crate) order: Option<OrderName>,
    /// How characters of strings may be escaped [default: any]
    #[arg(long, help_heading = "Format")]
    pub(crate) escapes: Option<EscapesName>,
    /// How numbers are written: as JSON allows, or without exponents [default: json]
    #[arg(long, help_heading = "Format")]
    pub(crate) numbers: Option<NumbersName>,
    /// What the keyword `format` does [default: assert]
    #[arg(long, help_heading = "Format")]
    pub(crate) formats: Option<FormatsName>,
    /// The longest file that is read, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 32 << 20, help_heading = "Format")]
    pub(crate) max_input: u64,
}

impl FormatArgs {
    /// Flags say how values are written.
    pub(crate) fn has_policy(&self) -> bool {
        self.space.is_some()
            || self.order.is_some()
            || self.escapes.is_some()
            || self.numbers.is_some()
            || self.formats.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    /// ogc's own language
    Ogc,
    /// JSON Schema
    #[value(alias = "json")]
    JsonSchema,
    /// llama.cpp's grammars
    Gbnf,
    /// W3C or ISO 14977 EBNF
    Ebnf,
    /// Lark, with llguidance's additions
    Lark,
    /// One regular expression
    Regex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpaceName {
    /// None
    Compact,
    /// One space after `,` and `:`
    Spaced,
    /// A line for each member and item, two spaces a level
    Pretty,
    /// Whatever JSON allows, in runs of at most 32
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    /// As the schema declares them
    Declared,
    /// Any, each key once
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EscapesName {
    /// Every spelling that JSON allows
    Any,
    /// Each character in one way
    Canonical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumbersName {
    /// As JSON allows
    Json,
    /// Without exponents
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatsName {
    /// They constrain; one that cannot be enforced exactly is an error
    Assert,
    /// They are annotations
    Annotate,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Formats, or directories of formats
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Correct what can be corrected in only one way; files are written
    #[arg(long)]
    pub(crate) fix: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    pub(crate) watch: bool,
    /// Say what the masks cost for this vocabulary too: a tokenizer.json, tekken.json or .tiktoken file, or `o200k`
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// Formats, or directories of formats
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Where artifacts go; if not given, as ogc.toml says, or beside their formats. `-` writes a single artifact to standard output
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// A tokenizer.json, tekken.json or .tiktoken file, or `o200k`, which is built in [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    /// Write the automaton only; masks are then computed at run time
    #[arg(long)]
    pub(crate) no_masks: bool,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The format
    pub(crate) file: PathBuf,
    /// The text; `-`, or none, reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// The vocabulary whose token boundaries are shown
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    /// Read the names of the tokens that the format asks for as those tokens
    #[arg(long)]
    pub(crate) tokens: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// .ogc files, or directories of them
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    /// The format
    pub(crate) file: PathBuf,
    /// How many texts
    #[arg(short = 'n', long, default_value_t = 5)]
    pub(crate) count: usize,
    /// The same seed gives the same texts
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How long a text should be at most, in bytes, where the format allows that
    #[arg(long, value_name = "BYTES", default_value_t = 300)]
    pub(crate) length: u32,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The format
    pub(crate) file: PathBuf,
    /// The notation
    #[arg(long, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// Where it goes; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// JSON Schema, draft 2020-12
    JsonSchema,
    /// llama.cpp's grammars
    Gbnf,
    /// Lark
    Lark,
    /// One regular expression
    Regex,
    /// ogc's own language: any import can be read and edited as such
    Ogc,
    /// A description for a model
    Prompt,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A JSON Schema
    pub(crate) file: PathBuf,
    /// The fate of each keyword, not only their numbers
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A diagnostic's code
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The format
    pub(crate) file: PathBuf,
    /// Which stage
    #[arg(long, default_value = "automaton")]
    pub(crate) stage: Stage,
    /// The vocabulary of the masks
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// What the text says, as a tree
    Tree,
    /// The graph of schemas
    Schema,
    /// The grammar over bytes
    Ir,
    /// Rules, states and edges
    Automaton,
    /// The rows of the masks
    Masks,
    /// The sections of the artifact
    Artifact,
}

#[derive(Debug, Args)]
pub(crate) struct Cost {
    /// The format
    pub(crate) file: PathBuf,
    /// The vocabulary of the masks
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    /// How many rules are shown
    #[arg(long, default_value_t = 20)]
    pub(crate) rules: usize,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
