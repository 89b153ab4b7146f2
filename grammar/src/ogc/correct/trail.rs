//! Maps places between a text and its corrected form, in both directions.

use crate::span::Span;

/// The edits that led from one text to another: one list for each step, in order of place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail(Vec<Vec<(Span, String)>>);

impl Trail {
    /// Returns the number of steps.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, mut edits: Vec<(Span, String)>) {
        edits.sort_by_key(|(span, _)| *span);
        self.0.push(edits);
    }

    /// Maps a place of the last text to the first text; a place in inserted text goes to the place of the insertion.
    #[must_use]
    pub fn origin(&self, at: u32) -> u32 {
        self.0.iter().rev().fold(at, |at, edits| before(edits, at))
    }

    /// Maps a place of the text before step `from` to the last text, including text that was inserted at the place.
    pub(super) fn now(&self, from: usize, place: Span) -> Span {
        self.0.iter().skip(from).fold(place, |place, edits| {
            let start = after(edits, place.start, |edit| edit.start < place.start);
            Span::new(start, after(edits, place.end, |edit| edit.end <= place.end).max(start))
        })
    }
}

/// Moves a place by the edits for whose places `counts` holds.
fn after(edits: &[(Span, String)], at: u32, counts: impl Fn(Span) -> bool) -> u32 {
    let grown = |(span, new): &(Span, String)| new.len() as i64 - i64::from(span.len());
    let by: i64 = edits.iter().filter(|(span, _)| counts(*span)).map(grown).sum();
    u32::try_from(i64::from(at) + by).unwrap_or(0)
}

/// Maps a place back to the text before the edits.
fn before(edits: &[(Span, String)], at: u32) -> u32 {
    let mut by = 0_i64;
    for (span, new) in edits {
        let start = i64::from(span.start) + by;
        if i64::from(at) <= start {
            break;
        }
        if i64::from(at) < start + new.len() as i64 {
            return span.start;
        }
        by += new.len() as i64 - i64::from(span.len());
    }
    u32::try_from(i64::from(at) - by).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edit_trail_maps_spans_in_both_directions() {
        let mut trail = Trail::default();
        trail.push(vec![(Span::new(4, 6), "xyz".to_owned()), (Span::empty(1), "ab".to_owned())]);
        trail.push(vec![(Span::new(0, 1), String::new())]);
        assert_eq!(trail.now(0, Span::new(4, 6)), Span::new(5, 8));
        assert_eq!(trail.now(0, Span::new(0, 9)), Span::new(0, 11));
        assert_eq!((trail.origin(5), trail.origin(6), trail.origin(8), trail.origin(1)), (4, 4, 6, 1));
    }
}
