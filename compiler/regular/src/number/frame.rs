//! A finite classification of numbers, and the classes that belong to a set.
//!
//! Membership of a number in a set depends on its sign, on the region of its magnitude among the magnitudes that the
//! set names, and on which of the set's divisors divide it. A [`Frame`] holds these questions, and a [`Target`] the
//! answers with which a number belongs to one set. Several sets can share a frame; their languages then treat the same
//! texts alike.
//!
//! For the multiples of 5 from 0 to 100, the frame has one magnitude, 100, and one divisor, 5. Positive numbers fall into
//! three regions (below 100, 100, above) times two cases (5 divides, or not). The target has zero, the number 100, and the
//! case "below 100 and 5 divides".

use std::collections::BTreeSet;

use super::modulus::Verdict;
use super::scale::Scale;
use super::{Arm, Bound, Decimal, NumberError, NumberSet, Range};
use crate::limits::LimitError;
use crate::number::exponent::Exponents;

/// Cap on the different divisors of a frame: they are the bits of a [`Case`].
const MAX_DIVISORS: usize = 32;

/// A set of divisor combinations: all that include `required` and exclude `avoided`, one bit a divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Case {
    required: u32,
    avoided: u32,
}

impl Case {
    const ANY: Self = Self { required: 0, avoided: 0 };

    fn has(self, divide: u32) -> bool {
        divide & self.required == self.required && divide & self.avoided == 0
    }
}

/// The divisor combinations with which numbers of one region are members: the union of all cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cases(Vec<Case>);

impl Cases {
    /// Returns whether no combination makes a member; `false` may be wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a number is a member that is divided by the divisors with a set bit in `divide`, and by no
    /// other.
    pub(super) fn has(&self, divide: u32) -> bool {
        self.0.iter().any(|case| case.has(divide))
    }
}

/// The sign of a number other than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Positive,
    Negative,
}

/// The questions that decide whether a number is a member: its region of magnitudes, and the divisors that divide it.
#[derive(Debug)]
pub(super) struct Frame {
    positive: Scale,
    negative: Scale,
    divisors: Vec<Decimal>,
}

/// The answers with which a number is a member of one set.
#[derive(Debug)]
pub(super) struct Target {
    /// Whether zero belongs.
    pub(super) zero: bool,
    positive: Vec<Cases>,
    negative: Vec<Cases>,
}

impl Frame {
    /// Makes the frame of all questions that any of the sets asks.
    ///
    /// # Errors
    ///
    /// [`NumberError::Limit`] for too many divisors.
    pub(super) fn new(sets: &[&NumberSet]) -> Result<Self, NumberError> {
        let mut values = BTreeSet::new();
        let mut divisors = BTreeSet::new();
        for arm in sets.iter().flat_map(|set| set.arms()) {
            match arm {
                Arm::Points(points) => values.extend(points),
                Arm::Range(range) => {
                    values.extend(range.none_of.iter().chain(ends(range)));
                    divisors.extend(range.not_multiple_of.iter().chain(&range.multiple_of));
                }
            }
        }
        LimitError::check("different divisors in one set of numbers", divisors.len(), MAX_DIVISORS)?;
        let positive = values.iter().filter(|value| !value.is_negative() && !value.is_zero());
        let negative = values.iter().rev().filter(|value| value.is_negative());
        Ok(Self {
            positive: Scale::new(positive.map(|value| (*value).clone()).collect()),
            negative: Scale::new(negative.map(|value| value.abs()).collect()),
            divisors: divisors.into_iter().cloned().collect(),
        })
    }

    pub(super) fn divisors(&self) -> &[Decimal] {
        &self.divisors
    }

    /// Returns about how many positions digits can take among the magnitudes, over both signs.
    pub(super) fn places(&self) -> usize {
        let digits = |scale: &Scale| scale.points().iter().map(|point| point.digits().len() + 1).sum::<usize>();
        1 + 2 * (digits(&self.positive) + digits(&self.negative))
    }

    pub(super) fn scale(&self, sign: Sign) -> &Scale {
        match sign {
            Sign::Positive => &self.positive,
            Sign::Negative => &self.negative,
        }
    }

    /// Returns whether a number other than zero is a member if and only if its opposite is.
    pub(super) fn is_symmetric(&self, target: &Target) -> bool {
        self.positive.points() == self.negative.points() && target.positive == target.negative
    }

    /// Computes the answers of a set.
    pub(super) fn target(&self, set: &NumberSet) -> Target {
        Target {
            zero: set.contains(&Decimal::zero()),
            positive: self.regions(set, Sign::Positive),
            negative: self.regions(set, Sign::Negative),
        }
    }

    fn regions(&self, set: &NumberSet, sign: Sign) -> Vec<Cases> {
        let points = self.scale(sign).points();
        let region = |index: usize| match points.get(index / 2) {
            Some(point) if index % 2 == 1 => cases_of_point(set, &signed(point, sign)),
            point => {
                let inner = index.checked_div(2).and_then(|place| points.get(place.checked_sub(1)?));
                let inner = inner.map_or_else(Decimal::zero, |value| signed(value, sign));
                let outer = point.map(|value| signed(value, sign));
                self.cases_of_gap(set, &inner, outer.as_ref(), sign)
            }
        };
        (0..self.scale(sign).regions()).map(region).collect()
    }

    fn cases_of_gap(&self, set: &NumberSet, inner: &Decimal, outer: Option<&Decimal>, sign: Sign) -> Cases {
        let (low, high) = match sign {
            Sign::Positive => (Some(inner), outer),
            Sign::Negative => (outer, Some(inner)),
        };
        let spans = |range: &&Range| reaches_down(range.lo.as_ref(), low) && reaches_up(range.hi.as_ref(), high);
        let ranges = set.arms().iter().filter_map(|arm| match arm {
            Arm::Range(range) => Some(range),
            Arm::Points(_) => None,
        });
        let mut cases: Vec<Case> = ranges.filter(spans).map(|range| self.case_of_divisors(range)).collect();
        if cases.contains(&Case::ANY) {
            cases = vec![Case::ANY];
        }
        cases.dedup();
        Cases(cases)
    }

    fn case_of_divisors(&self, range: &Range) -> Case {
        let bit = |divisor: &Decimal| self.divisors.binary_search(divisor).map_or(0, |index| 1_u32 << index);
        let required = range.multiple_of.as_ref().map_or(0, bit);
        Case { required, avoided: range.not_multiple_of.iter().fold(0, |bits, divisor| bits | bit(divisor)) }
    }

    /// Returns an exponent of the first digit above which the set has no member; `i32::MAX` if there is none.
    pub(super) fn ceiling(&self, target: &Target) -> i32 {
        let above = |sign| !target.cases(sign, self.scale(sign).regions() - 1).is_empty();
        if [Sign::Positive, Sign::Negative].into_iter().any(above) {
            return i32::MAX;
        }
        self.positive.exponents().chain(self.negative.exponents()).max().unwrap_or(0)
    }

    /// Returns the exponents that certainly make a mantissa at `place`, with one digit before its point, a member.
    pub(super) fn exponents(&self, target: &Target, sign: Sign, place: usize, verdicts: &[Verdict]) -> Exponents {
        let scale = self.scale(sign);
        let jumps = verdicts.iter().flat_map(|verdict| [verdict.not_below, verdict.from]);
        let jumps = jumps.filter(|&place| place != i32::MIN && place != i32::MAX);
        let places = scale.exponents().flat_map(|exponent| [exponent, exponent + 1]).chain(jumps).collect();
        Exponents::piecewise(places, |exponent| {
            let cases = target.cases(sign, scale.region(exponent, place));
            decide(verdicts, exponent).is_some_and(|divide| cases.has(divide))
        })
    }
}

impl Target {
    /// Returns the combinations of divisors with which a number of this region is a member.
    pub(super) fn cases(&self, sign: Sign, region: usize) -> &Cases {
        const NONE: &Cases = &Cases(Vec::new());
        let regions = match sign {
            Sign::Positive => &self.positive,
            Sign::Negative => &self.negative,
        };
        regions.get(region).unwrap_or(NONE)
    }
}

/// Returns the divisors that divide at `exponent`, as bits; `None` if one of them is undecided.
fn decide(verdicts: &[Verdict], exponent: i32) -> Option<u32> {
    (0..).zip(verdicts).try_fold(0, |divide, (bit, verdict)| {
        if exponent >= verdict.from {
            return Some(divide | 1_u32 << bit);
        }
        (exponent < verdict.not_below).then_some(divide)
    })
}

fn cases_of_point(set: &NumberSet, value: &Decimal) -> Cases {
    Cases(set.contains(value).then_some(Case::ANY).into_iter().collect())
}

fn signed(magnitude: &Decimal, sign: Sign) -> Decimal {
    match sign {
        Sign::Positive => magnitude.clone(),
        Sign::Negative => magnitude.negate(),
    }
}

fn ends(range: &Range) -> impl Iterator<Item = &Decimal> {
    range.lo.iter().chain(&range.hi).map(|bound| &bound.value)
}

/// Returns whether a lower bound lets in everything above `low` (`None` as `low`: everything).
fn reaches_down(lo: Option<&Bound>, low: Option<&Decimal>) -> bool {
    lo.is_none_or(|lo| low.is_some_and(|low| lo.value <= *low))
}

/// Returns whether an upper bound lets in everything below `high` (`None` as `high`: everything).
fn reaches_up(hi: Option<&Bound>, high: Option<&Decimal>) -> bool {
    hi.is_none_or(|hi| high.is_some_and(|high| hi.value >= *high))
}
