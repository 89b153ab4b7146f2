//! Tool call styles: a server writes calls in the style of its model's chat template, and parses them.
//!
//! Schemas of constants determine the output of the random model: the arguments in a response equal those in the
//! schema.

use ogc_kit::Random;
use ogc_kit::gguf::Value as Metadata;
use serde_json::{Map, Value, json};

use super::client::{Server, folder};
use crate::cli::Folder;

/// The styles of templates, each with how a miniature template writes a call, and the special tokens in it.
const STYLES: [(&str, &str, &[&str]); 19] = [
    (
        "hermes",
        "<tool_call>\n{\"name\": \"{{ f.name }}\", \"arguments\": {{ f.arguments | tojson }}}\n</tool_call>",
        &[],
    ),
    ("llama3", "<|start_header_id|>{\"name\": \"{{ f.name }}\", \"parameters\": {{ f.arguments | tojson }}}", &[]),
    ("mistral", "[TOOL_CALLS][{{ f | tojson }}]", &["[TOOL_CALLS]"]),
    ("mistral_args", "[TOOL_CALLS]{{ f.name }}[ARGS]{{ f.arguments | tojson }}", &["[TOOL_CALLS]", "[ARGS]"]),
    (
        "harmony",
        "<|channel|>commentary to=functions.{{ f.name }} <|constrain|>json<|message|>{{ f.arguments | tojson }}<|call|>",
        &["<|channel|>", "<|constrain|>", "<|message|>", "<|call|>"],
    ),
    (
        "deepseek_v3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{{ f.name }}\n```json\n{{ f.arguments }}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        DEEPSEEK,
    ),
    (
        "deepseek_v31",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ f.name }}<｜tool▁sep｜>{{ f.arguments }}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        DEEPSEEK,
    ),
    ("deepseek_v32", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"{{ f.name }}\">{{ f.arguments }}", &[]),
    ("deepseek_v4", "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"{{ f.name }}\">{{ f.arguments }}", &[]),
    (
        "qwen_coder",
        "<tool_call>\n<function={{ f.name }}>\n{% for k, v in f.arguments.items() %}<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n</tool_call>",
        &[],
    ),
    (
        "glm",
        "<tool_call>{{ f.name }}\n{% for k, v in f.arguments.items() %}<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>\n{% endfor %}</tool_call>",
        &[],
    ),
    (
        "glm47",
        "<tool_call>{{ f.name }}{% for k, v in f.arguments.items() %}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value>{% endfor %}</tool_call>",
        &[],
    ),
    (
        "minimax",
        "<minimax:tool_call>\n<invoke name=\"{{ f.name }}\">\n{% for k, v in f.arguments.items() %}<parameter name=\"{{ k }}\">{{ v }}</parameter>\n{% endfor %}</invoke>\n</minimax:tool_call>",
        &[],
    ),
    (
        "kimi",
        "<|tool_calls_section_begin|><|tool_call_begin|>{{ c.id }}<|tool_call_argument_begin|>{{ f.arguments | tojson }}<|tool_call_end|><|tool_calls_section_end|>",
        &[
            "<|tool_calls_section_begin|>",
            "<|tool_call_begin|>",
            "<|tool_call_argument_begin|>",
            "<|tool_call_end|>",
            "<|tool_calls_section_end|>",
        ],
    ),
    (
        "command_r",
        "<|START_ACTION|>[\n    {{ '{\"tool_call_id\": \"0\", \"tool_name\": \"' + f.name + '\", \"parameters\": ' }}{{ f.arguments | tojson }}{{ '}' }}\n]<|END_ACTION|>",
        &["<|START_ACTION|>", "<|END_ACTION|>"],
    ),
    ("granite", "<|tool_call|>[{{ f | tojson }}]", &["<|tool_call|>"]),
    (
        "pythonic",
        "[{{ f.name }}({% for k, v in f.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})]",
        &[],
    ),
    (
        "tool_code",
        "```tool_code\n{{ f.name }}({% for k, v in f.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})\n```",
        &[],
    ),
    ("phi4_mini", "<|tool_call|>[{{ f | tojson }}]<|/tool_call|>", &["<|tool_call|>", "<|/tool_call|>"]),
];

const DEEPSEEK: &[&str] = &[
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
];

/// Makes a folder with the small model, whose template writes calls as `call`, and which has the special tokens `names`
/// in place of its merged tokens.
fn folder_with(call: &str, names: &[&str]) -> Folder {
    let template = format!(
        "{{% for t in tools %}}{{{{ t | tojson }}}}\n{{% endfor %}}{{% for m in messages %}}<|im_start|>{{{{ m.role }}}}\n{{% if m.tool_calls %}}\
         {{% for c in m.tool_calls %}}{{% set f = c.function %}}{call}{{% endfor %}}{{% else %}}{{{{ m.content }}}}{{% endif %}}<|im_end|>\n\
         {{% endfor %}}<|im_start|>assistant\n"
    );
    let mut tokenizer = ogc_kit::model::tokenizer();
    let first = ogc_kit::model::tokens().len() - 3 - names.len();
    for (key, value) in &mut tokenizer {
        match (&**key, value) {
            ("tokenizer.ggml.tokens", Metadata::Array(tokens)) => {
                for (token, name) in tokens[first..].iter_mut().zip(names) {
                    *token = (*name).into();
                }
            }
            ("tokenizer.ggml.token_type", Metadata::Array(kinds)) => {
                kinds[first..first + names.len()].fill(Metadata::I32(3));
            }
            ("tokenizer.ggml.merges", Metadata::Array(merges)) => merges.truncate(merges.len() - names.len()),
            ("tokenizer.chat_template", value) => *value = template.as_str().into(),
            _ => {}
        }
    }
    let folder = folder();
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf_with(tokenizer)).expect("a file");
    folder
}

/// Makes a random value.
fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 4 } else { 6 }) {
        0 => [Value::Null, json!(true), json!(false)][random.below(3)].clone(),
        1 => json!([0, 7, -12, 1000][random.below(4)]),
        2 | 3 => json!(["", "12", "true", "a\nb", "\"q\" \\", "<b>", "é😀", "{}"][random.below(8)]),
        4 => (0..random.below(3)).map(|_| value(random, depth - 1)).collect(),
        _ => Value::Object((0..random.below(3)).map(|at| (format!("k{at}"), value(random, depth - 1))).collect()),
    }
}

/// Makes random arguments.
fn arguments(random: &mut Random) -> Map<String, Value> {
    let keys = ["city", "a b", "naïve"];
    keys.into_iter().take(random.below(4)).map(|key| (key.to_owned(), value(random, 2))).collect()
}

/// Makes a function that accepts only these arguments.
fn function(name: &str, arguments: &Map<String, Value>) -> Value {
    let properties: Map<String, Value> =
        arguments.iter().map(|(key, value)| (key.clone(), json!({ "const": value }))).collect();
    let required: Vec<&String> = arguments.keys().collect();
    let schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    json!({ "type": "function", "function": { "name": name, "parameters": schema } })
}

fn request(tools: &Value, more: Value) -> Value {
    let mut request = json!({ "messages": [{ "role": "user", "content": "Go." }], "max_tokens": 900, "temperature": 1.0, "tools": tools });
    more.as_object().expect("fields").iter().for_each(|(name, value)| request[name] = value.clone());
    request
}

/// Returns the calls of a response: names and arguments.
fn calls(answer: &Value) -> Vec<(String, Value)> {
    let calls = answer["choices"][0]["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
    calls.iter().map(|call| called(&call["function"])).collect()
}

fn called(function: &Value) -> (String, Value) {
    let arguments = function["arguments"].as_str().expect("text");
    let value = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{error}: {arguments}"));
    (function["name"].as_str().expect("a name").to_owned(), value)
}

/// Returns the calls and the content of a stream.
fn streamed(events: &[Value]) -> (Vec<(String, Value)>, String) {
    let (mut calls, mut content): (Vec<(String, String)>, String) = Default::default();
    for event in events {
        let delta = &event["choices"][0]["delta"];
        content += delta["content"].as_str().unwrap_or_default();
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            if let Some(name) = call["function"]["name"].as_str() {
                assert_eq!(call["index"], json!(calls.len()));
                calls.push((name.to_owned(), String::new()));
            }
            calls.last_mut().expect("a call").1 += call["function"]["arguments"].as_str().unwrap_or_default();
        }
    }
    let read = |(name, arguments): (String, String)| called(&json!({ "name": name, "arguments": arguments }));
    (calls.into_iter().map(read).collect(), content)
}

#[test]
fn tool_calls_are_parsed_in_the_style_of_every_template() {
    for (style, call, tokens) in STYLES {
        let server = Server::start(folder_with(call, tokens), &[]);
        let mut random = Random::new(style.len() as u64);
        for seed in 0..3 {
            let given = [("first", arguments(&mut random)), ("second-1", arguments(&mut random))];
            let tools: Value = given.iter().map(|(name, arguments)| function(name, arguments)).collect();
            let (name, wanted) = &given[seed % 2];
            let choice = json!({ "type": "function", "function": { "name": name } });
            let asked = request(&tools, json!({ "tool_choice": choice, "parallel_tool_calls": false, "seed": seed }));
            let answer = server.chat(&asked).good();
            assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls", "{style}");
            let expected = vec![((*name).to_owned(), json!(wanted))];
            assert_eq!(calls(&answer), expected, "{style}");
            let mut asked = asked;
            asked["stream"] = json!(true);
            assert_eq!(streamed(&server.chat(&asked).events()), (expected, String::new()), "{style}");
            // The model may call either function, any number of times.
            let asked = request(&tools, json!({ "tool_choice": "required", "seed": seed }));
            let answer = server.chat(&asked).good();
            let found = calls(&answer);
            assert!(!found.is_empty(), "{style}: {answer}");
            for (name, arguments) in &found {
                let (_, wanted) = given.iter().find(|(given, _)| given == name).expect("a tool");
                assert_eq!(*arguments, json!(wanted), "{style}");
            }
            let mut asked = asked;
            asked["stream"] = json!(true);
            assert_eq!(streamed(&server.chat(&asked).events()).0, found, "{style}");
        }
    }
}

#[test]
fn a_conversation_continues_after_tool_calls_or_without_any() {
    let mut random = Random::new(5);
    for (style, call, tokens) in STYLES {
        let server = Server::start(folder_with(call, tokens), &[]);
        let wanted = arguments(&mut random);
        let tools = json!([function("now", &wanted)]);
        let made = json!({ "id": "call_1", "type": "function", "function": { "name": "now", "arguments": json!(wanted).to_string() } });
        let messages = json!([
            { "role": "user", "content": "Go." },
            { "role": "assistant", "content": null, "tool_calls": [made] },
            { "role": "tool", "tool_call_id": "call_1", "content": "noon" },
        ]);
        let asked = request(&tools, json!({ "messages": messages, "max_tokens": 300, "seed": 3 }));
        let answer = server.chat(&asked).good();
        assert!(calls(&answer).iter().all(|(name, arguments)| name == "now" && *arguments == json!(wanted)), "{style}");
        let content = answer["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_owned();
        let mut asked = asked;
        asked["stream"] = json!(true);
        assert_eq!(streamed(&server.chat(&asked).events()), (calls(&answer), content), "{style}");
    }
}

#[test]
fn an_unknown_tool_style_requires_the_tool_style_option() {
    let unknown = "CALL {{ f.name }} {{ f.arguments | tojson }}";
    let tools = json!([function("now", &Map::new())]);
    let asked = request(&tools, json!({ "tool_choice": "required", "parallel_tool_calls": false }));
    let server = Server::start(folder_with(unknown, &[]), &[]);
    let error = server.chat(&asked).refused(400, "--tool-style");
    assert_eq!(error["param"], "tools");
    server.chat(&json!({ "messages": [{ "role": "user", "content": "Hi" }], "max_tokens": 3 })).good();
    let server = Server::start(folder_with(unknown, &[]), &["--tool-style", "qwen_coder"]);
    assert_eq!(calls(&server.chat(&asked).good()), [("now".to_owned(), json!({}))]);
    let server = Server::start(folder_with(unknown, &[]), &["--tool-style", "kimi"]);
    server.chat(&asked).refused(400, "<|tool_call_begin|>");
}

#[test]
fn serve_reports_problems_with_the_tool_style() {
    let busy = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = busy.local_addr().expect("an address").to_string();
    let (_, hermes, _) = STYLES[0];
    for (call, flags, said) in [
        ("CALL {{ f.name }} {{ f.arguments | tojson }}", &[][..], "requests with `tools` are refused"),
        (hermes, &["--tool-style", "glm"], "has calls of the style `hermes`, and `--tool-style` is `glm`"),
        ("<tool_call>[{{ f.arguments | tojson }}]", &[], "looks like the style `hermes`, but writes earlier calls"),
        (hermes, &[], ""),
    ] {
        let folder = folder_with(call, &[]);
        let ran = folder.run(&[&["serve", "--model", "tiny.gguf", "--listen", &address], flags].concat());
        assert_eq!((ran.code, ran.err.contains("warning")), (2, !said.is_empty()), "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
    let ran = folder().run(&["serve", "--model", "tiny.gguf", "--tool-style", "morse"]);
    assert!(ran.code == 2 && ran.err.contains("qwen_coder"), "{ran:?}");
}

#[test]
fn stop_strings_are_refused_if_calls_are_marked_by_special_tokens() {
    let (_, call, tokens) = STYLES[3];
    let server = Server::start(folder_with(call, tokens), &[]);
    let tools = json!([function("now", &Map::new())]);
    server.chat(&request(&tools, json!({ "stop": "x" }))).refused(400, "remove it");
    let asked = json!({ "input": "Go.", "max_output_tokens": 200, "tool_choice": "required",
        "tools": [{ "type": "function", "name": "now", "parameters": { "type": "object", "properties": {}, "additionalProperties": false } }] });
    let response = server.post("/v1/responses", &asked.to_string()).good();
    let output = response["output"].as_array().expect("items");
    assert!(!output.is_empty());
    for item in output {
        assert_eq!(
            (&item["type"], &item["name"], &item["arguments"]),
            (&json!("function_call"), &json!("now"), &json!("{}"))
        );
    }
}

#[test]
fn events_cover_calls_marked_by_special_tokens() {
    let (_, call, tokens) = STYLES[3];
    let server = Server::start(folder_with(call, tokens), &[]);
    let tools = json!([function("now", &Map::from_iter([("zone".to_owned(), json!("CET"))]))]);
    let asked = request(
        &tools,
        json!({ "tool_choice": "required", "parallel_tool_calls": false, "stream": true, "stream_options": { "include_events": true } }),
    );
    let parts = server.chat(&asked).events();
    let events = parts.iter().filter_map(|part| part["choices"][0]["events"].as_array()).flatten();
    let kinds: Vec<&str> = events.clone().filter_map(|event| event["event"].as_str()).collect();
    let tokens: Vec<&str> =
        events.filter(|event| event["event"] == "token").filter_map(|event| event["name"].as_str()).collect();
    assert_eq!(tokens, ["[TOOL_CALLS]", "[ARGS]"]);
    assert!(
        kinds.contains(&"call-begins") && kinds.contains(&"call-ends") && kinds.last() == Some(&"ended"),
        "{kinds:?}"
    );
}
