//! The numbers that describe a model of the Llama family. Read from the metadata of its file.

use ogc_runtime::vocabulary::Gguf;

use crate::error::GenerateError;

/// The architectures whose layers are those of Llama, as GGUF names them, and whether their heads are rotated in pairs of
/// neighbours: GGUF files of `llama` have their rows in that order, all others rotate the two halves of a head.
const ARCHITECTURES: [(&str, bool); 3] = [("llama", true), ("qwen2", false), ("qwen3", false)];

/// The most that each number may be; far above all models in use.
const MAX: u64 = 1 << 20;

/// The shape of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    /// The number of layers.
    pub(crate) layers: usize,
    /// The numbers that stand for a position between layers.
    pub(crate) width: usize,
    /// The numbers inside of a feed-forward part.
    pub(crate) inner: usize,
    /// The heads that ask.
    pub(crate) heads: usize,
    /// The heads of keys and values; each serves several heads that ask.
    pub(crate) key_heads: usize,
    /// The numbers of one head.
    pub(crate) head: usize,
    /// The most positions.
    pub(crate) context: usize,
    /// The base of the angles by which heads are rotated.
    pub(crate) rope_base: f64,
    /// Whether neighbours are rotated together, rather than the two halves of a head.
    pub(crate) rotates_neighbours: bool,
    /// The least variance of a normalised row.
    pub(crate) epsilon: f32,
}

impl Config {
    /// Reads the numbers of a GGUF file.
    pub(crate) fn from_gguf(gguf: &Gguf) -> Result<Self, GenerateError> {
        let name = gguf.text("general.architecture").ok_or_else(|| missing("general.architecture"))?;
        let known = ARCHITECTURES.iter().find(|(known, _)| *known == name);
        let &(_, rotates_neighbours) = known.ok_or_else(|| GenerateError::Unsupported {
            what: "the architecture",
            given: name.to_owned(),
            reason: "`llama`, `qwen2` and `qwen3` are",
        })?;
        let keys = Keys { gguf, name };
        let (width, heads) = (keys.number("embedding_length")?, keys.number("attention.head_count")?);
        keys.refuse_others()?;
        let config = Self {
            layers: keys.number("block_count")?,
            width,
            inner: keys.number("feed_forward_length")?,
            heads,
            key_heads: keys.optional("attention.head_count_kv")?.unwrap_or(heads),
            head: keys.optional("attention.key_length")?.unwrap_or(width / heads),
            context: keys.number("context_length")?,
            rope_base: keys.float("rope.freq_base").unwrap_or(10_000.0),
            rotates_neighbours,
            epsilon: keys.float("attention.layer_norm_rms_epsilon").unwrap_or(1e-5) as f32,
        };
        config.check(keys.optional("rope.dimension_count")?)?;
        Ok(config)
    }

    /// Checks that the numbers fit to one another.
    fn check(&self, rotated: Option<usize>) -> Result<(), GenerateError> {
        let wrong = |what: &str, given: usize, expected: String| {
            Err(GenerateError::Shape { what: what.to_owned(), given: given.to_string(), expected })
        };
        if !self.heads.is_multiple_of(self.key_heads) {
            return wrong("the number of heads", self.heads, format!("it must be a multiple of {}", self.key_heads));
        }
        if self.head == 0 || !self.head.is_multiple_of(2) {
            return wrong("the length of a head", self.head, "it must be even".to_owned());
        }
        if rotated.is_some_and(|rotated| rotated != self.head) {
            return wrong("the rotated part of a head", rotated.unwrap_or(0), format!("it must be {}", self.head));
        }
        if !(self.rope_base > 1.0 && self.rope_base.is_finite()) {
            return wrong("the base of rotations", self.rope_base as usize, "it must be above 1".to_owned());
        }
        Ok(())
    }

    /// Returns the numbers of all heads that ask, of one position.
    pub(crate) fn asked(&self) -> usize {
        self.heads * self.head
    }

    /// Returns the numbers of all keys, or of all values, of one position.
    pub(crate) fn kept(&self) -> usize {
        self.key_heads * self.head
    }
}

/// The metadata of one architecture.
#[derive(Clone, Copy, Debug)]
struct Keys<'g> {
    gguf: &'g Gguf,
    name: &'g str,
}

impl Keys<'_> {
    fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    fn number(&self, key: &str) -> Result<usize, GenerateError> {
        self.optional(key)?.ok_or_else(|| missing(&self.key(key)))
    }

    /// Reads a number from 1 to [`MAX`], if it is there.
    fn optional(&self, key: &str) -> Result<Option<usize>, GenerateError> {
        let key = self.key(key);
        let Some(number) = self.gguf.integer(&key) else { return Ok(None) };
        if number == 0 || number > MAX {
            let expected = format!("it must be from 1 to {MAX}");
            return Err(GenerateError::Shape { what: key, given: number.to_string(), expected });
        }
        Ok(Some(number as usize))
    }

    fn float(&self, key: &str) -> Option<f64> {
        self.gguf.float(&self.key(key))
    }

    /// Refuses what would change the layers: experts, and rotations that are stretched.
    fn refuse_others(&self) -> Result<(), GenerateError> {
        if self.gguf.integer(&self.key("expert_count")).is_some_and(|experts| experts > 0) {
            return Err(unsupported("the model", "with experts", "each layer must have one feed-forward part"));
        }
        match self.gguf.text(&self.key("rope.scaling.type")) {
            None | Some("none") => Ok(()),
            Some(other) => Err(unsupported("the scaling of rotations", other, "only `none` is")),
        }
    }
}

fn unsupported(what: &'static str, given: &str, reason: &'static str) -> GenerateError {
    GenerateError::Unsupported { what, given: given.to_owned(), reason }
}

fn missing(what: &str) -> GenerateError {
    GenerateError::Missing { what: what.to_owned() }
}
