//! `ogc lsp`: requests of an editor on standard input, responses on standard output, and the artifacts that its command
//! writes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::Folder;

const FILE: &str = "output Answer = { ok: bool }\n";

/// An editor and its server.
struct Editor {
    server: Child,
    out: BufReader<ChildStdout>,
}

impl Editor {
    /// Starts the server in a folder and initializes it.
    fn new(folder: &Folder) -> Self {
        let mut command = folder.command(&["lsp", "--stdio"]);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let out = BufReader::new(server.stdout.take().expect("its output"));
        Self { server, out }
    }

    fn say(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let content = message.to_string();
        let input = self.server.stdin.as_mut().expect("its input");
        write!(input, "Content-Length: {}\r\n\r\n{content}", content.len()).expect("it reads");
        input.flush().expect("it reads");
    }

    /// Waits for the response to a request; skips other messages.
    fn answer(&mut self, id: i64) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                self.out.read_line(&mut line).expect("a line");
                match line.trim().strip_prefix("Content-Length: ") {
                    Some(given) => length = given.parse().expect("a number"),
                    None => break,
                }
            }
            let mut content = vec![0; length];
            self.out.read_exact(&mut content).expect("a message");
            let message: Value = serde_json::from_slice(&content).expect("JSON");
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.say(json!({ "id": id, "method": method, "params": params }));
        self.answer(id)
    }

    /// Closes the pipes; returns the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.server.stdin.take());
        self.server.wait().expect("it ends").code()
    }
}

#[test]
fn lsp_exits_with_0_only_after_shutdown() {
    let folder = Folder::with(&[]);
    for (says_goodbye, code) in [(true, Some(0)), (false, Some(1))] {
        let mut editor = Editor::new(&folder);
        let about = editor.ask(1, "initialize", json!({ "capabilities": {} }));
        assert_eq!(about["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        if says_goodbye {
            editor.ask(2, "shutdown", Value::Null);
            editor.say(json!({ "method": "exit" }));
        }
        assert_eq!(editor.end(), code);
    }
}

#[test]
fn the_code_lens_command_builds_the_saved_file() {
    let folder = Folder::with(&[("a.ogc", FILE), ("ogc.toml", "[build]\nout = \"made\"\n")]);
    let uri = format!("file://{}", folder.path("a.ogc").to_str().expect("a name").replace('\\', "/"));
    let mut editor = Editor::new(&folder);
    editor.ask(1, "initialize", json!({ "capabilities": {} }));
    editor.say(json!({ "method": "initialized", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "ogc", "version": 1, "text": FILE });
    editor.say(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let build = json!({ "command": "ogc.build", "arguments": [{ "textDocument": { "uri": uri } }] });
    let built = editor.ask(2, "workspace/executeCommand", build.clone());
    let [path] = built["written"].as_array().expect("a list").as_slice() else { panic!("{built}") };
    assert!(std::path::Path::new(path.as_str().expect("a path")).starts_with(folder.path("made")), "{built}");
    assert_eq!(editor.ask(3, "workspace/executeCommand", build), json!({ "written": [] }), "it is up to date");
    editor.ask(4, "shutdown", Value::Null);
    editor.end();
}
