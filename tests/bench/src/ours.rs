//! This project's engine behind the bench's interface.

use crate::engine::{Engine, Format, Refusal};
use crate::tokens::Tokens;

/// How values may be spelled.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// Any order of keys.
    pub(crate) any_order: bool,
    /// The white space.
    pub(crate) space: String,
}

/// The engine.
pub(crate) struct Ours {
    artifact: bool,
}

impl Ours {
    /// Loads the vocabulary.
    pub(crate) fn new(_tokens: &Tokens, _policy: Policy, artifact: bool) -> Result<Ours, String> {
        Ok(Ours { artifact })
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "ogc"
    }

    fn mode(&self) -> &'static str {
        if self.artifact { "artifact" } else { "lazy" }
    }

    fn compile(&mut self, _schema: &str) -> Result<Box<dyn Format>, Refusal> {
        Err(Refusal { code: "unbuilt".to_owned(), message: "no compiler".to_owned() })
    }
}
