//! Railroad diagrams: a neutral tree of what may follow what, drawn as inline SVG.
//!
//! # Steps
//!
//! 1. Whoever knows a language writes its rules as a [`Diagram`].
//! 2. [`layout`] gives every part its size and place.
//! 3. [`mod@svg`] draws it. Colours and fonts are the page's: parts have classes only.

mod layout;
mod svg;

pub(crate) use svg::svg;

/// What may follow what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Diagram {
    /// Nothing.
    Skip,
    /// These very characters.
    Terminal(String),
    /// Characters that are described, not spelt: a class, a pattern, a type.
    Described(String),
    /// Something that has a diagram of its own, and the name of its place on the page if it is there.
    Nonterminal(String, Option<String>),
    /// Words about the way.
    Comment(String),
    /// One after another.
    Sequence(Vec<Diagram>),
    /// One after another, each on a line of its own.
    Lines(Vec<Diagram>),
    /// One of these.
    Choice(Vec<Diagram>),
    /// This or nothing.
    Optional(Box<Diagram>),
    /// Once or more, with this between two.
    Repeat(Box<Diagram>, Box<Diagram>),
    /// A part with words above it.
    Labelled(String, Box<Diagram>),
}

/// How many parts of a choice or a sequence are drawn.
const MOST_PARTS: usize = 60;

impl Diagram {
    pub(crate) fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }

    /// Once or more, with nothing between.
    pub(crate) fn repeated(self) -> Self {
        Self::Repeat(Box::new(self), Box::new(Self::Skip))
    }

    pub(crate) fn labelled(self, label: impl Into<String>) -> Self {
        Self::Labelled(label.into(), Box::new(self))
    }

    /// `min` to `max` times with `between` between two; without `max`, any number from `min`.
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

    /// One after another; a long sequence is cut.
    pub(crate) fn sequence(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Sequence)
    }

    /// One of these; many alternatives are cut.
    pub(crate) fn choice(parts: Vec<Diagram>) -> Self {
        Self::several(parts, Self::Choice)
    }

    /// One after another, a line each.
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
