//! Reads the numbers and texts of a GGUF file; checks each length against the length of the file before it allocates
//! memory.

use std::io::Read;

use super::GgufError;

/// Limit on one text of the metadata, in bytes; chat templates are the longest texts in use.
const MAX_TEXT: u64 = 1 << 24;

/// Limit on the initial capacity for a list or text whose length the file gives; it grows as elements are read.
const FIRST_ROOM: u64 = 1 << 16;

/// A file, its length, and the number of bytes that were read.
#[derive(Debug)]
pub(super) struct Reader<R> {
    file: R,
    at: u64,
    len: u64,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(file: R, len: u64) -> Self {
        Self { file, at: 0, len }
    }

    /// Returns the number of bytes that were read.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Checks that the file has at least `bytes` more bytes.
    pub(super) fn check_left(&self, bytes: u64, what: &'static str) -> Result<(), GgufError> {
        let given = self.at.saturating_add(bytes);
        if given > self.len {
            return Err(GgufError::Truncated { what, given, limit: self.len });
        }
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], GgufError> {
        self.check_left(N as u64, what)?;
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, GgufError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, GgufError> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Reads a text: its length in bytes, then its UTF-8.
    pub(super) fn text(&mut self, what: &'static str) -> Result<String, GgufError> {
        let len = self.u64(what)?;
        self.check_left(len, what)?;
        check_count(len, MAX_TEXT, "bytes in one text")?;
        let mut bytes = Vec::with_capacity(room(len));
        self.file.by_ref().take(len).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != len {
            return Err(GgufError::Truncated { what, given: self.at + len, limit: self.at + bytes.len() as u64 });
        }
        let at = self.at;
        self.at += len;
        String::from_utf8(bytes).map_err(|_| GgufError::NotText { at })
    }
}

/// Returns the initial capacity for `len` elements.
pub(super) fn room(len: u64) -> usize {
    len.min(FIRST_ROOM) as usize
}

/// Refuses a number above its limit.
pub(super) fn check_count(given: u64, limit: u64, what: &'static str) -> Result<(), GgufError> {
    if given > limit {
        return Err(GgufError::TooMany { what, given, limit });
    }
    Ok(())
}
