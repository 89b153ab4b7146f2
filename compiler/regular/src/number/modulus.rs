//! The divisibility half of the spelling automaton: tells whether a text's value is a multiple of given divisors.
//!
//! A divisor is `factor * 10^shift`. Powers of ten cost digit positions only, the factor costs remainders. Two things
//! are tracked for each divisor: the truth for plain digits, which is always known; and, for a mantissa before an
//! exponent, from which exponent on the value is a multiple ([`Verdict`]). The latter would need unbounded counting:
//! it is known for fractions of up to [`FRACTION`] digits, and otherwise left undecided, never guessed.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::{Decimal, NumberError};

/// The most fraction digits of a mantissa for which divisibility is decided: a double's seventeen significant digits.
const FRACTION: i32 = 16;

/// The greatest factor whose remainders are tracked through a mantissa.
const TRACKED_FACTOR: u32 = 16;

/// The most plain states (remainders times digit positions) of one divisor.
const MAX_REMAINDERS: usize = 4_096;

/// An exponent beyond all that a verdict names.
const NEVER: i32 = i32::MAX;

/// One divisor, `factor * 10^shift`, the factor not divisible by ten.
#[derive(Clone, Debug)]
struct Modulus {
    factor: u32,
    shift: i32,
    /// Least `n` with `10^n` divisible by the factor's twos and fives.
    tail: i32,
    /// Whether the factor has no other primes than two and five.
    only_tens: bool,
    /// Fraction digits of a mantissa up to which it matters how many there are; at most [`FRACTION`].
    longest: i32,
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

/// The state of one divisor after the digits so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue {
    plain: Plain,
    mantissa: Mantissa,
}

impl Hash for Residue {
    /// Hashes two words instead of one for each tag and field, as states of many divisors are hashed a hundred thousand
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

/// The value of plain digits (without an exponent), modulo the divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Plain {
    /// Before the point: the whole part is `head * 10^zeros` (zeros up to the shift), `head` modulo the factor.
    Whole { zeros: i32, head: u32 },
    /// After the point, `left` digits before the divisor's last: all digits modulo the factor.
    Fraction { left: i32, head: u32 },
    /// Only a digit other than zero can change this, to `false`.
    Settled { multiple: bool },
}

/// The digits before an exponent as a whole number: modulo the factor where tracked (up to the last relevant digit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mantissa {
    /// No exponent may follow, or it needs no decision.
    Untracked,
    /// No fraction digit but zeros yet; `round` when the whole part ends in zero.
    Whole { fraction: i32, head: u32, round: bool },
    /// A fraction of so many digits; `round` when it ends in zero.
    Fraction { fraction: i32, head: u32, round: bool },
    /// A fraction of more than [`Modulus::longest`] digits.
    Long { round: bool },
}

impl Modulus {
    fn new(divisor: &Decimal, ceiling: i32) -> Result<Self, NumberError> {
        let refuse = |given| NumberError::Divisor { divisor: divisor.clone(), given, limit: MAX_REMAINDERS };
        let digits = divisor.digits();
        if digits.len() > 9 {
            return Err(refuse(usize::MAX));
        }
        let factor = digits.iter().fold(0_u32, |value, &digit| value * 10 + u32::from(digit));
        let given = (factor as usize).saturating_mul(divisor.exponent().unsigned_abs() as usize + 1);
        if factor == 0 || (factor > 1 && given > MAX_REMAINDERS) {
            return Err(refuse(given));
        }
        let (rest, twos) = without(factor, 2);
        let (rest, fives) = without(rest, 5);
        let shift = divisor.exponent();
        let longest = ceiling.saturating_sub(shift).clamp(0, FRACTION);
        Ok(Self { factor, shift, tail: twos.max(fives), only_tens: rest == 1, longest })
    }

    /// Returns `head * 10^power` modulo the factor.
    fn shifted(&self, head: u32, power: i32) -> u32 {
        (0..power).fold(head, |value, _| self.append(value, 0))
    }

    fn append(&self, head: u32, digit: u8) -> u32 {
        (head * 10 + u32::from(digit)) % self.factor
    }

    fn plain_digit(&self, plain: Plain, digit: u8) -> Plain {
        match plain {
            Plain::Whole { zeros, head } if digit == 0 && zeros < self.shift => Plain::Whole { zeros: zeros + 1, head },
            Plain::Whole { zeros, head } => {
                let head =
                    self.append(self.shifted(head, zeros - if digit == 0 { self.shift.max(0) } else { 0 }), digit);
                Plain::Whole { zeros: if digit == 0 { zeros } else { 0 }, head }
            }
            Plain::Fraction { left, head } => self.fraction(left - 1, self.append(head, digit)),
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

    /// Returns whether plain digits that end here are a multiple.
    fn is_multiple(&self, plain: Plain) -> bool {
        match plain {
            Plain::Whole { head, .. } if self.shift < 0 => self.shifted(head, -self.shift) == 0,
            Plain::Whole { zeros, head } => zeros >= self.shift && head == 0,
            Plain::Fraction { left, head } => self.shifted(head, left) == 0,
            Plain::Settled { multiple } => multiple,
        }
    }

    /// Returns the remainder, or 0 if the factor is too great to tell remainders apart.
    fn tracked(&self, head: u32) -> u32 {
        if self.factor <= TRACKED_FACTOR { head } else { 0 }
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

    /// Returns the exponent from which on whole digits are a multiple, and whether that is sure to be the least such
    /// exponent (of those that keep all digits whole).
    fn threshold(&self, head: u32) -> (i32, bool) {
        if self.factor > TRACKED_FACTOR {
            return (if self.only_tens { self.shift + self.tail } else { NEVER }, false);
        }
        let least = (0..=self.tail).find(|&power| self.shifted(head, power) == 0);
        (least.map_or(NEVER, |power| self.shift + power), true)
    }

    fn verdict(&self, mantissa: Mantissa) -> Verdict {
        match mantissa {
            Mantissa::Untracked => Verdict { not_below: i32::MIN, from: NEVER },
            Mantissa::Whole { head, round, .. } => self.verdict_of(0, head, round, i32::MIN),
            Mantissa::Fraction { fraction, head, round } => self.verdict_of(fraction, head, round, self.shift + 1),
            Mantissa::Long { round: true } => Verdict { not_below: self.shift + 1, from: NEVER },
            Mantissa::Long { round: false } => Verdict { not_below: self.shift + self.longest + 1, from: NEVER },
        }
    }

    /// Returns the verdict on digits with a remainder `head`; below `sure`, digits that end in zero are no multiple.
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
    fn earliest(&self, mantissa: Mantissa) -> i32 {
        match mantissa {
            Mantissa::Whole { .. } => self.shift.min(self.verdict(mantissa).from),
            Mantissa::Fraction { fraction, .. } => self.shift + fraction,
            Mantissa::Untracked | Mantissa::Long { .. } => NEVER,
        }
    }
}

/// Divides out a prime; returns the rest and the number of times.
fn without(mut value: u32, prime: u32) -> (u32, i32) {
    let mut times = 0;
    while value != 0 && value.is_multiple_of(prime) {
        value /= prime;
        times += 1;
    }
    (value, times)
}

fn least_common_multiple(factors: impl Iterator<Item = u32>) -> usize {
    let common = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    factors.fold(1, |multiple: usize, factor| {
        let factor = factor as usize;
        multiple.saturating_mul(factor / common(multiple, factor))
    })
}

/// A state of all divisors together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ResidueId(u32);

/// The next input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Input {
    /// A digit of the whole part.
    Whole(u8),
    /// A digit of the fraction.
    Fraction(u8),
    /// The point.
    Point,
    /// No exponent can follow from here on.
    Plain,
}

impl Input {
    const COUNT: usize = 22;

    /// Maps all digits but zero to one.
    fn coarse(self) -> Self {
        match self {
            Self::Whole(digit) => Self::Whole(digit.min(1)),
            Self::Fraction(digit) => Self::Fraction(digit.min(1)),
            other => other,
        }
    }

    fn index(self) -> usize {
        match self {
            Self::Whole(digit) => usize::from(digit % 10),
            Self::Fraction(digit) => 10 + usize::from(digit % 10),
            Self::Point => 20,
            Self::Plain => 21,
        }
    }
}

/// The divisors of a set, and the states that were met so far.
#[derive(Debug)]
pub(super) struct Moduli {
    moduli: Vec<Modulus>,
    /// Whether all divisors are powers of ten, for which a digit is zero or is not.
    powers: bool,
    /// The states one after the other, one residue a divisor.
    known: Vec<Residue>,
    ids: FxHashMap<Box<[Residue]>, ResidueId>,
    steps: Vec<[Option<ResidueId>; Input::COUNT]>,
    /// The state in the making.
    next: Vec<Residue>,
}

impl Moduli {
    /// Makes the start of an automaton for divisors; exponents above `ceiling` make no member, and need no verdict.
    pub(super) fn new(divisors: &[Decimal], ceiling: i32) -> Result<Self, NumberError> {
        let moduli: Vec<Modulus> =
            divisors.iter().map(|divisor| Modulus::new(divisor, ceiling)).collect::<Result<_, _>>()?;
        let powers = moduli.iter().all(|modulus| modulus.factor == 1);
        let (known, next, steps) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { moduli, powers, known, ids: FxHashMap::default(), steps, next })
    }

    /// Returns a lower bound of the states that digits without end lead to, each with a set of its own: the remainders
    /// of plain whole numbers, and of mantissas, fraction by fraction.
    ///
    /// Remainders of all whole numbers take every combination that the Chinese remainder theorem leaves; so do those of
    /// mantissas with so many fraction digits that the last ones alone run through all of them.
    pub(super) fn least_states(&self, exponents: bool) -> usize {
        let factors = |tracked: bool| {
            let factors = self.moduli.iter().filter(move |modulus| modulus.shift <= 0 || tracked);
            factors.map(|modulus| modulus.factor).filter(move |&factor| !tracked || factor <= TRACKED_FACTOR)
        };
        let plain = least_common_multiple(factors(false));
        if !exponents {
            return plain;
        }
        let mantissas = least_common_multiple(factors(true));
        let longest = self.moduli.iter().map(|modulus| modulus.longest).min().unwrap_or(0);
        let full = (1..=longest).filter(|&fraction| 10_usize.pow(fraction.unsigned_abs() - 1) >= mantissas).count();
        plain.max(mantissas.saturating_mul(full))
    }

    /// Returns the state before the first digit.
    pub(super) fn start(&mut self) -> ResidueId {
        let plain = Plain::Whole { zeros: 0, head: 0 };
        let mantissa = Mantissa::Whole { fraction: 0, head: 0, round: false };
        self.next.clear();
        self.next.resize(self.moduli.len(), Residue { plain, mantissa });
        self.next_id()
    }

    /// Returns the state after one more input.
    pub(super) fn step(&mut self, from: ResidueId, input: Input) -> ResidueId {
        let input = if self.powers { input.coarse() } else { input };
        if let Some(known) = self.steps[from.0 as usize][input.index()] {
            return known;
        }
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend(self.pairs(from).map(|(modulus, &residue)| step(modulus, residue, input)));
        self.next = next;
        let next = self.next_id();
        self.steps[from.0 as usize][input.index()] = Some(next);
        next
    }

    /// Returns the divisors that divide the plain digits so far, as bits.
    pub(super) fn plain_bits(&self, id: ResidueId) -> usize {
        self.pairs(id)
            .enumerate()
            .map(|(bit, (modulus, residue))| usize::from(modulus.is_multiple(residue.plain)) << bit)
            .sum()
    }

    /// Returns whether no divisor divides the plain digits, whatever digits follow.
    pub(super) fn is_never(&self, id: ResidueId) -> bool {
        let never = |residue: &Residue| residue.plain == Plain::Settled { multiple: false };
        self.of(id).iter().all(never)
    }

    /// Returns the verdicts of all divisors on the mantissa so far.
    pub(super) fn verdicts(&self, id: ResidueId) -> Vec<Verdict> {
        self.pairs(id).map(|(modulus, residue)| modulus.verdict(residue.mantissa)).collect()
    }

    /// Returns, for one divisor, a lower bound of the exponents from which the mantissa can become a multiple.
    pub(super) fn earliest(&self, id: ResidueId) -> Option<i32> {
        match (self.moduli.as_slice(), self.of(id)) {
            ([modulus], [residue]) => Some(modulus.earliest(residue.mantissa)),
            _ => None,
        }
    }

    fn of(&self, id: ResidueId) -> &[Residue] {
        let width = self.moduli.len();
        &self.known[id.0 as usize * width..][..width]
    }

    fn pairs(&self, id: ResidueId) -> impl Iterator<Item = (&Modulus, &Residue)> {
        self.moduli.iter().zip(self.of(id))
    }

    /// Interns the state in `next`.
    fn next_id(&mut self) -> ResidueId {
        if let Some(&known) = self.ids.get(self.next.as_slice()) {
            return known;
        }
        let id = ResidueId(self.steps.len() as u32);
        self.known.extend_from_slice(&self.next);
        self.steps.push([None; Input::COUNT]);
        self.ids.insert(self.next.as_slice().into(), id);
        id
    }
}

fn step(modulus: &Modulus, Residue { plain, mantissa }: Residue, input: Input) -> Residue {
    match input {
        Input::Whole(digit) => Residue {
            plain: modulus.plain_digit(plain, digit),
            mantissa: modulus.mantissa_digit(mantissa, digit, false),
        },
        Input::Fraction(digit) => Residue {
            plain: modulus.plain_digit(plain, digit),
            mantissa: modulus.mantissa_digit(mantissa, digit, true),
        },
        Input::Point => Residue { plain: modulus.plain_point(plain), mantissa },
        Input::Plain => Residue { plain, mantissa: Mantissa::Untracked },
    }
}
