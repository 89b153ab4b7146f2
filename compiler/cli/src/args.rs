//! The command line's arguments. Arguments of self-contained commands are in separate files.

mod choice;
#[cfg(feature = "generate")]
pub(crate) mod device;
mod diff;
#[cfg(feature = "generate")]
pub(crate) mod draft;
mod ends;
mod examples;
#[cfg(feature = "generate")]
mod fit;
mod fmt;
#[cfg(feature = "generate")]
mod generate;
mod inspect;
mod levels;
mod new;
mod report;
mod resource;
mod run;
#[cfg(feature = "generate")]
mod serve;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use ogc_compiler::db::{Formats, KeywordSet, OtherMembers, Resources, Space, Spelling};
use ogc_export::notation;
use ogc_runtime::automaton::{Escapes, KeyOrder};
use ogc_workbench::settings::{Policy, table};

pub(crate) use diff::{Diff, Expected};
pub(crate) use ends::EndArgs;
#[cfg(feature = "generate")]
pub(crate) use fit::Fit;
pub(crate) use fmt::Fmt;
#[cfg(feature = "generate")]
pub(crate) use generate::Generate;
pub(crate) use inspect::{Inspect, Stage};
pub(crate) use levels::LevelArgs;
pub(crate) use new::New;
pub(crate) use report::Report;
pub(crate) use resource::ResourceArg;
pub(crate) use run::{Lines, Run};
#[cfg(feature = "generate")]
pub(crate) use serve::{AccessArgs, Serve};

/// The output grammar compiler: from a schema or a grammar to tables of token masks.
#[derive(Debug, Parser)]
#[command(name = "ogc", version, arg_required_else_help = true, help_template = examples::TEMPLATE, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// Write text for people, or one JSON object on each line for programs
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 a format has errors, a text is not accepted or formats differ; 2 wrong usage; \
                          3 a file or a vocabulary cannot be read or written.\n\
                          Formats: .ogc, .json (JSON Schema, structural tag), .gbnf, .ebnf, .abnf, .lark, .regex; `-` reads standard input.";

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
    /// Create a small format with tests from a template
    #[command(after_help = examples::NEW)]
    New(New),
    /// Format .ogc files
    #[command(after_help = examples::FMT)]
    Fmt(Fmt),
    /// Compile formats and report what is wrong with them; write nothing unless asked to fix
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Compile formats and their token masks into artifacts (.ogca)
    #[command(after_help = examples::BUILD)]
    Build(Build),
    /// Match texts against a format: show how far each is accepted, and what was expected there
    #[command(after_help = examples::RUN)]
    Run(Run),
    /// Run the tests in .ogc files
    #[command(after_help = examples::TEST)]
    Test(Test),
    /// Generate random texts of a format
    #[command(after_help = examples::SAMPLE)]
    Sample(Sample),
    /// Compare two formats, or a format with an earlier revision: is what was accepted still accepted, and what is new
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// Write a text of a format with a language model that runs here
    #[cfg(feature = "generate")]
    #[command(after_help = examples::GENERATE)]
    Generate(Generate),
    /// Find where a language model and a format disagree, over many prompts
    #[cfg(feature = "generate")]
    #[command(after_help = examples::FIT)]
    Fit(Fit),
    /// Serve a model over HTTP, in the interface of OpenAI, with formats
    #[cfg(feature = "generate")]
    #[command(after_help = examples::SERVE)]
    Serve(Serve),
    /// Write a format in another notation, or as a description for a model's prompt
    #[command(after_help = examples::EXPORT)]
    Export(Export),
    /// Show what becomes of each keyword of a schema, or the `.ogc` that a structural tag means
    #[command(after_help = examples::IMPORT)]
    Import(Import),
    /// Explain a diagnostic code, or list all codes
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Show a format at one stage of its compilation
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Show what a format costs, rule by rule
    #[command(after_help = examples::COST)]
    Cost(Cost),
    /// Write an HTML page about a format: diagrams, costs, masks, samples
    #[command(after_help = examples::REPORT)]
    Report(Report),
    /// Serve an editor: speak the Language Server Protocol on standard input and output
    Lsp(Lsp),
    /// Write the completion script for a shell, or the manual page
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
}

impl Command {
    /// Returns the name under which users type the command.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::New(_) => "new",
            Self::Fmt(_) => "fmt",
            Self::Check(_) => "check",
            Self::Build(_) => "build",
            Self::Run(_) => "run",
            Self::Test(_) => "test",
            Self::Sample(_) => "sample",
            Self::Diff(_) => "diff",
            #[cfg(feature = "generate")]
            Self::Generate(_) => "generate",
            #[cfg(feature = "generate")]
            Self::Fit(_) => "fit",
            #[cfg(feature = "generate")]
            Self::Serve(_) => "serve",
            Self::Export(_) => "export",
            Self::Import(_) => "import",
            Self::Explain(_) => "explain",
            Self::Inspect(_) => "inspect",
            Self::Cost(_) => "cost",
            Self::Report(_) => "report",
            Self::Lsp(_) => "lsp",
            Self::Completions(_) => "completions",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Use standard input and output, which is the only way; some editors say so
    #[arg(long)]
    pub(crate) stdio: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell, or `man` for the manual page in troff
    pub(crate) shell: ShellName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellName {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
    /// The manual page
    Man,
}

/// Options for reading and compiling formats.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FormatArgs {
    /// Use this output, type or rule of the .ogc file, this definition of the schema, or this start rule of the grammar [default: all outputs, the whole schema, the start rule of the notation]
    #[arg(short, long, value_name = "NAME", help_heading = "Format")]
    pub(crate) definition: Option<String>,
    /// Read the files as this language, whatever their names say
    #[arg(long, value_name = "LANGUAGE", help_heading = "Format")]
    pub(crate) language: Option<LanguageName>,
    /// Allow this white space between the tokens of JSON, in files other than .ogc (those use `policy`) [default: any; compact where a model
    /// of ogc writes: generate, serve]
    #[arg(long, value_parser = choice::parser(&table::SPACES), help_heading = "Format")]
    pub(crate) space: Option<Space>,
    /// Require this order of an object's keys [default: declared; any where texts of others are matched: run, serve --upstream]
    #[arg(long, value_parser = choice::parser(&table::ORDERS), help_heading = "Format")]
    pub(crate) order: Option<KeyOrder>,
    /// Allow these escapes in strings [default: any; canonical where a model of ogc writes]
    #[arg(long, value_parser = choice::parser(&table::ESCAPES), help_heading = "Format")]
    pub(crate) escapes: Option<Escapes>,
    /// Allow these spellings of numbers: those that printers write, or those without exponents [default: printed; plain where a model of ogc
    /// writes]
    #[arg(long, value_parser = choice::parser(&table::NUMBERS), help_heading = "Format")]
    pub(crate) numbers: Option<Spelling>,
    /// Say what the keyword `format` does [default: assert]
    #[arg(long, value_parser = choice::parser(&table::FORMATS), help_heading = "Format")]
    pub(crate) formats: Option<Formats>,
    /// Read these keywords of JSON Schema as annotations, separated by commas: values that break them are accepted, and each is named in a
    /// warning [default: none]
    #[arg(long, value_name = "KEYWORDS", value_parser = table::annotated, help_heading = "Format")]
    pub(crate) annotate: Option<KeywordSet>,
    /// Say whether objects may have members that their schema does not name [default: open]
    #[arg(long, value_parser = choice::parser(&table::OBJECTS), help_heading = "Format")]
    pub(crate) objects: Option<OtherMembers>,
    /// Read the schema that references call URI from FILE; with `URI/=FOLDER`, all whose URIs begin so. A path alone is an index, a JSON
    /// object from URI to path, or a folder with an `index.json`. May be given several times; nothing is fetched [default: files beside
    /// the schema, and `[resources]` of ogc.toml]
    #[arg(long = "resource", value_name = "URI=FILE", value_parser = ResourceArg::parse, help_heading = "Format")]
    pub(crate) resource: Vec<ResourceArg>,
    /// Read no file or text longer than this many bytes; a format can have at most 33554432
    #[arg(long, value_name = "BYTES", default_value_t = crate::source::MAX_FORMAT, help_heading = "Format")]
    pub(crate) max_input: u64,
}

impl FormatArgs {
    /// Returns the places of schemas set by flags; `name` converts paths to file names.
    pub(crate) fn resources(&self, name: impl Fn(&Path) -> String) -> Resources {
        let mut resources = Resources::default();
        self.resource.iter().for_each(|place| place.add_to(&mut resources, &name));
        resources
    }

    /// Returns the policies set by flags: how values are written.
    pub(crate) fn policy(&self) -> Policy {
        let Self { space, order, escapes, numbers, formats, annotate, objects, .. } = *self;
        Policy { space, order, escapes, numbers, formats, annotate, objects }
    }

    /// Returns the flags without policies.
    #[cfg(feature = "generate")]
    pub(crate) fn without_policy(&self) -> Self {
        let (space, order, escapes, numbers, formats, annotate, objects) = Default::default();
        Self { space, order, escapes, numbers, formats, annotate, objects, ..self.clone() }
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
    /// W3C or ISO 14977 EBNF, or GBNF under that name: the content tells
    Ebnf,
    /// The ABNF of RFC 5234 and 7405
    Abnf,
    /// Lark, with llguidance's additions
    Lark,
    /// One regular expression
    Regex,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Formats, or folders to search for formats
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Apply the corrections that leave no doubt, and write the files
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix, also remove types, rules and imports that nothing uses, from files without errors
    #[arg(long, requires = "fix")]
    pub(crate) remove_unused: bool,
    /// Check again whenever a format changes
    #[arg(long)]
    pub(crate) watch: bool,
    /// Also report what the masks cost for this vocabulary: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a model's
    /// folder, or `o200k`
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// Formats, or folders to search for formats
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The folder for artifacts, which share a file with the rows of their masks; `-` writes a single artifact to standard output
    /// [default: as ogc.toml says, or beside each format]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Give each artifact in a folder rows of its own
    #[arg(long)]
    pub(crate) self_contained: bool,
    /// A tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a model's folder, or the built-in `o200k` [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Write only the automaton; masks are then computed at run time
    #[arg(long)]
    pub(crate) no_masks: bool,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// .ogc files, or folders to search for them
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    /// The format
    pub(crate) file: PathBuf,
    /// Generate this many texts
    #[arg(short = 'n', long, default_value_t = 5)]
    pub(crate) count: usize,
    /// Start from this seed: the same seed gives the same texts
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep texts within this many bytes, if the format allows that
    #[arg(long, value_name = "BYTES", default_value_t = 300)]
    pub(crate) length: u32,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The format
    pub(crate) file: PathBuf,
    /// The notation to write
    #[arg(long, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// The file to write; `-`, or none, is standard output
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

impl Notation {
    /// Returns the notation's name on the command line.
    pub(crate) fn name(self) -> &'static str {
        notation::Notation::from(self).name()
    }
}

impl From<Notation> for notation::Notation {
    fn from(one: Notation) -> Self {
        match one {
            Notation::JsonSchema => Self::JsonSchema,
            Notation::Gbnf => Self::Gbnf,
            Notation::Lark => Self::Lark,
            Notation::Regex => Self::Regex,
            Notation::Ogc => Self::Ogc,
            Notation::Prompt => Self::Prompt,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A JSON Schema, a list of tools, a structural tag, or an .ogc file that imports schemas
    pub(crate) file: PathBuf,
    /// Show each keyword, not only how many there are
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code of a diagnostic; without one, all codes are listed
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Cost {
    /// The format
    pub(crate) file: PathBuf,
    /// The vocabulary of the masks
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Show this many rules
    #[arg(long, default_value_t = 20)]
    pub(crate) rules: usize,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
