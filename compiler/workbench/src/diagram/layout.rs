//! Computes the size of every part of a diagram, in SVG user units. The line enters a part at its left and leaves it at
//! its right, both on the baseline; `up` and `down` are the part's extents above and below it.

use super::Diagram;

/// Radius of curves.
pub(super) const ARC: i32 = 10;
/// Horizontal space between two parts on a line.
pub(super) const GAP: i32 = 14;
/// Vertical space between two lines.
pub(super) const LEAD: i32 = 10;
/// Half the height of a box.
pub(super) const HALF: i32 = 14;
/// Width of a character in a box.
pub(super) const CHAR: i32 = 8;
/// Width of a character in a comment or label.
pub(super) const SMALL_CHAR: i32 = 7;
/// The height of a label.
pub(super) const LABEL: i32 = 20;
/// The space around a labelled part.
pub(super) const INSET: i32 = 10;
/// Width from which a sequence continues on a new line.
const WRAP: i32 = 900;
/// Maximum number of characters shown in a box.
const LONGEST: usize = 108;

/// A part with its size.
#[derive(Debug)]
pub(super) struct Laid<'d> {
    pub(super) width: i32,
    pub(super) up: i32,
    pub(super) down: i32,
    pub(super) shape: Shape<'d>,
}

/// The style of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Terminal,
    Described,
    Nonterminal,
}

/// The shape of a part.
#[derive(Debug)]
pub(super) enum Shape<'d> {
    Line,
    Box { look: Look, text: &'d str, shown: String, place: Option<&'d str> },
    Comment { text: &'d str, shown: String },
    Row(Vec<Laid<'d>>),
    Lines(Vec<Laid<'d>>),
    Choice(Vec<Laid<'d>>),
    Bypass(Box<Laid<'d>>),
    Loop(Box<Laid<'d>>, Box<Laid<'d>>),
    Frame(&'d str, Box<Laid<'d>>),
}

/// Computes the size of a diagram and of everything in it.
pub(super) fn layout(diagram: &Diagram) -> Laid<'_> {
    match diagram {
        Diagram::Skip => Laid { width: 0, up: 0, down: 0, shape: Shape::Line },
        Diagram::Terminal(text) => boxed(Look::Terminal, text, None),
        Diagram::Described(text) => boxed(Look::Described, text, None),
        Diagram::Nonterminal(text, place) => boxed(Look::Nonterminal, text, place.as_deref()),
        Diagram::Comment(text) => comment(text),
        Diagram::Sequence(parts) => sequence(all(parts)),
        Diagram::Lines(parts) => lines(all(parts)),
        Diagram::Choice(parts) => choice(all(parts)),
        Diagram::Optional(part) => bypass(layout(part)),
        Diagram::Repeat(part, between) => repeat(layout(part), layout(between)),
        Diagram::Labelled(label, part) => frame(label, layout(part)),
    }
}

fn all(parts: &[Diagram]) -> Vec<Laid<'_>> {
    parts.iter().map(layout).collect()
}

/// Returns the width of a text in columns; many characters beyond Latin take two.
pub(super) fn columns(text: &str) -> i32 {
    text.chars().map(|c| if u32::from(c) >= 0x1100 { 2 } else { 1 }).sum()
}

/// Cuts a text that is too long for a box, with an ellipsis.
fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST).chain(['…']).collect() }
}

fn boxed<'d>(look: Look, text: &'d str, place: Option<&'d str>) -> Laid<'d> {
    let shown = cut(text);
    let width = columns(&shown) * CHAR + 2 * HALF - 4;
    Laid { width, up: HALF, down: HALF, shape: Shape::Box { look, text, shown, place } }
}

fn comment(text: &str) -> Laid<'_> {
    let shown = cut(text);
    let width = columns(&shown) * SMALL_CHAR + GAP;
    Laid { width, up: LEAD, down: LEAD, shape: Shape::Comment { text, shown } }
}

fn tallest(parts: &[Laid<'_>]) -> (i32, i32) {
    let up = parts.iter().map(|part| part.up).max().unwrap_or(0);
    (up, parts.iter().map(|part| part.down).max().unwrap_or(0))
}

fn widest(parts: &[Laid<'_>]) -> i32 {
    parts.iter().map(|part| part.width).max().unwrap_or(0)
}

/// Lays parts out on one line, or on several if they are too wide.
fn sequence(parts: Vec<Laid<'_>>) -> Laid<'_> {
    let mut rows: Vec<Vec<Laid<'_>>> = vec![Vec::new()];
    let mut room = WRAP;
    for part in parts {
        let first = rows.last().is_none_or(Vec::is_empty);
        if !first && part.width > room {
            rows.push(Vec::new());
            room = WRAP;
        }
        room -= part.width + GAP;
        if let Some(row) = rows.last_mut() {
            row.push(part);
        }
    }
    let mut rows: Vec<Laid<'_>> = rows.into_iter().map(row).collect();
    match rows.len() {
        1 => rows.remove(0),
        _ => lines(rows),
    }
}

fn row(parts: Vec<Laid<'_>>) -> Laid<'_> {
    let gaps = GAP * (parts.len().max(1) as i32 - 1);
    let (up, down) = tallest(&parts);
    Laid { width: parts.iter().map(|part| part.width).sum::<i32>() + gaps, up, down, shape: Shape::Row(parts) }
}

fn lines(rows: Vec<Laid<'_>>) -> Laid<'_> {
    let up = rows.first().map_or(0, |row| row.up);
    let fall: i32 = rows.iter().zip(rows.iter().skip(1)).map(|(above, below)| turn(above) + rise(below)).sum();
    let down = fall + rows.last().map_or(0, |row| row.down);
    Laid { width: widest(&rows) + 5 * ARC, up, down, shape: Shape::Lines(rows) }
}

/// Returns the distance from a line's baseline down to the line that runs back to the left.
pub(super) fn turn(above: &Laid<'_>) -> i32 {
    (above.down + LEAD).max(2 * ARC)
}

/// Returns the distance from the line that runs back to the left down to the next line's baseline.
pub(super) fn rise(below: &Laid<'_>) -> i32 {
    (below.up + LEAD).max(2 * ARC)
}

/// Returns the distance of each alternative's baseline below the first one's.
pub(super) fn offsets(parts: &[Laid<'_>]) -> Vec<i32> {
    let mut at = 0;
    let mut before: Option<&Laid<'_>> = None;
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        if let Some(before) = before {
            // Parts with several lines get more distance, so that each is recognisable as one part.
            let tall = before.down > 2 * HALF || part.down > 2 * HALF;
            at += (before.down + if tall { 3 * LEAD } else { LEAD } + part.up).max(2 * ARC);
        }
        all.push(at);
        before = Some(part);
    }
    all
}

fn choice(parts: Vec<Laid<'_>>) -> Laid<'_> {
    let up = parts.first().map_or(0, |part| part.up);
    let last = parts.last().map_or(0, |part| part.down);
    let down = offsets(&parts).last().map_or(0, |offset| offset + last);
    Laid { width: widest(&parts) + 4 * ARC, up, down, shape: Shape::Choice(parts) }
}

fn bypass(part: Laid<'_>) -> Laid<'_> {
    let up = (part.up + LEAD).max(2 * ARC);
    Laid { width: part.width + 4 * ARC, up, down: part.down, shape: Shape::Bypass(Box::new(part)) }
}

/// Returns the distance of the backward line below a repeated part.
pub(super) fn back(part: &Laid<'_>, between: &Laid<'_>) -> i32 {
    (part.down + LEAD + between.up).max(2 * ARC)
}

fn repeat<'d>(part: Laid<'d>, between: Laid<'d>) -> Laid<'d> {
    let (width, up) = (part.width.max(between.width) + 4 * ARC, part.up);
    let down = back(&part, &between) + between.down;
    Laid { width, up, down, shape: Shape::Loop(Box::new(part), Box::new(between)) }
}

fn frame<'d>(label: &'d str, part: Laid<'d>) -> Laid<'d> {
    let width = (part.width + 2 * INSET).max(columns(label) * SMALL_CHAR + 2 * INSET);
    Laid { width, up: part.up + LABEL, down: part.down + INSET, shape: Shape::Frame(label, Box::new(part)) }
}
