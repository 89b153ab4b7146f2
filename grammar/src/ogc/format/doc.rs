//! Documents in the sense of pretty-printing (Wadler, "A prettier printer"): texts with places where lines may end, and
//! the widths of texts.

/// A text with places where lines may end.
#[derive(Debug)]
pub(super) enum Doc {
    Text(String),
    /// A comma, which is printed before a comment that waits for the end of the line.
    Comma,
    /// A space, or the end of a line in a broken group.
    Line,
    /// Nothing, or the end of a line in a broken group.
    Soft,
    /// The end of a line.
    Hard,
    /// An empty line in a broken group, if the source has one.
    Blank,
    /// A text that is printed in a broken group only.
    IfBroken(&'static str),
    /// A comment at the end of its line.
    Trailing(String),
    /// A comment on a line of its own.
    OwnLine(String),
    Nest(Vec<Doc>),
    Group {
        docs: Vec<Doc>,
        broken: bool,
    },
    /// Parts with a space between them, or a line end if the next part would not fit.
    Fill(Vec<Doc>),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    /// Returns a group that is broken if `broken` is set or a document in it ends a line.
    pub(super) fn group(docs: Vec<Doc>, broken: bool) -> Doc {
        let broken = broken || docs.iter().any(Doc::ends_line);
        Doc::Group { docs, broken }
    }

    /// Returns whether the document cannot be printed on one line.
    pub(super) fn ends_line(&self) -> bool {
        match self {
            Doc::Hard | Doc::Trailing(_) | Doc::OwnLine(_) => true,
            Doc::Group { broken, .. } => *broken,
            Doc::Nest(docs) | Doc::Fill(docs) => docs.iter().any(Doc::ends_line),
            Doc::Text(_) | Doc::Comma | Doc::Line | Doc::Soft | Doc::Blank | Doc::IfBroken(_) => false,
        }
    }
}

/// Returns whether the document is a record, after an operator or not, that may be broken in place.
pub(super) fn starts_bracket(doc: &Doc) -> bool {
    match doc {
        Doc::Text(text) => text == "{",
        Doc::Group { docs, .. } | Doc::Nest(docs) | Doc::Fill(docs) => {
            let operator = |doc: &&Doc| matches!(doc, Doc::Text(text) if matches!(text.as_str(), "&" | "-" | " "));
            docs.iter().find(|doc| !operator(doc)).is_some_and(starts_bracket)
        }
        _ => false,
    }
}

/// Returns the width of the document on one line; `None` if it does not fit on one line or is wider than `room`.
fn width(doc: &Doc, room: usize) -> Option<usize> {
    match doc {
        Doc::Text(text) => Some(text.chars().count()),
        Doc::Comma | Doc::Line => Some(1),
        Doc::Soft | Doc::Blank | Doc::IfBroken(_) => Some(0),
        Doc::Hard | Doc::Trailing(_) | Doc::OwnLine(_) => None,
        Doc::Group { broken: true, .. } => None,
        Doc::Group { docs, .. } | Doc::Nest(docs) => sum(docs, 0, room),
        Doc::Fill(docs) => sum(docs, docs.len().saturating_sub(1), room),
    }
}

pub(super) fn sum(docs: &[Doc], start: usize, room: usize) -> Option<usize> {
    let mut total = start;
    for doc in docs {
        total += width(doc, room.saturating_sub(total))?;
        if total > room {
            return None;
        }
    }
    Some(total)
}

/// Returns the width up to the first place where a line may end, and whether there is such a place.
pub(super) fn head_width(doc: &Doc, broken: bool) -> (usize, bool) {
    match doc {
        Doc::Text(text) => (text.chars().count(), false),
        Doc::Comma => (1, false),
        Doc::Line => (usize::from(!broken), broken),
        Doc::Soft => (0, broken),
        Doc::Blank => (0, broken),
        Doc::IfBroken(text) => (if broken { text.len() } else { 0 }, false),
        Doc::Hard | Doc::OwnLine(_) | Doc::Trailing(_) => (0, true),
        Doc::Nest(docs) => head_of(docs, broken),
        Doc::Group { docs, .. } => head_of(docs, true),
        Doc::Fill(docs) => head_of(docs.get(..1).unwrap_or(&[]), false),
    }
}

fn head_of(docs: &[Doc], broken: bool) -> (usize, bool) {
    let mut total = 0;
    for doc in docs {
        let (width, ends) = head_width(doc, broken);
        total += width;
        if ends {
            return (total, true);
        }
    }
    (total, false)
}
