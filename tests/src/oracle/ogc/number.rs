//! Calculates exactly with numbers without exponents.

use std::cmp::Ordering;

/// A number as written: digits, then perhaps a point and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The whole text.
    pub(super) written: String,
    /// Whether it has a point.
    pub(super) point: bool,
    /// Whether it is short enough for calculations.
    pub(super) exact: bool,
    /// The number without its point.
    units: i128,
    /// The number of digits behind the point.
    scale: u32,
}

/// Cap on the digits of a number for calculations.
const DIGITS: usize = 18;

impl Number {
    /// Reads the longest number at the beginning of a text.
    pub(super) fn read(text: &[u8]) -> Option<Number> {
        let digits = |from: usize| text.get(from..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_digit()).count();
        let sign = usize::from(text.first() == Some(&b'-'));
        let whole = match text.get(sign) {
            Some(b'0') => 1,
            _ => digits(sign),
        };
        let point = sign + whole;
        let fraction = if text.get(point) == Some(&b'.') { digits(point + 1) } else { 0 };
        let end = if fraction > 0 { point + 1 + fraction } else { point };
        let written = std::str::from_utf8(&text[..end]).ok()?.to_owned();
        let exact = whole + fraction <= DIGITS;
        let units = if exact { written.replace('.', "").parse().ok()? } else { 0 };
        let scale = if exact { fraction as u32 } else { 0 };
        (whole > 0).then_some(Number { point: fraction > 0, exact, units, scale, written })
    }

    /// Parses a number of a program, without exponent.
    pub(super) fn parse(written: &str) -> Option<Number> {
        Number::read(written.as_bytes()).filter(|number| number.written == written)
    }

    pub(super) fn compare(&self, other: &Number) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.scaled(scale).cmp(&other.scaled(scale))
    }

    fn scaled(&self, scale: u32) -> i128 {
        self.units * 10i128.pow(scale - self.scale)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.units % 10i128.pow(self.scale) == 0
    }

    /// Returns whether it is a whole multiple of another.
    pub(super) fn is_multiple(&self, of: &Number) -> bool {
        let scale = self.scale.max(of.scale);
        of.units != 0 && self.scaled(scale) % of.scaled(scale) == 0
    }

    /// Returns whether all digits behind the point, after the first `most`, are zeros.
    pub(super) fn has_digits(&self, most: u32) -> bool {
        self.scale <= most || self.units % 10i128.pow(self.scale - most) == 0
    }

    /// Returns the number of digits behind the point.
    pub(super) fn decimals(&self) -> usize {
        self.scale as usize
    }

    /// Returns whether it is `-0` or `-0.0`.
    pub(super) fn is_negative_zero(&self) -> bool {
        self.units == 0 && self.written.starts_with('-')
    }
}
