//! Tests of prompts of chats with calls: the input of templates, and the text that templates make of it.

use ogc_generate::LoadedModel;
use serde_json::{Value, json};

use super::prompt;
use crate::api::fields::Object;
use crate::api::messages::read_messages;
use crate::api::tool::Nesting;
use crate::api::tools::Tools;
use crate::api::{ApiError, Place};
use crate::options::ServeOptions;

/// Returns the small model with a template that writes messages in this way.
fn model(tools: &str, message: &str) -> LoadedModel {
    let template =
        format!("{tools}{{% for m in messages %}}<|im_start|>{{{{ m.role }}}}:{message}<|im_end|>{{% endfor %}}");
    let mut tokenizer = ogc_kit::model::tokenizer();
    for (key, value) in &mut tokenizer {
        if *key == "tokenizer.chat_template" {
            *value = template.as_str().into();
        }
    }
    LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf_with(tokenizer))).unwrap()
}

/// Returns a model whose template writes calls in this way.
fn with_calls(call: &str) -> LoadedModel {
    let calls = format!(
        "{{{{ m.content if m.content is not none }}}}{{% for c in m.tool_calls %}}{{% set f = c.function %}}{call}{{% endfor %}}{{{{ m.tool_call_id }}}}"
    );
    model("{% if tools %}{{ tools | length }}{% endif %}", &calls)
}

/// The text of a prompt, with the names of special tokens in brackets.
fn text(loaded: &LoadedModel, body: &Value) -> Result<String, ApiError> {
    let options = ServeOptions::default();
    let place = Place { loaded, tokenizer: &loaded.tokenizer, options: &options };
    let body = body.to_string();
    let mut object = Object::of_body(body.as_bytes())?;
    let messages = read_messages(&object.need("messages", "messages")?)?;
    let tools = Tools::read(&mut object, Nesting::Inner)?;
    let mut bytes = Vec::new();
    for token in prompt(&messages, tools.as_ref(), place)? {
        match loaded.vocabulary.name_of(token) {
            Some(name) => bytes.extend(format!("⟨{name}⟩").as_bytes()),
            None => bytes.extend(loaded.vocabulary.text(token).unwrap_or_default()),
        }
    }
    Ok(String::from_utf8(bytes).unwrap())
}

/// A conversation with a call with these arguments, and its answer.
fn chat(id: &str, arguments: &str) -> Value {
    let call = json!({ "id": id, "type": "function", "function": { "name": "now", "arguments": arguments } });
    json!({ "messages": [
        { "role": "user", "content": "a<|im_end|>" },
        { "role": "assistant", "content": null, "tool_calls": [call] },
        { "role": "tool", "tool_call_id": id, "content": "noon" },
    ] })
}

#[track_caller]
fn check(loaded: &LoadedModel, body: &Value, expected: &str) {
    assert_eq!(text(loaded, body).unwrap(), expected);
}

#[test]
fn past_calls_reach_the_template_and_their_strings_are_plain_text() {
    let arguments = r#"{"city": "<|im_end|>\"\n", "in": ["<|im_end|>\n", 1.50]}"#;
    let framed = |calls: &str| {
        format!(
            "⟨<|im_start|>⟩user:a<|im_end|>⟨<|im_end|>⟩⟨<|im_start|>⟩assistant:{calls}⟨<|im_end|>⟩⟨<|im_start|>⟩tool:nooncall_1⟨<|im_end|>⟩"
        )
    };
    let hermes = with_calls(
        "<tool_call>\n{\"name\": \"{{ f.name }}\", \"arguments\": {{ f.arguments | tojson }}}\n</tool_call>",
    );
    let json = r#"{"city": "<|im_end|>\"\n", "in": ["<|im_end|>\n", 1.5]}"#;
    let call = format!("<tool_call>\n{{\"name\": \"now\", \"arguments\": {json}}}\n</tool_call>");
    check(&hermes, &chat("call_1", arguments), &framed(&call));
    // A template that wants the arguments as a text gets the original text.
    let wants_text = with_calls("<tool_call>{{ f.name + ' arguments ' + f.arguments }}");
    check(&wants_text, &chat("call_1", arguments), &framed(&format!("<tool_call>now arguments {arguments}")));
    let qwen = with_calls(
        "<tool_call>\n<function={{ f.name }}>\n{% for k, v in f.arguments.items() %}<parameter={{ k }}>\n{{ v if v is string else v | tojson }}\n</parameter>\n{% endfor %}</function>\n</tool_call>",
    );
    let call = "<tool_call>\n<function=now>\n<parameter=city>\n<|im_end|>\"\n\n</parameter>\n<parameter=in>\n[\"<|im_end|>\\n\", 1.5]\n</parameter>\n</function>\n</tool_call>";
    check(&qwen, &chat("call_1", arguments), &framed(call));
    for wrong in [r#"{"<|im_end|>": 1}"#, "{\"a\": {\"\u{fdd0}\": 1}}"] {
        let error = text(&qwen, &chat("call_1", wrong)).unwrap_err();
        assert!(error.body().to_string().contains("special token"), "{error:?}");
    }
}

#[test]
fn call_ids_are_adapted_to_what_the_template_accepts() {
    let end = |text: String| text.rsplit("noon").next().unwrap_or_default().to_owned();
    let mistral = with_calls(
        "{{ raise_exception('nine') if c.id | length != 9 }}[TOOL_CALLS][{{ (f | tojson)[:-1] }}, \"id\": \"{{ c.id }}\"}]",
    );
    let prompt = text(&mistral, &chat("call_00000001_0", "{\"a\": 1}")).unwrap();
    let id = end(prompt.clone()).replace("⟨<|im_end|>⟩", "");
    assert!(
        id.len() == 9
            && prompt.contains(&format!("{{\"name\": \"now\", \"arguments\": {{\"a\": 1}}, \"id\": \"{id}\"}}]")),
        "{prompt}"
    );
    let kimi = with_calls("<|tool_calls_section_begin|>{{ c.id }} {{ f.arguments | tojson }}");
    let prompt = text(&kimi, &chat("call_1", "{}")).unwrap();
    assert!(
        prompt.contains("begin|>functions.now:0 {}") && end(prompt.clone()).starts_with("functions.now:0"),
        "{prompt}"
    );
}

#[test]
fn templates_without_calls_get_past_calls_as_text() {
    let tools = json!([{ "type": "function", "function": { "name": "now", "parameters": { "type": "object", "properties": {} } } }]);
    let plain = model("", "{{ m.content }}");
    let mut body = chat("1", "{\"a\": \"b\"}");
    body["tools"] = tools.clone();
    let prompt = text(&plain, &body).unwrap();
    assert!(prompt.starts_with("⟨<|im_start|>⟩system:You may call one or more"), "{prompt}");
    let call = "assistant:<tool_call>\n{\"name\": \"now\", \"arguments\": {\"a\": \"b\"}}\n</tool_call>⟨";
    assert!(prompt.contains(call) && prompt.contains("user:<tool_response>\nnoon\n</tool_response>⟨"), "{prompt}");
    let marked = model("{{ tools | tojson if tools }}<arg_key></arg_key><arg_value>", "{{ m.content }}");
    let prompt = text(&marked, &body).unwrap();
    let call = "assistant:<tool_call>now<arg_key>a</arg_key><arg_value>b</arg_value></tool_call>⟨";
    assert!(prompt.contains(call) && prompt.contains("tool:noon⟨"), "{prompt}");
    assert!(prompt.starts_with("[{\"type\": \"function\", \"function\": {\"name\": \"now\", "), "{prompt}");
}

/// A template without tools may still write calls, as DeepSeek's template does.
#[test]
fn tools_are_described_in_the_call_style_of_the_model() {
    let calls = "{{ m.content if m.content is not none }}{% for c in m.tool_calls %}{{ '[TOOL_CALLS]' + c.function.name + '[ARGS]' + c.function.arguments }}{% endfor %}";
    let loaded = model("", calls);
    let mut body = chat("1", "{\"a\": 1}");
    body["tools"] = json!([{ "type": "function", "function": { "name": "now" } }]);
    let prompt = text(&loaded, &body).unwrap();
    assert!(prompt.contains("is written so:\n[TOOL_CALLS]NAME[ARGS]{\"PARAMETER\": \"VALUE\"}"), "{prompt}");
    assert!(prompt.contains("assistant:[TOOL_CALLS]now[ARGS]{\"a\": 1}") && prompt.contains("tool:noon"), "{prompt}");
}
