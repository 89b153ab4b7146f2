//! Generates texts of a format with a language model: loads a model, reads a prompt, and writes a text that the format allows.
//!
//! # Steps
//!
//! 1. [`LoadedModel`] reads a model with its vocabulary, the tokenizer of its prompts and its chat template from a GGUF file, or
//!    from a folder with safetensors. Another [`Engine`] may make the passes.
//! 2. [`ChatTemplate`] makes a prompt of a message, [`PromptTokenizer`] makes tokens of a prompt.
//! 3. [`generate`] reads the prompt and then writes: the matcher gives the tokens that may come, [`Sampler`] chooses
//!    one of them by the logits of the [`Model`], and the matcher steps. Where the format leaves no choice, several
//!    tokens take one pass. Several texts are [`Sequence`]s that share the passes of a [`pass`].
//!
//! Nothing here knows the compiler or the file system: formats come as matchers, models as readers.

mod chosen;
mod decode;
mod draft_model;
mod error;
mod folder;
mod loaded;
mod model;
mod prompt;
mod sample;

pub use chosen::{Choices, ChosenBy};
pub use decode::{
    DraftLength, Ended, Generated, Jump, MaskedOdds, Probabilities, Probable, Recording, Request, Sequence,
    Speculation, Statistics, TokenRecord, TokenSource, generate, pass, read, read_drafts, read_shared, share_prompts,
};
pub use error::GenerateError;
pub use loaded::LoadedModel;
pub use model::{BatchPart, Cache, Engine, EnginePart, Model, PrefixCache, PrefixUsage, Prefixes, use_threads};
pub use ogc_runtime::sampling::{GivenSampling, Sampling, SamplingNumber, SamplingRangeError};
pub use prompt::{
    ArgumentFrame, ArgumentsForm, CallFrame, CallPiece, ChatTemplate, FieldPiece, JsonSpace, PastCalls,
    PromptTokenizer, TextTokenizer, ToolStyle, outside,
};
pub use sample::{Sampler, weights};
