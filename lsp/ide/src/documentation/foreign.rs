//! Definitions of files in other languages: schemas, rules.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::{foreign_schema, read_rules, start_rule};
use ogc_compiler::pipeline::Format;
use ogc_grammar::span::part;

use super::{CodeBlock, Documentation};
use crate::snapshot::Snapshot;

/// Maximum number of characters shown of a schema.
const MOST: usize = 1200;

/// Returns the documentation of a definition of a file in another language.
pub(super) fn definition(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<Documentation> {
    match snapshot.language(file) {
        Language::JsonSchema => schema(snapshot, file, name),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => rule(snapshot, file, name),
        Language::Regex => {
            let pattern = snapshot.text(file).trim().to_owned();
            let unfolded = Some(CodeBlock { language: "regex", text: pattern });
            Some(Documentation {
                text: from(snapshot, file),
                unfolded,
                format: Some(file.into()),
                ..Documentation::default()
            })
        }
        Language::Ogc => None,
    }
}

/// Names the file that a definition comes from.
fn from(snapshot: &Snapshot, file: SourceFile) -> String {
    let name = snapshot.name(file);
    format!("From `{}`.", name.rsplit_once('/').map_or(name, |(_, file)| file))
}

/// Returns the documentation of a schema: title, description and JSON.
fn schema(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<Documentation> {
    let schema = foreign_schema(&snapshot.db, file);
    let (_, node) = schema.definitions().into_iter().find(|(known, _)| known == name)?;
    let docs = crate::shape::schema_docs(snapshot, file, node);
    let unfolded = crate::shape::schema_source(snapshot, file, node).map(schema_json);
    let text = if docs.is_empty() { from(snapshot, file) } else { format!("{docs}\n\n{}", from(snapshot, file)) };
    let whole = schema.0.schemas.root == Some(node);
    let format = whole.then(|| Format::from(file));
    Some(Documentation { signature: None, text, unfolded, format })
}

/// Returns the JSON of a schema, shortened.
pub(crate) fn schema_json(text: &str) -> CodeBlock {
    let text = dedented(text);
    let shown = match text.char_indices().nth(MOST) {
        Some((at, _)) => {
            let cut = part(&text, ..at);
            format!("{}\n…", cut.rsplit_once('\n').map_or(cut, |(lines, _)| lines))
        }
        None => text,
    };
    CodeBlock { language: "json", text: shown }
}

/// Removes the indentation of the last line from all lines but the first.
fn dedented(text: &str) -> String {
    let last = text.rsplit_once('\n').map_or(text, |(_, line)| line);
    let indent = last.len() - last.trim_start().len();
    let strip = |line: &str| line.get(indent.min(line.len() - line.trim_start().len())..).unwrap_or(line).to_owned();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    std::iter::once(first).chain(lines.map(strip)).collect::<Vec<_>>().join("\n")
}

/// Returns the documentation of a rule: its text.
fn rule(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<Documentation> {
    let grammar = &read_rules(&snapshot.db, file).0;
    let start = start_rule(&snapshot.db, file);
    let own = grammar.rules.iter().find(|rule| rule.name.value == name);
    let named = || grammar.rules.iter().find(|rule| Some(&rule.name.value) == start.as_ref()).or(grammar.rules.first());
    let rule = own.or_else(|| named().filter(|_| name == "root"))?;
    let text = snapshot.slice(file, rule.name.span.merge(rule.body.span)).trim().to_owned();
    let language = match snapshot.language(file) {
        Language::Lark => "lark",
        Language::Gbnf => "gbnf",
        Language::Abnf => "abnf",
        _ => "ebnf",
    };
    let is_start = start.as_ref() == Some(&rule.name.value);
    Some(Documentation {
        signature: Some(CodeBlock { language, text: crate::shape::shortened_lines(&text) }),
        text: from(snapshot, file),
        unfolded: None,
        format: is_start.then(|| Format::from(file)),
    })
}
