//! The prompt of a chat: turns messages into the input of the model's template, and the template's text into tokens.
//!
//! Texts of messages come from outside: no name in them may become a special token. A template that can write calls of
//! earlier messages gets them as calls ([`past_calls`]); for other templates the calls are written into the text.

mod past_calls;

use ogc_generate::{ChatTemplate, ToolStyle, outside};
use ogc_runtime::vocabulary::TokenId;
use serde_json::{Value, json};

use super::messages::{Message, Role};
use super::tools::Tools;
use super::{ApiError, Place};
use past_calls::PastIds;

/// Returns the style of calls: the operator's choice, or the template's style. A model whose template does not know
/// tools gets the style of Hermes, with instructions for it.
pub(super) fn tool_style(place: Place<'_>) -> Result<ToolStyle, ApiError> {
    let template = place.loaded.template.as_ref();
    let known = place.options.tool_style.or(template.and_then(ChatTemplate::tool_style));
    match known {
        Some(style) => Ok(style),
        None if template.is_some_and(ChatTemplate::reads_tools) => {
            let message = "the style in which the model writes calls is not known from its chat template: the server's operator chooses it with `--tool-style`";
            Err(ApiError::invalid(Some("tools"), message))
        }
        None => Ok(ToolStyle::Hermes),
    }
}

/// Makes the tokens of the prompt.
pub(super) fn prompt(messages: &[Message], tools: Option<&Tools>, place: Place<'_>) -> Result<Vec<TokenId>, ApiError> {
    let Some(template) = &place.loaded.template else {
        return Err(ApiError::invalid(None, "the model has no chat template: use `/v1/completions`"));
    };
    let style = tool_style(place).unwrap_or(ToolStyle::Hermes);
    let reads_tools = template.reads_tools();
    let described = tools.filter(|_| reads_tools).map(Tools::described);
    check_tools(described.as_deref(), place)?;
    let mut framing = Framing { template, style, place, parts: Vec::new(), ids: PastIds::default() };
    let instructions = tools.filter(|_| !reads_tools).map(|tools| tools.instructions(style));
    let framed = framing.framed(messages, instructions.as_deref())?;
    let rendered = template.render(&framed, described.as_ref());
    let rendered = rendered.map_err(|error| ApiError::invalid(Some("messages"), error.to_string()))?;
    let parts: Vec<&str> = framing.parts.iter().map(String::as_str).collect();
    let tokens = place.tokenizer.tokens_with_outside(&rendered, &parts);
    tokens.map_err(|error| ApiError::invalid(Some("messages"), error.to_string()))
}

/// Rejects tools that contain names of special tokens, because templates would write these names among their own text.
fn check_tools(tools: Option<&[Value]>, place: Place<'_>) -> Result<(), ApiError> {
    let text: String = tools.unwrap_or_default().iter().map(Value::to_string).collect();
    if names_token(&text, place) {
        return Err(ApiError::invalid(Some("tools"), "the tools have the name of a special token in them: change it"));
    }
    Ok(())
}

/// Returns whether a text contains the name of a special token, or a placeholder for a text from outside.
fn names_token(text: &str, place: Place<'_>) -> bool {
    text.contains(|character| ('\u{fdd0}'..='\u{fdef}').contains(&character)) || place.tokenizer.names_special(text)
}

/// The messages of a prompt under construction.
struct Framing<'a> {
    template: &'a ChatTemplate,
    style: ToolStyle,
    place: Place<'a>,
    /// The texts from outside; the index of each is the number of its placeholder.
    parts: Vec<String>,
    ids: PastIds,
}

impl Framing<'_> {
    /// Returns the messages in the form of the template; instructions are put into the first system message.
    fn framed(&mut self, messages: &[Message], instructions: Option<&str>) -> Result<Vec<Value>, ApiError> {
        let mut framed = Vec::new();
        if let Some(instructions) = instructions
            && !matches!(messages[0].role, Role::System | Role::Developer)
        {
            framed.push(json!({ "role": "system", "content": self.outside(instructions.to_owned()) }));
        }
        for (at, message) in messages.iter().enumerate() {
            let instructions = instructions.filter(|_| at == 0);
            framed.push(self.message(message, instructions)?);
        }
        Ok(framed)
    }

    fn message(&mut self, message: &Message, instructions: Option<&str>) -> Result<Value, ApiError> {
        let past_calls = self.template.past_calls();
        let knows_calls = self.template.reads_tools() || past_calls.is_some();
        let text = message.content.clone();
        match (message.role, instructions, past_calls) {
            (Role::System | Role::Developer, Some(instructions), _) => {
                Ok(json!({ "role": "system", "content": self.outside(format!("{text}\n\n{instructions}")) }))
            }
            (_, _, Some(form)) if !message.calls.is_empty() => self.with_calls(message, form),
            (Role::Tool, _, _) if knows_calls => Ok(self.tool_message(message)),
            (Role::Tool, _, _) => {
                let text = format!("<tool_response>\n{text}\n</tool_response>");
                Ok(json!({ "role": "user", "content": self.outside(text) }))
            }
            (role, _, _) => {
                let text = self.with_written_calls(message);
                Ok(json!({ "role": role_name(role), "content": self.outside(text) }))
            }
        }
    }

    /// Returns the text of a message with its calls appended.
    fn with_written_calls(&self, message: &Message) -> String {
        let mut text = message.content.clone();
        for call in &message.calls {
            text.extend(Some("\n").filter(|_| !text.is_empty()));
            let arguments = serde_json::from_str(&call.arguments()).unwrap_or_default();
            text.push_str(&self.style.written(&call.name, &arguments));
        }
        text
    }

    /// Returns the placeholder for a text from outside.
    fn outside(&mut self, text: String) -> String {
        self.parts.push(text);
        outside(self.parts.len() - 1)
    }
}

/// Returns the name that templates use for a role.
fn role_name(role: Role) -> &'static str {
    match role {
        Role::System | Role::Developer => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

#[cfg(test)]
mod tests;
