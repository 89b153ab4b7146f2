//! From a prompt to tokens: the chat template of the model, then its tokenizer.

mod chat;
mod context;
mod encode;
mod fewest;
mod room;
mod sentencepiece;
mod tokenizer;

pub use chat::ChatTemplate;
pub use tokenizer::{PromptTokenizer, outside};
