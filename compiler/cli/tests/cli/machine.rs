//! Messages for machines: every line of every command is valid by `messages.schema.json`, and the last line is a
//! summary. All other tests with JSON output use [`validate`] too.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use super::{Folder, Ran};

const SCHEMA: &str = include_str!("../../messages.schema.json");

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
});

/// Validates the output of a command against the schema of messages.
pub(super) fn validate(ran: &Ran) {
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect();
    for line in &lines {
        if let Err(error) = VALIDATOR.validate(line) {
            panic!("{line}: {error}");
        }
    }
    let summaries = lines.iter().filter(|line| line["type"] == "summary").count();
    let last = lines.last().unwrap_or_else(|| panic!("no summary: {ran:?}"));
    assert!(summaries == 1 && last["type"] == "summary" && last["exit_code"] == ran.code, "{ran:?}");
    assert!(ran.err.is_empty(), "everything is on standard output: {ran:?}");
}

fn folder() -> Folder {
    Folder::with(&[
        ("a.ogc", "output Out = { a: \"x\" | \"y\" }\ntest Out { accept { a: \"x\" } reject \"z\" accept \"z\" }\n"),
        ("messy.ogc", "type A={a:string}\n"),
        ("broken.ogc", "output Out = Missing\n"),
        ("a.schema.json", r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "then": {}}"#),
        ("a.gbnf", "root ::= \"a\" b\nb ::= [0-9]{1,3}\n"),
        ("bad.toml/ogc.toml", "[lint]\n"),
        ("bad.toml/a.ogc", "output A = int\n"),
    ])
}

/// Command lines, with their exit codes and the types of the messages before the summary.
const COMMANDS: &[(&[&str], i32, &[&str])] = &[
    (&["new", "fresh"], 0, &["new"]),
    (&["new", "-"], 0, &["new"]),
    (&["new", "--list"], 0, &["template"]),
    (&["new", "a.ogc"], 3, &["problem"]),
    (&["fmt", "messy.ogc", "--check"], 1, &["format"]),
    (&["fmt", "messy.ogc"], 0, &["format"]),
    (&["fmt", "a.gbnf"], 2, &["problem"]),
    (&["check", "a.schema.json"], 0, &["diagnostic"]),
    (&["check", "broken.ogc"], 1, &["diagnostic"]),
    (&["check", "bad.toml"], 3, &["diagnostic"]),
    (&["check", "none.ogc"], 3, &["problem"]),
    (&["check", "a.ogc", "-d", "None"], 2, &["problem"]),
    (&["check"], 2, &["problem"]),
    (&["no-such-command"], 2, &["problem"]),
    (&["check", "a.ogc", "--no-such-flag"], 2, &["problem"]),
    (&["build", "a.ogc", "a.gbnf", "--no-masks"], 0, &["artifact"]),
    (&["build", "a.ogc", "--no-masks", "-o", "-"], 2, &["problem"]),
    (&["build", "broken.ogc", "--no-masks"], 1, &["diagnostic"]),
    (&["run", "a.ogc", "{\"a\":\"x\"}"], 0, &["match"]),
    (&["run", "a.ogc", "{\"a\":\"x\"}", "--events"], 0, &["event", "match"]),
    (&["run", "a.ogc", "{\"a\":1}"], 1, &["match"]),
    (&["run", "a.ogc", "-d", "None", "x"], 2, &["problem"]),
    (&["test", "a.ogc"], 1, &["case", "diagnostic"]),
    (&["test", "a.gbnf"], 2, &["problem"]),
    (&["sample", "a.ogc"], 0, &["sample"]),
    (&["diff", "a.ogc", "a.ogc"], 0, &["difference"]),
    (&["diff", "a.ogc", "a.gbnf"], 1, &["difference"]),
    (&["diff", "a.ogc"], 2, &["problem"]),
    #[cfg(feature = "generate")]
    (&["generate", "a.ogc", "--model", "none.gguf", "--prompt", "x"], 3, &["problem"]),
    #[cfg(feature = "generate")]
    (&["fit", "a.ogc", "--model", "none.gguf", "--prompts", "a.gbnf"], 3, &["problem"]),
    #[cfg(feature = "generate")]
    (&["serve", "--model", "none.gguf"], 3, &["problem"]),
    (&["export", "a.ogc", "--to", "gbnf"], 0, &["export"]),
    (&["export", "a.ogc", "--to", "gbnf", "-o", "out.gbnf"], 0, &["export"]),
    (&["export", "a.gbnf", "--to", "json-schema"], 2, &["problem"]),
    (&["import", "a.schema.json", "--report"], 0, &["keyword", "diagnostic"]),
    (&["import", "a.gbnf"], 2, &["problem"]),
    (&["explain"], 0, &["code"]),
    (&["explain", "budget"], 0, &["explanation"]),
    (&["explain", "no-such-code"], 2, &["problem"]),
    (&["inspect", "a.ogc"], 0, &["stage"]),
    (&["inspect", "a.gbnf", "--at", "a", "--token", "#1"], 0, &["stage"]),
    (&["inspect", "a.gbnf", "--at", "a", "--token", "no such token"], 2, &["problem"]),
    (&["inspect", "a.gbnf", "--stage", "tree"], 0, &["stage"]),
    (&["inspect", "a.gbnf", "--stage", "schema"], 2, &["problem"]),
    (&["inspect", "a.gbnf", "--pass", "left"], 0, &["stage"]),
    (&["inspect", "a.gbnf", "--pass", "none"], 2, &["problem"]),
    (&["cost", "a.gbnf"], 0, &["cost", "rule"]),
    (&["report", "a.gbnf"], 0, &["report"]),
    (&["report", "a.gbnf", "-o", "-"], 0, &["report"]),
    (&["completions", "bash"], 0, &["completions"]),
    (&["completions", "man"], 0, &["completions"]),
];

#[test]
fn every_command_writes_messages_and_a_summary() {
    let folder = folder();
    for (arguments, code, kinds) in COMMANDS {
        let ran = folder.run(&[arguments, &["--message-format", "json"][..]].concat());
        assert_eq!(ran.code, *code, "{arguments:?}: {ran:?}");
        for kind in *kinds {
            assert!(!ran.objects(kind).is_empty(), "{arguments:?} writes no {kind}: {ran:?}");
        }
        let others = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let others: Vec<Value> = others.filter(|line| line["type"] != "summary").collect();
        let expected = others.iter().all(|line| kinds.iter().any(|kind| line["type"] == *kind));
        assert!(expected, "{arguments:?}: {ran:?}");
    }
}

/// The table above has every command except `lsp`, which writes messages of its own protocol.
#[test]
fn the_table_of_commands_covers_every_command() {
    let help = folder().run(&["--help"]).out;
    let groups = help.lines().take_while(|line| *line != "Options:");
    let listed: Vec<&str> = groups.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert!(listed.len() > 15, "{listed:?}");
    for name in listed.into_iter().filter(|name| !["help", "lsp"].contains(name)) {
        assert!(COMMANDS.iter().any(|(arguments, _, _)| arguments[0] == name), "{name}");
    }
}

#[test]
fn artifact_messages_name_file_and_output_separately() {
    let ran = folder().run(&["build", "a.ogc", "--no-masks", "--message-format", "json"]);
    let artifact = &ran.objects("artifact")[0];
    assert_eq!((&artifact["file"], &artifact["output"]), (&"a.ogc".into(), &"Out".into()), "{ran:?}");
}

#[test]
fn summaries_count_errors_warnings_and_formats() {
    let ran = folder().run(&["check", "broken.ogc", "a.schema.json", "none.ogc", "--message-format", "json"]);
    let summary = &ran.objects("summary")[0];
    let count = |name: &str| summary[name].as_u64();
    assert_eq!([count("errors"), count("problems"), count("formats"), count("good")], [1, 1, 3, 1].map(Some));
    assert_eq!(count("warnings"), Some(1), "{ran:?}");
}

/// The reader closes the pipe after one line; the exit code is that of the whole command.
#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let folder = folder();
    for index in 0..300 {
        folder.write(&format!("many/a{index:03}.ogc"), "output Out = int\n");
    }
    folder.write("many/z.ogc", "output Out = Missing\n");
    for (path, code) in [("many", 1), ("many/a000.ogc", 0)] {
        let mut command = folder.command(&["check", path, "broken.ogc", "--message-format", "json"]);
        if code == 0 {
            command = folder.command(&["explain", "--message-format", "json"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let mut reader = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        drop(reader);
        assert_eq!(child.wait().expect("the program ends").code(), Some(code), "{path}");
    }
}

/// The schema of messages is a format itself: ogc's own messages can be generated under a mask.
#[test]
fn the_schema_of_messages_compiles() {
    let folder = Folder::with(&[("messages.schema.json", SCHEMA)]);
    let ran = folder.run(&["check", "messages.schema.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let said = folder.run(&["check", "none.ogc", "--message-format", "json"]);
    for line in said.out.lines() {
        assert_eq!(folder.run(&["run", "messages.schema.json", line, "--order", "any"]).code, 0, "{line}");
    }
}
