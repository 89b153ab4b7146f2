//! Defines railroad diagrams as trees that do not depend on the input language.

/// A railroad diagram as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagram {
    /// The empty text.
    Skip,
    /// Literal characters.
    Terminal(String),
    /// Characters that are described instead of spelled out: a class, a pattern, a type.
    Described(String),
    /// A rule with a diagram of its own, and the diagram's anchor if it is on the page.
    Nonterminal(String, Option<String>),
    /// A remark on the line.
    Comment(String),
    /// Parts in sequence.
    Sequence(Vec<Diagram>),
    /// Parts in sequence, each on a line of its own.
    Lines(Vec<Diagram>),
    /// Alternatives.
    Choice(Vec<Diagram>),
    /// An optional part.
    Optional(Box<Diagram>),
    /// A part that is repeated at least once, and the separator between repetitions.
    Repeat(Box<Diagram>, Box<Diagram>),
    /// A part with a label above it.
    Labelled(String, Box<Diagram>),
}

/// Maximum number of parts drawn of a choice or a sequence.
const MOST_PARTS: usize = 60;

impl Diagram {
    /// Makes a part optional.
    #[must_use]
    pub fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }

    /// Repeats a part at least once, without separators.
    #[must_use]
    pub fn repeated(self) -> Self {
        Self::Repeat(Box::new(self), Box::new(Self::Skip))
    }

    /// Writes a label above a part.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self::Labelled(label.into(), Box::new(self))
    }

    /// Repeats a part `min` to `max` times (from `min` on, if `max` is `None`), with `between` between repetitions.
    #[must_use]
    pub fn times(self, min: u64, max: Option<u64>, between: Option<Diagram>) -> Self {
        let words = match (min, max) {
            (_, Some(0)) => return Self::Skip,
            (0, Some(1)) => return self.optional(),
            (1, Some(1)) => return self,
            (0 | 1, None) => None,
            (min, None) => Some(format!("{min} times or more")),
            (min, Some(max)) if min == max => Some(format!("{min} times")),
            (0 | 1, Some(max)) => Some(format!("up to {max} times")),
            (min, Some(max)) => Some(format!("{min} to {max} times")),
        };
        let back: Vec<Diagram> = between.into_iter().chain(words.map(Diagram::Comment)).collect();
        let many = Self::Repeat(Box::new(self), Box::new(Self::sequence(back)));
        if min == 0 { many.optional() } else { many }
    }

    /// Makes a sequence; a long one is cut.
    #[must_use]
    pub fn sequence(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Sequence)
    }

    /// Makes alternatives; too many are cut.
    #[must_use]
    pub fn choice(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Choice)
    }

    /// Makes a sequence with a line for each part.
    #[must_use]
    pub fn lines(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Lines)
    }

    fn several(mut parts: Vec<Diagram>, join: fn(Vec<Diagram>) -> Diagram) -> Self {
        if parts.len() > MOST_PARTS {
            let more = parts.len() - MOST_PARTS;
            parts.truncate(MOST_PARTS);
            parts.push(Self::Comment(format!("and {more} more")));
        }
        match (parts.pop(), parts.is_empty()) {
            (None, _) => Self::Skip,
            (Some(only), true) => only,
            (Some(last), false) => {
                parts.push(last);
                join(parts)
            }
        }
    }
}
