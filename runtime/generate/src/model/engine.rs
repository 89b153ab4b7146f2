//! Another engine that makes the passes of a model, such as a library that knows more architectures.
//!
//! An engine has a fixed number of places for texts. A text takes one when it is first read, and gives it back when it is dropped. A text
//! keeps its tokens: an engine that cannot roll positions back, such as one of a recurrent model, reads the text again from the beginning.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_runtime::vocabulary::TokenId;

use super::BatchPart;
use crate::error::GenerateError;

/// Tokens of one text that an engine is to read.
///
/// ```
/// use ogc_generate::EnginePart;
/// use ogc_runtime::vocabulary::TokenId;
/// let part = EnginePart { place: 0, position: 2, tokens: vec![TokenId(7)], rows: 1 };
/// assert_eq!(part.position, 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePart {
    /// The place of the text, from 0 on.
    pub place: usize,
    /// The number of positions that were read before.
    pub position: usize,
    /// The tokens to read after them.
    pub tokens: Vec<TokenId>,
    /// The number of last tokens whose logits are wanted.
    pub rows: usize,
}

/// An engine that makes the passes of a model in place of this crate. It keeps the keys and values of several texts, each in a place of its own.
///
/// ```
/// use ogc_generate::{Engine, EnginePart, GenerateError};
/// /// Finds each token as likely as its number, whatever stands before.
/// #[derive(Debug)]
/// struct Ascending;
/// impl Engine for Ascending {
///     fn width(&self) -> usize { 3 }
///     fn texts(&self) -> usize { 1 }
///     fn positions(&self) -> usize { 100 }
///     fn takes_back(&self) -> bool { true }
///     fn read(&mut self, parts: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError> {
///         Ok(parts.iter().map(|part| [0.0, 1.0, 2.0].repeat(part.rows)).collect())
///     }
///     fn truncate(&mut self, _place: usize, _len: usize) -> bool { true }
/// }
/// assert_eq!(Ascending.width(), 3);
/// ```
pub trait Engine: Debug + Send {
    /// Returns the number of logits of a position.
    fn width(&self) -> usize;

    /// Returns the number of places.
    fn texts(&self) -> usize;

    /// Returns the cap on the positions of a text.
    fn positions(&self) -> usize;

    /// Returns whether the last positions of a text can be rolled back.
    fn takes_back(&self) -> bool;

    /// Reads tokens of several texts in one pass; returns the logits of each part, row by row.
    ///
    /// # Errors
    /// The engine has failed. What it keeps of the texts of the pass is not known then.
    fn read(&mut self, parts: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError>;

    /// Rolls back all positions of a text from the `len`th on, and returns whether it did. Rolling back to 0 always
    /// succeeds.
    fn truncate(&mut self, place: usize, len: usize) -> bool;
}

/// An engine, and the places that are taken.
#[derive(Debug)]
struct Places {
    engine: Box<dyn Engine>,
    taken: Vec<bool>,
}

/// An engine that all texts of a model share.
#[derive(Clone, Debug)]
pub(super) struct Reader(Arc<Mutex<Places>>);

/// A text in an engine: its clone goes on by itself, in another place.
#[derive(Debug)]
pub(super) struct EngineText {
    reader: Reader,
    place: Option<usize>,
    /// The tokens that were read and not rolled back.
    tokens: Vec<TokenId>,
    /// The number of positions that the engine keeps; greater than the number of tokens if some were rolled back since.
    kept: usize,
}

impl Reader {
    pub(super) fn new(engine: Box<dyn Engine>) -> Self {
        let taken = vec![false; engine.texts()];
        Self(Arc::new(Mutex::new(Places { engine, taken })))
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens an empty text.
    pub(super) fn open(&self) -> EngineText {
        EngineText { reader: self.clone(), place: None, tokens: Vec::new(), kept: 0 }
    }

    pub(super) fn takes_back(&self) -> bool {
        self.lock().engine.takes_back()
    }

    /// Reads tokens of several texts of this model; returns the logits of each.
    pub(super) fn forward_all(&self, parts: &mut [BatchPart<'_>]) -> Result<Vec<Vec<f32>>, GenerateError> {
        let mut places = self.lock();
        let asked = parts.iter_mut().map(|part| places.part(self, part)).collect::<Result<Vec<_>, _>>();
        let logits = asked.and_then(|asked| places.read(&asked));
        for part in parts {
            let Some(text) = &mut part.cache.engine else { continue };
            if logits.is_ok() {
                text.tokens.extend(part.tokens);
                text.kept = text.tokens.len();
                part.cache.grow(part.tokens.len());
            } else {
                places.clear(text);
                text.kept = 0;
            }
        }
        logits
    }
}

impl Places {
    /// Makes the part that the engine reads: the tokens of the text after those that the engine keeps, and the new tokens.
    fn part(&mut self, reader: &Reader, part: &mut BatchPart<'_>) -> Result<EnginePart, GenerateError> {
        let text =
            part.cache.engine.as_mut().filter(|text| Arc::ptr_eq(&text.reader.0, &reader.0)).ok_or_else(foreign)?;
        let place = self.place(text)?;
        if text.kept > text.tokens.len() {
            text.kept = if self.engine.truncate(place, text.tokens.len()) { text.tokens.len() } else { 0 };
            if text.kept == 0 {
                self.empty(place)?;
            }
        }
        let tokens = text.tokens[text.kept..].iter().chain(part.tokens).copied().collect();
        Ok(EnginePart { place, position: text.kept, tokens, rows: part.rows })
    }

    /// Returns the place of a text; a text without a place gets a free one.
    fn place(&mut self, text: &mut EngineText) -> Result<usize, GenerateError> {
        if let Some(place) = text.place {
            return Ok(place);
        }
        let free = self.taken.iter().position(|taken| !taken);
        let place = free.ok_or_else(|| {
            let texts = self.taken.len();
            GenerateError::Engine(format!("it was made for {texts} texts at a time: end one before another begins"))
        })?;
        self.empty(place)?;
        self.taken[place] = true;
        text.place = Some(place);
        Ok(place)
    }

    fn empty(&mut self, place: usize) -> Result<(), GenerateError> {
        let is_empty = self.engine.truncate(place, 0);
        is_empty.then_some(()).ok_or_else(|| GenerateError::Engine("it cannot drop the state of a text".to_owned()))
    }

    /// Reads, and checks that there are as many logits as were requested.
    fn read(&mut self, asked: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError> {
        let logits = self.engine.read(asked)?;
        let width = self.engine.width();
        let expected = asked.iter().map(|part| part.rows.min(part.tokens.len()) * width);
        if !logits.iter().map(Vec::len).eq(expected) {
            return Err(GenerateError::Engine("it has returned other logits than were asked for".to_owned()));
        }
        Ok(logits)
    }

    /// Makes the engine forget a text; after a failure, it may have kept any part of it.
    fn clear(&mut self, text: &EngineText) {
        if let Some(place) = text.place {
            // If this fails, so does the next pass.
            self.engine.truncate(place, 0);
        }
    }
}

impl EngineText {
    /// Rolls back all positions from the `len`th on; the engine does so before the next pass.
    pub(super) fn truncate(&mut self, len: usize) {
        self.tokens.truncate(len);
    }
}

impl Clone for EngineText {
    fn clone(&self) -> Self {
        Self { reader: self.reader.clone(), place: None, tokens: self.tokens.clone(), kept: 0 }
    }
}

impl Drop for EngineText {
    fn drop(&mut self) {
        let Some(place) = self.place else { return };
        let mut places = self.reader.lock();
        places.clear(self);
        places.taken[place] = false;
    }
}

/// Makes the error for a cache of another model.
fn foreign() -> GenerateError {
    let expected = "it must be of the model that uses it".to_owned();
    GenerateError::Shape { what: "a cache".to_owned(), given: "that of another model".to_owned(), expected }
}
