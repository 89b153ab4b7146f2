//! `.ogc` files through the commands: several outputs, tests, imports, budgets, exports.

use super::Folder;

const FORMAT: &str = "import \"unit.regex\" as unit\n\
    type Size = { width: int<1..9>, unit: \"mm\" | \"in\" }\n\
    output Json = Size\n\
    output Text = \"size \" width: int<1..9> unit.root\n\
    test Json { accept { width: 3, unit: \"mm\" } reject { width: 0, unit: \"mm\" } because \"nothing is so thin\" }\n\
    test Text { accept \"size 3mm\" }\n";

fn folder() -> Folder {
    Folder::with(&[("size.ogc", FORMAT), ("unit.regex", "mm|in\n")])
}

#[test]
fn each_output_is_built_into_an_artifact_of_its_name() {
    let folder = folder();
    let ran = folder.run(&["build", "size.ogc", "--no-masks", "--message-format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(folder.path("size.ogc.Json.ogca").exists() && folder.path("size.ogc.Text.ogca").exists());
    let again = folder.run(&["build", "size.ogc", "--no-masks", "--message-format", "json"]);
    assert!(again.objects("artifact").iter().all(|artifact| artifact["written"] == false), "{again:?}");
    let undecided = folder.run(&["sample", "size.ogc"]);
    assert!(undecided.code == 2 && undecided.err.contains("Json, Text"), "{undecided:?}");
    let sampled = folder.run(&["sample", "size.ogc", "-d", "Text", "-n", "3"]);
    assert!(sampled.code == 0 && sampled.out.lines().all(|line| line.starts_with("size ")), "{sampled:?}");
    assert_eq!(folder.run(&["run", "size.ogc", "-d", "Size", "{\"width\":2,\"unit\":\"in\"}"]).code, 0);
    assert_eq!(folder.run(&["build", "size.ogc", "--space", "any"]).code, 2, "policies are in the file");
}

#[test]
fn run_shows_captures() {
    let folder = Folder::with(&[("c.ogc", "output Out = tok\"<t>\" all: (\"n=\" n: int<0..99> \";\")+\n")]);
    let ran = folder.run(&["run", "c.ogc", "--tokens", "<t>n=4;n=57;"]);
    assert!(ran.code == 0 && ran.out.ends_with("all: \"n=4;n=57;\"\n    n: \"4\"\n    n: \"57\"\n"), "{ran:?}");
    let ran = folder.run(&["run", "c.ogc", "--tokens", "<t>n=4;", "--message-format", "json"]);
    let [all] = &ran.objects("match")[0]["captures"].as_array().cloned().unwrap_or_default()[..] else {
        panic!("{ran:?}")
    };
    assert_eq!((&all["text"], &all["captures"][0]["text"]), (&"n=4;".into(), &"4".into()));
    assert_eq!(folder.run(&["run", "c.ogc", "<t>n=4;"]).code, 1, "characters are no token");
    folder.write("d.ogc", "output Out = \"n=\" n: int<0..99>\n");
    let ran = folder.run(&["export", "d.ogc", "--to", "gbnf"]);
    assert!(ran.code == 0 && ran.err.contains("export-captures") && ran.out.contains("root ::="), "{ran:?}");
}

#[test]
fn commands_follow_the_words_of_python() {
    let types = "type City = { name: string, big: bool | null }\n";
    let format = |words: &str| {
        let policy = format!("policy escapes = \"canonical\", words = \"{words}\"\n{types}output Whole = City\n");
        policy + "output Part = \"f(\" city: json<City> \")\"\ntest Whole { accept { name: \"null\", big: true } }\n"
    };
    let folder = Folder::with(&[("p.ogc", &format("python")), ("j.ogc", &format("json"))]);
    let run = |arguments: &[&str]| folder.run(arguments);
    assert_eq!(run(&["test", "p.ogc"]).code, 0);
    assert_eq!(run(&["fmt", "p.ogc", "--check"]).code, run(&["fmt", "j.ogc", "--check"]).code);
    assert_eq!(run(&["run", "p.ogc", "-d", "Part", "f({\"name\":\"None\",\"big\":None})"]).code, 0);
    let ran = run(&["run", "p.ogc", "-d", "Whole", "{\"name\":\"None\",\"big\":null}"]);
    assert!(
        ran.code == 1 && ran.out.contains("Python writes `None`") | ran.err.contains("Python writes `None`"),
        "{ran:?}"
    );
    let ran = run(&["run", "j.ogc", "-d", "Whole", "{\"name\":\"None\",\"big\":True}"]);
    assert!(
        ran.code == 1 && ran.out.contains("JSON writes `true`") | ran.err.contains("JSON writes `true`"),
        "{ran:?}"
    );
    let text = "{\"name\":\"True\",\"big\":True}";
    let ran = run(&["run", "p.ogc", "-d", "Whole", text, "--events", "--message-format", "json"]);
    let read: Vec<_> = ran.objects("event").into_iter().filter(|event| event["value"] == "bool").collect();
    assert!(read.iter().any(|event| event["text"] == "true"), "{ran:?}");
    let gbnf = run(&["export", "p.ogc", "-d", "Whole", "--to", "gbnf"]);
    assert!(gbnf.code == 0 && gbnf.out.contains("\"None\"") && !gbnf.out.contains("true"), "{gbnf:?}");
    let schema = run(&["export", "p.ogc", "-d", "Whole", "--to", "json-schema"]);
    assert!(schema.code == 1 && schema.err.contains("export-policy"), "{schema:?}");
    let prompt = run(&["export", "p.ogc", "-d", "Whole", "--to", "prompt"]);
    assert!(prompt.code == 0 && prompt.out.contains("`None`, `True` and `False`"), "{prompt:?}");
    let changed = run(&["diff", "j.ogc", "p.ogc", "-d", "Whole"]);
    assert!(
        changed.out.contains("True") || changed.out.contains("None") || changed.out.contains("False"),
        "{changed:?}"
    );
    for sampled in run(&["sample", "p.ogc", "-d", "Whole", "-n", "9"]).out.lines() {
        assert_eq!(run(&["run", "p.ogc", "-d", "Whole", sampled]).code, 0, "{sampled}");
    }
}

#[test]
fn run_shows_events() {
    let tools = r#"[{"name": "find", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]"#;
    let format = "import tools from \"tools.json\"\nrule line<name, Args> = \"CALL \" name \" \" json<Args>\n\
        output Out = \"n=\" n: json<int> \"; \" any_tool<tools, line>\n";
    let folder = Folder::with(&[("e.ogc", format), ("tools.json", tools)]);
    let text = r#"n=12; CALL find {"city":"Z\u00fcrich"}"#;
    let ran = folder.run(&["run", "e.ogc", text, "--events", "--message-format", "json"]);
    let events = ran.objects("event");
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    let expected = "text-grows capture-begins value-begins value-complete capture-ends text-grows call-begins text-grows \
        value-begins field-begins value-begins string-grows value-complete value-complete call-ends ended";
    assert_eq!(kinds.join(" "), expected, "{ran:?}");
    let grows = events.iter().find(|event| event["event"] == "string-grows").expect("a string");
    assert_eq!(
        *grows,
        serde_json::json!({"type": "event", "event": "string-grows", "path": "/city", "text": "Zürich"})
    );
    let call = events.iter().find(|event| event["event"] == "call-ends").expect("a call");
    assert_eq!((&call["name"], &call["start"], &call["end"]), (&"find".into(), &6.into(), &text.len().into()));
    let ran = folder.run(&["run", "e.ogc", text, "--events"]);
    assert!(ran.out.contains("     2..4  value-complete  $ number \"12\"\n"), "{}", ran.out);
    let tokens = folder.run(&["run", "e.ogc", text, "--events", "--vocab", "o200k", "--message-format", "json"]);
    let grows = tokens.objects("event").into_iter().filter(|event| event["event"] == "string-grows");
    let pieces: Vec<String> = grows.map(|event| event["text"].as_str().unwrap_or_default().to_owned()).collect();
    assert!(pieces.len() > 1 && pieces.concat() == "Zürich", "{pieces:?}");
    let refused = folder.run(&["run", "e.ogc", "n=x", "--events"]);
    assert!(refused.code == 1 && !refused.out.contains("text-grows"), "{refused:?}");
}

#[test]
fn failing_test_cases_say_why() {
    let folder = folder();
    assert_eq!(folder.run(&["test", "size.ogc"]).code, 0);
    folder.write("size.ogc", &FORMAT.replace("size 3mm", "size 3cm"));
    let ran = folder.run(&["test", "."]);
    assert!(ran.code == 1 && ran.err.contains("accepted up to `size 3`"), "{ran:?}");
    assert!(ran.out.contains("1 of 3 test cases failed"), "{ran:?}");
}

#[test]
fn a_format_over_its_mask_budget_is_not_built() {
    let format = |budget: &str| format!("@budget(mask = \"{budget}\")\noutput A = \"a\" /[a-z]{{1,3}}/\n");
    let folder = Folder::with(&[("a.ogc", &format("1B")), ("b.ogc", &format("64MiB"))]);
    let ran = folder.run(&["build", "a.ogc", "b.ogc", "--message-format", "json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.objects("diagnostic")[0]["code"], "budget");
    assert!(!folder.path("a.ogc.A.ogca").exists() && folder.path("b.ogc.A.ogca").exists());
}

#[test]
fn exported_formats_accept_the_same_texts() {
    let folder = folder();
    let to = |name: &str, notation: &str, file: &str| {
        let ran = folder.run(&["export", "size.ogc", "-d", name, "--to", notation, "-o", file]);
        assert_eq!(ran.code, 0, "{notation}: {ran:?}");
    };
    to("Text", "gbnf", "text.gbnf");
    to("Text", "lark", "text.lark");
    to("Text", "regex", "text.regex");
    to("Size", "json-schema", "size.schema.json");
    for file in ["text.gbnf", "text.lark", "text.regex"] {
        assert_eq!(folder.run(&["run", file, "size 7in"]).code, 0, "{file}");
        assert_eq!(folder.run(&["run", file, "size 0in"]).code, 1, "{file}");
    }
    assert_eq!(folder.run(&["run", "size.schema.json", "{\"width\":2,\"unit\":\"in\"}"]).code, 0);
    let back = folder.run(&["export", "size.schema.json", "--to", "ogc", "-o", "again.ogc"]);
    assert_eq!(back.code, 0, "{back:?}");
    assert_eq!(folder.run(&["check", "again.ogc"]).code, 0, "{}", folder.read("again.ogc"));
    let prompt = folder.run(&["export", "size.ogc", "-d", "Json", "--to", "prompt"]);
    assert!(prompt.out.contains("type Size = { width: int<1..9>"), "{prompt:?}");
    let refused = folder.run(&["export", "size.ogc", "-d", "Text", "--to", "json-schema"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn prompts_describe_the_policies_and_keep_literals() {
    let text = "policy space = \"pretty\", order = \"any\"\n/// Where it is.\noutput A = {\n/// The place.\nat: \"file:///x\" }\n";
    let folder = Folder::with(&[("a.ogc", text)]);
    let prompt = folder.run(&["export", "a.ogc", "--to", "prompt"]).out;
    assert!(prompt.contains("fields in any order, with a line for each field and item"), "{prompt}");
    assert!(prompt.contains("// Where it is.\n") && prompt.contains("  // The place.\n"), "{prompt}");
    assert!(prompt.contains("\"file:///x\""), "{prompt}");
}

#[test]
fn prompts_of_imports_use_the_names_given_by_the_import() {
    let schema = "{\"title\": \"List\", \"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/Item\"}}, \
        \"$defs\": {\"Item\": {\"type\": \"string\", \"pattern\": \"^[a-z]+$\"}}}";
    let format = "import root as Mine, Item as One from \"a.schema.json\"\nimport Base as B from \"b.ogc\"\n\
        output Out = \"x\" first: (Mine & { a: One, ... }) json<B>\n";
    let folder = Folder::with(&[("a.schema.json", schema), ("a.ogc", format), ("b.ogc", "type Base = { b: int }\n")]);
    let ran = folder.run(&["export", "a.ogc", "--to", "prompt"]);
    assert!(ran.out.contains("(List & { a: Item, ... }) json<Base>"), "{ran:?}");
    assert!(ran.out.contains("type List = ") && ran.out.contains("type Base = "), "{ran:?}");
    for said in ["`A & B` is what is in both", "the name is not written", "`/.../` is a text"] {
        assert!(ran.out.contains(said), "{said}: {ran:?}");
    }
    assert!(!ran.out.contains("`text` is free text"), "{ran:?}");
}

#[test]
fn files_without_outputs_say_that_nothing_is_built() {
    let folder = Folder::with(&[("a.ogc", "type A = int\n")]);
    let ran = folder.run(&["build", "a.ogc", "--no-masks"]);
    assert!(ran.code == 0 && ran.out.contains("no outputs"), "{ran:?}");
}

#[test]
fn an_import_report_marks_failing_keywords_and_counts_findings() {
    let failing = r#"{"type": "array", "items": {"type": "number"}, "uniqueItems": true, "minItems": 500}"#;
    let slip = r#"{"type": "string", "maxLenght": 5, "format": "email"}"#;
    let folder = Folder::with(&[("a.json", failing), ("b.json", slip)]);
    let ran = folder.run(&["import", "a.json", "--report"]);
    let fate =
        |key: &str| ran.out.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap_or_default().to_owned();
    assert!(fate("/uniqueItems").contains(" error "), "{ran:?}");
    assert!(fate("/items/type").contains(" enforced"), "{ran:?}");
    assert!(ran.code == 1 && ran.out.contains("0 warnings, 1 error"), "{ran:?}");
    let ran = folder.run(&["import", "b.json"]);
    assert!(ran.code == 0 && ran.err.contains("did you mean `maxLength`?"), "{ran:?}");
    let shown = ran.err.matches("Warning").count();
    assert!(shown > 0 && ran.out.contains(&format!("{shown} warning")), "{ran:?}");
}

#[test]
fn an_import_report_tells_keywords_that_do_not_constrain() {
    let schema = r#"{"properties": {"a": {"pattern": "(a)\\1"}, "b": {"then": false}, "c": {"minContains": 2},
        "d": {"pattern": "(", "type": "string"}, "e": {"title": "E", "pattern": "a"}}}"#;
    let folder = Folder::with(&[("a.schema.json", schema)]);
    let ran = folder.run(&["import", "a.schema.json", "--report"]);
    let fate = |key: &str| {
        let place = format!("/properties/{key} ");
        let fate = ran.out.lines().find_map(|line| line.strip_prefix(&place)?.split_whitespace().next());
        fate.unwrap_or_else(|| panic!("no line of {place}: {ran:?}"))
    };
    let expected = [
        ("a/pattern", "error"),
        ("b/then", "warning"),
        ("c/minContains", "warning"),
        ("d/pattern", "error"),
        ("d/type", "enforced"),
        ("e/pattern", "enforced"),
        ("e/title", "annotation"),
    ];
    for (key, wanted) in expected {
        assert_eq!(fate(key), wanted, "{key}: {ran:?}");
    }
    assert!(ran.out.contains("3 keywords enforced, 1 annotation, 2 warnings, 2 errors"), "{ran:?}");
}

#[test]
fn an_import_report_names_keywords_that_policies_weaken() {
    let list = r#"{"title": "List", "type": "array", "items": {"type": "number"}, "uniqueItems": true}"#;
    let format = "@annotate(\"uniqueItems\")\nimport List from \"list.json\"\noutput Out = List\n";
    let folder = Folder::with(&[("list.json", list), ("a.ogc", format), ("b.ogc", "output Out = int\n")]);
    let ran = folder.run(&["import", "a.ogc", "--report"]);
    let fate = |key: &str| ran.out.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap_or_default();
    let weakened = fate("list.json#/uniqueItems");
    assert!(weakened.contains(" warning ") && weakened.contains("is read as an annotation"), "{ran:?}");
    assert!(fate("list.json#/items/type").contains(" enforced"), "{ran:?}");
    assert!(ran.code == 0 && ran.out.contains("1 warning, 0 errors"), "{ran:?}");
    assert!(ran.err.contains("weakened-keyword"), "{ran:?}");
    assert!(folder.run(&["import", "b.ogc"]).err.contains("and `.ogc` files that import schemas"));
    assert!(folder.run(&["fmt", "--check", "a.ogc"]).code == 0);
}

#[test]
fn prompts_explain_only_constructs_that_occur() {
    let schema = r##"{"$defs": {"A": {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}},
        "required": ["at"], "additionalProperties": false}, "B": {"type": "object"}}}"##;
    let format = "import A from \"a.schema.json\"\noutput Out = { a: A, x: \"a ... b | c\" }\n";
    let folder = Folder::with(&[("a.schema.json", schema), ("a.ogc", format)]);
    let prompt = folder.run(&["export", "a.ogc", "--to", "prompt"]).out;
    assert!(
        prompt.contains("type A = { at: rfc_datetime }") && prompt.contains("`rfc_datetime` is a string such as"),
        "{prompt}"
    );
    for absent in ["Root", "type B", "`...`", "either"] {
        assert!(!prompt.contains(absent), "{absent}: {prompt}");
    }
}

#[test]
fn schemas_exported_to_ogc_keep_their_policies() {
    let geo = r#"{"type": "object", "required": ["type", "coordinates"], "additionalProperties": false, "properties": {
        "type": {"const": "Point"}, "coordinates": {"type": "array", "items": {"type": "number"}, "maxItems": 3}}}"#;
    let nested = r##"{"type": "object", "properties": {"next": {"type": "object", "additionalProperties": {"type": "integer"}}, "n": {"type": ["integer", "null"]}},
        "additionalProperties": {"type": "string"}}"##;
    let folder = Folder::with(&[("geo.schema.json", geo), ("nested.schema.json", nested)]);
    let texts = [
        ("geo", r#"{"type": "Point", "coordinates": [1, 2]}"#),
        ("geo", "{ \"type\" :\"Point\",\n\"coordinates\":[1.50,-0,2e+5]}"),
        ("nested", "{\"next\": {\"n\" : 1.0}, \"other\":\"\\u00e9\"}"),
        ("geo", "{\"coordinates\": [], \"type\": \"Point\"}"),
        ("geo", "{\n  \"type\": \"Point\",\n  \"coordinates\": [\n    1\n  ]\n}"),
        ("geo", r#"{"type":"Point","coordinates":[1e0]}"#),
    ];
    for flags in [
        &[] as &[&str],
        &["--space", "compact", "--numbers", "plain"],
        &["--space", "spaced", "--order", "any", "--escapes", "canonical"],
        &["--space", "pretty"],
    ] {
        for name in ["geo", "nested"] {
            let source = format!("{name}.schema.json");
            let file = format!("{name}.ogc");
            let ran = folder.run(&[&["export", &source, "--to", "ogc", "-o", &file], flags].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
            for (_, text) in texts.iter().filter(|(of, _)| *of == name) {
                // The file keeps the declared order of its schema, while `run` on a schema accepts any order.
                let order: &[&str] = if flags.contains(&"--order") { &[] } else { &["--order", "declared"] };
                let before = folder.run(&[&["run", &source, text], flags, order].concat()).code;
                assert_eq!(folder.run(&["run", &file, text]).code, before, "{text} {flags:?}: {}", folder.read(&file));
            }
            let samples = folder.run(&[&["sample", &source, "-n", "10"], flags].concat());
            for text in samples.out.lines().filter(|_| flags.contains(&"compact") || flags.contains(&"spaced")) {
                assert_eq!(folder.run(&["run", &file, text]).code, 0, "{text} {flags:?}: {}", folder.read(&file));
            }
        }
    }
    assert_eq!(folder.run(&["run", "geo.schema.json", texts[0].1]).code, 0);
    folder.run(&["export", "geo.schema.json", "--to", "ogc", "-o", "geo.ogc"]);
    assert!(folder.read("geo.ogc").starts_with("policy space = \"any\", numbers = \"printed\"\n"));
    assert_eq!(folder.run(&["run", "geo.ogc", texts[0].1]).code, 0);
}

#[test]
fn regular_formats_export_as_regexes_and_others_say_why_not() {
    let folder = Folder::with(&[
        ("int.schema.json", r#"{"type": "integer"}"#),
        ("seven.schema.json", r#"{"type": "integer", "multipleOf": 7, "minimum": 0, "maximum": 99}"#),
        ("when.ogc", "output A = raw<datetime>\n"),
        ("tree.ogc", "type Leaf = int\ntype Tree = { left: Tree | null }\noutput A = Tree\n"),
        ("tree.gbnf", "root ::= \"x\" inner\ninner ::= \"(\" inner \")\" | [0-9]\n"),
        (
            "tree.schema.json",
            "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/$defs/t\"}}, \"additionalProperties\": false,\n\"$defs\": {\"t\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/t\"}}}}",
        ),
        ("wide.ogc", "type Wide = { a: int<multiple_of = 77> }\noutput A = Wide\n"),
    ]);
    for (file, yes, no) in [
        ("int.schema.json", "-12e3", "01"),
        ("seven.schema.json", "49", "50"),
        ("when.ogc", "2024-02-29T12:00:00Z", "2023-02-29T12:00:00Z"),
    ] {
        let ran = folder.run(&["export", file, "--to", "regex", "-o", "out.regex"]);
        assert_eq!(ran.code, 0, "{file}: {ran:?}");
        assert_eq!(folder.run(&["run", "out.regex", yes]).code, 0, "{file}");
        assert_eq!(folder.run(&["run", "out.regex", no]).code, 1, "{file}");
    }
    for (file, message, place) in [
        ("tree.ogc", "`Tree` may stand inside itself to any depth", "tree.ogc:2:"),
        ("tree.gbnf", "`inner` may stand inside itself to any depth", "tree.gbnf:2:"),
        ("tree.schema.json", "this may stand inside itself to any depth", "tree.schema.json:2:"),
        ("wide.ogc", "too large as a regex", "wide.ogc:1:"),
    ] {
        let ran = folder.run(&["export", file, "--to", "regex"]);
        assert!(ran.code == 1 && ran.err.contains(message) && ran.err.contains(place), "{file}: {ran:?}");
    }
}
