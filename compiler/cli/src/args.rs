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
use ogc_compiler::db::{Formats, KeywordSet, OtherMembers, Resources, Space, Spelling, Words};
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

/// The output grammar compiler: make language models write only what a schema or a grammar allows.
#[derive(Debug, Parser)]
#[command(name = "ogc", version, arg_required_else_help = true, help_template = examples::TEMPLATE, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// The form of the output
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
    /// Text for people
    Human,
    /// One JSON object on each line, for programs
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
    /// Compile formats and report what is wrong with them
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Compile formats and their token masks into artifacts (.ogca)
    #[command(after_help = examples::BUILD)]
    Build(Build),
    /// Match a text against a format: show how far it is accepted, and what was expected there
    #[command(after_help = examples::RUN)]
    Run(Run),
    /// Run the tests in .ogc files
    #[command(after_help = examples::TEST)]
    Test(Test),
    /// Generate random texts of a format
    #[command(after_help = examples::SAMPLE)]
    Sample(Sample),
    /// Compare two formats, or two revisions of one: which texts does only one of them accept
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// Write a text of a format with a language model on this machine
    #[cfg(feature = "generate")]
    #[command(after_help = examples::GENERATE)]
    Generate(Generate),
    /// Find where a language model and a format disagree, over many prompts
    #[cfg(feature = "generate")]
    #[command(after_help = examples::FIT)]
    Fit(Fit),
    /// Serve a model with formats over HTTP, in OpenAI's interface
    #[cfg(feature = "generate")]
    #[command(after_help = examples::SERVE)]
    Serve(Serve),
    /// Write a format in another notation, or as a description for a model's prompt
    #[command(after_help = examples::EXPORT)]
    Export(Export),
    /// Show what becomes of each keyword of a schema, or write a structural tag as .ogc
    #[command(after_help = examples::IMPORT)]
    Import(Import),
    /// Explain a diagnostic code, or list all codes
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Show a format at one stage of its compilation
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Show what a format costs in states, rows and time, rule by rule
    #[command(after_help = examples::COST)]
    Cost(Cost),
    /// Write an HTML page about a format: diagrams, costs, masks, samples
    #[command(after_help = examples::REPORT)]
    Report(Report),
    /// Run the language server for an editor, on standard input and output
    #[command(after_help = examples::LSP)]
    Lsp(Lsp),
    /// Write a shell's completion script, or the manual page
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
    /// Use standard input and output, as the server always does; some editors pass this
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
    /// Use only this definition: an output, type or rule of an .ogc file, a definition of a schema, or the start rule
    /// of a grammar [default: all outputs, the whole schema, the grammar's own start rule]
    #[arg(short, long, value_name = "NAME", help_heading = "Format")]
    pub(crate) definition: Option<String>,
    /// Read files as this language, whatever their names end in
    #[arg(long, value_name = "LANGUAGE", help_heading = "Format")]
    pub(crate) language: Option<LanguageName>,
    /// The white space to allow in JSON; in .ogc files `policy` says it [default: any; compact for `generate`, `fit`, and
    /// `serve` with a model]
    #[arg(long, value_parser = choice::parser(&table::SPACES), help_heading = "Format")]
    pub(crate) space: Option<Space>,
    /// The order of an object's keys [default: declared; any for `run`, and `serve --upstream`]
    #[arg(long, value_parser = choice::parser(&table::ORDERS), help_heading = "Format")]
    pub(crate) order: Option<KeyOrder>,
    /// The escapes to allow in strings [default: any; canonical for `generate`, `fit`, and `serve` with a model]
    #[arg(long, value_parser = choice::parser(&table::ESCAPES), help_heading = "Format")]
    pub(crate) escapes: Option<Escapes>,
    /// The spellings of numbers to allow [default: printed; plain for `generate`, `fit`, and `serve` with a model]
    #[arg(long, value_parser = choice::parser(&table::NUMBERS), help_heading = "Format")]
    pub(crate) numbers: Option<Spelling>,
    /// The words for `null`, `true` and `false`; Python's make escapes canonical [default: json]
    #[arg(long, value_parser = choice::parser(&table::WORDS), help_heading = "Format")]
    pub(crate) words: Option<Words>,
    /// The effect of the schema keyword `format` [default: assert]
    #[arg(long, value_parser = choice::parser(&table::FORMATS), help_heading = "Format")]
    pub(crate) formats: Option<Formats>,
    /// Do not enforce these schema keywords, separated by commas; each use gets a warning [default: none]
    #[arg(long, value_name = "KEYWORDS", value_parser = table::annotated, help_heading = "Format")]
    pub(crate) annotate: Option<KeywordSet>,
    /// Whether objects may have members that their schema does not name [default: open]
    #[arg(long, value_parser = choice::parser(&table::OBJECTS), help_heading = "Format")]
    pub(crate) objects: Option<OtherMembers>,
    /// The file of the schema that references call URI; may be given several times [default: files beside the schema,
    /// and `[resources]` of ogc.toml]
    ///
    /// `URI/=FOLDER` is the folder of all schemas whose URIs begin with `URI/`. A path alone is an index: a JSON object
    /// from URI to path, or a folder with such an `index.json`. Nothing is fetched from the network.
    #[arg(long = "resource", value_name = "URI=FILE", value_parser = ResourceArg::parse, help_heading = "Format")]
    pub(crate) resource: Vec<ResourceArg>,
    /// Refuse files and texts longer than this many bytes; formats can never be longer than 33554432
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
        let Self { space, order, escapes, numbers, words, formats, annotate, objects, .. } = *self;
        Policy { space, order, escapes, numbers, words, formats, annotate, objects }
    }

    /// Returns the flags without policies.
    #[cfg(feature = "generate")]
    pub(crate) fn without_policy(&self) -> Self {
        let (space, order, escapes, numbers, words, formats, annotate, objects) = Default::default();
        Self { space, order, escapes, numbers, words, formats, annotate, objects, ..self.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    /// ogc's own language
    Ogc,
    /// JSON Schema
    #[value(alias = "json")]
    JsonSchema,
    /// GBNF, the grammars of llama.cpp
    Gbnf,
    /// EBNF of W3C or ISO 14977, or GBNF; the content decides
    Ebnf,
    /// ABNF of RFC 5234 and 7405
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
    /// Apply the corrections that are safe, and write the files
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix: also remove unused types, rules and imports from files without errors
    #[arg(long, requires = "fix")]
    pub(crate) remove_unused: bool,
    /// Check again whenever a format changes
    #[arg(long)]
    pub(crate) watch: bool,
    /// Also report formats whose masks are costly for this vocabulary: a tokenizer.json, tekken.json, .tiktoken,
    /// tokenizer.model or .gguf file, a model's folder, or the built-in `o200k`
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
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
    /// The folder for artifacts [default: as ogc.toml says, or beside each format]
    ///
    /// Artifacts in one folder share a file with the rows of their masks. `-` writes a single artifact to standard
    /// output.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// With --output: store the rows of masks in each artifact, not in a file that all share
    #[arg(long)]
    pub(crate) self_contained: bool,
    /// The vocabulary to compute masks for: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a
    /// model's folder, or the built-in `o200k` [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Write artifacts without masks, which are then computed when a model writes
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
    /// Seed of the random choices: the same seed gives the same texts
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Generate texts of at most this many bytes, if the format has any that short
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
    /// The file to write [default: standard output, as with `-`]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// JSON Schema, draft 2020-12
    JsonSchema,
    /// GBNF, the grammars of llama.cpp
    Gbnf,
    /// Lark, for llguidance
    Lark,
    /// One regular expression
    Regex,
    /// ogc's own language, to read or edit what was imported
    Ogc,
    /// A description to put into a model's prompt
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
    /// List each keyword with its place, not only counts
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code of a finding [default: list all codes]
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Cost {
    /// The format
    pub(crate) file: PathBuf,
    /// The vocabulary to compute masks for: a tokenizer.json, tekken.json, .tiktoken, tokenizer.model or .gguf file, a
    /// model's folder, or the built-in `o200k` [default: as ogc.toml says, or o200k]
    #[arg(long, value_name = "FILE", help_heading = "Vocabulary")]
    pub(crate) vocab: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
    /// Show this many rules, the most expensive first
    #[arg(long, default_value_t = 20)]
    pub(crate) rules: usize,
    #[command(flatten)]
    pub(crate) levels: LevelArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
