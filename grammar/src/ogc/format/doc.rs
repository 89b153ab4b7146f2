//! Documents: texts with places where lines may end, and their printing to a width.
//!
//! A group is printed on one line where it fits and has no comment in it; otherwise every [`Doc::Line`] directly in it
//! ends a line. See P. Wadler, *A prettier printer*, 2003; here with comments that end their line.

/// How wide lines are, where it can be done.
pub(super) const WIDTH: usize = 100;

/// How far an inner level is moved to the right.
const INDENT: usize = 2;

/// A text with places where lines may end.
#[derive(Debug)]
pub(super) enum Doc {
    Text(String),
    /// A comma, which goes before a comment that waits for the end of the line.
    Comma,
    /// A space, or the end of a line in a broken group.
    Line,
    /// Nothing, or the end of a line in a broken group.
    Soft,
    /// The end of a line.
    Hard,
    /// An empty line in a broken group, if one is wanted.
    Blank,
    /// A text that is there in a broken group only.
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
    /// Parts with a space between, or the end of a line where the next part would not fit.
    Fill(Vec<Doc>),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    /// A group that is broken if `broken` or if something in it ends a line.
    pub(super) fn group(docs: Vec<Doc>, broken: bool) -> Doc {
        let broken = broken || docs.iter().any(Doc::ends_line);
        Doc::Group { docs, broken }
    }

    /// Whether it cannot be printed on one line.
    pub(super) fn ends_line(&self) -> bool {
        match self {
            Doc::Hard | Doc::Trailing(_) | Doc::OwnLine(_) => true,
            Doc::Group { broken, .. } => *broken,
            Doc::Nest(docs) | Doc::Fill(docs) => docs.iter().any(Doc::ends_line),
            Doc::Text(_) | Doc::Comma | Doc::Line | Doc::Soft | Doc::Blank | Doc::IfBroken(_) => false,
        }
    }
}

/// Prints a document.
pub(super) fn print(doc: &Doc) -> String {
    let mut printer = Printer { out: String::new(), column: 0, indent: 0, waiting: None, fresh: true };
    printer.run(doc);
    printer.end_line();
    printer.out.truncate(printer.out.trim_end().len());
    printer.out
}

/// What is left to print: an indentation, whether the group is broken, and a document or a separator of a fill.
#[derive(Clone, Copy)]
enum Task<'d> {
    Doc(&'d Doc),
    /// The separator before this part of a fill.
    Separator(&'d Doc),
}

struct Printer {
    out: String,
    column: usize,
    indent: usize,
    /// A comment to be printed before the line ends.
    waiting: Option<String>,
    /// Whether nothing stands on the current line.
    fresh: bool,
}

type Stack<'d> = Vec<(usize, bool, Task<'d>)>;

impl Printer {
    fn run(&mut self, doc: &Doc) {
        let mut stack: Stack<'_> = vec![(0, true, Task::Doc(doc))];
        while let Some((indent, broken, task)) = stack.pop() {
            self.indent = indent;
            match task {
                Task::Separator(next) => self.separator(next, &stack),
                Task::Doc(doc) => self.doc(doc, indent, broken, &mut stack),
            }
        }
    }

    fn doc<'d>(&mut self, doc: &'d Doc, indent: usize, broken: bool, stack: &mut Stack<'d>) {
        match doc {
            Doc::Text(text) => self.write(text),
            Doc::Comma => self.push(","),
            Doc::Line if broken => self.end_line(),
            Doc::Line => self.space(),
            Doc::Soft if broken => self.end_line(),
            Doc::Hard => self.end_line(),
            Doc::Blank if broken => self.blank(),
            Doc::IfBroken(text) if broken => self.write(text),
            Doc::Soft | Doc::Blank | Doc::IfBroken(_) => {}
            Doc::Trailing(comment) => self.wait(comment),
            Doc::OwnLine(comment) => self.own_line(comment),
            Doc::Nest(docs) => push_all(docs, indent + INDENT, broken, stack),
            Doc::Group { docs, broken } => {
                let broken = *broken || self.waiting.is_some() || !self.fits(docs, stack);
                push_all(docs, indent, broken, stack);
            }
            Doc::Fill(parts) => push_fill(parts, indent, stack),
        }
    }

    /// Ends the line where the next part of a fill does not fit on it but would on the next.
    fn separator(&mut self, next: &Doc, _rest: &Stack<'_>) {
        let room = WIDTH.saturating_sub(self.column + 1);
        if self.waiting.is_some() || width(next, room).is_none_or(|width| width > room) && !starts_bracket(next) {
            self.end_line();
        } else {
            self.space();
        }
    }

    fn fits(&self, docs: &[Doc], rest: &Stack<'_>) -> bool {
        let mut room = WIDTH.saturating_sub(self.column);
        for doc in docs {
            match width(doc, room) {
                Some(width) if width <= room => room -= width,
                _ => return false,
            }
        }
        // What follows on the same line must fit too.
        for (_, broken, task) in rest.iter().rev() {
            let Task::Doc(doc) = task else { return true };
            let (width, ends) = head_width(doc, *broken);
            if width > room {
                return false;
            }
            room -= width;
            if ends {
                return true;
            }
        }
        true
    }

    fn space(&mut self) {
        if self.waiting.is_some() {
            self.end_line();
        } else if !self.fresh {
            self.push(" ");
        }
    }

    /// Writes a text, on a new line where a comment waits for the end of this one.
    fn write(&mut self, text: &str) {
        if self.waiting.is_some() {
            self.end_line();
        }
        if !(self.fresh && text == " ") {
            self.push(text);
        }
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.fresh {
            self.out.extend(std::iter::repeat_n(' ', self.indent));
            self.column = self.indent;
            self.fresh = false;
        }
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn wait(&mut self, comment: &str) {
        if self.waiting.is_some() {
            self.end_line();
        }
        self.waiting = Some(comment.to_owned());
    }

    fn own_line(&mut self, comment: &str) {
        if !self.fresh || self.waiting.is_some() {
            self.end_line();
        }
        self.push(comment);
        self.end_line();
    }

    fn blank(&mut self) {
        self.end_line();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn end_line(&mut self) {
        if let Some(comment) = self.waiting.take() {
            let gap = if self.fresh { "" } else { "  " };
            self.push(&format!("{gap}{comment}"));
        }
        if self.fresh {
            return;
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        (self.fresh, self.column) = (true, self.indent);
    }
}

fn push_all<'d>(docs: &'d [Doc], indent: usize, broken: bool, stack: &mut Stack<'d>) {
    stack.extend(docs.iter().rev().map(|doc| (indent, broken, Task::Doc(doc))));
}

fn push_fill<'d>(parts: &'d [Doc], indent: usize, stack: &mut Stack<'d>) {
    for (index, part) in parts.iter().enumerate().rev() {
        stack.push((indent, false, Task::Doc(part)));
        if index > 0 {
            stack.push((indent, false, Task::Separator(part)));
        }
    }
}

/// Whether it is a record that may be broken in place.
fn starts_bracket(doc: &Doc) -> bool {
    match doc {
        Doc::Text(text) => text == "{",
        Doc::Group { docs, .. } | Doc::Nest(docs) | Doc::Fill(docs) => docs.first().is_some_and(starts_bracket),
        _ => false,
    }
}

/// The width on one line; `None` where it cannot be there or is wider than `room`.
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

fn sum(docs: &[Doc], start: usize, room: usize) -> Option<usize> {
    let mut total = start;
    for doc in docs {
        total += width(doc, room.saturating_sub(total))?;
        if total > room {
            return None;
        }
    }
    Some(total)
}

/// The width up to the first place where a line may end, and whether there is one.
fn head_width(doc: &Doc, broken: bool) -> (usize, bool) {
    match doc {
        Doc::Text(text) => (text.chars().count(), false),
        Doc::Comma => (1, false),
        Doc::Line | Doc::Soft => (usize::from(!broken), broken),
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
