//! Access control of a server, from its arguments and the environment; the effect on requests is tested in `ogc-serve`.

use serde_json::json;

use super::client::{Server, answered, folder};

#[test]
fn unusable_access_options_are_refused() {
    let folder = folder();
    let refused = |flags: &[&str], said: &str| {
        let ran = folder.run(&[&["serve", "--model", "tiny.gguf"], flags].concat());
        assert!(ran.code == 2 && ran.err.contains(said), "{flags:?}: {ran:?}");
        ran.err
    };
    refused(&["--listen", "0.0.0.0:0"], "--allow-host NAME");
    refused(&["--listen", "[::]:0"], "--allow-host NAME");
    refused(&["--allow-host", "https://example.org"], "no host");
    refused(&["--allow-host", "example.org:80"], "no host");
    refused(&["--allow-origin", "example.org"], "no origin");
    refused(&["--allow-origin", "https://example.org/page"], "no origin");
    refused(&["--api-key", ""], "a key is empty");
    assert!(!refused(&["--api-key", "secret words"], "a key has a character").contains("secret"));
    for keys in ["", " ", "one,,two", "one,"] {
        let ran =
            folder.command(&["serve", "--model", "tiny.gguf"]).env("OGC_API_KEY", keys).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.code() == Some(2) && said.contains("OGC_API_KEY") && !said.contains("two"), "{said}");
    }
}

#[test]
fn api_keys_of_options_and_environment_are_required_and_never_logged() {
    let mut server =
        Server::start_with(folder(), &["--api-key", "of-argument"], &[("OGC_API_KEY", "key-one, key-two")]);
    let body = json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 2 }).to_string();
    let ask = |headers: &str| answered(server.send_with("POST", "/v1/chat/completions", headers, &body));
    for key in ["of-argument", "key-one", "key-two"] {
        ask(&format!("authorization: Bearer {key}\r\n")).good();
    }
    ask("").refused(401, "there is no key");
    ask("authorization: Bearer key-one,key-two\r\n").refused(401, "the key is wrong");
    assert_eq!(server.get("/health").status, 200);
    let (_, log) = server.end();
    assert!(log.contains("invalid_api_key"), "{log}");
    assert!(["of-argument", "key-one", "key-two"].iter().all(|key| !log.contains(key)), "{log}");
}

#[test]
fn hosts_and_origins_given_as_options_are_allowed() {
    let server = Server::start(folder(), &["--allow-origin", "https://example.org"]);
    let get = |headers: &str| answered(server.send_with("GET", "/v1/models", headers, ""));
    get("origin: https://example.org\r\n").good();
    get("origin: https://evil.example\r\n").refused(403, "--allow-origin");
    get("host: evil.example\r\n").refused(400, "several `Host` headers");
}
