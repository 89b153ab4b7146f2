//! Tests of signature help: the signature at a cursor, with the active parameter in brackets.

use super::signature_help;
use crate::fixture::Fixture;

#[track_caller]
fn check(text: &str, expected: &str) {
    let fixture = Fixture::new(text);
    let found = signature_help(&fixture.snapshot, fixture.cursor());
    let shown = found.map(|help| {
        let active = help.active.and_then(|at| help.parameters.get(at));
        match active {
            Some(one) => {
                format!("{}[{}]{}", &help.label[..one.start], &help.label[one.start..one.end], &help.label[one.end..])
            }
            None => help.label,
        }
    });
    assert_eq!(shown.unwrap_or_default(), expected, "at {text}");
}

#[test]
fn uses_of_definitions_show_their_parameters() {
    let page = "type Page<T, max = 5> = T[0..max]\n";
    check(&format!("{page}type A = Page<$0"), "type Page<[T], max = 5>");
    check(&format!("{page}type A = Page<$0>"), "type Page<[T], max = 5>");
    check(&format!("{page}type A = Page<int, $0>"), "type Page<T, [max = 5]>");
    check(&format!("{page}type A = Page<int, max = $0>"), "type Page<T, [max = 5]>");
    check(&format!("{page}type A = Page<max = $0"), "type Page<T, [max = 5]>");
    check(&format!("{page}type A = Page<{{ x: $0 }}>"), "type Page<[T], max = 5>");
    check(&format!("{page}type A = Page<Page<in$0t>, 5>"), "type Page<[T], max = 5>");
}

#[test]
fn built_in_names_show_their_parameters() {
    check("type A = int<0..5, $0>", "int<a..b, [above = number], below = number, multiple_of = number>");
    check("type A = int<below = $0>", "int<a..b, above = number, [below = number], multiple_of = number>");
    check("type A = map<string, $0>", "map<T, [T]>");
    check("type A = tuple<int, int, int, $0>", "tuple<[T, ...], rest = T, items = m..n>");
    check("rule a = json<int, space = \"$0\">", "json<T, [policy = value, ...]>");
    check("rule a = text<$0>", "text<[max_tokens = m..n], max_chars = m..n, without = x>");
}

#[test]
fn attributes_show_their_arguments() {
    check("@allow(\"$0\") type A = int", "@allow([\"code\", ...])");
    check("@budget(mask = $0) type A = int", "@budget(build = ..., [mask = ...], states = ...)");
    check("@order($0) type A = int", "@order([\"declared\" | \"any\"])");
    check("@title($0", "@title([\"title\"])");
}

#[test]
fn no_signature_is_shown_outside_of_arguments() {
    for text in [
        "type A = int$0<1..2>",
        "type A = int<1..2>$0",
        "type A<$0>",
        "type A = None<$0>",
        "type A = bool<$0>",
        "type A = int< // $0\n1..2>",
        "@nothing($0)",
        "type A = { $0 }",
        "test A { accept { x: $0 } }",
        "$0",
    ] {
        check(text, "");
    }
}
