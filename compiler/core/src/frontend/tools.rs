//! The front end of lists of tools (`tools` of OpenAI, Anthropic and MCP): it makes a schema of each tool's arguments.
//!
//! # Steps
//!
//! 1. [`list`] finds the list in a JSON text: the text itself, `tools` of an object, or `result.tools` of an answer; [`wrapped`] finds the
//!    schema in a request for a format.
//! 2. [`entry`] reads one entry in any of the shapes that are in use: its name, description and schema.
//! 3. The JSON Schema reader reads each schema by itself: a `$ref` resolves within its tool's schema alone.
//! 4. [`custom`] reads tools whose input is a text: the arguments are an object whose only string matches the tool's
//!    grammar.
//! 5. [`strict`] reports where a tool that is marked `strict` breaks OpenAI's rules for such tools.

mod custom;
mod entry;
mod list;
mod strict;
mod wrapped;

#[cfg(test)]
mod tests;

use always_assert::never;
use ogc_grammar::json::{self, JsonValue};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types};
use rustc_hash::FxHashMap;

use super::json_schema::{self, Definition, FindSchema, Imported, ReadOptions, read_inside};
use entry::{Entry, Parameters};

/// Maximum number of findings about one list; the schema of each tool has a limit of its own too.
const FINDINGS: usize = 200;

/// Reads a JSON text that is a schema or a list of tools.
///
/// ```
/// use ogc_compiler::frontend::{json_schema::ReadOptions, tools::read_schema_or_tools};
/// let tools = r#"[{"name": "search", "input_schema": {"type": "object"}}]"#;
/// let imported = read_schema_or_tools(tools, &ReadOptions::default());
/// assert!(imported.is_tools && imported.definitions[0].name == "search");
/// ```
#[must_use]
pub fn read_schema_or_tools(text: &str, options: &ReadOptions) -> Imported {
    read_schema_or_tools_finding(text, options, None)
}

/// Reads a JSON text as [`read_schema_or_tools`] does; `find` finds the documents that its schemas refer to.
#[must_use]
pub fn read_schema_or_tools_finding(text: &str, options: &ReadOptions, find: FindSchema<'_>) -> Imported {
    let (value, findings) = json::parse_with(text, options.limits.json());
    match value.as_ref().and_then(list::find) {
        Some(list) => Reader::new(text, options, find, findings).read(&list),
        None => match value.as_ref().and_then(wrapped::find) {
            Some((schema, pointer)) => {
                let mut imported = read_inside(text, schema, &pointer, options, find);
                imported.diagnostics.insert(0, wrapped::note(schema, &pointer));
                imported
            }
            None => json_schema::read_finding(text, options, find),
        },
    }
}

/// The state of reading a list: the tools so far, in one graph.
struct Reader<'a> {
    text: &'a str,
    options: &'a ReadOptions,
    find: FindSchema<'a>,
    /// Place of the first tool with each name.
    names: FxHashMap<&'a str, Span>,
    imported: Imported,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, options: &'a ReadOptions, find: FindSchema<'a>, diagnostics: Vec<Diagnostic>) -> Self {
        let origins = vec![Span::of(0, text.len())];
        let imported = Imported { origins, diagnostics, is_tools: true, ..Imported::default() };
        Self { text, options, find, names: FxHashMap::default(), imported }
    }

    fn read(mut self, list: &list::List<'a>) -> Imported {
        if list.entries.is_empty() {
            let found = Diagnostic::error(Code::BrokenTool, list.span, "this list has no tools");
            self.say(found.help("add a tool: `{\"name\": \"...\", \"parameters\": {\"type\": \"object\", ...}}`"));
        }
        if let Some(cursor) = list.next_page {
            let found =
                Diagnostic::warning(Code::BrokenTool, cursor, "this is one page of several: `nextCursor` is set");
            self.say(found.help("put the tools of all pages into one list"));
        }
        for (at, (value, pointer)) in list.entries.iter().enumerate() {
            match entry::read(value, at + 1) {
                Ok(entry) => self.tool(entry, pointer),
                Err(found) => self.say(*found),
            }
        }
        let is_broken = self.imported.diagnostics.iter().any(Diagnostic::is_error);
        if self.imported.definitions.is_empty() && !is_broken {
            let found = Diagnostic::error(Code::BrokenTool, list.span, "no tool of this list can be called by a text");
            self.say(
                found.help("add one with a schema: `{\"name\": \"...\", \"parameters\": {\"type\": \"object\", ...}}`"),
            );
        }
        self.imported.diagnostics.sort_by_key(|found| (found.span.start, found.span.end));
        self.imported
    }

    fn tool(&mut self, entry: Entry<'a>, pointer: &str) {
        let (name, span) = (entry.name, entry.name_span);
        if let Some(&first) = self.names.get(name) {
            let found = Diagnostic::error(Code::DuplicateTool, span, format!("two tools are called `{name}`"));
            return self.say(found.label(first, "the first").help("give one of them another name, or remove it"));
        }
        self.names.insert(name, span);
        entry.findings.iter().for_each(|found| self.say(found.clone()));
        let node = match &entry.parameters {
            Parameters::None => self.no_arguments(span),
            Parameters::Text(None) => self.input(None, span),
            Parameters::Text(Some(grammar)) => match grammar.pattern(name) {
                Ok(pattern) => self.input(Some((pattern, grammar.span)), span),
                Err(found) => return self.say(*found),
            },
            Parameters::Schema { key, schema } => {
                entry::check_object(name, schema).into_iter().for_each(|found| self.say(found));
                if entry.is_strict {
                    strict::check(schema).into_iter().for_each(|found| self.say(found));
                }
                self.schema(schema, &format!("{pointer}{}/{key}", entry.inside))
            }
        };
        self.describe(node, &entry);
        self.imported.definitions.push(Definition { name: name.to_owned(), node, span });
    }

    /// Puts a tool's description in front of the description in its schema.
    fn describe(&mut self, node: NodeId, entry: &Entry<'_>) {
        if !self.options.definitions {
            return;
        }
        let docs = self.imported.docs.entry(node).or_default();
        docs.title = entry.title.map(str::to_owned).or(docs.title.take());
        docs.description = entry.description.map(str::to_owned).or(docs.description.take());
        if docs.is_empty() {
            self.imported.docs.remove(&node);
        }
    }

    /// Reads a tool's schema, and appends it to the graph.
    fn schema(&mut self, schema: &JsonValue, pointer: &str) -> NodeId {
        let nodes = self.imported.schemas.nodes.len();
        let mut options = self.options.clone();
        options.limits.schemas = options.limits.schemas.saturating_sub(nodes).max(1);
        let one = read_inside(self.text, schema, pointer, &options, self.find);
        let (base, places) = (nodes as u32, self.imported.origins.len() as u32);
        self.imported.schemas.append(&one.schemas, |origin| Origin(origin.0 + places));
        self.imported.origins.extend(one.origins);
        self.imported.docs.extend(one.docs.into_iter().map(|(node, docs)| (NodeId(node.0 + base), docs)));
        self.imported.targets.extend(one.targets.into_iter().map(|(node, name)| (NodeId(node.0 + base), name)));
        self.imported.report.extend(one.report);
        let known = &mut self.imported.asked;
        one.asked.into_iter().for_each(|asked| {
            if !known.contains(&asked) {
                known.push(asked)
            }
        });
        one.diagnostics.into_iter().for_each(|found| self.say(found));
        let root = one.schemas.root.unwrap_or_else(|| {
            never!("the schema at {:?} was read without a root", pointer);
            NodeId(0)
        });
        NodeId(root.0 + base)
    }

    /// Adds the arguments of a custom tool: an object with the string `input`, which a pattern may match.
    fn input(&mut self, pattern: Option<(String, Span)>, span: Span) -> NodeId {
        let place = pattern.as_ref().map_or(span, |(_, place)| *place);
        let node = self.no_arguments(span);
        self.imported.origins.push(place);
        let origin = Origin((self.imported.origins.len() - 1) as u32);
        let mut string = Keywords { types: Some(At { origin, value: STRING }), ..Keywords::default() };
        string.string.patterns.extend(pattern.map(|(value, _)| At { origin, value }));
        let nodes = &mut self.imported.schemas.nodes;
        let input = NodeId(nodes.len() as u32);
        nodes.push(Node { origin, kind: NodeKind::Keywords(Box::new(string)) });
        if let NodeKind::Keywords(keywords) = &mut nodes[node.0 as usize].kind {
            keywords.object.properties.push((INPUT.to_owned(), input));
            keywords.object.required.push(At { origin, value: INPUT.to_owned() });
        }
        node
    }

    /// Adds the closed empty object, which a tool without parameters takes.
    fn no_arguments(&mut self, span: Span) -> NodeId {
        self.imported.origins.push(span);
        let origin = Origin((self.imported.origins.len() - 1) as u32);
        let Schemas { nodes, .. } = &mut self.imported.schemas;
        let node = NodeId(nodes.len() as u32);
        let mut keywords = Keywords::default();
        let nothing = NodeId(node.0 + 1);
        keywords.types = Some(At { origin, value: OBJECT });
        keywords.object.additional_properties = Some(At { origin, value: nothing });
        nodes.push(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) });
        nodes.push(Node { origin, kind: NodeKind::Bool(false) });
        node
    }

    /// Keeps a finding, unless there are too many; at least one error is always kept.
    fn say(&mut self, found: Diagnostic) {
        let kept = &mut self.imported.diagnostics;
        let needed = found.is_error() && !kept.iter().any(Diagnostic::is_error);
        if kept.len() < FINDINGS || needed {
            kept.push(found);
        }
    }
}

/// The name of a custom tool's only argument.
const INPUT: &str = "input";

/// The types of a value that is a string.
const STRING: Types = Types { object: false, string: true, ..OBJECT };

/// The types of a value that is an object.
const OBJECT: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: true };
