//! Natural numbers of any size, with the operations for exact remainders and least common multiples.

use std::cmp::Ordering;

/// The base of a limb, which holds nine decimal digits, so that decimal shifts and digit strings stay cheap.
const BASE: u64 = 1_000_000_000;
const LIMB_DIGITS: usize = 9;

/// A natural number.
///
/// Invariant: limbs are least significant first, each below [`BASE`], and the last one is not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural {
    limbs: Vec<u32>,
}

impl Natural {
    /// Reads decimal digits (values 0 to 9, most significant first) followed by `zeros` zeros.
    pub(super) fn from_digits(digits: &[u8], zeros: usize) -> Self {
        let mut reversed = vec![0; zeros];
        reversed.extend(digits.iter().rev());
        let limbs = reversed.chunks(LIMB_DIGITS).map(limb).collect();
        Self { limbs }.trimmed()
    }

    /// Returns the decimal digits, most significant first; none for zero.
    pub(super) fn to_digits(&self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(self.limbs.len() * LIMB_DIGITS);
        for &limb in &self.limbs {
            let mut rest = limb;
            for _ in 0..LIMB_DIGITS {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Returns the sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let length = self.limbs.len().max(other.limbs.len());
        let mut limbs = Vec::with_capacity(length + 1);
        let mut carry = 0;
        for index in 0..length {
            let sum = self.limb(index) + other.limb(index) + carry;
            limbs.push((sum % BASE) as u32);
            carry = sum / BASE;
        }
        limbs.push(carry as u32);
        Self { limbs }.trimmed()
    }

    /// Returns the difference, or zero where `other` is greater.
    pub(super) fn minus(&self, other: &Self) -> Self {
        if *self <= *other {
            return Self { limbs: Vec::new() };
        }
        let mut limbs = Vec::with_capacity(self.limbs.len());
        let mut borrow = 0;
        for index in 0..self.limbs.len() {
            let difference = self.limb(index) + BASE - other.limb(index) - borrow;
            limbs.push((difference % BASE) as u32);
            borrow = 1 - difference / BASE;
        }
        Self { limbs }.trimmed()
    }

    /// Returns the product.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut limbs = vec![0_u32; self.limbs.len() + other.limbs.len()];
        for (shift, &left) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            for (slot, &right) in limbs[shift..].iter_mut().zip(other.limbs.iter().chain(&[0])) {
                let sum = u64::from(left) * u64::from(right) + u64::from(*slot) + carry;
                *slot = (sum % BASE) as u32;
                carry = sum / BASE;
            }
        }
        Self { limbs }.trimmed()
    }

    /// Returns quotient and remainder; `None` for a divisor of zero.
    pub(super) fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        match divisor.limbs.as_slice() {
            [] => None,
            [small] => Some(self.div_rem_limb(u64::from(*small))),
            _ if self < divisor => Some((Self { limbs: Vec::new() }, self.clone())),
            _ => Some(self.div_rem_long(divisor)),
        }
    }

    /// Returns the greatest common divisor, by Euclid.
    pub(super) fn gcd(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.clone(), other.clone());
        while let Some((_, rest)) = left.div_rem(&right) {
            left = right;
            right = rest;
        }
        left
    }

    fn div_rem_limb(&self, divisor: u64) -> (Self, Self) {
        let mut limbs = vec![0; self.limbs.len()];
        let mut rest = 0;
        for (slot, &limb) in limbs.iter_mut().zip(&self.limbs).rev() {
            let part = rest * BASE + u64::from(limb);
            *slot = (part / divisor) as u32;
            rest = part % divisor;
        }
        let remainder = Self { limbs: vec![rest as u32] };
        (Self { limbs }.trimmed(), remainder.trimmed())
    }

    /// Divides by divisors of two limbs or more with Knuth's algorithm D (The Art of Computer Programming, volume 2,
    /// 4.3.1).
    fn div_rem_long(&self, divisor: &Self) -> (Self, Self) {
        let size = divisor.limbs.len();
        let scale = BASE / (divisor.limb(size - 1) + 1);
        let factor = Self { limbs: vec![scale as u32] };
        let by = divisor.times(&factor);
        let mut rest = self.times(&factor).limbs;
        rest.resize(self.limbs.len() + 1, 0);
        let mut quotient = vec![0; self.limbs.len() - size + 1];
        for shift in (0..quotient.len()).rev() {
            let window = &mut rest[shift..=shift + size];
            quotient[shift] = divide_window(window, &by.limbs) as u32;
        }
        let remainder = Self { limbs: rest }.trimmed().div_rem_limb(scale).0;
        (Self { limbs: quotient }.trimmed(), remainder)
    }

    fn limb(&self, index: usize) -> u64 {
        self.limbs.get(index).map_or(0, |&limb| u64::from(limb))
    }

    fn trimmed(mut self) -> Self {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        self
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = self.limbs.len().cmp(&other.limbs.len());
        by_size.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Makes one limb of at most nine digits, least significant first.
fn limb(digits: &[u8]) -> u32 {
    digits.iter().rev().fold(0, |value, &digit| value * 10 + u32::from(digit))
}

/// Divides a window that is one limb longer than the normalised divisor, and leaves the remainder in the window.
fn divide_window(window: &mut [u32], by: &[u32]) -> u64 {
    let mut guess = guess_limb(window, by);
    if subtract_multiple(window, by, guess) {
        guess -= 1;
        add_back(window, by);
    }
    guess
}

/// Estimates the next limb of the quotient as Knuth does: at most one too large.
fn guess_limb(window: &[u32], by: &[u32]) -> u64 {
    let size = by.len();
    let (top, next) = (u64::from(by[size - 1]), u64::from(by[size - 2]));
    let head = u64::from(window[size]) * BASE + u64::from(window[size - 1]);
    let (mut guess, mut rest) = (head / top, head % top);
    while guess >= BASE || guess * next > rest * BASE + u64::from(window[size - 2]) {
        guess -= 1;
        rest += top;
        if rest >= BASE {
            break;
        }
    }
    guess
}

/// Computes `window -= by * factor`; returns whether it went below zero.
fn subtract_multiple(window: &mut [u32], by: &[u32], factor: u64) -> bool {
    let mut borrow = 0;
    for (slot, &limb) in window.iter_mut().zip(by.iter().chain(&[0])) {
        let take = u64::from(limb) * factor + borrow;
        let lack = take.saturating_sub(u64::from(*slot)).div_ceil(BASE);
        *slot = (u64::from(*slot) + lack * BASE - take) as u32;
        borrow = lack;
    }
    borrow > 0
}

/// Computes `window += by`, dropping the carry that undoes the borrow.
fn add_back(window: &mut [u32], by: &[u32]) {
    let mut carry = 0;
    for (slot, &limb) in window.iter_mut().zip(by.iter().chain(&[0])) {
        let sum = u64::from(*slot) + u64::from(limb) + carry;
        *slot = (sum % BASE) as u32;
        carry = sum / BASE;
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;

    fn natural(value: u128) -> Natural {
        let digits: Vec<u8> = value.to_string().bytes().map(|byte| byte - b'0').collect();
        Natural::from_digits(&digits, 0)
    }

    fn samples() -> Vec<u128> {
        let mut random = Random::new(1);
        let mut all = vec![0, 1, 9, 10, 999_999_999, 1_000_000_000, u128::from(u64::MAX)];
        for bits in 0..120 {
            all.push(((u128::from(random.next()) << 64) | u128::from(random.next())) >> (8 + bits));
        }
        all
    }

    #[test]
    fn agrees_with_machine_arithmetic() {
        for left in samples() {
            for right in samples() {
                let (a, b) = (natural(left), natural(right));
                assert_eq!(a.plus(&b), natural(left + right));
                assert_eq!(a.minus(&b), natural(left.saturating_sub(right)));
                assert_eq!(a.cmp(&b), left.cmp(&right));
                let expected = (right != 0).then(|| (natural(left / right), natural(left % right)));
                assert_eq!(a.div_rem(&b), expected, "{left} / {right}");
                if let Some(product) = left.checked_mul(right) {
                    assert_eq!(a.times(&b), natural(product));
                }
            }
        }
    }

    #[test]
    fn division_undoes_multiplication() {
        let all: Vec<Natural> = samples().into_iter().map(natural).collect();
        for a in &all {
            for b in all.iter().filter(|b| !b.is_zero()) {
                let product = a.times(a).times(b).plus(&b.minus(&natural(1)));
                assert_eq!(product.div_rem(b), Some((a.times(a), b.minus(&natural(1)))));
            }
        }
    }
}
