//! Tests of applied and refused corrections.

use super::*;

fn corrected(text: &str) -> (String, usize) {
    let corrected = correct(text, &mut notation);
    (corrected.text, corrected.done.len())
}

#[test]
fn mistakes_are_corrected_together() {
    let text = "type A: { a: string b: int[1,3] };\nrule c = \"x\" || \"y\"\n";
    assert_eq!(corrected(text), ("type A = { a: string, b: int[1..3] }\nrule c = \"x\" | \"y\"\n".to_owned(), 5));
    assert_eq!(corrected("type A = int\n"), ("type A = int\n".to_owned(), 0));
}

/// Returns a finding at one character, whose correction replaces it.
fn error(code: Code, at: u32, fix: &str) -> Diagnostic {
    let place = Span::new(at, at + 1);
    Diagnostic::error(code, place, "m").fix(Fix::new(format!("write {fix}"), place, fix))
}

#[test]
fn a_correction_that_causes_errors_is_not_applied() {
    let mut read = |text: &str| match text {
        "type A = a\ntype B = b" => vec![error(Code::UnknownName, 9, "x"), error(Code::WrongName, 20, "y")],
        "type A = a\ntype B = y" => vec![error(Code::UnknownName, 9, "x")],
        _ => vec![Diagnostic::error(Code::UnknownType, Span::new(0, 1), "m")],
    };
    let corrected = correct("type A = a\ntype B = b", &mut read);
    let done = Done { label: "write y".to_owned(), code: Code::WrongName, origin: 20 };
    assert_eq!((corrected.text.as_str(), corrected.done), ("type A = a\ntype B = y", vec![done]));
    let [(found, why)] = corrected.refused.as_slice() else { panic!("one is refused") };
    assert_eq!((found.code, why), (Code::UnknownName, &Refusal::Brings(Code::UnknownType, "m".to_owned())));
}

#[test]
fn a_correction_is_applied_with_the_correctable_mistake_it_uncovers() {
    let mut read = |text: &str| match text {
        "type A = a" => vec![error(Code::UnknownName, 9, "b")],
        "type A = b" => vec![error(Code::WrongName, 9, "c")],
        _ => Vec::new(),
    };
    let corrected = correct("type A = a", &mut read);
    assert_eq!((corrected.text.as_str(), corrected.done.len()), ("type A = c", 2));
}

#[test]
fn a_correction_that_swallows_other_text_is_not_applied() {
    for (text, place, fix) in [
        ("type A = int, string // why\n", 12..13, Fix::new("", Span::new(12, 27), "")),
        ("type A = int string\n", 13..19, Fix::new("", Span::empty(12), " //")),
        ("type A = int string\n", 13..19, Fix::new("", Span::new(9, 19), "string")),
        ("type A = int string\n", 13..19, Fix::new("", Span::empty(8), "\"")),
    ] {
        let found = Diagnostic::error(Code::UnknownName, Span::new(place.start, place.end), "m").fix(fix);
        let mut read = |now: &str| if now == text { vec![found.clone()] } else { Vec::new() };
        let corrected = correct(text, &mut read);
        assert_eq!(corrected.text, text);
        assert!(matches!(corrected.refused.as_slice(), [(_, Refusal::Loses(_))]), "{:?}", corrected.refused);
    }
}

#[test]
fn an_item_that_stays_broken_after_a_correction_is_left_unchanged() {
    for text in [
        "type A = { a: int; -- age\n}\n",
        "type A<T> where T: string = T\n",
        "type A = { a: () => void }\n",
        "type A = { a: [string!] }\n",
        "type A = { a: ~int, b: int; }\n",
        "type A = { a: int = Default(ge=0) }\n",
        "type A = { a: {| b: int |} }\n",
    ] {
        let corrected = correct(text, &mut notation);
        assert_eq!(corrected.text, text);
        assert!(corrected.done.is_empty(), "{text}");
    }
    // Text before the place may be wrong, and so may other items.
    let text = "type A = {\n  a: ~int,\n  b: int;\n}\ntype B: int = \"x\ntype C: int\n";
    assert_eq!(corrected(text).0, text.replace("b: int;", "b: int,").replace("C:", "C ="));
}
