//! Lists of the marks of each reading so far, which share their beginnings.

use super::Capture;

/// A mark in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The capture of this name begins.
    Begin(usize),
    /// The capture that began last ends.
    End,
}

/// A list of marks; `None` is the empty one.
pub(super) type Trail = Option<u32>;

/// The arena of all lists: each node is a mark and the list before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails {
    nodes: Vec<(Trail, Event, usize)>,
}

impl Trails {
    /// Returns a list with one more mark, at a byte of the text.
    pub(super) fn then(&mut self, trail: Trail, event: Event, at: usize) -> Trail {
        self.nodes.push((trail, event, at));
        Some(self.nodes.len() as u32 - 1)
    }

    /// Builds the captures that a list marks.
    pub(super) fn captures(&self, trail: Trail, names: &[String]) -> Vec<Capture> {
        let mut marks = Vec::new();
        let mut at = trail;
        while let Some(&(before, event, place)) = at.and_then(|node| self.nodes.get(node as usize)) {
            marks.push((event, place));
            at = before;
        }
        let mut done = Vec::new();
        let mut open: Vec<Capture> = Vec::new();
        for (event, place) in marks.into_iter().rev() {
            match event {
                Event::Begin(name) => {
                    let name = names.get(name).cloned().unwrap_or_default();
                    open.push(Capture { name, start: place, end: None, inner: Vec::new() });
                }
                Event::End => close(&mut open, &mut done, Some(place)),
            }
        }
        while !open.is_empty() {
            close(&mut open, &mut done, None);
        }
        done
    }
}

/// Ends the capture that began last, and puts it into the one around it.
fn close(open: &mut Vec<Capture>, done: &mut Vec<Capture>, end: Option<usize>) {
    let Some(capture) = open.pop() else { return };
    let around = open.last_mut().map_or(done, |around| &mut around.inner);
    around.push(Capture { end, ..capture });
}
