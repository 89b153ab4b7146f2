//! Steps inside a JSON string: quotes, escapes, and the decoded text.
//!
//! The `esc` register holds the escape sequence that is being read (RFC 8259, section 7), packed in a word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0..16 | the hexadecimal digits so far |
//! | 16..19 | how many |
//! | 19 | `\u` has been read, digits follow |
//! | 20 | a backslash has been read |
//! | 21 | a high surrogate has been read, the low one must follow |
//! | 22..32 | the high surrogate's ten bits |
//!
//! A head may be inside an escape only while some character that it can still become leads on: no dead ends. Lone
//! surrogates are never written.
//!
//! Heads are moved within their frames only: some of those that are returned can do nothing but return.

use std::ops::RangeInclusive;

use super::after;
use super::head::Head;
use super::stack::Stack;
use super::ways::{self, WayId};
use crate::automaton::{Automaton, Edge, Escapes, StateKind};

const IN_U: u32 = 1 << 19;
const BACKSLASH: u32 = 1 << 20;
const HIGH: u32 = 1 << 21;

pub(super) fn step(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    if head.esc != 0 {
        return step_escape(automaton, stack, head, byte, out);
    }
    match byte {
        b'"' => {
            if let Some((op, to)) = automaton.states[head.state.index()].close {
                out.extend(after(automaton, stack, head, op, to));
            }
        }
        b'\\' => push_if_alive(automaton, stack, Head { esc: BACKSLASH, ..head }, out),
        0..=0x1F => {}
        _ => decoded(automaton, stack, head, &[byte], out),
    }
}

/// Steps a head by decoded bytes.
fn decoded(automaton: &Automaton, stack: &mut Stack, head: Head, bytes: &[u8], out: &mut Vec<Head>) {
    let Some((&byte, rest)) = bytes.split_first() else {
        out.push(head);
        return;
    };
    if automaton.states[head.state.index()].kind != StateKind::Text {
        return;
    }
    for edge in automaton.edges(head.state) {
        if edge.lo > byte {
            break;
        }
        if byte > edge.hi {
            continue;
        }
        if let Some(next) = after(automaton, stack, head, edge.op, edge.to) {
            decoded(automaton, stack, next, rest, out);
        }
    }
}

fn step_escape(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    let esc = head.esc;
    if esc & IN_U != 0 {
        step_digit(automaton, stack, head, byte, out);
    } else if esc & BACKSLASH == 0 {
        // Between the two halves of a surrogate pair.
        if byte == b'\\' {
            push_if_alive(automaton, stack, Head { esc: esc | BACKSLASH, ..head }, out);
        }
    } else if byte == b'u' {
        push_if_alive(automaton, stack, Head { esc: (esc & !BACKSLASH) | IN_U, ..head }, out);
    } else if esc & HIGH == 0
        && let Some(c) = short_escape(byte)
        && (automaton.escapes == Escapes::Any || byte != b'/')
    {
        decoded(automaton, stack, Head { esc: 0, ..head }, &[c], out);
    }
}

/// Returns whether the register holds an escape that is being read, and nothing that none has.
pub(crate) fn is_escape(esc: u32) -> bool {
    let (digits, value, high) = (esc >> 16 & 7, esc & 0xFFFF, esc >> 22);
    let fits = digits < 4 && value >> (4 * digits) == 0;
    let in_u = esc & IN_U != 0;
    esc != 0 && fits && (in_u || digits == 0) && !(in_u && esc & BACKSLASH != 0) && (esc & HIGH != 0 || high == 0)
}

/// Returns whether an escape that is being read, and is not the beginning of one, spells a character that a string can
/// have as itself: none of `"`, `\` and the control characters, which `\u0000` to `\u001f` spell.
pub(super) fn spells_plain(esc: u32) -> bool {
    let (digits, value) = (esc >> 16 & 7, esc & 0xFFFF);
    esc & HIGH != 0 || esc & IN_U != 0 && (digits < 3 && value > 0 || digits >= 3 && value > 1)
}

/// Maps an escape to its representative in states where every character leads to the same place: only the number of
/// bytes that are still to be read counts.
pub(crate) fn canonical_escape(escapes: Escapes, esc: u32) -> u32 {
    if escapes == Escapes::Canonical {
        return esc;
    }
    let kept = if esc & HIGH != 0 { esc & (HIGH | BACKSLASH | IN_U | 0x7 << 16) } else { esc & !0xFFFF };
    let digits = esc >> 16 & 7;
    let left = 4 * digits.min(4);
    let value = esc & 0xFFFF;
    // The first digits of a low surrogate, which alone may follow a high one; of a high one; of anything else.
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
fn short_escape(byte: u8) -> Option<u8> {
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

fn step_digit(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    let Some(digit) = char::from(byte).to_digit(16) else {
        return;
    };
    if automaton.escapes == Escapes::Canonical && byte.is_ascii_uppercase() {
        return;
    }
    let esc = head.esc;
    let value = (esc & 0xFFFF) << 4 | digit;
    let digits = (esc >> 16 & 7) + 1;
    let kept = esc & !0x7_FFFF;
    if digits < 4 {
        return push_if_alive(automaton, stack, Head { esc: kept | digits << 16 | value, ..head }, out);
    }
    match (value, esc & HIGH != 0) {
        (0xDC00..=0xDFFF, true) => {
            character(automaton, stack, head, 0x10000 + ((esc >> 22) << 10) + (value - 0xDC00), out);
        }
        (0xD800..=0xDBFF, false) => {
            push_if_alive(automaton, stack, Head { esc: HIGH | (value - 0xD800) << 22, ..head }, out);
        }
        (_, true) | (0xDC00..=0xDFFF, false) => {}
        (_, false) => {
            if automaton.escapes == Escapes::Any || needs_u(value) {
                character(automaton, stack, head, value, out);
            }
        }
    }
}

/// Returns whether the character is spelled `\u00xx` in the canonical spelling.
fn needs_u(value: u32) -> bool {
    value < 0x20 && !matches!(value, 0x08 | 0x09 | 0x0A | 0x0C | 0x0D)
}

fn character(automaton: &Automaton, stack: &mut Stack, head: Head, value: u32, out: &mut Vec<Head>) {
    if let Some(c) = char::from_u32(value) {
        let mut buffer = [0; 4];
        decoded(automaton, stack, Head { esc: 0, ..head }, c.encode_utf8(&mut buffer).as_bytes(), out);
    }
}

/// Appends a head inside an escape, unless the state reads no character that the escape can become.
fn push_if_alive(automaton: &Automaton, stack: &mut Stack, mut head: Head, out: &mut Vec<Head>) {
    let lives = match WayId::of_aux(head.aux) {
        Some(way) => ways::add_escape(automaton, stack, way, &mut head),
        None => escape_lives(automaton, stack, head),
    };
    out.extend(lives.then_some(head));
}

/// Returns whether some character that the escape can still become leads on.
pub(super) fn escape_lives(automaton: &Automaton, stack: &mut Stack, head: Head) -> bool {
    any_range(automaton.escapes, head.esc, |lo, hi| reads(automaton, stack, head, lo, hi))
}

/// Asks ranges of the characters that an escape can still become, without surrogates inside, until one is right.
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

/// Returns the four-digit numbers that the digits so far can become.
fn digit_range(esc: u32) -> (u32, u32) {
    let left = 4 * (4 - (esc >> 16 & 7));
    let value = esc & 0xFFFF;
    (value << left, ((value + 1) << left) - 1)
}

/// Asks the characters that `\u` and digits in `lo..=hi` begin: the character itself, or, where they are a high surrogate, the 1,024
/// characters of its pairs.
fn any_of(lo: u32, hi: u32, mut is_right: impl FnMut(u32, u32) -> bool) -> bool {
    let mut part = |lo: u32, hi: u32| lo <= hi && is_right(lo, hi);
    if part(lo, hi.min(0xD7FF)) || part(lo.max(0xE000), hi) {
        return true;
    }
    let (high_lo, high_hi) = (lo.max(0xD800), hi.min(0xDBFF));
    high_lo <= high_hi && part(0x10000 + ((high_lo - 0xD800) << 10), 0x10000 + ((high_hi - 0xD800) << 10) + 0x3FF)
}

/// Asks the characters of `lo..=hi` that the canonical spelling writes with `\u`.
fn control_of(lo: u32, hi: u32, mut is_right: impl FnMut(u32, u32) -> bool) -> bool {
    (lo..=hi.min(0x1F)).any(|c| needs_u(c) && is_right(c, c))
}

/// Returns whether the state reads some character of `lo..=hi` (no surrogates inside).
fn reads(automaton: &Automaton, stack: &mut Stack, head: Head, lo: u32, hi: u32) -> bool {
    let head = Head { esc: 0, ..head };
    Wanted::by_length(lo, hi).any(|wanted| reads_from(automaton, stack, head, wanted))
}

/// Returns the bytes by which an escape that is being read can go on without being finished. Digits above 9 are in lower
/// case only, as the others lead to the same.
pub(crate) fn bytes_inside_escape(esc: u32) -> &'static [u8] {
    let (digits, value) = (esc >> 16 & 7, esc & 0xFFFF);
    let begins_pair = esc & HIGH == 0 && (0xD80..=0xDBF).contains(&value);
    if esc & IN_U != 0 {
        return if digits < 3 || begins_pair { b"0123456789abcdef" } else { b"" };
    }
    if esc & BACKSLASH != 0 { b"u" } else { b"\\" }
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

/// Characters to look for, `lo..=hi`, at one byte of their UTF-8: the bits read so far, the marker bits of this byte,
/// and the number of bytes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    pub(super) rest: u32,
    marker: u32,
    lo: u32,
    hi: u32,
    prefix: u32,
}

impl Wanted {
    /// Returns the characters of a range by the length of their UTF-8, each at its first byte.
    pub(super) fn by_length(lo: u32, hi: u32) -> impl Iterator<Item = Wanted> {
        // The bytes after the lead, the lead's marker, the range of characters.
        const FORMS: [(u32, u32, u32, u32); 4] =
            [(0, 0, 0, 0x7F), (1, 0xC0, 0x80, 0x7FF), (2, 0xE0, 0x800, 0xFFFF), (3, 0xF0, 0x10000, 0x10_FFFF)];
        FORMS.into_iter().filter_map(move |(rest, marker, least, most)| {
            let (lo, hi) = (lo.max(least), hi.min(most));
            (lo <= hi).then_some(Wanted { rest, marker, lo, hi, prefix: 0 })
        })
    }

    /// Returns the bytes of an edge that can lead to a wanted character; none if the range is empty.
    #[inline]
    pub(super) fn bytes_of(self, edge: &Edge) -> RangeInclusive<u32> {
        let shift = 6 * self.rest;
        // Payloads of this byte that can lead to a wanted character.
        let least = (self.lo >> shift).saturating_sub(self.prefix << 6);
        let payload_bits = if self.marker == 0x80 { 0x3F } else { 0x7F };
        let most = ((self.hi >> shift) - (self.prefix << 6)).min(payload_bits);
        u32::from(edge.lo).max(self.marker + least)..=u32::from(edge.hi).min(self.marker + most)
    }

    /// Returns what is wanted after one of these bytes, which is not the last.
    pub(super) fn after(self, byte: u32) -> Wanted {
        let shift = 6 * self.rest;
        let prefix = (self.prefix << 6) + (byte - self.marker);
        let (block_lo, block_hi) = (prefix << shift, (prefix << shift) + (1 << shift) - 1);
        let (lo, hi) = (self.lo.max(block_lo), self.hi.min(block_hi));
        Wanted { rest: self.rest - 1, marker: 0x80, lo, hi, prefix }
    }
}

/// Returns whether some path of edges from the head spells a wanted character, byte by byte.
///
/// Of U+00E0 to U+00FF in two bytes (C3 A0 to C3 BF), the lead byte carries the upper bits: only C3 is asked of the edges, and
/// behind it the bytes A0 to BF.
fn reads_from(automaton: &Automaton, stack: &mut Stack, head: Head, wanted: Wanted) -> bool {
    if head.is_returned() {
        return false;
    }
    for edge in automaton.edges(head.state) {
        let bytes = wanted.bytes_of(edge);
        if bytes.is_empty() {
            continue;
        }
        let Some(next) = after(automaton, stack, head, edge.op, edge.to) else {
            continue;
        };
        if wanted.rest == 0 {
            return true;
        }
        for byte in bytes {
            if reads_from(automaton, stack, next, wanted.after(byte)) {
                return true;
            }
        }
    }
    false
}
