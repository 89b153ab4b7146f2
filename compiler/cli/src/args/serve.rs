//! Arguments of `ogc serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::FormatArgs;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The model: a GGUF file of the Llama family (Llama, Mistral, SmolLM, Qwen 2 or 3)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// The address and port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The model's name in requests [default: the file's name without its ending]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// A folder of formats that requests may name by their path in it
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Write this many texts at a time; each keeps the model's state of its positions in memory
    #[arg(long, value_name = "COUNT", default_value = "8", help_heading = "Limits")]
    pub(crate) slots: NonZeroUsize,
    /// Let this many texts wait for a slot; requests beyond are refused
    #[arg(long, value_name = "COUNT", default_value_t = 64, help_heading = "Limits")]
    pub(crate) queue: usize,
    /// Answer each request within this many seconds, or give it up
    #[arg(long, value_name = "SECONDS", default_value_t = 600, help_heading = "Limits")]
    pub(crate) timeout: u64,
    /// Refuse requests of more bytes than this
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20, help_heading = "Limits")]
    pub(crate) max_body: usize,
    /// Write at most this many tokens in a text
    #[arg(long, value_name = "COUNT", default_value_t = 4_096, help_heading = "Limits")]
    pub(crate) max_tokens: u32,
    /// Keep compiled formats of this many bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30, help_heading = "Limits")]
    pub(crate) format_cache: usize,
    /// Guess this many tokens from what came before, and read them in one pass; texts are the same
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = super::generate::guesses)]
    pub(crate) speculate: usize,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
