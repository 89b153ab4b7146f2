//! Arguments of `ogc serve`.

use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ogc_generate::ToolStyle;
use ogc_runtime::canonical::TokenPolicy;
use ogc_serve::Dialect;

use super::FormatArgs;
use super::device::DeviceArgs;
use super::draft::{DraftArgs, guesses};

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The model: a GGUF file, or a folder with safetensors, of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3), with
    /// --engine llama any GGUF file that libllama runs; or the beginning of the name of one in the folder that `OGC_MODELS` of the environment names
    #[arg(short, long, value_name = "FILE", required_unless_present = "upstream")]
    pub(crate) model: Option<PathBuf>,
    /// Instead of a model: have the server at this address write the texts, and verify them byte by byte. It is asked with the
    /// key in `OGC_UPSTREAM_KEY` of the environment, or with those of requests
    #[arg(long, value_name = "URL", conflicts_with_all = ["model", "name", "speculate", "draft"])]
    pub(crate) upstream: Option<String>,
    /// What the server at --upstream reads beside OpenAI's interface
    #[arg(long, value_name = "KIND", default_value = "openai", value_parser = dialect(), requires = "upstream")]
    pub(crate) dialect: Dialect,
    /// Have a text that leaves its format written again, or gone on with, this often
    #[arg(long, value_name = "COUNT", default_value_t = 2, requires = "upstream")]
    pub(crate) retries: usize,
    /// The address and port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The model's name in requests [default: the file's name without its ending]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write calls of tools in this style of `std.tools`, whatever the model's chat template says [default: the style of the chat template;
    /// `hermes` where it knows nothing of tools]
    #[arg(long, value_name = "NAME", value_parser = tool_style(), conflicts_with = "upstream")]
    pub(crate) tool_style: Option<ToolStyle>,
    /// A folder of formats that requests may name by their path in it
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Write this many texts at a time, which clients share equally; each keeps the model's state of its positions in memory, and so do as many
    /// again at most whose masks take long or that have stepped aside. The server at --upstream is asked for an eighth more by other clients
    #[arg(long, value_name = "COUNT", default_value = "8", help_heading = "Limits")]
    pub(crate) slots: NonZeroUsize,
    /// Let this many texts of one client wait for a slot; requests beyond are refused. There are twice as many places, and a client may have half
    /// of those that others leave
    #[arg(long, value_name = "COUNT", default_value_t = 64, help_heading = "Limits")]
    pub(crate) queue: usize,
    /// Answer each request within this many seconds, or give it up
    #[arg(long, value_name = "SECONDS", default_value_t = 600, help_heading = "Limits")]
    pub(crate) timeout: u64,
    /// Have this many connections at a time; others wait until one ends
    #[arg(long, value_name = "COUNT", default_value = "1024", help_heading = "Limits")]
    pub(crate) connections: NonZeroUsize,
    /// Have this many connections of one client's address at a time; others are refused [default: half of --connections]
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    pub(crate) client_connections: Option<NonZeroUsize>,
    /// Wait this long for the head of a request, again for its body, and again until an answer is read
    #[arg(long, value_name = "SECONDS", default_value = "30", help_heading = "Limits")]
    pub(crate) patience: NonZeroU64,
    /// Refuse requests of more bytes than this. The bodies that arrive at a time may have 32 times as many, those of one client 16 times
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20, help_heading = "Limits")]
    pub(crate) max_body: usize,
    /// Write at most this many tokens in a text
    #[arg(long, value_name = "COUNT", default_value_t = 4_096, help_heading = "Limits")]
    pub(crate) max_tokens: u32,
    /// Keep compiled formats, what is known of their masks, and formats in other notations in at most this many bytes together: five, two
    /// and one eighth of it; those used longest ago go first
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30, help_heading = "Limits")]
    pub(crate) format_cache: usize,
    /// Compile a format for at most this long; one that takes longer is refused
    #[arg(long, value_name = "SECONDS", default_value = "10", help_heading = "Limits")]
    pub(crate) compile_time: NonZeroU64,
    /// Compile a format of a request or of --folder in at most this many bytes of memory, as far as the compiler counts them
    #[arg(long, value_name = "BYTES", default_value_t = 512 << 20, help_heading = "Limits")]
    pub(crate) compile_memory: u64,
    /// Keep what the model has read of prompts in this many bytes of memory, for texts of the same client that begin alike; 0 keeps nothing
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20, help_heading = "Limits")]
    pub(crate) prefix_cache: usize,
    /// Compute the masks of a text for at most this long, those not counted that take a moment; a text that takes longer is refused, and no
    /// other text waits for them
    #[arg(long, value_name = "SECONDS", default_value = "60", help_heading = "Limits")]
    pub(crate) mask_time: NonZeroU64,
    /// Write what formats determine (keys, punctuation, constants) with the tokens of the tokenizer (`canonical`), or with `any` of these bytes [default: what each format says, else canonical]
    #[arg(long, value_name = "POLICY")]
    pub(crate) tokens: Option<TokenPolicy>,
    /// Guess this many tokens from what came before, and read them in one pass; texts are the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = guesses)]
    pub(crate) speculate: usize,
    #[command(flatten)]
    pub(crate) draft: DraftArgs,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
    #[command(flatten)]
    pub(crate) place: DeviceArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Who may use the server.
#[derive(Debug, Args)]
pub(crate) struct AccessArgs {
    /// Answer requests that name this host, such as models.example.org, beside `localhost`, loopback addresses and the address of
    /// --listen; `*` is any host. May be given several times; an address such as 0.0.0.0 needs one [default: none]
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    pub(crate) allow_host: Vec<String>,
    /// Let web pages of this origin use the server, such as `https://example.org`; `null` is any sandboxed page or file, `*` any page. May
    /// be given several times [default: none]
    #[arg(long, value_name = "ORIGIN", help_heading = "Access")]
    pub(crate) allow_origin: Vec<String>,
    /// Require this key of clients, `Authorization: Bearer KEY`, but for `GET /health`. May be given several times. Other users of the
    /// machine can see arguments: rather set `OGC_API_KEY` of the environment, to one key or several with commas between them [default:
    /// no key is needed]
    #[arg(long, value_name = "KEY", help_heading = "Access")]
    pub(crate) api_key: Vec<String>,
}

/// Parses the name of a server dialect.
fn dialect() -> impl TypedValueParser<Value = Dialect> {
    let of_name = |name: String| Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
        .try_map(move |name| of_name(name).ok_or("no kind of server has this name"))
}

/// Parses the name of a tool call style.
fn tool_style() -> impl TypedValueParser<Value = ToolStyle> {
    PossibleValuesParser::new(ToolStyle::ALL.map(ToolStyle::name))
        .try_map(|name| ToolStyle::of_name(&name).ok_or("no style of calls has this name"))
}
