//! Any bytes and messages from an editor: the language server answers or skips them, and ends with its client; no panic.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;

/// Methods of fuzzed messages, so that their parameters are read.
const METHODS: [&str; 16] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/inlayHint",
    "textDocument/diagnostic",
    "textDocument/rename",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "ogc/mask",
    "ogc/testResults",
    "ogc/acceptTest",
    "ogc/addTest",
    "ogc/export",
    "$/cancelRequest",
];

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().expect("threads"))
}

fn framed(content: &str, out: &mut Vec<u8>) {
    out.extend(format!("Content-Length: {}\r\n\r\n{content}", content.len()).bytes());
}

fuzz_target!(|input: (&[u8], Vec<(u8, &str)>)| {
    let (bytes, messages) = input;
    let mut sent = Vec::new();
    framed(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#, &mut sent);
    framed(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#, &mut sent);
    for (at, (method, params)) in messages.iter().take(8).enumerate() {
        let method = METHODS[usize::from(*method) % METHODS.len()];
        framed(&format!(r#"{{"jsonrpc":"2.0","id":{},"method":"{method}","params":{params}}}"#, at + 1), &mut sent);
    }
    sent.extend(bytes);
    let ended = runtime().block_on(ogc_lsp::serve(&sent[..], tokio::io::sink(), None));
    assert!(ended.is_ok(), "{ended:?}");
});
