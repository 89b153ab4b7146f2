//! The argument that names the tokens that end a text.

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EndArgs {
    /// A token that ends a text, by its name, as `#123` or, for a .tiktoken file, as `NAME=123`; in place of those that the vocabulary says; may be repeated [default: as ogc.toml says, or those of its file, of
    /// `generation_config.json` and `config.json` beside it, and well-known names]
    #[arg(long = "end", value_name = "TOKEN")]
    pub(crate) end: Vec<String>,
}
