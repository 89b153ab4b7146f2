//! Tests the start and the end of a server.

use ogc_lsp::Ending;
use serde_json::{Value, json};

use crate::client::Client;

#[test]
fn the_server_announces_its_capabilities() {
    let mut client = Client::silent();
    let said = client.initialize(json!({}), &[]);
    assert_eq!(said["serverInfo"]["name"], "ogc");
    let can = &said["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-16");
    assert_eq!(can["textDocumentSync"]["change"], 2);
    assert_eq!(can["documentFormattingProvider"], true);
    assert_eq!(can["diagnosticProvider"], Value::Null, "the client does not pull");
    assert_eq!(can["experimental"]["ogc"]["version"], 1);
    client.end();
}

#[test]
fn exit_without_shutdown_is_an_unclean_end() {
    assert_eq!(Client::new(json!({}), &[]).exit(), Ending::Left);
    assert_eq!(Client::silent().exit(), Ending::Left);
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    assert_eq!(Client::new(json!({}), &[]).leave(), Ending::Left);
    assert_eq!(Client::silent().leave(), Ending::Left);
    let mut client = Client::new(json!({}), &[]);
    client.request("shutdown", Value::Null).unwrap();
    assert_eq!(client.leave(), Ending::Asked);
}

#[test]
fn a_second_initialize_is_refused() {
    let mut client = Client::new(json!({}), &[]);
    let refused = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(refused.unwrap_err()["code"], -32600);
    client.end();
}

#[test]
fn a_malformed_initialize_can_be_retried() {
    let mut client = Client::silent();
    assert_eq!(client.request("initialize", json!({ "capabilities": 1 })).unwrap_err()["code"], -32602);
    client.initialize(json!({}), &[]);
    client.end();
}

#[test]
fn requests_before_initialize_and_after_shutdown_are_refused() {
    let mut client = Client::silent();
    assert_eq!(client.format("file:///w/a.ogc").unwrap_err()["code"], -32002);
    assert_eq!(client.request("shutdown", Value::Null).unwrap_err()["code"], -32002);
    client.initialize(json!({}), &[]);
    client.request("shutdown", Value::Null).unwrap();
    assert_eq!(client.format("file:///w/a.ogc").unwrap_err()["code"], -32600);
    assert_eq!(client.exit(), Ending::Asked);
}

#[test]
fn the_client_is_asked_only_what_it_supports() {
    let can =
        json!({ "workspace": { "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = Client::new(can, &[]);
    let registered = client.said("client/registerCapability", |_| true);
    assert_eq!(registered["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
    let asked = client.said("workspace/configuration", |_| true);
    assert_eq!(asked["params"]["items"][0]["section"], "ogc");
    client.end();
}
