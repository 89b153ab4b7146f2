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
    /// The model: a GGUF file or a folder with safetensors, of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3)
    ///
    /// With `--engine llama` it may be any GGUF file that libllama runs. The first letters of a file's name suffice if
    /// the environment variable OGC_MODELS names its folder.
    #[arg(short, long, value_name = "FILE", required_unless_present = "upstream", help_heading = "Model")]
    pub(crate) model: Option<PathBuf>,
    /// Serve no model: have the server at this address write the texts, and verify them byte by byte
    ///
    /// That server gets the key in the environment variable OGC_UPSTREAM_KEY or, if there is none and this server has
    /// no keys, the key of each request.
    #[arg(long, value_name = "URL", conflicts_with_all = ["model", "name", "speculate", "draft"], help_heading = "Another server")]
    pub(crate) upstream: Option<String>,
    /// The kind of the server at --upstream, which decides how it is given formats; `openai` is any server with
    /// OpenAI's interface
    #[arg(long, value_name = "KIND", default_value = "openai", value_parser = dialect(), requires = "upstream", help_heading = "Another server")]
    pub(crate) dialect: Dialect,
    /// If a text from --upstream violates its format, have it written again, or continued from the last valid byte, up
    /// to this many times
    #[arg(long, value_name = "COUNT", default_value_t = 2, requires = "upstream", help_heading = "Another server")]
    pub(crate) retries: usize,
    /// The address and port to listen on; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The model's name in requests [default: the file's name without its ending]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write tool calls in this style [default: the style of the model's chat template; `hermes` if it has none]
    #[arg(long, value_name = "NAME", value_parser = tool_style(), conflicts_with = "upstream")]
    pub(crate) tool_style: Option<ToolStyle>,
    /// A folder of formats, which requests name by their path in it
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Write this many texts at a time, shared equally among clients
    ///
    /// Each text keeps a KV cache in memory. Up to as many texts again keep theirs while they wait for slow masks, or
    /// while other texts go first. With --upstream, one client has at most this many requests under way there, and
    /// other clients an eighth more.
    #[arg(long, value_name = "COUNT", default_value = "8", help_heading = "Limits")]
    pub(crate) slots: NonZeroUsize,
    /// Let this many texts of one client wait for a slot; refuse further requests
    ///
    /// All clients together have twice as many places. Each client may take half of the places that others leave free.
    #[arg(long, value_name = "COUNT", default_value_t = 64, help_heading = "Limits")]
    pub(crate) queue: usize,
    /// Give up a request that is not answered within this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, help_heading = "Limits")]
    pub(crate) timeout: u64,
    /// Keep this many connections open at a time; others wait until one ends
    #[arg(long, value_name = "COUNT", default_value = "1024", help_heading = "Limits")]
    pub(crate) connections: NonZeroUsize,
    /// Keep this many connections of one client's address open at a time; refuse others [default: half of
    /// --connections]
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    pub(crate) client_connections: Option<NonZeroUsize>,
    /// Wait this long for a client to send the head of a request, again for its body, and again for it to read the
    /// answer
    #[arg(long, value_name = "SECONDS", default_value = "30", help_heading = "Limits")]
    pub(crate) patience: NonZeroU64,
    /// Refuse requests with a body longer than this
    ///
    /// The bodies that arrive at the same time may have 32 times as many bytes together, those of one client 16 times
    /// as many.
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20, help_heading = "Limits")]
    pub(crate) max_body: usize,
    /// Write at most this many tokens in a text
    #[arg(long, value_name = "COUNT", default_value_t = 4_096, help_heading = "Limits")]
    pub(crate) max_tokens: u32,
    /// Memory for formats that are kept for later requests; the one used longest ago goes first
    ///
    /// Five eighths are for compiled formats, two for their masks, and one for formats in other notations.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30, help_heading = "Limits")]
    pub(crate) format_cache: usize,
    /// Refuse a format that takes longer than this to compile
    #[arg(long, value_name = "SECONDS", default_value = "10", help_heading = "Limits")]
    pub(crate) compile_time: NonZeroU64,
    /// Refuse a format that takes more memory than this to compile, as the compiler counts it
    #[arg(long, value_name = "BYTES", default_value_t = 512 << 20, help_heading = "Limits")]
    pub(crate) compile_memory: u64,
    /// Memory for prompts that the model has read, so that it need not read the same beginning again for the same
    /// client; 0 keeps none
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20, help_heading = "Limits")]
    pub(crate) prefix_cache: usize,
    /// Refuse a text whose masks take longer than this; masks that take only a moment are not counted, and no other
    /// text waits
    #[arg(long, value_name = "SECONDS", default_value = "60", help_heading = "Limits")]
    pub(crate) mask_time: NonZeroU64,
    /// The tokens for what formats determine, such as keys and punctuation: `canonical` are those that the tokenizer
    /// would write, `any` all that spell the same bytes [default: what each format says, else canonical]
    #[arg(long, value_name = "POLICY", help_heading = "Tokens")]
    pub(crate) tokens: Option<TokenPolicy>,
    /// Guess up to this many tokens ahead from the text so far, and check them in one pass of the model; 0 guesses
    /// none. It saves time and leaves the text the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = guesses, help_heading = "Tokens")]
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
    /// Also answer requests to this host, such as models.example.org; may be given several times [default: none]
    ///
    /// Requests to `localhost`, loopback addresses and the address of --listen are always answered. `*` allows any
    /// host. An address such as 0.0.0.0 in --listen needs at least one host.
    #[arg(long, value_name = "NAME", help_heading = "Access")]
    pub(crate) allow_host: Vec<String>,
    /// Let web pages of this origin use the server, such as `https://example.org`; may be given several times [default:
    /// none]
    ///
    /// `null` allows any sandboxed page or file, `*` any page.
    #[arg(long, value_name = "ORIGIN", help_heading = "Access")]
    pub(crate) allow_origin: Vec<String>,
    /// Refuse requests without this key (`Authorization: Bearer KEY`), except `GET /health`; may be given several times
    /// [default: no key is needed]
    ///
    /// Other users of the machine can see arguments: the environment variable OGC_API_KEY is safer. Write several keys
    /// there with commas between them.
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
