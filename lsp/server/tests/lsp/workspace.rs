//! Tests files on the disk: roots, imports, and changes that the client reports.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, shown};

/// A folder with files, which is the root of the client.
struct Root {
    folder: tempfile::TempDir,
    uri: String,
}

impl Root {
    fn new(files: &[(&str, &str)]) -> Root {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap().replace('\\', "/");
        let uri = format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" });
        let root = Root { folder, uri };
        files.iter().for_each(|(name, text)| root.write(name, text));
        root
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(Path::new(name))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.uri)
    }

    /// Reports that a file was created (1), changed (2) or deleted (3).
    fn changed(&self, client: &mut Client, name: &str, kind: u32) {
        let change = json!({ "uri": self.uri(name), "type": kind });
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    }
}

/// Drops the findings that came last, and ends the session.
fn end(mut client: Client) {
    client.listen();
    client.forget("textDocument/publishDiagnostics");
    client.end();
}

#[test]
fn imported_files_are_read_from_the_disk() {
    let root = Root::new(&[
        ("b.ogc", "import C from \"sub/c.schema.json\"\ntype B = C\n"),
        ("sub/c.schema.json", "{\"$defs\": {\"C\": {\"type\": \"integer\"}}}"),
    ]);
    let mut client = Client::new(json!({}), &[]);
    client.open(&root.uri("a.ogc"), "ogc", 1, "import B from \"b.ogc\"\noutput A = B\n");
    client.findings(&root.uri("a.ogc"), Some(1), <[String]>::is_empty);
    end(client);
}

#[test]
fn paths_of_imports_are_completed_from_the_disk() {
    let root = Root::new(&[("t.json", "[]"), ("g.lark", "start: \"a\"\n"), ("sub/c.abnf", ""), ("note.txt", "")]);
    let mut client = Client::new(json!({}), &[]);
    client.open(&root.uri("a.ogc"), "ogc", 1, "import A from \"\"\nimport B from \"sub/\"\n");
    let mut labels = |line: u32, character: u32| {
        let document = json!({ "uri": root.uri("a.ogc") });
        let position = json!({ "line": line, "character": character });
        let about = json!({ "textDocument": document, "position": position });
        let list = client.request("textDocument/completion", about).unwrap();
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(labels(0, 15), ["std.tools", "g.lark", "t.json", "sub/", "../"]);
    assert_eq!(labels(1, 19), ["std.tools", "sub/c.abnf"]);
    end(client);
}

#[test]
fn created_changed_and_deleted_files_are_noticed() {
    let root = Root::new(&[]);
    let a = root.uri("a.ogc");
    let mut client = Client::new(json!({}), &[&root.uri]);
    client.open(&a, "ogc", 1, "import B from \"b.ogc\"\noutput A = B\n");
    client.findings(&a, Some(1), |found| !found.is_empty());
    root.write("b.ogc", "type B = int\n");
    root.changed(&mut client, "b.ogc", 1);
    client.findings(&a, Some(1), <[String]>::is_empty);
    root.write("b.ogc", "type C = int\n");
    root.changed(&mut client, "b.ogc", 2);
    client.findings(&a, Some(1), |found| !found.is_empty());
    root.write("b.ogc", "type B = int\n");
    root.changed(&mut client, "b.ogc", 2);
    client.findings(&a, Some(1), <[String]>::is_empty);
    std::fs::remove_file(root.path("b.ogc")).unwrap();
    root.changed(&mut client, "b.ogc", 3);
    client.findings(&a, Some(1), |found| !found.is_empty());
    end(client);
}

#[test]
fn deleting_a_folder_removes_its_files() {
    let root = Root::new(&[("sub/b.ogc", "type B = int\n")]);
    let a = root.uri("a.ogc");
    let mut client = Client::new(json!({}), &[&root.uri]);
    client.open(&a, "ogc", 1, "import B from \"sub/b.ogc\"\noutput A = B\n");
    client.findings(&a, Some(1), <[String]>::is_empty);
    std::fs::remove_dir_all(root.path("sub")).unwrap();
    root.changed(&mut client, "sub", 3);
    client.findings(&a, Some(1), |found| !found.is_empty());
    end(client);
}

#[test]
fn an_open_document_wins_over_the_disk() {
    let root = Root::new(&[("b.ogc", "type C = int\n")]);
    let (a, b) = (root.uri("a.ogc"), root.uri("b.ogc"));
    let mut client = Client::new(json!({}), &[&root.uri]);
    client.open(&b, "ogc", 1, "type B = int\n");
    client.open(&a, "ogc", 1, "import B from \"b.ogc\"\noutput A = B\n");
    client.findings(&a, Some(1), <[String]>::is_empty);
    root.changed(&mut client, "b.ogc", 2);
    client.close(&b);
    client.findings(&a, Some(1), |found| !found.is_empty());
    end(client);
}

/// Returns the files of the workspace with their findings.
fn workspace(client: &mut Client) -> Vec<(String, Vec<String>)> {
    let report = client.request("workspace/diagnostic", json!({ "previousResultIds": [] })).unwrap();
    let files = report["items"].as_array().unwrap().iter();
    files.map(|one| (one["uri"].as_str().unwrap().to_owned(), shown(&one["items"]))).collect()
}

#[test]
fn all_roots_are_read() {
    let (one, two) = (Root::new(&[("a.ogc", "output A = B\n")]), Root::new(&[("sub/b.ogc", "output B = int\n")]));
    let can =
        json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } });
    let mut client = Client::new(can, &[&one.uri, &two.uri]);
    client.said("workspace/diagnostic/refresh", |params| *params == Value::Null);
    let mut found = workspace(&mut client);
    let mut expected =
        vec![(one.uri("a.ogc"), vec!["0:11 unknown-name".to_owned()]), (two.uri("sub/b.ogc"), Vec::new())];
    found.sort();
    expected.sort();
    assert_eq!(found, expected);

    let folder = |root: &Root| json!({ "uri": root.uri, "name": "w" });
    let event = json!({ "added": [], "removed": [folder(&one)] });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    assert_eq!(workspace(&mut client), [(two.uri("sub/b.ogc"), Vec::new())]);
    let event = json!({ "added": [folder(&one)], "removed": [folder(&two)] });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    assert_eq!(workspace(&mut client), [(one.uri("a.ogc"), vec!["0:11 unknown-name".to_owned()])]);
    client.listen();
    client.forget("workspace/diagnostic/refresh");
    client.end();
}
