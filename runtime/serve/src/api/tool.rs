//! One tool of a request.

use serde_json::{Value, json};

use super::ApiError;
use super::fields::{Field, Object};
use super::response_format::{Syntax, schema};
use crate::call_syntax::{ToolKind, input_schema, joined_name};

/// The most tools of a request, and the most bytes of a name.
pub(super) const MAX_TOOLS: (usize, usize) = (128, 64);

/// The kinds of tools, as requests name them.
const KINDS: [(&str, ToolKind); 2] = [("function", ToolKind::Function), ("custom", ToolKind::Custom)];

/// What an item of a list of tools is.
#[derive(Clone, Copy)]
enum ListedKind {
    One(ToolKind),
    /// Tools that have a name together.
    Namespace,
}

/// The kinds of items of a list, of which chats have all but the last.
const LISTED: [(&str, ListedKind); 3] = [
    ("function", ListedKind::One(ToolKind::Function)),
    ("custom", ListedKind::One(ToolKind::Custom)),
    ("namespace", ListedKind::Namespace),
];

/// Where requests have what belongs to a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    /// In a field of the type's name, as in chats.
    Inner,
    /// Beside the type, as in responses.
    Flat,
}

impl Nesting {
    /// Opens what belongs to the type of an object, which was taken.
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

/// What a tool is called with.
#[derive(Clone, Debug)]
pub(super) enum ToolInput {
    /// JSON of a schema, whose text is kept as it came; nothing for any object.
    Arguments(Option<String>),
    /// A text of a grammar; nothing for any text.
    Text(Option<InputGrammar>),
}

/// The grammar of a custom tool's input.
#[derive(Clone, Debug)]
pub(super) struct InputGrammar {
    pub(super) syntax: Syntax,
    pub(super) text: String,
    /// The path of the field that has it.
    pub(super) path: String,
}

impl Tool {
    pub(super) fn kind(&self) -> ToolKind {
        match self.input {
            ToolInput::Arguments(_) => ToolKind::Function,
            ToolInput::Text(_) => ToolKind::Custom,
        }
    }

    /// Returns the tool as templates read it. A custom tool is told as a function with one parameter, which is how its calls are written.
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

/// Reads tools of different names.
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

/// Takes the type of an object that is, or names, a tool, and opens what belongs to it.
pub(super) fn typed(mut object: Object<'_>, nesting: Nesting) -> Result<(ToolKind, Object<'_>), ApiError> {
    let kind = object.need("type", "`function` or `custom`")?.one_of(&KINDS)?;
    Ok((kind, nesting.open(object, kind.name(), "an object with a `name`")?))
}

/// Reads an item of a list of tools: a tool, or those of a namespace.
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

/// Reads the tools of a namespace. What it says of itself stands before what its first tool says.
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

/// Reads a function that may be called.
pub(super) fn read_function(mut function: Object<'_>) -> Result<Tool, ApiError> {
    let (name, description) = read_name(&mut function)?;
    let parameters = function.take("parameters");
    parameters.as_ref().map(schema).transpose()?;
    // Says whether the arguments must be of the schema, which they always are.
    function.take("strict").map(|field| field.flag()).transpose()?;
    function.end()?;
    Ok(Tool { name, description, input: ToolInput::Arguments(parameters.map(|field| field.json().to_owned())) })
}

/// Reads a tool that is called with a text.
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

/// Reads the format of a custom tool's input; nothing for any text.
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
    grammar.end()?;
    Ok(Some(InputGrammar { syntax, text: definition.text()?, path: definition.path().to_owned() }))
}
