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
    /// The format; with --requests, the format of requests that name none
    #[arg(required_unless_present = "requests")]
    pub(crate) file: Option<PathBuf>,
    /// The model: a GGUF file or a folder with safetensors, of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3)
    ///
    /// With `--engine llama` it may be any GGUF file that libllama runs. The first letters of a file's name suffice if
    /// the environment variable OGC_MODELS names its folder.
    #[arg(short, long, value_name = "FILE", help_heading = "Model")]
    pub(crate) model: PathBuf,
    /// The message to answer
    #[arg(short, long, value_name = "TEXT", required_unless_present = "requests", help_heading = "Prompt")]
    pub(crate) prompt: Option<String>,
    /// Write one text for each line of this file, a JSON object with `prompt`
    ///
    /// A line may also have these, in place of the options: `format`, `definition`, `system`, `max_tokens`,
    /// `temperature`, `top_k`, `top_p`, `min_p`, `repetition_penalty`, `presence_penalty`, `frequency_penalty`,
    /// `logit_bias`, `seed`. Up to --slots texts are written at a time. They share the passes of the model, and each is
    /// the same as if it were written alone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["prompt", "events"], help_heading = "Prompt")]
    pub(crate) requests: Option<PathBuf>,
    /// With --requests: write this many texts at a time
    #[arg(long, value_name = "COUNT", default_value = "8", requires = "requests", help_heading = "Prompt")]
    pub(crate) slots: NonZeroUsize,
    /// Show events in place of the text, as soon as each is certain: values with their places, captures, calls of tools
    #[arg(long)]
    pub(crate) events: bool,
    /// Write a page about the text to this file: each token with its probability and how much probability the format
    /// refused, the passes of the model, the events
    #[arg(long, value_name = "PAGE")]
    pub(crate) html: Option<PathBuf>,
    /// The system message before the prompt [default: that of the model's chat template]
    #[arg(long, value_name = "TEXT", conflicts_with = "raw", help_heading = "Prompt")]
    pub(crate) system: Option<String>,
    /// Let the model continue the prompt as it stands, without its chat template
    #[arg(long, help_heading = "Prompt")]
    pub(crate) raw: bool,
    /// Write at most this many tokens; the text is complete within them
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    pub(crate) max_tokens: u32,
    /// Use one pass of the model for each token, even where the format leaves only one choice; the text is the same,
    /// but takes longer
    #[arg(long, help_heading = "Tokens")]
    pub(crate) no_jump: bool,
    /// The tokens for what the format determines, such as keys and punctuation: `canonical` are those that the
    /// tokenizer would write, `any` all that spell the same bytes [default: what the format says, else canonical]
    #[arg(long, value_name = "POLICY", help_heading = "Tokens")]
    pub(crate) tokens: Option<TokenPolicy>,
    /// Guess up to this many tokens ahead from the text so far, and check them in one pass of the model; 0 guesses
    /// none. It saves time and leaves the text the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = guesses, help_heading = "Tokens")]
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
    /// Add a number to the logit of a token; may be given several times. Write the token's text, its name, or its
    /// number as in `#17=-5`
    #[arg(long, value_name = "TOKEN=NUMBER", allow_hyphen_values = true, help_heading = "Sampling")]
    pub(crate) bias: Vec<String>,
    /// Seed of the random choices: the same seed gives the same text
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
