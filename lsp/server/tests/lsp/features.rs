//! Tests features through the protocol: places are converted, and the client's capabilities are respected. The tests of
//! ogc-ide cover the results themselves.

use serde_json::{Value, json};

use crate::client::Client;

const A: &str = "file:///w/a.ogc";
const TEXT: &str = "/// é\ntype Point = { x: int }\nrule Word = \"é😀\" [a-z]\noutput Out = Point | Word\n";

/// Returns a client with an open document.
fn client(can: &Value) -> Client {
    let mut can = can.clone();
    can["textDocument"]["diagnostic"] = json!({});
    let mut client = Client::new(can, &[]);
    client.open(A, "ogc", 1, TEXT);
    client
}

fn place(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": place(line, from), "end": place(line, to) })
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": A }, "position": place(line, character) })
}

/// Asks once; checks the whole answer.
fn check(can: &Value, method: &str, params: Value, expected: &Value) {
    let mut client = client(can);
    assert_eq!(client.request(method, params).as_ref(), Ok(expected), "{method}");
    client.end();
}

fn document() -> Value {
    json!({ "textDocument": { "uri": A } })
}

#[test]
fn names_lead_to_definitions() {
    let location = json!([{ "uri": A, "range": range(1, 5, 10) }]);
    for method in ["textDocument/definition", "textDocument/declaration"] {
        check(&json!({}), method, at(3, 14), &location);
    }
    let can = json!({ "textDocument": { "definition": { "linkSupport": true } } });
    let link = json!([{ "originSelectionRange": range(3, 13, 18), "targetUri": A,
        "targetRange": range(1, 5, 10), "targetSelectionRange": range(1, 5, 10) }]);
    check(&can, "textDocument/definition", at(3, 14), &link);
    check(&json!({}), "textDocument/definition", at(0, 5), &Value::Null);
}

#[test]
fn references_and_highlights_are_ranges() {
    let mut params = at(1, 7);
    params["context"] = json!({ "includeDeclaration": true });
    let both = json!([{ "uri": A, "range": range(1, 5, 10) }, { "uri": A, "range": range(3, 13, 18) }]);
    check(&json!({}), "textDocument/references", params, &both);
    let both = json!([{ "range": range(1, 5, 10), "kind": 3 }, { "range": range(3, 13, 18), "kind": 2 }]);
    check(&json!({}), "textDocument/documentHighlight", at(1, 7), &both);
}

#[test]
fn symbols_are_hierarchical_if_the_client_supports_it() {
    let mut one = client(&json!({}));
    let flat = one.request("textDocument/documentSymbol", document()).unwrap();
    assert_eq!((&flat[0]["name"], &flat[0]["location"]["uri"]), (&json!("Point"), &json!(A)));
    assert_eq!((&flat[1]["name"], &flat[1]["containerName"]), (&json!("x"), &json!("Point")));
    let found = one.request("workspace/symbol", json!({ "query": "wo" })).unwrap();
    assert_eq!(found[0]["location"]["range"], range(2, 5, 9));
    one.end();
    let mut one =
        client(&json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } }));
    let tree = one.request("textDocument/documentSymbol", document()).unwrap();
    assert_eq!((&tree[0]["selectionRange"], &tree[0]["children"][0]["name"]), (&range(1, 5, 10), &json!("x")));
    one.end();
}

#[test]
fn folding_and_selection_ranges_are_answered() {
    let mut client = client(&json!({}));
    assert_eq!(client.request("textDocument/foldingRange", document()).map(|folds| folds.is_array()), Ok(true));
    let params = json!({ "textDocument": { "uri": A }, "positions": [place(3, 14), place(0, 0)] });
    let around = client.request("textDocument/selectionRange", params).unwrap();
    assert_eq!(around[0]["range"], range(3, 13, 18));
    assert!(around[0]["parent"]["parent"].is_object() && around[1].is_object());
    client.end();
}

#[test]
fn imports_lead_to_documents() {
    let mut client = client(&json!({}));
    client.open("file:///w/b%20c.ogc", "ogc", 1, "import Point from \"a.ogc\"\n");
    let params = json!({ "textDocument": { "uri": "file:///w/b%20c.ogc" } });
    let links = client.request("textDocument/documentLink", params).unwrap();
    assert_eq!(links, json!([{ "range": range(0, 19, 24), "target": A }]));
    client.end();
}

#[test]
fn incoming_and_outgoing_calls_are_answered() {
    let mut client = client(&json!({}));
    let items = client.request("textDocument/prepareCallHierarchy", at(1, 7)).unwrap();
    let calls = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] })).unwrap();
    assert_eq!((&calls[0]["from"]["name"], &calls[0]["fromRanges"]), (&json!("Out"), &json!([range(3, 13, 18)])));
    let calls = client.request("callHierarchy/outgoingCalls", json!({ "item": calls[0]["from"] })).unwrap();
    assert_eq!((&calls[0]["to"]["name"], &calls[0]["fromRanges"]), (&json!("Point"), &json!([range(3, 13, 18)])));
    client.end();
}

#[test]
fn inlay_hints_stand_after_names() {
    let mut client = client(&json!({}));
    let params = json!({ "textDocument": { "uri": A }, "range": { "start": place(0, 0), "end": place(9, 0) } });
    assert_eq!(client.request("textDocument/inlayHint", params.clone()), Ok(json!([])), "sizes are not shown");
    let settings = json!({ "ogc": { "inlayHints": { "sizes": true } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints[0]["position"], place(1, 10));
    client.end();
}

#[test]
fn semantic_tokens_are_updated_by_edits() {
    let mut client = client(&json!({}));
    let full = client.request("textDocument/semanticTokens/full", document()).unwrap();
    let old: Vec<Value> = full["data"].as_array().unwrap().clone();
    client.change(A, 2, &TEXT.replace("x: int", "yy: int"));
    let mut params = document();
    params["previousResultId"] = full["resultId"].clone();
    let delta = client.request("textDocument/semanticTokens/full/delta", params.clone()).unwrap();
    let edit = &delta["edits"][0];
    let (start, removed) = (edit["start"].as_u64().unwrap() as usize, edit["deleteCount"].as_u64().unwrap() as usize);
    let mut new = old.clone();
    new.splice(start..start + removed, edit["data"].as_array().unwrap().iter().cloned());
    let again = client.request("textDocument/semanticTokens/full", document()).unwrap();
    assert_eq!(json!(new), again["data"]);
    params["previousResultId"] = json!("another");
    assert_eq!(client.request("textDocument/semanticTokens/full/delta", params).unwrap()["data"], again["data"]);
    let params = json!({ "textDocument": { "uri": A }, "range": range(2, 0, 30) });
    let part = client.request("textDocument/semanticTokens/range", params).unwrap();
    assert_eq!((&part["data"][0], &part["data"][1], &part["data"][2]), (&json!(2), &json!(0), &json!(4)), "`rule`");
    client.end();
}
