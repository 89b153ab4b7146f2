//! Reads JSON numbers: checks them against the grammar of RFC 8259, and keeps their literal text.

use super::parse::{Failure, Reader};
use super::value::JsonKind;
use crate::Code;
use crate::span::Span;

impl Reader<'_> {
    /// Reads a number whose sign or first digit is at the reader's offset.
    pub(super) fn number(&mut self) -> Result<JsonKind, Failure> {
        let start = self.at;
        self.eat(b'-');
        if self.eat(b'0') {
            self.refuse_leading_zero(start)?;
        } else {
            self.digits(start)?;
        }
        if self.eat(b'.') {
            self.digits(start)?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits(start)?;
        }
        Ok(JsonKind::Number(self.slice(start, self.at).to_owned()))
    }

    fn digits(&mut self, start: usize) -> Result<(), Failure> {
        let first = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > first {
            return Ok(());
        }
        let message = "a number needs a digit here, as in `0.5`, `-1` or `1e9`";
        Err(Failure::new(Code::JsonNumber, Span::of(start, self.char_end(self.at)), message))
    }

    fn refuse_leading_zero(&self, start: usize) -> Result<(), Failure> {
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Ok(());
        }
        let span = Span::of(start, self.at + 1);
        Err(Failure::new(Code::JsonNumber, span, "a number of JSON has no leading zeros"))
    }
}
