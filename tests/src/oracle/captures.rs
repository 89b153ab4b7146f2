//! Finds captures by their definition: of all ways to put marks between the bytes of a text, the least way is right.
//!
//! Formats are small trees of their own, written as `.ogc`; no repeated part can be empty, so the number of ways is
//! finite.

use std::collections::BTreeSet;
use std::fmt::Write;

use ogc_kit::Random;

/// An expression of a format with captures. The output is the rule `r`, which may contain itself behind a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `"ab"`
    Literal(&'static str),
    /// `/[ab]{m,n}/`
    Letters(usize, usize),
    /// Parts in sequence.
    Sequence(Vec<Part>),
    /// Alternatives.
    Alternatives(Vec<Part>),
    /// `x[m..n]`; `x` is not empty unless it may occur at most once.
    Repeated(Box<Part>, usize, usize),
    /// `name: x`
    Captured(usize, Box<Part>),
    /// `"(" r ")"`
    Nested,
}

/// The names of captures.
pub const NAMES: [&str; 3] = ["one", "two", "three"];

/// A mark or a byte, in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A capture begins: its rank among the names.
    Begin(usize),
    /// A 0 in the number of a way.
    First,
    /// A 1 in the number of a way.
    Other,
    /// A byte.
    Byte(u8),
    /// The text ends.
    Stop,
    /// The capture that began last ends.
    End,
}

/// A text with marks.
pub type Marked = Vec<Symbol>;

impl Part {
    /// Generates a part.
    pub fn random(random: &mut Random, depth: usize) -> Part {
        let kinds = if depth == 0 { 2 } else { 9 };
        match random.below(kinds) {
            0 => Part::Literal(["a", "b", "ab", "ba", "aa"][random.below(5)]),
            1 => {
                let least = random.below(2);
                Part::Letters(least, least + random.below(3))
            }
            2 | 3 => Part::Sequence(Part::several(random, depth)),
            4 => Part::Alternatives(Part::several(random, depth)),
            5 => {
                let part = Part::random(random, depth - 1);
                let least = random.below(3);
                if part.may_be_empty() {
                    Part::Repeated(Box::new(part), 0, 1)
                } else {
                    Part::Repeated(Box::new(part), least, least + 1 + random.below(3))
                }
            }
            6 | 7 => Part::Captured(random.below(NAMES.len()), Box::new(Part::random(random, depth - 1))),
            _ => Part::Nested,
        }
    }

    fn several(random: &mut Random, depth: usize) -> Vec<Part> {
        (0..2 + random.below(2)).map(|_| Part::random(random, depth - 1)).collect()
    }

    /// Returns whether a part inside is captured; `root` is the part that `Nested` stands for.
    fn captures(&self, root: &Part) -> bool {
        match self {
            Part::Literal(_) | Part::Letters(..) => false,
            Part::Sequence(parts) | Part::Alternatives(parts) => parts.iter().any(|part| part.captures(root)),
            Part::Repeated(part, ..) => part.captures(root),
            Part::Captured(..) => true,
            Part::Nested => root.has_capture(),
        }
    }

    fn has_capture(&self) -> bool {
        match self {
            Part::Literal(_) | Part::Letters(..) | Part::Nested => false,
            Part::Sequence(parts) | Part::Alternatives(parts) => parts.iter().any(Part::has_capture),
            Part::Repeated(part, ..) => part.has_capture(),
            Part::Captured(..) => true,
        }
    }

    fn may_be_empty(&self) -> bool {
        match self {
            Part::Literal(_) | Part::Nested => false,
            Part::Letters(least, _) => *least == 0,
            Part::Sequence(parts) => parts.iter().all(Part::may_be_empty),
            Part::Alternatives(arms) => arms.iter().any(Part::may_be_empty),
            Part::Repeated(part, least, _) => *least == 0 || part.may_be_empty(),
            Part::Captured(_, part) => part.may_be_empty(),
        }
    }

    /// Writes the program whose output is `r`.
    #[must_use]
    pub fn program(&self) -> String {
        let mut text = "rule r = ".to_owned();
        self.write(&mut text);
        text + "\noutput Out = r\n"
    }

    fn write(&self, text: &mut String) {
        let joined = |parts: &[Part], between: &str, text: &mut String| {
            for (at, part) in parts.iter().enumerate() {
                text.push_str(if at == 0 { "(" } else { between });
                part.write(text);
            }
            text.push(')');
        };
        match self {
            Part::Literal(literal) => {
                let _ = write!(text, "{literal:?}");
            }
            Part::Letters(least, most) => {
                let _ = write!(text, "/[ab]{{{least},{most}}}/");
            }
            Part::Sequence(parts) => joined(parts, " ", text),
            Part::Alternatives(arms) => joined(arms, " | ", text),
            Part::Repeated(part, least, most) => {
                text.push('(');
                part.write(text);
                let _ = write!(text, ")[{least}..{most}]");
            }
            Part::Captured(name, part) => {
                let _ = write!(text, "({}: (", NAMES[*name]);
                part.write(text);
                text.push_str("))");
            }
            Part::Nested => text.push_str("(\"(\" r \")\")"),
        }
    }

    /// Returns all ways to read the whole text. `ranks` is the order in which the names are preferred.
    #[must_use]
    pub fn readings(&self, text: &[u8], ranks: &[usize]) -> BTreeSet<Marked> {
        let whole = Reader { root: self, text, ranks };
        let all = whole.read(self, 0).into_iter().filter(|(end, _)| *end == text.len());
        all.map(|(_, marked)| [marked, vec![Symbol::Stop]].concat()).collect()
    }

    /// Generates a text of the part; `None` if it nests too deep.
    pub fn sample(&self, random: &mut Random, root: &Part, depth: usize) -> Option<String> {
        Some(match self {
            Part::Literal(literal) => (*literal).to_owned(),
            Part::Letters(least, most) => {
                (0..least + random.below(most - least + 1)).map(|_| ['a', 'b'][random.below(2)]).collect()
            }
            Part::Sequence(parts) => {
                parts.iter().map(|part| part.sample(random, root, depth)).collect::<Option<String>>()?
            }
            Part::Alternatives(arms) => random.choose(arms)?.sample(random, root, depth)?,
            Part::Repeated(part, least, most) => {
                let times = least + random.below(most - least + 1);
                (0..times).map(|_| part.sample(random, root, depth)).collect::<Option<String>>()?
            }
            Part::Captured(_, part) => part.sample(random, root, depth)?,
            Part::Nested => format!("({})", root.sample(random, root, depth.checked_sub(1)?)?),
        })
    }
}

/// Writes a number below `of` in binary, with as many digits as the greatest one.
fn number(number: usize, of: usize) -> Marked {
    let digits = (0..usize::BITS).find(|digits| of <= 1 << digits).unwrap_or(0);
    (0..digits).rev().map(|digit| if number >> digit & 1 == 0 { Symbol::First } else { Symbol::Other }).collect()
}

struct Reader<'a> {
    root: &'a Part,
    text: &'a [u8],
    ranks: &'a [usize],
}

impl Reader<'_> {
    /// Returns the ends of a part that begins at `from`, each with the marks up to it.
    fn read(&self, part: &Part, from: usize) -> BTreeSet<(usize, Marked)> {
        match part {
            Part::Literal(literal) => self.bytes(from, literal.len(), |rest| rest.starts_with(literal.as_bytes())),
            Part::Letters(least, most) => {
                let letters = |rest: &[u8], len: usize| rest[..len].iter().all(|byte| b"ab".contains(byte));
                (*least..=*most).flat_map(|len| self.bytes(from, len, |rest| letters(rest, len))).collect()
            }
            Part::Sequence(parts) => {
                let start = [(from, Vec::new())].into();
                parts.iter().fold(start, |before, part| self.then(&before, part))
            }
            Part::Alternatives(arms) => {
                let way = |(way, arm)| {
                    let begin = if part.captures(self.root) { number(way, arms.len()) } else { Vec::new() };
                    self.then(&[(from, begin)].into(), arm)
                };
                arms.iter().enumerate().flat_map(way).collect()
            }
            Part::Repeated(item, least, most) => {
                let with = |marks: &BTreeSet<(usize, Marked)>, way| {
                    let marked = |(at, marked): &(usize, Marked)| {
                        let way = if part.captures(self.root) { number(way, 2) } else { Vec::new() };
                        (*at, [marked.clone(), way].concat())
                    };
                    marks.iter().map(marked).collect::<BTreeSet<_>>()
                };
                let mut all = BTreeSet::new();
                let mut now: BTreeSet<(usize, Marked)> = [(from, Vec::new())].into();
                for times in 0..=*most {
                    if times >= *least {
                        all.extend(with(&now, 1));
                    }
                    now = self.then(&with(&now, 0), item);
                }
                all
            }
            Part::Captured(name, part) => {
                let inner = self.read(part, from).into_iter();
                let rank = self.ranks[*name];
                inner
                    .map(|(end, marked)| (end, [vec![Symbol::Begin(rank)], marked, vec![Symbol::End]].concat()))
                    .collect()
            }
            Part::Nested => {
                let open = self.bytes(from, 1, |rest| rest[0] == b'(');
                let inner = self.then(&open, self.root);
                let close = |(end, marked): (usize, Marked)| {
                    let last = self.bytes(end, 1, |rest| rest[0] == b')').into_iter();
                    last.map(move |(end, byte)| (end, [marked.clone(), byte].concat()))
                };
                inner.into_iter().flat_map(close).collect()
            }
        }
    }

    fn then(&self, before: &BTreeSet<(usize, Marked)>, part: &Part) -> BTreeSet<(usize, Marked)> {
        let follow = |(at, marked): &(usize, Marked)| {
            let marked = marked.clone();
            self.read(part, *at).into_iter().map(move |(end, more)| (end, [marked.clone(), more].concat()))
        };
        before.iter().flat_map(follow).collect()
    }

    fn bytes(&self, from: usize, len: usize, fits: impl Fn(&[u8]) -> bool) -> BTreeSet<(usize, Marked)> {
        let rest = &self.text[from..];
        if rest.len() < len || !fits(rest) {
            return BTreeSet::new();
        }
        [(from + len, rest[..len].iter().map(|&byte| Symbol::Byte(byte)).collect())].into()
    }
}
