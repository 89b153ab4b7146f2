//! Marks: the bytes that represent beginnings and ends of parts, and choices, inside an automaton.
//!
//! The beginning of a part is the byte 0xFD, the part's [spelling], and the byte 0xFE. The end of the part that began last is the byte
//! 0xFC. A choice among several alternatives is its number in binary, with 0xFB for 0 and 0xFA for 1. None of these bytes occurs in UTF-8
//! text, so that no text can be read as a mark.

use super::CapturePart;
use crate::vocabulary::MARKER_END;

/// The first byte of the mark of a part's beginning.
pub(super) const BEGIN: u8 = 0xFD;

/// The mark of a part's end.
pub const END: u8 = 0xFC;

/// The binary digit 0 in the number of a choice.
pub(super) const FIRST: u8 = 0xFB;

/// The binary digit 1 in the number of a choice.
pub(super) const OTHER: u8 = 0xFA;

/// Returns the spelling of a part in its beginning's mark: a letter for its kind, and its name.
pub(super) fn spelling(part: &CapturePart) -> (u8, &str) {
    match part {
        CapturePart::Capture(name) => (b'=', name),
        CapturePart::Call(name) => (b'(', name),
        CapturePart::Value => (b'{', ""),
    }
}

/// Returns the mark of a part's beginning: 0xFD, a letter for its kind, its name, 0xFE.
///
/// ```
/// use ogc_runtime::captures::{CapturePart, begin};
/// assert_eq!(begin(&CapturePart::Capture("id".into())), b"\xFD=id\xFE");
/// assert_eq!(begin(&CapturePart::Value), b"\xFD{\xFE");
/// ```
#[must_use]
pub fn begin(part: &CapturePart) -> Vec<u8> {
    let (letter, name) = spelling(part);
    [&[BEGIN, letter], name.as_bytes(), &[MARKER_END]].concat()
}

/// Returns the mark of choice number `way` of `ways`. Smaller numbers are preferred. The mark is empty if there is only one way.
///
/// ```
/// use ogc_runtime::captures::choice;
/// assert_eq!((choice(0, 2), choice(1, 2)), (vec![0xFB], vec![0xFA]));
/// assert_eq!(choice(1, 5), b"\xFB\xFB\xFA");
/// assert!(choice(0, 1).is_empty());
/// ```
#[must_use]
pub fn choice(way: usize, ways: usize) -> Vec<u8> {
    let digits = ways.next_power_of_two().trailing_zeros();
    (0..digits).rev().map(|digit| if way >> digit & 1 == 0 { FIRST } else { OTHER }).collect()
}

/// Returns whether a byte occurs in marks only.
pub(super) fn is_mark(byte: u8) -> bool {
    matches!(byte, BEGIN | END | FIRST | OTHER)
}

/// Returns the offset of the first byte that belongs to a mark.
pub(super) fn first_mark(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| is_mark(*byte))
}
