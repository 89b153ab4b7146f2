//! Tests of the items that are listed in each context, and of places without any.

use super::{check, has, items, lacks};
use crate::completion::completion;
use crate::fixture::Fixture;

#[test]
fn item_keywords_are_listed_at_the_beginning_of_lines() {
    has("$0", &["type", "rule", "output", "import", "test", "policy", "type … = { … }"]);
    has("ty$0", &["type"]);
    has("type A = int\n$0", &["type"]);
    has("type A = int\nru$0\ntype B = int", &["rule"]);
    has("rule a = \"x\"\nou$0", &["output"]);
    has("import A from \"b.ogc\"\n$0", &["output"]);
    has("test A {\n}\n$0", &["output"]);
    has("@title(\"x\")\n$0", &["type"]);
    has("/// Docs.\nty$0", &["type"]);
    check("export t$0", &[]);
}

#[test]
fn value_definitions_and_parameters_are_listed_in_types() {
    let file = "type A = int\nrule r = \"x\"\n";
    has(&format!("{file}type B<T> = $0"), &["A", "B", "T", "int", "int<…>", "map<…>", "true", "null"]);
    lacks(&format!("{file}type B<T> = $0"), &["r", "text", "json<…>"]);
    has(&format!("{file}type B = {{ x: $0"), &["A"]);
    has(&format!("{file}type B = {{ x: in$0, y: int }}"), &["A", "int"]);
    has(&format!("{file}type B = A | $0"), &["A"]);
    has(&format!("{file}type B = A - $0"), &["A"]);
    has(&format!("{file}type B = ($0"), &["A"]);
    has(&format!("{file}type B = {{ [$0"), &["A"]);
    has(&format!("{file}type P<T> = T\ntype B = P<$0"), &["A", "T ="]);
    check(&format!("{file}type B<max> = A[0..$0"), &["max"]);
    check(&format!("{file}type B<max> = int<$0"), &["above =", "below =", "max", "multiple_of ="]);
}

#[test]
fn text_and_value_definitions_are_listed_in_rules() {
    let file = "type A = int\nrule r = \"x\"\n";
    has(&format!("{file}rule s = $0"), &["A", "r", "text", "json<…>", "int"]);
    has(&format!("{file}rule s = \"x\" $0"), &["A", "r"]);
    has(&format!("{file}rule s = \"x\"\n  $0"), &["A", "r"]);
    has(&format!("{file}rule s = name: $0"), &["A", "r"]);
    has(&format!("{file}rule s = (r % $0"), &["A", "r"]);
    has(&format!("{file}output O = r $0"), &["A", "r"]);
    lacks(&format!("{file}rule s = json<$0"), &["r", "text"]);
    lacks(&format!("{file}rule s = {{ x: $0"), &["r", "text"]);
    has(&format!("{file}rule s = mix<text, $0"), &["r", "calls ="]);
    let built_in = items("rule s = $0").into_iter().find(|item| item.label == "text").map(|item| item.sort);
    let value = items("rule s = $0").into_iter().find(|item| item.label == "int").map(|item| item.sort);
    assert!(built_in < value, "texts stand before values");
}

#[test]
fn nothing_is_listed_in_comments_strings_and_numbers() {
    for text in [
        "// $0",
        "/// a$0",
        "type A = int // $0",
        "type A = \"$0\"",
        "type A = \"a$0",
        "type A = 1$0",
        "type A = /a$0/",
        "type A = int<1..$0>  // no parameter",
        "type $0",
        "type A$0 = int",
        "type A$0",
        "type A<$0",
        "type A = int $0",
        "type A = int$0[",
        "rule a = \"x\"$0",
        "rule a = tok$0\"x\"",
        "test A {\n accept \"$0\"\n}",
        "test A {\n accept \"\" because \"$0\"\n}",
        "type A = x.y.$0",
        "import A as $0",
        "@title(\"$0\")\ntype A = int",
        "policy space $0",
    ] {
        let found = items(text);
        let labels: Vec<&str> = found.iter().map(|item| item.label.as_str()).filter(|label| *label != "A").collect();
        assert!(labels.is_empty() || text.contains("int$0["), "{labels:?} at {text}");
    }
}

#[test]
fn fields_of_a_joined_or_spread_record_are_listed() {
    let file = "type A = { id: int, note?: string, of: { x: int, y: int } }\n";
    check(&format!("{file}type B = A & {{ $0 }}"), &["id", "note", "of", "..."]);
    check(&format!("{file}type B = A & {{ id: int, $0 }}"), &["note", "of", "..."]);
    check(&format!("{file}type B = A & {{ of: {{ $0 }} }}"), &["x", "y", "..."]);
    check(&format!("{file}type B = A & {{ of?: {{ x: int, $0"), &["y", "..."]);
    check(&format!("{file}type B = {{ ...A, $0 }}"), &["id", "note", "of", "..."]);
    check(&format!("{file}type B = {{ ...A, note: null, $0 }}"), &["id", "of", "..."]);
    check(&format!("{file}type B = {{ $0 }}"), &["..."]);
    check(&format!("{file}type B = {{ a: int\n  $0 }}"), &["..."]);
    has(&format!("{file}type B = A & $0"), &["{ id: …, ... }", "{ …, ... }", "A"]);
    let page = "type Page<T> = { items: T[0..9] }\ntype C = { c: int }\n";
    check(&format!("{page}type B = Page<C> & {{ $0"), &["items", "..."]);
}

#[test]
fn records_can_be_spread() {
    let file = "type A = { id: int }\ntype S = string\ntype D = A\nrule r = \"x\"\n";
    check(&format!("{file}type B = {{ ...$0 }}"), &["A", "D"]);
    check(&format!("{file}type B = {{ x: int, ...A$0 }}"), &["A", "D"]);
}

#[test]
fn only_attributes_valid_at_the_position_are_listed() {
    has("@$0\ntype A = int", &["title", "discriminator", "budget", "space"]);
    has("@$0", &["skip", "discriminator"]);
    has("type A = int\n@d$0\nrule b = \"x\"", &["deprecated", "skip"]);
    lacks("@$0\nrule a = \"x\"", &["discriminator"]);
    lacks("@$0\ntype A = int", &["skip"]);
    lacks("@s$0(\"x\")\ntest A { }", &["skip", "title"]);
    has("@$0\nimport A from \"a.ogc\"", &["allow"]);
    has("type A = { @$0 x: int }", &["title", "default", "space"]);
    lacks("type A = { @$0 x: int }", &["allow", "budget"]);
    has("type A = { x: @$0 int }", &["space"]);
    lacks("type A = { x: @$0 int }", &["title"]);
    has("type A = int | @$0", &["title", "deprecated"]);
    has("@allow(\"x\") @$0\ntype A = int", &["title"]);
    has("@$0\nimport \"a.json\" as a", &["annotate", "formats", "objects", "allow"]);
    lacks("@$0\nimport \"a.json\" as a", &["space", "title"]);
    lacks("@$0\ntype A = int", &["objects"]);
    check("test A { accept @$0 }", &[]);
}

#[test]
fn attribute_arguments_list_codes_keys_and_values() {
    has("@allow(\"$0\")\ntype A = int", &["unused-item", "wide-record"]);
    lacks("@allow(\"$0\")\ntype A = int", &["unknown-name"]);
    lacks("@allow(\"unused-item\", \"$0\")\ntype A = int", &["unused-item"]);
    has("@deny($0)\ntype A = int", &["unused-item"]);
    has("@allow(\"$0\ntype A = int", &["unused-item"]);
    check("@discriminator(\"$0\")\ntype A = { k: \"a\", x: int } | { k: \"b\", x: int }", &["k"]);
    check("@space(\"$0\")\ntype A = int", &["compact", "spaced", "pretty", "any", "JSON.stringify", "json.dumps"]);
    check("@tokens(\"$0\")\noutput A = int", &["any", "canonical"]);
    has("@$0\noutput A = int", &["tokens", "space"]);
    lacks("@$0\ntype A = int", &["tokens"]);
    lacks("output A = json<int, $0>", &["tokens"]);
    lacks("output A = raw<int, $0>", &["tokens"]);
    has("policy $0", &["tokens"]);
    check("@unique_keys($0)\ntype A = int", &["true", "false"]);
    check("@objects(\"$0\")\nimport \"a.json\" as a", &["open", "closed"]);
    has("@annotate(\"$0\")\nimport \"a.json\" as a", &["uniqueItems", "minItems"]);
    lacks("@annotate(\"$0\")\nimport \"a.json\" as a", &["$ref", "properties"]);
    check("@budget($0)\ntype A = int", &["build", "mask", "states"]);
    check("@budget(states = 5, $0)\ntype A = int", &["build", "mask"]);
    check("@nothing($0)\ntype A = int", &[]);
}

#[test]
fn policy_names_and_values_are_listed() {
    has("policy $0", &["space", "order", "states", "objects", "annotate"]);
    has("policy formats = $0", &["\"practical\""]);
    lacks("output A = json<int, $0>", &["objects"]);
    lacks("policy space = \"any\", $0", &["space"]);
    check("policy order = \"$0\"", &["declared", "any"]);
    check("policy order = \"$0", &["declared", "any"]);
    check("policy order = $0", &["\"declared\"", "\"any\""]);
    check("policy space = \"any\", order = \"$0\"", &["declared", "any"]);
    check("policy depth = \"$0\"", &[]);
    has("output O = json<int, $0>", &["space", "depth"]);
    lacks("output O = json<int, $0>", &["states"]);
    check("output O = json<int, order = \"$0\">", &["declared", "any"]);
}

const FILES: &str = "//- schema.json\n{\"$defs\":{\"Part\":{\"type\":\"object\",\"properties\":{\"p\":{}}},\"odd-name\":{}}}\n//- parts.ogc\ntype Link = { href: uri }\nrule word = /[a-z]+/\n//- g.gbnf\nroot ::= item\nitem ::= \"a\"\n//- a.ogc\n";

#[test]
fn imports_list_files_and_their_definitions() {
    check(&format!("{FILES}import A from \"$0\""), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import A from \"sch$0"), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import A from $0"), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import \"$0\" as x"), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import {{ from \"$0\""), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import $0 from \"parts.ogc\""), &["Link", "word"]);
    check(&format!("{FILES}import Link, $0 from \"parts.ogc\""), &["word"]);
    check(&format!("{FILES}import $0 from \"schema.json\""), &["Part", "odd-name", "root"]);
    check(
        &format!("{FILES}import \"$0\" as x from \"schema.json\""),
        &["g.gbnf", "parts.ogc", "schema.json", "std.tools"],
    );
    check(&format!("{FILES}import $0 from \"g.gbnf\""), &["item", "root"]);
    has(&format!("{FILES}import $0 from \"std.tools\""), &["hermes"]);
    has(&format!("{FILES}import $0"), &["Link", "Part", "word", "item"]);
    check(&format!("{FILES}import A $0"), &["from", "as"]);
    check(&format!("{FILES}import \"g.gbnf\" $0"), &["as"]);
    check(&format!("{FILES}import A from \"g.gbnf\" $0"), &["with"]);
    check(&format!("{FILES}import \"g.gbnf\" as g with {{ $0 }}"), &["item", "root"]);
    check(&format!("{FILES}import A from \"http$0://x\" as b"), &["g.gbnf", "parts.ogc", "schema.json", "std.tools"]);
    check(&format!("{FILES}import \"none.ogc\" as n with {{ $0 }}"), &[]);
}

#[test]
fn definitions_of_a_module_are_listed() {
    check(&format!("{FILES}import \"parts.ogc\" as parts\ntype A = parts.$0"), &["Link"]);
    check(&format!("{FILES}import \"parts.ogc\" as parts\nrule a = parts.$0"), &["Link", "word"]);
    check(&format!("{FILES}import \"schema.json\" as s\ntype A = s.Pa$0"), &["Part", "odd-name", "root"]);
    check(&format!("{FILES}import \"schema.json\" as s\ntype A = s.\"$0\""), &["Part", "odd-name", "root"]);
    check(&format!("{FILES}type A = int.$0"), &[]);
    check(&format!("{FILES}type A = none.$0"), &[]);
}

#[test]
fn names_of_other_files_can_be_imported() {
    has(&format!("{FILES}type A = $0"), &["Link", "Part"]);
    lacks(&format!("{FILES}type A = $0"), &["word", "item", "root", "odd-name"]);
    has(&format!("{FILES}rule a = $0"), &["word", "item"]);
    has(&format!("{FILES}type A = {{ ...$0 }}"), &["Link", "Part"]);
}

#[test]
fn test_items_list_targets_keywords_fields_and_captures() {
    let file = "type Point = { x: int, kind: \"a\" | \"b\", of?: Point[0..2], on: bool }\ntype G<T> = T\n";
    check(&format!("{file}test $0"), &["Point"]);
    check(&format!("{file}test Point {{\n  $0\n}}"), &["accept", "reject"]);
    check(&format!("{file}test Point {{\n  accept \"\"\n  $0\n}}"), &["because", "with", "accept", "reject"]);
    check(&format!("{file}test Point {{\n  accept \"\" because \"x\"\n  $0\n}}"), &["accept", "reject"]);
    check(&format!("{file}test Point {{\n  accept {{ $0 }}\n}}"), &["x", "kind", "of", "on"]);
    check(&format!("{file}test Point {{\n  accept {{ x: 1, $0\n}}"), &["kind", "of", "on"]);
    check(&format!("{file}test Point {{\n  accept {{ \"$0\": 1 }}\n}}"), &["x", "kind", "of", "on"]);
    check(&format!("{file}test Point {{\n  accept {{ kind: $0 }}\n}}"), &["\"a\"", "\"b\""]);
    check(&format!("{file}test Point {{\n  accept {{ kind: \"$0\" }}\n}}"), &["a", "b"]);
    check(&format!("{file}test Point {{\n  accept {{ on: $0 }}\n}}"), &["true", "false"]);
    check(&format!("{file}test Point {{\n  accept {{ of: [{{ $0 }}] }}\n}}"), &["x", "kind", "of", "on"]);
    check(&format!("{file}test Point {{\n  accept {{ of: $0 }}\n}}"), &["[…]"]);
    check(&format!("{file}test Point {{\n  accept $0\n}}"), &["{ … }", "'…'"]);
    check(&format!("{file}test None {{\n  accept {{ $0 }}\n}}"), &[]);
    check(&format!("{file}test G {{ accept {{ x $0"), &[]);
}

#[test]
fn fields_of_imported_schemas_are_known() {
    check(&format!("{FILES}import Part from \"schema.json\"\ntype A = Part & {{ $0 }}"), &["p", "..."]);
    check(&format!("{FILES}import \"schema.json\" as s\ntype A = s.Part & {{ $0 }}"), &["p", "..."]);
    check(&format!("{FILES}import Part from \"schema.json\"\ntype A = Part\ntest A {{ accept {{ $0 }} }}"), &["p"]);
}

#[test]
fn tool_lists_are_listed_as_arguments_of_any_tool() {
    let file = "//- tools.json\n[{\"name\":\"now\",\"parameters\":{\"type\":\"object\"}}]\n//- a.ogc\nimport tools from \"tools.json\"\nrule line<name, Args> = name json<Args>\nrule one<x> = x\n";
    check(&format!("{file}output O = any_tool<$0"), &["tools"]);
    check(&format!("{file}output O = any_tool<tools, $0"), &["line"]);
    check(&format!("{file}output O = json<tools.$0"), &["now"]);
}

#[test]
fn without_a_vocabulary_there_are_no_tokens() {
    check("rule a = tok\"$0\"", &[]);
    check("rule a = tok\"<$0", &[]);
}

#[test]
fn rules_are_listed_in_grammars() {
    let file = |name: &str, text: &str| format!("//- {name}\n{text}");
    check(&file("g.gbnf", "root ::= it$0\nitem ::= \"a\"\n"), &["root", "item"]);
    check(&file("g.gbnf", "root ::= \"it$0\"\nitem ::= \"a\"\n"), &[]);
    check(&file("g.gbnf", "root ::= [it$0]\nitem ::= \"a\"\n"), &[]);
    check(&file("g.gbnf", "# it$0\nitem ::= \"a\"\n"), &[]);
    check(&file("g.gbnf", "ro$0 ::= item\nitem ::= \"a\"\n"), &[]);
    check(&file("g.lark", "start: $0\nitem: \"a\"\nWORD: /a/\n"), &["start", "item", "WORD"]);
    check(&file("g.lark", "start: item\n  | $0\nitem: \"a\"\n"), &["start", "item"]);
    check(&file("g.lark", "start: /it$0/\nitem: \"a\"\n"), &[]);
    check(&file("g.ebnf", "start = $0 ;\nitem = \"a\" ;\n"), &["start", "item"]);
    check(&file("g.ebnf", "(* it$0 *)\nitem = \"a\" ;\n"), &[]);
    check(&file("g.regex", "a$0"), &[]);
}

#[test]
fn keywords_and_values_are_listed_in_schemas() {
    let file = |text: &str| format!("//- s.json\n{text}");
    has(&file("{$0}"), &["type", "properties", "$defs"]);
    has(&file("{\"$0\"}"), &["type"]);
    has(&file("{\"ty$0"), &["type"]);
    lacks(&file("{\"type\":\"object\",\"$0\"}"), &["type"]);
    has(&file("{\"properties\":{\"a\":{$0}}}"), &["type"]);
    has(&file("{\"anyOf\":[{$0}]}"), &["type"]);
    has(&file("{\"items\":{\"$0"), &["type"]);
    check(&file("{\"properties\":{$0}}"), &[]);
    check(&file("{\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{},\"$0\"}}"), &["b"]);
    check(&file("{\"required\":[\"a\"],\"$defs\":{$0}}"), &[]);
    check(&file("{\"dependentRequired\":{\"$0\"},\"properties\":{\"a\":{},\"b\":{}}}"), &["a", "b"]);
    check(&file("{\"dependentRequired\":{\"a\":[\"$0\"]},\"properties\":{\"a\":{},\"b\":{}}}"), &["a", "b"]);
    check(&file("{\"dependencies\":{\"a\":[\"b\",\"$0\"]},\"properties\":{\"a\":{},\"b\":{}}}"), &["a"]);
    check(&file("{\"enum\":[{$0}]}"), &[]);
    check(&file("{\"type\":\"$0\"}"), &["string", "integer", "number", "boolean", "object", "array", "null"]);
    check(&file("{\"type\":[\"string\",\"$0\"]}"), &["integer", "number", "boolean", "object", "array", "null"]);
    check(&file("{\"$ref\":\"$0\",\"$defs\":{\"A\":{},\"b/c\":{}}}"), &["#/$defs/A", "#/$defs/b~1c", "#"]);
    let anchors = "\"$defs\":{\"A\":{\"$anchor\":\"a\"},\"B\":{\"items\":{\"$dynamicAnchor\":\"b\"}}}}";
    check(&file(&format!("{{\"$ref\":$0,{anchors}")), &["#/$defs/A", "#/$defs/B", "#a", "#b", "#"]);
    check(&file(&format!("{{\"$dynamicRef\":\"$0\",{anchors}")), &["#b", "#a", "#/$defs/A", "#/$defs/B", "#"]);
    has(&file("{\"format\":\"$0\"}"), &["date-time", "uuid"]);
    check(&file("{\"properties\":{\"a\":{},\"b\":{}},\"required\":[\"a\",\"$0\"]}"), &["b"]);
    check(&file("{\"required\":[$0],\"properties\":{\"a\":{}}}"), &["a"]);
    check(&file("{\"description\":\"$0\"}"), &[]);
    check(&file("{\"uniqueItems\":$0}"), &["true", "false"]);
    has(&file("[{\"name\":\"x\",\"parameters\":{$0}}]"), &["properties"]);
    check(&file("[{$0}]"), &[]);
    has(&file("{\"tools\":[{\"function\":{\"parameters\":{$0}}}]}"), &["properties"]);
}

#[test]
fn schema_references_list_definitions_of_other_schemas() {
    let others = "//- x/o.json\n{\"$defs\":{\"P/q\":{}},\"definitions\":{\"R\":{}}}\n//- t.json\n[{\"name\":\"now\"}]\n//- g.gbnf\nroot ::= \"a\"\n//- s.json\n";
    let all = ["#", "x/o.json", "x/o.json#/$defs/P~1q", "x/o.json#/definitions/R"];
    check(&format!("{others}{{\"$ref\":\"$0\"}}"), &all);
    check(&format!("{others}{{\"$ref\":\"x/o.json#$0\"}}"), &all);
    check(&format!("{others}{{\"$ref\":\"https://$0\"}}"), &["#"]);
    check(&format!("{others}{{\"$dynamicRef\":\"$0\"}}"), &["#"]);
}

#[test]
fn trigger_characters_complete_only_in_fitting_positions() {
    let asked = |text: &str, typed| {
        let fixture = Fixture::new(text);
        !completion(&fixture.snapshot, fixture.cursor(), Some(typed)).items.is_empty()
    };
    assert!(asked("policy order = \"$0\"", '"'));
    assert!(!asked("rule a = \"x\" $0", '"'));
    assert!(asked("type A = int\ntype B = A & $0", '&'));
    assert!(!asked("rule a = \"x\" /$0", '/'));
}
