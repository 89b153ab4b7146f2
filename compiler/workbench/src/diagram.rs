//! Draws the definitions of a source in any input language as railroad diagrams.
//!
//! # Steps
//!
//! 1. A file for each kind of input language ([`mod@ogc`], [`schema`], [`grammar`]) turns its definitions into
//!    [`Diagram`]s.
//! 2. [`layout`] gives every part its size and place.
//! 3. [`svg()`] draws it. The page defines colours and fonts: parts only have classes.

mod grammar;
mod imports;
mod layout;
mod ogc;
mod railroad;
mod schema;
mod svg;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ogc_compiler::db::{Db, Language, SourceFile};
use ogc_compiler::foreign::{read_rules, read_schema, start_rule};
use ogc_compiler::pipeline::{Format, pattern_of};

pub use railroad::Diagram;
pub use svg::svg;

use imports::Links;

/// Maximum number of definitions that are drawn.
const MOST: usize = 200;

/// A definition and its diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Name of the definition, with its parameters.
    pub name: String,
    /// The kind of definition: "rule", "type".
    pub kind: &'static str,
    /// Doc comment or description of the definition.
    pub docs: String,
    /// Diagram of the definition.
    pub diagram: Diagram,
    /// Anchor of the definition on a page with all definitions.
    pub place: String,
}

/// Returns the diagram of a format: of the definition that it names, or of the first definition of a file in another
/// language. Links lead to definitions of the same file.
#[must_use]
pub fn of_definition(db: &dyn Db, format: &Format) -> Option<Definition> {
    let mut files = vec![format.file];
    let links = imports::links(db, format.file, &mut files);
    let found = written(db, format.file, format.file.text(db), &links);
    let places = found.iter().map(|definition| definition.place.clone()).collect();
    let start = start_rule(db, format.file);
    let name = format.name.as_deref().or(start.as_deref());
    let anchor = place(name.unwrap_or_default());
    let at = found.iter().position(|definition| definition.place == anchor);
    let mut wanted = found.into_iter().nth(if format.name.is_some() { at? } else { at.unwrap_or(0) })?;
    unlink(&mut wanted.diagram, &places);
    Some(wanted)
}

/// Returns the definitions in source order, then those of imported files, up to [`MOST`].
#[must_use]
pub fn definitions(db: &dyn Db, file: SourceFile) -> Vec<Definition> {
    let mut files = vec![file];
    let mut all = Vec::new();
    let mut next = 0;
    while let Some(&file) = files.get(next).filter(|_| all.len() < MOST) {
        let links = imports::links(db, file, &mut files);
        let mut found = written(db, file, file.text(db), &links);
        if next > 0 {
            found.iter_mut().for_each(|definition| definition.move_to(next, file.name(db)));
        }
        all.extend(found);
        next += 1;
    }
    all.truncate(MOST);
    let places = all.iter().map(|definition| definition.place.clone()).collect();
    all.iter_mut().for_each(|definition| unlink(&mut definition.diagram, &places));
    all
}

fn written(db: &dyn Db, file: SourceFile, text: &str, links: &Links) -> Vec<Definition> {
    match file.language(db) {
        Language::Ogc => ogc::definitions(text, links),
        Language::JsonSchema => schema::definitions(&read_schema(db, file), text),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            grammar::definitions(&read_rules(db, file).0)
        }
        Language::Regex => vec![pattern(text)],
    }
}

impl Definition {
    /// Marks the definition as one of an imported file, in its anchor, links and description.
    fn move_to(&mut self, number: usize, file: &str) {
        let from = format!("From {}.", file.rsplit('/').next().unwrap_or(file));
        self.docs = if self.docs.is_empty() { from } else { format!("{from} {}", self.docs) };
        self.place = format!("f{number}-{}", self.place);
        each_place(&mut self.diagram, &mut |place| {
            if let Some(own) = place.as_mut().filter(|place| place.starts_with("d-")) {
                *own = format!("f{number}-{own}");
            }
        });
    }
}

/// Removes links to definitions that are not drawn.
fn unlink(diagram: &mut Diagram, places: &BTreeSet<String>) {
    each_place(diagram, &mut |place| {
        if place.as_ref().is_some_and(|place| !places.contains(place)) {
            *place = None;
        }
    });
}

/// Calls `change` with every link of a diagram.
fn each_place(diagram: &mut Diagram, change: &mut dyn FnMut(&mut Option<String>)) {
    match diagram {
        Diagram::Skip | Diagram::Terminal(_) | Diagram::Described(_) | Diagram::Comment(_) => {}
        Diagram::Nonterminal(_, place) => change(place),
        Diagram::Sequence(parts) | Diagram::Lines(parts) | Diagram::Choice(parts) => {
            parts.iter_mut().for_each(|part| each_place(part, change));
        }
        Diagram::Optional(inner) | Diagram::Labelled(_, inner) => each_place(inner, change),
        Diagram::Repeat(one, between) => {
            each_place(one, change);
            each_place(between, change);
        }
    }
}

/// Returns the diagram of a pattern file; the comment lines before the pattern are its description.
fn pattern(text: &str) -> Definition {
    let (pattern, start) = pattern_of(text);
    let comments: Vec<&str> = text[..start].lines().map(|line| line.trim_start_matches("# ")).collect();
    let (name, diagram) = ("pattern".to_owned(), Diagram::Described(pattern.to_owned()));
    Definition { place: place(&name), name, kind: "regex", docs: comments.join(" "), diagram }
}

/// Returns the anchor for a name: ASCII letters and digits stay, other characters become numbers.
fn place(name: &str) -> String {
    let part = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("-{:x}", u32::from(c)) };
    format!("d-{}", name.chars().map(part).collect::<String>())
}

/// Returns a text in quotes, as diagrams show literals.
fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '"' => shown.push_str("\\\""),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}
