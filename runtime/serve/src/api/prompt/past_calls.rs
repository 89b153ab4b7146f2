//! Calls of earlier messages in the form of templates.
//!
//! A template writes the arguments itself, so strings in them end up among its own text. A string that contains the
//! name of a special token is replaced by a placeholder for a text from outside, escaped as the style of the calls
//! writes strings.

use std::collections::BTreeMap;

use ogc_generate::{ArgumentFrame, ArgumentsForm, CallFrame, PastCalls};
use serde_json::{Value, json};

use super::{Framing, names_token};
use crate::api::ApiError;
use crate::api::messages::{Call, Message};

/// For the identifier of each earlier call: the name of the tool, and the identifier that the template gets.
#[derive(Debug, Default)]
pub(super) struct PastIds {
    known: BTreeMap<String, (String, String)>,
    count: usize,
}

impl Framing<'_> {
    /// Returns a message with calls.
    pub(super) fn with_calls(&mut self, message: &Message, form: PastCalls) -> Result<Value, ApiError> {
        let content = match (message.content.is_empty(), form.has_content) {
            (true, false) => Value::Null,
            (true, true) => json!(""),
            (false, _) => json!(self.outside(message.content.clone())),
        };
        let calls: Result<Vec<Value>, ApiError> =
            message.calls.iter().zip(0..).map(|(call, number)| self.past_call(call, number, form)).collect();
        Ok(json!({ "role": "assistant", "content": content, "tool_calls": calls? }))
    }

    /// Returns the answer of a tool in the form of the template.
    pub(super) fn tool_message(&mut self, message: &Message) -> Value {
        let mut written = json!({ "role": "tool", "content": self.outside(message.content.clone()) });
        let call = message.call_id.as_deref().and_then(|id| self.ids.known.get(id));
        if let Some((name, id)) = call {
            written["name"] = json!(name);
            written["tool_call_id"] = json!(id);
        }
        written
    }

    fn past_call(&mut self, call: &Call, number: usize, form: PastCalls) -> Result<Value, ApiError> {
        let name = self.checked(&call.name)?;
        self.ids.count += 1;
        let given = call.id.clone().unwrap_or_else(|| format!("call_{}", self.ids.count));
        let id = self.style.call_id(&given, &name, number);
        let id = self.checked(&id)?;
        self.ids.known.insert(given, (name.clone(), id.clone()));
        let arguments = self.past_arguments(&call.arguments(), form.arguments)?;
        Ok(json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } }))
    }

    /// Returns arguments in the form that the template wants. Arguments that are not JSON are always a text.
    fn past_arguments(&mut self, arguments: &str, form: ArgumentsForm) -> Result<Value, ApiError> {
        let object: Option<Value> = serde_json::from_str(arguments).ok();
        match object.filter(|_| form == ArgumentsForm::Object) {
            None if names_token(arguments, self.place) => Ok(json!(self.outside(arguments.to_owned()))),
            None => Ok(json!(arguments)),
            Some(object) if !names_token(arguments, self.place) => Ok(object),
            Some(object) => {
                let has_fields = matches!(CallFrame::of(self.style).arguments, ArgumentFrame::Fields { .. });
                self.guarded(object, has_fields)
            }
        }
    }

    /// Replaces strings that contain names of special tokens. `is_bare` is true if the template writes the strings of
    /// the object without quotes.
    fn guarded(&mut self, value: Value, is_bare: bool) -> Result<Value, ApiError> {
        match value {
            Value::String(text) if names_token(&text, self.place) => {
                let quoted = json!(text).to_string();
                Ok(json!(self.outside(quoted[1..quoted.len() - 1].to_owned())))
            }
            Value::Array(items) => items.into_iter().map(|item| self.guarded(item, false)).collect(),
            Value::Object(members) => {
                let mut guarded = serde_json::Map::new();
                for (key, value) in members {
                    let key = self.checked(&key)?;
                    let value = match value {
                        Value::String(text) if is_bare && names_token(&text, self.place) => {
                            json!(self.outside(text))
                        }
                        other => self.guarded(other, false)?,
                    };
                    guarded.insert(key, value);
                }
                Ok(Value::Object(guarded))
            }
            other => Ok(other),
        }
    }

    /// Rejects a name that contains the name of a special token.
    fn checked(&self, name: &str) -> Result<String, ApiError> {
        if names_token(name, self.place) {
            let message = format!("the calls have the name of a special token in the name {name:?}: change it");
            return Err(ApiError::invalid(Some("messages"), message));
        }
        Ok(name.to_owned())
    }
}
