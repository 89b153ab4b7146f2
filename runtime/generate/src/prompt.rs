//! From a prompt to tokens: the chat template of the model, then its tokenizer.

mod chat;
mod context;
mod encode;
mod fewest;
mod foreign;
mod python_json;
mod room;
mod sentencepiece;
mod tokenizer;
mod tool_style;

pub use chat::{ArgumentsForm, ChatTemplate, PastCalls};
pub use foreign::TextTokenizer;
pub use tokenizer::{PromptTokenizer, outside};
pub use tool_style::{ArgumentFrame, CallFrame, CallPiece, FieldPiece, JsonSpace, ToolStyle};
