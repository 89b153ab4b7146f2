//! `ogc serve --upstream`: another server generates the texts; here it is a mock that sends right or wrong texts.

use ogc_kit::Random;
use serde_json::{Value, json};

use super::client::{Server, folder};
use super::mock::{Mock, Reply};
use crate::cli::Folder;

fn formats() -> Folder {
    Folder::with(&[
        ("formats/pet.ogc", "output Pet = { name: \"cat\" | \"dog\", age: 0..20 }\n"),
        (
            "formats/pretty.ogc",
            "policy space = \"pretty\"\noutput Pet = { name: \"cat\" | \"dog\", ages: int<0..20>[0..9] }\n",
        ),
        ("formats/date.ogc", "output Date = /[0-9]{4}-[0-9]{2}/\n"),
        ("formats/lines.regex", "[a-z]*(\\n[a-z]*){0,2}[a-z]"),
        ("formats/ended.regex", "([a-z]\\n)+"),
        ("formats/named.ogc", "output Named = tok\"<|eot|>\" \"a\"\n"),
    ])
}

fn before(mock: &Mock, flags: &[&str]) -> Server {
    Server::before(formats(), &mock.url, flags)
}

fn request(format: &str, more: &Value) -> Value {
    let mut request = json!({
        "model": "m",
        "messages": [{ "role": "user", "content": "A pet" }],
        "response_format": { "type": "ogc", "ogc": { "name": format } },
    });
    for (name, value) in more.as_object().expect("fields") {
        request[name] = value.clone();
    }
    request
}

/// Returns the text of a response's choice.
fn content(answer: &Value) -> &str {
    answer["choices"][0]["message"]["content"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

/// Returns the text in the events of a stream.
fn streamed(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect()
}

#[test]
fn valid_upstream_texts_and_all_request_fields_are_passed_on() {
    let text = r#"{"name":"cat","age":4}"#;
    let mock = Mock::start(vec![Reply::text(text, 3)]);
    let server = before(&mock, &["--dialect", "vllm"]);
    let answer = server
        .chat(&request("pet", &json!({ "temperature": 0.7, "min_p": 0.1, "chat_template_kwargs": { "a": 1 } })))
        .good();
    assert_eq!(content(&answer), text);
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_eq!(answer["model"], "m");
    assert_eq!(answer["usage"], json!({ "prompt_tokens": 7, "completion_tokens": 9, "total_tokens": 16 }));
    let report = &answer["choices"][0]["ogc"];
    assert_eq!(*report, json!({ "attempts": 1, "constraint": "GBNF", "whole": true, "violations": [] }));
    let asked = &mock.asked(1)[0];
    assert_eq!((asked.path.as_str(), &asked.key), ("/v1/chat/completions", &None));
    let body = &asked.body;
    assert_eq!((&body["stream"], &body["stream_options"]["include_usage"]), (&json!(true), &json!(true)));
    assert_eq!((&body["min_p"], &body["chat_template_kwargs"]), (&json!(0.1), &json!({ "a": 1 })));
    assert_eq!(body["messages"], json!([{ "role": "user", "content": "A pet" }]));
    assert!(body["structured_outputs"]["grammar"].as_str().is_some_and(|text| text.contains("root ::=")), "{body}");
    assert!(body.get("response_format").is_none() && body.get("n").is_none(), "{body}");
    // Also as a stream, however the other server splits it.
    for piece in [1, 2, 7, 100] {
        let mock = Mock::start(vec![Reply::text(text, piece)]);
        let server = before(&mock, &[]);
        let request = request("pet", &json!({ "stream": true, "stream_options": { "include_usage": true } }));
        let events = server.chat(&request).events();
        assert_eq!(streamed(&events), text);
        assert_eq!(events.last().expect("the usage")["usage"]["total_tokens"], 16);
        let asked = self::request("pet", &json!({ "stream": true, "stream_options": { "include_events": true } }));
        let parts = server.chat(&asked).events();
        let told = parts.iter().filter_map(|part| part["choices"][0]["events"].as_array()).flatten();
        let kinds: Vec<&str> = told.filter_map(|event| event["event"].as_str()).collect();
        assert!(kinds.contains(&"field-begins") && kinds.last() == Some(&"ended"), "{kinds:?}");
        let end = events.iter().find(|event| event["choices"][0]["finish_reason"] == "stop").expect("an end");
        assert_eq!(end["choices"][0]["ogc"]["constraint"], "JSON Schema");
    }
}

#[test]
fn constraints_are_sent_in_the_dialect_of_the_upstream_server() {
    let fields = [
        ("openai", "pet", "/response_format/json_schema/schema"),
        ("vllm", "pet", "/structured_outputs/grammar"),
        ("sglang", "date", "/ebnf"),
        ("llama.cpp", "date", "/grammar"),
        ("mistral.rs", "date", "/grammar/value"),
        ("ogc", "date", "/response_format/grammar/text"),
    ];
    for (dialect, format, pointer) in fields {
        let text = if format == "pet" { r#"{"name":"cat","age":4}"# } else { "2026-11" };
        let mock = Mock::start(vec![Reply::text(text, 4)]);
        let server = before(&mock, &["--dialect", dialect]);
        assert_eq!(content(&server.chat(&request(format, &json!({}))).good()), text);
        let body = &mock.asked(1)[0].body;
        assert!(body.pointer(pointer).is_some_and(|value| !value.is_null()), "{dialect}: {body}");
    }
    // A text is not JSON, so it is requested without a constraint, which the response reports; it is verified all the
    // same.
    let mock = Mock::start(vec![Reply::text("2026-1", 4), Reply::text("2026-11\n", 4)]);
    let server = before(&mock, &[]);
    let answer = server.chat(&request("date", &json!({}))).good();
    assert_eq!(content(&answer), "2026-11");
    let report = &answer["choices"][0]["ogc"];
    assert!(report["unconstrained"].as_str().is_some_and(|reason| reason.contains("JSON Schema")), "{report}");
    assert_eq!(report["violations"][0]["found"], Value::Null);
    assert!(mock.asked(2).iter().all(|asked| asked.body.get("response_format").is_none()));
    // A schema is passed on unchanged.
    let schema = json!({ "type": "json_schema", "json_schema": { "name": "x", "strict": true, "schema": { "type": "integer" } } });
    let mock = Mock::start(vec![Reply::text("17", 1)]);
    let server = before(&mock, &["--dialect", "vllm"]);
    let answer = server.chat(&request("", &json!({ "response_format": schema }))).good();
    assert_eq!((content(&answer), &answer["choices"][0]["ogc"]["constraint"]), ("17", &json!("response_format")));
    assert_eq!(mock.asked(1)[0].body["response_format"], schema);
}

#[test]
fn an_invalid_upstream_text_is_stopped_at_the_first_wrong_byte_and_retried() {
    let long: String = (0..400).map(|_| " and a fox").collect();
    let bad = [r#"{"name":"fox"#, &long].concat();
    let good = r#"{"name":"dog","age":20}"#;
    let mock = Mock::start(vec![Reply::text(&bad, 4), Reply::text(good, 4)]);
    let server = before(&mock, &[]);
    let answer = server.chat(&request("pet", &json!({ "seed": 5 }))).good();
    assert_eq!(content(&answer), good);
    let report = &answer["choices"][0]["ogc"];
    assert_eq!(report["attempts"], 2);
    let violation = &report["violations"][0];
    assert_eq!(
        (&violation["part"], &violation["at"], &violation["found"]),
        (&json!("content"), &json!(9), &json!("fox"))
    );
    assert_eq!(violation["expected"], json!(["'\\\\'", "'c' to 'd'"]));
    let asked = mock.asked(2);
    let first = asked.iter().find(|asked| asked.body["seed"] == 5).expect("the first");
    assert!(first.sent < 100, "the connection was closed after {} parts", first.sent);
    assert!(asked.iter().any(|asked| asked.body["seed"] == 5 + 1_000_003));
    assert_eq!((server.metric("ogc_upstream_requests_total "), server.metric("ogc_violations_total ")), (2, 1));
}

#[test]
fn a_text_that_is_invalid_after_all_retries_is_an_error_with_the_position() {
    for (bad, at, found) in [
        (r#"{"name":"cat","age":21}"#, 21, json!("1}")),
        (r#"{"name":"cat","age":2"#, 21, json!(null)),
        (r#"{"name":"cat","age":4}{"#, 22, json!("{")),
        ("Sure! Here is a pet", 0, json!("Sure! Here is a pet")),
        (r#"{"name":"cat","age":1 2}"#, 22, json!("2}")),
        ("{\"name\":\"c at\",\"age\":1}", 10, json!(" at\",\"age\":1}")),
        ("", 0, json!(null)),
    ] {
        let mock = Mock::start(vec![Reply::text(bad, 3)]);
        let server = before(&mock, &["--retries", "1"]);
        let error = server.chat(&request("pet", &json!({}))).refused(502, "asked 2 times");
        assert_eq!((&error["code"], &error["violation"]["at"]), (&json!("format_violation"), &json!(at)), "{error}");
        let shown = error["violation"]["found"].as_str().unwrap_or_default();
        assert!(
            found.as_str().map_or(shown.is_empty(), |found| !shown.is_empty() && found.starts_with(shown)),
            "{error}"
        );
        assert_eq!(mock.asked(2).len(), 2);
    }
    // With greedy sampling, a retry would give the same text.
    let mock = Mock::start(vec![Reply::text("no", 3)]);
    let server = before(&mock, &[]);
    server.chat(&request("pet", &json!({ "temperature": 0 }))).refused(502, "asked once");
    // Text that was sent to a client cannot be taken back.
    let mock = Mock::start(vec![Reply::text(r#"{"name":"cat","age":21}"#, 2)]);
    let server = before(&mock, &[]);
    let said = server.chat(&request("pet", &json!({ "stream": true }))).body;
    assert!(said.contains(r#""content":"2""#) && !said.contains(r#""content":"1"#), "{said}");
    assert!(said.contains("format_violation") && !said.contains("[DONE]"), "{said}");
    assert_eq!(mock.asked(1).len(), 1);
}

#[test]
fn upstream_servers_that_support_prefill_continue_the_valid_prefix() {
    let replies =
        || vec![Reply::text(r#"{"name":"cat", and its age is"#, 2), Reply::text("twelve", 2), Reply::text("12}", 1)];
    for (dialect, is_chat) in [("vllm", true), ("llama.cpp", true), ("openai", false)] {
        let mock = Mock::start(replies());
        let server = before(&mock, &["--dialect", dialect]);
        let request = match is_chat {
            true => request("pet", &json!({ "stream": true, "max_tokens": 100 })),
            false => json!({
                "prompt": "A pet: ", "stream": true, "max_tokens": 100,
                "response_format": { "type": "ogc", "ogc": { "name": "pet" } },
            }),
        };
        let path = if is_chat { "/v1/chat/completions" } else { "/v1/completions" };
        let events = server.post(path, &request.to_string()).events();
        let text = |event: &Value| {
            let choice = &event["choices"][0];
            choice["delta"]["content"].as_str().or(choice["text"].as_str()).unwrap_or_default().to_owned()
        };
        assert_eq!(events.iter().map(text).collect::<String>(), r#"{"name":"cat","age":12}"#);
        let mut asked = mock.asked(3);
        asked.sort_by_key(|asked| std::cmp::Reverse(asked.body["max_tokens"].as_u64()));
        let (second, third) = (&asked[1].body, &asked[2].body);
        assert!(second["max_tokens"].as_u64() < Some(100) && second.get("structured_outputs").is_none(), "{second}");
        // The part that the format determines is not requested.
        let begun = r#"{"name":"cat","age":"#;
        match is_chat {
            true => {
                assert_eq!(second["messages"][1], json!({ "role": "assistant", "content": begun }));
                assert_eq!(third["messages"].as_array().map(Vec::len), Some(2));
                assert_eq!(second["continue_final_message"] == true, dialect == "vllm");
            }
            false => assert_eq!(second["prompt"], format!("A pet: {begun}")),
        }
    }
}

#[test]
fn white_space_of_upstream_texts_is_normalised_to_the_format() {
    let compact = r#"{"name":"cat","age":4}"#;
    let pretty = "{\n  \"name\": \"cat\",\n  \"ages\": [\n    1,\n    2\n  ]\n}";
    let empty = "{\n  \"name\": \"dog\",\n  \"ages\": []\n}";
    let cases = [
        ("pet", "{ \"name\" :\t\"cat\",\r\n \"age\": 4 }\n\n", compact),
        ("pet", "\n{\"name\": \"cat\", \"age\": 4}", compact),
        ("pretty", r#"{"name":"cat","ages":[1,2]}"#, pretty),
        ("pretty", pretty, pretty),
        ("pretty", "{ \"name\": \"dog\", \"ages\": [ ] }\n", empty),
        ("pretty", "{\n\t\"name\":\"cat\",\n\t\"ages\":[1,2]}", pretty),
        ("date", "2026-11\n \n", "2026-11"),
        ("date", "\n\n2026-11", "2026-11"),
        ("lines.regex", "a\nb\n", "a\nb"),
        ("lines.regex", "a\nb \n\n", "a\nb"),
        ("lines.regex", "a\n\nb", "a\n\nb"),
        ("ended.regex", "a\nb\n", "a\nb\n"),
    ];
    for (format, written, expected) in cases {
        for piece in [1, 2, 5, 100] {
            let mock = Mock::start(vec![Reply::text(written, piece)]);
            let server = before(&mock, &[]);
            let answer = server.chat(&request(format, &json!({}))).good();
            assert_eq!(content(&answer), expected, "{written:?} in pieces of {piece}");
        }
    }
    // After a text that is not JSON, only white space is removed.
    let mock = Mock::start(vec![Reply::text("2026-11\n5", 1)]);
    let error = before(&mock, &["--retries", "0"]).chat(&request("date", &json!({}))).refused(502, "format");
    assert_eq!(error["violation"]["at"], 8);
}

/// A second implementation of the format `pet`: returns the value if a text matches, ignoring white space.
fn pet(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let members: Vec<(&String, &Value)> = value.as_object()?.iter().collect();
    let [(name, cat), (age, years)] = members[..] else { return None };
    let is_pet = matches!(cat.as_str()?, "cat" | "dog") && years.as_u64()? <= 20;
    (name == "name" && age == "age" && is_pet).then_some(value)
}

#[test]
fn verdicts_on_random_upstream_texts_match_a_json_parser() {
    const PARTS: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        " ",
        "\n",
        "\t",
        "\r",
        "0",
        "1",
        "2",
        "a",
        "t",
        "true",
        "null",
        "\u{a0}",
        "x",
        "\\u0061",
        "/",
        "\u{1f600}",
    ];
    let mut random = Random::new(1);
    let mut below = |most| random.below(most);
    let mut texts = Vec::new();
    for _ in 0..400 {
        let mut text: Vec<String> = [r#"{ "name" : "dog" , "age" : 1"#, ["", "0", "9", " "][below(4)], " }"]
            .concat()
            .chars()
            .filter(|character| *character != ' ' || below(2) == 0)
            .map(String::from)
            .collect();
        for _ in 0..below(3) {
            let (at, part) = (below(text.len()), PARTS[below(PARTS.len())].to_owned());
            match below(3) {
                0 => text[at] = part,
                1 => text.insert(at, part),
                _ => drop(text.remove(at)),
            }
        }
        texts.push(text.concat());
    }
    let mock = Mock::start(texts.iter().map(|text| Reply::text(text, 1 + text.len() % 5)).collect());
    let server = before(&mock, &["--retries", "0"]);
    let mut right = 0;
    for text in &texts {
        let answered = server.chat(&request("pet", &json!({})));
        match pet(text) {
            Some(value) => {
                let answer = answered.good();
                let compact = content(&answer);
                assert_eq!(serde_json::from_str::<Value>(compact).ok(), Some(value), "{text:?}");
                assert!(!compact.contains([' ', '\n', '\t', '\r']), "{compact:?} of {text:?}");
                right += 1;
            }
            None => drop(answered.refused(502, "no text of the format")),
        }
    }
    assert!((50..350).contains(&right), "{right} of 400 are right");
}

#[test]
fn upstream_reasoning_refusals_and_log_probabilities_are_passed_on() {
    // Probabilities of rejected tokens are not shown, and reasoning is sent only once.
    let chunk = |delta: Value, token: &str| {
        let logprobs = json!({ "content": [{ "token": token, "logprob": -1.0 }] });
        json!({ "choices": [{ "index": 0, "delta": delta, "logprobs": logprobs }] }).to_string()
    };
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }).to_string();
    let lines = |all: &[String]| Reply::Lines(all.iter().map(|line| format!("data: {line}\n\n")).collect());
    let replies = || {
        let think = json!({ "choices": [{ "index": 0, "delta": { "reasoning": "hm" } }] }).to_string();
        let good = [
            chunk(json!({ "content": "{\"name\":\"cat\"," }), "good"),
            chunk(json!({ "content": "\"age\":1}" }), "more"),
        ];
        vec![
            lines(&[think.clone(), chunk(json!({ "content": "Sure" }), "Sure"), end.clone()]),
            lines(&[think, good[0].clone(), good[1].clone(), end.clone()]),
        ]
    };
    let server = before(&Mock::start(replies()), &[]);
    let said = server.chat(&request("pet", &json!({ "stream": true, "logprobs": true }))).body;
    assert!(
        !said.contains("\"token\":\"Sure\"") && said.contains("\"good\"") && said.matches("\"hm\"").count() == 1,
        "{said}"
    );
    let server = before(&Mock::start(replies()), &[]);
    let answer = server.chat(&request("pet", &json!({ "logprobs": true }))).good();
    assert_eq!(answer["choices"][0]["logprobs"]["content"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["choices"][0]["message"]["reasoning"], "hm");
    // A refusal of the model is a valid response, though it does not match the format.
    let mock = Mock::start(vec![Reply::Deltas(vec![json!({ "refusal": "I can't." })], "stop")]);
    let answer = before(&mock, &[]).chat(&request("pet", &json!({}))).good();
    assert_eq!(answer["choices"][0]["message"]["refusal"], "I can't.");
    assert_eq!(answer["choices"][0]["ogc"]["whole"], false);
    assert_eq!(mock.asked(1).len(), 1);
    // Calls instead of a text have no events, and a truncated call is not complete.
    let mut asked = weather(&json!({ "stream": true, "stream_options": { "include_events": true } }));
    asked["response_format"] = request("pet", &json!({}))["response_format"].clone();
    let mock = Mock::start(vec![Reply::Deltas(call(0, "time", &["{}"]), "tool_calls")]);
    let parts = before(&mock, &[]).chat(&asked).events();
    assert!(parts.iter().any(|part| part["choices"][0]["finish_reason"] == "tool_calls"), "{parts:?}");
    let mock = Mock::start(vec![Reply::Deltas(call(0, "weather", &["{\"city\": \"Ro"]), "length")]);
    let answer = before(&mock, &[]).chat(&weather(&json!({}))).good();
    assert_eq!(answer["choices"][0]["ogc"]["whole"], false, "{answer}");
}

#[test]
fn request_fields_reach_the_upstream_server_unchanged() {
    let mock = Mock::start(vec![Reply::text(r#"{"name":"cat","age":1}"#, 9)]);
    let server = before(&mock, &["--dialect", "vllm"]);
    let options = json!({ "include_usage": true, "continuous_usage_stats": true });
    let more = json!({ "max_tokens": -1, "seed": u64::MAX, "best_of": 1, "modalities": ["text"], "stream": true, "stream_options": options });
    server.chat(&request("pet", &more)).events();
    let body = &mock.asked(1)[0].body;
    for name in ["max_tokens", "seed", "best_of", "modalities", "stream_options"] {
        assert_eq!(body[name], more[name], "{name}");
    }
    server.chat(&request("pet", &json!({ "grammar": "root ::= [a-z]" }))).refused(400, "two formats");
    let mut asked = request("pet", &json!({ "stream": true }));
    asked["messages"] = json!([{ "role": "user", "content": "A pet" }, { "role": "assistant", "content": "Here: " }]);
    let mock = Mock::start(vec![Reply::text(r#"{"name":"cat",x"#, 3), Reply::text("1}", 1)]);
    let server = before(&mock, &["--dialect", "llama.cpp"]);
    assert_eq!(streamed(&server.chat(&asked).events()), r#"{"name":"cat","age":1}"#);
    let messages = &mock.asked(2)[1].body["messages"];
    assert_eq!(messages[1], json!({ "role": "assistant", "content": r#"Here: {"name":"cat","age":"# }));
}

#[test]
fn a_client_that_does_not_read_frees_its_slot() {
    let endless: String = (0..3_000).map(|_| "many words of a long answer ".repeat(20)).collect();
    let mock = Mock::start(vec![Reply::text(&endless, 4_000), Reply::text("a", 1)]);
    let server = before(&mock, &["--slots", "1", "--timeout", "2"]);
    let asked = json!({ "messages": [], "stream": true });
    let held = server.send("POST", "/v1/chat/completions", &asked.to_string());
    std::thread::sleep(std::time::Duration::from_secs(3));
    server.chat(&json!({ "messages": [] })).good();
    drop(held);
}

fn weather(more: &Value) -> Value {
    let tool =
        |name: &str, schema: Value| json!({ "type": "function", "function": { "name": name, "parameters": schema } });
    let city = json!({ "type": "object", "properties": { "city": { "enum": ["Rome", "Oslo"] } }, "required": ["city"], "additionalProperties": false });
    let mut request = json!({
        "messages": [{ "role": "user", "content": "?" }],
        "tools": [tool("weather", city), tool("time", json!({ "type": "object" }))],
    });
    for (name, value) in more.as_object().expect("fields") {
        request[name] = value.clone();
    }
    request
}

/// Returns the parts of a call.
fn call(index: usize, name: &str, arguments: &[&str]) -> Vec<Value> {
    let first = json!({ "tool_calls": [{ "index": index, "id": "x", "type": "function", "function": { "name": name, "arguments": "" } }] });
    let more = |part: &&str| json!({ "tool_calls": [{ "index": index, "function": { "arguments": part } }] });
    std::iter::once(first).chain(arguments.iter().map(more)).collect()
}

#[test]
fn calls_of_tools_are_verified() {
    let two = [call(0, "weather", &["{\"city\"", ": \"Ro", "me\"}"]), call(1, "time", &["{}"])].concat();
    let mock = Mock::start(vec![Reply::Deltas(two.clone(), "tool_calls")]);
    let server = before(&mock, &[]);
    let answer = server.chat(&weather(&json!({}))).good();
    let calls = &answer["choices"][0]["message"]["tool_calls"];
    assert_eq!(calls[0]["function"], json!({ "name": "weather", "arguments": "{\"city\": \"Rome\"}" }));
    assert_eq!(calls[1]["function"], json!({ "name": "time", "arguments": "{}" }));
    assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");
    assert_eq!(mock.asked(1)[0].body["tools"], weather(&json!({}))["tools"]);
    let wrong = [
        (call(0, "weather", &["{\"city\": \"Paris\"}"]), json!({}), "byte 10 of tool_calls[0].function.arguments"),
        (call(0, "weather", &["{}"]), json!({}), "byte 1 of tool_calls[0].function.arguments"),
        (call(0, "weather", &["{\"city\": \"Rome\""]), json!({}), "found the end"),
        (call(0, "launch", &["{}"]), json!({}), "found \"launch\", expected \"time\", \"weather\""),
        (call(1, "time", &["{}"]), json!({}), "without a name"),
        (two, json!({ "parallel_tool_calls": false }), "expected one call"),
        (vec![json!({ "content": "no" })], json!({ "tool_choice": "required" }), "expected a call"),
        (
            call(0, "time", &["{}"]),
            json!({ "tool_choice": { "type": "function", "function": { "name": "weather" } } }),
            "expected \"weather\"",
        ),
        (call(0, "time", &["{}"]), json!({ "tool_choice": "none" }), "found \"time\""),
    ];
    for (deltas, more, message) in wrong {
        let mock = Mock::start(vec![Reply::Deltas(deltas, "tool_calls")]);
        before(&mock, &["--retries", "0"]).chat(&weather(&more)).refused(502, message);
    }
    let mut broken = weather(&json!({}));
    broken["tools"][1]["function"]["parameters"] = json!({ "type": "wrong" });
    let error = server.chat(&broken).refused(400, "the tool `time`");
    assert_eq!(error["param"], "tools");
}

#[test]
fn upstream_faults_are_reported() {
    let lines = |text: &str| Reply::Lines(text.to_owned());
    let faults = [
        (Reply::Whole(401, r#"{"error":{"message":"wrong key"}}"#.to_owned()), 401, "wrong key"),
        (Reply::Whole(429, "slow down".to_owned()), 429, "no reason"),
        (Reply::Whole(500, "<html>".to_owned()), 502, "without an error in JSON"),
        (Reply::Whole(302, String::new()), 502, "redirects are not followed"),
        (Reply::Whole(200, "no".to_owned()), 502, "no part of an answer"),
        (Reply::Text(vec!["{\"name\"".to_owned()], None), 502, "broke off"),
        (lines("data: {\"error\": {\"message\": \"out of memory\"}}\n\n"), 502, "out of memory"),
        (lines("data: {\"choices\": 7}\n\n"), 502, "no part of an answer"),
        (lines("data: {\"choices\":[{\"delta\":{\"content\":7}}]}\n\n"), 502, "no text"),
        (lines("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"abort\"}]}\n\n"), 502, "`abort`"),
        (lines("data: {\"choices\":[{\"delta\":{}},{\"delta\":{}}]}\n\n"), 502, "two texts"),
        (lines("data: \u{fffd}"), 502, "no part of an answer"),
    ];
    for (reply, status, message) in faults {
        let mock = Mock::start(vec![reply.clone()]);
        let answered = before(&mock, &[]).chat(&request("pet", &json!({})));
        let error = answered.refused(status, message);
        assert_eq!(error["code"], "upstream", "{reply:?}");
        assert_eq!(mock.asked(1).len(), 1, "faults are not tried again");
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", closed.local_addr().expect("an address"));
    drop(closed);
    let server = Server::before(formats(), &url, &[]);
    server.chat(&request("pet", &json!({}))).refused(502, "refused");
    server.get("/v1/models").refused(502, "refused");
}

#[test]
fn formats_that_cannot_be_verified_are_refused_without_an_upstream_request() {
    let mock = Mock::start(vec![Reply::text("x", 1)]);
    let server = before(&mock, &[]);
    server.chat(&request("named", &json!({}))).refused(400, "special tokens");
    server.chat(&request("other", &json!({}))).refused(400, "no format");
    server.chat(&request("pet", &json!({ "functions": [] }))).refused(400, "there are 0 functions");
    server.chat(&json!({ "model": "m" })).refused(400, "`messages` is missing");
    server.post("/v1/completions", r#"{"prompt": ["a", "b"]}"#).refused(400, "one string");
    server.post("/v1/completions", r#"{"prompt": "a", "echo": true}"#).refused(400, "echo");
    let limited = json!({ "type": "ogc", "ogc": { "text": "output A = text<max_tokens = 5>\n" } });
    let answered = server.chat(&request("", &json!({ "response_format": limited })));
    answered.refused(400, "limit characters (`max_chars`)");
    let folder = formats();
    for (arguments, message) in [
        (&["serve"][..], "--model"),
        (&["serve", "--upstream", "localhost"], "no address"),
        (&["serve", "--upstream", "http://a/?b=c"], "more than a host"),
        (&["serve", "--upstream", "http://a", "--model", "m"], "cannot be used with"),
        (&["serve", "--upstream", "http://a", "--device", "cuda"], "no model runs here"),
        (&["serve", "--upstream", "http://a", "--dialect", "x"], "llama.cpp"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == 2 && ran.err.contains(message), "{ran:?}");
    }
}

#[test]
fn truncated_upstream_texts_choices_and_stop_strings_are_handled() {
    let mock = Mock::start(vec![Reply::Text(vec!["{\"name\"".to_owned()], Some("length"))]);
    let answer = before(&mock, &[]).chat(&request("pet", &json!({ "max_tokens": 3 }))).good();
    assert_eq!((content(&answer), &answer["choices"][0]["finish_reason"]), ("{\"name\"", &json!("length")));
    assert_eq!(answer["choices"][0]["ogc"]["whole"], false);

    let deltas = vec![
        json!({ "reasoning_content": "A " }),
        json!({ "reasoning_content": "cat." }),
        json!({ "content": "{\"name\":\"cat\"," }),
        json!({ "content": "\"age\":1}" }),
    ];
    let mock = Mock::start(vec![Reply::Deltas(deltas, "stop")]);
    let server = before(&mock, &[]);
    let answer = server.chat(&request("pet", &json!({ "n": 3, "seed": 1 }))).good();
    let choices = answer["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 3);
    assert!(choices.iter().all(|choice| choice["message"]["reasoning_content"] == "A cat."), "{answer}");
    let mut seeds: Vec<_> = mock.asked(3).iter().map(|asked| asked.body["seed"].as_u64()).collect();
    seeds.sort();
    assert_eq!(seeds, [Some(1), Some(2), Some(3)]);

    // Stop strings end a text where its format may end; without a format, they are passed on.
    let mock = Mock::start(vec![Reply::text("aa.b.c", 1)]);
    let server = before(&mock, &[]);
    let grammar = json!({ "type": "grammar", "grammar": { "syntax": "regex", "text": "[a.]+(b[.c]+)?" } });
    let answer = server.chat(&request("", &json!({ "response_format": grammar, "stop": ["."] }))).good();
    assert_eq!(content(&answer), "aa");
    let answer = server.chat(&json!({ "messages": [], "stop": ["."] })).good();
    assert_eq!(content(&answer), "aa.b.c");
    assert_eq!(answer["choices"][0].get("ogc"), None);
    assert_eq!(mock.asked(2)[1].body["stop"], json!(["."]));
    // Also if a stop string does not match the format, or only its beginning does.
    for (pattern, written, stop) in
        [("[0-9]+", "42### and more", "###"), ("[0-9]+\\n?", "42\nQ: 7", "\nQ:"), ("[a.]+", "42", "2")]
    {
        for piece in [1, 2, 9] {
            let mock = Mock::start(vec![Reply::text(written, piece)]);
            let grammar = json!({ "type": "grammar", "grammar": { "syntax": "regex", "text": pattern } });
            let asked = request("", &json!({ "response_format": grammar, "stop": stop }));
            let answered = before(&mock, &["--retries", "0"]).chat(&asked);
            match pattern {
                "[a.]+" => drop(answered.refused(502, "found \"4")),
                _ => assert_eq!(content(&answered.good()), "42", "{pattern} in pieces of {piece}"),
            }
        }
    }
    // A complete response from a server without streams.
    let whole =
        json!({ "choices": [{ "message": { "content": "{\"name\":\"cat\",\"age\":1}" }, "finish_reason": "stop" }] });
    let mock = Mock::start(vec![Reply::Whole(200, whole.to_string())]);
    let answer = before(&mock, &[]).chat(&request("pet", &json!({}))).good();
    assert_eq!(content(&answer), "{\"name\":\"cat\",\"age\":1}");
    let mock = Mock::start(vec![Reply::Whole(200, "{\"data\":[]}".to_owned())]);
    let server = before(&mock, &[]);
    assert_eq!(server.get("/v1/models").good(), json!({ "data": [] }));
    server.get("/v1/models/a").good();
    assert_eq!(mock.asked(2)[1].path, "/v1/models/a");
}

#[test]
fn one_ogc_server_can_be_the_upstream_of_another() {
    let mut first = Server::start(folder(), &[]);
    let server = Server::before(formats(), &first.url(), &["--dialect", "ogc"]);
    for (format, stream) in [("pet", false), ("date", false), ("pet", true)] {
        let mut asked = request(format, &json!({ "stream": stream, "max_tokens": 100, "seed": 3 }));
        asked["model"] = json!("tiny");
        let text = match stream {
            true => streamed(&server.chat(&asked).events()),
            false => {
                let answer = server.chat(&asked).good();
                assert_eq!(answer["choices"][0]["ogc"]["attempts"], 1, "{answer}");
                content(&answer).to_owned()
            }
        };
        match format {
            "pet" => drop(serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{error}: {text}"))),
            _ => assert!(text.len() == 7 && text.as_bytes()[4] == b'-', "{text}"),
        }
    }
    assert_eq!(server.get("/v1/models").good()["data"][0]["id"], "tiny");
    first.end();
}

#[test]
fn a_disconnect_closes_the_upstream_connection_and_keys_are_passed_on() {
    let endless: String = (0..3_000).map(|_| "word ").collect();
    let mock = Mock::start(vec![Reply::text(&endless, 5)]);
    let server = Server::before_with(formats(), &mock.url, &[], &[("OGC_UPSTREAM_KEY", "own")]);
    let asked = json!({ "messages": [], "stream": true });
    let mut stream = server.send("POST", "/v1/chat/completions", &asked.to_string());
    let mut some = [0; 400];
    std::io::Read::read_exact(&mut stream, &mut some).expect("the beginning");
    drop(stream);
    let asked = &mock.asked(1)[0];
    assert!(asked.sent < 3_000, "{}", asked.sent);
    assert_eq!(asked.key.as_deref(), Some("Bearer own"));
}
