//! Prints documents as text of a given width.
//!
//! A group is printed on one line if it fits and contains no comment; otherwise every [`Doc::Line`] directly in it ends
//! a line. See P. Wadler, *A prettier printer*, 2003; here with comments that end their line.

use super::doc::{Doc, head_width, starts_bracket, sum};

/// Maximum width of a line that can be broken, in characters.
const WIDTH: usize = 100;

/// Indentation of a level, in spaces.
const INDENT: usize = 2;

/// Prints a document.
pub(super) fn print(doc: &Doc) -> String {
    let mut printer =
        Printer { out: String::new(), column: 0, indent: 0, waiting: None, fresh: true, continued: false };
    printer.run(doc);
    printer.end_line();
    printer.out.truncate(printer.out.trim_end().len());
    printer.out
}

/// A part that remains to be printed: an indentation, whether the group is broken, and a document or a separator of a
/// fill.
#[derive(Clone, Copy)]
enum Task<'d> {
    Doc(&'d Doc),
    /// The separator before a part of a fill.
    Separator(&'d Doc),
}

struct Printer {
    out: String,
    column: usize,
    indent: usize,
    /// A comment to be printed before the line ends.
    waiting: Option<String>,
    /// Whether the current line is empty.
    fresh: bool,
    /// Whether only a comment ended the line, so that the next line continues the same text.
    continued: bool,
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
                let broken =
                    *broken || self.waiting.is_some() || !self.fits(docs, stack, WIDTH.saturating_sub(self.column));
                push_all(docs, indent, broken, stack);
            }
            Doc::Fill(parts) => push_fill(parts, indent, stack),
        }
    }

    /// Ends the line if the next part of a fill does not fit on it; a record is broken in place instead.
    fn separator(&mut self, next: &Doc, stack: &Stack<'_>) {
        let rest = stack.split_last().map_or(&[][..], |(_, rest)| rest);
        let fits = self.fits(std::slice::from_ref(next), rest, WIDTH.saturating_sub(self.column + 1));
        if self.waiting.is_some() || !fits && !starts_bracket(next) {
            self.end_line();
        } else {
            self.space();
        }
    }

    /// Returns whether documents and the text after them on the same line are no wider than `room`.
    fn fits(&self, docs: &[Doc], rest: &[(usize, bool, Task<'_>)], mut room: usize) -> bool {
        match sum(docs, 0, room) {
            Some(width) if width <= room => room -= width,
            _ => return false,
        }
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
            self.continued = true;
        } else if !self.fresh {
            self.push(" ");
        }
    }

    /// Writes a text; starts a new line first if a comment waits for the end of the line.
    fn write(&mut self, text: &str) {
        if self.waiting.is_some() {
            self.end_line();
            self.continued = true;
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
            self.column = self.indent + if self.continued { INDENT } else { 0 };
            self.out.extend(std::iter::repeat_n(' ', self.column));
            (self.fresh, self.continued) = (false, false);
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
        let continued = !self.fresh || self.continued;
        self.end_line();
        self.continued = continued;
        self.push(comment);
        self.end_line();
        self.continued = continued;
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
