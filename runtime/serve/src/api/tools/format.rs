//! Writes the format of texts with calls, in the style of the model ([`CallFrame`]).

use ogc_generate::{ArgumentFrame, CallFrame, CallPiece, FieldPiece, JsonSpace, ToolStyle};
use serde_json::json;

use super::Tools;
use super::call_text::{call_text, function_arguments};
use crate::api::ApiError;
use crate::api::ogc_text::quoted;
use crate::api::response_format::{FormatFields, ResponseFormat};
use crate::api::tool::{InputGrammar, Tool, ToolInput};
use crate::call_syntax::capture::{ANSWER, CALLS, INPUT, custom};
use crate::call_syntax::{CalledTools, INPUT_BEGINS, INPUT_ENDS, ToolKind};
use crate::compile::{FormatSource, SchemaPolicy, SourceText};

/// The texts of a format with calls, under construction.
#[derive(Debug, Default)]
struct Written {
    imports: String,
    rules: String,
    /// The texts that the format imports.
    texts: Vec<SourceText>,
    fields: FormatFields,
}

impl Tools {
    /// Returns the format of texts with calls of a style, and with the answer that may take the place of the calls.
    pub(in crate::api) fn source(
        &self,
        answer: &ResponseFormat,
        style: ToolStyle,
    ) -> Result<(FormatSource, FormatFields), ApiError> {
        let frame = CallFrame::of(style);
        let mut written = Written::default();
        let most = if frame.is_single { 1 } else { self.most };
        self.write_region(&mut written, &frame, most);
        // All calls of one block are in one region.
        let regions = if frame.in_block.is_some() { 1 } else { most };
        let between = Some(frame.between).filter(|between| !between.is_empty() && regions > 1);
        let between = between.map(|between| format!(" % {}", quoted(between))).unwrap_or_default();
        let calls = format!("region[1..{regions}]{between}");
        let output = match answer.schema() {
            _ if self.must_call => calls,
            Some(schema) => {
                written.import_text("import root", answer.schema_text("answer.schema.json", schema), &answer.path);
                format!("({ANSWER}: json<root{}>) | {calls}", spelling(&answer.policies))
            }
            // Text begins otherwise than calls, so that its first character tells them apart.
            None if answer.is_text() && frame.is_whole => {
                format!("({calls}) | ({} text)?", other_beginning(&frame))
            }
            None if answer.is_text() => format!("mix<text, region, calls = 0..{regions}>"),
            None => return Err(no_schema(answer)),
        };
        let text = format!("{}{}output Reply = {output}\n", written.imports, written.rules);
        written.texts.insert(0, SourceText::new("reply.ogc", text));
        // Errors of the whole text concern all tools together.
        written.fields.push(("reply.ogc".to_owned(), self.path().to_owned()));
        Ok((FormatSource::Texts(written.texts), written.fields))
    }

    /// Returns the tools that a text may call, and how their calls are read.
    pub(in crate::api) fn called(&self, answer: &ResponseFormat, style: ToolStyle) -> CalledTools {
        let customs = self.customs().map(|tool| tool.name.clone()).collect();
        CalledTools { style, customs, has_answer: !self.must_call && answer.schema().is_some() }
    }

    fn customs(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| tool.kind() == ToolKind::Custom)
    }

    /// Writes the rule `region`: calls with the text around them.
    fn write_region(&self, written: &mut Written, frame: &CallFrame, most: usize) {
        let mut calls = Vec::new();
        if self.customs().count() < self.tools.len() {
            written.import("import tools", "tools.json", self.functions(), self.path());
            let call = call_text(frame.call, "name", &function_arguments(frame.arguments));
            written.rules += &format!("rule call<name, Args> = {call}\n");
            calls.push("any_tool<tools, call>".to_owned());
        }
        if !matches!(frame.arguments, ArgumentFrame::Json(_)) {
            written.imports += "import \"std.tools\" as std\n";
        }
        for (at, tool) in self.customs().enumerate() {
            let input = written.input(tool, at, frame);
            let (name, call) = (custom(at), call_text(frame.call, &quoted(&tool.name), &input));
            written.rules += &format!("rule {name} = {name}: ({call})\n");
            calls.push(name);
        }
        let calls = match frame.in_block {
            None => format!("({})", calls.join(" | ")),
            Some("") => format!("({})[1..{most}]", calls.join(" | ")),
            Some(between) => format!("(({})[1..{most}] % {})", calls.join(" | "), quoted(between)),
        };
        let (begins, ends) = (call_text(frame.begins, "", ""), call_text(frame.ends, "", ""));
        written.rules += &format!("rule region = {CALLS}: ({begins} {calls} {ends})\n");
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
}

impl Written {
    /// Imports a text that came from a request field.
    fn import(&mut self, what: &str, name: &str, text: String, path: &str) {
        self.import_text(what, SourceText::new(name, text), path);
    }

    fn import_text(&mut self, what: &str, text: SourceText, path: &str) {
        self.imports += &format!("{what} from {}\n", quoted(&text.name));
        self.fields.push((text.name.clone(), path.to_owned()));
        self.texts.push(text);
    }

    /// Writes the expression for the input of a custom tool: a JSON object with a string, or a text between tags.
    fn input(&mut self, tool: &Tool, at: usize, frame: &CallFrame) -> String {
        let grammar = match &tool.input {
            ToolInput::Text(Some(grammar)) => Some(self.grammar(grammar, at)),
            ToolInput::Text(None) | ToolInput::Arguments(_) => None,
        };
        match frame.arguments {
            ArgumentFrame::Json(space) => {
                let begins = match space {
                    JsonSpace::Spaced => INPUT_BEGINS,
                    JsonSpace::Compact => INPUT_BEGINS.trim_end(),
                };
                let input = grammar.map(|grammar| format!("{INPUT}: quoted<{grammar}>"));
                let input = input.unwrap_or("json<string>".to_owned());
                format!("{} {input} {}", quoted(begins), quoted(INPUT_ENDS))
            }
            ArgumentFrame::Keywords { .. } => {
                let input = grammar.map(|grammar| format!("{INPUT}: quoted<{grammar}>"));
                format!("\"input=\" {}", input.unwrap_or("json<string>".to_owned()))
            }
            ArgumentFrame::Fields { before, behind, .. } => {
                let (before, behind) = (quoted(&FieldPiece::written(before, "input", true)), quoted(behind));
                let input = grammar.unwrap_or(format!("raw<string, without = {behind}>"));
                format!("{before} {INPUT}: ({input}) {behind}")
            }
        }
    }

    /// Imports the grammar of a custom tool's input; returns its name.
    fn grammar(&mut self, grammar: &InputGrammar, at: usize) -> String {
        let name = format!("input{at}");
        // `root` is the rule that texts begin with, with the text that is ignored around it.
        self.import_text(&format!("import root as {name}"), grammar.source(&name), &grammar.path);
        name
    }
}

/// Returns the policies for the spelling of values, as arguments of `json`; the others belong to the schema's text.
fn spelling(policies: &[(SchemaPolicy, String)]) -> String {
    let written = policies.iter().filter(|(policy, _)| policy.is_spelling());
    written.map(|(policy, value)| format!(", {} = {}", policy.name(), quoted(value))).collect()
}

/// Writes the pattern of a character with which the calls of a frame do not begin.
fn other_beginning(frame: &CallFrame) -> String {
    let first = frame.begins.first().and_then(|piece| match piece {
        CallPiece::Text(text) => text.chars().next(),
        _ => None,
    });
    first.map(|first| format!("/[^\\{first}]/")).unwrap_or_default()
}

fn no_schema(answer: &ResponseFormat) -> ApiError {
    let message = format!(
        "`{}` is no schema: beside `tools`, without a tool that must be called, the format can be any text or a JSON schema",
        answer.path
    );
    ApiError::invalid(Some(&answer.path), message)
}
