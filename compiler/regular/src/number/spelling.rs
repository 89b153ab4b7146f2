//! The texts by which a number may be written.

/// The texts of a number that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// Texts without exponent, except negative zero. If the set's conditions bound the digits that members need behind
    /// the point (two for multiples of 0.01, one for 0.5 alone; bounds up to 64 digits), no member is written with
    /// more, and whole numbers are written without a point. A writer can then not add zeros for ever.
    Plain,
    /// Texts of [`Spelling::Plain`], and negative zero: an `integer` of draft 4 has neither fraction nor exponent, but
    /// may have a sign.
    Signed,
    /// All texts that JSON allows (RFC 8259, section 6), with or without exponent:
    ///
    /// - Without exponent: every text of every member, `-0` and `1.500` included.
    /// - With exponent, zero: every text.
    /// - With exponent, where the set names no magnitude on this side of zero (no bound or single number other than
    ///   zero): every mantissa. Where it names one: mantissas with one digit before the point, not `0`, as number
    ///   printers write them (`1.5e+300`, not `15e299`).
    /// - With exponent, where the set names divisors ("integer" is a multiple of 1): texts for which divisibility is
    ///   plain to see. For powers of ten these are all whose fraction is zero or has at most 16 digits and does not end
    ///   in zero; ending in zero, or in a whole part that does (`10e1`), is fine where the exponent leaves no digit
    ///   behind the point. The same holds for other divisors that have, after taking out powers of ten, at most five
    ///   twos or two fives: 1.5 is 5 tenths times 3, and 0.25 is 25 hundredths. For divisors with more of them (0.125
    ///   is 125 thousandths), a multiple is written with an exponent only if the exponent alone supplies these twos or
    ///   fives: it must exceed the least exponent that leaves no fraction by at least their number. Where the other
    ///   primes of all divisors together have hundreds of remainders, fewer than 16 digits behind the point are
    ///   decided; where they have thousands, no number is written with an exponent.
    ///
    /// The double-precision texts of common number printers are all of these forms.
    Json,
}

/// Bounds on the number of digits behind the point, trailing zeros included; with no digits there is no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimals {
    /// The least number.
    pub least: u32,
    /// The greatest number.
    pub most: u32,
}

impl Decimals {
    /// Returns the intersection of two bounds; `None` if it is empty.
    #[must_use]
    pub fn meet(self, other: Self) -> Option<Self> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least <= most).then_some(Self { least, most })
    }
}
