//! The items of a response while its text grows, and the events for them.
//!
//! An item ends where the next one begins: a message ends at a call, and a call ends at the next call or at text.

use serde_json::{Value, json};

use crate::answer::{Delta, Finish};
use crate::api::{ApiError, Namespaces};
use crate::call_syntax::ToolKind;

/// An event: its type, and its other fields.
pub(super) type ItemEvent = (&'static str, Value);

/// Kind of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ItemKind {
    /// A message of text.
    Text,
    /// A message that explains why there is no answer.
    Refusal,
    /// Reasoning of another server's model.
    Reasoning,
    /// The call with this number.
    Call { kind: ToolKind, index: usize, namespace: Option<String>, name: String },
}

/// One item.
#[derive(Debug)]
struct Item {
    id: String,
    kind: ItemKind,
    text: String,
    logprobs: Vec<Value>,
    /// `in_progress` until it ends.
    status: &'static str,
}

/// The items of a response.
#[derive(Debug)]
pub(super) struct Items {
    number: u64,
    namespaces: Namespaces,
    /// The items; all but the last have ended.
    items: Vec<Item>,
    /// Probabilities of tokens whose text was not sent yet.
    waiting: Vec<Value>,
}

impl ItemKind {
    /// Returns the prefix of the item's identifier.
    fn prefix(&self) -> &'static str {
        match self {
            Self::Text | Self::Refusal => "msg",
            Self::Reasoning => "rs",
            Self::Call { kind: ToolKind::Function, .. } => "fc",
            Self::Call { kind: ToolKind::Custom, .. } => "ctc",
        }
    }

    /// Returns the names of the events for more text and for the complete text, and the field with the complete text.
    fn events(&self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Text => ("response.output_text.delta", "response.output_text.done", "text"),
            Self::Refusal => ("response.refusal.delta", "response.refusal.done", "refusal"),
            Self::Reasoning => ("response.reasoning_text.delta", "response.reasoning_text.done", "text"),
            Self::Call { kind: kind @ ToolKind::Function, .. } => {
                ("response.function_call_arguments.delta", "response.function_call_arguments.done", kind.field())
            }
            Self::Call { kind: kind @ ToolKind::Custom, .. } => {
                ("response.custom_tool_call_input.delta", "response.custom_tool_call_input.done", kind.field())
            }
        }
    }

    /// Returns whether the text is in a part of the item's content.
    fn has_part(&self) -> bool {
        !matches!(self, Self::Call { .. })
    }
}

impl Item {
    /// Returns the part of the content that contains the text.
    fn part(&self) -> Value {
        let text = &self.text;
        match self.kind {
            ItemKind::Refusal => json!({ "type": "refusal", "refusal": text }),
            ItemKind::Reasoning => json!({ "type": "reasoning_text", "text": text }),
            ItemKind::Text | ItemKind::Call { .. } => {
                json!({ "type": "output_text", "annotations": [], "logprobs": self.logprobs, "text": text })
            }
        }
    }

    fn value(&self, content: Value, number: u64) -> Value {
        let Self { id, kind, text, status, .. } = self;
        match kind {
            ItemKind::Text | ItemKind::Refusal => {
                json!({ "id": id, "type": "message", "status": status, "role": "assistant", "content": content })
            }
            ItemKind::Reasoning => {
                json!({ "id": id, "type": "reasoning", "status": status, "summary": [], "content": content })
            }
            ItemKind::Call { kind, index, namespace, name } => {
                let object = match kind {
                    ToolKind::Function => "function_call",
                    ToolKind::Custom => "custom_tool_call",
                };
                let call_id = format!("call_{number:08}_{index}");
                let mut item = json!({
                    "id": id, "type": object, "status": status, "call_id": call_id, "name": name, kind.field(): text,
                });
                if let Some(namespace) = namespace {
                    item["namespace"] = json!(namespace);
                }
                item
            }
        }
    }
}

impl Items {
    pub(super) fn new(number: u64, namespaces: Namespaces) -> Self {
        Self { number, namespaces, items: Vec::new(), waiting: Vec::new() }
    }

    /// Stores the probabilities of tokens whose text follows.
    pub(super) fn expect(&mut self, logprobs: Option<Value>) {
        if let Some(Value::Object(mut logprobs)) = logprobs
            && let Some(Value::Array(more)) = logprobs.remove("content")
        {
            self.waiting.extend(more);
        }
    }

    /// Adds a change of the text to the items.
    ///
    /// # Errors
    /// Another server continued a call after the next item had begun.
    pub(super) fn add(&mut self, delta: Delta, events: &mut Vec<ItemEvent>) -> Result<(), ApiError> {
        match delta {
            Delta::Content(text) => self.grow(ItemKind::Text, &text, events),
            Delta::OtherField { field: "refusal", text } => self.grow(ItemKind::Refusal, &text, events),
            Delta::OtherField { text, .. } => self.grow(ItemKind::Reasoning, &text, events),
            Delta::CallBegins { index, kind, name } => {
                let (namespace, name) = match self.namespaces.get(&name) {
                    Some((namespace, name)) => (Some(namespace.clone()), name.clone()),
                    None => (None, name),
                };
                self.begin(ItemKind::Call { kind, index, namespace, name }, events);
            }
            Delta::Arguments { index, text } => {
                let last = self.items.last().map(|item| item.kind.clone());
                let call = last.filter(|kind| matches!(kind, ItemKind::Call { index: last, .. } if *last == index));
                let Some(call) = call else {
                    return Err(ApiError::upstream(None, "it went on with a call behind the next one"));
                };
                self.grow(call, &text, events);
            }
            // Only chunks of chats have events.
            Delta::Events(_) => {}
        }
        Ok(())
    }

    /// Ends the last item. A text without content becomes an empty message.
    pub(super) fn end(&mut self, finish: Finish, events: &mut Vec<ItemEvent>) {
        if self.items.is_empty() {
            self.begin(ItemKind::Text, events);
        }
        let is_cut = matches!(finish, Finish::Length | Finish::Filter);
        self.close(if is_cut { "incomplete" } else { "completed" }, events);
    }

    /// Returns the items in their current state.
    pub(super) fn into_values(self) -> Vec<Value> {
        self.items.iter().map(|item| item.value(json!([item.part()]), self.number)).collect()
    }

    /// Appends text to the last item if it is of this kind, and to a new item otherwise.
    fn grow(&mut self, kind: ItemKind, text: &str, events: &mut Vec<ItemEvent>) {
        if self.items.last().is_none_or(|item| item.kind != kind) {
            self.begin(kind, events);
        }
        let index = self.items.len().saturating_sub(1);
        let Some(item) = self.items.last_mut() else { return };
        item.text.push_str(text);
        let (delta, _, _) = item.kind.events();
        let mut fields = json!({ "item_id": item.id, "output_index": index, "delta": text });
        if item.kind.has_part() {
            fields["content_index"] = json!(0);
        }
        if item.kind == ItemKind::Text {
            let logprobs = std::mem::take(&mut self.waiting);
            fields["logprobs"] = logprobs.iter().map(without_bytes).collect();
            item.logprobs.extend(logprobs);
        }
        events.push((delta, fields));
    }

    /// Ends the last item, and begins a new one.
    fn begin(&mut self, kind: ItemKind, events: &mut Vec<ItemEvent>) {
        self.close("completed", events);
        if kind != ItemKind::Text {
            // Items of calls have no field for probabilities.
            self.waiting.clear();
        }
        let index = self.items.len();
        let id = format!("{}_{:08}_{index}", kind.prefix(), self.number);
        let item = Item { id, kind, text: String::new(), logprobs: Vec::new(), status: "in_progress" };
        let value = item.value(json!([]), self.number);
        events.push(("response.output_item.added", json!({ "output_index": index, "item": value })));
        if item.kind.has_part() {
            let fields = json!({ "item_id": item.id, "output_index": index, "content_index": 0, "part": item.part() });
            events.push(("response.content_part.added", fields));
        }
        self.items.push(item);
    }

    /// Ends the last item.
    fn close(&mut self, status: &'static str, events: &mut Vec<ItemEvent>) {
        if !self.waiting.is_empty() && self.items.last().is_some_and(|item| item.kind == ItemKind::Text) {
            // Probabilities of tokens without text, such as the one that ends it.
            self.grow(ItemKind::Text, "", events);
        }
        let index = self.items.len().saturating_sub(1);
        let Some(item) = self.items.last_mut() else { return };
        item.status = status;
        let (_, done, field) = item.kind.events();
        let mut fields = json!({ "item_id": item.id, "output_index": index, field: item.text });
        if item.kind.has_part() {
            fields["content_index"] = json!(0);
        }
        if item.kind == ItemKind::Text {
            fields["logprobs"] = item.logprobs.iter().map(without_bytes).collect();
        }
        events.push((done, fields));
        if item.kind.has_part() {
            let fields = json!({ "item_id": item.id, "output_index": index, "content_index": 0, "part": item.part() });
            events.push(("response.content_part.done", fields));
        }
        let value = item.value(json!([item.part()]), self.number);
        events.push(("response.output_item.done", json!({ "output_index": index, "item": value })));
    }
}

/// Returns the probabilities of a token in the form of events, without bytes.
fn without_bytes(token: &Value) -> Value {
    let plain = |token: &Value| json!({ "token": token["token"], "logprob": token["logprob"] });
    let mut written = plain(token);
    let likeliest = token["top_logprobs"].as_array();
    written["top_logprobs"] = likeliest.into_iter().flatten().map(plain).collect();
    written
}
