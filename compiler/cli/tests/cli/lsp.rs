//! `ogc lsp`: an editor's words on standard input, the answers on standard output, and the artifacts that its command writes.

use serde_json::{Value, json};

use super::{Folder, Ran};

const FILE: &str = "output Answer = { ok: bool }\n";

/// Says all messages of an editor at once; returns what came back.
fn talk(folder: &Folder, words: &[Value]) -> (Ran, Vec<Value>) {
    let mut input = String::new();
    for word in words {
        let mut word = word.clone();
        word["jsonrpc"] = json!("2.0");
        let content = word.to_string();
        input += &format!("Content-Length: {}\r\n\r\n{content}", content.len());
    }
    let ran = folder.run_with(&["lsp", "--stdio"], &input);
    let mut messages = Vec::new();
    let mut rest = ran.out.as_str();
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let length: usize = header.rsplit(' ').next().expect("a length").parse().expect("a number");
        messages.push(serde_json::from_str(&after[..length]).expect("JSON"));
        rest = &after[length..];
    }
    (ran, messages)
}

fn hello() -> [Value; 2] {
    [
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "method": "initialized", "params": {} }),
    ]
}

#[test]
fn an_editor_that_leaves_in_order_is_served_well() {
    let folder = Folder::with(&[]);
    let [hello, ready] = hello();
    let bye = [json!({ "id": 2, "method": "shutdown" }), json!({ "method": "exit" })];
    let (ran, messages) = talk(&folder, &[&[hello.clone(), ready], &bye[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let version = &messages[0]["result"]["serverInfo"]["version"];
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let (ran, _) = talk(&folder, &[hello]);
    assert_eq!(ran.code, 1, "without `shutdown` the end is no good one");
}

#[test]
fn the_command_of_a_lens_builds_the_saved_file() {
    let folder = Folder::with(&[("a.ogc", FILE), ("ogc.toml", "[build]\nout = \"made\"\n")]);
    let uri = format!("file://{}", folder.path("a.ogc").to_str().expect("a name").replace('\\', "/"));
    let [hello, ready] = hello();
    let document = json!({ "uri": uri, "languageId": "ogc", "version": 1, "text": FILE });
    let build = json!({ "command": "ogc.build", "arguments": [{ "textDocument": { "uri": uri } }] });
    let (_, messages) = talk(
        &folder,
        &[
            hello,
            ready,
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
            json!({ "id": 2, "method": "workspace/executeCommand", "params": build }),
            json!({ "id": 3, "method": "shutdown" }),
        ],
    );
    let built = messages.iter().find(|message| message["id"] == 2).expect("an answer");
    let written = built["result"]["written"].as_array().expect("a list").clone();
    assert_eq!(written.len(), 1, "{built}");
    assert!(
        folder.path("made/a.Answer.ogca").exists() || written[0].as_str().is_some_and(|path| path.contains("made"))
    );
}
