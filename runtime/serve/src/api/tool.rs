//! One tool of a request.

use serde_json::{Value, json};

use super::ApiError;
use super::fields::{Field, Object};
use super::response_format::{Syntax, schema};
use crate::call_syntax::{ToolKind, input_schema, joined_name};
use crate::compile::SourceText;

/// Maximum number of tools of a request, and maximum number of bytes of a tool's name.
pub(super) const MAX_TOOLS: (usize, usize) = (128, 64);

/// The kinds of tools, as requests name them.
const KINDS: [(&str, ToolKind); 2] = [("function", ToolKind::Function), ("custom", ToolKind::Custom)];

/// Kind of an item in a list of tools.
#[derive(Clone, Copy)]
enum ListedKind {
    One(ToolKind),
    /// A namespace: several tools under one name.
    Namespace,
}

/// Names of the kinds; chats have all but the last.
const LISTED: [(&str, ListedKind); 3] = [
    ("function", ListedKind::One(ToolKind::Function)),
    ("custom", ListedKind::One(ToolKind::Custom)),
    ("namespace", ListedKind::Namespace),
];

/// Place of the fields that belong to a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    /// In a field of the type's name, as in chats.
    Inner,
    /// Beside the type, as in responses.
    Flat,
}

impl Nesting {
    /// Opens the fields that belong to the type of `object`; the type was taken already.
    pub(super) fn open<'a>(
        self,
        mut object: Object<'a>,
        kind: &'static str,
        takes: &str,
    ) -> Result<Object<'a>, ApiError> {
        if self == Self::Flat {
            return Ok(object);
        }
        let inner = object.need(kind, takes)?.object()?;
        object.end()?;
        Ok(inner)
    }
}

/// A tool.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) input: ToolInput,
}

/// Form of a tool's input.
#[derive(Clone, Debug)]
pub(super) enum ToolInput {
    /// JSON of a schema, whose text is kept unchanged; `None` allows any object.
    Arguments(Option<String>),
    /// A text of a grammar; `None` allows any text.
    Text(Option<InputGrammar>),
}

/// The grammar of a custom tool's input.
#[derive(Clone, Debug)]
pub(super) struct InputGrammar {
    pub(super) syntax: Syntax,
    pub(super) text: String,
    /// Name of the rule that texts begin with, if it is not the default of the notation.
    pub(super) start: Option<String>,
    /// Path of the request field with the grammar.
    pub(super) path: String,
}

impl InputGrammar {
    /// Returns the grammar as a text for the compiler, under a file name with this stem.
    pub(super) fn source(&self, stem: &str) -> SourceText {
        let ending = if matches!(self.syntax, Syntax::Regex) { "regex" } else { "lark" };
        SourceText { definition: self.start.clone(), ..SourceText::new(format!("{stem}.{ending}"), self.text.as_str()) }
    }
}

impl Tool {
    pub(super) fn kind(&self) -> ToolKind {
        match self.input {
            ToolInput::Arguments(_) => ToolKind::Function,
            ToolInput::Text(_) => ToolKind::Custom,
        }
    }

    /// Returns the tool in the form of templates. A custom tool is described as a function with one parameter, because its calls are written that
    /// way.
    pub(super) fn described(&self) -> Value {
        let parameters = match &self.input {
            ToolInput::Arguments(schema) => {
                schema.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| json!({}))
            }
            ToolInput::Text(grammar) => {
                input_schema(grammar.as_ref().map(|grammar| (grammar.syntax.described(), grammar.text.as_str())))
            }
        };
        json!({ "type": "function", "function": {
            "name": self.name,
            "description": self.description,
            "parameters": parameters,
        } })
    }
}

/// Reads tools, and rejects duplicate names.
pub(super) fn unique(
    items: &[Field<'_>],
    read: impl Fn(&Field<'_>) -> Result<Vec<Tool>, ApiError>,
) -> Result<Vec<Tool>, ApiError> {
    let mut tools: Vec<Tool> = Vec::new();
    for item in items {
        for tool in read(item)? {
            if tools.iter().any(|other| other.name == tool.name) {
                return Err(item.refused(&format!("another one has the name `{}` already", tool.name)));
            }
            tools.push(tool);
        }
    }
    Ok(tools)
}

/// Reads the `type` of an object that is a tool or names one; returns it with the object that holds that type's fields.
pub(super) fn typed(mut object: Object<'_>, nesting: Nesting) -> Result<(ToolKind, Object<'_>), ApiError> {
    let kind = object.need("type", "`function` or `custom`")?.one_of(&KINDS)?;
    Ok((kind, nesting.open(object, kind.name(), "an object with a `name`")?))
}

/// Reads an item of a list of tools: a tool, or the tools of a namespace.
pub(super) fn read_listed(field: &Field<'_>, nesting: Nesting) -> Result<Vec<Tool>, ApiError> {
    let mut object = field.object()?;
    let kinds = if nesting == Nesting::Flat { &LISTED[..] } else { &LISTED[..2] };
    match object.need("type", "`function` or `custom`")?.one_of(kinds)? {
        ListedKind::One(kind) => {
            let object = nesting.open(object, kind.name(), "an object with a `name`")?;
            Ok(vec![read_tool(kind, object, nesting)?])
        }
        ListedKind::Namespace => read_namespace(object, nesting),
    }
}

fn read_tool(kind: ToolKind, object: Object<'_>, nesting: Nesting) -> Result<Tool, ApiError> {
    match kind {
        ToolKind::Function => read_function(object),
        ToolKind::Custom => read_custom(object, nesting),
    }
}

/// Reads the tools of a namespace. The description of the namespace is put before the description of its first tool.
fn read_namespace(mut object: Object<'_>, nesting: Nesting) -> Result<Vec<Tool>, ApiError> {
    let (namespace, mut said) = read_name(&mut object)?;
    let list = object.need("tools", "an array of tools")?;
    object.end()?;
    let read = |field: &Field<'_>| {
        let (kind, object) = typed(field.object()?, nesting)?;
        let tool = read_tool(kind, object, nesting)?;
        Ok(Tool { name: joined_name(&namespace, &tool.name), ..tool })
    };
    let mut tools: Vec<Tool> = list.list()?.iter().map(read).collect::<Result<_, ApiError>>()?;
    match tools.first_mut() {
        Some(first) if !said.is_empty() => {
            said.push_str("\n\n");
            said.push_str(&first.description);
            first.description = said;
        }
        Some(_) => {}
        None => return Err(list.refused("there are no tools")),
    }
    Ok(tools)
}

/// Reads a function tool.
pub(super) fn read_function(mut function: Object<'_>) -> Result<Tool, ApiError> {
    let (name, description) = read_name(&mut function)?;
    let parameters = function.take("parameters");
    parameters.as_ref().map(schema).transpose()?;
    // `strict` asks that arguments match the schema, which they always do.
    function.take("strict").map(|field| field.flag()).transpose()?;
    function.end()?;
    Ok(Tool { name, description, input: ToolInput::Arguments(parameters.map(|field| field.json().to_owned())) })
}

/// Reads a custom tool, whose input is a text.
fn read_custom(mut custom: Object<'_>, nesting: Nesting) -> Result<Tool, ApiError> {
    let (name, description) = read_name(&mut custom)?;
    let grammar = custom.take("format").map(|field| read_input(&field, nesting)).transpose()?.flatten();
    custom.end()?;
    Ok(Tool { name, description, input: ToolInput::Text(grammar) })
}

/// Takes the name and the description of a tool.
fn read_name(object: &mut Object<'_>) -> Result<(String, String), ApiError> {
    let name_field = object.need("name", "a name")?;
    let (name, (_, limit)) = (name_field.text()?, MAX_TOOLS);
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !(1..=limit).contains(&name.len()) || !name.bytes().all(is_letter) {
        return Err(name_field.wrong(&format!("1 to {limit} letters, digits, `_` or `-`")));
    }
    let description = object.take("description").map(|field| field.text()).transpose()?.unwrap_or_default();
    Ok((name, description))
}

/// Reads the format of a custom tool's input; `None` allows any text.
fn read_input(field: &Field<'_>, nesting: Nesting) -> Result<Option<InputGrammar>, ApiError> {
    let mut object = field.object()?;
    if !object.need("type", "`text` or `grammar`")?.one_of(&[("text", false), ("grammar", true)])? {
        object.end()?;
        return Ok(None);
    }
    let mut grammar = nesting.open(object, "grammar", "an object with a `syntax` and a `definition`")?;
    let words = [("lark", Syntax::Lark), ("regex", Syntax::Regex)];
    let syntax = grammar.need("syntax", "`lark` or `regex`")?.one_of(&words)?;
    let definition = grammar.need("definition", "a string with the grammar")?;
    let start = grammar.take("start");
    grammar.end()?;
    if let (Some(start), Syntax::Regex) = (&start, syntax) {
        return Err(start.refused("a regular expression has no rules, and so no start rule"));
    }
    let start = start.map(|start| start.text()).transpose()?;
    Ok(Some(InputGrammar { syntax, text: definition.text()?, start, path: definition.path().to_owned() }))
}
