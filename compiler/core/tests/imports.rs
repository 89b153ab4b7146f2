//! Imported schemas in `.ogc` files: spreading a schema gives the same record as writing its members.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::{Automaton, RuleId};

use crate::grammar::simulator::accepts;

/// Compiles `main.ogc` next to a schema `s.json`: returns its findings and its first output.
fn compile(schema: &str, text: &str) -> (Vec<Diagnostic>, Option<Arc<Automaton>>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let main = file("main.ogc", text, Language::Ogc);
    let schema = file("s.json", schema, Language::JsonSchema);
    Workspace::new(&db, BTreeMap::from([("main.ogc".to_owned(), main), ("s.json".to_owned(), schema)]));
    let found = diagnostics(&db, main).to_vec();
    let output = formats(&db, main).into_iter().next().unwrap();
    (found, automaton(&db, output))
}

const IMPORT: &str = "import root as S from \"s.json\"\n";

/// Checks that `{ ...S, MEMBERS }` has the same automaton as the written record.
fn same(schema: &str, members: &str, written: &str) {
    let (found, spread) = compile(schema, &format!("{IMPORT}output O = {{ ...S, {members} }}\n"));
    assert!(!found.iter().any(Diagnostic::is_error), "{schema}: {found:?}");
    let (found, written) = compile("{}", &format!("output O = {written}\n"));
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
    let (spread, written) = (spread.unwrap(), written.unwrap());
    assert_eq!(spread.fingerprint(RuleId(0)), written.fingerprint(RuleId(0)), "{schema} with {members}");
}

#[test]
fn a_spread_schema_equals_the_record_that_it_describes() {
    let closed = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/s",
        "title": "One", "description": "d", "$comment": "c", "type": "object",
        "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"],
        "additionalProperties": false, "$defs": {"X": {"type": "null"}}, "x-more": [1]}"#;
    same(closed, "b: int", "{ a: string, n?: int, b: int }");
    same(closed, "a?: bool", "{ a?: bool, n?: int }");
    let open = r#"{"type": "object", "properties": {"a": {"const": 1}}}"#;
    same(open, "b: int", "{ a?: 1, b: int, ... }");
    let said = r#"{"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": true}"#;
    same(said, "b: int", "{ a?: 1, b: int, ... }");
    let referred = r##"{"$ref": "#/$defs/R", "$defs": {"R": {"type": "object", "properties": {"a": {"$ref": "#/$defs/T"}},
        "required": ["a"], "additionalProperties": false}, "T": {"enum": ["x", "y"]}}}"##;
    same(referred, "b: int", "{ a: \"x\" | \"y\", b: int }");
    let rest = r#"{"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": {"type": "integer"}}"#;
    same(rest, "b: bool", "{ a?: 1, b: bool, [string]: int }");
    let patterns = r#"{"type": "object", "properties": {"x-a": {"enum": [1, "y"]}}, "patternProperties":
        {"^x-": {"type": "string"}}, "additionalProperties": false}"#;
    same(patterns, "b: bool", "{ \"x-a\"?: \"y\", b: bool, [/x-[\\s\\S]*/]: string }");
    same(patterns, "\"x-b\": bool", "{ \"x-a\"?: \"y\", \"x-b\": bool, [/x-[\\s\\S]*/]: string }");
    let required = r#"{"type": "object", "properties": {"a": {"const": 1}}, "required": ["z", "a"],
        "additionalProperties": {"type": "integer"}}"#;
    same(required, "b: bool", "{ a: 1, z: int, b: bool, [string]: int }");
}

#[test]
fn aliases_definitions_and_parameters_are_spread_too() {
    let schema = r#"{"title": "One", "type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": false,
        "$defs": {"Two": {"type": "object", "properties": {"c": {"const": 2}}, "additionalProperties": false}}}"#;
    let expected = compile("{}", "output O = { a?: 1, b: int }\n").1.unwrap().fingerprint(RuleId(0));
    for text in [
        "import One from \"s.json\"\noutput O = { ...One, b: int }\n",
        "import \"s.json\" as m\noutput O = { ...m.root, b: int }\n",
        "import root as S from \"s.json\"\ntype A = S\ntype B = (A)\noutput O = { ...B, b: int }\n",
        "import root as S from \"s.json\"\ntype W<T> = { ...T, b: int }\noutput O = W<S>\n",
    ] {
        let (found, made) = compile(schema, text);
        assert!(!found.iter().any(Diagnostic::is_error), "{text}: {found:?}");
        assert_eq!(made.unwrap().fingerprint(RuleId(0)), expected, "{text}");
    }
    let both = "import One, Two from \"s.json\"\noutput O = { ...Two, x: null, ...One }\n";
    let written = compile("{}", "output O = { c?: 2, x: null, a?: 1 }\n").1.unwrap();
    assert_eq!(compile(schema, both).1.unwrap().fingerprint(RuleId(0)), written.fingerprint(RuleId(0)));
}

#[test]
fn an_error_names_the_keyword_that_prevents_spreading_a_schema() {
    for (schema, keyword) in [
        ("{\"type\": \"object\",\n\"anyOf\": [{\"required\": [\"a\"]}]}", "`anyOf`"),
        ("{\"type\": \"object\",\n\"minProperties\": 1}", "`minProperties`"),
        ("{\"type\": \"object\",\n\"propertyNames\": {\"maxLength\": 3}}", "`propertyNames`"),
        ("{\"type\": \"object\",\n\"not\": {\"required\": [\"a\"]}}", "`not`"),
        ("{\"properties\": {},\n\"type\": [\"object\", \"null\"]}", "`type`"),
    ] {
        let (found, _) = compile(schema, &format!("{IMPORT}type T = {{ ...S, b: int }}\noutput O = T\n"));
        let errors: Vec<&Diagnostic> = found.iter().filter(|one| one.is_error()).collect();
        assert_eq!(errors.len(), 1, "{schema}: {errors:?}");
        assert_eq!(errors[0].code, Code::NotARecord);
        assert!(errors[0].message.contains(keyword), "{}", errors[0].message);
        assert!(errors[0].message.contains("line 2 of `s.json`"), "{}", errors[0].message);
    }
    let (found, _) = compile(r#"{"properties": {"a": {}}}"#, &format!("{IMPORT}output O = {{ ...S, b: int }}\n"));
    assert!(found.iter().any(|one| one.code == Code::NotARecord && one.message.contains("type")), "{found:?}");
}

#[test]
fn a_replacement_of_a_definition_may_use_the_import() {
    let schema = r##"{"$ref": "#/$defs/B", "$defs": {"A": {"type": "string"}, "B": {"type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": false}}}"##;
    let text = "import A, B from \"s.json\" with { A = B | null }\noutput O = B\n";
    let (found, made) = compile(schema, text);
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
    assert!(made.is_some());
}

/// Returns the findings about `main.ogc` next to a grammar, and whether its output accepts each text.
fn of_grammar(name: &str, grammar: &str, text: &str, texts: &[&str]) -> (Vec<Code>, Vec<bool>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let main = file("main.ogc", text, Language::Ogc);
    let grammar = file(name, grammar, Language::of_name(name).unwrap());
    Workspace::new(&db, BTreeMap::from([("main.ogc".to_owned(), main), (name.to_owned(), grammar)]));
    let found = diagnostics(&db, main).iter().map(|one| one.code).collect();
    let output = formats(&db, main).into_iter().next().unwrap();
    let automaton = automaton(&db, output);
    let accepts = |text: &&str| automaton.as_ref().is_some_and(|one| accepts(one, text.as_bytes()));
    (found, texts.iter().map(accepts).collect())
}

#[test]
fn an_import_names_the_rule_of_a_grammar_that_has_no_start_rule() {
    let main = |path: &str, rule: &str| format!("import \"{path}\" as g\noutput O = g.{rule}\n");
    let check = |path: &str, grammar: &str, rule: &str, texts: &[&str]| {
        assert_eq!(of_grammar(path, grammar, &main(path, rule), texts), (vec![], vec![true, false]), "{path}");
    };
    check("g.gbnf", "item ::= \"a\"\nlist ::= item item\n", "list", &["aa", "a"]);
    check("g.lark", "list: ITEM ITEM\nITEM: \"a\"\n%ignore \" \"\n", "list", &["a a ", " aa"]);
    check("g.abnf", "item = %x61\nlist = 2ITEM\n", "list", &["aa", "a"]);
    let (found, _) = of_grammar("g.gbnf", "item ::= \"a\"\n", &main("g.gbnf", "root"), &[]);
    assert_eq!(found, [Code::UnknownName], "without a start rule, the whole has no name");
    let (found, _) = of_grammar("g.gbnf", "item ::= itm\n", &main("g.gbnf", "item"), &[]);
    assert_eq!(found, [Code::ImportErrors], "other mistakes are mistakes");
}

#[test]
fn the_options_of_a_grammar_name_its_start_rule() {
    let check = |name: &str, grammar: &str, start: &str, texts: &[&str]| {
        let db = Compiler::default();
        let options = Options::builder(JsonPolicy::default(), Formats::default(), Limits::default());
        let options = options.definition(Some(start.to_owned())).new(&db);
        let language = Language::of_name(name).unwrap();
        let file = SourceFile::new(&db, name.to_owned(), grammar.to_owned(), language, options);
        assert_eq!(diagnostics(&db, file), &[], "{grammar}");
        let automaton = automaton(&db, file).unwrap();
        let verdicts: Vec<bool> = texts.iter().map(|text| accepts(&automaton, text.as_bytes())).collect();
        assert_eq!(verdicts, [true, false], "{start} of {grammar}");
    };
    check("a.gbnf", "item ::= \"a\"\nlist ::= item \",\" item\n", "list", &["a,a", "a"]);
    check("a.gbnf", "root ::= \"a\"\nitem ::= \"b\"\n", "item", &["b", "a"]);
    check("a.ebnf", "item ::= 'a'\nlist ::= item ',' item\n", "list", &["a,a", "a"]);
    check("a.ebnf", "item = 'a';\nmy list = item, ',', item;\n", "my-list", &["a,a", "a"]);
    // Either rule may be meant as the start rule, unless one is named.
    let open = "list ::= root \",\" root\nroot ::= [a-z]\n";
    check("a.ebnf", open, "list", &["a,b", "a"]);
    check("a.ebnf", open, "root", &["a", "a,b"]);
    check("a.lark", "start: \"a\"\n", "root", &["a", ""]);
    check("a.abnf", "item = \"a\"\nlist = item \",\" item\n", "LIST", &["a,A", "a"]);
    let lark = "start: \"x\"\nlist: ITEM+\nITEM: \"a\"\nBOTH: ITEM \"b\"\n%ignore \" \"\n";
    check("a.lark", lark, "list", &[" a a ", "x"]);
    check("a.lark", lark, "ITEM", &[" a ", "a a"]);
    check("a.lark", lark, "BOTH", &[" ab ", "a b"]);
}
