//! Encodes numbers and lists as bytes, and decodes them. A length is checked against the remaining bytes before anything is allocated.

use super::RestoreError;
use crate::vocabulary::TokenId;

/// Writes the fields of a state one after another.
#[derive(Debug, Default)]
pub(super) struct StateWriter {
    pub(super) bytes: Vec<u8>,
}

impl StateWriter {
    pub(super) fn number(&mut self, number: usize) {
        self.bytes.extend_from_slice(&(number as u64).to_le_bytes());
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.bytes.push(u8::from(flag));
    }

    pub(super) fn option(&mut self, number: Option<usize>) {
        self.flag(number.is_some());
        number.into_iter().for_each(|number| self.number(number));
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len());
        self.bytes.extend_from_slice(text);
    }

    pub(super) fn tokens(&mut self, tokens: &[TokenId]) {
        self.number(tokens.len());
        tokens.iter().for_each(|token| self.bytes.extend_from_slice(&token.0.to_le_bytes()));
    }
}

/// Reads the fields of a state one after another.
#[derive(Debug)]
pub(super) struct StateReader<'a> {
    rest: &'a [u8],
}

impl<'a> StateReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], RestoreError> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(invalid("a field goes on behind its end"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| invalid("a field goes on behind its end"))
    }

    pub(super) fn number(&mut self) -> Result<usize, RestoreError> {
        let number = u64::from_le_bytes(self.array()?);
        usize::try_from(number).map_err(|_| invalid("a number is too large for this machine"))
    }

    pub(super) fn flag(&mut self) -> Result<bool, RestoreError> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(invalid("a flag is neither 0 nor 1")),
        }
    }

    pub(super) fn option(&mut self) -> Result<Option<usize>, RestoreError> {
        if self.flag()? { self.number().map(Some) } else { Ok(None) }
    }

    pub(super) fn text(&mut self) -> Result<&'a [u8], RestoreError> {
        let len = self.number()?;
        self.take(len)
    }

    pub(super) fn tokens(&mut self) -> Result<Vec<TokenId>, RestoreError> {
        let len = self.number()?.checked_mul(4).ok_or(invalid("a list goes on behind its end"))?;
        let words = self.take(len)?.chunks_exact(4);
        Ok(words.filter_map(|word| word.try_into().ok()).map(|word| TokenId(u32::from_le_bytes(word))).collect())
    }

    /// Returns the number of remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Fails if bytes remain.
    pub(super) fn end(&self) -> Result<(), RestoreError> {
        if self.rest.is_empty() { Ok(()) } else { Err(invalid("there are bytes behind the last field")) }
    }
}

pub(super) fn invalid(what: &'static str) -> RestoreError {
    RestoreError::Invalid { what }
}
