//! Compares the search with the enumeration of all short texts, on random grammars.

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pipeline::{automaton, formats};
use ogc_runtime::matcher::Matcher;

use super::*;
use crate::random::Random;
use crate::vocabulary::bytes_and;

fn gbnf(grammar: &str) -> Arc<Automaton> {
    let limits = ogc_compiler::pass::Limits::default();
    Arc::new(compile_grammar(grammar, Dialect::Gbnf, &limits).0.expect(grammar))
}

fn compare(first: &Arc<Automaton>, second: &Arc<Automaton>) -> Difference {
    let found = difference(first, second, SearchLimits { pairs: 4_000, memory: 64 << 20 }, &|| {});
    for (text, [yes, no]) in [(&found.only_first, [first, second]), (&found.only_second, [second, first])] {
        let Some(text) = text else { continue };
        assert!(accepts(yes, text) && !accepts(no, text), "{:?}", String::from_utf8_lossy(text));
    }
    found
}

fn accepts(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    let mut matcher = Matcher::new(Arc::clone(automaton), bytes_and(&automaton.tokens).expect("bytes"));
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

/// Returns all texts over two letters and a bracket, up to a length.
fn texts(longest: u32) -> Vec<Vec<u8>> {
    let all = (0..=longest).flat_map(|length| (0..3_usize.pow(length)).map(move |number| (length, number)));
    all.map(|(length, number)| (0..length).map(|at| b"ab("[number / 3_usize.pow(at) % 3]).collect()).collect()
}

fn expression(random: &mut Random, depth: u32, recursive: bool) -> String {
    let part = |random: &mut Random| expression(random, depth + 1, recursive);
    match random.below(if depth > 3 { 3 } else { 9 }) {
        0 => "\"a\"".to_owned(),
        1 => "\"b\"".to_owned(),
        2 => "[ab(]".to_owned(),
        3 => format!("({})?", part(random)),
        4 => format!("({}){{1,2}}", part(random)),
        5 if recursive => "\"(\" r".to_owned(),
        5 | 6 => format!("({} | {})", part(random), part(random)),
        _ => format!("{} {}", part(random), part(random)),
    }
}

#[test]
fn differences_agree_with_an_enumeration_of_short_texts() {
    let (mut random, texts) = (Random::new(3), texts(6));
    let (mut same, mut complete) = (0, 0);
    let (mut proven, mut refuted, mut open) = (0, 0, 0);
    for round in 0..200 {
        let recursive = round % 3 == 0;
        let root = |random: &mut Random| expression(random, 0, recursive);
        let rule = |random: &mut Random| match recursive {
            true => format!("r ::= {} | \"a\"\n", expression(random, 1, true)),
            false => String::new(),
        };
        let (one, called) = (root(&mut random), rule(&mut random));
        let first = gbnf(&format!("root ::= {one}\n{called}"));
        let second = match round % 5 {
            0 => Arc::clone(&first),
            // Both formats call the same rule, whose texts are then not read.
            1 | 2 => gbnf(&format!("root ::= {}\n{called}", root(&mut random))),
            3 if recursive => gbnf(&format!("root ::= \"(\" r {}\n{called}", root(&mut random))),
            _ => gbnf(&format!("root ::= {}\n{}", root(&mut random), rule(&mut random))),
        };
        let found = compare(&first, &second);
        let of =
            |automaton: &Arc<Automaton>| -> Vec<bool> { texts.iter().map(|text| accepts(automaton, text)).collect() };
        let (one, two) = (of(&first), of(&second));
        let only = |yes: &[bool], no: &[bool]| yes.iter().zip(no).any(|(yes, no)| *yes && !no);
        for (formats, counterexample) in [([&first, &second], only(&one, &two)), ([&second, &first], only(&two, &one))]
        {
            let bounds = Bounds { limits: SearchLimits { pairs: 4_000, memory: 64 << 20 }, poll: &|| {} };
            match included(formats, &representatives(&first, &second), bounds) {
                Inclusion::Proven => {
                    assert!(!counterexample);
                    proven += usize::from(recursive);
                }
                Inclusion::Refuted(text) => {
                    refuted += 1;
                    assert!(accepts(formats[0], &text) && !accepts(formats[1], &text), "{text:?}");
                }
                Inclusion::Open => open += 1,
            }
        }
        if found.is_complete() {
            complete += 1;
            assert!(!only(&one, &two) || found.only_first.is_some());
            assert!(!only(&two, &one) || found.only_second.is_some());
        }
        same += usize::from(found.only_first.is_none() && found.only_second.is_none());
    }
    assert!(same > 20 && complete > 150, "{same} {complete}");
    assert!(proven > 10 && refuted > 100 && open < 50, "{proven} {refuted} {open}");
}

/// Compares two `.ogc` outputs: checks both witnesses, and whether the search was complete.
fn check(one: &str, two: &str, wanted: (Option<&str>, Option<&str>, bool)) {
    let db = Compiler::default();
    let compiled = [one, two].map(|text| {
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "t.ogc".to_owned(), format!("output T = {text}\n"), Language::Ogc, options);
        automaton(&db, formats(&db, file)[0].clone()).expect(text)
    });
    let found = compare(&compiled[0], &compiled[1]);
    let shown = |text: Option<Vec<u8>>| text.map(|text| String::from_utf8_lossy(&text).into_owned());
    let is_complete = found.is_complete();
    let (first, second) = (shown(found.only_first), shown(found.only_second));
    assert_eq!((first.as_deref(), second.as_deref(), is_complete), wanted, "{one} and {two}");
}

#[test]
fn witnesses_are_short_and_readable() {
    check("\"a\" | \"b\"", "\"a\" | \"c\"", (Some("b"), Some("c"), true));
    check("/[a-z]{1,3}/", "/[a-z]{1,4}/", (None, Some("aaaa"), true));
    check("int<0..10>", "int<0..9>", (Some("10"), None, true));
    check("string<1..3>", "string<1..3>", (None, None, true));
    check("string<0..3>", "string<1..3>", (Some("\"\""), None, true));
    check("{ a: int<0..9> }", "{ a: int<0..9>, b?: bool }", (None, Some("{\"a\":0,\"b\":true}"), true));
    check(
        "{ a: bool, b: bool }",
        "{ b: bool, a: bool }",
        (Some("{\"a\":true,\"b\":true}"), Some("{\"b\":true,\"a\":true}"), true),
    );
    check(
        "@order(\"any\") { a: null, b: null }",
        "{ a: null, b: null }",
        (Some("{\"b\":null,\"a\":null}"), None, true),
    );
}

/// Compiles a schema whose objects are open, so that they contain arbitrary, endlessly nested JSON.
fn schema(schema: &str) -> Arc<Automaton> {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "t.json".to_owned(), schema.to_owned(), Language::JsonSchema, options);
    automaton(&db, formats(&db, file)[0].clone()).expect(schema)
}

#[test]
fn versions_of_open_schemas_are_compared_completely() {
    let version = |a: &str, more: &str| {
        schema(&format!(
            r#"{{"type": "object", "properties": {{"any": {{}}, "a": {a}, "list": {{"type": "array", "items": {{"type": "object"}}}} {more}}},
                 "required": ["any", "a"]}}"#
        ))
    };
    let old = version(r#"{"type": "integer", "maximum": 9}"#, "");
    for (a, more, (keeps, adds)) in [
        (r#"{"type": "integer", "maximum": 9}"#, "", (true, false)),
        (r#"{"type": "integer", "maximum": 12}"#, "", (true, true)),
        (r#"{"type": "integer", "maximum": 7}"#, "", (false, false)),
        (r#"{"type": ["integer", "null"], "maximum": 7}"#, "", (false, true)),
        (r#"{"type": "integer", "maximum": 9}"#, r#", "z": {"type": "string"}"#, (false, false)),
        (r#"{"type": "array", "items": {}}"#, "", (false, true)),
    ] {
        let found = compare(&old, &version(a, more));
        assert_eq!((found.only_first.is_none(), found.only_second.is_some()), (keeps, adds), "{a} {more} {found:?}");
        assert!(found.is_complete(), "{a} {more}");
    }
    let set = r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#;
    assert_eq!(compare(&schema(set), &schema(set)), Difference { decided: [true; 2], ..Difference::default() });
    // The part that both formats share is not read, so it may contain a set.
    let beside = |most| {
        let items = format!(
            r#"{{"properties": {{"set": {set}, "n": {{"type": "integer", "maximum": {most}}}}}, "type": "object"}}"#
        );
        schema(&items)
    };
    let found = compare(&beside(5), &beside(6));
    assert!(found.is_complete() && found.only_first.is_none() && found.only_second.is_some(), "{found:?}");
}

/// Trees whose rules differ and are recursive are compared completely.
#[test]
fn recursive_versions_are_compared_rule_by_rule() {
    let tree = |kind: &str, more: &str| {
        schema(&format!(
            r##"{{"$ref": "#/$defs/node", "$defs": {{"node": {{"type": "object", "properties": {{"kind": {{"enum": [{kind}]}},
                 "children": {{"type": "array", "items": {{"$ref": "#/$defs/node"}}}} {more}}}, "required": ["kind"], "additionalProperties": false}}}}}}"##
        ))
    };
    let old = tree(r#""leaf", "fork""#, "");
    for (kind, more, (keeps, adds)) in [
        (r#""leaf", "fork""#, "", (true, false)),
        (r#""leaf", "fork", "root""#, "", (true, true)),
        (r#""leaf""#, "", (false, false)),
        (r#""fork", "knot""#, "", (false, true)),
        (r#""leaf", "fork""#, r#", "name": {"type": "string"}"#, (true, true)),
    ] {
        let found = compare(&old, &tree(kind, more));
        assert_eq!((found.only_first.is_none(), found.only_second.is_some()), (keeps, adds), "{kind} {more} {found:?}");
        assert!(found.is_complete(), "{kind} {more}");
    }
}

#[test]
fn equal_recursive_grammars_end_at_the_limit() {
    let (one, two) = (gbnf("root ::= \"(\" root* \")\""), gbnf("root ::= \"(\" (root | \"(\" root* \")\")* \")\""));
    let found = difference(&one, &two, SearchLimits { pairs: 500, memory: 64 << 20 }, &|| {});
    assert_eq!(found, Difference::default());
    let deeper = gbnf("root ::= \"(\" (root | \"x\")* \")\"");
    let found = compare(&one, &deeper);
    assert_eq!((found.only_first, found.only_second.as_deref()), (None, Some(&b"(x)"[..])));
}
