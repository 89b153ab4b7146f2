//! Exports the spellings of characters in JSON strings: as themselves, as a letter after a backslash, or by number.

use ogc_grammar::rules::{Expr, ExprKind};
use ogc_runtime::automaton::Escapes;

use super::characters::{Ranges, class};
use super::combine::{alternation, sequence};
use super::{literal, made};

/// Characters with an escape letter. The solidus counts only if all spellings are allowed.
const LETTERS: [(char, &str); 8] = [
    ('"', "\\\""),
    ('\\', "\\\\"),
    ('/', "\\/"),
    ('\u{8}', "\\b"),
    ('\u{c}', "\\f"),
    ('\n', "\\n"),
    ('\r', "\\r"),
    ('\t', "\\t"),
];

/// Returns all spellings of one character of `ranges`, which is not empty.
pub(super) fn spelled(ranges: &Ranges, escapes: Escapes) -> Expr {
    let holds = |c: char| ranges.iter().any(|(lo, hi)| *lo <= c && c <= *hi);
    let raw = [(' ', '!'), ('#', '['), (']', char::MAX)];
    let raw: Ranges = raw.iter().flat_map(|part| common(ranges, *part)).collect();
    let mut arms = Vec::new();
    if !raw.is_empty() {
        arms.push(class(&raw));
    }
    let letters = LETTERS.iter().filter(|(c, _)| holds(*c) && (*c != '/' || escapes == Escapes::Any));
    arms.extend(letters.map(|(_, text)| literal(*text)));
    match escapes {
        Escapes::Any => arms.extend(numbered(ranges)),
        Escapes::Canonical => {
            let plain = ('\0'..' ').filter(|c| holds(*c) && LETTERS.iter().all(|(known, _)| known != c));
            arms.extend(plain.map(|c| literal(format!("\\u{:04x}", u32::from(c)))));
        }
    }
    alternation(arms)
}

/// Returns the parts of `ranges` that lie in one range.
fn common(ranges: &Ranges, part: (char, char)) -> impl Iterator<Item = (char, char)> {
    let meet = move |(lo, hi): &(char, char)| ((*lo).max(part.0), (*hi).min(part.1));
    ranges.iter().map(meet).filter(|(lo, hi)| lo <= hi)
}

/// Returns the spellings as `\u` with four digits; characters beyond 16 bits take two of these.
fn numbered(ranges: &Ranges) -> Vec<Expr> {
    let mut arms = Vec::new();
    for part in [('\0', '\u{D7FF}'), ('\u{E000}', '\u{FFFF}')] {
        for (lo, hi) in common(ranges, part) {
            arms.push(unit(u32::from(lo), u32::from(hi)));
        }
    }
    for (lo, hi) in common(ranges, ('\u{10000}', char::MAX)) {
        pairs(u32::from(lo) - 0x1_0000, u32::from(hi) - 0x1_0000, &mut arms);
    }
    arms
}

/// Adds surrogate pairs for the numbers from `lo` to `hi`: the first and the last high half separately, those between
/// together.
fn pairs(lo: u32, hi: u32, arms: &mut Vec<Expr>) {
    let (first, last) = (lo >> 10, hi >> 10);
    let mut pair = |high: (u32, u32), low: (u32, u32)| {
        arms.push(sequence(unit(0xD800 + high.0, 0xD800 + high.1), unit(0xDC00 + low.0, 0xDC00 + low.1)));
    };
    if first == last {
        return pair((first, first), (lo & 0x3FF, hi & 0x3FF));
    }
    let whole_first = lo & 0x3FF == 0;
    let whole_last = hi & 0x3FF == 0x3FF;
    if !whole_first {
        pair((first, first), (lo & 0x3FF, 0x3FF));
    }
    let (from, to) = (first + u32::from(!whole_first), last + u32::from(whole_last));
    if from < to {
        pair((from, to - 1), (0, 0x3FF));
    }
    if !whole_last {
        pair((last, last), (0, hi & 0x3FF));
    }
}

/// Returns `\u` followed by the numbers from `lo` to `hi`, in four hexadecimal digits of either case.
fn unit(lo: u32, hi: u32) -> Expr {
    sequence(literal("\\u"), digits(lo, hi, 4))
}

fn digits(lo: u32, hi: u32, count: u32) -> Expr {
    if count == 0 {
        return super::combine::empty();
    }
    let bits = 4 * (count - 1);
    let mask = (1 << bits) - 1;
    let (first, last) = (lo >> bits, hi >> bits);
    if first == last {
        return sequence(digit(first, first), digits(lo & mask, hi & mask, count - 1));
    }
    let mut arms = Vec::new();
    let (whole_first, whole_last) = (lo & mask == 0, hi & mask == mask);
    if !whole_first {
        arms.push(sequence(digit(first, first), digits(lo & mask, mask, count - 1)));
    }
    let (from, to) = (first + u32::from(!whole_first), last + u32::from(whole_last));
    if from < to {
        arms.push(sequence(digit(from, to - 1), digits(0, mask, count - 1)));
    }
    if !whole_last {
        arms.push(sequence(digit(last, last), digits(0, hi & mask, count - 1)));
    }
    alternation(arms)
}

fn digit(lo: u32, hi: u32) -> Expr {
    let mut ranges = Ranges::new();
    let mut part = |from: u32, to: u32, base: u8| {
        let shifted = |digit: u32| char::from(base + (digit - from) as u8);
        if lo.max(from) <= hi.min(to) {
            ranges.push((shifted(lo.max(from)), shifted(hi.min(to))));
        }
    };
    part(0, 9, b'0');
    part(10, 15, b'A');
    part(10, 15, b'a');
    if let [(only, last)] = ranges.as_slice()
        && only == last
    {
        return literal(only.to_string());
    }
    made(ExprKind::Class { negated: false, ranges })
}
