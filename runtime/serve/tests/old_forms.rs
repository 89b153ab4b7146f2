//! Tests of parameters of chats in the forms that OpenAI documents: deprecated parameters, and parameters of streams.

use ogc_serve::ServeOptions;
use serde_json::{Value, json};

use crate::running::{Answered, Mock, Running};

/// Returns the parts of a stream, except for the last, which marks the end.
fn parts(answered: &Answered) -> Vec<Value> {
    answered.good();
    let mut data: Vec<&str> = answered.body.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(data.pop(), Some("[DONE]"));
    data.iter().map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

#[test]
fn every_part_has_a_usage_field_if_usage_is_requested() {
    let server = Running::start(ServeOptions::default());
    let format = json!({ "type": "json_object" });
    let asked = json!({ "stream": true, "stream_options": { "include_usage": true }, "response_format": format });
    let mut told = parts(&server.chat(&asked));
    let last = told.pop().expect("parts");
    assert_eq!((&last["choices"], last["usage"]["completion_tokens"].is_u64()), (&json!([]), true));
    assert!(!told.is_empty() && told.iter().all(|part| part.get("usage") == Some(&Value::Null)), "{told:?}");
    let plain = json!({ "stream": true, "response_format": format });
    assert!(parts(&server.chat(&plain)).iter().all(|part| part.get("usage").is_none()));
}

#[test]
fn max_tokens_and_max_completion_tokens_are_read() {
    let server = Running::start(ServeOptions::default());
    for name in ["max_tokens", "max_completion_tokens"] {
        let body = json!({ "messages": [{ "role": "user", "content": "x" }], name: 4, "seed": -1, "logit_bias": { "5": -100 } });
        server.post("/v1/chat/completions", &body.to_string()).good();
    }
}

/// A conversation in the old form: a call and its answer.
fn old() -> Value {
    json!({
        "messages": [
            { "role": "user", "content": "x" },
            { "role": "assistant", "content": null, "function_call": { "name": "f", "arguments": "{}" } },
            { "role": "function", "name": "f", "content": "1" },
        ],
        "functions": [{ "name": "f", "description": "d", "parameters": { "type": "object" } }, { "name": "g" }],
        "function_call": { "name": "f" },
    })
}

#[test]
fn functions_are_sent_upstream_as_tools_and_answered_as_functions() {
    let call = json!({ "tool_calls": [{ "index": 0, "id": "x", "function": { "name": "f", "arguments": "ab" } }] });
    let deltas =
        [json!({ "index": 0, "delta": call }), json!({ "index": 0, "delta": {}, "finish_reason": "tool_calls" })];
    let stream: String = deltas.iter().map(|choice| format!("data: {}\n\n", json!({ "choices": [choice] }))).collect();
    let mock = Mock::start(Some(&Mock::reply("200 OK", "text/event-stream", &format!("{stream}data: [DONE]\n\n"))));
    let server = Running::before(&mock.url, None, ServeOptions::default());
    let answered = server.chat(&old());
    answered.good();
    let answer: Value = serde_json::from_str(&answered.body).expect("JSON");
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "function_call");
    assert_eq!(choice["message"]["function_call"], json!({ "name": "f", "arguments": "ab" }));
    assert_eq!(choice["message"].get("tool_calls"), None);
    let asked = mock.asked().pop().expect("a request");
    let (_, body) = asked.split_once("\r\n\r\n").expect("a body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    let call = json!({ "id": "call_1", "type": "function", "function": { "name": "f", "arguments": "{}" } });
    let expected = json!([
        { "role": "user", "content": "x" },
        { "role": "assistant", "content": null, "tool_calls": [call] },
        { "role": "tool", "name": "f", "content": "1", "tool_call_id": "call_1" },
    ]);
    assert_eq!(body["messages"], expected);
    assert_eq!(body["tools"][0]["function"]["name"], "f");
    assert_eq!(body["tool_choice"], json!({ "type": "function", "function": { "name": "f" } }));
    assert_eq!((body.get("functions"), body.get("function_call")), (None, None));
    let mut streamed = old();
    streamed["stream"] = json!(true);
    let told = parts(&server.chat(&streamed));
    let arguments: String =
        told.iter().filter_map(|part| part["choices"][0]["delta"]["function_call"]["arguments"].as_str()).collect();
    assert_eq!(arguments, "ab");
}
