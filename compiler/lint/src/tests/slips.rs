//! Lints about slips: patterns in quotes, letters of other scripts, policies without the setting that they depend on.

use ogc_compiler::db::Language;
use ogc_grammar::Code;

use super::{Checked, check};

const PATTERN: &str = "this is a text of these characters, and reads like a pattern";

#[test]
fn patterns_in_quotes_are_found_wherever_a_pattern_can_stand() {
    let text = "type A = { a: \"[a-z]+\", b?: \"\\\\d{4}\" | null, c: \"x\" | \"yes\", d: map<\"[a-z]+\", int> }\n\
        rule r = n: \"^a/b$\" raw<A, without = \"[0-9]+\">\noutput Out = A r\n";
    let found = |literal: &str| format!("{literal}: {PATTERN}");
    let expected = ["\"[a-z]+\"", "\"\\\\d{4}\"", "\"[a-z]+\"", "\"^a/b$\"", "\"[0-9]+\""].map(found);
    check(text, Code::QuotedPattern, &expected.each_ref().map(String::as_str));
    let fixed = "type A = { a: /[a-z]+/, b?: /\\d{4}/ | null, c: \"x\" | \"yes\", d: map</[a-z]+/, int> }\n\
        rule r = n: /a\\/b/ raw<A, without = /[0-9]+/>\noutput Out = A r\n";
    assert_eq!(Checked::ogc(text).fixed(), fixed);
}

#[test]
fn white_space_to_skip_in_quotes_is_found() {
    let program = |skip: &str| format!("@skip({skip})\nrule r = \"a\" \"b\"\noutput Out = r\n");
    for skip in ["\"whitespace\"", "\"WS\"", "\"white space\"", "\"spaces\"", "\"any\"", "\"[ \\t]*\"", "\"\\\\s*\""] {
        check(&program(skip), Code::QuotedPattern, &[&format!("{skip}: {PATTERN}")]);
    }
    for skip in ["\" \"", "\"\\n\"", "\"_\"", "\"-\"", "/ */", "\"skip\""] {
        check(&program(skip), Code::QuotedPattern, &[]);
    }
    let fixed = Checked::ogc(&program("\"whitespace\"")).fixed();
    assert_eq!(fixed, program("/[ \\t\\n]*/"));
}

#[test]
fn unused_parameters_are_found() {
    let unused = |definition: &str, name: &str| format!("{name}: `{definition}` does not use its parameter `{name}`");
    let found = |text: &str, expected: &[String]| {
        check(text, Code::UnusedParameter, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    };
    found("type P<T, U> = { a: T }\noutput Out = P<int, string>\n", &[unused("P", "U")]);
    found("type P<T> = { T: int }\noutput Out = P<int>\n", &[unused("P", "T")]);
    found("rule r<x, y = x> = y y: \"a\"\noutput Out = r<\"b\">\n", &[]);
    found("type P<T, n, m> = { a: T[n], b: string<..m> }\noutput Out = P<int, 3, 5>\n", &[]);
    found("@skip(s)\nrule r<s> = \"a\" \"b\"\noutput Out = r<\" \">\n", &[]);
    found("rule r<s> = json<int, space = s>\noutput Out = r<\"any\">\n", &[]);
    found("rule f<name, _Value> = name \"\\n\"\noutput Out = each<{ a: int }, f>\n", &[]);
}

#[test]
fn swapped_parameters_of_templates_are_found() {
    let program = |parameters: &str, uses: &str| {
        format!("rule f<{parameters}> = name \": \" raw<Value> \"\\n\"\noutput Out = {uses}\n")
    };
    let each = "each<{ a: int }, f>";
    let message = "Value, name: `each` gives `f` the field's name first, and its type second: here `Value` is the name and \
                   `name` the type";
    check(&program("Value, name", each), Code::SwappedParameters, &[message]);
    check(&program("Value, name", "each<{ a: int }, f, optional = f>"), Code::SwappedParameters, &[message]);
    check(&program("name, Value", each), Code::SwappedParameters, &[]);
    check(&program("Value, name", "f<int, \"a\">"), Code::SwappedParameters, &[]);
}

#[test]
fn texts_that_pair_with_a_token_are_found() {
    let found = |body: &str, expected: &[&str]| {
        check(&format!("output Out = {body}\n"), Code::UnpairedToken, expected);
    };
    let begins = "the token `<think>` begins what this text ends: `</think>` is no token here";
    let ends = "the token `</think>` ends what this text begins: `<think>` is no token here";
    found("tok\"<think>\" t: text \"</think>\" \"a\"", &[&format!("\"</think>\": {begins}")]);
    found("tok\"<think>\" (\"\\n\" t: text \"</think>\\n\") \"a\"", &[&format!("\"</think>\\n\": {begins}")]);
    found("\"<think>\" t: text tok\"</think>\"", &[&format!("\"<think>\": {ends}")]);
    for body in [
        "tok\"<think>\" t: text tok\"</think>\"",
        "\"<think>\" t: text \"</think>\"",
        "tok\"<think>\" t: text tok\"</think>\" \"</think>\"",
        "tok\"<|python_tag|>\" \"a\"",
        "tok\"<a>\" t: text \"</b>\"",
        "\"</think>\" tok\"<think>\"",
    ] {
        found(body, &[]);
    }
}

#[test]
fn defaults_and_examples_that_are_no_values_are_found() {
    let found = |text: &str, expected: &[&str]| check(&format!("{text}\n"), Code::DefaultMismatch, expected);
    found("output Out = { @default(\"x\") a?: int }", &["int: the default `\"x\"` is no value of this type"]);
    found(
        "output Out = { @default(200) a?: int<0..100> }",
        &["int<0..100>: the default `200` is no value of this type"],
    );
    found(
        "output Out = { @default(\"c\") a?: \"a\" | \"b\" }",
        &["\"a\" | \"b\": the default `\"c\"` is no value of this type"],
    );
    found("@examples(1, \"a\") type A = int\noutput Out = A", &["A: the example `\"a\"` is no value of this type"]);
    found(
        "output Out = { @default({ b: 1 }) a?: { b: string } }",
        &["{ b: string }: the default object is no value of this type"],
    );
    found(
        "type T = { @default(tuple<1>) next?: T }\noutput Out = T",
        &["T: the default array is no value of this type"],
    );
    for text in [
        "output Out = { @default(5) a?: int, @default(null) b?: int, @default(\"2020-01-31\") c?: date }",
        "type T = { @examples({ a: 1 }) next?: T, a: int }\noutput Out = T",
        "type P<T> = { @default(1) a?: T }\noutput Out = P<int>",
    ] {
        found(text, &[]);
    }
}

#[test]
fn keys_that_are_patterns_are_found() {
    let text = "output Out = { \"^x-[a-z]+$\": int, \"[0-9]+\"?: string, \"x[]\": int }\n";
    let message = "this is a key of these characters, and reads like a pattern of keys";
    check(text, Code::QuotedPattern, &[&format!("\"^x-[a-z]+$\": {message}"), &format!("\"[0-9]+\": {message}")]);
    assert!(Checked::ogc(text).fixed().contains("{ [/x-[a-z]+/]: int, \"[0-9]+\"?: string,"));
}

#[test]
fn literals_that_are_no_patterns_are_not_reported() {
    for text in [
        "output Out = substring<\"[a-z]+ is a class\"> \"C:\\\\data\" \"[x]\" \"C++\"\n",
        "@examples(\"[a-z]+\")\ntype A = string\noutput Out = { @default(\"[a-z]+\") a: A }\n",
        "output Out = { a: \"[a-z]+(\" }\n",
        "@allow(\"quoted-pattern\")\noutput Out = { a: \"[a-z]+\" }\n",
    ] {
        check(text, Code::QuotedPattern, &[]);
    }
}

#[test]
fn names_with_letters_that_only_look_alike_are_found() {
    let text = "type A = { nаme: int, \"кey\"?: int, имя: int }\noutput Оut = х: A naïve: \"x\" tаg: \"y\"\n";
    let said = |name: &str, letter: char, code: &str, like: char| {
        format!("{name}: this name mixes scripts: `{letter}` (U+{code}, Cyrillic) in it looks like `{like}`")
    };
    let expected = [
        said("nаme", 'а', "0430", 'a'),
        said("\"кey\"", 'к', "043A", 'k'),
        said("Оut", 'О', "041E", 'O'),
        said("tаg", 'а', "0430", 'a'),
    ];
    check(text, Code::MixedScripts, &expected.each_ref().map(String::as_str));
    let fixed = "type A = { name: int, \"key\"?: int, имя: int }\noutput Out = х: A naïve: \"x\" tag: \"y\"\n";
    assert_eq!(Checked::ogc(text).fixed(), fixed);
}

#[test]
fn policies_without_effect_are_found() {
    let said = |written: &str, name: &str, space: &str| {
        format!("{written}: `{name}` has no effect: it is about `space = \"{space}\"`, and nothing here is written so")
    };
    let found = |text: &str, expected: &[String]| {
        check(text, Code::IdlePolicy, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    };
    found("@indent(4)\noutput Out = { a: int }\n", &[said("@indent(4)", "indent", "pretty")]);
    found(
        "policy indent = 4, run = 8\noutput Out = { a: int }\n",
        &[said("indent = 4", "indent", "pretty"), said("run = 8", "run", "any")],
    );
    found(
        "policy space = \"any\", run = 8, indent = 4\noutput Out = { a: int }\n",
        &[said("indent = 4", "indent", "pretty")],
    );
    found(
        "rule r = json<{ a: int }, space = \"spaced\", indent = 4>\noutput Out = r json<int[2], space = \"pretty\">\n",
        &[said("indent = 4", "indent", "pretty")],
    );
    found(
        "output Out = { a: @space(\"any\") @indent(4) int[2], b: int }\n@run(3)\noutput B = int\n",
        &[said("@indent(4)", "indent", "pretty")],
    );
}

#[test]
fn policies_that_may_take_effect_are_not_reported() {
    for text in [
        "@space(\"pretty\") @indent(4)\noutput Out = { a: int }\n",
        "policy indent = 4\noutput Out = json<{ a: int }, space = \"pretty\">\n",
        "rule r<s> = json<{ a: int }, space = s, indent = 4>\noutput Out = r<\"pretty\">\n",
        "@indent(4)\nrule r = json<{ a: int }>\n",
        "@space(\"any\")\noutput Out = json<int[2], run = 3>\n",
        "@allow(\"idle-policy\") @indent(4)\noutput Out = { a: int }\n",
    ] {
        check(text, Code::IdlePolicy, &[]);
    }
}

#[test]
fn redefining_a_built_in_name_is_one_finding() {
    let checked = Checked::new("rule hostname = \"x\"\noutput Out = hostname \":\" int\n", Language::Ogc);
    let found = ogc_compiler::pipeline::diagnostics(&checked.db, checked.file);
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::BuiltinName]);
    assert!(super::file_lints(&checked.db, checked.file).iter().all(|one| one.code != Code::QuotedText));
}
