//! The numbers that describe a model of the Llama family. [`gguf`] reads them from the metadata of a GGUF file, [`folder`] from the
//! `config.json` of a folder.

mod folder;
mod gguf;

use super::rope::Rope;
use crate::error::GenerateError;

/// Cap on each number; far above all models in use.
const MAX: u64 = 1 << 20;

/// The shape of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    /// The number of layers.
    pub(crate) layers: usize,
    /// The width of the hidden state: the number of floats of a position between layers.
    pub(crate) width: usize,
    /// The number of hidden units of a feed-forward part.
    pub(crate) inner: usize,
    /// The number of query heads.
    pub(crate) heads: usize,
    /// The number of key and value heads; each serves several query heads.
    pub(crate) key_heads: usize,
    /// The number of floats of one head.
    pub(crate) head: usize,
    /// Cap on the positions of a text.
    pub(crate) context: usize,
    /// The angles by which heads are rotated.
    pub(crate) rope: Rope,
    /// Whether neighbours are rotated together, rather than the two halves of a head.
    pub(crate) rotates_neighbours: bool,
    /// The window of attention, if a position does not attend to all positions before it.
    pub(crate) window: Option<Window>,
    /// Whether the output matrix is that of the embeddings.
    pub(crate) tied: bool,
    /// The number that is added to the mean square of a row before it is normalised.
    pub(crate) epsilon: f32,
}

/// A window of attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The number of positions that a position attends to, itself included.
    pub(crate) positions: usize,
    /// The first layer that has the window; layers before it attend to all positions.
    pub(crate) first_layer: usize,
}

impl Config {
    /// Returns the number of positions that the last of `count` positions attends to in a layer.
    pub(crate) fn looked_at(&self, layer: usize, count: usize) -> usize {
        let window = self.window.filter(|window| layer >= window.first_layer);
        window.map_or(count, |window| window.positions.min(count))
    }

    /// Returns the number of floats of all query heads of one position.
    pub(crate) fn asked(&self) -> usize {
        self.heads * self.head
    }

    /// Returns the number of floats of all keys, or of all values, of one position.
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

/// Checks the length of a head and the base of its rotation angles.
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
