//! Reads numbers from their text.

use super::exponent::{WholeNumber, without_leading_zeros, without_trailing_zeros};

/// The text of a number so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumberText {
    negative: bool,
    whole: Vec<u8>,
    /// The digits after the point, if there is a point.
    fraction: Option<Vec<u8>>,
    exponent: Option<ExponentText>,
}

/// The text of an exponent so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ExponentText {
    /// Whether the sign is a minus, if there is a sign.
    negative: Option<bool>,
    digits: Vec<u8>,
}

impl NumberText {
    /// Reads a byte. Returns `false` if it cannot be part of a number.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        match (byte, &mut self.exponent, &mut self.fraction) {
            (b'0'..=b'9', Some(exponent), _) => exponent.digits.push(byte),
            (b'0'..=b'9', None, Some(fraction)) => fraction.push(byte),
            (b'0'..=b'9', None, None) => self.whole.push(byte),
            (b'-' | b'+', Some(exponent), _) => exponent.negative = Some(byte == b'-'),
            (b'-', None, _) => self.negative = true,
            (b'.', None, None) => self.fraction = Some(Vec::new()),
            (b'e' | b'E', None, _) => self.exponent = Some(ExponentText::default()),
            _ => return false,
        }
        true
    }

    /// Returns the digits from the first nonzero digit on.
    fn significant(&self) -> Vec<u8> {
        let mut digits = self.whole.clone();
        digits.extend(self.fraction.iter().flatten());
        without_leading_zeros(&digits).to_vec()
    }

    /// Returns the canonical form of the value: `0`; or the sign, the digits without leading and trailing zeros, `e`, and the exponent of
    /// the last digit.
    pub(super) fn value(&self) -> Vec<u8> {
        let significant = self.significant();
        let digits = without_trailing_zeros(&significant);
        if digits.is_empty() {
            return b"0".to_vec();
        }
        let exponent = match &self.exponent {
            Some(text) => WholeNumber::new(text.negative == Some(true), &text.digits),
            None => WholeNumber::new(false, b""),
        };
        let mut value = vec![if self.negative { b'-' } else { b'+' }];
        value.extend(digits);
        value.push(b'e');
        exponent.plus(self.shift(significant.len() - digits.len())).write(&mut value);
        value
    }

    /// Returns how much the exponent changes if the point is moved after the last digit, and the last `zeros` digits, all zero, are
    /// dropped.
    fn shift(&self, zeros: usize) -> i64 {
        zeros as i64 - self.fraction.as_ref().map_or(0, |fraction| fraction.len() as i64)
    }

    /// Returns whether the text can become a number with this value. May return `true` wrongly.
    pub(super) fn could_become(&self, value: &[u8]) -> bool {
        let significant = self.significant();
        let Some((&sign, rest)) = value.split_first().filter(|_| value != b"0") else {
            return significant.is_empty();
        };
        let Some(e) = rest.iter().position(|byte| *byte == b'e') else { return true };
        let digits = &rest[..e];
        if self.negative != (sign == b'-') {
            return false;
        }
        let own = without_trailing_zeros(&significant);
        match &self.exponent {
            None => digits.starts_with(own) && (digits.starts_with(&significant) || digits == own),
            Some(text) => {
                let zeros = significant.len() - own.len();
                digits == own && text.could_become(&WholeNumber::read(&rest[e + 1..]).plus(-self.shift(zeros)))
            }
        }
    }

    /// Describes the text for a search for a value that differs from some known values: texts with equal descriptions can become such a
    /// value in the same ways. Runs of zeros are truncated to `zeros` digits: after so many zeros, any digit makes a new value.
    pub(super) fn describe(&self, zeros: usize, out: &mut Vec<u8>) {
        out.push(if self.negative { b'-' } else { b'+' });
        push_digits(&self.whole, zeros, out);
        if let Some(fraction) = &self.fraction {
            out.push(b'.');
            push_digits(fraction, zeros, out);
        }
        let Some(exponent) = &self.exponent else { return };
        out.extend([b'e', u8::from(exponent.digits.is_empty())]);
        out.push(exponent.negative.map_or(b'0', |negative| if negative { b'-' } else { b'+' }));
        if !self.significant().is_empty() {
            out.extend(without_leading_zeros(&exponent.digits));
        }
    }
}

impl ExponentText {
    /// Returns whether the text can become an exponent with this value.
    fn could_become(&self, exponent: &WholeNumber) -> bool {
        let digits = without_leading_zeros(&self.digits);
        let sign_fits = match self.negative {
            // A sign may still come before the first digit.
            None => self.digits.is_empty() || !exponent.negative,
            Some(negative) => negative == exponent.negative || exponent.digits.is_empty(),
        };
        sign_fits && exponent.digits.starts_with(digits)
    }
}

/// Appends digits, with runs of zeros truncated to `zeros` digits.
fn push_digits(digits: &[u8], zeros: usize, out: &mut Vec<u8>) {
    let mut run = 0;
    for &digit in digits {
        run = if digit == b'0' { run + 1 } else { 0 };
        if run <= zeros {
            out.push(digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NumberText;

    fn text(text: &str) -> NumberText {
        let mut number = NumberText::default();
        assert!(text.bytes().all(|byte| number.push(byte)), "{text}");
        number
    }

    fn value(number: &str) -> String {
        String::from_utf8(text(number).value()).expect("digits")
    }

    #[test]
    fn spellings_of_one_number_have_one_value() {
        let equal = [
            &["100", "1e2", "100.0", "0.1E+3", "1000e-1", "1e0000002"][..],
            &["0", "-0", "0.00", "0e99", "-0.0e-7"],
            &["-1.5", "-15e-1", "-0.00150e3"],
            &["1e400000000000000000000000000000000000", "10e399999999999999999999999999999999999"],
        ];
        for (at, group) in equal.iter().enumerate() {
            assert!(group.iter().all(|number| value(number) == value(group[0])), "{group:?}");
            assert!(equal[..at].iter().all(|other| value(other[0]) != value(group[0])), "{group:?}");
        }
    }

    #[test]
    fn every_prefix_of_a_number_can_become_that_number() {
        let spellings = ["1234", "12.34e2", "1234.000", "0.01234e5", "123400e-2", "1234e0", "1234e-0", "1.234e+003"];
        for spelling in spellings {
            assert_eq!(value(spelling), "+1234e");
            for end in 1..=spelling.len() {
                assert!(text(&spelling[..end]).could_become(b"+1234e"), "{}", &spelling[..end]);
            }
        }
        for other in ["2", "-1", "124", "12340001", "1234e1", "1234.5", "1.234e-", "1.234e4"] {
            assert!(!text(other).could_become(b"+1234e"), "{other}");
        }
        assert!(text("-0.0e5").could_become(b"0") && !text("0.01").could_become(b"0"));
    }
}
