//! Snippets, examples and documentation of the keywords of JSON Schema, by the kind of their operand in the table ([`Keyword`]).

use ogc_schema::keyword::{Keyword, Operand};

use crate::documentation::{CodeBlock, Documentation};

/// The names of types, with a few words about each.
pub(crate) const TYPES: [(&str, &str); 7] = [
    ("string", "a string"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("boolean", "`true` or `false`"),
    ("object", "an object"),
    ("array", "an array"),
    ("null", "`null`"),
];

/// Returns the keywords to offer, the most used first. Keywords of meta-schemas and of a single draft are left out.
pub(crate) fn offered() -> impl Iterator<Item = Keyword> {
    let is_rare = |keyword: &Keyword| {
        matches!(keyword, Keyword::LegacyId | Keyword::RecursiveRef | Keyword::RecursiveAnchor | Keyword::Vocabulary)
    };
    Keyword::ALL.iter().copied().filter(move |keyword| !is_rare(keyword))
}

/// Returns the documentation of a keyword.
pub(crate) fn documentation(name: &str) -> Option<Documentation> {
    let keyword = Keyword::of_name(name)?;
    let signature = CodeBlock { language: "json", text: format!("\"{name}\": {}", example(keyword.operand())) };
    Some(Documentation { signature: Some(signature), text: keyword.doc().to_owned(), ..Documentation::default() })
}

/// Returns the form of a keyword's operand.
pub(crate) fn example(operand: Operand) -> &'static str {
    match operand {
        Operand::Schema | Operand::Items => "{ ... }",
        Operand::Schemas => "[{ ... }]",
        Operand::Map => "{ \"name\": { ... } }",
        Operand::Types => "\"string\"",
        Operand::Format => "\"date\"",
        Operand::Reference => "\"#/$defs/name\"",
        Operand::Names => "[\"name\"]",
        Operand::NamesMap => "{ \"name\": [\"other\"] }",
        Operand::Value => "value",
        Operand::Values => "[value]",
        Operand::Number => "0",
        Operand::String => "\"text\"",
        Operand::Bool => "true",
    }
}

/// Returns a keyword's operand as a snippet.
pub(crate) fn snippet(operand: Operand) -> &'static str {
    match operand {
        Operand::Schema | Operand::Items | Operand::Map | Operand::NamesMap => "{ $1 \\}",
        Operand::Schemas => "[{ $1 \\}]",
        Operand::Types | Operand::Format | Operand::Reference | Operand::String => "\"$1\"",
        Operand::Names => "[\"$1\"]",
        Operand::Values => "[$1]",
        Operand::Value => "$1",
        Operand::Number => "${1:0}",
        Operand::Bool => "${1|true,false|}",
    }
}
