//! Draws diagrams as SVG. Every box has its full text as a title, and kinds of boxes differ in shape, so that nothing
//! depends on colour.

use std::fmt::Write as _;

use super::Diagram;
use super::layout::{
    ARC, CHAR, GAP, HALF, INSET, LABEL, LEAD, Laid, Look, SMALL_CHAR, Shape, back, columns, layout, offsets, rise, turn,
};
use crate::markup::escape;

/// The space around a diagram.
const MARGIN: i32 = 12;
/// The length of the line at each end of a diagram.
const END: i32 = 20;

/// Draws a diagram as an SVG element with a title.
pub fn svg(diagram: &Diagram, title: &str) -> String {
    let laid = layout(diagram);
    let (width, height) = (laid.width + 2 * (MARGIN + END), laid.up + laid.down + 2 * MARGIN);
    let mut pen = Pen { out: String::new() };
    let (x, y) = (MARGIN + END, MARGIN + laid.up);
    pen.path(format_args!("M{MARGIN} {} v16 m6 -16 v16 M{MARGIN} {y} H{x}", y - 8));
    pen.part(&laid, x, y);
    let end = x + laid.width;
    pen.path(format_args!("M{end} {y} h{END} M{} {} v16 m-6 -16 v16", end + END, y - 8));
    format!(
        "<svg class=\"rail\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
         <title>{}</title>{}</svg>",
        escape(title),
        pen.out
    )
}

/// The SVG written so far.
struct Pen {
    out: String,
}

impl Pen {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn path(&mut self, path: std::fmt::Arguments<'_>) {
        self.put(format_args!("<path class=\"line\" d=\"{path}\"/>"));
    }

    fn line(&mut self, from: i32, to: i32, y: i32) {
        if to > from {
            self.path(format_args!("M{from} {y} H{to}"));
        }
    }

    /// Draws a part whose baseline begins at `x`, `y`.
    fn part(&mut self, laid: &Laid<'_>, x: i32, y: i32) {
        match &laid.shape {
            Shape::Line => {}
            Shape::Box { look, text, shown, place } => {
                let link = place.map(|place| format!("<a href=\"#{}\">", escape(place)));
                self.put(format_args!("{}", link.as_deref().unwrap_or_default()));
                self.boxed(*look, text, shown, (x, y, laid.width));
                self.put(format_args!("{}", if link.is_some() { "</a>" } else { "" }));
            }
            Shape::Comment { text, shown } => self.comment(text, shown, x, y, laid.width),
            Shape::Row(parts) => self.row(parts, x, y),
            Shape::Lines(rows) => self.lines(rows, x, y, laid.width),
            Shape::Choice(parts) => self.choice(parts, x, y, laid.width),
            Shape::Bypass(part) => self.bypass(part, x, y, laid),
            Shape::Loop(part, between) => self.repeat(part, between, x, y, laid.width),
            Shape::Frame(label, part) => self.frame(label, part, x, y, laid),
        }
    }

    fn boxed(&mut self, look: Look, text: &str, shown: &str, (x, y, width): (i32, i32, i32)) {
        let (class, words, round) = match look {
            Look::Terminal => ("terminal", "these characters", HALF),
            Look::Described => ("described", "characters like", 4),
            Look::Nonterminal => ("nonterminal", "the diagram", 0),
        };
        let (top, height, text_x) = (y - HALF, 2 * HALF, x + width / 2);
        let length = columns(shown) * CHAR;
        self.put(format_args!(
            "<g class=\"{class}\"><title>{words}: {}</title><rect x=\"{x}\" y=\"{top}\" width=\"{width}\" \
             height=\"{height}\" rx=\"{round}\"/><text x=\"{text_x}\" y=\"{}\" textLength=\"{length}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text></g>",
            escape(text),
            y + 5,
            escape(shown)
        ));
    }

    fn comment(&mut self, text: &str, shown: &str, x: i32, y: i32, width: i32) {
        let (middle, length) = (x + width / 2, columns(shown) * SMALL_CHAR);
        self.put(format_args!(
            "<g class=\"comment\"><title>{}</title><rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\"/><text \
             x=\"{middle}\" y=\"{}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{}</text></g>",
            escape(text),
            y - LEAD,
            2 * LEAD,
            y + 4,
            escape(shown)
        ));
    }

    fn row(&mut self, parts: &[Laid<'_>], mut x: i32, y: i32) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.line(x, x + GAP, y);
                x += GAP;
            }
            self.part(part, x, y);
            x += part.width;
        }
    }

    /// Draws lines one below the other: the end of each line is joined to the start of the next, and the end of the
    /// last to the exit.
    fn lines(&mut self, rows: &[Laid<'_>], x: i32, top: i32, width: i32) {
        let (start, mut y) = (x + 2 * ARC, top);
        self.line(x, start, top);
        for (index, row) in rows.iter().enumerate() {
            self.part(row, start, y);
            let end = start + row.width;
            let Some(below) = rows.get(index + 1) else {
                self.path(format_args!(
                    "M{end} {y} H{} a{ARC} {ARC} 0 0 0 {ARC} -{ARC} V{} a{ARC} {ARC} 0 0 1 {ARC} -{ARC}",
                    x + width - 2 * ARC,
                    top + ARC
                ));
                return;
            };
            let (middle, next) = (y + turn(row), y + turn(row) + rise(below));
            self.path(format_args!(
                "M{end} {y} a{ARC} {ARC} 0 0 1 {ARC} {ARC} V{} a{ARC} {ARC} 0 0 1 -{ARC} {ARC} H{start} \
                 a{ARC} {ARC} 0 0 0 -{ARC} {ARC} V{} a{ARC} {ARC} 0 0 0 {ARC} {ARC}",
                middle - ARC,
                next - ARC
            ));
            y = next;
        }
    }

    fn choice(&mut self, parts: &[Laid<'_>], x: i32, y: i32, width: i32) {
        let (start, end) = (x + 2 * ARC, x + width - 2 * ARC);
        for (part, offset) in parts.iter().zip(offsets(parts)) {
            let at = y + offset;
            if offset == 0 {
                self.line(x, start, y);
                self.line(end, x + width, y);
            } else {
                let (first, last) = (at - ARC, y + ARC);
                self.path(format_args!(
                    "M{x} {y} a{ARC} {ARC} 0 0 1 {ARC} {ARC} V{first} a{ARC} {ARC} 0 0 0 {ARC} {ARC} \
                     M{end} {at} a{ARC} {ARC} 0 0 0 {ARC} -{ARC} V{last} a{ARC} {ARC} 0 0 1 {ARC} -{ARC}"
                ));
            }
            self.part(part, start, at);
            self.line(start + part.width, end, at);
        }
    }

    /// Draws a part, and above it the line that bypasses it.
    fn bypass(&mut self, part: &Laid<'_>, x: i32, y: i32, laid: &Laid<'_>) {
        let (start, end, above) = (x + 2 * ARC, x + laid.width - 2 * ARC, y - laid.up);
        self.line(x, start, y);
        self.path(format_args!(
            "M{x} {y} a{ARC} {ARC} 0 0 0 {ARC} -{ARC} V{} a{ARC} {ARC} 0 0 1 {ARC} -{ARC} H{end} \
             a{ARC} {ARC} 0 0 1 {ARC} {ARC} V{} a{ARC} {ARC} 0 0 0 {ARC} {ARC}",
            above + ARC,
            y - ARC
        ));
        self.part(part, start, y);
        self.line(end, x + laid.width, y);
    }

    /// Draws a part, and below it the backward line with the separator.
    fn repeat(&mut self, part: &Laid<'_>, between: &Laid<'_>, x: i32, y: i32, width: i32) {
        let (start, end) = (x + 2 * ARC, x + width - 2 * ARC);
        let below = y + back(part, between);
        let centre = start + (end - start - part.width) / 2;
        self.line(x, centre, y);
        self.part(part, centre, y);
        self.line(centre + part.width, x + width, y);
        let middle = start + (end - start - between.width) / 2;
        self.path(format_args!(
            "M{end} {y} a{ARC} {ARC} 0 0 1 {ARC} {ARC} V{} a{ARC} {ARC} 0 0 1 -{ARC} {ARC} H{} M{middle} {below} H{start} \
             a{ARC} {ARC} 0 0 1 -{ARC} -{ARC} V{} a{ARC} {ARC} 0 0 1 {ARC} -{ARC}",
            below - ARC,
            middle + between.width,
            y + ARC
        ));
        // An arrow shows that this line runs backwards.
        self.path(format_args!("M{} {} l4 -6 l4 6", x + ARC - 4, (y + below) / 2 + 3));
        self.part(between, middle, below);
    }

    fn frame(&mut self, label: &str, part: &Laid<'_>, x: i32, y: i32, laid: &Laid<'_>) {
        let (top, height) = (y - laid.up, laid.up + laid.down);
        let length = columns(label) * SMALL_CHAR;
        self.put(format_args!(
            "<g class=\"label\"><rect x=\"{x}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"6\"/><text x=\"{}\" \
             y=\"{}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{}</text></g>",
            laid.width,
            x + INSET,
            y - laid.up + LABEL - 6,
            escape(label)
        ));
        self.line(x, x + INSET, y);
        self.part(part, x + INSET, y);
        self.line(x + INSET + part.width, x + laid.width, y);
    }
}
