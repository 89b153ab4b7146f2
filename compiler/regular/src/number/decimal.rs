//! Exact decimal numbers, as JSON writes them: the values that [`NumberSet`](super::NumberSet) holds.

use std::cmp::Ordering;
use std::fmt;

use super::NumberError;
use super::natural::Natural;
use crate::limits::LimitError;

/// Greatest number of significant digits of a [`Decimal`].
pub const MAX_DIGITS: usize = 2_000;

/// The greatest distance of any significant digit from the decimal point.
pub const MAX_EXPONENT: i32 = 4_000;

/// An exact decimal number: `digits * 10^exponent`, with a sign.
///
/// Invariant: `digits` has neither leading nor trailing zeros, so that equal values have equal fields; zero has no
/// digits, exponent 0 and no sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// Estimates the memory that the number takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.digits.len()
    }

    /// Returns zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { negative: false, digits: Vec::new(), exponent: 0 }
    }

    /// Returns one.
    #[must_use]
    pub fn one() -> Self {
        Self::from(1)
    }

    /// Reads a JSON number literal (RFC 8259, section 6).
    ///
    /// # Errors
    ///
    /// [`NumberError::Syntax`] where the text is no JSON number, [`NumberError::Limit`] and [`NumberError::Exponent`]
    /// where it exceeds [`MAX_DIGITS`] or [`MAX_EXPONENT`].
    ///
    /// ```
    /// use ogc_regular::number::Decimal;
    /// assert_eq!(Decimal::parse("1e2"), Decimal::parse("100.0"));
    /// assert!(Decimal::parse("01").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let literal = Literal::split(text).ok_or_else(|| NumberError::Syntax { text: excerpt(text) })?;
        literal.value()
    }

    /// Builds the value of digits (0 to 9, most significant first) times a power of ten.
    pub(super) fn new(negative: bool, digits: &[u8], exponent: i32) -> Self {
        let start = digits.iter().position(|&digit| digit != 0);
        let Some(start) = start else {
            return Self::zero();
        };
        let end = digits.iter().rposition(|&digit| digit != 0).map_or(start, |last| last + 1);
        let dropped = digits.len() - end;
        Self { negative, digits: digits[start..end].to_vec(), exponent: exponent + dropped as i32 }
    }

    /// Returns whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns whether this is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns whether this is a whole number, however it was spelled.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the number with the opposite sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    /// Returns the distance from zero.
    #[must_use]
    pub fn abs(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    /// Returns whether this is `k * divisor` for a whole `k`. Only zero is a multiple of zero.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        if divisor.digits == [1] {
            return self.is_zero() || self.exponent >= divisor.exponent;
        }
        if self.is_zero() || divisor.is_zero() {
            return self.is_zero();
        }
        let base = self.exponent.min(divisor.exponent);
        let rest = self.scaled(base).div_rem(&divisor.scaled(base));
        rest.is_some_and(|(_, rest)| rest.is_zero())
    }

    /// Returns the digits without leading or trailing zeros, most significant first; none for zero.
    pub(super) fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// Returns the power of ten of the last digit.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Returns the power of ten of the first digit: the exponent of the normalised scientific spelling.
    pub(super) fn scientific_exponent(&self) -> i32 {
        self.exponent + self.digits.len() as i32 - 1
    }

    /// Returns the sum. It has at most as many digits as the operands span together.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let base = self.exponent.min(other.exponent);
        let (left, right) = (self.scaled(base), other.scaled(base));
        let (negative, sum) = match (self.negative == other.negative, left < right) {
            (true, _) => (self.negative, left.plus(&right)),
            (false, false) => (self.negative, left.minus(&right)),
            (false, true) => (other.negative, right.minus(&left)),
        };
        Self::new(negative, &sum.to_digits(), base)
    }

    /// Returns the greatest multiple of `step` that is not above this; this itself where `step` is zero.
    pub(super) fn floor_to(&self, step: &Self) -> Self {
        let base = self.exponent.min(step.exponent);
        let Some((_, rest)) = self.scaled(base).div_rem(&step.scaled(base)) else {
            return self.clone();
        };
        let rest = Self::new(!self.negative, &rest.to_digits(), base);
        let towards_zero = self.plus(&rest);
        if self.negative && !rest.is_zero() {
            return towards_zero.plus(&step.abs().negate());
        }
        towards_zero
    }

    /// Returns the least common multiple of two positive operands.
    pub(super) fn lcm(&self, other: &Self) -> Result<Self, NumberError> {
        if self.is_multiple_of(other) {
            return Ok(self.clone());
        }
        let base = self.exponent.min(other.exponent);
        let (left, right) = (self.scaled(base), other.scaled(base));
        let shared = left.gcd(&right);
        let quotient = left.div_rem(&shared).map_or_else(|| left.clone(), |(quotient, _)| quotient);
        Self::new(false, &quotient.times(&right).to_digits(), base).within_limits()
    }

    /// Returns the absolute value in units of `10^base`; `base` is at most the exponent.
    fn scaled(&self, base: i32) -> Natural {
        let zeros = usize::try_from(self.exponent - base).unwrap_or(0);
        Natural::from_digits(&self.digits, zeros)
    }

    fn within_limits(self) -> Result<Self, NumberError> {
        LimitError::check("significant digits of a number", self.digits.len(), MAX_DIGITS)?;
        check_exponent(i64::from(self.exponent))?;
        check_exponent(i64::from(self.scientific_exponent()))?;
        Ok(self)
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        let digits: Vec<u8> = value.unsigned_abs().to_string().bytes().map(|byte| byte - b'0').collect();
        Self::new(value < 0, &digits, 0)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |value: &Self| i32::from(!value.is_zero()) * if value.negative { -1 } else { 1 };
        let by_sign = sign(self).cmp(&sign(other));
        let by_size = || {
            let by_exponent = self.scientific_exponent().cmp(&other.scientific_exponent());
            by_exponent.then_with(|| self.digits.cmp(&other.digits))
        };
        match by_sign {
            Ordering::Equal if self.negative => by_size().reverse(),
            Ordering::Equal => by_size(),
            decided => decided,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes the shortest plain literal: no exponent, no needless zeros.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits: String = self.digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
        let point = self.digits.len() as i32 + self.exponent;
        if point <= 0 {
            digits.insert_str(0, &"0".repeat(1 + point.unsigned_abs() as usize));
        }
        if self.exponent >= 0 {
            digits.push_str(&"0".repeat(self.exponent.unsigned_abs() as usize));
        } else {
            digits.insert(point.max(1) as usize, '.');
        }
        let digits = if self.is_zero() { "0" } else { digits.as_str() };
        write!(f, "{}{digits}", if self.negative { "-" } else { "" })
    }
}

/// The parts of a JSON number literal.
struct Literal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: &'a str,
}

impl<'a> Literal<'a> {
    fn split(text: &'a str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        let sound = [whole, fraction, unsigned].into_iter().all(is_digits) && !leading_zero;
        sound.then_some(Self { negative, whole, fraction, exponent })
    }

    fn value(&self) -> Result<Decimal, NumberError> {
        let digits: Vec<u8> = self.whole.bytes().chain(self.fraction.bytes()).map(|byte| byte - b'0').collect();
        let value = Decimal::new(self.negative, &digits, 0);
        if value.is_zero() {
            return Ok(value);
        }
        let exponent = self.exponent_value()? - self.fraction.len() as i64 + i64::from(value.exponent);
        check_exponent(exponent)?;
        Decimal { exponent: exponent as i32, ..value }.within_limits()
    }

    /// Returns the written exponent; one that exceeds an `i64` is far beyond the limit.
    fn exponent_value(&self) -> Result<i64, NumberError> {
        let unsigned = self.exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let beyond = NumberError::Exponent { given: i64::MAX, limit: MAX_EXPONENT };
        let value: i64 = match unsigned {
            "" => 0,
            digits if digits.len() > 15 => return Err(beyond),
            digits => digits.parse().map_err(|_| beyond)?,
        };
        Ok(if self.exponent.starts_with('-') { -value } else { value })
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_exponent(exponent: i64) -> Result<(), NumberError> {
    if exponent.unsigned_abs() > u64::from(MAX_EXPONENT.unsigned_abs()) {
        return Err(NumberError::Exponent { given: exponent, limit: MAX_EXPONENT });
    }
    Ok(())
}

/// Shortens an invalid literal to a recognisable prefix.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn equal_decimals_compare_equal() {
        for (left, right) in [("1e2", "100.0"), ("-0", "0e9999999"), ("0.5E+1", "5"), ("1200", "1.2e3")] {
            assert_eq!(decimal(left), decimal(right));
        }
    }

    #[test]
    fn displays_the_shortest_plain_literal() {
        for (text, shown) in
            [("1e3", "1000"), ("-0.0", "0"), ("5e-3", "0.005"), ("-12.50", "-12.5"), ("10.01", "10.01")]
        {
            assert_eq!(decimal(text).to_string(), shown);
        }
    }

    #[test]
    fn refuses_texts_that_are_no_number_literals() {
        for text in ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", " 1", "1.e5", "--1", "1e5.0", "NaN"] {
            assert!(matches!(Decimal::parse(text), Err(NumberError::Syntax { .. })), "{text}");
        }
    }

    #[test]
    fn limits_are_reported() {
        assert!(Decimal::parse("1e400").is_ok());
        assert_eq!(
            Decimal::parse("1e999999999"),
            Err(NumberError::Exponent { given: 999_999_999, limit: MAX_EXPONENT })
        );
        assert!(matches!(Decimal::parse("1e99999999999999999999"), Err(NumberError::Exponent { .. })));
        let digits = LimitError { what: "significant digits of a number", given: 2_001, limit: 2_000 };
        assert_eq!(Decimal::parse(&"1".repeat(2_001)), Err(NumberError::Limit(digits)));
    }

    #[test]
    fn multiples_are_exact() {
        for (value, step) in [("0.3", "0.1"), ("1e300", "7e-3"), ("4.02", "0.01"), ("0", "3"), ("-9", "3")] {
            let expected = step != "7e-3";
            assert_eq!(decimal(value).is_multiple_of(&decimal(step)), expected, "{value} / {step}");
        }
        assert!(!decimal("0.075").is_multiple_of(&decimal("0.01")));
        assert!(!decimal("3").is_multiple_of(&decimal("0")));
    }

    #[test]
    fn floors_to_a_multiple() {
        for (value, step, floor) in
            [("7", "3", "6"), ("-7", "3", "-9"), ("-6", "3", "-6"), ("0.25", "0.1", "0.2"), ("-0.01", "5", "-5")]
        {
            assert_eq!(decimal(value).floor_to(&decimal(step)), decimal(floor));
        }
    }

    #[test]
    fn least_common_multiples() {
        for (left, right, lcm) in [("0.5", "0.2", "1"), ("6", "4", "12"), ("1", "0.01", "1"), ("1.5", "1", "3")] {
            assert_eq!(decimal(left).lcm(&decimal(right)), Ok(decimal(lcm)));
        }
    }

    #[test]
    fn decimals_are_ordered_by_value() {
        let sorted = ["-1e5", "-12.1", "-12", "-0.5", "0", "1e-9", "0.5", "12", "12.001", "13", "1e2", "1e2000"];
        for pair in sorted.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
    }
}
