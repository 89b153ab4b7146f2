//! The divisibility half of the spelling automaton: tells which of given divisors divide a text's value.
//!
//! A divisor is `tens * rest`, where `rest` has neither twos nor fives: 0.75 is 25 hundredths times 3. Wherever the
//! point stands, and whatever the exponent is, `rest` divides the digits, read as one whole number, or does not. So one
//! remainder serves all rests: the remainder by their least common multiple, which is 231 for 33, 12 and 77.
//! Divisibility by the `tens` depends on the position of the point; [`Modulus`] tracks it.

use rustc_hash::FxHashMap;

use super::modulus::{FRACTION, Input, MAX_REMAINDERS, Modulus, Residue, Verdict};
use super::{Decimal, NumberError, check_states};

/// Cap on the states for the fractions of mantissas; if there are many remainders, fewer fraction digits are
/// distinguished.
const MAX_FRACTIONS: usize = 1 << 14;

/// Up to this many remainders, all fraction digits are distinguished.
const FEW_REMAINDERS: usize = 16;

/// At least this many fraction digits are distinguished. If there are too many remainders for that, numbers are never
/// written with exponents.
const FEW_FRACTIONS: i32 = 4;

/// The parts of one divisor, `prime^tail * rest * 10^shift`.
#[derive(Clone, Copy, Debug)]
struct Parts {
    prime: u32,
    tail: i32,
    rest: u32,
    shift: i32,
}

impl Parts {
    fn of(divisor: &Decimal) -> Result<Self, NumberError> {
        let refuse = |given| NumberError::Divisor { divisor: divisor.clone(), given, limit: MAX_REMAINDERS };
        let digits = divisor.digits();
        if digits.len() > 9 {
            return Err(refuse(usize::MAX));
        }
        let factor = digits.iter().fold(0_u32, |value, &digit| value * 10 + u32::from(digit));
        let (rest, twos) = without(factor, 2);
        let (rest, fives) = without(rest, 5);
        // The digits end in no zero, so they are divisible by two or by five, not both.
        let (prime, tail) = if fives > 0 { (5, fives) } else { (2, twos) };
        let parts = Self { prime, tail, rest, shift: divisor.exponent() };
        let given = parts.remainders().saturating_mul(parts.rest as usize);
        let is_power = tail == 0 && rest == 1;
        if rest == 0 || (!is_power && given > MAX_REMAINDERS) {
            return Err(refuse(given));
        }
        Ok(parts)
    }

    /// Returns the number of states for the power of two or five: remainders times digit positions.
    fn remainders(&self) -> usize {
        let remainders = self.prime.pow((self.tail - 1).max(0).unsigned_abs()) as usize + usize::from(self.tail > 0);
        remainders.saturating_mul(self.shift.unsigned_abs() as usize + 1)
    }
}

/// Divides by a prime as often as possible; returns the rest and the number of divisions.
fn without(mut value: u32, prime: u32) -> (u32, i32) {
    let mut times = 0;
    while value != 0 && value.is_multiple_of(prime) {
        value /= prime;
        times += 1;
    }
    (value, times)
}

fn greatest_common_divisor(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn least_common_multiple(factors: impl Iterator<Item = u32>) -> usize {
    factors.fold(1, |multiple: usize, factor| {
        let factor = factor as usize;
        multiple.saturating_mul(factor / greatest_common_divisor(multiple, factor))
    })
}

/// Returns the least common multiple of all rests. The remainders of whole numbers of any length take all values below
/// it.
///
/// # Errors
///
/// [`NumberError::Divisor`] for a divisor with too many remainders of its own.
pub(super) fn common_rest<'a>(divisors: impl Iterator<Item = &'a Decimal>) -> Result<usize, NumberError> {
    let rests: Vec<u32> = divisors.map(|divisor| Ok(Parts::of(divisor)?.rest)).collect::<Result<_, NumberError>>()?;
    Ok(least_common_multiple(rests.into_iter()))
}

/// One divisor: the index of the [`Modulus`] for its twos, fives and tens, and its rest.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    tens: usize,
    rest: u32,
}

/// Index of a combined state of all moduli.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TensId(u32);

/// A combined state of all divisors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ResidueId {
    tens: TensId,
    /// The digits so far, modulo the least common multiple of the rests that still matter.
    head: u32,
}

/// The divisors of a set, and the states reached so far.
#[derive(Debug)]
pub(super) struct Moduli {
    divisors: Vec<Divisor>,
    moduli: Vec<Modulus>,
    /// Whether all moduli are powers of ten, for which only zero and nonzero digits differ.
    powers: bool,
    /// Whether states track the effect of an exponent on a mantissa.
    exponents: bool,
    /// All states in a row, one residue for each modulus.
    known: Vec<Residue>,
    /// Per state: the least common multiple of the rests of the divisors that may still divide.
    live: Vec<u32>,
    /// Per state: whether only zeros can follow where a divisor divides. Zeros never change a remainder from or to
    /// zero.
    settled: Vec<bool>,
    ids: FxHashMap<Box<[Residue]>, TensId>,
    steps: Vec<[Option<TensId>; Input::COUNT]>,
    /// Scratch: the state under construction.
    next: Vec<Residue>,
}

impl Moduli {
    /// Makes the start of an automaton for `divisors`, which is combined with about `places` positions among
    /// magnitudes. Exponents above `ceiling` make no member and need no verdict.
    ///
    /// # Errors
    ///
    /// [`NumberError::Divisor`] for a divisor with too many remainders of its own, [`NumberError::Limit`] for too many
    /// remainders of all divisors together.
    pub(super) fn new(divisors: &[Decimal], places: usize, ceiling: i32) -> Result<Self, NumberError> {
        let parts: Vec<Parts> = divisors.iter().map(Parts::of).collect::<Result<_, _>>()?;
        let remainders = least_common_multiple(parts.iter().map(|part| part.rest));
        check_states(remainders, u32::MAX as usize)?;
        let fraction = fraction(&parts, places);
        let mut moduli: Vec<Modulus> = Vec::new();
        let mut own = |parts: &Parts| {
            let longest = ceiling.saturating_sub(parts.shift).clamp(0, fraction);
            let modulus = Modulus::new(parts.prime, parts.tail, parts.shift, longest);
            let known = moduli.iter().position(|known| *known == modulus);
            let tens = known.unwrap_or_else(|| {
                moduli.push(modulus);
                moduli.len() - 1
            });
            Divisor { tens, rest: parts.rest }
        };
        let divisors = parts.iter().map(&mut own).collect();
        let powers = moduli.iter().all(Modulus::is_power_of_ten);
        Ok(Self {
            divisors,
            moduli,
            powers,
            exponents: fraction >= FEW_FRACTIONS,
            known: Vec::new(),
            live: Vec::new(),
            settled: Vec::new(),
            ids: FxHashMap::default(),
            steps: Vec::new(),
            next: Vec::new(),
        })
    }

    /// Returns a lower bound of the states that numbers of any length lead to: the remainders of whole numbers.
    pub(super) fn least_states(&self) -> usize {
        least_common_multiple(self.divisors.iter().map(|divisor| divisor.rest))
    }

    /// Returns the state before the first digit.
    pub(super) fn start(&mut self) -> ResidueId {
        self.next.clear();
        self.next.resize(self.moduli.len(), Modulus::start());
        let start = ResidueId { tens: self.next_id(), head: 0 };
        if self.exponents { start } else { self.step(start, Input::Plain) }
    }

    /// Returns the state after one more input.
    pub(super) fn step(&mut self, from: ResidueId, input: Input) -> ResidueId {
        let tens = self.tens_after(from.tens, if self.powers { input.coarse() } else { input });
        let head = u64::from(from.head);
        let head = input.digit().map_or(head, |digit| head * 10 + u64::from(digit));
        let live = self.live[tens.0 as usize];
        let mut head = (head % u64::from(live)) as u32;
        if self.settled[tens.0 as usize] {
            head = (greatest_common_divisor(head as usize, live as usize) % live as usize) as u32;
        }
        ResidueId { tens, head }
    }

    fn tens_after(&mut self, from: TensId, input: Input) -> TensId {
        if let Some(known) = self.steps[from.0 as usize][input.index()] {
            return known;
        }
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend(self.moduli.iter().zip(self.of(from)).map(|(modulus, &residue)| modulus.step(residue, input)));
        self.next = next;
        let next = self.next_id();
        self.steps[from.0 as usize][input.index()] = Some(next);
        next
    }

    /// Returns the divisors that divide the number, read without an exponent, as bits.
    pub(super) fn plain_bits(&self, id: ResidueId) -> u32 {
        let divides = |divisor: &Divisor| {
            self.rest_divides(divisor, id) && self.modulus(divisor).divides(self.residue(divisor, id))
        };
        (0..).zip(&self.divisors).map(|(bit, divisor)| u32::from(divides(divisor)) << bit).sum()
    }

    /// Returns whether no divisor divides the number without an exponent, whatever digits follow.
    pub(super) fn is_never(&self, id: ResidueId) -> bool {
        self.divisors.iter().all(|divisor| match Modulus::settled(self.residue(divisor, id)) {
            Some(multiple) => !multiple || !self.rest_divides(divisor, id),
            None => false,
        })
    }

    /// Returns the verdicts of all divisors on the mantissa so far.
    pub(super) fn verdicts(&self, id: ResidueId) -> Vec<Verdict> {
        let verdict = |divisor: &Divisor| {
            let residue = self.residue(divisor, id);
            let may_divide = residue.is_dead() || self.rest_divides(divisor, id);
            if may_divide { self.modulus(divisor).verdict(residue) } else { Verdict::NO_MULTIPLE }
        };
        self.divisors.iter().map(verdict).collect()
    }

    /// Returns a lower bound of the exponents from which the mantissa, however it goes on, can become a multiple;
    /// `None` unless there is exactly one divisor.
    pub(super) fn earliest(&self, id: ResidueId) -> Option<i32> {
        match self.divisors.as_slice() {
            [divisor] => Some(self.modulus(divisor).earliest(self.residue(divisor, id))),
            _ => None,
        }
    }

    fn modulus(&self, divisor: &Divisor) -> &Modulus {
        &self.moduli[divisor.tens]
    }

    fn residue(&self, divisor: &Divisor, id: ResidueId) -> Residue {
        self.of(id.tens)[divisor.tens]
    }

    /// Returns whether the rest of a divisor divides the digits; arbitrary if the divisor cannot divide any more.
    fn rest_divides(&self, divisor: &Divisor, id: ResidueId) -> bool {
        id.head.is_multiple_of(divisor.rest)
    }

    fn of(&self, id: TensId) -> &[Residue] {
        let width = self.moduli.len();
        &self.known[id.0 as usize * width..][..width]
    }

    /// Interns the state in `next`.
    fn next_id(&mut self) -> TensId {
        if let Some(&known) = self.ids.get(self.next.as_slice()) {
            return known;
        }
        let id = TensId(self.steps.len() as u32);
        let live = self.divisors.iter().filter(|divisor| !self.next[divisor.tens].is_dead());
        // At most the least common multiple of all rests, which fits into 32 bits.
        self.live.push(least_common_multiple(live.map(|divisor| divisor.rest)) as u32);
        self.settled.push(self.next.iter().all(|residue| residue.is_settled()));
        self.known.extend_from_slice(&self.next);
        self.steps.push([None; Input::COUNT]);
        self.ids.insert(self.next.as_slice().into(), id);
        id
    }
}

/// Returns how many fraction digits of a mantissa are distinguished, given these divisors and the number of positions
/// among magnitudes.
fn fraction(parts: &[Parts], places: usize) -> i32 {
    let greatest = |prime| parts.iter().filter(|part| part.prime == prime).map(Parts::remainders).max().unwrap_or(1);
    let remainders = least_common_multiple(parts.iter().map(|part| part.rest));
    if remainders <= FEW_REMAINDERS {
        return FRACTION;
    }
    let states = remainders.saturating_mul(greatest(2)).saturating_mul(greatest(5)).saturating_mul(places);
    ((MAX_FRACTIONS / states) as i32).min(FRACTION)
}
