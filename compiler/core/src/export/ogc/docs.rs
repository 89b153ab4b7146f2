//! Annotations as doc comments and attributes.

use super::build::{argument, name, text};
use super::value::literal;
use crate::export::json_schema::value_text;
use crate::frontend::docs::Docs;
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Argument, Attribute, Doc};

/// Examples beyond this many are left out.
const EXAMPLES: usize = 8;

/// The doc comments: the description's lines, and the default, which has no attribute.
pub(super) fn comments(docs: &Docs) -> Vec<Doc> {
    let mut lines: Vec<String> = docs.description.iter().flat_map(|text| text.trim().lines().map(clean)).collect();
    if let Some(default) = &docs.default {
        lines.push(format!("Default: `{}`", clean(&value_text(default))));
    }
    lines.into_iter().map(doc).collect()
}

/// The doc comments of a branch of a union, which has no attributes: its title, then the others.
pub(super) fn branch(docs: &Docs) -> Vec<Doc> {
    let title =
        docs.title.iter().filter(|title| docs.description.as_ref() != Some(title)).map(|title| doc(clean(title)));
    title.chain(comments(docs)).collect()
}

/// `@title`, `@examples`, `@deprecated`
pub(super) fn attributes(docs: &Docs) -> Vec<Attribute> {
    let mut out = Vec::new();
    let mut add = |key: &str, arguments: Vec<Argument>| {
        out.push(Attribute { name: name(key), arguments, span: Span::default() });
    };
    if let Some(title) = &docs.title {
        add("title", vec![argument(text(title))]);
    }
    if !docs.examples.is_empty() {
        add("examples", docs.examples.iter().take(EXAMPLES).map(|value| argument(literal(value))).collect());
    }
    if docs.deprecated {
        add("deprecated", Vec::new());
    }
    out
}

fn doc(text: String) -> Doc {
    Doc { text, span: Span::default() }
}

/// One line: controls are spaces, none at the end.
fn clean(line: &str) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim_end().to_owned()
}
