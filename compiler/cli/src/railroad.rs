//! Draws railroad diagrams as inline SVG from a tree that is neutral of the input language.
//!
//! # Steps
//!
//! 1. A caller that knows an input language turns its rules into a [`Diagram`].
//! 2. [`layout`] gives every part its size and place.
//! 3. [`mod@svg`] draws it. Colours and fonts are the page's: parts have classes only.

mod layout;
mod svg;

pub(crate) use svg::svg;

/// A railroad diagram as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Diagram {
    /// The empty text.
    Skip,
    /// Literal characters.
    Terminal(String),
    /// Characters that are described and not spelt: a class, a pattern, a type.
    Described(String),
    /// A rule with a diagram of its own, and its anchor if that is on the page.
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
    /// A part that is repeated once or more, and the separator between two.
    Repeat(Box<Diagram>, Box<Diagram>),
    /// A part with a label above it.
    Labelled(String, Box<Diagram>),
}

/// The most parts of a choice or a sequence that are drawn.
const MOST_PARTS: usize = 60;

impl Diagram {
    pub(crate) fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }

    /// Repeats a part once or more, without separators.
    pub(crate) fn repeated(self) -> Self {
        Self::Repeat(Box::new(self), Box::new(Self::Skip))
    }

    pub(crate) fn labelled(self, label: impl Into<String>) -> Self {
        Self::Labelled(label.into(), Box::new(self))
    }

    /// Repeats a part `min` to `max` times (without `max`: from `min`), with `between` between two.
    pub(crate) fn times(self, min: u64, max: Option<u64>, between: Option<Diagram>) -> Self {
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
    pub(crate) fn sequence(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Sequence)
    }

    /// Makes alternatives; too many are cut.
    pub(crate) fn choice(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Choice)
    }

    /// Makes a sequence with a line for each part.
    pub(crate) fn lines(parts: Vec<Diagram>) -> Self {
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

#[cfg(test)]
mod tests;
