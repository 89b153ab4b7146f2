//! Matches regular expressions with classes, groups, alternatives, `? * + {m,n}`, `.` and escapes.

use std::collections::BTreeSet;

use super::char_at;

/// A regular expression.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// A character in one of the ranges; if negated, in none of them.
    Class(Vec<(char, char)>, bool),
    Sequence(Vec<Pattern>),
    Union(Vec<Pattern>),
    Repeat(Box<Pattern>, usize, usize),
}

impl Pattern {
    /// Reads a pattern; `None` if it has a construct that this matcher does not support.
    pub(super) fn read(written: &str) -> Option<Pattern> {
        let mut reader = Reader { chars: written.chars().collect(), at: 0 };
        let pattern = reader.union()?;
        (reader.at == reader.chars.len()).then_some(pattern)
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.ends(text.as_bytes(), 0).contains(&text.len())
    }

    /// Returns whether the pattern matches somewhere.
    pub(super) fn occurs(&self, text: &str) -> bool {
        text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| !self.ends(text.as_bytes(), at).is_empty())
    }

    /// Returns the ends of the matches that begin at `from`.
    pub(super) fn ends(&self, text: &[u8], from: usize) -> BTreeSet<usize> {
        match self {
            Pattern::Class(ranges, negated) => {
                let next = char_at(text, from);
                let within = |c| ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated;
                next.filter(|&(c, _)| within(c)).map(|(_, end)| end).into_iter().collect()
            }
            Pattern::Sequence(parts) => parts.iter().fold([from].into(), |starts: BTreeSet<usize>, part| {
                starts.iter().flat_map(|&start| part.ends(text, start)).collect()
            }),
            Pattern::Union(arms) => arms.iter().flat_map(|arm| arm.ends(text, from)).collect(),
            Pattern::Repeat(body, least, most) => repeated(body, *least, *most, text, from),
        }
    }
}

fn repeated(body: &Pattern, least: usize, most: usize, text: &[u8], from: usize) -> BTreeSet<usize> {
    let mut here = BTreeSet::from([from]);
    let mut all = if least == 0 { here.clone() } else { BTreeSet::new() };
    // A text needs no more items than it has bytes.
    for count in 1..=most.min(least + text.len() + 1) {
        here = here.iter().flat_map(|&start| body.ends(text, start)).collect();
        if here.is_empty() {
            break;
        }
        if count >= least {
            all.extend(&here);
        }
    }
    all
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        self.at += 1;
        self.chars.get(self.at - 1).copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    fn union(&mut self) -> Option<Pattern> {
        let mut arms = vec![self.sequence()?];
        while self.takes('|') {
            arms.push(self.sequence()?);
        }
        Some(Pattern::Union(arms))
    }

    fn sequence(&mut self) -> Option<Pattern> {
        let mut parts = Vec::new();
        while self.peek().is_some_and(|c| c != '|' && c != ')') {
            let atom = self.atom()?;
            parts.push(self.counted(atom)?);
        }
        Some(Pattern::Sequence(parts))
    }

    fn atom(&mut self) -> Option<Pattern> {
        Some(match self.take()? {
            '(' => {
                let inner = self.union()?;
                self.takes(')').then_some(inner)?
            }
            '.' => Pattern::Class(vec![('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')], true),
            '[' => self.class()?,
            '\\' => Pattern::Class(self.escape()?, false),
            '^' | '$' | '*' | '+' | '?' | '{' | '}' | ']' => return None,
            c => Pattern::Class(vec![(c, c)], false),
        })
    }

    fn escape(&mut self) -> Option<Vec<(char, char)>> {
        Some(match self.take()? {
            'n' => vec![('\n', '\n')],
            't' => vec![('\t', '\t')],
            'd' => vec![('0', '9')],
            'w' => vec![('0', '9'), ('A', 'Z'), ('a', 'z'), ('_', '_')],
            c if c.is_ascii_punctuation() => vec![(c, c)],
            _ => return None,
        })
    }

    fn class(&mut self) -> Option<Pattern> {
        let negated = self.takes('^');
        let mut ranges = Vec::new();
        while !self.takes(']') {
            match self.take()? {
                '\\' => ranges.extend(self.escape()?),
                low if self.peek() == Some('-') && self.chars.get(self.at + 1) != Some(&']') => {
                    self.at += 1;
                    ranges.push((low, self.take()?));
                }
                c => ranges.push((c, c)),
            }
        }
        Some(Pattern::Class(ranges, negated))
    }

    fn counted(&mut self, atom: Pattern) -> Option<Pattern> {
        let (least, most) = match self.peek() {
            Some('?') => (0, 1),
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('{') => return self.braces(atom),
            _ => return Some(atom),
        };
        self.at += 1;
        Some(Pattern::Repeat(Box::new(atom), least, most))
    }

    fn braces(&mut self, atom: Pattern) -> Option<Pattern> {
        let close = self.chars.iter().skip(self.at).position(|&c| c == '}')? + self.at;
        let inner: String = self.chars[self.at + 1..close].iter().collect();
        self.at = close + 1;
        let (least, most) = match inner.split_once(',') {
            Some((least, "")) => (least.parse().ok()?, usize::MAX),
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
            None => (inner.parse().ok()?, inner.parse().ok()?),
        };
        Some(Pattern::Repeat(Box::new(atom), least, most))
    }
}
