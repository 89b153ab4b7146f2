//! Whole numbers of any size, for exponents: with comparison, and addition of small numbers.

/// A whole number. Zero has no digits and no sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WholeNumber {
    pub(super) negative: bool,
    /// The decimal digits, without leading zeros.
    pub(super) digits: Vec<u8>,
}

/// Numbers with at most this many digits are added as machine words.
const FEW_DIGITS: usize = 30;

impl WholeNumber {
    /// Makes a number from its sign and digits.
    pub(super) fn new(negative: bool, digits: &[u8]) -> Self {
        let digits = without_leading_zeros(digits).to_vec();
        Self { negative: negative && !digits.is_empty(), digits }
    }

    /// Adds a number. Any number with more than [`FEW_DIGITS`] digits must be far greater than it.
    pub(super) fn plus(&self, by: i64) -> Self {
        if self.digits.len() <= FEW_DIGITS {
            let magnitude = self.digits.iter().fold(0i128, |sum, digit| 10 * sum + i128::from(digit - b'0'));
            let sum = if self.negative { -magnitude } else { magnitude } + i128::from(by);
            return Self::new(sum < 0, sum.unsigned_abs().to_string().as_bytes());
        }
        // The sign does not change, as the magnitude is greater than that of `by`.
        let grows = self.negative == (by < 0);
        let mut left = by.unsigned_abs();
        let mut digits = self.digits.clone();
        let mut carry = 0;
        for digit in digits.iter_mut().rev() {
            let add = (left % 10) as i8 + carry;
            left /= 10;
            let value = (*digit - b'0') as i8 + if grows { add } else { -add };
            carry = i8::from(!(0..10).contains(&value));
            *digit = b'0' + value.rem_euclid(10) as u8;
            if left == 0 && carry == 0 {
                break;
            }
        }
        if grows && carry == 1 {
            digits.insert(0, b'1');
        }
        Self::new(self.negative, &digits)
    }

    /// Parses the output of [`WholeNumber::write`].
    pub(super) fn read(text: &[u8]) -> Self {
        let digits = text.strip_prefix(b"-");
        Self::new(digits.is_some(), digits.unwrap_or(text))
    }

    /// Appends the number in decimal.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        if self.negative {
            out.push(b'-');
        }
        out.extend(&self.digits);
    }
}

pub(super) fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[zeros..]
}

pub(super) fn without_trailing_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    &digits[..digits.len() - zeros]
}

#[cfg(test)]
mod tests {
    use super::WholeNumber;

    fn sum(text: &str, by: i64) -> String {
        let mut out = Vec::new();
        WholeNumber::read(text.as_bytes()).plus(by).write(&mut out);
        String::from_utf8(out).expect("digits")
    }

    #[test]
    fn exponents_of_any_size_are_added() {
        let large = format!("1{}", "0".repeat(40));
        let less = "9".repeat(40);
        assert_eq!((sum("", 5), sum("5", -5), sum("-12", 5)), ("5".into(), String::new(), "-7".into()));
        assert_eq!((sum(&large, -1), sum(&less, 1)), (less.clone(), large.clone()));
        assert_eq!(sum(&format!("-{large}"), 1), format!("-{less}"));
        assert_eq!(sum(&format!("-{less}"), -1), format!("-{large}"));
        assert_eq!(sum(&large, 12), format!("1{}12", "0".repeat(38)));
    }
}
