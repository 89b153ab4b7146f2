//! Tests wrong messages and misbehaving clients: the server answers, and goes on.

use serde_json::{Value, json};

use crate::client::{Client, formatting};

const A: &str = "file:///w/a.ogc";

/// Returns a client with an open document.
fn client() -> Client {
    let mut client = Client::new(json!({ "textDocument": { "diagnostic": {} } }), &[]);
    client.open(A, "ogc", 1, "type  A=int\n");
    client
}

/// Checks that the document can still be formatted, and ends the session.
fn end(mut client: Client) {
    assert_eq!(client.format(A).unwrap()[0]["newText"], "type A = int\n");
    client.end();
}

/// Sends the content of a message; the server answers with an error that has no id.
fn check_without_id(content: impl AsRef<[u8]>, code: i64) {
    let mut client = client();
    client.raw(content.as_ref());
    let error = client.error_without_id();
    assert_eq!(error["code"], code, "{:?}", String::from_utf8_lossy(content.as_ref()));
    end(client);
}

#[test]
fn messages_that_are_no_json_are_refused() {
    check_without_id("", -32700);
    check_without_id("{\"jsonrpc\": ", -32700);
    check_without_id(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}", -32700);
    check_without_id("[".repeat(200_000), -32700);
    check_without_id(
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{}1}}", "{\"a\":".repeat(100_000)),
        -32700,
    );
}

#[test]
fn json_that_is_no_message_is_refused() {
    for content in [
        "1",
        "null",
        "[]",
        "{}",
        r#"[{"jsonrpc":"2.0","method":"initialized","params":{}}]"#,
        r#"{"jsonrpc":"1.0","method":"shutdown","id":1}"#,
        r#"{"method":"shutdown","id":1}"#,
        r#"{"jsonrpc":"2.0","method":7,"id":1}"#,
        r#"{"jsonrpc":"2.0","method":"shutdown","id":{}}"#,
        r#"{"jsonrpc":"2.0","method":"shutdown","id":1e300}"#,
        r#"{"jsonrpc":"2.0","method":"shutdown","id":99999999999999999999}"#,
    ] {
        check_without_id(content, -32600);
    }
}

#[test]
fn bytes_between_messages_are_skipped() {
    let mut client = client();
    client.write(b"hello\r\n\r\nContent-Length: many\r\n\r\n");
    client.write(b"X-Header: 1\r\nY-Header: 2\r\nZ-Header: 3\r\n");
    client.write(&[0xff, 0x00, b'\n']);
    end(client);
}

#[test]
fn unknown_methods_and_wrong_parameters_are_refused() {
    let mut client = client();
    let wrong = [
        ("textDocument/nothing", json!({}), -32601),
        ("", Value::Null, -32601),
        ("ogc/nothing", json!([]), -32601),
        ("textDocument/formatting", Value::Null, -32602),
        ("textDocument/formatting", json!([1]), -32602),
        ("textDocument/formatting", json!({ "textDocument": { "uri": 1 } }), -32602),
        ("textDocument/formatting", json!({ "textDocument": { "uri": "no uri" } }), -32602),
    ];
    for (method, params, code) in wrong {
        assert_eq!(client.request(method, params.clone()).unwrap_err()["code"], code, "{method} {params}");
    }
    for (method, params) in [
        ("textDocument/didChange", json!({})),
        ("textDocument/didOpen", json!({ "textDocument": { "uri": "no uri" } })),
        ("textDocument/didChange", json!({ "textDocument": { "uri": A, "version": 1e99 }, "contentChanges": [] })),
        ("textDocument/nothing", json!(7)),
        ("$/nothing", json!({})),
        ("$/cancelRequest", json!({ "id": 99_999_999_999_u64 })),
        ("$/cancelRequest", json!({ "id": "none" })),
        ("workspace/didChangeConfiguration", json!({ "settings": null })),
        ("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": "urn:x", "type": 99 }] })),
    ] {
        client.notify(method, params);
    }
    end(client);
}

#[test]
fn documents_of_any_uri_are_harmless() {
    let mut client = client();
    for uri in
        ["urn:a", "untitled:Untitled-1", "file:///", "file://host/a.ogc", "file:///w/%FF.ogc", "data:,x", "file:///w"]
    {
        client.open(uri, "ogc", i32::MIN, "import X from \"../../../../../x.ogc\"\nimport Y from \"/\"\n");
        client.change(uri, i32::MAX, "\u{0}\u{feff}import Z from \"\"\n");
        client.format(uri).unwrap();
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).unwrap();
        client.close(uri);
    }
    end(client);
}

#[test]
fn request_ids_of_any_size_are_returned() {
    let mut client = client();
    let id = i64::MAX - 1;
    let ask = |id: &Value| json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/formatting", "params": formatting(A) });
    client.raw(ask(&json!(id)).to_string());
    assert_eq!(client.answer(id).unwrap()[0]["newText"], "type A = int\n");
    client.raw(ask(&json!(-1)).to_string());
    assert_eq!(client.answer(-1).unwrap()[0]["newText"], "type A = int\n");
    end(client);
}

#[test]
fn a_client_that_never_responds_blocks_nothing() {
    let mut client = Client::silent();
    client.answers = false;
    let watched = json!({ "dynamicRegistration": true });
    let workspace =
        json!({ "configuration": true, "didChangeWatchedFiles": watched, "diagnostics": { "refreshSupport": true } });
    let can =
        json!({ "workspace": workspace, "window": { "workDoneProgress": true }, "textDocument": { "diagnostic": {} } });
    client.initialize(can, &[]);
    client.open(A, "ogc", 1, "type  A=int\n");
    for at in 0..50 {
        let change = json!({ "uri": format!("file:///w/{at}.ogc"), "type": 1 });
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
        client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
        assert_eq!(client.format(A).unwrap()[0]["newText"], "type A = int\n");
    }
    for id in [json!(1), json!(1), json!(77_777), json!("x"), Value::Null] {
        client.raw(json!({ "jsonrpc": "2.0", "id": id, "result": null }).to_string());
    }
    client.listen();
    for method in [
        "client/registerCapability",
        "workspace/configuration",
        "workspace/diagnostic/refresh",
        "window/workDoneProgress/create",
    ] {
        client.forget(method);
    }
    end(client);
}

#[test]
fn responses_of_the_wrong_type_are_tolerated() {
    let mut client = Client::silent();
    client.answers = false;
    client.initialize(json!({ "workspace": { "configuration": true } }), &[]);
    let asked = client.said("workspace/configuration", |_| true);
    client.raw(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "not": "a list" } }).to_string());
    client.raw(json!({ "jsonrpc": "2.0", "id": asked["id"], "error": { "code": 1, "message": "" } }).to_string());
    assert_eq!(client.format(A), Ok(Value::Null));
    client.end();
}

#[test]
fn a_duplicate_request_id_is_refused_once() {
    let mut client = client();
    let ask = json!({ "jsonrpc": "2.0", "id": 500, "method": "workspace/diagnostic",
        "params": { "previousResultIds": [{ "uri": A, "value": "x" }] } });
    client.change(A, 2, "type  A=int\n");
    client.raw(ask.to_string());
    client.raw(ask.to_string());
    assert_eq!(client.answer(500).unwrap_err()["code"], -32600);
    assert!(client.answer(500).is_ok());
    end(client);
}

#[test]
fn a_hundred_thousand_lines_are_edited() {
    let mut client = client();
    let uri = "file:///w/long.ogc";
    let text: String = (0..100_000).map(|at| format!("type A{at} = int\n")).collect();
    client.open(uri, "ogc", 1, &text);
    for version in 2..22 {
        let place = json!({ "line": 50_000, "character": 5 });
        client.change_with(uri, version, json!([{ "range": { "start": place, "end": place }, "text": " " }]));
    }
    let edits = client.format(uri).unwrap();
    assert_eq!(edits.as_array().map(Vec::len), Some(1));
    assert_eq!(edits[0]["newText"], "type A50000 = int\n");
    end(client);
}

#[test]
fn requests_on_incomplete_items_are_answered() {
    let mut client = client();
    let whole = "/// d\n@open type Point = { x: int, \"y\"?: list<int, 1..3> } & X\nrule R = (\"a\" | [b-c])* -> J\nimport { A, B as C } from \"b.ogc\"\noutput O = json { x: Point }\n";
    for (version, (end, _)) in whole.char_indices().enumerate() {
        client.change(A, version as i32 + 2, &whole[..end]);
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": A } })).unwrap();
        client.format(A).unwrap();
    }
    client.change(A, 1_000, "type  A=int\n");
    self::end(client);
}
