//! The definitions of a source as railroad diagrams, whatever language they are in.

mod grammar;
mod ogc;
mod schema;

use ogc_compiler::db::{Compiler, Language, SourceFile};
use ogc_compiler::pipeline::{pattern_of, read_rules, read_schema};

use crate::railroad::Diagram;

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

/// The definitions in the order of the source, as many as are drawn.
pub(super) fn definitions(db: &Compiler, file: SourceFile) -> Vec<Definition> {
    let text = file.text(db);
    let mut all = written(db, file, text);
    all.truncate(MOST);
    all
}

fn written(db: &Compiler, file: SourceFile, text: &str) -> Vec<Definition> {
    match file.language(db) {
        Language::Ogc => ogc::definitions(text),
        Language::JsonSchema => schema::definitions(&read_schema(db, file), text),
        Language::Gbnf | Language::Ebnf | Language::Lark => grammar::definitions(&read_rules(db, file).0),
        Language::Regex => vec![pattern(text)],
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
