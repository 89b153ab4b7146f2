//! The register `esc`: the incomplete escape sequence inside a JSON string (RFC 8259, section 7), packed in a word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0..16 | the hexadecimal digits so far |
//! | 16..19 | the number of these digits |
//! | 19 | `\u` has been read, digits follow |
//! | 20 | a backslash has been read |
//! | 21 | a high surrogate has been read, the low one must follow |
//! | 22..32 | the high surrogate's ten bits |

use crate::automaton::Escapes;

pub(super) const IN_U: u32 = 1 << 19;
pub(super) const BACKSLASH: u32 = 1 << 20;
pub(super) const HIGH: u32 = 1 << 21;

/// Returns whether the register holds a valid incomplete escape.
pub(crate) fn is_escape(esc: u32) -> bool {
    let (digits, value, high) = (esc >> 16 & 7, esc & 0xFFFF, esc >> 22);
    let fits = digits < 4 && value >> (4 * digits) == 0;
    let in_u = esc & IN_U != 0;
    esc != 0 && fits && (in_u || digits == 0) && !(in_u && esc & BACKSLASH != 0) && (esc & HIGH != 0 || high == 0)
}

/// Returns whether an incomplete escape can no longer become one of the control characters `\u0000` to `\u001f`. Then its character has a
/// shorter spelling: as itself, or as `\"` or `\\`.
pub(super) fn spells_plain(esc: u32) -> bool {
    let (digits, value) = (esc >> 16 & 7, esc & 0xFFFF);
    esc & HIGH != 0 || esc & IN_U != 0 && (digits < 3 && value > 0 || digits >= 3 && value > 1)
}

/// Maps an escape to its representative, for states where every character leads to the same state. There, only the number of bytes still to
/// be read matters.
pub(crate) fn canonical_escape(escapes: Escapes, esc: u32) -> u32 {
    if escapes == Escapes::Canonical {
        return esc;
    }
    let kept = if esc & HIGH != 0 { esc & (HIGH | BACKSLASH | IN_U | 0x7 << 16) } else { esc & !0xFFFF };
    let digits = esc >> 16 & 7;
    let left = 4 * digits.min(4);
    let value = esc & 0xFFFF;
    // The first digits of a low surrogate, the only continuation of a high one; of a high surrogate; of anything else.
    let first = match (esc & HIGH != 0, digits) {
        (_, 0) => 0,
        (true, _) => 0xDC00,
        (false, 1) if value == 0xD => 0xD000,
        (false, 2..) if (0xD8..=0xDB).contains(&(value >> (left - 8))) => 0xD800,
        (false, _) => 0,
    };
    kept | first >> (16 - left)
}

/// Returns the character of a two-character escape.
pub(super) fn short_escape(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

/// Returns whether the character is spelled `\u00xx` in the canonical spelling.
pub(super) fn needs_u(value: u32) -> bool {
    value < 0x20 && !matches!(value, 0x08 | 0x09 | 0x0A | 0x0C | 0x0D)
}

/// Calls `is_right` with ranges of the characters that an escape can still become (no surrogates), until it returns true.
pub(super) fn any_range(escapes: Escapes, esc: u32, mut is_right: impl FnMut(u32, u32) -> bool) -> bool {
    let any = escapes == Escapes::Any;
    if esc & HIGH != 0 {
        let base = 0x10000 + ((esc >> 22) << 10);
        let (lo, hi) = if esc & IN_U != 0 { digit_range(esc) } else { (0xDC00, 0xDFFF) };
        let (lo, hi) = (lo.max(0xDC00), hi.min(0xDFFF));
        return lo <= hi && any && is_right(base + lo - 0xDC00, base + hi - 0xDC00);
    }
    if esc & IN_U == 0 {
        let short = b"\"\\bfnrt/".iter().filter_map(|&b| short_escape(b).filter(|_| any || b != b'/'));
        for c in short {
            if is_right(u32::from(c), u32::from(c)) {
                return true;
            }
        }
    }
    let (lo, hi) = if esc & IN_U != 0 { digit_range(esc) } else { (0, 0xFFFF) };
    if any { any_of(lo, hi, is_right) } else { control_of(lo, hi, is_right) }
}

/// Returns the range of four-digit numbers that the digits so far can become.
fn digit_range(esc: u32) -> (u32, u32) {
    let left = 4 * (4 - (esc >> 16 & 7));
    let value = esc & 0xFFFF;
    (value << left, ((value + 1) << left) - 1)
}

/// Calls `is_right` with the characters whose escapes begin with `\u` and digits in `lo..=hi`: the characters themselves, and for high
/// surrogates the 1,024 characters of their pairs.
fn any_of(lo: u32, hi: u32, mut is_right: impl FnMut(u32, u32) -> bool) -> bool {
    let mut part = |lo: u32, hi: u32| lo <= hi && is_right(lo, hi);
    if part(lo, hi.min(0xD7FF)) || part(lo.max(0xE000), hi) {
        return true;
    }
    let (high_lo, high_hi) = (lo.max(0xD800), hi.min(0xDBFF));
    high_lo <= high_hi && part(0x10000 + ((high_lo - 0xD800) << 10), 0x10000 + ((high_hi - 0xD800) << 10) + 0x3FF)
}

/// Calls `is_right` with the characters of `lo..=hi` that the canonical spelling writes with `\u`.
fn control_of(lo: u32, hi: u32, mut is_right: impl FnMut(u32, u32) -> bool) -> bool {
    (lo..=hi.min(0x1F)).any(|c| needs_u(c) && is_right(c, c))
}

/// Returns the escape after a byte that begins it (`esc` is 0) or continues it. `None` if the byte does neither, or completes it.
pub(crate) fn escape_after(escapes: Escapes, esc: u32, byte: u8) -> Option<u32> {
    if esc & IN_U != 0 {
        return escape_after_digit(escapes, esc, byte);
    }
    match (esc & BACKSLASH != 0, byte) {
        // At the beginning, and between the two halves of a surrogate pair.
        (false, b'\\') => Some(esc | BACKSLASH),
        (true, b'u') => Some((esc & !BACKSLASH) | IN_U),
        _ => None,
    }
}

fn escape_after_digit(escapes: Escapes, esc: u32, byte: u8) -> Option<u32> {
    let value = with_digit(escapes, esc, byte)?;
    let digits = (esc >> 16 & 7) + 1;
    match value {
        _ if digits < 4 => Some(esc & !0x7_FFFF | digits << 16 | value),
        0xD800..=0xDBFF if esc & HIGH == 0 => Some(HIGH | (value - 0xD800) << 22),
        _ => None,
    }
}

/// Returns the value of an escape's digits with one more digit.
pub(super) fn with_digit(escapes: Escapes, esc: u32, byte: u8) -> Option<u32> {
    let digit = char::from(byte).to_digit(16)?;
    let is_right = escapes == Escapes::Any || !byte.is_ascii_uppercase();
    is_right.then_some((esc & 0xFFFF) << 4 | digit)
}

/// Returns the bytes that can continue an incomplete escape without completing it. Digits above 9 are in lower case only, as upper case
/// leads to the same characters.
pub(crate) fn bytes_inside_escape(esc: u32) -> &'static [u8] {
    let (digits, value) = (esc >> 16 & 7, esc & 0xFFFF);
    let begins_pair = esc & HIGH == 0 && (0xD80..=0xDBF).contains(&value);
    if esc & IN_U != 0 {
        return if digits < 3 || begins_pair { b"0123456789abcdef" } else { b"" };
    }
    if esc & BACKSLASH != 0 { b"u" } else { b"\\" }
}

/// Returns the least number of bytes that complete an escape; 0 outside an escape.
pub(crate) fn bytes_left_of_escape(esc: u32) -> u32 {
    const PAIR: u32 = 6;
    let is_low = esc & HIGH != 0;
    if esc & IN_U != 0 {
        let (lo, hi) = digit_range(esc);
        let begins_pair = !is_low && lo >= 0xD800 && hi <= 0xDBFF;
        return 4 - (esc >> 16 & 7).min(4) + if begins_pair { PAIR } else { 0 };
    }
    match (is_low, esc & BACKSLASH != 0) {
        (true, true) => PAIR - 1,
        (true, false) => PAIR,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Returns the characters that an escape which is being read can become, as inclusive ranges.
pub(crate) fn characters_of_escape(esc: u32) -> [(u32, u32); 2] {
    if esc & HIGH != 0 {
        let base = 0x10000 + ((esc >> 22) << 10);
        return [(base, base + 0x3FF), (base, base)];
    }
    if esc & IN_U == 0 {
        return [(0, 0x10_FFFF), (0, 0)];
    }
    let (lo, hi) = digit_range(esc);
    // The digits of a high surrogate begin a pair, which spells one of the characters from U+10000 on.
    let pairs = if lo <= 0xDBFF && hi >= 0xD800 { (0x10000, 0x10_FFFF) } else { (lo, lo) };
    [(lo, hi), pairs]
}
