//! Defines the interface of engines in three steps: a schema becomes a format, a format starts a sequence, a sequence
//! takes tokens and answers with masks.

/// An engine with its vocabulary loaded.
pub(crate) trait Engine {
    /// Returns the engine's name in reports.
    fn name(&self) -> &'static str;

    /// Returns the mode: `lazy` or `artifact`.
    fn mode(&self) -> &'static str {
        "lazy"
    }

    /// Compiles a schema. The time to the first mask is the time of this and of the first mask.
    fn compile(&mut self, schema: &str) -> Result<Box<dyn Format>, Refusal>;

    /// Compiles a schema with any order of keys; `None` if the engine has no such policy, or uses it anyway.
    fn compile_any_order(&mut self, _schema: &str) -> Option<Box<dyn Format>> {
        None
    }
}

/// The error of a schema that did not compile.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// A short name that many schemas share.
    pub(crate) code: String,
    /// The message for people.
    pub(crate) message: String,
}

/// A compiled schema.
pub(crate) trait Format {
    /// Computes the mask of the beginning, as the first request for this format does.
    fn first_mask(&mut self) -> Result<(), String>;

    /// Starts a sequence; `expected` is the number of tokens that it will have.
    fn start(&mut self, expected: usize) -> Result<Box<dyn Sequence + '_>, String>;

    /// Returns the nanoseconds spent ahead of time, which are not part of the time to the first mask.
    fn build_nanos(&self) -> Option<u64> {
        None
    }

    /// Returns the reason why not everything was made ahead of time, and the place.
    fn incomplete(&self) -> Option<&str> {
        None
    }

    /// Returns numbers that are summed over all schemas.
    fn notes(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// A question to a mask.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// Is this token allowed?
    Token(u32),
    /// May the sequence end?
    End,
}

impl Next {
    /// Returns the question to the mask before the token with this index, or after the last.
    pub(crate) fn at(tokens: &[u32], index: usize) -> Self {
        tokens.get(index).map_or(Self::End, |&token| Self::Token(token))
    }
}

/// One sequence of tokens.
pub(crate) trait Sequence {
    /// Takes a token.
    fn accept(&mut self, token: u32) -> Result<(), String>;

    /// Computes the whole mask, and reads one bit of it.
    fn mask(&mut self, next: Next) -> Result<bool, String>;

    /// Returns the number of rows that the engine has computed on demand so far, for all sequences.
    fn rows_computed(&self) -> usize {
        0
    }

    /// Returns the rule at the current place of the text.
    fn rule(&self) -> Option<String> {
        None
    }

    /// Saves and restores the sequence's state after these tokens; returns sums of the work, by name.
    fn saved(&self, _tokens: &[u32]) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Copies the mask of the last call of `mask` into a buffer of `len / 32` words.
    fn fill(&mut self, buffer: &mut [u32]);
}
