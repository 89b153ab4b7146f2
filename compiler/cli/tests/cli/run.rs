//! `ogc run`: its explanations of refused texts, and the sources of texts.

use serde_json::Value;

use super::{Folder, Ran};

const PATIENT: &str = "type Drug = { name: string<1..5>, dose: int<1..20> }\n\
    output P = { patient: { id: int, medications: Drug[1..2], level: \"low\" | \"medium\" | \"high\", note?: string } }\n";

/// Returns the message about a text.
fn said(source: &str, text: &str) -> Value {
    let folder = Folder::with(&[("a.ogc", source)]);
    folder.run(&["run", "a.ogc", text, "--message-format", "json"]).objects("match").remove(0)
}

#[test]
fn mistakes_in_json_are_named_by_their_paths() {
    let drug = r#"{"name":"x","dose":3}"#;
    let patient = |rest: &str| format!(r#"{{"patient":{{"id":1,{rest}"#);
    let cases = [
        (r#"{"patient":{"id":1,"level":"low"}}"#.to_owned(), "missing-key", "medications"),
        (patient("\"note\":\"x\"}}"), "missing-key", "medications"),
        (patient("\"medicatons\":[]}}"), "unknown-key", "medications"),
        (patient("\"id\":1}}"), "duplicate-key", "`id` is written twice in `$.patient`"),
        (patient("\"medications\":[]}}"), "too-few-items", "$.patient.medications"),
        (patient("\"medications\":[{\"name\":\"x\",\"dose\":200}]"), "not-allowed", "does not allow `200`"),
        (patient("\"medications\":[{\"name\":\"abcdef\",\"dose\":2}]"), "too-long", "$.patient.medications[0].name"),
        (patient("\"medications\":[{\"name\":true}]"), "wrong-type", "must be a string, not `true`"),
        (patient("\"medications\":[{\"dose\":2,"), "missing-key", "`name`"),
        (patient(&format!("\"medications\":[{drug},{drug},{drug}]")), "too-many-items", "has 2 items already"),
        (
            patient(&format!("\"medications\":[{drug}],\"level\":\"lo\"}}}}")),
            "not-listed",
            "`\"high\"`, `\"low\"` or `\"medium\"`",
        ),
        (patient(&format!("\"medications\":[{drug}],\"level\":\"low\"")), "ends-early", "`$.patient`"),
        ("[]".to_owned(), "wrong-type", "`$` must be an object, not an array"),
        (r#"{"patient": {}}"#.to_owned(), "white-space", "space"),
    ];
    for (text, reason, part) in cases {
        let object = said(PATIENT, &text);
        let words = format!("{} {}", object["message"], object["help"]).replace("\\\"", "\"");
        assert!(object["reason"] == reason && words.contains(part), "{text}: {object}");
    }
}

#[test]
fn the_definition_option_chooses_the_start_rule_of_a_grammar() {
    let files = [
        ("a.gbnf", "item ::= \"a\"\nlist ::= item \",\" item\n"),
        ("a.ebnf", "item ::= 'a'\nlist ::= item ',' item\n"),
        ("a.abnf", "item = \"a\"\nList = item \",\" item\n"),
        ("a.lark", "item: \"a\"\nlist: item \",\" item\n"),
    ];
    let folder = Folder::with(&files);
    for (name, _) in files {
        assert_eq!(folder.run(&["run", name, "-d", "list", "a,a"]).code, 0, "{name}");
        assert_eq!(folder.run(&["run", name, "-d", "list", "a"]).code, 1, "{name}");
        let exported = folder.run(&["export", name, "-d", "list", "--to", "ogc"]);
        assert!(exported.out.to_lowercase().contains("rule root = list"), "{name}: {}", exported.out);
        let refused = folder.run(&["check", name, "-d", "lst"]);
        assert!(refused.code == 2 && refused.err.contains("there is no rule `lst`; did you mean"), "{}", refused.err);
    }
}

#[test]
fn run_explains_keys_out_of_order_and_json_inside_of_text() {
    let order = said("output A = { a?: int, b?: int }\n", r#"{"b":1,"a":2}"#);
    assert!(
        order["reason"] == "key-order" && order["message"].as_str().unwrap().contains("`a` comes before `b`"),
        "{order}"
    );
    let inside =
        said("output A = \"<call>\" json<{ name: string, args: { q: int } }>\n", r#"<call>{"name":"x","args":{}}"#);
    assert_eq!((&inside["reason"], &inside["path"]), (&"missing-key".into(), &"$.args".into()), "{inside}");
    let words = said("output A = \"SELECT\" | \"INSERT\" | \"UPDATE\"\n", "INSRT");
    assert_eq!(words["words"], serde_json::json!(["INSERT", "SELECT", "UPDATE"]), "{words}");
    let class = said("output A = /[^é]+/\n", "aé");
    assert!(class["message"].as_str().unwrap().contains("`é`"), "{class}");
}

#[test]
fn run_reads_a_named_file_and_hints_if_the_text_names_a_file() {
    let folder = Folder::with(&[("a.ogc", "output A = \"yes\" | \"no\"\n"), ("t.txt", "yes\n"), ("two", "yes\n\n")]);
    let ran = folder.run(&["run", "a.ogc", "--file", "t.txt"]);
    assert!(ran.code == 0 && ran.err.contains("line break") && ran.err.contains("ignored"), "{ran:?}");
    assert_eq!(folder.run(&["run", "a.ogc", "--file", "t.txt", "--exact"]).code, 1);
    assert_eq!(folder.run(&["run", "a.ogc", "--file", "two"]).code, 1, "one line break is ignored, no more");
    assert_eq!(folder.run_with(&["run", "a.ogc", "--file", "-"], "no").code, 0);
    let hinted = folder.run(&["run", "a.ogc", "t.txt"]);
    assert!(hinted.code == 1 && hinted.err.contains("--file t.txt"), "{hinted:?}");
}

#[test]
fn run_counts_accepted_and_refused_lines_of_jsonl() {
    let folder =
        Folder::with(&[("a.ogc", "output A = { a: int }\n"), ("t.jsonl", "{\"a\":1}\n{\"a\":\"x\"}\n\n{\"a\":2}\r\n")]);
    let ran = folder.run(&["run", "a.ogc", "--jsonl", "--file", "t.jsonl", "--message-format", "json"]);
    let counts = &ran.objects("summary")[0];
    assert_eq!(
        (ran.code, &counts["texts"], &counts["accepted"], &counts["refused"]),
        (1, &3.into(), &2.into(), &1.into())
    );
    assert_eq!(ran.objects("match").iter().filter(|found| found["complete"] == false).count(), 1);
    let people: Ran = folder.run(&["run", "a.ogc", "--jsonl", "--file", "t.jsonl"]);
    assert!(people.out.contains("line 2: `$.a` must be a number, not a string"), "{people:?}");
    let strings = folder.run_with(&["run", "a.ogc", "--jsonl=strings"], "\"{\\\"a\\\":1}\"\n");
    assert_eq!(strings.code, 0, "{strings:?}");
}

#[test]
fn token_limits_apply_only_with_a_vocabulary() {
    let folder = Folder::with(&[("a.ogc", "output A = text<max_tokens = 3>\n")]);
    let text = "one two three four";
    let without = folder.run(&["run", "a.ogc", text]);
    assert!(without.code == 0 && without.err.contains("not counted"), "{without:?}");
    let with = folder.run(&["run", "a.ogc", text, "--vocab", "o200k", "--message-format", "json"]);
    let found = &with.objects("match")[0];
    assert_eq!((with.code, &found["reason"], &found["accepted"]), (1, &"token-bound".into(), &13.into()), "{with:?}");
    assert_eq!(folder.run(&["run", "a.ogc", "one two three", "--vocab", "o200k"]).code, 0);
}

#[test]
fn a_byte_that_is_not_utf_8_hides_no_earlier_mistake() {
    let folder = Folder::with(&[("a.schema.json", r#"{"type": "array", "items": {"type": "object"}}"#)]);
    std::fs::write(folder.path("t.txt"), b"[\"\xff\"]").expect("a file");
    let ran = folder.run(&["run", "a.schema.json", "--file", "t.txt"]);
    assert!(ran.code == 1 && ran.err.contains("must be an object"), "{ran:?}");
}

#[test]
fn run_accepts_keys_of_a_schema_in_any_order_by_default() {
    let schema = r#"{"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}"#;
    let folder = Folder::with(&[
        ("s.json", schema),
        ("closed/s.json", schema),
        ("closed/ogc.toml", "[policy]\nobjects = \"closed\"\n"),
    ]);
    let text = r#"{"b": 1, "c": 2, "a": 3}"#;
    assert_eq!(folder.run(&["run", "s.json", text]).code, 0);
    let declared = folder.run(&["run", "s.json", text, "--order", "declared"]);
    assert!(declared.code == 1 && declared.err.contains("the key `a` is missing before `b`"), "{}", declared.err);
    assert!(declared.err.contains("`order` is the policy"), "{}", declared.err);
    // Closed objects, by a flag and by the settings of a folder.
    for arguments in [["run", "s.json", text, "--objects", "closed"].as_slice(), &["run", "closed/s.json", text]] {
        let closed = folder.run(arguments);
        assert!(closed.code == 1 && closed.err.contains("has no key `c`"), "{}", closed.err);
    }
    let wrong = folder.run(&["check", "s.json", "--annotate", "properties"]);
    assert!(wrong.code == 2 && wrong.err.contains("`properties` cannot be read as an annotation"), "{}", wrong.err);
}

/// The flags apply to a definition of a schema as they do to the whole schema.
#[test]
fn policy_options_apply_to_a_named_definition_of_a_schema() {
    let folder = Folder::with(&[("s.json", r#"{"$defs": {"u": {"type": "object", "properties": {"a": {}}}}}"#)]);
    let text = r#"{"b": 1}"#;
    assert_eq!(folder.run(&["run", "s.json", text, "-d", "u"]).code, 0);
    let closed = folder.run(&["run", "s.json", text, "-d", "u", "--objects", "closed"]);
    assert!(closed.code == 1 && closed.err.contains("has no key `b`"), "{}", closed.err);
}

#[test]
fn words_of_python_come_from_a_flag_and_from_settings() {
    let schema = r#"{"properties": {"a": {"enum": [true, null]}, "b": {"type": "string"}}}"#;
    let folder =
        Folder::with(&[("s.json", schema), ("f/s.json", schema), ("f/ogc.toml", "[policy]\nwords = \"python\"\n")]);
    let code = |args: &[&str]| folder.run(args).code;
    let (python, json) = (r#"{"a": True}"#, r#"{"a": null}"#);
    assert_eq!([python, json].map(|text| code(&["run", "s.json", text])), [1, 0]);
    assert_eq!([python, json].map(|text| code(&["run", "s.json", text, "--words", "python"])), [0, 1]);
    assert_eq!([python, json].map(|text| code(&["run", "f/s.json", text])), [0, 1]);
    assert_eq!([python, json].map(|text| code(&["run", "f/s.json", text, "--words", "json"])), [1, 0]);
    // Beside Python's words each character has one spelling.
    let escaped = r#"{"b": "\u0061"}"#;
    assert_eq!(code(&["run", "s.json", escaped]), 0);
    assert_eq!(code(&["run", "s.json", escaped, "--words", "python"]), 1);
    let both = folder.run(&["check", "s.json", "--words", "python", "--escapes", "any"]);
    assert!(both.code != 0 && both.err.contains("python-escapes"), "{}", both.err);
}
