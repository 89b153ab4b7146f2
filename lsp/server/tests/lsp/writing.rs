//! Tests features that help to write, through the protocol: completion, hover, lenses, commands, actions, settings.

use serde_json::{Value, json};

use crate::client::Client;

const A: &str = "file:///w/a.ogc";
const TOML: &str = "file:///w/ogc.toml";

fn client(can: &Value, text: &str) -> Client {
    let mut can = can.clone();
    can["textDocument"]["diagnostic"] = json!({});
    let mut client = Client::new(can, &[]);
    client.open(A, "ogc", 1, text);
    client
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

fn about(definition: &str) -> Value {
    json!({ "textDocument": { "uri": A }, "definition": definition })
}

fn labels(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn completion_items_are_resolved_on_request() {
    let mut client = client(&json!({}), "/// A place.\ntype Point = int\noutput O = Po\n");
    let list = client.request("textDocument/completion", at(A, 2, 13)).unwrap();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "Point").unwrap().clone();
    assert_eq!(item["textEdit"]["range"]["start"], json!({ "line": 2, "character": 11 }));
    assert!(item.get("documentation").is_none(), "{item}");
    let resolved = client.request("completionItem/resolve", item).unwrap();
    assert!(resolved["documentation"]["value"].as_str().unwrap().contains("A place."), "{resolved}");
    client.end();
}

#[test]
fn tokens_are_completed_once_the_vocabulary_is_read() {
    let mut client = client(&json!({}), "output O = tok\"\"\n");
    let mut tries = 0;
    loop {
        let list = client.request("textDocument/completion", at(A, 0, 15)).unwrap();
        if labels(&list).contains(&"<|endoftext|>") {
            assert_eq!(list["isIncomplete"], false);
            break;
        }
        assert_eq!(list["isIncomplete"], true, "{list}");
        tries += 1;
        assert!(tries < 600, "the vocabulary is not read");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    client.end();
}

#[test]
fn snippets_are_sent_only_to_clients_that_support_them() {
    for (knows, expected) in [(true, json!(2)), (false, Value::Null)] {
        let can = json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": knows } } } });
        let mut client = client(&can, "type P<T> = T[2]\noutput O = P\n");
        let list = client.request("textDocument/completion", at(A, 1, 12)).unwrap();
        let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "P").unwrap();
        assert_eq!(item["insertTextFormat"], expected, "{item}");
        assert_eq!(item["textEdit"]["newText"].as_str().unwrap().contains('$'), knows, "{item}");
        client.end();
    }
}

#[test]
fn hover_shows_costs_and_samples() {
    let can = json!({ "experimental": { "ogc": { "notifications": true } } });
    let mut client = client(&can, "output O = { a: int<0..9> }\n");
    let hover = client.request("textDocument/hover", at(A, 0, 8)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("Costs ") && text.contains("- o200k: masks are being computed"), "{text}");
    assert!(text.contains("Examples:") && text.contains("{\"a\":"), "{text}");
    let said = client.said("ogc/costsChanged", |_| true);
    assert_eq!(said["params"], json!({ "uris": [A] }));
    let hover = client.request("textDocument/hover", at(A, 0, 8)).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains(" mask rows") && text.contains("built in"), "{text}");
    client.said("ogc/status", |status| status["vocabularies"] == json!(["o200k"]) && status["state"] == "ready");
    client.ignore("ogc/status");
    client.end();
}

#[test]
fn lenses_show_test_results() {
    let mut client = client(&json!({}), "rule R = \"ab\"\ntest R {\n  accept \"ab\"\n  accept \"ax\"\n}\n");
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": A } })).unwrap();
    let mut titles = Vec::new();
    for lens in lenses.as_array().unwrap() {
        let seen = client.request("codeLens/resolve", lens.clone()).unwrap();
        titles.push(seen["command"]["title"].as_str().unwrap().to_owned());
    }
    assert_eq!(titles, ["Samples", "\u{2717} 1 of 2 cases failed"]);
    assert_eq!(lenses[0]["command"]["title"], "Samples", "what needs no results is not resolved: {lenses}");
    let found = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": A } })).unwrap();
    let failed = found["items"].as_array().unwrap().iter().find(|one| one["range"]["start"]["line"] == 3).unwrap();
    assert_eq!(failed["range"]["start"]["character"], 11, "at the byte where it fails: {failed}");
    client.end();
}

#[test]
fn commands_run_tests_and_write_samples() {
    let mut client =
        client(&json!({}), "rule R = \"ab\"\ntest R {\n  accept \"ab\"\n  reject \"x\"\n}\noutput O = R\n");
    let mut run = |command: &str, argument: Value| {
        client.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    };
    assert_eq!(run("ogc.runTests", about("R")), Ok(json!({ "passed": 2, "failed": 0 })));
    assert_eq!(run("ogc.sample", about("O")), Ok(json!({ "samples": ["ab"] })));
    for (command, argument, reason) in [
        ("ogc.build", about("O"), "save the file first"),
        ("ogc.build", json!({}), "takes { textDocument"),
        (
            "ogc.runTests",
            json!({ "textDocument": { "uri": "file:///w/none.ogc" } }),
            "is no format that the server knows",
        ),
        ("ogc.none", about("O"), "there is no command"),
    ] {
        let error = run(command, argument).unwrap_err();
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
        assert_eq!(error["code"], -32803);
    }
    assert_eq!(client.said("window/showMessage", |_| true)["params"]["message"], "ab");
    client.end();
}

#[test]
fn code_actions_carry_edits_or_are_resolved_later() {
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let mut later = literal.clone();
    later["resolveSupport"] = json!({ "properties": ["edit"] });
    later["dataSupport"] = json!(true);
    for support in [literal, later] {
        let can = json!({ "textDocument": { "codeAction": support } });
        let mut client = client(&can, "type Point = int\noutput O = Piont\n");
        let word = json!({ "start": { "line": 1, "character": 11 }, "end": { "line": 1, "character": 16 } });
        let params = json!({ "textDocument": { "uri": A }, "range": word, "context": { "diagnostics": [] } });
        let actions = client.request("textDocument/codeAction", params).unwrap();
        let fix = actions.as_array().unwrap().iter().find(|one| one["kind"] == "quickfix").unwrap().clone();
        let fix = if fix.get("edit").is_some() { fix } else { client.request("codeAction/resolve", fix).unwrap() };
        assert_eq!(fix["edit"]["changes"][A], json!([{ "range": word, "newText": "Point" }]), "{fix}");
        client.end();
    }
}

#[test]
fn renames_that_collide_are_refused() {
    let mut client = client(&json!({}), "type A = int\ntype B = A\noutput O = B\n");
    let mut params = at(A, 0, 5);
    params["newName"] = json!("C");
    let edit = client.request("textDocument/rename", params.clone()).unwrap();
    assert_eq!(edit["changes"][A].as_array().unwrap().len(), 2, "{edit}");
    params["newName"] = json!("B");
    let error = client.request("textDocument/rename", params).unwrap_err();
    assert!(error["code"] == -32803 && error["message"].as_str().unwrap().contains('B'), "{error}");
    client.end();
}

#[test]
fn settings_files_have_findings_completion_and_hover() {
    let mut client = client(&json!({}), "output O = int\n");
    client.open(TOML, "toml", 1, "[policy]\norder = \"wide\"\n\n[build]\n");
    let found = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": TOML } })).unwrap();
    assert_eq!(found["items"][0]["range"]["start"], json!({ "line": 1, "character": 8 }), "{found}");
    let list = client.request("textDocument/completion", at(TOML, 4, 0)).unwrap();
    assert!(labels(&list).contains(&"vocab"), "{list}");
    let hover = client.request("textDocument/hover", at(TOML, 1, 1)).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("order"), "{hover}");
    client.end();
}

#[test]
fn editor_settings_take_effect() {
    let mut client = Client::silent();
    let options =
        json!({ "vocabularies": ["/none/tokenizer.json"], "codeLens": { "enabled": false }, "inlayHints": 1 });
    client.initialize_with(json!({ "textDocument": { "diagnostic": {} } }), &[], options);
    client.open(A, "ogc", 1, "output O = int\n");
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": A } }));
    assert_eq!(lenses, Ok(Value::Null));
    client.said("window/showMessage", |said| said["message"].as_str().unwrap().contains("inlayHints"));
    let error = client.request("ogc/mask", json!({ "textDocument": { "uri": A }, "prefix": "" })).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("/none/tokenizer.json"), "{error}");
    client.said("window/showMessage", |said| said["message"].as_str().unwrap().contains("/none/tokenizer.json"));
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "ogc": {} } }));
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": A } })).unwrap();
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    client.end();
}

/// Checks that the list in the capabilities equals the set of handlers.
#[test]
fn requests_that_are_listed_have_handlers() {
    let mut client = Client::silent();
    let said = client.initialize(json!({}), &[]);
    let listed = said["capabilities"]["experimental"]["ogc"]["requests"].as_array().unwrap().clone();
    assert!(listed.len() >= 10, "{listed:?}");
    for method in listed {
        let answer = client.request(method.as_str().unwrap(), json!({}));
        assert_eq!(answer.unwrap_err()["code"], -32602, "{method} takes parameters");
    }
    assert_eq!(client.request("ogc/none", json!({})).unwrap_err()["code"], -32601);
    client.end();
}

#[test]
fn custom_requests_are_answered() {
    let mut client = client(&json!({}), "output O = { a: \"\u{e9}\", b: int<0..9> }\n");
    let mut params = about("O");
    params["text"] = json!("{\"a\":\"\u{e9}\",\"b\":x}");
    let tried = client.request("ogc/match", params.clone()).unwrap();
    assert_eq!((&tried["accepted"], &tried["prefix"], &tried["path"]), (&json!(false), &json!(13), &json!("$.b")));
    let costs = client.request("ogc/costs", about("O")).unwrap();
    assert!(costs["vocabularies"] == json!([{ "name": "o200k", "state": "computing" }]), "{costs}");
    let diagram = client.request("ogc/diagram", about("O")).unwrap();
    assert!(diagram["svg"].as_str().unwrap().starts_with("<svg"), "{diagram}");
    params["against"] = json!({ "text": "output O = { a: \"\u{e9}\", b: int<0..8> }\n" });
    let difference = client.request("ogc/difference", params.clone()).unwrap();
    assert!(
        difference["onlyThis"].as_str().unwrap().contains('9') && difference["onlyOther"].is_null(),
        "{difference}"
    );
    params["prefix"] = json!("{\"a\":\"\u{e9}\",\"b\":");
    params["token"] = json!("x");
    let mask = client.request("ogc/mask", params.clone()).unwrap();
    assert!(mask["vocabulary"] == "o200k" && mask["allowed"].as_u64().unwrap() >= 10, "{mask}");
    let token = client.request("ogc/token", params).unwrap();
    assert!(token["allowed"] == false && token["location"]["uri"] == A, "{token}");
    let mut seeded = about("O");
    seeded["seed"] = json!(7);
    let samples = client.request("ogc/sample", seeded.clone()).unwrap();
    assert_eq!(client.request("ogc/sample", seeded), Ok(samples));
    let formats = client.request("ogc/formats", json!({ "textDocument": { "uri": A } })).unwrap();
    assert_eq!((&formats[0]["name"], &formats[0]["isOutput"]), (&json!("O"), &json!(true)));
    let error = client.request("ogc/diagram", about("None")).unwrap_err();
    assert!(error["code"] == -32803 && error["message"].as_str().unwrap().contains("None"), "{error}");
    client.end();
}

#[test]
fn tests_can_be_listed_run_and_updated() {
    let text = "type A = { a: int<0..9> }\ntest A {\n  accept { a: 1 }\n  accept { a: 10 } because \"ten\"\n  reject { a: 2 }\n}\n\
        test B { accept 1 }\n";
    let mut client = client(&json!({}), text);
    let document = json!({ "textDocument": { "uri": A } });
    let tests = client.request("ogc/tests", document.clone()).unwrap();
    assert_eq!((&tests[0]["definition"], &tests[1]["definition"]), (&json!("A"), &json!("B")));
    assert_eq!(
        tests[0]["cases"][1],
        json!({ "range": range(3, 2, 32), "accept": true, "subject": "{ a: 10 }", "reason": "ten" })
    );
    let results = client.request("ogc/testResults", document).unwrap();
    let states: Vec<&Value> = results[0]["cases"].as_array().unwrap().iter().map(|case| &case["state"]).collect();
    assert_eq!(states, ["passed", "failed", "failed"]);
    let failed = &results[0]["cases"][1];
    assert_eq!(failed["texts"], json!({ "refused": "{\"a\":10}", "accepted": "{\"a\":1}" }));
    assert_eq!(failed["at"], range(3, 15, 16));
    let only = client.request("ogc/testResults", about("A")).unwrap();
    assert_eq!(only, json!([results[0]]));
    let edit = client.request("ogc/acceptTest", at(A, 3, 2)).unwrap();
    assert_eq!(edit["changes"][A][0]["newText"], "{\"a\":1}", "{edit}");
    let edit = client.request("ogc/acceptTest", at(A, 4, 2)).unwrap();
    assert_eq!(edit["changes"][A][0]["newText"], "accept", "{edit}");
    assert_eq!(client.request("ogc/acceptTest", at(A, 2, 2)), Ok(Value::Null));
    client.end();
}

#[test]
fn texts_become_tests_and_formats_are_exported() {
    let mut client = client(&json!({}), "output O = { a: int<0..9> }\n");
    let mut params = about("O");
    params["text"] = json!("{\"a\":10}");
    let edit = client.request("ogc/addTest", params.clone()).unwrap();
    assert_eq!(edit["changes"][A][0]["newText"], "\ntest O {\n  reject '{\"a\":10}'\n}", "{edit}");
    params["to"] = json!("json-schema");
    let made = client.request("ogc/export", params.clone()).unwrap();
    assert!(made["text"].as_str().unwrap().contains("\"maximum\": 9"), "{made}");
    params["to"] = json!("yacc");
    let error = client.request("ogc/export", params).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("json-schema, gbnf"), "{error}");
    client.end();
}
