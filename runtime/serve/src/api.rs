//! Requests, as OpenAI's interface has them, and errors.
//!
//! An unknown parameter is an error. [`IGNORED`] lists parameters that clients send as a matter of course, and that have no meaning for one model on
//! one machine.

mod chat;
mod completion;
mod content_type;
mod error;
mod fields;
mod format_reader;
mod functions;
mod messages;
mod ogc_text;
mod other_names;
mod passed;
mod prompt;
mod response_format;
mod responses;
mod sampling;
mod tool;
mod tool_choice;
mod tools;

pub(crate) use chat::read_chat;
pub(crate) use completion::read_completion;
pub(crate) use content_type::check_json;
pub(crate) use error::ApiError;
pub(crate) use passed::{Passed, WantedFormat, read_passed};
pub(crate) use response_format::FormatFields;
pub(crate) use responses::{Echo, Namespaces, read_passed_response, read_response};
pub(crate) use tools::{CallForm, WantedTool};

use ogc_generate::{LoadedModel, PromptTokenizer, Sampling};
use ogc_runtime::vocabulary::TokenId;

use crate::call_syntax::CalledTools;
use crate::compile::FormatSource;
use crate::options::ServeOptions;
use fields::Object;

/// Parameters that have no meaning here, and are ignored.
const IGNORED: [&str; 9] = [
    "user",
    "metadata",
    "store",
    "service_tier",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "verbosity",
    "reasoning_effort",
];

/// The texts that a request asks for, and the form of their answer.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The prompts, each with its tokens; one for a chat.
    pub(crate) prompts: Vec<Vec<TokenId>>,
    /// The format of the texts.
    pub(crate) format: FormatSource,
    /// The fields of the request that the format came from.
    pub(crate) format_fields: FormatFields,
    /// Whether the format is any text, which a token limit or a stop string may end anywhere.
    pub(crate) is_free: bool,
    /// The tools that the texts may call.
    pub(crate) calls: Option<CalledTools>,
    /// Form in which the answer writes calls.
    pub(crate) call_form: CallForm,
    /// The number of texts for each prompt.
    pub(crate) choices: usize,
    /// Maximum number of tokens of a text.
    pub(crate) max_tokens: u32,
    /// Sampling parameters.
    pub(crate) sampling: Sampling,
    /// Strings that end a text.
    pub(crate) stop: Vec<String>,
    /// Number of likeliest tokens that are listed for each token; `None` if no probabilities are asked for.
    pub(crate) probabilities: Option<usize>,
    /// Whether the answer is streamed.
    pub(crate) stream: bool,
    /// Whether the last chunk of a stream has the usage.
    pub(crate) stream_usage: bool,
    /// Whether chunks of a stream have the events of the text.
    pub(crate) stream_events: bool,
}

/// Kind of a request whose answer lists texts as choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Chat,
    Completion,
}

impl Shape {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Chat => "/v1/chat/completions",
            Self::Completion => "/v1/completions",
        }
    }
}

/// Context in which a request is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) loaded: &'a LoadedModel,
    /// The model's tokenizer, as long as the request is wanted.
    pub(crate) tokenizer: &'a PromptTokenizer,
    pub(crate) options: &'a ServeOptions,
}

/// Path of requests for a response: one text as a list of items.
pub(crate) const RESPONSES: &str = "/v1/responses";

/// Finishes the body of a request: ignores [`IGNORED`] parameters, and rejects all others that are left.
fn end(mut body: Object<'_>) -> Result<(), ApiError> {
    for name in IGNORED {
        body.take(name);
    }
    body.end()
}
