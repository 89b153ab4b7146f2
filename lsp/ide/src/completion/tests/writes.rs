//! Tests of the text that items write: snippets, quotes, imports.

use super::writes;

#[test]
fn completing_a_generic_definition_inserts_parameter_placeholders() {
    let file = "type Page<T, max = 5> = T[0..max]\n";
    writes(&format!("{file}type A = Pa$0"), "Page", &format!("{file}type A = Page<${{1:T}}>"));
    writes(&format!("{file}type A = Pa$0<int>"), "Page", &format!("{file}type A = Page<int>"));
    writes("type A = $0", "map<…>", "type A = map<${1:string}, ${2:string}>");
    writes("type A = in$0", "int", "type A = int");
    writes("type A = in$0", "int<…>", "type A = int<${1:1..100}>");
    writes("type A = in$0<1..2>", "int", "type A = int<1..2>");
    writes("rule a = tex$0", "text<…>", "rule a = text<max_tokens = ${1:100}>");
    writes("rule a = mix<text, \"a\", $0>", "calls =", "rule a = mix<text, \"a\", calls = >");
}

#[test]
fn words_are_replaced_as_a_whole() {
    writes("type Abc = int\ntype B = A$0bd", "Abc", "type Abc = int\ntype B = Abc");
    writes("type Abc = int\ntype B = { x: A$0 }", "Abc", "type Abc = int\ntype B = { x: Abc }");
}

#[test]
fn completion_adds_missing_quotes() {
    writes("policy order = \"$0\"", "any", "policy order = \"any\"");
    writes("policy order = \"$0", "any", "policy order = \"any\"");
    writes("policy order = $0", "\"any\"", "policy order = \"any\"");
    writes("@allow($0)\ntype A = int", "unused-item", "@allow(\"unused-item\")\ntype A = int");
    writes("@allow('$0\ntype A = int", "unused-item", "@allow('unused-item'\ntype A = int");
    let schema = "//- s.json\n{\"$defs\":{\"odd-name\":{}}}\n//- a.ogc\n";
    writes(
        &format!("{schema}import \"s.json\" as s\ntype A = s.$0"),
        "odd-name",
        "import \"s.json\" as s\ntype A = s.\"odd-name\"",
    );
    writes(
        &format!("{schema}import $0 from \"s.json\""),
        "odd-name",
        "import \"odd-name\" as ${1:odd_name} from \"s.json\"",
    );
    writes(&format!("{schema}import A from $0"), "s.json", "import A from \"s.json\"");
}

#[test]
fn completing_a_name_of_another_file_adds_the_import() {
    let other = "//- x/b.ogc\ntype B = int\ntype C<T> = T\n//- a.ogc\n";
    writes(&format!("{other}type A = $0"), "B", "import B from \"x/b.ogc\"\n\ntype A = B");
    writes(
        &format!("{other}// Head.\n\n/// Docs.\ntype A = $0"),
        "B",
        "// Head.\n\nimport B from \"x/b.ogc\"\n\n/// Docs.\ntype A = B",
    );
    let import = "import \"x.gbnf\" as x\n";
    writes(
        &format!("{other}{import}\ntype A = $0"),
        "B",
        "import \"x.gbnf\" as x\nimport B from \"x/b.ogc\"\n\ntype A = B",
    );
    writes(
        &format!("{other}import B from \"x/b.ogc\"\ntype A = $0"),
        "C",
        "import B, C from \"x/b.ogc\"\ntype A = C<${1:T}>",
    );
    writes(
        &format!("{other}import B as D from \"x/b.ogc\"\ntype A = $0"),
        "C",
        "import B as D, C from \"x/b.ogc\"\ntype A = C<${1:T}>",
    );
    writes(&format!("{other}import \"x/b.ogc\" as b\ntype A = $0"), "B", "import \"x/b.ogc\" as b\ntype A = b.B");
}

#[test]
fn completing_a_field_adds_a_colon_unless_there_is_one() {
    let file = "type A = { id: int, note?: string, \"odd key\": int }\n";
    writes(&format!("{file}type B = A & {{ i$0 }}"), "id", &format!("{file}type B = A & {{ id:  }}"));
    writes(&format!("{file}type B = A & {{ n$0: int }}"), "note", &format!("{file}type B = A & {{ note: int }}"));
    writes(&format!("{file}type B = A & {{ $0 }}"), "odd key", &format!("{file}type B = A & {{ \"odd key\":  }}"));
    writes(
        &format!("{file}type B = A & $0"),
        "{ note: …, ... }",
        &format!("{file}type B = A & {{ note?: $1, ... }}").replace(" }}", " }"),
    );
}

#[test]
fn completing_an_attribute_inserts_its_arguments() {
    writes("@al$0\ntype A = int", "allow", "@allow(\"$1\")\ntype A = int");
    writes("@al$0(\"x\")\ntype A = int", "allow", "@allow(\"x\")\ntype A = int");
    writes("@$0\ntype A = int", "deprecated", "@deprecated\ntype A = int");
    writes("@$0\ntype A = int", "order", "@order(${1|\"declared\",\"any\"|})\ntype A = int");
}

#[test]
fn completing_a_schema_keyword_inserts_its_value() {
    writes("//- s.json\n{$0}", "type", "{\"type\": \"$1\"}");
    writes("//- s.json\n{\"$0\"}", "type", "{\"type\"}");
    writes("//- s.json\n{\"ty$0\": 1}", "type", "{\"type\": 1}");
    let required = "//- s.json\n{\"required\": [\"a\"], \"properties\": {";
    writes(&format!("{required}$0}}}}"), "a", "{\"required\": [\"a\"], \"properties\": {\"a\": { $1 \\}}}");
    writes(&format!("{required}\"$0\": 1}}}}"), "a", "{\"required\": [\"a\"], \"properties\": {\"a\": 1}}");
    writes(
        "//- s.json\n{\"$ref\": $0, \"$defs\": {\"A\": {}}}",
        "#/$defs/A",
        "{\"$ref\": \"#/$defs/A\", \"$defs\": {\"A\": {}}}",
    );
    writes(
        "//- s.json\n{\"properties\": {\"a\": {}, \"b\": {}}, \"required\": $0}",
        "[…]",
        "{\"properties\": {\"a\": {}, \"b\": {}}, \"required\": [\"a\", \"b\"]}",
    );
}
