//! The KV-cache pages of each text. A forked text shares the pages of the original. A shared page is copied before one of its texts writes
//! into it, and is freed when no text has it any more.
//!
//! # Invariants
//! * `shares[page]` is the number of texts that have the page; a page is free if this number is 0.
//! * A text of n positions has exactly the pages for n positions.

use super::error::ModelError;
use super::records::{PAGE_POSITIONS, PageCopy};

/// A text that a model reads; its keys and values are cached on the device.
///
/// ```
/// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelText};
/// fn open_two<M: Machine>(model: &mut DeviceModel<M>) -> Result<[ModelText; 2], ModelError> {
///     let one = model.open();
///     Ok([one, model.fork(one)?])
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelText(pub(crate) u32);

/// The pages of one text.
#[derive(Clone, Debug, Default)]
struct Text {
    pages: Vec<u32>,
    len: u32,
}

/// The pages of all texts.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    shares: Vec<u32>,
    free: Vec<u32>,
    texts: Vec<Option<Text>>,
    /// Maximum number of positions of a text.
    positions: u32,
}

/// Returns the number of pages that hold `positions` positions.
fn pages_of(positions: u32) -> usize {
    positions.div_ceil(PAGE_POSITIONS) as usize
}

impl Pages {
    pub(crate) fn new(pages: u32, positions: u32) -> Self {
        let free = (0..pages).rev().collect();
        Self { shares: vec![0; pages as usize], free, texts: Vec::new(), positions }
    }

    /// Opens an empty text.
    pub(crate) fn open(&mut self) -> ModelText {
        self.put(Text::default())
    }

    /// Opens a fork of a text, which shares its pages.
    pub(crate) fn fork(&mut self, text: ModelText) -> Result<ModelText, ModelError> {
        let copy = self.text(text)?.clone();
        copy.pages.iter().for_each(|page| self.shares[*page as usize] += 1);
        Ok(self.put(copy))
    }

    fn put(&mut self, text: Text) -> ModelText {
        let free = self.texts.iter().position(Option::is_none);
        let at = free.unwrap_or_else(|| {
            self.texts.push(None);
            self.texts.len() - 1
        });
        self.texts[at] = Some(text);
        ModelText(at as u32)
    }

    /// Closes a text.
    pub(crate) fn close(&mut self, text: ModelText) -> Result<(), ModelError> {
        self.truncate(text, 0)?;
        self.texts[text.0 as usize] = None;
        Ok(())
    }

    /// Returns the number of positions that a text has read.
    pub(crate) fn len(&self, text: ModelText) -> Result<u32, ModelError> {
        self.text(text).map(|text| text.len)
    }

    /// Returns the pages of a text.
    pub(crate) fn table(&self, text: ModelText) -> Result<&[u32], ModelError> {
        self.text(text).map(|text| text.pages.as_slice())
    }

    fn text(&self, text: ModelText) -> Result<&Text, ModelError> {
        let found = self.texts.get(text.0 as usize).and_then(Option::as_ref);
        found.ok_or(ModelError::Closed { given: text.0 })
    }

    fn text_mut(&mut self, text: ModelText) -> Result<&mut Text, ModelError> {
        let found = self.texts.get_mut(text.0 as usize).and_then(Option::as_mut);
        found.ok_or(ModelError::Closed { given: text.0 })
    }

    /// Takes back all positions from `len` on.
    pub(crate) fn truncate(&mut self, text: ModelText, len: u32) -> Result<(), ModelError> {
        let of_text = self.text_mut(text)?;
        of_text.len = of_text.len.min(len);
        let dropped = of_text.pages.split_off(pages_of(of_text.len));
        for page in dropped {
            self.shares[page as usize] -= 1;
            if self.shares[page as usize] == 0 {
                self.free.push(page);
            }
        }
        Ok(())
    }

    /// Makes room for more positions in texts, each of which is named once. Returns the pages that must be copied before anything is
    /// written. If there is no room, nothing changes.
    pub(crate) fn grow(&mut self, texts: &[(ModelText, usize)]) -> Result<Vec<PageCopy>, ModelError> {
        let (mut needed, limit) = (0, self.free.len());
        for (at, (text, positions)) in texts.iter().enumerate() {
            if texts[..at].iter().any(|(before, _)| before == text) {
                return Err(ModelError::Closed { given: text.0 });
            }
            needed += self.needed(*text, *positions)?;
        }
        if needed > limit {
            return Err(ModelError::Pages { given: needed as u64, limit: limit as u64 });
        }
        let mut copies = Vec::new();
        for (text, positions) in texts {
            copies.extend(self.grow_one(*text, *positions)?);
        }
        Ok(copies)
    }

    /// Returns the maximum number of pages needed for `positions` more positions of a text.
    fn needed(&self, text: ModelText, positions: usize) -> Result<usize, ModelError> {
        let of_text = self.text(text)?;
        let (given, limit) = (u64::from(of_text.len) + positions as u64, u64::from(self.positions));
        if given > limit {
            return Err(ModelError::Positions { given, limit });
        }
        let more = pages_of(given as u32) - of_text.pages.len();
        let is_copied = positions > 0 && self.shared_end(of_text).is_some();
        Ok(more + usize::from(is_copied))
    }

    /// Returns the last page of a text, if the page has free positions and is shared with other texts.
    fn shared_end(&self, text: &Text) -> Option<u32> {
        let last = text.pages.last().copied()?;
        (!text.len.is_multiple_of(PAGE_POSITIONS) && self.shares[last as usize] > 1).then_some(last)
    }

    /// Makes room in one text; there are enough free pages.
    fn grow_one(&mut self, text: ModelText, positions: usize) -> Result<Option<PageCopy>, ModelError> {
        if positions == 0 {
            return Ok(None);
        }
        let of_text = self.text(text)?;
        let (old, len) = (of_text.len, of_text.len + positions as u32);
        let shared = self.shared_end(of_text);
        let more = pages_of(len) - of_text.pages.len() + usize::from(shared.is_some());
        let taken = self.free.split_off(self.free.len() - more);
        taken.iter().for_each(|page| self.shares[*page as usize] = 1);
        let copy = shared.zip(taken.first().copied());
        let of_text = self.text_mut(text)?;
        if copy.is_some() {
            of_text.pages.pop();
        }
        of_text.pages.extend(taken);
        of_text.len = len;
        let Some((from, to)) = copy else { return Ok(None) };
        self.shares[from as usize] -= 1;
        Ok(Some(PageCopy { from, to, positions: old % PAGE_POSITIONS }))
    }
}

#[cfg(test)]
mod tests;
