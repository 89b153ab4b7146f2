//! Bounds that are written out, and those that are counted.

use std::sync::Arc;

use ogc_compiler::db::{Language, VocabularyInput};
use ogc_grammar::Code;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

use super::{Checked, check};

const CODE: Code = Code::LargeRepetition;

/// Returns the only finding about size, which must be at these words.
#[track_caller]
fn at(checked: &Checked, words: &str) -> String {
    let found = checked.found(CODE);
    assert!(found.len() == 1 && found[0].starts_with(&format!("{words}: ")), "{found:?}");
    for other in [Code::LargePattern, Code::ExpensivePart, Code::WideRecord] {
        assert_eq!(checked.found(other), Vec::<String>::new(), "{words}");
    }
    found[0].clone()
}

#[test]
fn large_repetitions_in_patterns_give_their_cost() {
    let checked = Checked::ogc("output Out = { a: /x[a-z]{1,2000}/, b: /y{1,40}/ }\n");
    let (pattern, whole) = (checked.states("pattern"), checked.automaton().states.len());
    let without = Checked::ogc("output Out = { a: /x[a-z]+/, b: /y{1,40}/ }\n").automaton().states.len();
    let found = at(&checked, "[a-z]{1,2000}");
    let large = pattern - 43;
    let begin = format!("[a-z]{{1,2000}}: `[a-z]{{1,2000}}` takes {large} states (");
    let end = format!("; with `[a-z]+` the whole format needs {without} states instead of {whole}");
    assert!(found.starts_with(&begin) && found.ends_with(&end), "{found}");
}

#[test]
fn the_costliest_repetition_is_reported() {
    let found = at(&Checked::ogc("output Out = { a: /([a-z]{1,40}-){1,40}[0-9]/ }\n"), "([a-z]{1,40}-){1,40}");
    assert!(found.contains("with `([a-z]{1,40}-)+`"), "{found}");
    let long = "(alpha|beta|gamma|delta|epsilon|zeta){1,500}";
    at(&Checked::ogc(&format!("output Out = {{ a: /a{{1,40}}{long}/ }}\n")), "{1,500}");
}

#[test]
fn large_repetitions_are_found_in_every_language_with_patterns() {
    let schema = |schema: &str| Checked::schema(&format!("{{\"type\": \"object\", {schema}}}"));
    at(&schema(r#""properties": {"a": {"type": "string", "pattern": "^[ab]{1,1500}$"}}"#), "[ab]{1,1500}");
    at(&schema(r#""patternProperties": {"^[ab]{1,1500}$": {}}, "additionalProperties": false"#), "[ab]{1,1500}");
    at(&Checked::ogc("rule a = \"<\" /[ab]{1,1500}/ \">\"\noutput Out = a\n"), "[ab]{1,1500}");
    at(&Checked::new("x[ab]{1,1500}", Language::Regex), "[ab]{1,1500}");
    at(&Checked::new("start: \"x\" /[ab]{1,1500}/ \".\"", Language::Lark), "[ab]{1,1500}");
}

#[test]
fn a_pattern_written_twice_is_reported_once_among_many_bounds() {
    let counted: String =
        (0..20).map(|at| format!("\"k{at}\": {{\"type\": \"string\", \"maxLength\": 90000}}, ")).collect();
    let twice =
        r#""a": {"type": "string", "pattern": "^[ab]{1,1500}$"}, "b": {"type": "string", "pattern": "^[ab]{1,1500}$"}"#;
    at(&Checked::schema(&format!("{{\"properties\": {{ {counted} {twice} }} }}")), "[ab]{1,1500}");
}

#[test]
fn costly_bounds_that_become_no_counters_are_found() {
    let found = at(&Checked::ogc("output Out = (\"a\" | \"bc\")[1..1200] - \"abc\"\n"), "1200");
    assert!(found.contains("the bound `1200` takes"), "{found}");
    at(&Checked::ogc("output Out = { a: string<1998..1999> & /(abc)*/ }\n"), "1999");
    at(
        &Checked::schema(r#"{"propertyNames": {"maxLength": 500}, "additionalProperties": {"type": "integer"}}"#),
        "500",
    );
}

#[test]
fn bounds_that_become_counters_are_not_reported() {
    let outputs = [
        "int[0..5000]",
        "{ a: string<10..100000> }",
        "{ a: string<..3000> & /[a-z]+@[a-z]+/ }",
        "{ a: string<1..2000> & /(ab)*/ }",
        "map<string, int>[1..3000]",
        "(\"a\"? \"b\"?)[1..2000] \".\"",
        "/[a-z]/[1..2000] \".\"",
        "/[a-z]{1,400}/ \".\"",
        "text<max_chars = 5000> \".\"",
        "text<max_tokens = 5000> \".\"",
    ];
    for output in outputs {
        check(&format!("output Out = {output}\n"), CODE, &[]);
    }
    let lists: String = (0..600).map(|at| format!("key_{at}: int[0..{}], ", 70 + at)).collect();
    let large = Checked::ogc(&format!("output Out = {{ {lists} }}\n"));
    assert!(large.states("object") > 1_000 && large.found(CODE).is_empty(), "in a large format, too");
}

/// Makes a vocabulary with tokens of up to sixty characters: masks then differ for as many counts.
fn long_tokens(checked: &Checked) -> VocabularyInput {
    let mut tokens: Vec<Option<Vec<u8>>> = (0..=u8::MAX).map(|byte| Some(vec![byte])).collect();
    tokens.extend((2..60).flat_map(|len| [b"a", b"1"].map(|byte| Some(byte.repeat(len)))));
    VocabularyInput::of(&checked.db, MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[]).unwrap())))
}

#[test]
fn counted_characters_that_need_many_rows_are_found() {
    let found = |text: &str| {
        let checked = Checked::ogc(text);
        checked.found_with(CODE, Some(long_tokens(&checked)))
    };
    let many = found("output Out = text<max_chars = 900, without = /[a-z]{40}/> \"x\"\n");
    assert!(many.len() == 1 && many[0].starts_with("900: the bound `900` takes "), "{many:?}");
    assert!(many[0].contains(" and ") && many[0].contains(" mask rows instead of "), "{many:?}");
    assert_eq!(found("output Out = text<max_chars = 900> \"x\"\n"), Vec::<String>::new());
}
