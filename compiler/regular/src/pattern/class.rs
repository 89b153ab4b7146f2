//! Reads character classes: `[...]` and `[^...]`.

use super::ast::{Node, Span};
use super::error::{PatternError, PatternErrorKind as Kind};
use super::escape::Escape;
use super::parse::Parser;
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
        let set = self.folded(CharSet::from_ranges(ranges));
        Ok(Node::Set(self.set(if negated { set.complement() } else { set })))
    }

    /// Reads one member or one range of the class that begins at `class`. A hyphen beside a set, which cannot be a
    /// range, is a hyphen.
    fn item(&mut self, ranges: &mut Vec<(u32, u32)>, class: usize) -> Result<(), PatternError> {
        let start = self.at;
        let low = self.member(class)?;
        let dash = self.at;
        if !self.eat("-") {
            return add(ranges, low, self.since(start));
        }
        if matches!(self.peek(), None | Some(']')) {
            self.at = dash;
            return add(ranges, low, self.since(start));
        }
        let high = self.member(class)?;
        if let (Escape::Point(low), Escape::Point(high)) = (&low, &high) {
            return range(ranges, *low, *high, self.since(start));
        }
        ranges.push(('-'.into(), '-'.into()));
        add(ranges, low, self.since(start))?;
        add(ranges, high, self.since(start))
    }

    /// Returns the error of a class that begins at `start`.
    fn unclosed(&self, start: usize) -> PatternError {
        let before = self.text.get(..start).unwrap_or_default();
        Kind::UnclosedClass { at: before.chars().count() + 1 }.at(start..start + 1)
    }

    /// Reads one member of the class that begins at `class`.
    fn member(&mut self, class: usize) -> Result<Escape, PatternError> {
        let start = self.at;
        if is_posix(self.rest()) {
            let ambiguous = Kind::Ambiguous { what: "`[:name:]` in a class", instead: "the characters or `\\p{...}`" };
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

/// Returns whether a text is `[:name:]`, which some engines read as a class of its own.
fn is_posix(rest: &str) -> bool {
    let Some(inner) = rest.strip_prefix("[:") else { return false };
    let name = inner.trim_start_matches('^').trim_start_matches(|c: char| c.is_ascii_alphabetic());
    name.starts_with(":]")
}

fn is_surrogate(point: u32) -> bool {
    (0xD800..0xE000).contains(&point)
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
    if is_surrogate(low) && is_surrogate(high) {
        return Err(Kind::Unsupported("a class of lone surrogates").at(span));
    }
    ranges.push((low, high));
    Ok(())
}
