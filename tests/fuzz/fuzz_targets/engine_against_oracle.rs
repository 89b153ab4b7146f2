//! Random small formats and random walks: a token is in the mask exactly if its bytes can be accepted, and every
//! reached state can go on or end.

#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::frontend::json_schema::{ReadOptions, read};
use ogc_compiler::lower::json::{JsonPolicy, lower};
use ogc_compiler::pass::Limits;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

/// Tokens that cross the boundaries of frames, strings, escapes and characters.
const TOKENS: [&str; 24] = [
    "\"", "{\"", "\":", "\": \"", "\",\"", "\"}", "}}", "]}", "},{", "[[", "]]", ", ", "\\u00", "\\\"", "ab", "aba",
    "12", "0.5", "e1", "true", "null", "é", "()", "((",
];

fn store() -> Arc<MaskStore> {
    static STORE: OnceLock<Arc<MaskStore>> = OnceLock::new();
    let store = STORE.get_or_init(|| {
        let bytes = (0..=255u8).map(|byte| Some(vec![byte]));
        let tokens: Vec<Option<Vec<u8>>> =
            bytes.chain(TOKENS.iter().map(|text| Some(text.as_bytes().to_vec()))).collect();
        let end = tokens.len() as u32;
        MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", end)]).expect("few tokens")))
    });
    Arc::clone(store)
}

/// A schema made up of parts that interact.
fn schema(choices: &[u8], depth: usize) -> String {
    let (&first, rest) = choices.split_first().unwrap_or((&0, &[]));
    if depth == 0 {
        return r#"{"type": "integer", "minimum": 0, "maximum": 120}"#.to_owned();
    }
    let (left, right) = rest.split_at(rest.len() / 2);
    let (one, two) = (schema(left, depth - 1), schema(right, depth - 1));
    match first % 9 {
        0 => r#"{"type": "string", "maxLength": 3}"#.to_owned(),
        1 => r#"{"type": "string", "pattern": "^(ab)*$", "minLength": 2, "maxLength": 7}"#.to_owned(),
        2 => r#"{"enum": [null, true, "a", "ab", 12, 0.5, [], {"a": 1}]}"#.to_owned(),
        3 => format!(r#"{{"type": "array", "items": {one}, "minItems": 1, "maxItems": 3}}"#),
        4 => format!(
            r#"{{"type": "object", "properties": {{"a": {one}, "ab": {two}}}, "required": ["ab"], "additionalProperties": false}}"#
        ),
        5 => format!(r#"{{"anyOf": [{one}, {two}]}}"#),
        6 => format!(r#"{{"type": "object", "additionalProperties": {one}}}"#),
        7 => format!(r#"{{"type": "array", "prefixItems": [{one}], "items": {two}, "maxItems": 3}}"#),
        _ => r#"{"type": "number", "minimum": -1.5, "exclusiveMaximum": 12}"#.to_owned(),
    }
}

/// A grammar made up of parts: recursive, ambiguous, or with tokens that cross rules.
fn grammar(choices: &[u8]) -> &'static str {
    match choices.first().map_or(0, |choice| choice % 4) {
        0 => r#"root ::= "(" root* ")" | "a" | "ab" | "b""#,
        1 => "root ::= (a | b)+\na ::= \"a\" \"b\"?\nb ::= \"ba\" | \"b\"",
        2 => "root ::= item{2,4}\nitem ::= [ab]{1,3} \",\" | \"\\u00e9\"",
        _ => "root ::= root \"a\" | root \"(\" root \")\" | \"12\"",
    }
}

fn compile(choices: &[u8]) -> Option<Automaton> {
    let (&kind, rest) = choices.split_first()?;
    if kind % 3 == 0 {
        return compile_grammar(grammar(rest), Dialect::Gbnf, &Limits::default()).0;
    }
    let imported = read(&schema(rest, 3), &ReadOptions::default());
    lower(&imported.schemas, &JsonPolicy::default(), &ogc_compiler::db::Limits::default().schema)
        .ok()
        .map(|lowered| lowered.automaton)
}

fuzz_target!(|input: (Vec<u8>, Vec<u16>)| {
    let (choices, steps) = input;
    let Some(automaton) = compile(&choices) else { return };
    let mut matcher = Matcher::new(Arc::new(automaton), store());
    let ids = 256 + TOKENS.len() as u32 + 1;
    for step in steps.iter().take(24) {
        let Ok(mask) = matcher.mask() else { return };
        assert!(!mask.is_empty(), "a dead end");
        for token in (0..ids).map(TokenId) {
            assert_eq!(mask.contains(token), matcher.fork().accept_token(token).is_ok(), "token {token:?}");
        }
        let tokens = mask.tokens();
        let token = tokens[usize::from(*step) % tokens.len()];
        matcher.accept_token(token).expect("the mask allows it");
        if matcher.is_terminated() {
            return;
        }
    }
});
