//! Reads one entry of a list of tools, in any of these shapes.
//!
//! | | |
//! |---|---|
//! | OpenAI, chat | `{"type": "function", "function": {"name", "description", "parameters", "strict"}}` |
//! | OpenAI, responses | `{"type": "function", "name", "description", "parameters", "strict"}` |
//! | Anthropic | `{"name", "description", "input_schema"}` |
//! | MCP | `{"name", "title", "description", "inputSchema"}` |
//! | OpenAI, custom | [`custom`] |
//! | Gemini | `{"name", "description", "parameters"}` or `"parametersJsonSchema"`, in `functionDeclarations` |
//! | Bedrock | `{"toolSpec": {"name", "description", "inputSchema": {"json"}}}` |

use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

use ogc_grammar::nearest;

use super::super::json_schema::foreign_types::TYPE_NAMES;
use super::custom::{self, InputGrammar};

/// Names of the member that holds the schema, in any shape.
const SCHEMAS: [&str; 4] = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"];

/// Members that a tool has in at least one of the shapes.
const MEMBERS: [&str; 27] = [
    "_meta",
    "allowed_callers",
    "annotations",
    "async",
    "cache_control",
    "custom",
    "defer_loading",
    "description",
    "display_name",
    "eager_input_streaming",
    "execution",
    "format",
    "function",
    "icons",
    "inputSchema",
    "input_examples",
    "input_schema",
    "name",
    "outputSchema",
    "output_schema",
    "parameters",
    "parametersJsonSchema",
    "response",
    "strict",
    "title",
    "toolSpec",
    "type",
];

/// The values of `type` in entries whose calls a text can hold.
const TYPES: [&str; 2] = ["function", "custom"];

/// A tool as the list describes it.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) name_span: Span,
    pub(super) title: Option<&'a str>,
    pub(super) description: Option<&'a str>,
    pub(super) parameters: Parameters<'a>,
    /// Whether the tool is marked with OpenAI's `strict`.
    pub(super) is_strict: bool,
    /// The JSON pointer from the entry to the object that describes the tool.
    pub(super) inside: &'static str,
    pub(super) findings: Vec<Diagnostic>,
}

/// The parameters of a tool.
pub(super) enum Parameters<'a> {
    /// The tool takes no arguments.
    None,
    /// The tool takes a text; if there is a grammar, the text must match it.
    Text(Option<InputGrammar<'a>>),
    /// The schema, and the name of the member that holds it.
    Schema { key: &'static str, schema: &'a JsonValue },
}

/// The finding about an entry that cannot be read.
type Refused = Box<Diagnostic>;

/// Reads the entry with the number `at` in its list, counted from 1.
pub(super) fn read(value: &JsonValue, at: usize) -> Result<Entry<'_>, Refused> {
    if value.as_object().is_none() {
        let message = format!("tool {at} of this list is of type {}, not an object", value.type_name());
        return Err(refused(
            value.span,
            message,
            "write `{\"name\": \"...\", \"parameters\": {\"type\": \"object\"}}`",
        ));
    }
    let inner = ["function", "toolSpec", "custom"].into_iter().zip(["/function", "/toolSpec", "/custom"]);
    let is_inner = |(key, _): &(&str, &str)| *key != "custom" || custom::is_custom(value);
    let found = inner.filter(is_inner).find_map(|(key, pointer)| Some((value.get(key)?, pointer)));
    let (body, inside) = found.unwrap_or((value, ""));
    let Some(members) = body.as_object() else {
        let message = format!("`function` describes a tool, so it is an object; this is of type {}", body.type_name());
        return Err(refused(body.span, message, "write `\"function\": {\"name\": \"...\", \"parameters\": {...}}`"));
    };
    let parameters = parameters(value, body, members)?;
    let name = name(body, at)?;
    let description = text(body, "description")?;
    let title = text(body, "title")?;
    let is_strict = [body, value].iter().any(|one| one.get("strict").and_then(JsonValue::as_bool) == Some(true));
    let slips = members.iter().filter_map(misspelled);
    let findings = slips.chain(misspelled_type(value)).chain(odd_strict(body)).chain(odd_name(name)).collect();
    let (name, name_span) = name;
    Ok(Entry { name, name_span, title, description, parameters, is_strict, inside, findings })
}

fn refused(span: Span, message: impl Into<String>, help: &str) -> Refused {
    Box::new(Diagnostic::error(Code::BrokenTool, span, message).help(help))
}

fn name(body: &JsonValue, at: usize) -> Result<(&str, Span), Refused> {
    let help = "write `\"name\": \"get_weather\"`";
    let Some(name) = body.get("name") else {
        let near = |member: &&Member| nearest(&member.key.value, ["name"]).is_some();
        if let Some(slip) = body.as_object().into_iter().flatten().find(near) {
            let message = format!("tool {at} of this list has no `name`; `{}` is no key of a tool", slip.key.value);
            return Err(refused(slip.key.span, message, "write `name`"));
        }
        return Err(refused(body.span, format!("tool {at} of this list has no `name`"), help));
    };
    match name.as_str() {
        Some("") => Err(refused(name.span, "the name of a tool is empty", help)),
        Some(text) => Ok((text, name.span)),
        None => Err(refused(name.span, format!("the name of a tool is a string, not {}", with_article(name)), help)),
    }
}

/// Reports a name with a character that servers refuse, such as a space. OpenAI takes letters, digits, `_` and `-`; others
/// take `.`, `:` and `/` too.
fn odd_name((name, span): (&str, Span)) -> Option<Diagnostic> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
    let odd = name.chars().find(|&c| !is_known(c))?;
    let shown = if odd == ' ' { "a space".to_owned() } else { format!("{odd:?}") };
    let message = format!("the name of a tool is one word, and {name:?} has {shown} in it: servers refuse such a tool");
    let written: String = name.trim().chars().map(|c| if is_known(c) { c } else { '_' }).collect();
    let found = Diagnostic::warning(Code::BrokenTool, span, message).help(format!("write {written:?}"));
    Some(found.guess(Some(Fix::instead(span, format!("{written:?}")))))
}

/// Reads a member that is documentation; `null` counts as absent.
fn text<'a>(body: &'a JsonValue, key: &str) -> Result<Option<&'a str>, Refused> {
    match body.get(key).map(|value| (&value.kind, value)) {
        None | Some((JsonKind::Null, _)) => Ok(None),
        Some((JsonKind::String(text), _)) => Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty())),
        Some((_, value)) => {
            let message = format!("`{key}` is a string, not {}", with_article(value));
            Err(refused(value.span, message, "put the text in quotes, or remove the member"))
        }
    }
}

fn parameters<'a>(entry: &JsonValue, body: &'a JsonValue, members: &[Member]) -> Result<Parameters<'a>, Refused> {
    if custom::is_custom(entry) {
        return custom::input(body).map(Parameters::Text);
    }
    let mut schemas = SCHEMAS.iter().filter_map(|key| Some((*key, body.get(key)?)));
    let first = schemas.next();
    if let (Some((one, _)), Some((other, schema))) = (first, schemas.next()) {
        let message = format!("this tool has both `{one}` and `{other}`");
        return Err(refused(schema.span, message, "keep the one that describes the arguments"));
    }
    let Some((key, schema)) = first else { return without_schema(entry, body, members) };
    let (key, schema) = match schema.get("json") {
        Some(inner) if key == "inputSchema" && inner.as_object().is_some() && schema.get("type").is_none() => {
            ("inputSchema/json", inner)
        }
        _ => (key, schema),
    };
    match &schema.kind {
        JsonKind::Null => Ok(Parameters::None),
        JsonKind::Object(keywords) if keywords.is_empty() => Ok(Parameters::None),
        JsonKind::Object(_) => Ok(Parameters::Schema { key, schema }),
        JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) | JsonKind::Array(_) => {
            let message = format!("`{key}` is a JSON Schema, so it is an object; this is {}", with_article(schema));
            Err(refused(schema.span, message, "write `{\"type\": \"object\", \"properties\": {...}}`"))
        }
    }
}

/// Reads a tool without a schema: it takes no arguments, unless something else seems to be meant.
fn without_schema<'a>(entry: &JsonValue, body: &JsonValue, members: &[Member]) -> Result<Parameters<'a>, Refused> {
    let kind = entry.get("type").and_then(JsonValue::as_str).filter(|kind| *kind != "function");
    if let Some(kind) = kind {
        // The provider runs such tools itself, for example `web_search`: the model's text can only call the other
        // tools.
        let message =
            format!("a tool of type `{kind}` has no JSON Schema, so its calls cannot be described: it is left out");
        let found = Diagnostic::warning(Code::BrokenTool, entry.span, message);
        return Err(Box::new(
            found.help("remove it from this list, and describe its calls by a rule if there are any"),
        ));
    }
    if let Some(one) = members.iter().find(|one| !MEMBERS.contains(&one.key.value.as_str())) {
        let key = &one.key.value;
        let help = match nearest(key, MEMBERS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the schema of a tool's arguments is `parameters`, `input_schema` or `inputSchema`".to_owned(),
        };
        return Err(refused(one.key.span, format!("a tool has no member `{key}`, and this one has no schema"), &help));
    }
    if body.get("name").is_none() {
        let help = "a tool has a `name`, and a schema: `parameters`, `input_schema` or `inputSchema`";
        return Err(refused(body.span, "this object is not a tool", help));
    }
    Ok(Parameters::None)
}

/// Reports a member beside the schema whose name nearly equals a known member.
fn misspelled(member: &Member) -> Option<Diagnostic> {
    let key = &member.key.value;
    // Nearly all members are known, and to compare a name with others takes far longer than to find it among them.
    if MEMBERS.contains(&key.as_str()) {
        return None;
    }
    let near = nearest(key, MEMBERS)?;
    let fix = Fix::new(format!("write `{near}`"), member.key.span, format!("\"{near}\""));
    let found = Diagnostic::warning(
        Code::BrokenTool,
        member.key.span,
        format!("a tool has no member `{key}`, so it is ignored"),
    );
    Some(found.help(format!("did you mean `{near}`?")).fix(fix))
}

/// Reports a `type` that is nearly `function` or `custom`. Other types, such as `web_search`, belong to tools that the
/// provider runs.
fn misspelled_type(entry: &JsonValue) -> Option<Diagnostic> {
    let kind = &entry.member("type")?.value;
    let written = kind.as_str()?;
    if TYPES.contains(&written) {
        return None;
    }
    let short = || ["func", "fn"].contains(&written).then_some("function");
    let meant = nearest(written, TYPES).or_else(short)?;
    let message = format!("no tool is of the type `{written}`");
    let fix = Fix::new(format!("write `{meant}`"), kind.span, format!("\"{meant}\""));
    Some(Diagnostic::warning(Code::BrokenTool, kind.span, message).help(format!("did you mean `{meant}`?")).fix(fix))
}

/// Reports a `strict` that is neither true nor false, such as `"true"`: servers reject it.
fn odd_strict(body: &JsonValue) -> Option<Diagnostic> {
    let strict = &body.member("strict")?.value;
    let is_right = matches!(strict.kind, JsonKind::Bool(_) | JsonKind::Null);
    let message = format!("`strict` is true or false, not {}", with_article(strict));
    (!is_right).then(|| {
        Diagnostic::warning(Code::BrokenTool, strict.span, message).help("write `true` or `false`, without quotes")
    })
}

/// Reports a schema that does not describe an object: arguments are always objects.
pub(super) fn check_object(name: &str, schema: &JsonValue) -> Option<Diagnostic> {
    // Gemini's upper-case spelling has a finding of its own.
    let is_object = |kind: &JsonValue| kind.as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object"));
    let help = "arguments are an object: write `\"type\": \"object\"`";
    match schema.member("type") {
        Some(kind) if is_object(&kind.value) => None,
        // The reader of schemas reports a name that is no type.
        Some(kind) if kind.value.as_str().is_some_and(|name| !TYPE_NAMES.contains(&name)) => None,
        Some(kind) if kind.value.as_array().is_some_and(|kinds| kinds.iter().any(is_object)) => {
            let message = format!("the arguments of `{name}` may be something other than an object");
            Some(Diagnostic::warning(Code::ToolArguments, kind.value.span, message).help(help))
        }
        Some(kind) => {
            let message = format!("the arguments of `{name}` can never be an object");
            Some(Diagnostic::error(Code::ToolArguments, kind.value.span, message).help(help))
        }
        None if ["$ref", "allOf", "anyOf", "oneOf", "const", "enum"].iter().any(|key| schema.get(key).is_some()) => {
            None
        }
        None => {
            let brace = Span::new(schema.span.start, schema.span.start + 1);
            let message = format!("the arguments of `{name}` may be something other than an object");
            let fix = Fix::new("say that they are an object", brace, "{\"type\": \"object\", ");
            Some(Diagnostic::warning(Code::ToolArguments, schema.span, message).help(help).fix(fix))
        }
    }
}

fn with_article(value: &JsonValue) -> &'static str {
    match value.kind {
        JsonKind::Null => "null",
        JsonKind::Bool(_) => "a boolean",
        JsonKind::Number(_) => "a number",
        JsonKind::String(_) => "a string",
        JsonKind::Array(_) => "an array",
        JsonKind::Object(_) => "an object",
    }
}
