//! Any text as a model's chat template: an error with a reason, or rendered within its bounds; no panic, and no prompt
//! beyond the bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ogc_generate::ChatTemplate;
use serde_json::json;

/// Cap on the bytes of a prompt that a template makes.
const MOST: usize = 64 << 20;

fuzz_target!(|input: (&str, &str, bool)| {
    let (source, content, tools) = input;
    let Ok(template) = ChatTemplate::new(source.to_owned(), "<s>", "</s>") else { return };
    let messages = json!([
        { "role": "system", "content": content },
        { "role": "user", "content": [{ "type": "text", "text": content }] },
        { "role": "assistant", "content": null, "tool_calls": [{ "id": "1", "type": "function", "function": { "name": "f", "arguments": { "a": [1, 2.5, null] } } }] },
        { "role": "tool", "tool_call_id": "1", "content": content },
    ]);
    let list = json!([{ "type": "function", "function": { "name": "f", "parameters": { "type": "object" } } }]);
    if let Ok(prompt) = template.render(&messages, tools.then_some(&list)) {
        assert!(prompt.len() <= MOST, "{} bytes", prompt.len());
    }
    let _plain = template.prompt(Some(content), content);
});
