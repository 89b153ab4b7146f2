//! Dialects of other servers: the notations of formats that they read, and the fields for them in a request.

use serde_json::{Map, Value, json};

use crate::compile::Notation;

/// Kind of a server, by the notations that it reads.
///
/// ```
/// use ogc_serve::{Dialect, Notation};
/// assert_eq!(Dialect::ALL.len(), 6);
/// assert_eq!(Dialect::OpenAi.notations(), [Notation::JsonSchema]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI's interface without extensions, which nearly all servers support.
    OpenAi,
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// The server of llama.cpp.
    LlamaCpp,
    /// mistral.rs.
    MistralRs,
    /// `ogc serve`.
    Ogc,
}

impl Dialect {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::OpenAi, Self::Vllm, Self::Sglang, Self::LlamaCpp, Self::MistralRs, Self::Ogc];

    /// Returns its name.
    ///
    /// ```
    /// assert_eq!(ogc_serve::Dialect::LlamaCpp.name(), "llama.cpp");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::LlamaCpp => "llama.cpp",
            Self::MistralRs => "mistral.rs",
            Self::Ogc => "ogc",
        }
    }

    /// Returns the notations that the server reads, the most expressive one first.
    ///
    /// ```
    /// use ogc_serve::{Dialect, Notation};
    /// assert_eq!(Dialect::MistralRs.notations()[0], Notation::Lark);
    /// ```
    #[must_use]
    pub fn notations(self) -> &'static [Notation] {
        match self {
            Self::OpenAi => &[Notation::JsonSchema],
            Self::Vllm | Self::Sglang | Self::LlamaCpp | Self::Ogc => &[Notation::Gbnf, Notation::JsonSchema],
            Self::MistralRs => &[Notation::Lark, Notation::JsonSchema],
        }
    }

    /// Writes a constraint into the body of a request: a schema as JSON, a grammar as its text.
    pub(crate) fn constrain(self, notation: Notation, written: &Value, body: &mut Map<String, Value>) {
        let (name, value) = match (notation, self) {
            (Notation::JsonSchema, _) => {
                let named = json!({ "name": "format", "schema": written });
                ("response_format", json!({ "type": "json_schema", "json_schema": named }))
            }
            (Notation::Gbnf | Notation::Lark, Self::Vllm) => ("structured_outputs", json!({ "grammar": written })),
            (Notation::Gbnf | Notation::Lark, Self::Sglang) => ("ebnf", written.clone()),
            (Notation::Gbnf | Notation::Lark, Self::LlamaCpp) => ("grammar", written.clone()),
            (Notation::Lark | Notation::Gbnf, Self::MistralRs) => {
                ("grammar", json!({ "type": "lark", "value": written }))
            }
            (Notation::Gbnf | Notation::Lark, Self::Ogc | Self::OpenAi) => {
                let grammar = json!({ "syntax": notation.name().to_lowercase(), "text": written });
                ("response_format", json!({ "type": "grammar", "grammar": grammar }))
            }
        };
        body.insert(name.to_owned(), value);
    }

    /// Returns whether the server knows custom tools. Other servers get functions in their place.
    pub(crate) fn has_custom_tools(self) -> bool {
        match self {
            Self::OpenAi | Self::Ogc => true,
            Self::Vllm | Self::Sglang | Self::LlamaCpp | Self::MistralRs => false,
        }
    }

    /// Returns the fields that make a server continue the last message of a chat; `None` if it cannot.
    pub(crate) fn goes_on(self) -> Option<&'static [(&'static str, bool)]> {
        match self {
            Self::Vllm | Self::Sglang => Some(&[("add_generation_prompt", false), ("continue_final_message", true)]),
            Self::LlamaCpp => Some(&[]),
            Self::OpenAi | Self::MistralRs | Self::Ogc => None,
        }
    }
}
