//! What the bench asks of an engine, in three steps: a schema becomes a format, a format starts a sequence, a sequence
//! takes tokens and answers with masks.

/// An engine with its vocabulary loaded.
pub(crate) trait Engine {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// `lazy` or `artifact`.
    fn mode(&self) -> &'static str {
        "lazy"
    }

    /// Compiles a schema. The time of this and of the first mask is the time to the first mask.
    fn compile(&mut self, schema: &str) -> Result<Box<dyn Format>, Refusal>;

    /// The same with any order of keys, if the engine's order is a policy and another one was in force.
    fn compile_any_order(&mut self, _schema: &str) -> Option<Box<dyn Format>> {
        None
    }
}

/// Why a schema did not compile.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// A short name that many schemas share.
    pub(crate) code: String,
    /// For people.
    pub(crate) message: String,
}

/// A compiled schema.
pub(crate) trait Format {
    /// Computes the mask of the beginning, as the first request for this format has to.
    fn first_mask(&mut self) -> Result<(), String>;

    /// A sequence at its beginning.
    fn start(&mut self) -> Result<Box<dyn Sequence + '_>, String>;

    /// Nanoseconds spent ahead of time, which are not part of the time to the first mask.
    fn build_nanos(&self) -> Option<u64> {
        None
    }

    /// Numbers worth summing over all schemas.
    fn notes(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// What is asked of a mask.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// Is this token allowed?
    Token(u32),
    /// May the sequence end?
    End,
}

/// One sequence of tokens.
pub(crate) trait Sequence {
    /// Takes a token.
    fn accept(&mut self, token: u32) -> Result<(), String>;

    /// Has the whole mask at hand, and reads one bit of it.
    fn mask(&mut self, next: Next) -> Result<bool, String>;

    /// Copies the mask of the last call of `mask` into a buffer of `len / 32` words.
    fn fill(&mut self, buffer: &mut [u32]);
}
