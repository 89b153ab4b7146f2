//! Sets of numbers, closed under intersection, union and complement: the meaning of a schema's numeric keywords.

use std::collections::BTreeSet;

use super::{Arm, Bound, Decimal, NumberError, Range};
use crate::limits::LimitError;

/// Cap on the arms of a [`NumberSet`].
pub const MAX_ARMS: usize = 512;

/// A set of numbers: a finite union of arms.
///
/// Invariants: no arm is known to be empty, none is known to lie within another, and at most one lists points. The
/// empty set has no arms, but a set with arms may be empty too: ask [`NumberSet::is_empty`]. Equality compares arms, so
/// unequal values may still be the same set.
///
/// ```
/// use ogc_regular::number::{Decimal, NumberSet};
/// let between = NumberSet::greater(Decimal::from(0)).intersect(&NumberSet::less(Decimal::from(1)))?;
/// assert!(!between.is_empty()?);
/// assert!(between.intersect(&NumberSet::integers())?.is_empty()?);
/// # Ok::<(), ogc_regular::number::NumberError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumberSet {
    arms: Vec<Arm>,
}

impl NumberSet {
    /// Estimates the memory that the set takes, in bytes.
    ///
    /// ```
    /// use ogc_regular::number::NumberSet;
    /// assert!(NumberSet::integers().bytes() < 1_000);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.arms.iter().map(Arm::bytes).sum()
    }

    /// Makes the set of all numbers.
    #[must_use]
    pub fn all() -> Self {
        Self::range(Range::default())
    }

    /// Makes the empty set.
    #[must_use]
    pub fn none() -> Self {
        Self { arms: Vec::new() }
    }

    /// Makes the set of the whole numbers.
    #[must_use]
    pub fn integers() -> Self {
        Self::range(Range { multiple_of: Some(Decimal::one()), ..Range::default() })
    }

    /// Makes the set of the numbers from `value` up.
    #[must_use]
    pub fn at_least(value: Decimal) -> Self {
        Self::range(Range { lo: Some(Bound::inclusive(value)), ..Range::default() })
    }

    /// Makes the set of the numbers above `value`.
    #[must_use]
    pub fn greater(value: Decimal) -> Self {
        Self::range(Range { lo: Some(Bound::exclusive(value)), ..Range::default() })
    }

    /// Makes the set of the numbers from `value` down.
    #[must_use]
    pub fn at_most(value: Decimal) -> Self {
        Self::range(Range { hi: Some(Bound::inclusive(value)), ..Range::default() })
    }

    /// Makes the set of the numbers below `value`.
    #[must_use]
    pub fn less(value: Decimal) -> Self {
        Self::range(Range { hi: Some(Bound::exclusive(value)), ..Range::default() })
    }

    /// Makes the set of the multiples of `divisor`.
    ///
    /// # Errors
    ///
    /// [`NumberError::NotPositive`] where `divisor` is not above zero.
    pub fn multiple_of(divisor: Decimal) -> Result<Self, NumberError> {
        if divisor.is_zero() || divisor.is_negative() {
            return Err(NumberError::NotPositive { given: divisor });
        }
        Ok(Self::range(Range { multiple_of: Some(divisor), ..Range::default() }))
    }

    /// Makes the set of one number.
    #[must_use]
    pub fn one(value: Decimal) -> Self {
        Self::one_of([value])
    }

    /// Makes the set of the listed numbers.
    #[must_use]
    pub fn one_of(values: impl IntoIterator<Item = Decimal>) -> Self {
        let points: BTreeSet<Decimal> = values.into_iter().collect();
        Self { arms: if points.is_empty() { Vec::new() } else { vec![Arm::Points(points)] } }
    }

    /// Returns the union's arms.
    #[must_use]
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// Returns whether `value` is a member.
    #[must_use]
    pub fn contains(&self, value: &Decimal) -> bool {
        self.arms.iter().any(|arm| arm.contains(value))
    }

    /// Returns whether every arm demands whole numbers.
    #[must_use]
    pub fn is_integral(&self) -> bool {
        self.arms.iter().all(Arm::is_integral)
    }

    /// Returns whether the set has no member.
    ///
    /// # Errors
    ///
    /// [`NumberError::Limit`], see [`Arm::is_empty`].
    pub fn is_empty(&self) -> Result<bool, NumberError> {
        let mut refused = None;
        for arm in &self.arms {
            match arm.is_empty() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) => refused = Some(error),
            }
        }
        refused.map_or(Ok(true), Err)
    }

    /// Returns the intersection.
    ///
    /// # Errors
    ///
    /// [`NumberError::Limit`] over [`MAX_ARMS`], and this error or [`NumberError::Exponent`] where a least common
    /// multiple exceeds the limits of a [`Decimal`].
    pub fn intersect(&self, other: &Self) -> Result<Self, NumberError> {
        let mut arms = Vec::new();
        for left in &self.arms {
            for right in &other.arms {
                arms.push(left.intersect(right)?);
            }
            arms = simplified(arms)?;
        }
        Ok(Self { arms })
    }

    /// Returns the union.
    ///
    /// # Errors
    ///
    /// [`NumberError::Limit`] over [`MAX_ARMS`].
    pub fn union(&self, other: &Self) -> Result<Self, NumberError> {
        let arms = self.arms.iter().chain(&other.arms).cloned().collect();
        Ok(Self { arms: simplified(arms)? })
    }

    /// Returns the complement.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::intersect`].
    pub fn complement(&self) -> Result<Self, NumberError> {
        let mut rest = Self::all();
        for arm in &self.arms {
            rest = rest.intersect(&Self { arms: arm.complement() })?;
        }
        Ok(rest)
    }

    /// Returns the difference: the numbers of this set that are not in `other`.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::intersect`].
    pub fn difference(&self, other: &Self) -> Result<Self, NumberError> {
        let mut rest = self.clone();
        for arm in &other.arms {
            rest = rest.intersect(&Self { arms: arm.complement() })?;
        }
        Ok(rest)
    }

    /// Returns whether the sets have no number in common.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::intersect`] and [`NumberSet::is_empty`].
    pub fn is_disjoint(&self, other: &Self) -> Result<bool, NumberError> {
        self.intersect(other)?.is_empty()
    }

    /// Returns whether every member is in `other`.
    ///
    /// # Errors
    ///
    /// As [`NumberSet::intersect`] and [`NumberSet::is_empty`].
    pub fn is_subset(&self, other: &Self) -> Result<bool, NumberError> {
        self.difference(other)?.is_empty()
    }

    /// Returns the same set, with intervals of at most `most` multiples turned into lists.
    pub(super) fn listed(&self, most: usize) -> Self {
        let mut points = BTreeSet::new();
        let mut arms = Vec::new();
        for arm in &self.arms {
            match arm {
                Arm::Points(own) => points.extend(own.iter().cloned()),
                Arm::Range(range) => match range.members(most) {
                    Some(members) => points.extend(members),
                    None => arms.push(arm.clone()),
                },
            }
        }
        arms.extend((!points.is_empty()).then_some(Arm::Points(points)));
        Self { arms }
    }

    /// Returns the divisors that the set names.
    pub(super) fn divisors(&self) -> impl Iterator<Item = &Decimal> {
        let ranges = self.arms.iter().filter_map(|arm| match arm {
            Arm::Range(range) => Some(range),
            Arm::Points(_) => None,
        });
        ranges.flat_map(|range| range.not_multiple_of.iter().chain(&range.multiple_of))
    }

    fn range(range: Range) -> Self {
        Self { arms: vec![Arm::Range(range)] }
    }
}

/// Simplifies a union to fewer arms: joins all points in one arm, drops empty and covered arms, joins touching
/// intervals.
fn simplified(arms: Vec<Arm>) -> Result<Vec<Arm>, NumberError> {
    let mut points = BTreeSet::new();
    let mut ranges = Vec::new();
    for arm in arms {
        match arm {
            Arm::Points(more) => points.extend(more),
            // An arm whose emptiness takes too long to decide stays; it is harmless.
            Arm::Range(range) if range.is_empty() == Ok(true) => {}
            Arm::Range(range) => add_range(&mut ranges, range),
        }
    }
    let mut kept: Vec<Arm> = ranges.into_iter().map(Arm::Range).collect();
    points.retain(|point| !kept.iter().any(|arm| arm.contains(point)));
    if !points.is_empty() {
        kept.push(Arm::Points(points));
    }
    LimitError::check("parts of a set of numbers", kept.len(), MAX_ARMS)?;
    Ok(kept)
}

/// Adds a range to `ranges`, no two of which can be joined, and joins it where possible.
fn add_range(ranges: &mut Vec<Range>, mut range: Range) {
    while let Some((index, joined)) = find_join(ranges, &range) {
        ranges.swap_remove(index);
        range = joined;
    }
    ranges.push(range);
}

fn find_join(ranges: &[Range], range: &Range) -> Option<(usize, Range)> {
    ranges.iter().enumerate().find_map(|(index, other)| Some((index, join(other, range)?)))
}

fn join(left: &Range, right: &Range) -> Option<Range> {
    if left.covers(right) {
        return Some(left.clone());
    }
    if right.covers(left) {
        return Some(right.clone());
    }
    left.merge(right)
}
