//! Tools that a text may call: the format of the calls ([`crate::call_syntax`]), and how a model is told of the tools.

use serde_json::{Value, json};

use super::fields::{Field, Object};
use super::ogc_text::quoted;
use super::response_format::{FormatFields, OBJECT, ResponseFormat, Syntax};
use super::tool::{InputGrammar, MAX_TOOLS, Nesting, Tool, ToolInput, read_listed, unique};
use super::tool_choice::{NamedTool, ToolChoice, ToolMode};
use super::{ApiError, functions};
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE, CalledTools, INPUT_BEGINS, INPUT_ENDS, ToolKind};
use crate::compile::{FormatSource, SchemaPolicy, SourceText};

/// The most calls of a text.
const MAX_CALLS: usize = 16;

/// The tools of a request, and whether they must be called.
#[derive(Debug)]
pub(super) struct Tools {
    tools: Vec<Tool>,
    must_call: bool,
    /// The most calls of a text.
    most: usize,
    form: CallForm,
}

/// A tool that may be called, and the format of what it is called with.
#[derive(Clone, Debug)]
pub(crate) struct WantedTool {
    pub(crate) name: String,
    pub(crate) kind: ToolKind,
    pub(crate) format: FormatSource,
}

/// How an answer writes its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// As a list, `tool_calls`.
    #[default]
    Tools,
    /// As one, `function_call`, for requests with `functions`.
    Function,
}

/// Reads the list of tools.
fn tools(field: &Field<'_>, nesting: Nesting) -> Result<Vec<Tool>, ApiError> {
    let items = field.list()?;
    let (limit, _) = MAX_TOOLS;
    let too_many = |given| field.refused(&format!("there are {given} tools; {limit} are the most"));
    if items.len() > limit {
        return Err(too_many(items.len()));
    }
    let tools = unique(&items, |item| read_listed(item, nesting))?;
    if tools.len() > limit { Err(too_many(tools.len())) } else { Ok(tools) }
}

/// Refuses choices of tools that there are not.
fn check_allowed(allowed: &[NamedTool], tools: &[Tool]) -> Result<(), ApiError> {
    for NamedTool { kind, name, path } in allowed {
        let message = match tools.iter().find(|tool| tool.name == *name) {
            None => format!("`{path}` is `{name}`, which is no tool of the request"),
            Some(tool) if tool.kind() != *kind => {
                format!("`{path}` is `{name}`, which is a tool of the type `{}`", tool.kind().name())
            }
            Some(_) => continue,
        };
        return Err(ApiError::invalid(Some(path), message));
    }
    Ok(())
}

impl Tools {
    /// Takes the tools of a request; nothing if none may be called.
    pub(super) fn read(body: &mut Object<'_>, nesting: Nesting) -> Result<Option<Self>, ApiError> {
        let old = if nesting == Nesting::Inner { functions::read(body)? } else { None };
        let (mut tools, ToolChoice { mode, allowed }, parallel, form) = match old {
            Some((tools, choice)) => (tools, choice, false, CallForm::Function),
            None => {
                let read = |field: Field<'_>| tools(&field, nesting);
                let tools = body.take("tools").map(read).transpose()?.unwrap_or_default();
                let choice = ToolChoice::read(body, nesting)?;
                let parallel = body.take("parallel_tool_calls").map_or(Ok(true), |field| field.flag())?;
                (tools, choice, parallel, CallForm::Tools)
            }
        };
        if let Some(allowed) = allowed {
            check_allowed(&allowed, &tools)?;
            tools.retain(|tool| allowed.iter().any(|allowed| allowed.name == tool.name));
        }
        if mode == ToolMode::Required && tools.is_empty() {
            let message = "`tool_choice` is `required`, and there are no tools";
            return Err(ApiError::invalid(Some("tool_choice"), message));
        }
        let most = if parallel { MAX_CALLS } else { 1 };
        let may_call = mode != ToolMode::None && !tools.is_empty();
        Ok(may_call.then_some(Self { tools, must_call: mode == ToolMode::Required, most, form }))
    }

    /// Returns the format of texts with calls, and of the answer that may stand in their place.
    pub(super) fn source(&self, answer: &ResponseFormat) -> Result<(FormatSource, FormatFields), ApiError> {
        let mut written = Written::default();
        let call = self.written(&mut written);
        let most = self.most;
        let calls = format!("({call})[1..{most}] % \"\\n\"");
        let output = match answer.schema() {
            _ if self.must_call => calls,
            Some(schema) => {
                written.import_text("import root", answer.schema_text("answer.schema.json", schema), &answer.path);
                format!("json<root{}> | {calls}", spelling(&answer.policies))
            }
            None if answer.is_text() => format!("mix<text, {call}, calls = 0..{most}>"),
            None => {
                let message = format!(
                    "`{}` is no schema: beside `tools`, without a tool that must be called, the format can be any text or a JSON schema",
                    answer.path
                );
                return Err(ApiError::invalid(Some(&answer.path), message));
            }
        };
        let text = format!("{}{}output Reply = {output}\n", written.imports, written.rules);
        written.texts.insert(0, SourceText::new("reply.ogc", text));
        // What is wrong with the whole is about the tools together.
        written.fields.push(("reply.ogc".to_owned(), self.path().to_owned()));
        Ok((FormatSource::Texts { texts: written.texts, definition: None }, written.fields))
    }

    /// Writes the rules of a call of one of the tools; returns the expression that is one.
    fn written(&self, written: &mut Written) -> String {
        let (begins, middle, ends) = (quoted(CALL_BEGINS), quoted(CALL_MIDDLE), quoted(CALL_ENDS));
        let customs: Vec<&Tool> = self.tools.iter().filter(|tool| tool.kind() == ToolKind::Custom).collect();
        let mut calls = Vec::new();
        if customs.len() < self.tools.len() {
            written.import("import tools", "tools.json", self.functions(), self.path());
            let arguments = format!("name {middle} json<Args, space = \"spaced\">");
            if customs.is_empty() {
                written.rules += &format!("rule call<name, Args> = {begins} {arguments} {ends}\n");
                return "any_tool<tools, call>".to_owned();
            }
            written.rules += &format!("rule function<name, Args> = {arguments}\n");
            calls.push("any_tool<tools, function>".to_owned());
        }
        let (opens, closes) = (quoted(INPUT_BEGINS), quoted(INPUT_ENDS));
        for (at, tool) in customs.into_iter().enumerate() {
            let input = written.input(tool, at);
            let name = quoted(&tool.name);
            written.rules += &format!("rule custom{at} = {name} {middle} {opens} {input} {closes}\n");
            calls.push(format!("custom{at}"));
        }
        written.rules += &format!("rule call = {begins} ({}) {ends}\n", calls.join(" | "));
        "call".to_owned()
    }

    /// Returns what each tool is called with.
    pub(super) fn arguments(&self) -> Vec<WantedTool> {
        let one = |tool: &Tool| {
            let format = match &tool.input {
                ToolInput::Arguments(schema) => {
                    FormatSource::text("arguments.schema.json", schema.as_deref().unwrap_or(OBJECT))
                }
                ToolInput::Text(None) => FormatSource::text("input.ogc", "output Input = text\n"),
                ToolInput::Text(Some(grammar)) => {
                    FormatSource::text(&input_name("input", grammar.syntax), grammar.text.clone())
                }
            };
            WantedTool { name: tool.name.clone(), kind: tool.kind(), format }
        };
        self.tools.iter().map(one).collect()
    }

    /// Returns which tools a text may call.
    pub(super) fn called(&self) -> CalledTools {
        let customs = self.tools.iter().filter(|tool| tool.kind() == ToolKind::Custom);
        CalledTools { customs: customs.map(|tool| tool.name.clone()).collect() }
    }

    /// Returns whether one of them must be called.
    pub(super) fn must_call(&self) -> bool {
        self.must_call
    }

    /// Returns how an answer writes its calls.
    pub(super) fn form(&self) -> CallForm {
        self.form
    }

    /// Returns whether only one may be called.
    pub(super) fn is_single(&self) -> bool {
        self.most == 1
    }

    /// Returns the field of a request that has them.
    fn path(&self) -> &'static str {
        match self.form {
            CallForm::Tools => "tools",
            CallForm::Function => "functions",
        }
    }

    /// Returns the list of the functions, with the texts of their schemas.
    fn functions(&self) -> String {
        let entry = |tool: &Tool| match &tool.input {
            ToolInput::Arguments(schema) => {
                let parameters = schema.as_deref().unwrap_or("{}");
                Some(format!("{{\"name\": {}, \"parameters\": {parameters}}}", json!(tool.name)))
            }
            ToolInput::Text(_) => None,
        };
        format!("[{}]", self.tools.iter().filter_map(entry).collect::<Vec<_>>().join(", "))
    }

    /// Returns the tools as templates read them.
    pub(super) fn described(&self) -> Vec<Value> {
        self.tools.iter().map(Tool::described).collect()
    }

    /// Returns what a model is told of the tools whose template knows nothing of them.
    pub(super) fn instructions(&self) -> String {
        let tools: Vec<String> = self.described().iter().map(Value::to_string).collect();
        let must = if self.must_call { "Call" } else { "You may call" };
        format!(
            "{must} one or more of these functions, described by JSON:\n{}\n\nA call is a line between tags:\n{CALL_BEGINS}NAME\
             {CALL_MIDDLE}ARGUMENTS{CALL_ENDS}",
            tools.join("\n")
        )
    }
}

/// Returns those policies as arguments of `json` that say how values are written; the others are of the schema's text.
fn spelling(policies: &[(SchemaPolicy, String)]) -> String {
    let written = policies.iter().filter(|(policy, _)| policy.is_spelling());
    written.map(|(policy, value)| format!(", {} = {}", policy.name(), quoted(value))).collect()
}

/// The texts of a format with calls, while they are written.
#[derive(Debug, Default)]
struct Written {
    imports: String,
    rules: String,
    /// What is imported.
    texts: Vec<SourceText>,
    fields: FormatFields,
}

impl Written {
    /// Imports a text that came from a field of the request.
    fn import(&mut self, what: &str, name: &str, text: String, path: &str) {
        self.import_text(what, SourceText::new(name, text), path);
    }

    fn import_text(&mut self, what: &str, text: SourceText, path: &str) {
        self.imports += &format!("{what} from {}\n", quoted(&text.name));
        self.fields.push((text.name.clone(), path.to_owned()));
        self.texts.push(text);
    }

    /// Writes the expression of a custom tool's input: a string of JSON with a text of the tool's grammar.
    fn input(&mut self, tool: &Tool, at: usize) -> String {
        let ToolInput::Text(Some(InputGrammar { syntax, text, path })) = &tool.input else {
            return "json<string>".to_owned();
        };
        let name = input_name(&format!("input{at}"), *syntax);
        match syntax {
            Syntax::Regex => self.import(&format!("import root as input{at}"), &name, text.clone(), path),
            _ => self.import(&format!("import start as input{at}"), &name, text.clone(), path),
        }
        format!("quoted<input{at}>")
    }
}

/// Returns the name that the grammar of an input has for the compiler.
fn input_name(stem: &str, syntax: Syntax) -> String {
    format!("{stem}.{}", if matches!(syntax, Syntax::Regex) { "regex" } else { "lark" })
}
