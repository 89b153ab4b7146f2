//! Tests that documents stay in sync with the client's, whatever the unit of columns is.

use serde_json::{Value, json};

use crate::client::Client;

/// A change of a range of a document.
pub(crate) fn change(from: (u32, u32), to: (u32, u32), text: &str) -> Value {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({ "range": { "start": place(from), "end": place(to) }, "text": text })
}

/// Edits a text in an encoding, and checks the places of the formatting edits.
fn check(encoding: &str, changes: &[Value], expected: &Value) {
    let uri = "file:///w/a.ogc";
    let mut client = Client::silent();
    let said = client.initialize(json!({ "general": { "positionEncodings": [encoding] } }), &[]);
    assert_eq!(said["capabilities"]["positionEncoding"], encoding);
    client.open(uri, "ogc", 1, "rule A = \"é😀\" \"x\"\nrule B = \"b\"\n");
    client.change_with(uri, 2, json!(changes));
    assert_eq!(client.format(uri).unwrap(), *expected, "{encoding}");
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}

/// Inserts spaces after `😀`, whose line is then reformatted.
fn check_column(encoding: &str, column: u32) {
    let changes = [change((0, column), (0, column), "\"  \"y\"  \"")];
    let start = json!({ "line": 0, "character": 0 });
    let end = json!({ "line": 1, "character": 0 });
    let text = "rule A = \"é😀\" \"y\" \"\" \"x\"\n";
    check(encoding, &changes, &json!([{ "range": { "start": start, "end": end }, "newText": text }]));
}

#[test]
fn columns_are_counted_in_the_negotiated_encoding() {
    check_column("utf-8", 16);
    check_column("utf-16", 13);
    check_column("utf-32", 12);
}

#[test]
fn changes_of_one_notification_apply_in_sequence() {
    let changes = [change((1, 0), (2, 0), ""), change((0, 0), (0, 4), "rule  ")];
    let (start, end) = (json!({ "line": 0, "character": 0 }), json!({ "line": 1, "character": 0 }));
    let text = "rule A = \"é😀\" \"x\"\n";
    check("utf-16", &changes, &json!([{ "range": { "start": start, "end": end }, "newText": text }]));
}

#[test]
fn positions_outside_of_the_text_are_clamped() {
    let far = u32::MAX;
    let changes = [change((far, far), (far, far), "rule C = \"c\"\n"), change((2, 4), (1, 0), "")];
    check("utf-16", &changes, &json!([]));
}

#[test]
fn changes_of_documents_that_are_not_open_are_ignored() {
    let mut client = Client::new(json!({}), &[]);
    client.change("file:///w/b.ogc", 2, "type  A=int");
    client.close("file:///w/c.ogc");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": "file:///w/d.ogc" } }));
    assert_eq!(client.format("file:///w/b.ogc"), Ok(Value::Null));
    client.end();
}

#[test]
fn a_document_that_is_opened_twice_has_the_later_text() {
    let mut client = Client::new(json!({}), &[]);
    client.open("file:///w/a.ogc", "ogc", 1, "type  A=int");
    client.open("file:///w/a%2Eogc", "ogc", 1, "type A = int\n");
    assert_eq!(client.format("file:///w/a.ogc"), Ok(json!([])));
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}
