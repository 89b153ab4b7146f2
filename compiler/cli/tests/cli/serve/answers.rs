//! Responses: texts of formats, whole and streamed, tool calls, stop strings, probabilities.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::{Server, folder};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": { "name": { "type": "string", "maxLength": 12 }, "ages": { "type": "array", "items": { "type": "integer",
    "minimum": 0, "maximum": 99 }, "maxItems": 3 } },
  "required": ["name", "ages"],
  "additionalProperties": false
}"#;

/// Makes a chat request with these parameters.
fn request(parameters: Value) -> Value {
    let mut request = json!({
        "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "A pet, please." }],
        "max_tokens": 80,
        "seed": 7,
    });
    for (name, value) in parameters.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

fn schema_format() -> Value {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    json!({ "type": "json_schema", "json_schema": { "name": "pet", "strict": true, "schema": schema } })
}

/// Returns the content of a stream for each choice; checks the roles, finish reasons and usage.
#[track_caller]
fn streamed(events: &[Value], choices: usize) -> Vec<String> {
    let mut contents = vec![String::new(); choices];
    let mut finished = 0;
    for event in events {
        assert_eq!(event["object"], "chat.completion.chunk");
        for choice in event["choices"].as_array().expect("choices") {
            let at = choice["index"].as_u64().expect("a number") as usize;
            contents[at].push_str(choice["delta"]["content"].as_str().unwrap_or_default());
            finished += usize::from(!choice["finish_reason"].is_null());
        }
    }
    assert_eq!(finished, choices);
    contents
}

#[test]
fn streamed_and_whole_answers_match_the_format_and_each_other() {
    let server = Server::start(folder(), &["--speculate", "4"]);
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    for temperature in [0.0, 1.0] {
        let asked = request(json!({ "response_format": schema_format(), "temperature": temperature, "n": 3 }));
        let answer = server.chat(&asked).good();
        let choices = answer["choices"].as_array().expect("choices");
        let contents: Vec<&str> = choices.iter().filter_map(|choice| choice["message"]["content"].as_str()).collect();
        assert_eq!(contents.len(), 3);
        for content in &contents {
            let value: Value = serde_json::from_str(content).unwrap_or_else(|error| panic!("{error}: {content}"));
            assert!(jsonschema::is_valid(&schema, &value), "{content}");
        }
        assert!(temperature == 0.0 || contents[0] != contents[1], "choices are drawn apart");
        assert!(answer["usage"]["completion_tokens"].as_u64() > Some(10), "{answer}");
        let mut asked = asked;
        asked["stream"] = json!(true);
        asked["stream_options"] = json!({ "include_usage": true });
        let mut events = server.chat(&asked).events();
        let last = events.pop().expect("an event");
        // The prompt is cached, except for the part that does not fill a page.
        let mut usage = answer["usage"].clone();
        let pages = (usage["prompt_tokens"].as_u64().expect("a number") - 1) / 16;
        usage["prompt_tokens_details"]["cached_tokens"] = json!(16 * pages);
        assert_eq!((&last["usage"], &last["choices"]), (&usage, &json!([])));
        assert_eq!(streamed(&events, 3), contents);
    }
}

#[test]
fn every_kind_of_response_format_is_served() {
    let server = Server::start(folder(), &[]);
    let content = |format: Value| {
        let answer = server.chat(&request(json!({ "response_format": format }))).good();
        assert_eq!(answer["choices"][0]["finish_reason"], "stop", "{answer}");
        answer["choices"][0]["message"]["content"].as_str().expect("a text").to_owned()
    };
    for name in ["pet", "pet.ogc"] {
        let pet: Value =
            serde_json::from_str(&content(json!({ "type": "ogc", "ogc": { "name": name } }))).expect("JSON");
        assert!(pet["name"] == "cat" || pet["name"] == "dog");
    }
    assert_eq!(content(json!({ "type": "ogc", "ogc": { "name": "two", "definition": "Two" } })), "2");
    assert_eq!(content(json!({ "type": "ogc", "ogc": { "text": "output A = \"x\"[3..3]" } })), "xxx");
    assert_eq!(content(json!({ "type": "grammar", "grammar": { "syntax": "regex", "text": "ab{3}" } })), "abbb");
    assert_eq!(content(json!({ "type": "grammar", "grammar": { "syntax": "gbnf", "text": "root ::= \"y\"" } })), "y");
    let tag =
        json!({ "type": "tag", "begin": "<a>", "content": { "type": "regex", "pattern": "z{2}" }, "end": "</a>" });
    assert_eq!(content(json!({ "type": "structural_tag", "format": tag })), "<a>zz</a>");
    for (syntax, text) in
        [("ebnf", "root ::= \"n\"\nz ::= \"\\n\""), ("abnf", "y = \"Y\"\nz = %xA"), ("lark", "z: \"\\n\"")]
    {
        let grammar = json!({ "syntax": syntax, "text": text, "start": "z" });
        assert_eq!(content(json!({ "type": "grammar", "grammar": grammar })), "\n", "{syntax}");
    }
    assert!(content(json!({ "type": "json_object" })).starts_with('{'));
    let free = server.chat(&request(json!({ "max_tokens": 6 }))).good();
    assert_eq!(free["usage"]["completion_tokens"].as_u64(), Some(6), "{free}");
    assert_eq!(free["choices"][0]["finish_reason"], "length");
}

#[test]
fn a_changed_format_file_is_reloaded() {
    let server = Server::start(folder(), &[]);
    let asked = request(json!({ "response_format": { "type": "ogc", "ogc": { "name": "main" } } }));
    let content = || server.chat(&asked).good()["choices"][0]["message"]["content"].clone();
    server.folder.write("formats/part.ogc", "rule part = \"a\"\n");
    server.folder.write("formats/main.ogc", "import part from \"part.ogc\"\noutput Main = part part\n");
    assert_eq!((content(), content()), (json!("aa"), json!("aa")));
    server.folder.write("formats/part.ogc", "rule part = \"b\"\n");
    assert_eq!(content(), "bb", "what is imported has changed");
    server.folder.write("formats/main.ogc", "import part from \"part.ogc\"\noutput Main = part\n");
    assert_eq!(content(), "b");
    let mut empty = asked.clone();
    empty["response_format"]["ogc"]["definition"] = json!("");
    server.chat(&empty).refused(400, "no definition");
}

#[test]
fn a_broken_format_is_refused_with_the_position() {
    let server = Server::start(folder(), &[]);
    let refused = |format: Value| server.chat(&request(json!({ "response_format": format })));
    let error =
        refused(json!({ "type": "ogc", "ogc": { "text": "output A = {\n  name: strin\n}" } })).refused(400, "strin");
    assert_eq!(error["param"], "response_format.ogc.text");
    assert!(error["message"].as_str().is_some_and(|said| said.starts_with("`response_format.ogc.text` has 1 error")));
    assert_eq!((&error["findings"][0]["line"], &error["findings"][0]["column"]), (&json!(2), &json!(9)), "{error}");
    let grammar = |text: &str, start: Option<&str>| {
        let grammar = json!({ "syntax": "ebnf", "text": text, "start": start });
        refused(json!({ "type": "grammar", "grammar": grammar }))
    };
    grammar("uri = scheme \":\" *ALPHA\n", None)
        .refused(400, "this is ABNF, and it is read as ISO EBNF: name it .abnf");
    grammar("a ::= \"\\n\"", None).refused(400, "`--language gbnf`, in a request `\"syntax\": \"gbnf\"`");
    grammar("value ::= 'a'", Some("valu")).refused(400, "there is no rule `valu`; did you mean `value`?");
    // Places in a schema are relative to the schema as it is in the request.
    let body = request(json!({})).to_string();
    let schema = "{\n  \"type\": \"object\",\n  \"properties\": { \"a\": { \"$ref\": \"#/$defs/none\" } }\n}";
    let format =
        format!("\"response_format\": {{\"type\": \"json_schema\", \"json_schema\": {{\"schema\": {schema}}}}}");
    let body = body.replacen('{', &format!("{{{format}, "), 1);
    let error = server.post("/v1/chat/completions", &body).refused(400, "$defs/none");
    assert_eq!(error["findings"][0]["line"], json!(3), "{error}");
    assert_eq!(error["param"], "response_format.json_schema.schema");
    refused(json!({ "type": "ogc", "ogc": { "name": "two" } })).refused(400, "several outputs");
    let none = json!({ "type": "ogc", "ogc": { "text": "type A = int\n" } });
    refused(none).refused(400, "the definitions are A: name one as `definition` in `ogc`");
    refused(json!({ "type": "ogc", "ogc": { "name": "none" } })).refused(400, "there is no format");
    refused(json!({ "type": "ogc", "ogc": { "name": "../secret.ogc" } })).refused(400, "no path inside");
    refused(json!({ "type": "ogc", "ogc": { "name": "/etc/passwd" } })).refused(400, "no path inside");
    refused(json!({ "type": "ogc", "ogc": {} })).refused(400, "either a `name` or a `text`");
    refused(json!({ "type": "ogc", "ogc": { "text": "output A = tok\"<|tool|>\"" } })).refused(400, "<|tool|>");
    refused(json!({ "type": "json_schema" })).refused(400, "`response_format.json_schema` is missing");
    refused(json!({ "type": "xml" })).refused(400, "`response_format.type` is \"xml\"");
    let short = request(json!({ "response_format": schema_format(), "max_tokens": 3 }));
    let error = server.chat(&short).refused(400, "3 are allowed");
    assert_eq!(error["param"], "max_tokens");
}

#[test]
fn errors_reveal_nothing_about_the_files_of_the_server() {
    let folder = folder();
    folder.write("formats/broken.ogc", "output A = secret_name\n");
    folder.write("formats/imports.ogc", "import a from \"../hidden/file.ogc\"\noutput A = a\n");
    folder.write("formats/schema.json", "{\"type\": \"secret_name\"}");
    folder.write("formats/words.regex", "secret_name(");
    folder.write("formats/notes.json", "secret_name: not JSON");
    let place = folder.path("").to_string_lossy().into_owned();
    let server = Server::start(folder, &[]);
    for name in ["broken", "imports", "schema.json", "words.regex", "notes.json", "two", "none", "../secret", "x.png"] {
        let format = json!({ "type": "ogc", "ogc": { "name": name } });
        let answered = server.chat(&request(json!({ "response_format": format })));
        let error = answered.refused(400, "");
        assert_eq!(error["param"], "response_format.ogc.name", "{error}");
        assert!(
            ["secret_name", "hidden", place.trim_end_matches('/')].iter().all(|part| !error.to_string().contains(part)),
            "{error}"
        );
    }
}

#[test]
fn functions_and_function_call_are_answered_with_function_call() {
    let server = Server::start(folder(), &[]);
    let functions: Vec<Value> =
        tools().as_array().expect("tools").iter().map(|tool| tool["function"].clone()).collect();
    let name = functions[0]["name"].clone();
    let asked = request(json!({ "functions": functions, "function_call": { "name": name }, "max_tokens": 200 }));
    let answer = server.chat(&asked).good();
    let choice = &answer["choices"][0];
    let call = &choice["message"]["function_call"];
    assert_eq!((&choice["finish_reason"], &call["name"]), (&json!("function_call"), &name), "{answer}");
    assert_eq!(choice["message"]["tool_calls"], Value::Null);
    let arguments = call["arguments"].as_str().expect("text");
    assert!(serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()), "{arguments}");
    // The same as a stream, and in a chat that continues.
    let mut parts = asked.clone();
    parts["stream"] = json!(true);
    let events = server.chat(&parts).events();
    let calls: Vec<&Value> = events.iter().map(|event| &event["choices"][0]["delta"]["function_call"]).collect();
    let text: String = calls.iter().filter_map(|call| call["arguments"].as_str()).collect();
    assert_eq!((text.as_str(), calls.iter().filter(|call| call["name"] == name).count()), (arguments, 1));
    assert_eq!(events.last().expect("an event")["choices"][0]["finish_reason"], "function_call");
    let mut goes_on = asked;
    let messages = goes_on["messages"].as_array_mut().expect("messages");
    messages.push(choice["message"].clone());
    messages.push(json!({ "role": "function", "name": name, "content": "found" }));
    goes_on["function_call"] = json!("none");
    assert_eq!(server.chat(&goes_on).good()["choices"][0]["message"]["function_call"], Value::Null);
}

#[test]
fn json_is_compact_by_default() {
    let contents = |flags: &[&str], format: &Value| -> Vec<String> {
        let server = Server::start(folder(), flags);
        let asked = request(json!({ "response_format": format, "n": 8, "temperature": 1.0 }));
        let answer = server.chat(&asked).good();
        let choices = answer["choices"].as_array().expect("choices");
        choices.iter().map(|choice| choice["message"]["content"].as_str().expect("text").to_owned()).collect()
    };
    let spaced = |format: &str| {
        let mut asked = schema_format();
        asked["space"] = json!(format);
        asked
    };
    let compact = |text: &String| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        serde_json::to_string(&value).expect("JSON") == *text
    };
    let has_space = |text: &String| text.starts_with("{ ") || text.starts_with("{\n") || text.contains("\": ");
    for texts in [contents(&[], &schema_format()), contents(&["--space", "any"], &spaced("compact"))] {
        assert!(texts.iter().all(compact) && texts.iter().all(|text| text.starts_with("{\"name\":\"")), "{texts:?}");
    }
    for texts in [contents(&["--space", "spaced"], &schema_format()), contents(&[], &spaced("spaced"))] {
        assert!(texts.iter().all(|text| text.starts_with("{\"name\": \"")), "{texts:?}");
    }
    let pretty = contents(&[], &spaced("pretty"));
    assert!(pretty.iter().all(|text| text.starts_with("{\n  \"name\": \"")), "{pretty:?}");
    let any = contents(&["--space", "any"], &schema_format());
    assert!(any.iter().any(has_space), "{any:?}");
    let server = Server::start(folder(), &[]);
    server
        .chat(&request(json!({ "response_format": spaced("wide") })))
        .refused(400, "`space` is \"wide\": expected one of");
}

#[test]
fn a_request_sets_policies_for_its_schema() {
    let server = Server::start(folder(), &[]);
    let asked = |schema: &Value, policies: &Value| {
        let mut format = json!({ "type": "json_schema", "json_schema": { "name": "a", "schema": schema } });
        policies.as_object().expect("policies").iter().for_each(|(name, value)| format[name] = value.clone());
        server.chat(&request(json!({ "response_format": format, "n": 8, "temperature": 1.0 })))
    };
    let texts = |schema: &Value, policies: &Value| -> BTreeSet<String> {
        let answer = asked(schema, policies).good();
        let choices = answer["choices"].as_array().expect("choices").iter();
        choices.map(|choice| choice["message"]["content"].as_str().expect("text").to_owned()).collect()
    };
    let one = |text: &str| BTreeSet::from([text.to_owned()]);
    let empty = json!({ "const": 1, "minimum": 2 });
    asked(&empty, &json!({})).refused(400, "no JSON value satisfies");
    for annotate in [json!("minimum"), json!(["maximum", "minimum"])] {
        assert_eq!(texts(&empty, &json!({ "annotate": annotate })), one("1"));
    }
    let open =
        json!({ "type": "object", "properties": { "a": { "const": 1 }, "b": { "const": 2 } }, "required": ["a", "b"] });
    assert_eq!(texts(&open, &json!({ "objects": "closed" })), one("{\"a\":1,\"b\":2}"));
    let any = texts(&open, &json!({ "objects": "closed", "order": "any" }));
    assert!(any.is_subset(&["{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"].map(str::to_owned).into()), "{any:?}");
    let date = json!({ "const": "x", "format": "date" });
    asked(&date, &json!({})).refused(400, "no JSON value satisfies");
    assert_eq!(texts(&date, &json!({ "formats": "annotate" })), one("\"x\""));
    asked(&open, &json!({ "objects": "shut" }))
        .refused(400, "`objects` is \"shut\": expected one of \"open\", \"closed\"");
    asked(&open, &json!({ "annotate": "minimun" })).refused(400, "did you mean `minimum`?");
}

#[test]
fn requests_and_settings_have_the_same_policies() {
    let names = ogc_workbench::settings::table::PolicyKey::ALL.map(|key| key.name());
    assert_eq!(ogc_serve::SchemaPolicy::ALL.map(ogc_serve::SchemaPolicy::name), names);
}

/// Returns the tools of a request.
fn tools() -> Value {
    json!([
        { "type": "function", "function": { "name": "weather", "description": "The weather of a place", "strict": true,
          "parameters": { "type": "object", "properties": { "city": { "enum": ["Oslo", "Rome"] } }, "required": ["city"],
          "additionalProperties": false } } },
        { "type": "function", "function": { "name": "now" } },
    ])
}

/// Checks calls; returns the names of the called tools.
#[track_caller]
fn check_calls(calls: &[(String, String)]) -> Vec<&str> {
    for (name, arguments) in calls {
        let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{error}: {arguments}"));
        match name.as_str() {
            "weather" => assert!(arguments["city"] == "Oslo" || arguments["city"] == "Rome", "{arguments}"),
            "now" => assert_eq!(arguments, json!({})),
            other => panic!("{other} is no tool"),
        }
    }
    calls.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn tools_are_called_with_arguments_of_their_schemas() {
    let server = Server::start(folder(), &[]);
    let named = json!({ "type": "function", "function": { "name": "weather" } });
    for (choice, parallel) in [(json!("required"), true), (json!("required"), false), (named.clone(), false)] {
        let asked = request(
            json!({ "tools": tools(), "tool_choice": choice, "parallel_tool_calls": parallel, "temperature": 1.0 }),
        );
        let answer = server.chat(&asked).good();
        let message = &answer["choices"][0]["message"];
        assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");
        assert!(message["content"].is_null(), "{message}");
        let of = |call: &Value| {
            assert_eq!(call["type"], "function");
            let text = |name: &str| call["function"][name].as_str().expect("a text").to_owned();
            (text("name"), text("arguments"))
        };
        let calls: Vec<_> = message["tool_calls"].as_array().expect("calls").iter().map(of).collect();
        let names = check_calls(&calls);
        assert!(parallel || names.len() == 1);
        assert!(choice != named || names == ["weather"]);
        // The same as a stream.
        let mut asked = asked;
        asked["stream"] = json!(true);
        let mut streamed: Vec<(String, String)> = Vec::new();
        for event in server.chat(&asked).events() {
            for call in event["choices"][0]["delta"]["tool_calls"].as_array().into_iter().flatten() {
                if call["id"].is_string() {
                    assert_eq!(call["index"], json!(streamed.len()));
                    streamed.push((call["function"]["name"].as_str().expect("a name").to_owned(), String::new()));
                }
                let arguments = call["function"]["arguments"].as_str().expect("a text");
                streamed.last_mut().expect("a call").1.push_str(arguments);
            }
        }
        assert_eq!(streamed, calls);
    }
    // A chat that continues after a call, and in which no call is required.
    let history = json!([
        { "role": "user", "content": [{ "type": "text", "text": "Weather?" }] },
        { "role": "assistant", "content": null, "tool_calls": [{ "id": "1", "type": "function",
          "function": { "name": "weather", "arguments": "{\"city\": \"Oslo\"}" } }] },
        { "role": "tool", "tool_call_id": "1", "content": "Rain" },
    ]);
    server.chat(&request(json!({ "tools": tools(), "messages": history, "max_tokens": 10 }))).good();
    let both = request(json!({ "tools": tools(), "response_format": schema_format(), "temperature": 1.0 }));
    let answer = server.chat(&both).good();
    let message = &answer["choices"][0]["message"];
    assert!(message["content"].is_string() || message["tool_calls"].is_array(), "{message}");
}

#[test]
fn stop_strings_end_texts_only_where_the_format_allows_an_end() {
    let server = Server::start(folder(), &[]);
    let free = request(json!({ "temperature": 1.0, "max_tokens": 60 }));
    let whole = server.chat(&free).good()["choices"][0]["message"]["content"].as_str().expect("a text").to_owned();
    let stop: String = whole.chars().skip(10).take(2).collect();
    let mut stopped = free;
    stopped["stop"] = json!([stop, "\u{1}\u{1}\u{1}"]);
    let answer = server.chat(&stopped).good();
    let expected = &whole[..whole.find(&stop).expect("it is there")];
    assert_eq!(answer["choices"][0]["message"]["content"], expected);
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    // A stop string has no effect inside a value.
    let formatted = request(json!({ "response_format": schema_format(), "stop": ["\"", ","] }));
    let answer = server.chat(&formatted).good();
    let content = answer["choices"][0]["message"]["content"].as_str().expect("a text");
    assert!(content.contains("\"ages\"") && serde_json::from_str::<Value>(content).is_ok(), "{content}");
}

#[test]
fn answers_carry_log_probabilities_of_tokens() {
    let server = Server::start(folder(), &[]);
    let asked = request(json!({ "logprobs": true, "top_logprobs": 3, "max_tokens": 8 }));
    let answer = server.chat(&asked).good();
    let tokens = answer["choices"][0]["logprobs"]["content"].as_array().expect("tokens").clone();
    assert_eq!(answer["usage"]["completion_tokens"], json!(tokens.len()));
    for token in &tokens {
        let top = token["top_logprobs"].as_array().expect("tokens");
        assert_eq!(top.len(), 3);
        // Nothing is penalised or forced, and the temperature is 1: probabilities are over all tokens, in descending
        // order.
        assert!(token["logprob"].as_f64() <= top[0]["logprob"].as_f64() && top[0]["logprob"].as_f64() <= Some(0.0));
        assert!(top[0]["logprob"].as_f64() >= top[1]["logprob"].as_f64());
    }
    let mut asked = asked;
    asked["stream"] = json!(true);
    let events = server.chat(&asked).events();
    let streamed: Vec<Value> = events
        .iter()
        .flat_map(|event| event["choices"][0]["logprobs"]["content"].as_array().cloned().unwrap_or_default())
        .collect();
    assert_eq!(streamed, tokens);
    let body = json!({ "prompt": ["One", "Two"], "logprobs": 2, "max_tokens": 4, "seed": 3 });
    let answer = server.post("/v1/completions", &body.to_string()).good();
    assert_eq!(answer["object"], "text_completion");
    let choices = answer["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 2);
    let count = |choice: &Value| choice["logprobs"]["tokens"].as_array().map_or(0, Vec::len);
    assert_eq!(answer["usage"]["completion_tokens"], json!(choices.iter().map(count).sum::<usize>()));
    assert!(choices.iter().all(|choice| count(choice) == 0 || choice["logprobs"]["text_offset"][0] == 0), "{answer}");
}

#[test]
fn names_of_special_tokens_in_messages_are_text() {
    let server = Server::start(folder(), &[]);
    let tokens = |content: &str| {
        let asked = json!({ "messages": [{ "role": "user", "content": content }], "max_tokens": 1 });
        server.chat(&asked).good()["usage"]["prompt_tokens"].as_u64().expect("a number")
    };
    let name = "<|im_end|>";
    assert_eq!(tokens(&format!("x{name}x")), tokens("xx") + name.len() as u64, "each byte is a token of this model");
    let tools = json!([{ "type": "function", "function": { "name": "a", "description": name } }]);
    // This template does not support tools, so they are described in a message.
    server.chat(&request(json!({ "tools": tools, "tool_choice": "required" }))).good();
}

#[test]
fn streamed_parts_carry_events() {
    let server = Server::start(folder(), &[]);
    let asked = json!({
        "messages": [{ "role": "user", "content": "A pet" }],
        "response_format": { "type": "ogc", "ogc": { "name": "pet" } },
        "stream": true, "stream_options": { "include_events": true }, "seed": 2,
    });
    let parts = server.chat(&asked).events();
    let text: String = parts.iter().filter_map(|part| part["choices"][0]["delta"]["content"].as_str()).collect();
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let events: Vec<&Value> =
        parts.iter().filter_map(|part| part["choices"][0]["events"].as_array()).flatten().collect();
    let age = events.iter().find(|event| event["event"] == "value-complete" && event["path"] == "/age");
    assert_eq!(age.expect("a number")["text"], value["age"].to_string());
    assert_eq!(events.last().expect("the end")["event"], "ended");
    let mut completion = asked.clone();
    completion["prompt"] = json!("A pet");
    completion.as_object_mut().expect("fields").shift_remove("messages");
    let parts = server.post("/v1/completions", &completion.to_string()).events();
    assert!(parts.iter().any(|part| part["choices"][0]["events"][0]["event"] == "value-begins"), "{parts:?}");
    let mut at_once = asked;
    at_once["stream"] = json!(false);
    server.chat(&at_once).refused(400, "`stream_options`: it needs `\"stream\": true`");
}
