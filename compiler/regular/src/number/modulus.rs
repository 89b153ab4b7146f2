//! One power of two or five, times a power of ten, as a divisor: tells whether a text's value is a multiple.
//!
//! Two facts are tracked. Without an exponent, whether the number is a multiple; this is always known. For a mantissa
//! before an exponent, from which exponent on the value is a multiple ([`Verdict`]). The latter would need unbounded
//! counting: it is known for fractions up to a number of digits ([`FRACTION`] at most), and otherwise left undecided,
//! never guessed.
//!
//! Appending a digit multiplies a remainder by ten, so afterwards only its remainder by the next lower power of the
//! prime matters. For 125, the states are therefore the remainders by 25 and whether the remainder by 125 is 0: 26
//! states instead of 125.

use std::hash::{Hash, Hasher};

/// Cap on the fraction digits of a mantissa for which divisibility is decided: a double has seventeen significant
/// digits.
pub(super) const FRACTION: i32 = 16;

/// Cap on the remainders of a divisor that are tracked through a mantissa.
const TRACKED: u32 = 17;

/// Cap on the states of one divisor without an exponent (remainders times digit positions).
pub(super) const MAX_REMAINDERS: usize = 1 << 15;

/// An exponent beyond all exponents of verdicts.
pub(super) const NEVER: i32 = i32::MAX;

/// One divisor, `factor * 10^shift`, where the factor is a power of two or of five.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modulus {
    /// The prime of the factor: two or five.
    prime: u32,
    factor: u32,
    shift: i32,
    /// The number of the factor's twos or fives: the least `n` with `10^n` divisible by the factor.
    tail: i32,
    /// Fraction digits of a mantissa are counted up to this number.
    longest: i32,
}

/// The next input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Input {
    /// A digit of the whole part.
    Whole(u8),
    /// A digit of the fraction.
    Fraction(u8),
    /// The point.
    Point,
    /// The decision that no exponent follows.
    Plain,
}

impl Input {
    pub(super) const COUNT: usize = 22;

    /// Maps all digits but zero to one, as [`Modulus::is_power_of_ten`] allows.
    pub(super) fn coarse(self) -> Self {
        match self {
            Self::Whole(digit) => Self::Whole(digit.min(1)),
            Self::Fraction(digit) => Self::Fraction(digit.min(1)),
            other => other,
        }
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Whole(digit) => usize::from(digit % 10),
            Self::Fraction(digit) => 10 + usize::from(digit % 10),
            Self::Point => 20,
            Self::Plain => 21,
        }
    }

    /// Returns the digit, if the input is one.
    pub(super) fn digit(self) -> Option<u8> {
        match self {
            Self::Whole(digit) | Self::Fraction(digit) => Some(digit),
            Self::Point | Self::Plain => None,
        }
    }
}

/// The exponents with which `mantissa * 10^exponent` is a multiple: none below `not_below`, all from `from` on,
/// undecided between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Verdict {
    /// Exponents below this give no multiple.
    pub(super) not_below: i32,
    /// Exponents from this on give a multiple.
    pub(super) from: i32,
}

impl Verdict {
    /// The verdict that no exponent makes a multiple.
    pub(super) const NO_MULTIPLE: Self = Self { not_below: NEVER, from: NEVER };
}

/// The state of one modulus after the digits so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Residue {
    plain: Plain,
    mantissa: Mantissa,
}

impl Residue {
    /// Returns whether the number is a multiple only if zeros alone, and no exponent, follow.
    pub(super) fn is_settled(self) -> bool {
        matches!(self.plain, Plain::Settled { .. }) && self.mantissa == Mantissa::Untracked
    }

    /// Returns whether neither further digits nor an exponent can make a multiple.
    pub(super) fn is_dead(self) -> bool {
        self.plain == Plain::Settled { multiple: false } && self.mantissa == Mantissa::Untracked
    }
}

impl Hash for Residue {
    /// Hashes two words instead of one for each tag and field: states of many divisors are hashed a hundred thousand
    /// times.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let word =
            |tag: u64, count: i32, head: u32| u64::from(count.cast_unsigned()) << 32 | u64::from(head) << 3 | tag;
        let plain = match self.plain {
            Plain::Whole { zeros, head } => word(0, zeros, head),
            Plain::Fraction { left, head } => word(1, left, head),
            Plain::Settled { multiple } => word(2, multiple.into(), 0),
        };
        let mantissa = match self.mantissa {
            Mantissa::Untracked => word(0, 0, 0),
            Mantissa::Whole { fraction, head, round } => word(1 + u64::from(round), fraction, head),
            Mantissa::Fraction { fraction, head, round } => word(3 + u64::from(round), fraction, head),
            Mantissa::Long { round } => word(5, round.into(), 0),
        };
        hasher.write_u64(plain);
        hasher.write_u64(mantissa);
    }
}

/// The value of the digits read without an exponent, modulo the divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Plain {
    /// Before the point: the whole part is `head * 10^zeros`, with `zeros` at most the shift and `head` modulo the
    /// factor.
    Whole { zeros: i32, head: u32 },
    /// After the point, `left` digits before the last digit that the divisor allows: all digits modulo the factor.
    Fraction { left: i32, head: u32 },
    /// Decided: only a further digit other than zero can change it, to `false`.
    Settled { multiple: bool },
}

/// The digits before an exponent, read as a whole number modulo the factor, tracked up to the last relevant digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mantissa {
    /// No exponent may follow, or its effect need not be known.
    Untracked,
    /// All fraction digits so far are zeros; `round` if the whole part ends in zero.
    Whole { fraction: i32, head: u32, round: bool },
    /// A fraction of `fraction` digits; `round` if it ends in zero.
    Fraction { fraction: i32, head: u32, round: bool },
    /// A fraction of more than [`Modulus::longest`] digits.
    Long { round: bool },
}

impl Modulus {
    /// Makes a divisor whose factor is a power of `prime` (two or five); `longest` fraction digits are distinguished.
    pub(super) fn new(prime: u32, tail: i32, shift: i32, longest: i32) -> Self {
        Self { prime, factor: prime.pow(tail.unsigned_abs()), shift, tail, longest }
    }

    /// Returns whether this is a power of ten, for which only zero and nonzero digits differ.
    pub(super) fn is_power_of_ten(&self) -> bool {
        self.factor == 1
    }

    /// Returns the state before the first digit.
    pub(super) fn start() -> Residue {
        let plain = Plain::Whole { zeros: 0, head: 0 };
        Residue { plain, mantissa: Mantissa::Whole { fraction: 0, head: 0, round: false } }
    }

    /// Returns the state after one more input.
    pub(super) fn step(&self, Residue { plain, mantissa }: Residue, input: Input) -> Residue {
        match input {
            Input::Whole(digit) => {
                Residue { plain: self.plain_digit(plain, digit), mantissa: self.mantissa_digit(mantissa, digit, false) }
            }
            Input::Fraction(digit) => {
                Residue { plain: self.plain_digit(plain, digit), mantissa: self.mantissa_digit(mantissa, digit, true) }
            }
            Input::Point => Residue { plain: self.plain_point(plain), mantissa },
            Input::Plain => Residue { plain, mantissa: Mantissa::Untracked },
        }
    }

    /// Returns whether the number without an exponent is a multiple.
    pub(super) fn divides(&self, residue: Residue) -> bool {
        self.is_multiple(residue.plain)
    }

    /// Returns whether the number without an exponent is a multiple, if that is decided but for further nonzero digits;
    /// `None` if it is not.
    pub(super) fn settled(residue: Residue) -> Option<bool> {
        match residue.plain {
            Plain::Settled { multiple } => Some(multiple),
            Plain::Whole { .. } | Plain::Fraction { .. } => None,
        }
    }

    /// Returns `head * 10^power` modulo the factor.
    fn shifted(&self, head: u32, power: i32) -> u32 {
        (0..power).fold(head, |value, _| self.append(value, 0))
    }

    /// Returns a remainder with one more digit, reduced to a representative: further digits treat it alike, and it is a
    /// multiple of the same powers.
    fn append(&self, head: u32, digit: u8) -> u32 {
        let less = (self.factor / self.prime).max(1);
        match ((u64::from(head) * 10 + u64::from(digit)) % u64::from(self.factor)) as u32 {
            0 => 0,
            head if head.is_multiple_of(less) => less,
            head => head % less,
        }
    }

    /// Returns a remainder with one more digit, reduced to what still matters when only `left` more digits count for
    /// the divisor.
    fn append_before(&self, head: u32, digit: u8, left: i32) -> u32 {
        let factor = self.prime.pow((self.tail - left).max(0).unsigned_abs());
        ((u64::from(head) * 10 + u64::from(digit)) % u64::from(factor)) as u32
    }

    fn plain_digit(&self, plain: Plain, digit: u8) -> Plain {
        match plain {
            Plain::Whole { zeros, head } if digit == 0 && zeros < self.shift => Plain::Whole { zeros: zeros + 1, head },
            Plain::Whole { zeros, head } => {
                let head = self.shifted(head, zeros - if digit == 0 { self.shift.max(0) } else { 0 });
                let head = match self.shift {
                    0.. => self.append(head, digit),
                    shift => self.append_before(head, digit, -shift),
                };
                Plain::Whole { zeros: if digit == 0 { zeros } else { 0 }, head }
            }
            Plain::Fraction { left, head } => self.fraction(left - 1, self.append_before(head, digit, left - 1)),
            Plain::Settled { multiple } => Plain::Settled { multiple: multiple && digit == 0 },
        }
    }

    fn plain_point(&self, plain: Plain) -> Plain {
        match plain {
            Plain::Whole { head, .. } if self.shift < 0 => self.fraction(-self.shift, head),
            settled => Plain::Settled { multiple: self.is_multiple(settled) },
        }
    }

    fn fraction(&self, left: i32, head: u32) -> Plain {
        if left == 0 { Plain::Settled { multiple: head == 0 } } else { Plain::Fraction { left, head } }
    }

    /// Returns whether the number is a multiple if its digits end here.
    fn is_multiple(&self, plain: Plain) -> bool {
        match plain {
            Plain::Whole { head, .. } if self.shift < 0 => self.shifted(head, -self.shift) == 0,
            Plain::Whole { zeros, head } => zeros >= self.shift && head == 0,
            Plain::Fraction { left, head } => self.shifted(head, left) == 0,
            Plain::Settled { multiple } => multiple,
        }
    }

    fn is_tracked(&self) -> bool {
        self.factor < TRACKED * self.prime
    }

    /// Returns the remainder, or 0 if the factor has too many remainders to track.
    fn tracked(&self, head: u32) -> u32 {
        if self.is_tracked() { head } else { 0 }
    }

    fn mantissa_digit(&self, mantissa: Mantissa, digit: u8, in_fraction: bool) -> Mantissa {
        let round = digit == 0;
        match mantissa {
            Mantissa::Untracked => Mantissa::Untracked,
            Mantissa::Long { .. } => Mantissa::Long { round },
            Mantissa::Whole { head, .. } if !in_fraction => {
                Mantissa::Whole { fraction: 0, head: self.tracked(self.append(head, digit)), round }
            }
            Mantissa::Whole { fraction, head, round } if digit == 0 => {
                Mantissa::Whole { fraction: (fraction + 1).min(self.longest), head, round }
            }
            Mantissa::Whole { fraction, .. } | Mantissa::Fraction { fraction, .. } if fraction >= self.longest => {
                Mantissa::Long { round }
            }
            Mantissa::Whole { fraction, head, .. } => {
                let head = self.tracked(self.append(self.shifted(head, fraction), digit));
                Mantissa::Fraction { fraction: fraction + 1, head, round }
            }
            Mantissa::Fraction { fraction, head, .. } => {
                let head = self.tracked(self.append(head, digit));
                Mantissa::Fraction { fraction: fraction + 1, head, round }
            }
        }
    }

    /// Returns the exponent from which on whole digits are a multiple, and whether it is certainly the least such
    /// exponent (among those that leave no fraction).
    fn threshold(&self, head: u32) -> (i32, bool) {
        if !self.is_tracked() {
            return (self.shift + self.tail, false);
        }
        let least = (0..=self.tail).find(|&power| self.shifted(head, power) == 0);
        (least.map_or(NEVER, |power| self.shift + power), true)
    }

    /// Returns the exponents that make the mantissa a multiple.
    pub(super) fn verdict(&self, residue: Residue) -> Verdict {
        match residue.mantissa {
            Mantissa::Untracked => Verdict { not_below: i32::MIN, from: NEVER },
            Mantissa::Whole { head, round, .. } => self.verdict_of(0, head, round, i32::MIN),
            Mantissa::Fraction { fraction, head, round } => self.verdict_of(fraction, head, round, self.shift + 1),
            Mantissa::Long { round: true } => Verdict { not_below: self.shift + 1, from: NEVER },
            Mantissa::Long { round: false } => Verdict { not_below: self.shift + self.longest + 1, from: NEVER },
        }
    }

    /// Returns the verdict on digits with remainder `head`; if they end in zero, no exponent below `sure` makes a
    /// multiple.
    fn verdict_of(&self, fraction: i32, head: u32, round: bool, sure: i32) -> Verdict {
        let (least, exact) = self.threshold(head);
        let from = if least == NEVER { NEVER } else { least + fraction };
        let not_below = match (exact, least) {
            (true, NEVER) => NEVER,
            _ if round => sure,
            (true, _) => from,
            (false, _) => self.shift + fraction,
        };
        Verdict { not_below, from }
    }

    /// Returns a lower bound of the exponents from which this mantissa, however it goes on, can be a multiple.
    pub(super) fn earliest(&self, residue: Residue) -> i32 {
        match residue.mantissa {
            Mantissa::Whole { .. } => self.shift.min(self.verdict(residue).from),
            Mantissa::Fraction { fraction, .. } => self.shift + fraction,
            Mantissa::Untracked | Mantissa::Long { .. } => NEVER,
        }
    }
}
