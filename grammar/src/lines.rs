//! Lines and columns of byte offsets, for people and for editors.
//!
//! A [`LineIndex`] is made once for a text and then answers without it, in time that grows with the logarithm of its size.

use std::fmt;

use always_assert::never;

use crate::span::{Span, part};

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnUnit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters: Unicode scalar values.
    Characters,
    /// Code units of UTF-16, in which editors count unless they agree on another unit.
    Utf16,
}

/// A line and a column, both counted from 0. When formatted for people, both are counted from 1.
///
/// ```
/// let position = ogc_grammar::Position { line: 2, column: 6 };
/// assert_eq!(position.to_string(), "3:7");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Number of lines before the position.
    pub line: u32,
    /// Number of units before the position in its line.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", u64::from(self.line) + 1, u64::from(self.column) + 1)
    }
}

/// Finds the lines and columns of a text's offsets, and the offsets of lines and columns.
///
/// A line ends with `\n` or `\r\n`; a `\r` alone ends none. Every offset has a position and every position an offset:
/// an offset inside a character counts as the start of the character, a position in or after a line end as the end of
/// the line, and an offset after the text as the end of the text.
///
/// ```
/// use ogc_grammar::{ColumnUnit, LineIndex, Position};
/// let text = "a = 1\r\n😀 = 2";
/// let lines = LineIndex::new(text);
/// let equals = text.rfind('=').unwrap() as u32;
/// assert_eq!(lines.place(equals).to_string(), "2:3");
/// let in_an_editor = Position { line: 1, column: 3 };
/// assert_eq!(lines.position(equals, ColumnUnit::Utf16), in_an_editor);
/// assert_eq!(lines.offset(in_an_editor, ColumnUnit::Utf16), equals);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Spans of the lines without their ends. Invariant: at least one, ascending.
    lines: Box<[Span]>,
    /// Runs of characters of one width, which make up the text. Invariant: at least one, the first at 0.
    runs: Box<[Run]>,
    /// Length of the text, in bytes.
    len: u32,
}

/// Characters of one width, from `at` to the next run, and the counts of units before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    at: u32,
    /// Width of each character, in bytes.
    width: u32,
    /// Number of characters before `at`.
    characters: u32,
    /// Number of code units of UTF-16 before `at`.
    utf16: u32,
}

impl Run {
    /// Returns the number of units before the run.
    fn before(self, unit: ColumnUnit) -> u32 {
        match unit {
            ColumnUnit::Bytes => self.at,
            ColumnUnit::Characters => self.characters,
            ColumnUnit::Utf16 => self.utf16,
        }
    }

    /// Returns the number of units of each character.
    fn units(self, unit: ColumnUnit) -> u32 {
        match unit {
            ColumnUnit::Bytes => self.width,
            ColumnUnit::Characters => 1,
            ColumnUnit::Utf16 => 1 + u32::from(self.width == 4),
        }
    }

    /// Returns the number of units before the character at or around `offset`, which is not before the run.
    fn measure(self, offset: u32, unit: ColumnUnit) -> u32 {
        self.before(unit) + (offset - self.at) / self.width * self.units(unit)
    }
}

impl LineIndex {
    /// Makes the index of a text. Text beyond 4 GB, which 32 bits cannot address, is left out.
    ///
    /// ```
    /// assert_eq!(ogc_grammar::LineIndex::new("").len(), 1, "an empty text is an empty line");
    /// ```
    #[must_use]
    pub fn new(text: &str) -> LineIndex {
        let text = countable(text);
        let mut lines = Vec::new();
        let mut runs = vec![Run { at: 0, width: 1, characters: 0, utf16: 0 }];
        let (mut run, mut start) = (runs[0], 0);
        for (at, c) in text.char_indices() {
            let (at, width) = (at as u32, c.len_utf8() as u32);
            if width != run.width {
                let (characters, utf16) = (run.measure(at, ColumnUnit::Characters), run.measure(at, ColumnUnit::Utf16));
                run = Run { at, width, characters, utf16 };
                runs.push(run);
            }
            if c == '\n' {
                let is_pair =
                    text.as_bytes().get(start as usize..at as usize).is_some_and(|line| line.ends_with(b"\r"));
                lines.push(Span::new(start, at - u32::from(is_pair)));
                start = at + 1;
            }
        }
        let len = text.len() as u32;
        lines.push(Span::new(start, len));
        LineIndex { lines: lines.into(), runs: runs.into(), len }
    }

    /// Returns the number of lines; a line break at the end of the text begins one more.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a line")]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the span of a line without its end, by its number from 0.
    ///
    /// ```
    /// let lines = ogc_grammar::LineIndex::new("a\r\nbc");
    /// assert_eq!(lines.line(1).map(|line| (line.start, line.end)), Some((3, 5)));
    /// assert_eq!(lines.line(2), None);
    /// ```
    #[must_use]
    pub fn line(&self, number: u32) -> Option<Span> {
        self.lines.get(number as usize).copied()
    }

    /// Returns the line and the column of an offset.
    ///
    /// ```
    /// use ogc_grammar::{ColumnUnit::{Bytes, Characters, Utf16}, LineIndex, Position};
    /// let lines = LineIndex::new("x\né😀!");
    /// let columns = [Bytes, Characters, Utf16].map(|unit| lines.position(8, unit).column);
    /// assert_eq!(columns, [6, 2, 3]);
    /// assert_eq!(lines.position(99, Characters), Position { line: 1, column: 3 }, "the end");
    /// ```
    #[must_use]
    pub fn position(&self, offset: u32, unit: ColumnUnit) -> Position {
        let number = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        let line = self.lines[number];
        let offset = offset.min(line.end);
        let column = self.measure(offset, unit) - self.measure(line.start, unit);
        Position { line: number as u32, column }
    }

    /// Returns the line and the column of an offset for people: the column counts characters.
    ///
    /// ```
    /// assert_eq!(ogc_grammar::LineIndex::new("x\né!").place(4).to_string(), "2:2");
    /// ```
    #[must_use]
    pub fn place(&self, offset: u32) -> Position {
        self.position(offset, ColumnUnit::Characters)
    }

    /// Returns the offset of a line and a column.
    ///
    /// ```
    /// use ogc_grammar::{ColumnUnit::Utf16, LineIndex, Position};
    /// let lines = LineIndex::new("x\n😀!");
    /// assert_eq!(lines.offset(Position { line: 1, column: 2 }, Utf16), 6);
    /// assert_eq!(lines.offset(Position { line: 1, column: 1 }, Utf16), 2, "inside a character");
    /// assert_eq!(lines.offset(Position { line: 0, column: 9 }, Utf16), 1, "behind the line");
    /// assert_eq!(lines.offset(Position { line: 9, column: 0 }, Utf16), 7, "behind the text");
    /// ```
    #[must_use]
    pub fn offset(&self, position: Position, unit: ColumnUnit) -> u32 {
        let Some(line) = self.line(position.line) else { return self.len };
        let units = self.measure(line.start, unit).saturating_add(position.column);
        let run = self.run(|run| run.before(unit) <= units);
        let within = u64::from((units - run.before(unit)) / run.units(unit)) * u64::from(run.width);
        let offset = u64::from(run.at) + within;
        u32::try_from(offset).unwrap_or(u32::MAX).min(line.end)
    }

    /// Returns the number of units of the text before the character at or around an offset.
    fn measure(&self, offset: u32, unit: ColumnUnit) -> u32 {
        self.run(|run| run.at <= offset).measure(offset, unit)
    }

    /// Returns the last run for which `begins` holds; it must hold for all runs up to that run and for none after it.
    fn run(&self, begins: impl Fn(&Run) -> bool) -> Run {
        self.runs[self.runs.partition_point(begins).saturating_sub(1)]
    }
}

/// Returns the beginning of a text whose offsets fit in 32 bits.
fn countable(text: &str) -> &str {
    let most = text.len().min(u32::MAX as usize);
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at));
    let Some(end) = end else {
        never!("no character of the text begins at 0");
        return "";
    };
    part(text, ..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ogc_kit::Random;

    const PARTS: [&str; 11] = ["a", "b ", "\n", "\r\n", "\r", "\n\r", "é", "ü", "中", "😀", "\u{2028}"];

    const UNITS: [ColumnUnit; 3] = [ColumnUnit::Bytes, ColumnUnit::Characters, ColumnUnit::Utf16];

    fn units(text: &str, unit: ColumnUnit) -> u32 {
        let count = match unit {
            ColumnUnit::Bytes => text.len(),
            ColumnUnit::Characters => text.chars().count(),
            ColumnUnit::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(count).unwrap()
    }

    /// Returns the offsets of the characters and of the end of each line, found by splitting the text.
    fn line_places(text: &str) -> Vec<Vec<usize>> {
        let mut begin = 0;
        let mut all = Vec::new();
        for whole in text.split('\n') {
            let is_last = begin + whole.len() == text.len();
            let line = if is_last { whole } else { whole.strip_suffix('\r').unwrap_or(whole) };
            let places = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            all.push(places.map(|at| begin + at).collect());
            begin += whole.len() + 1;
        }
        all
    }

    fn check_positions(text: &str, lines: &LineIndex) {
        let places = line_places(text);
        assert_eq!(lines.len(), places.len(), "{text:?}");
        for offset in 0..text.len() + 3 {
            let line = places.iter().rposition(|line| line[0] <= offset).unwrap();
            let floor = *places[line].iter().rfind(|at| **at <= offset).unwrap();
            for unit in UNITS {
                let expected = Position { line: line as u32, column: units(&text[places[line][0]..floor], unit) };
                assert_eq!(lines.position(offset as u32, unit), expected, "{offset} of {text:?} in {unit:?}");
                assert_eq!(lines.offset(expected, unit), floor as u32, "{expected} of {text:?} in {unit:?}");
            }
        }
    }

    fn check_offsets(text: &str, lines: &LineIndex) {
        let places = line_places(text);
        for line in 0..places.len() + 2 {
            for column in (0..text.len() as u32 + 3).chain([u32::MAX]) {
                for unit in UNITS {
                    let expected = places.get(line).map_or(text.len(), |places| {
                        let before = |at: &&usize| units(&text[places[0]..**at], unit) <= column;
                        *places.iter().rfind(before).unwrap()
                    });
                    let position = Position { line: line as u32, column };
                    assert_eq!(lines.offset(position, unit), expected as u32, "{position:?} of {text:?} in {unit:?}");
                }
            }
        }
    }

    #[test]
    fn positions_in_random_texts_agree_with_splitting_lines() {
        let mut dice = Random::new(7);
        for _ in 0..2_000 {
            let text: String = (0..dice.below(9)).map(|_| PARTS[dice.below(PARTS.len())]).collect();
            let lines = LineIndex::new(&text);
            check_positions(&text, &lines);
            check_offsets(&text, &lines);
        }
    }

    #[test]
    fn the_greatest_positions_are_clamped_to_the_end() {
        let lines = LineIndex::new("a\r\n😀");
        for unit in UNITS {
            assert_eq!(lines.position(u32::MAX, unit).line, 1);
            assert_eq!(lines.offset(Position { line: u32::MAX, column: u32::MAX }, unit), 7);
            assert_eq!(lines.offset(Position { line: 1, column: u32::MAX }, unit), 7);
        }
    }
}
