//! The argument that names the tokens that end a text.

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EndArgs {
    /// A token that ends a text, in place of those that the vocabulary names; may be given several times [default: as
    /// ogc.toml says, or as the vocabulary does]
    ///
    /// Write its name, or its number as `#123`. A .tiktoken file has no names: write both, as `NAME=123`. Without this
    /// option, the end tokens come from the vocabulary's file, from `generation_config.json` and `config.json` beside
    /// it, and from well-known names.
    #[arg(long = "end", value_name = "TOKEN", help_heading = "Vocabulary")]
    pub(crate) end: Vec<String>,
}
