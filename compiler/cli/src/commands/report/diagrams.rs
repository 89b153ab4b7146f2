//! The definitions of a source as railroad diagrams, whatever language they are in.

mod grammar;
mod imports;
mod ogc;
mod schema;

use std::collections::BTreeSet;

use ogc_compiler::db::{Compiler, Language, SourceFile};
use ogc_compiler::foreign::{read_rules, read_schema};
use ogc_compiler::pipeline::pattern_of;

use crate::railroad::Diagram;
use imports::Links;

/// How many definitions are drawn.
const MOST: usize = 200;

/// One definition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: String,
    /// What kind of definition: "rule", "type".
    pub(super) kind: &'static str,
    /// What its author says about it.
    pub(super) docs: String,
    pub(super) diagram: Diagram,
    /// Where it stands on the page.
    pub(super) place: String,
}

/// The definitions in the order of the source, then those of the files that it imports, as many as are drawn.
pub(super) fn definitions(db: &Compiler, file: SourceFile) -> Vec<Definition> {
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

fn written(db: &Compiler, file: SourceFile, text: &str, links: &Links) -> Vec<Definition> {
    match file.language(db) {
        Language::Ogc => ogc::definitions(text, links),
        Language::JsonSchema => schema::definitions(&read_schema(db, file), text),
        Language::Gbnf | Language::Ebnf | Language::Lark => grammar::definitions(&read_rules(db, file).0),
        Language::Regex => vec![pattern(text)],
    }
}

impl Definition {
    /// Makes it one of an imported file.
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

/// Takes links to what is not drawn away.
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

/// A pattern, and the comment lines before it.
fn pattern(text: &str) -> Definition {
    let (pattern, start) = pattern_of(text);
    let comments: Vec<&str> = text[..start].lines().map(|line| line.trim_start_matches("# ")).collect();
    let (name, diagram) = ("pattern".to_owned(), Diagram::Described(pattern.to_owned()));
    Definition { place: place(&name), name, kind: "regex", docs: comments.join(" "), diagram }
}

/// The place of a name on the page: letters, digits and numbers of other characters only.
fn place(name: &str) -> String {
    let part = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("-{:x}", u32::from(c)) };
    format!("d-{}", name.chars().map(part).collect::<String>())
}

/// A text in quotes, as literals are shown.
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
