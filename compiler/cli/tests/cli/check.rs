//! `ogc check --fix` and `--watch`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use super::Folder;

#[test]
fn mistakes_are_corrected_in_the_file() {
    let folder = Folder::with(&[("a.ogc", "type A: { a: string b: int[1,3] };\noutput B = A\n")]);
    let ran = folder.run(&["check", "--fix", "a.ogc", "--message-format", "json"]);
    assert_eq!(folder.read("a.ogc"), "type A = { a: string, b: int[1..3] }\noutput B = A\n");
    let fixes = ran.objects("fixed");
    assert_eq!(fixes[0]["fixes"].as_array().map(Vec::len), Some(4), "{ran:?}");
    let again = folder.run(&["check", "--fix", "a.ogc", "--message-format", "json"]);
    assert!(again.objects("fixed").is_empty(), "{again:?}");
}

#[test]
fn corrections_are_shown_to_machines() {
    let folder = Folder::with(&[("a.ogc", "type A: int\n")]);
    let ran = folder.run(&["fmt", "a.ogc", "--message-format", "json"]);
    let fix = &ran.objects("diagnostic")[0]["fix"];
    assert_eq!((&fix["edits"][0]["text"], &fix["edits"][0]["span"]["start"]), (&" =".into(), &6.into()), "{fix}");
}

/// A process that is ended with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn changes_are_checked_as_they_come() {
    let folder = Folder::with(&[("f/a.schema.json", r#"{"type": "string"}"#)]);
    let mut command = folder.command(&["check", "--watch", "f", "--message-format", "json"]);
    let mut child = Running(command.stdout(Stdio::piped()).spawn().expect("the program runs"));
    let mut lines = BufReader::new(child.0.stdout.take().expect("its output")).lines();
    let mut summary = || loop {
        let line = lines.next().expect("one more line").expect("text");
        let object: Value = serde_json::from_str(&line).expect("an object a line");
        if object["type"] == "summary" {
            assert!(object["ms"].is_number(), "{object}");
            return (object["good"].as_u64(), object["formats"].as_u64());
        }
    };
    assert_eq!(summary(), (Some(1), Some(1)));
    folder.write("f/a.schema.json", r#"{"type": "nothing"}"#);
    assert_eq!(summary(), (Some(0), Some(1)));
    folder.write("f/b.schema.json", "true");
    assert_eq!(summary(), (Some(1), Some(2)));
    folder.write("f/a.schema.json", r#"{"then": {"type": "string"}}"#);
    assert_eq!(summary(), (Some(2), Some(2)));
    folder.write("f/ogc.toml", "[lints]\nidle-keyword = \"deny\"\n");
    assert_eq!(summary(), (Some(1), Some(2)));
    std::fs::remove_file(folder.path("f/a.schema.json")).expect("a file");
    assert_eq!(summary(), (Some(1), Some(1)));
}
