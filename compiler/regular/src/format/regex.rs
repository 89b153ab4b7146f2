//! The format `regex`: a regular subset of the patterns of ECMA-262. All patterns together are not a regular language,
//! as groups nest to any depth.
//!
//! # Steps
//!
//! 1. Atoms, assertions and quantifiers are patterns; so is a class; the alternatives for its ranges are listed by
//!    lower end.
//! 2. A body is any number of these. Groups and lookarounds are bodies in parentheses, built from the inside outwards.
//! 3. `\0` before a digit is removed from the whole language, as no single part can detect it.

use crate::dfa::Dfa;
use crate::limits::Limits;
use crate::pattern::compile_anchored;
use crate::product::union_all;
use crate::sequence::concat_all;

/// The last code point.
const LAST: u32 = 0x10_FFFF;
const HEX: &str = "[0-9a-fA-F]";
/// Surrogates, which are no characters.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);
/// Characters that stand for themselves after a backslash: ASCII characters that are neither letters nor digits.
const PUNCTUATION: [(u32, u32); 4] = [(0x20, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)];
/// Digits, capital letters and small letters.
const WORDS: [(u32, u32); 3] = [(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)];
/// Class escapes: `\d`, `\p{Lu}`. Only general categories are supported as properties.
const SETS: &str = "\\\\(?:[dDwWsS]|[pP]\\{(?:L[ulmot]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfosn]?)\\})";

/// The amount that the automaton remembers to compare two bounds of a quantifier or two ends of a range. It needs a
/// copy for each nesting of groups and lookarounds, so deeper levels remember less.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// Outside of groups: bounds up to 99; ranges of ASCII, of blocks beyond ASCII, and of hexadecimal escapes.
    Outside,
    /// In a group: bounds up to 99; ranges of ASCII.
    Group,
    /// In a lookaround or in two groups: bounds up to 9; ranges within [`WORDS`].
    Inside,
}

/// Builds the automaton of all accepted patterns.
pub(super) fn regex(limits: &Limits) -> Option<Dfa> {
    let flat = body(Memory::Inside, None, limits)?;
    let group = body(Memory::Group, Some([&flat, &flat]), limits)?;
    let lookaround = body(Memory::Inside, Some([&flat, &flat]), limits)?;
    let whole = body(Memory::Outside, Some([&group, &lookaround]), limits)?;
    let octal = compile_anchored("(?:[^\\\\]|\\\\[^0]|\\\\0(?![0-9]))*", limits).ok()?;
    whole.intersect(&octal, limits.states).ok()
}

/// Builds the automaton of a body: any number of parts. `inner` are the automata of the bodies of groups and of
/// lookarounds.
fn body(memory: Memory, inner: Option<[&Dfa; 2]>, limits: &Limits) -> Option<Dfa> {
    let part = |pattern: &str| compile_anchored(pattern, limits).ok();
    let enclosed = |open: &str, which: usize| match inner {
        Some(inner) => concat_all(&[&part(open)?, inner[which], &part("\\)")?], limits.states).ok(),
        None => Some(Dfa::empty()),
    };
    let repeatable = union_all(&[&part(&atom(memory))?, &enclosed("\\((?:\\?:)?", 0)?], limits.states).ok()?;
    let repeated = repeatable.concat(&part(&quantifier(memory))?, limits.states).ok()?;
    let lookaround = enclosed("\\(\\?<?[=!]", 1)?;
    let assertion = part("[\\^$|]|\\\\[bB]")?;
    union_all(&[&repeated, &lookaround, &assertion], limits.states).ok()?.star(limits.states).ok()
}

/// Returns the pattern of one character, one escape, or one class.
fn atom(memory: Memory) -> String {
    let punctuation = PUNCTUATION.map(|(lo, hi)| span(lo, hi)).concat();
    let escape = format!("[tnvfr0{punctuation}]|c[a-zA-Z]|x{HEX}{{2}}|u{HEX}{{4}}|u{}", code_point());
    format!("[^\\^$\\\\*+?()\\[\\]{{}}|]|\\\\(?:{escape})|{SETS}|{}", class(memory))
}

/// Returns the pattern of a code point in braces.
fn code_point() -> String {
    format!("\\{{0*(?:10{HEX}{{4}}|{HEX}{{1,5}})\\}}")
}

/// Returns the pattern of an optional quantifier, greedy or lazy.
fn quantifier(memory: Memory) -> String {
    format!("(?:(?:[*+?]|\\{{(?:{})\\}})\\??)?", bounds(memory))
}

/// Returns the pattern of bounds `m`, `m,` and `m,n` with `m <= n`. The automaton remembers `m` until it has read `n`:
/// all digits of a short `m`, else its first digit and its length.
fn bounds(memory: Memory) -> String {
    let mut all = vec!["0+(?:,\\d*)?".to_owned(), "0*[1-9]\\d{4,},?".to_owned()];
    let mut bound = |least: &str, greatest: String| all.push(format!("0*{least}(?:,(?:0*(?:{greatest}))?)?"));
    for first in 1..=9 {
        bound(&first.to_string(), format!("[{first}-9]|[1-9]\\d+"));
        for second in (0..=9).filter(|_| memory != Memory::Inside) {
            bound(&format!("{first}{second}"), format!("{first}[{second}-9]{}|[1-9]\\d{{2,}}", above(first, "\\d")));
        }
        for rest in if memory == Memory::Inside { 1..=3 } else { 2..=3 } {
            let digits = format!("\\d{{{rest}}}");
            bound(&format!("{first}{digits}"), format!("[1-9]\\d{{{},}}{}", rest + 1, above(first, &digits)));
        }
    }
    all.join("|")
}

/// Returns one more alternative: a first digit above `digit`, followed by `rest`.
fn above(digit: u32, rest: &str) -> String {
    if digit < 9 { format!("|[{}-9]{rest}", digit + 1) } else { String::new() }
}

/// Returns the patterns of ranges between characters that are written raw or after a backslash.
fn plain_ranges(memory: Memory) -> Vec<String> {
    let range = |low: (u32, u32), high: (u32, u32)| format!("{}-{}", spelled(low.0, low.1), spelled(high.0, high.1));
    if memory == Memory::Inside {
        let ends = WORDS.into_iter().flat_map(|(lo, hi)| (lo..=hi).map(move |at| (at, hi)));
        return ends.map(|(at, hi)| range((at, at), (at, hi))).collect();
    }
    let mut all: Vec<String> = (0..0x80).map(|at| range((at, at), (at, LAST))).collect();
    if memory == Memory::Outside {
        // Blocks of characters whose UTF-8 begins with the same byte.
        let three = std::iter::once(0x800).chain((0x1000..0x10000).step_by(0x1000));
        let four = std::iter::once(0x10000).chain((0x40000..LAST).step_by(0x40000));
        let starts: Vec<u32> = (0x80..0x800).step_by(64).chain(three).chain(four).collect();
        all.extend(starts.windows(2).map(|two| range((two[0], two[1] - 1), (two[1], LAST))));
    }
    all
}

/// Returns the patterns of ranges between hexadecimal escapes. A range from the first character of a block may end at
/// any later character; a range from another character ends in a later block.
fn escaped_ranges(letter: char, digits: u32, blocks: &[u32]) -> Vec<String> {
    let last = 16u32.pow(digits) - 1;
    let code = |lo: u32, hi: u32| {
        let kept = [(lo, hi.min(SURROGATES.0 - 1)), (lo.max(SURROGATES.1 + 1), hi)];
        let kept = kept.into_iter().filter(|(lo, hi)| lo <= hi).map(|(lo, hi)| hexadecimal(lo, hi, digits));
        format!("\\\\{letter}(?:{})", kept.collect::<Vec<_>>().join("|"))
    };
    let ends = blocks.iter().zip(blocks.iter().skip(1).copied().chain([last + 1]));
    let ranges = ends.flat_map(|(&start, end)| {
        let first = format!("{}-{}", code(start, start), code(start, last));
        let others = (end <= last).then(|| format!("{}-{}", code(start + 1, end - 1), code(end, last)));
        std::iter::once(first).chain(others)
    });
    ranges.collect()
}

/// Returns the pattern of a class. A `-` between two characters makes a range; anywhere else it is a character.
fn class(memory: Memory) -> String {
    let coded = format!("\\\\x{HEX}{{2}}|\\\\u{HEX}{{4}}|\\\\u{}", code_point());
    let single = format!("(?:{}|{SETS}|{coded})(?!-[^\\]])", spelled(0, LAST));
    let mut ranges = plain_ranges(memory);
    if memory == Memory::Outside {
        let bytes: Vec<u32> = (0..0x100).step_by(16).collect();
        let beyond = (0x100..0x1000).step_by(0x100).chain((0x1000..0xD000).step_by(0x1000)).chain([0xE000, 0xF000]);
        let units: Vec<u32> = bytes.iter().copied().chain(beyond).collect();
        ranges.extend(escaped_ranges('x', 2, &bytes));
        ranges.extend(escaped_ranges('u', 4, &units));
    }
    format!("\\[(?:\\^|(?!\\^))(?:{single}|{})*\\]", ranges.join("|"))
}

/// Returns the pattern of a class member from `lo` to `hi` that is written without a numeric escape.
fn spelled(lo: u32, hi: u32) -> String {
    let within = |(from, to): (u32, u32)| (from.max(lo) <= to.min(hi)).then(|| (from.max(lo), to.min(hi)));
    let set =
        |parts: &[(u32, u32)]| parts.iter().filter_map(|part| within(*part)).map(|(lo, hi)| span(lo, hi)).collect();
    let plain: String = set(&[(0, 0x5B), (0x5E, SURROGATES.0 - 1), (SURROGATES.1 + 1, LAST)]);
    let mut escaped: String = set(&PUNCTUATION);
    let named = [(0, '0'), (8, 'b'), (9, 't'), (10, 'n'), (11, 'v'), (12, 'f'), (13, 'r')];
    escaped.extend(named.into_iter().filter(|(code, _)| (lo..=hi).contains(code)).map(|(_, letter)| letter));
    let mut ways = Vec::new();
    ways.extend((!plain.is_empty()).then(|| format!("[{plain}]")));
    ways.extend((!escaped.is_empty()).then(|| format!("\\\\[{escaped}]")));
    ways.extend(within((1, 26)).map(|(lo, hi)| {
        let (capitals, small) = (span(lo + 0x40, hi + 0x40), span(lo + 0x60, hi + 0x60));
        format!("\\\\c[{capitals}{small}]")
    }));
    format!("(?:{})", ways.join("|"))
}

/// Returns the range as a member of a class.
fn span(lo: u32, hi: u32) -> String {
    format!("\\u{{{lo:x}}}-\\u{{{hi:x}}}")
}

/// Returns the pattern of the numbers from `lo` to `hi` with this many hexadecimal digits.
fn hexadecimal(lo: u32, hi: u32, digits: u32) -> String {
    let Some(rest) = digits.checked_sub(1) else { return String::new() };
    let size = 16u32.pow(rest);
    if (lo, hi) == (0, size * 16 - 1) {
        return format!("{HEX}{{{digits}}}");
    }
    // The first and the last digit each restrict the digits after them; the digits between allow any.
    let (first, last) = (lo / size, hi / size);
    let ways = (first..=last).map(|digit| {
        let least = if digit == first { lo % size } else { 0 };
        let most = if digit == last { hi % size } else { size - 1 };
        format!("{}{}", hex_digit(digit), hexadecimal(least, most, rest))
    });
    format!("(?:{})", ways.collect::<Vec<_>>().join("|"))
}

fn hex_digit(digit: u32) -> String {
    if digit < 10 { digit.to_string() } else { format!("[{digit:x}{digit:X}]") }
}
