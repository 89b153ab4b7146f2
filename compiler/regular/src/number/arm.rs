//! One arm of a [`NumberSet`](super::NumberSet): listed numbers, or an interval restricted by divisors.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::bounds::{compare_lower, compare_upper, joined};
use super::{Bound, Decimal, NumberError};
use crate::limits::LimitError;

/// Cap on the candidates that a search for a member of a bounded range of multiples tries.
const MAX_STEPS: usize = 10_000;

/// One arm of a union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arm {
    /// Exactly these numbers.
    Points(BTreeSet<Decimal>),
    /// All numbers that meet every condition of a range.
    Range(Range),
}

/// An interval, restricted by divisors and exceptions. All conditions hold at once.
///
/// Invariants: divisors are positive; `not_multiple_of` is sorted without duplicates. "Integer" is a multiple of 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// The lower bound.
    pub lo: Option<Bound>,
    /// The upper bound.
    pub hi: Option<Bound>,
    /// Members are multiples of this.
    pub multiple_of: Option<Decimal>,
    /// Members are multiples of none of these.
    pub not_multiple_of: Vec<Decimal>,
    /// Members are none of these.
    pub none_of: BTreeSet<Decimal>,
}

impl Arm {
    pub(super) fn bytes(&self) -> usize {
        let sum = |numbers: &BTreeSet<Decimal>| numbers.iter().map(Decimal::bytes).sum::<usize>();
        let own = match self {
            Self::Points(points) => sum(points),
            Self::Range(range) => {
                let bounds = [&range.lo, &range.hi].into_iter().flatten().map(|bound| &bound.value);
                let divisors = range.multiple_of.iter().chain(&range.not_multiple_of);
                bounds.chain(divisors).map(Decimal::bytes).sum::<usize>() + sum(&range.none_of)
            }
        };
        size_of::<Self>() + own
    }

    /// Returns whether `value` is a member.
    #[must_use]
    pub fn contains(&self, value: &Decimal) -> bool {
        match self {
            Self::Points(points) => points.contains(value),
            Self::Range(range) => range.contains(value),
        }
    }

    /// Returns whether there is no member at all.
    ///
    /// # Errors
    ///
    /// [`NumberError::Limit`] where a bounded interval has thousands of multiples and every one tried is excluded.
    pub fn is_empty(&self) -> Result<bool, NumberError> {
        match self {
            Self::Points(points) => Ok(points.is_empty()),
            Self::Range(range) => range.is_empty(),
        }
    }

    /// Returns whether every member is a whole number.
    #[must_use]
    pub fn is_integral(&self) -> bool {
        match self {
            Self::Points(points) => points.iter().all(Decimal::is_integer),
            Self::Range(range) => range.multiple_of.as_ref().is_some_and(Decimal::is_integer),
        }
    }

    pub(super) fn intersect(&self, other: &Self) -> Result<Self, NumberError> {
        match (self, other) {
            (Self::Points(points), arm) | (arm, Self::Points(points)) => {
                Ok(Self::Points(points.iter().filter(|point| arm.contains(point)).cloned().collect()))
            }
            (Self::Range(left), Self::Range(right)) => left.intersect(right).map(Self::Range),
        }
    }

    /// Returns the arms whose union is the complement.
    pub(super) fn complement(&self) -> Vec<Self> {
        match self {
            Self::Points(points) => vec![Self::Range(Range { none_of: points.clone(), ..Range::default() })],
            Self::Range(range) => range.complement(),
        }
    }
}

impl Range {
    fn contains(&self, value: &Decimal) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo.is_below(value))
            && self.hi.as_ref().is_none_or(|hi| hi.is_above(value))
            && self.multiple_of.as_ref().is_none_or(|divisor| value.is_multiple_of(divisor))
            && !self.is_excluded(value)
    }

    fn is_excluded(&self, value: &Decimal) -> bool {
        self.none_of.contains(value) || self.not_multiple_of.iter().any(|divisor| value.is_multiple_of(divisor))
    }

    pub(super) fn is_empty(&self) -> Result<bool, NumberError> {
        let (Some(lo), Some(hi)) = (&self.lo, &self.hi) else {
            return Ok(self.divisors_contradict());
        };
        match (lo.value.cmp(&hi.value), &self.multiple_of) {
            (Ordering::Greater, _) => Ok(true),
            (Ordering::Equal, _) => Ok(!self.contains(&lo.value)),
            // A proper interval of decimals is dense: excluded multiples and single numbers cannot exhaust it.
            (Ordering::Less, None) => Ok(false),
            (Ordering::Less, Some(_)) if self.divisors_contradict() => Ok(true),
            (Ordering::Less, Some(divisor)) => self.no_multiple_within(lo, hi, divisor),
        }
    }

    /// Returns whether every multiple of `multiple_of` is also a multiple of an excluded divisor. If not, each excluded
    /// divisor removes a periodic part of the multiples, and infinitely many are left on both sides of zero.
    fn divisors_contradict(&self) -> bool {
        let contradicts =
            |divisor: &Decimal| self.not_multiple_of.iter().any(|avoided| divisor.is_multiple_of(avoided));
        self.multiple_of.as_ref().is_some_and(contradicts)
    }

    fn no_multiple_within(&self, lo: &Bound, hi: &Bound, divisor: &Decimal) -> Result<bool, NumberError> {
        let limit = MAX_STEPS + self.none_of.len();
        for candidate in multiples_from(lo, divisor).take(limit) {
            if !hi.is_above(&candidate) {
                return Ok(true);
            }
            if !self.is_excluded(&candidate) {
                return Ok(false);
            }
        }
        Err(LimitError { what: "steps to find a member of a set of numbers", given: limit + 1, limit }.into())
    }

    /// Returns the members of a bounded range of multiples; `None` if the range has no bounds or no divisor, or more
    /// than `most` multiples.
    pub(super) fn members(&self, most: usize) -> Option<BTreeSet<Decimal>> {
        let (lo, hi, divisor) = (self.lo.as_ref()?, self.hi.as_ref()?, self.multiple_of.as_ref()?);
        let within: Vec<Decimal> =
            multiples_from(lo, divisor).take(most + 1).take_while(|value| hi.is_above(value)).collect();
        (within.len() <= most).then(|| within.into_iter().filter(|value| !self.is_excluded(value)).collect())
    }

    fn intersect(&self, other: &Self) -> Result<Self, NumberError> {
        let later = compare_lower(self.lo.as_ref(), other.lo.as_ref()).is_ge();
        let sooner = compare_upper(self.hi.as_ref(), other.hi.as_ref()).is_le();
        let multiple_of = match (&self.multiple_of, &other.multiple_of) {
            (Some(left), Some(right)) => Some(left.lcm(right)?),
            (left, right) => left.clone().or_else(|| right.clone()),
        };
        let avoided: BTreeSet<Decimal> = self.not_multiple_of.iter().chain(&other.not_multiple_of).cloned().collect();
        let mut range = Self {
            lo: if later { self.lo.clone() } else { other.lo.clone() },
            hi: if sooner { self.hi.clone() } else { other.hi.clone() },
            multiple_of,
            not_multiple_of: avoided.into_iter().collect(),
            none_of: BTreeSet::new(),
        };
        let exceptions = self.none_of.union(&other.none_of).filter(|value| range.contains(value));
        range.none_of = exceptions.cloned().collect();
        Ok(range)
    }

    fn complement(&self) -> Vec<Arm> {
        let below = self.lo.as_ref().map(|lo| Self { hi: Some(lo.opposite()), ..Self::default() });
        let above = self.hi.as_ref().map(|hi| Self { lo: Some(hi.opposite()), ..Self::default() });
        let between =
            self.multiple_of.as_ref().map(|divisor| Self { not_multiple_of: vec![divisor.clone()], ..Self::default() });
        let avoided =
            self.not_multiple_of.iter().map(|divisor| Self { multiple_of: Some(divisor.clone()), ..Self::default() });
        let ranges = below.into_iter().chain(above).chain(between).chain(avoided).map(Arm::Range);
        let points = Some(self.none_of.clone()).filter(|points| !points.is_empty()).map(Arm::Points);
        ranges.chain(points).collect()
    }

    /// Returns whether every member of `other` is known to be a member; `false` may be wrong.
    pub(super) fn covers(&self, other: &Self) -> bool {
        compare_lower(self.lo.as_ref(), other.lo.as_ref()).is_le()
            && compare_upper(self.hi.as_ref(), other.hi.as_ref()).is_ge()
            && self.divisor_covers(other)
            && self.not_multiple_of.iter().all(|divisor| other.not_multiple_of.contains(divisor))
            && self.none_of.iter().all(|value| !other.contains(value))
    }

    fn divisor_covers(&self, other: &Self) -> bool {
        match (&self.multiple_of, &other.multiple_of) {
            (None, _) => true,
            (Some(left), Some(right)) => right.is_multiple_of(left),
            (Some(_), None) => false,
        }
    }

    /// Returns the union of two ranges with equal conditions, if their intervals overlap or touch.
    pub(super) fn merge(&self, other: &Self) -> Option<Self> {
        let alike = self.multiple_of == other.multiple_of && self.not_multiple_of == other.not_multiple_of;
        let connected = joined(self.hi.as_ref(), other.lo.as_ref()) && joined(other.hi.as_ref(), self.lo.as_ref());
        (alike && connected).then(|| self.hull(other))
    }

    fn hull(&self, other: &Self) -> Self {
        let sooner = compare_lower(self.lo.as_ref(), other.lo.as_ref()).is_le();
        let later = compare_upper(self.hi.as_ref(), other.hi.as_ref()).is_ge();
        let outside = |value: &&Decimal| !self.contains(value) && !other.contains(value);
        Self {
            lo: if sooner { self.lo.clone() } else { other.lo.clone() },
            hi: if later { self.hi.clone() } else { other.hi.clone() },
            multiple_of: self.multiple_of.clone(),
            not_multiple_of: self.not_multiple_of.clone(),
            none_of: self.none_of.union(&other.none_of).filter(outside).cloned().collect(),
        }
    }
}

/// Returns the multiples of a divisor from a bound up.
fn multiples_from(lo: &Bound, divisor: &Decimal) -> impl Iterator<Item = Decimal> {
    let first = lo.value.floor_to(divisor);
    let first = if lo.is_below(&first) { first } else { first.plus(divisor) };
    std::iter::successors(Some(first), |multiple| Some(multiple.plus(divisor)))
}
