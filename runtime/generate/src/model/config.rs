//! The numbers that describe a model of the Llama family. [`gguf`] reads them from the metadata of a GGUF file, [`folder`] from the
//! `config.json` of a folder.

mod folder;
mod gguf;

use super::rope::Rope;
use crate::error::GenerateError;

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
    /// The angles by which heads are rotated.
    pub(crate) rope: Rope,
    /// Whether neighbours are rotated together, rather than the two halves of a head.
    pub(crate) rotates_neighbours: bool,
    /// How many positions, with its own, each position looks at, if not at all before it.
    pub(crate) window: Option<Window>,
    /// Whether the embeddings are the rows of logits too.
    pub(crate) tied: bool,
    /// The least variance of a normalised row.
    pub(crate) epsilon: f32,
}

/// The positions that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Their number, with the one that looks.
    pub(crate) positions: usize,
    /// The first layer that has a window; those before it look at all.
    pub(crate) first_layer: usize,
}

impl Config {
    /// Returns how many positions the last of `count` looks at in a layer.
    pub(crate) fn looked_at(&self, layer: usize, count: usize) -> usize {
        let window = self.window.filter(|window| layer >= window.first_layer);
        window.map_or(count, |window| window.positions.min(count))
    }

    /// Returns the numbers of all heads that ask, of one position.
    pub(crate) fn asked(&self) -> usize {
        self.heads * self.head
    }

    /// Returns the numbers of all keys, or of all values, of one position.
    pub(crate) fn kept(&self) -> usize {
        self.key_heads * self.head
    }

    /// Checks that the numbers of heads fit to one another.
    fn check(self) -> Result<Self, GenerateError> {
        if !self.heads.is_multiple_of(self.key_heads) {
            let expected = format!("it must be a multiple of {}", self.key_heads);
            return Err(wrong("the number of heads", self.heads, expected));
        }
        Ok(self)
    }
}

/// Checks the length of a head and the base of its angles, of which the angles are made.
fn check_rotations(head: usize, base: f64) -> Result<(), GenerateError> {
    if head == 0 || !head.is_multiple_of(2) {
        return Err(wrong("the length of a head", head, "it must be even".to_owned()));
    }
    if !(base > 1.0 && base.is_finite()) {
        return Err(wrong("the base of rotations", base, "it must be above 1".to_owned()));
    }
    Ok(())
}

/// Returns a number from 1 to [`MAX`].
fn bounded(what: &str, number: u64) -> Result<usize, GenerateError> {
    if number == 0 || number > MAX {
        return Err(wrong(what, number, format!("it must be from 1 to {MAX}")));
    }
    Ok(number as usize)
}

fn wrong(what: &str, given: impl ToString, expected: String) -> GenerateError {
    GenerateError::Shape { what: what.to_owned(), given: given.to_string(), expected }
}

fn unsupported(what: &'static str, given: &str, reason: &'static str) -> GenerateError {
    GenerateError::Unsupported { what, given: given.to_owned(), reason }
}

fn missing(what: &str) -> GenerateError {
    GenerateError::Missing { what: what.to_owned() }
}
