//! The marks of each reading so far, as linked lists that share common beginnings.

use super::{Capture, CapturePart};

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The part with this index begins.
    Begin(usize),
    /// The part that began last ends.
    End,
}

/// A mark in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) event: Event,
    /// The offset of the byte that the mark precedes.
    pub(crate) at: usize,
}

/// A list of marks; `None` is the empty one.
pub(super) type Trail = Option<u32>;

/// The arena of all lists: a node is a mark and the list of the marks before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails {
    nodes: Vec<(Trail, Mark)>,
}

impl Trails {
    /// Returns the list extended by a mark before byte `at` of the text.
    pub(super) fn then(&mut self, trail: Trail, event: Event, at: usize) -> Trail {
        self.nodes.push((trail, Mark { event, at }));
        Some(self.nodes.len() as u32 - 1)
    }

    /// Returns the marks of a list, first mark first.
    pub(super) fn marks(&self, trail: Trail) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut at = trail;
        while let Some(&(before, mark)) = at.and_then(|node| self.nodes.get(node as usize)) {
            marks.push(mark);
            at = before;
        }
        marks.reverse();
        marks
    }

    /// Builds the captures from the marks of a list.
    pub(super) fn captures(&self, trail: Trail, parts: &[CapturePart]) -> Vec<Capture> {
        let mut done = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for Mark { event, at } in self.marks(trail) {
            match event {
                Event::Begin(part) => {
                    let name = match parts.get(part) {
                        Some(CapturePart::Capture(name)) => Some(name.clone()),
                        Some(CapturePart::Call(_) | CapturePart::Value) | None => None,
                    };
                    open.push(Open { name, start: at, inner: Vec::new() });
                }
                Event::End => close(&mut open, &mut done, Some(at)),
            }
        }
        while !open.is_empty() {
            close(&mut open, &mut done, None);
        }
        done
    }
}

/// A part that has not ended.
struct Open {
    /// The name of a capture; `None` for another part.
    name: Option<String>,
    start: usize,
    inner: Vec<Capture>,
}

/// Ends the part that began last. A capture is added to the part around it; another part passes on its inner captures instead.
fn close(open: &mut Vec<Open>, done: &mut Vec<Capture>, end: Option<usize>) {
    let Some(Open { name, start, inner }) = open.pop() else { return };
    let around = open.last_mut().map_or(done, |around| &mut around.inner);
    match name {
        Some(name) => around.push(Capture { name, start, end, inner }),
        None => around.extend(inner),
    }
}
