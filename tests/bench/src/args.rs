//! Defines the command line of the bench.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Measures engines that constrain decoding.
#[derive(Debug, Parser)]
#[command(name = "ogc-bench")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Masks, compile times and verdicts over a pack of schemas with instances
    Maskbench(Maskbench),
    /// Formats whose texts have many readings: compiling, masks and steps along a long text
    Ambiguous(Ambiguous),
    /// How long an edit of `.ogc` files takes until findings and artifacts are there again
    Edits(Edits),
    /// The language server as an editor sees it: times, memory, rest
    Server(Server),
    /// Texts that a model writes: tokens a second free and under formats, passes for each token, the share of time in masks
    Generate(Generate),
    /// Samplers of formats in an unmodified libllama, its own and ours: time a token, valid texts
    Llama(Llama),
    /// How many tokens of a corpus the formats force, beside the most that they could
    Forced(Forced),
    /// Lists of tools that change from request to request: compiling, compiling after a change, masks
    Tools(Tools),
    /// Whether the kernels of devices do what the matcher does: random formats, and the schemas of a pack over each vocabulary
    Device(Device),
}

/// The arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// MaskBench: a .jsonl or .jsonl.zst file
    pub(crate) pack: PathBuf,
    /// A tokenizer.json
    #[arg(long)]
    pub(crate) vocab: PathBuf,
    /// How many tools a list has (several, with commas)
    #[arg(long, value_delimiter = ',', default_value = "10,100,500")]
    pub(crate) tools: Vec<usize>,
    /// How many times one tool of the list is changed
    #[arg(long, default_value_t = 20)]
    pub(crate) changes: usize,
    /// Write the lists and calls here, for other engines
    #[arg(long)]
    pub(crate) write: Option<PathBuf>,
}

/// The arguments of `device`.
#[derive(Debug, Args)]
pub(crate) struct Device {
    /// The pack of schemas: a .jsonl or .jsonl.zst file
    pub(crate) pack: Option<PathBuf>,
    /// A tokenizer.json (repeatable)
    #[arg(long)]
    pub(crate) vocab: Vec<PathBuf>,
    /// How many random formats are compared
    #[arg(long, default_value_t = 1000)]
    pub(crate) formats: usize,
    /// How many schemas are compared over each vocabulary
    #[arg(long, default_value_t = 500)]
    pub(crate) schemas: usize,
    /// Chooses formats, schemas, and what is done with them
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many sequences go through each format
    #[arg(long, default_value_t = 3)]
    pub(crate) sequences: usize,
    /// How many commands each of them is given, at most
    #[arg(long, default_value_t = 40)]
    pub(crate) steps: usize,
    /// How many threads build masks
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
}

/// The arguments of `forced`.
#[derive(Debug, Args)]
pub(crate) struct Forced {
    /// The pack: a .jsonl or .jsonl.zst file
    pub(crate) pack: PathBuf,
    /// A tokenizer.json
    #[arg(long)]
    pub(crate) vocab: PathBuf,
    /// Measure only so many schemas
    #[arg(long, default_value_t = usize::MAX)]
    pub(crate) limit: usize,
    /// Chooses which
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// The arguments of `llama`.
#[derive(Debug, Args)]
pub(crate) struct Llama {
    /// The folder into which `tests/models/fetch` installs; `OGC_MODELS` goes before it
    #[arg(long, default_value = "target/models")]
    pub(crate) models: PathBuf,
    /// The model in it: a GGUF file
    #[arg(long, default_value = "SmolLM2-135M-Instruct.Q4_1.gguf")]
    pub(crate) model: PathBuf,
    /// How many texts each arm writes
    #[arg(long, default_value_t = 28)]
    pub(crate) texts: usize,
    /// The most tokens of a text
    #[arg(long, default_value_t = 80)]
    pub(crate) max_tokens: u32,
    /// How even the choice of tokens is; 0 takes the most likely one
    #[arg(long, default_value_t = 0.0)]
    pub(crate) temperature: f32,
}

/// The arguments of `generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The model: a GGUF file
    #[arg(long)]
    pub(crate) model: PathBuf,
    /// Have this libllama make the passes, with the backends beside it
    #[arg(long)]
    pub(crate) library: Option<PathBuf>,
    /// The threads of a pass [default: as many as the machine has]
    #[arg(long)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// A folder with formats, of which those of `--formats` are taken
    #[arg(long, default_value = "examples")]
    pub(crate) examples: PathBuf,
    /// Files in that folder
    #[arg(long, value_delimiter = ',', default_value = "extraction.ogc,report.ogc,table.ogc,events.ogc")]
    pub(crate) formats: Vec<String>,
    /// A pack of schemas
    #[arg(long)]
    pub(crate) pack: Option<PathBuf>,
    /// How many schemas of the pack are taken
    #[arg(long, default_value_t = 6)]
    pub(crate) schemas: usize,
    /// Chooses which
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The most tokens of a text
    #[arg(long, default_value_t = 96)]
    pub(crate) max_tokens: u32,
    /// How even the choice of tokens is; 0 takes the most likely one
    #[arg(long, default_value_t = 0.0)]
    pub(crate) temperature: f32,
    /// Only measure passes over several rows
    #[arg(long)]
    pub(crate) rows_only: bool,
}

/// The arguments of `ambiguous`.
#[derive(Debug, Args)]
pub(crate) struct Ambiguous {
    /// The vocabulary: a `tokenizer.json`
    #[arg(long)]
    pub(crate) vocab: PathBuf,
    /// The bytes of each text
    #[arg(long, default_value_t = 1000)]
    pub(crate) length: usize,
    /// Builds the masks ahead of time too
    #[arg(long)]
    pub(crate) build: bool,
    /// Only formats with this in their name
    #[arg(long)]
    pub(crate) only: Option<String>,
}

/// The arguments of `server`.
#[derive(Debug, Args)]
pub(crate) struct Server {
    /// The command line with the server in it
    #[arg(long, default_value = "target/release/ogc")]
    pub(crate) ogc: PathBuf,
    /// Edits of each workload
    #[arg(long, default_value_t = 100)]
    pub(crate) edits: usize,
    /// A command that starts a language server of Python, as a yardstick
    #[arg(long)]
    pub(crate) peer: Option<String>,
}

/// The arguments of `edits`.
#[derive(Debug, Args)]
pub(crate) struct Edits {
    /// A tokenizer.json
    #[arg(long)]
    pub(crate) vocab: PathBuf,
    /// Lines of the large file
    #[arg(long, default_value_t = 2_000)]
    pub(crate) lines: usize,
    /// Files of the workspace
    #[arg(long, default_value_t = 200)]
    pub(crate) files: usize,
    /// Edits whose findings are waited for
    #[arg(long, default_value_t = 100)]
    pub(crate) edits: usize,
}

/// The arguments of `maskbench`.
#[derive(Debug, Args)]
pub(crate) struct Maskbench {
    /// The pack: a .jsonl or .jsonl.zst file
    pub(crate) pack: PathBuf,
    /// A tokenizer.json
    #[arg(long)]
    pub(crate) vocab: PathBuf,
    /// Measure only this engine; without it both, schema by schema in turn
    #[arg(long)]
    pub(crate) engine: Option<EngineName>,
    /// Measure ours also from artifacts: built, loaded, then stepped
    #[arg(long)]
    pub(crate) artifact: bool,
    /// White space that ours allows
    #[arg(long, default_value = "any")]
    pub(crate) space: String,
    /// Key order that ours allows
    #[arg(long, default_value = "declared")]
    pub(crate) order: Order,
    /// Give each sequence of ours a token budget: so many tokens more than the instance has
    #[arg(long)]
    pub(crate) budget: Option<u32>,
    /// Give the peer the canonical tokeniser, with which it forces tokens; without it the peer's masks are all complete
    #[arg(long)]
    pub(crate) peer_forces: bool,
    /// Measure only so many schemas
    #[arg(long)]
    pub(crate) limit: Option<usize>,
    /// Chooses which, with --limit
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Run the whole pack so many times; the last run is reported
    #[arg(long, default_value_t = 1)]
    pub(crate) repeat: usize,
    /// Only the schemas whose id contains this (repeatable)
    #[arg(long)]
    pub(crate) only: Vec<String>,
    /// Explain each wrong verdict and compile error of the schemas whose id contains this; implies --only
    #[arg(long)]
    pub(crate) why: Option<String>,
    /// Only compile and make the first mask; no instance is stepped
    #[arg(long)]
    pub(crate) first_only: bool,
    /// Write one line a schema here: engine, schema, microseconds to the first mask, and the error's code if it is refused
    #[arg(long)]
    pub(crate) csv: Option<PathBuf>,
    /// Write the results here
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
}

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// This project
    Ogc,
    /// The peer
    Llguidance,
}

/// A policy for the order of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// As the schema declares them
    Declared,
    /// Any
    Any,
}
