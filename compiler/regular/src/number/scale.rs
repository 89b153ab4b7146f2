//! The comparison half of the spelling automaton: finds where a magnitude lies among given magnitudes.
//!
//! A number's text shows its significant digits before its exponent is known. So there are two steps. Digit by digit, a
//! [`Position`] tracks the place of the mantissa among all given mantissas; later the exponent and this place give the
//! region.

use super::Decimal;

/// The given magnitudes in order, by scientific exponent and mantissa.
///
/// Invariants: `points` are positive, ascending and distinct; `mantissas` are their digit strings, ascending and
/// distinct; `groups` partition the points by exponent, ascending.
#[derive(Debug)]
pub(super) struct Scale {
    points: Vec<Decimal>,
    mantissas: Vec<Vec<u8>>,
    groups: Vec<Group>,
}

/// The points of one scientific exponent.
#[derive(Debug)]
struct Group {
    exponent: i32,
    first: usize,
    /// The points' mantissas, as places in `Scale::mantissas`.
    mantissas: Vec<usize>,
}

/// The significant digits read so far, compared with all mantissas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Position {
    /// `depth` digits are read, and the mantissas in `from..to` (their digits followed by zeros) begin with them.
    Path { from: usize, to: usize, depth: usize },
    /// Decided: above the first `below` mantissas and below the others, whatever digits follow.
    Gap { below: usize },
}

impl Scale {
    /// Makes a scale of positive magnitudes, ascending and distinct.
    pub(super) fn new(points: Vec<Decimal>) -> Self {
        let mut mantissas: Vec<Vec<u8>> = points.iter().map(|point| point.digits().to_vec()).collect();
        mantissas.sort();
        mantissas.dedup();
        let mut groups: Vec<Group> = Vec::new();
        for (index, point) in points.iter().enumerate() {
            let exponent = point.scientific_exponent();
            let place = mantissas.partition_point(|mantissa| mantissa.as_slice() < point.digits());
            match groups.last_mut() {
                Some(group) if group.exponent == exponent => group.mantissas.push(place),
                _ => groups.push(Group { exponent, first: index, mantissas: vec![place] }),
            }
        }
        Self { points, mantissas, groups }
    }

    pub(super) fn points(&self) -> &[Decimal] {
        &self.points
    }

    /// Returns whether there is no magnitude to compare with; then there is only one region, and exponents do not
    /// matter.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the number of regions: `2i + 1` is point `i` itself, `2i` lies between the points before and at `i`.
    pub(super) fn regions(&self) -> usize {
        2 * self.points.len() + 1
    }

    pub(super) fn exponents(&self) -> impl Iterator<Item = i32> {
        self.groups.iter().map(|group| group.exponent)
    }

    /// Maps all exponents beyond that of the last point to one, for digits before the point.
    pub(super) fn clamp_up(&self, exponent: i32) -> i32 {
        self.groups.last().map_or(0, |last| exponent.min(last.exponent + 1))
    }

    /// Maps all exponents before that of the first point to one, for zeros behind the point.
    pub(super) fn clamp_down(&self, exponent: i32) -> i32 {
        self.groups.first().map_or(0, |first| exponent.max(first.exponent - 1))
    }

    /// Returns whether numbers of this exponent are above every point, whatever their digits.
    pub(super) fn is_beyond(&self, exponent: i32) -> bool {
        self.groups.last().is_none_or(|last| exponent > last.exponent)
    }

    /// Returns whether some point has this exponent, so that the digits matter.
    pub(super) fn has_exponent(&self, exponent: i32) -> bool {
        self.groups.binary_search_by_key(&exponent, |group| group.exponent).is_ok()
    }

    /// Returns the position before the first significant digit.
    pub(super) fn start(&self) -> Position {
        self.path(0, self.mantissas.len(), 0)
    }

    /// Reads one more significant digit.
    pub(super) fn step(&self, position: Position, digit: u8) -> Position {
        let Position::Path { from, to, depth } = position else {
            return position;
        };
        let digit_at = |mantissa: &Vec<u8>| mantissa.get(depth).copied().unwrap_or(0);
        let alive = &self.mantissas[from..to];
        let lower = from + alive.partition_point(|mantissa| digit_at(mantissa) < digit);
        let upper = from + alive.partition_point(|mantissa| digit_at(mantissa) <= digit);
        self.path(lower, upper, depth + 1)
    }

    fn path(&self, from: usize, to: usize, depth: usize) -> Position {
        match to - from {
            0 => Position::Gap { below: from },
            // A single mantissa whose digits are used up goes on with zeros for ever: one state, not a state for each
            // zero.
            1 => Position::Path { from, to, depth: depth.min(self.mantissas[from].len()) },
            _ => Position::Path { from, to, depth },
        }
    }

    /// Returns the place of a mantissa that ends here: `2i + 1` is mantissa `i`, `2i` lies below it and above those
    /// before.
    pub(super) fn place(&self, position: Position) -> usize {
        match position {
            Position::Gap { below } => 2 * below,
            Position::Path { from, depth, .. } => 2 * from + usize::from(self.mantissas[from].len() <= depth),
        }
    }

    /// Returns the range of places where a mantissa with this beginning can end.
    pub(super) fn places(&self, position: Position) -> std::ops::RangeInclusive<usize> {
        match position {
            Position::Gap { below } => 2 * below..=2 * below,
            Position::Path { from, to, .. } => self.place(Position::Path { from, to, depth: 0 })..=2 * to,
        }
    }

    /// Returns the region of a number, by the place of its mantissa and its scientific exponent.
    pub(super) fn region(&self, exponent: i32, place: usize) -> usize {
        let index = self.groups.partition_point(|group| group.exponent < exponent);
        let Some(group) = self.groups.get(index) else {
            return 2 * self.points.len();
        };
        if group.exponent > exponent {
            return 2 * group.first;
        }
        let below = group.mantissas.partition_point(|&mantissa| 2 * mantissa + 1 < place);
        let met = group.mantissas.get(below).is_some_and(|&mantissa| 2 * mantissa + 1 == place);
        2 * (group.first + below) + usize::from(met)
    }
}
