//! Bounds: ends of intervals of numbers.

use std::cmp::Ordering;

use super::Decimal;

/// An end of an interval. Its use tells whether it is the lower or the upper end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The number at which the interval ends.
    pub value: Decimal,
    /// Whether that number itself is outside.
    pub exclusive: bool,
}

impl Bound {
    /// Makes a bound that belongs to the interval.
    #[must_use]
    pub fn inclusive(value: Decimal) -> Self {
        Self { value, exclusive: false }
    }

    /// Makes a bound that does not belong to the interval.
    #[must_use]
    pub fn exclusive(value: Decimal) -> Self {
        Self { value, exclusive: true }
    }

    /// Returns whether `value` satisfies this as a lower bound.
    pub(super) fn is_below(&self, value: &Decimal) -> bool {
        match self.value.cmp(value) {
            Ordering::Less => true,
            Ordering::Equal => !self.exclusive,
            Ordering::Greater => false,
        }
    }

    /// Returns whether `value` satisfies this as an upper bound.
    pub(super) fn is_above(&self, value: &Decimal) -> bool {
        match self.value.cmp(value) {
            Ordering::Less => false,
            Ordering::Equal => !self.exclusive,
            Ordering::Greater => true,
        }
    }

    /// Returns the bound on the other side that the complement has.
    pub(super) fn opposite(&self) -> Self {
        Self { value: self.value.clone(), exclusive: !self.exclusive }
    }
}

/// Compares lower bounds by strictness; `None` excludes nothing.
pub(super) fn compare_lower(left: Option<&Bound>, right: Option<&Bound>) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => left.value.cmp(&right.value).then(left.exclusive.cmp(&right.exclusive)),
        _ => left.is_some().cmp(&right.is_some()),
    }
}

/// Compares upper bounds by how much they allow; `None` allows everything.
pub(super) fn compare_upper(left: Option<&Bound>, right: Option<&Bound>) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => left.value.cmp(&right.value).then(right.exclusive.cmp(&left.exclusive)),
        _ => left.is_none().cmp(&right.is_none()),
    }
}

/// Returns whether no number lies between an interval that ends at `upper` and one that begins at `lower`.
pub(super) fn joined(upper: Option<&Bound>, lower: Option<&Bound>) -> bool {
    match (upper, lower) {
        (Some(upper), Some(lower)) => match lower.value.cmp(&upper.value) {
            Ordering::Less => true,
            Ordering::Equal => !(lower.exclusive && upper.exclusive),
            Ordering::Greater => false,
        },
        _ => true,
    }
}
