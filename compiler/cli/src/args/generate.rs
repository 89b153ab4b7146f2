//! Arguments of `ogc generate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use ogc_generate::{GivenSampling, SamplingNumber};
use ogc_runtime::canonical::TokenPolicy;

use super::FormatArgs;
use super::device::DeviceArgs;
use super::draft::{DraftArgs, guesses};

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The format; with --requests that of requests that name none
    #[arg(required_unless_present = "requests")]
    pub(crate) file: Option<PathBuf>,
    /// The model: a GGUF file, or a folder with safetensors, of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3), with
    /// --engine llama any GGUF file that libllama runs; or the beginning of the name of one in the folder that `OGC_MODELS` of the environment names
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// The message to answer
    #[arg(short, long, value_name = "TEXT", required_unless_present = "requests")]
    pub(crate) prompt: Option<String>,
    /// Write a text for each line of this file, an object of JSON: `prompt`, and where they differ from the flags `format`, `definition`,
    /// `system`, `max_tokens`, `temperature`, `top_k`, `top_p`, `min_p`, `repetition_penalty`, `presence_penalty`, `frequency_penalty`,
    /// `logit_bias`, `seed`. Texts that are written at the same time share passes, and are the same as alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prompt", "events"])]
    pub(crate) requests: Option<PathBuf>,
    /// Write this many texts of --requests at a time
    #[arg(long, value_name = "COUNT", default_value = "8", requires = "requests")]
    pub(crate) slots: NonZeroUsize,
    /// Show typed events while the text grows, in place of the text: values with their places, captures, calls of tools
    #[arg(long)]
    pub(crate) events: bool,
    /// Write a page to this file: the text token by token, with the odds of each, how much of the model's probability the format refused there,
    /// the passes, the events
    #[arg(long, value_name = "PAGE")]
    pub(crate) html: Option<PathBuf>,
    /// The system message before it [default: that of the model's chat template]
    #[arg(long, value_name = "TEXT", conflicts_with = "raw")]
    pub(crate) system: Option<String>,
    /// Continue the prompt as it stands, without the model's chat template
    #[arg(long)]
    pub(crate) raw: bool,
    /// Write at most this many tokens; the text is whole within them
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    pub(crate) max_tokens: u32,
    /// Take each token pass by pass, also those that the format forces; the text is the same
    #[arg(long)]
    pub(crate) no_jump: bool,
    /// Write what the format determines (keys, punctuation, constants) with the tokens of the tokenizer (`canonical`), or with `any` of these bytes [default: what the format says, else canonical]
    #[arg(long, value_name = "POLICY")]
    pub(crate) tokens: Option<TokenPolicy>,
    /// Guess this many tokens from what came before, and read them in one pass; the text is the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = guesses)]
    pub(crate) speculate: usize,
    #[command(flatten)]
    pub(crate) draft: DraftArgs,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) place: DeviceArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Options for choosing tokens.
#[derive(Clone, Debug, Args)]
pub(crate) struct SamplingArgs {
    #[command(flatten)]
    pub(crate) numbers: NumberArgs,
    /// Add this to the logit of a token: of the only token of a text, of one with that name, or of one by its number as in `#17=-5`
    #[arg(long, value_name = "TOKEN=NUMBER", allow_hyphen_values = true, help_heading = "Sampling")]
    pub(crate) bias: Vec<String>,
    /// Draw from this seed: the same seed gives the same text
    #[arg(long, default_value_t = 1, help_heading = "Sampling")]
    pub(crate) seed: u64,
}

/// The sampling numbers ([`SamplingNumber::ALL`]) given on the command line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberArgs(pub(crate) GivenSampling);

impl NumberArgs {
    fn argument(number: &'static SamplingNumber) -> Arg {
        let (value, parse) = (if number.is_whole { "COUNT" } else { "NUMBER" }, move |text: &str| read(number, text));
        let argument = Arg::new(number.name).long(number.argument).value_name(value).value_parser(parse);
        let help = format!("{} [default: {}]", number.doc, number.default);
        argument.help(help).allow_negative_numbers(true).help_heading("Sampling")
    }
}

/// Parses a number and checks its range.
fn read(number: &SamplingNumber, text: &str) -> Result<f64, String> {
    let what = if number.is_whole { "a whole number" } else { "a number" };
    let given = text.parse().ok().and_then(|given| number.check(given).ok());
    given.ok_or_else(|| format!("{what} from {} to {} is expected", number.least, number.most))
}

impl Args for NumberArgs {
    fn augment_args(command: Command) -> Command {
        command.args(SamplingNumber::ALL.iter().map(Self::argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for NumberArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(GivenSampling::of(|name| matches.get_one(name).copied())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = Self::from_arg_matches(matches)?.0.over(self.0);
        Ok(())
    }
}
