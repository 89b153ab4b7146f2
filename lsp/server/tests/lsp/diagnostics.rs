//! Tests findings: pushed with versions, or pulled with result ids.

use serde_json::{Value, json};

use crate::client::{Client, shown};

const A: &str = "file:///w/a.ogc";
const B: &str = "file:///w/b.ogc";

/// Returns the capabilities of a client that pulls findings.
fn pulls() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

#[test]
fn findings_are_pushed_with_their_version() {
    let mut client = Client::new(json!({}), &[]);
    client.open(A, "ogc", 7, "output A = B\n");
    assert_eq!(client.findings(A, Some(7), |found| !found.is_empty()), ["0:11 unknown-name"]);
    client.change(A, 8, "output A = int\n");
    assert!(client.findings(A, Some(8), <[String]>::is_empty).is_empty());
    client.end();
}

#[test]
fn pushed_findings_include_lints() {
    let mut client =
        Client::new(json!({ "textDocument": { "publishDiagnostics": { "tagSupport": { "valueSet": [1] } } } }), &[]);
    client.open(A, "ogc", 1, "type B = int\noutput A = string\n");
    let is_it = |params: &Value| shown(&params["diagnostics"]) == ["0:5 unused-item"];
    let said = client.said("textDocument/publishDiagnostics", is_it);
    assert_eq!(said["params"]["diagnostics"][0]["tags"], json!([1]));
    assert_eq!(said["params"]["diagnostics"][0]["severity"], 2);
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}

#[test]
fn an_edit_of_an_imported_file_updates_its_importers() {
    let mut client = Client::new(json!({}), &[]);
    client.open(A, "ogc", 1, "import B from \"b.ogc\"\noutput A = B\n");
    client.findings(A, Some(1), |found| !found.is_empty());
    client.open(B, "ogc", 1, "type B = int\n");
    client.findings(A, Some(1), <[String]>::is_empty);
    client.change(B, 2, "type C = int\n");
    client.findings(A, Some(1), |found| !found.is_empty());
    client.close(B);
    client.findings(A, Some(1), |found| !found.is_empty());
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}

#[test]
fn a_closed_document_has_no_findings() {
    let mut client = Client::new(json!({}), &[]);
    client.open(A, "ogc", 1, "output A = B\n");
    client.findings(A, Some(1), |found| !found.is_empty());
    client.close(A);
    assert!(client.findings(A, None, <[String]>::is_empty).is_empty());
    client.end();
}

#[test]
fn json_files_count_as_schemas_if_imported_or_marked() {
    let json = "file:///w/x.json";
    let mut client = Client::new(json!({}), &[]);
    client.open(json, "json", 1, "{\"type\": 1}");
    client.listen();
    client.open(A, "ogc", 1, "import X from \"x.json\"\noutput A = X\n");
    client.findings(json, Some(1), |found| !found.is_empty());
    client.change(A, 2, "output A = int\n");
    client.findings(json, None, <[String]>::is_empty);
    client.change(json, 2, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": 1}");
    client.findings(json, Some(2), |found| !found.is_empty());
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}

#[test]
fn pulled_findings_have_result_ids() {
    let mut client = Client::new(pulls(), &[]);
    client.open(A, "ogc", 1, "output A = B\n");
    let ask = |previous: Value| json!({ "textDocument": { "uri": A }, "previousResultId": previous });
    let first = client.request("textDocument/diagnostic", ask(Value::Null)).unwrap();
    assert_eq!((first["kind"].as_str(), shown(&first["items"])), (Some("full"), vec!["0:11 unknown-name".to_owned()]));
    let second = client.request("textDocument/diagnostic", ask(first["resultId"].clone())).unwrap();
    assert_eq!((second["kind"].as_str(), &second["resultId"]), (Some("unchanged"), &first["resultId"]));
    client.change(A, 2, "output A = int\n");
    let third = client.request("textDocument/diagnostic", ask(first["resultId"].clone())).unwrap();
    assert_eq!((third["kind"].as_str(), &third["items"]), (Some("full"), &json!([])));
    let other = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": "file:///w/x.json" } }));
    assert_eq!(other.unwrap()["items"], json!([]));
    client.end();
}

#[test]
fn workspace_diagnostics_wait_for_a_change() {
    let mut client = Client::new(pulls(), &[]);
    client.open(A, "ogc", 1, "output A = B\n");
    let ask = |previous: Value| json!({ "previousResultIds": previous });
    let first = client.request("workspace/diagnostic", ask(json!([]))).unwrap();
    assert_eq!((first["items"][0]["uri"].as_str(), first["items"][0]["version"].as_i64()), (Some(A), Some(1)));
    let previous = json!([{ "uri": A, "value": first["items"][0]["resultId"] }]);
    let waiting = client.ask("workspace/diagnostic", ask(previous));
    client.listen();
    client.change(A, 2, "output A = int\n");
    let second = client.answer(waiting).unwrap();
    assert_eq!((second["items"][0]["items"].clone(), second["items"][0]["version"].as_i64()), (json!([]), Some(2)));
    client.end();
}

#[test]
fn a_parked_request_can_be_cancelled() {
    let mut client = Client::new(pulls(), &[]);
    let first = client.ask("workspace/diagnostic", json!({ "previousResultIds": [{ "uri": A, "value": "x" }] }));
    client.notify("$/cancelRequest", json!({ "id": first }));
    assert_eq!(client.answer(first).unwrap_err()["code"], -32800);
    client.end();
}
