//! Assembles characters that come byte by byte.

/// Error: UTF-8 does not allow the byte at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoCharacter;

/// The bytes so far of an incomplete character.
#[derive(Clone, Debug, Default)]
pub(super) struct Characters {
    bytes: [u8; 4],
    len: usize,
}

impl Characters {
    /// Adds a byte; returns the character that it completes.
    pub(super) fn push(&mut self, byte: u8) -> Result<Option<char>, NoCharacter> {
        *self.bytes.get_mut(self.len).ok_or(NoCharacter)? = byte;
        self.len += 1;
        match std::str::from_utf8(&self.bytes[..self.len]) {
            Ok(text) => {
                let char = text.chars().next();
                self.len = 0;
                Ok(char)
            }
            Err(error) if error.error_len().is_none() => Ok(None),
            Err(_) => Err(NoCharacter),
        }
    }

    /// Returns whether a character is incomplete.
    pub(super) fn is_inside(&self) -> bool {
        self.len > 0
    }
}
