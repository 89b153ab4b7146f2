//! Reads character classes: `[...]` and `[^...]`.
//!
//! Surrogate halves in a class are kept apart from its characters: see [`super::pairs`].

use super::ast::{Node, Span};
use super::error::{PatternError, PatternErrorKind as Kind};
use super::escape::Escape;
use super::parse::{Parser, one_or};
use crate::charset::CharSet;

impl Parser<'_> {
    /// Reads a class; the `[` at `start` is read.
    pub(super) fn class(&mut self, start: usize) -> Result<Node, PatternError> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            if self.peek().is_none() {
                return Err(self.unclosed(start));
            }
            self.item(&mut ranges, start)?;
        }
        let members = self.text.get(start + 1..self.at).unwrap_or_default();
        if self.swallowing.is_none() && members.contains('(') && members.replace("\\[", "").contains('[') {
            self.swallowing = Some(start);
        }
        let (high, low) = (halves(&ranges, HIGH), halves(&ranges, LOW));
        let set = self.folded(CharSet::from_ranges(ranges));
        if negated {
            // No text contains a half on its own, so it does not matter which halves the complement excludes.
            return Ok(Node::Set(self.set(set.complement())));
        }
        let mut arms = Vec::new();
        if !set.ranges().is_empty() || high.is_empty() && low.is_empty() {
            arms.push(Node::Set(self.set(set)));
        }
        for (is_high, ranges) in [(true, high), (false, low)] {
            if !ranges.is_empty() {
                arms.push(self.half(is_high, ranges, self.since(start)));
            }
        }
        Ok(one_or(arms, Node::Alt))
    }

    /// Reads one member or one range of the class that begins at `class`. A hyphen next to a set cannot make a range,
    /// and stands for itself.
    fn item(&mut self, ranges: &mut Vec<(u32, u32)>, class: usize) -> Result<(), PatternError> {
        let start = self.at;
        let low = self.member(class)?;
        let dash = self.at;
        if self.rest().starts_with("--") {
            return Err(DIFFERENCE.at(dash..dash + 2));
        }
        if !self.eat("-") {
            return add(ranges, low, self.since(start));
        }
        if matches!(self.peek(), None | Some(']')) {
            self.at = dash;
            return add(ranges, low, self.since(start));
        }
        let high = self.member(class)?;
        if let (Escape::Point(low), Escape::Point(high)) = (&low, &high) {
            if low > high && *high == u32::from('\\') && self.rest().starts_with(['x', 'u', 'U']) {
                return Err(Kind::DoubledBackslash.at(self.since(dash + 1)));
            }
            return range(ranges, *low, *high, self.since(start));
        }
        ranges.push(('-'.into(), '-'.into()));
        add(ranges, low, self.since(start))?;
        add(ranges, high, self.since(start))
    }

    /// Returns the error of a class that begins at `start`.
    pub(super) fn unclosed(&self, start: usize) -> PatternError {
        let before = self.text.get(..start).unwrap_or_default();
        Kind::UnclosedClass { at: before.chars().count() + 1 }.at(start..start + 1)
    }

    /// Reads one member of the class that begins at `class`.
    fn member(&mut self, class: usize) -> Result<Escape, PatternError> {
        let start = self.at;
        if let Some(ambiguous) = ambiguous(self.rest()) {
            return Err(ambiguous.at(start..start + 2));
        }
        match self.bump() {
            None => Err(self.unclosed(class)),
            Some('\\') if self.eat("b") => Ok(Escape::Point(0x08)),
            Some('\\') => self.escaped(start),
            Some(other) => Ok(Escape::Point(other.into())),
        }
    }
}

/// `--` in a class: some engines read a difference of sets, others a range that ends with a hyphen, or hyphens.
const DIFFERENCE: Kind = Kind::Ambiguous {
    what: "`--` in a class",
    instead: "`\\-` for the character, or `(?![...])` before the class for a difference",
};

/// `&&` in a class: some engines read an intersection of sets, others ampersands.
const INTERSECTION: Kind = Kind::Ambiguous {
    what: "`&&` in a class",
    instead: "one `&` for the character, or `(?=[...])` before the class for an intersection",
};

/// `[:name:]` in a class: some engines read a named class.
const POSIX: Kind = Kind::Ambiguous { what: "`[:name:]` in a class", instead: "the characters or `\\p{...}`" };

/// Returns the ambiguous construct at the beginning of a text in a class.
fn ambiguous(rest: &str) -> Option<Kind> {
    let is_posix = || {
        let inner = rest.strip_prefix("[:")?;
        let name = inner.trim_start_matches('^').trim_start_matches(|c: char| c.is_ascii_alphabetic());
        name.starts_with(":]").then_some(POSIX)
    };
    match rest {
        _ if rest.starts_with("--") => Some(DIFFERENCE),
        _ if rest.starts_with("&&") => Some(INTERSECTION),
        _ => is_posix(),
    }
}

/// The high halves of surrogate pairs.
const HIGH: (u32, u32) = (0xD800, 0xDBFF);

/// The low halves of surrogate pairs.
const LOW: (u32, u32) = (0xDC00, 0xDFFF);

fn is_surrogate(point: u32) -> bool {
    (HIGH.0..=LOW.1).contains(&point)
}

/// Returns the halves that ranges spell, namely within ranges that begin or end with a half. A range that merely spans
/// all halves, such as `\0-\uffff`, means characters.
fn halves(ranges: &[(u32, u32)], (first, last): (u32, u32)) -> Vec<(u32, u32)> {
    let spelled = ranges.iter().filter(|(low, high)| is_surrogate(*low) || is_surrogate(*high));
    spelled.map(|&(low, high)| (low.max(first), high.min(last))).filter(|(low, high)| low <= high).collect()
}

fn add(ranges: &mut Vec<(u32, u32)>, member: Escape, span: Span) -> Result<(), PatternError> {
    match member {
        Escape::Point(point) => return range(ranges, point, point, span),
        Escape::Set(set) => ranges.extend(set.ranges()),
    }
    Ok(())
}

fn range(ranges: &mut Vec<(u32, u32)>, low: u32, high: u32, span: Span) -> Result<(), PatternError> {
    if low > high {
        return Err(Kind::RangeOrder.at(span));
    }
    ranges.push((low, high));
    Ok(())
}
