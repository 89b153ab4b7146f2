//! Tests of the JSON reader, as tables.

use super::{JsonKind, JsonValue, Limits, parse, parse_with};
use crate::Code;
use crate::span::Span;

/// Writes a tree without white space, numbers as in the text and strings as Rust does.
fn show(value: &JsonValue) -> String {
    match &value.kind {
        JsonKind::Null => "null".to_owned(),
        JsonKind::Bool(truth) => truth.to_string(),
        JsonKind::Number(literal) => literal.clone(),
        JsonKind::String(text) => format!("{text:?}"),
        JsonKind::Array(items) => {
            format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(","))
        }
        JsonKind::Object(members) => {
            let members = members.iter().map(|m| format!("{:?}:{}", m.key.value, show(&m.value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn parses_valid_json() {
    let cases = [
        ("null", "null"),
        (" true ", "true"),
        ("\t[ ]\r\n", "[]"),
        ("{ }", "{}"),
        ("[1,[2,{}],[]]", "[1,[2,{}],[]]"),
        ("-0.00e+10", "-0.00e+10"),
        ("1E400", "1E400"),
        ("123456789012345678901234567890.10", "123456789012345678901234567890.10"),
        (r#"{"b":1, "a" : [false] }"#, r#"{"b":1,"a":[false]}"#),
        (r#""\"\\\/\b\f\n\r\t\u0041""#, "\"\\\"\\\\/\\u{8}\\u{c}\\n\\r\\tA\""),
        (r#""\uD83D\ude00é😀""#, "\"😀é😀\""),
        ("\"\u{7f}\u{2028}\"", "\"\\u{7f}\\u{2028}\""),
    ];
    for (text, expected) in cases {
        let (value, diagnostics) = parse(text);
        assert_eq!(diagnostics, [], "{text}");
        assert_eq!(value.as_ref().map(show).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn invalid_json_is_reported_with_code_and_span() {
    let cases = [
        ("", Code::JsonSyntax, 0, 0),
        ("  ", Code::JsonSyntax, 2, 2),
        ("nul", Code::JsonSyntax, 0, 3),
        ("nulls", Code::JsonSyntax, 0, 5),
        ("NaN", Code::JsonSyntax, 0, 3),
        ("01", Code::JsonNumber, 0, 2),
        ("-", Code::JsonNumber, 0, 1),
        ("1.", Code::JsonNumber, 0, 2),
        ("1e+", Code::JsonNumber, 0, 3),
        (".5", Code::JsonSyntax, 0, 1),
        ("+1", Code::JsonSyntax, 0, 1),
        ("1 2", Code::JsonSyntax, 2, 3),
        ("[1,]", Code::JsonSyntax, 3, 4),
        ("{\"a\":1,}", Code::JsonSyntax, 7, 8),
        ("[1 2]", Code::JsonSyntax, 3, 4),
        ("[", Code::JsonSyntax, 1, 1),
        ("{\"a\" 1}", Code::JsonSyntax, 5, 6),
        ("{a:1}", Code::JsonSyntax, 1, 2),
        ("{'a':1}", Code::JsonSyntax, 1, 2),
        ("// c\n1", Code::JsonSyntax, 0, 1),
        ("\u{feff}1", Code::JsonSyntax, 0, 3),
        ("\"abc", Code::JsonUnclosed, 0, 1),
        ("\"a\nb\"", Code::JsonControl, 2, 3),
        ("\"a\n", Code::JsonUnclosed, 0, 1),
        ("[\"a\n, \"b\\\"c\"]", Code::JsonUnclosed, 1, 2),
        ("[\"a\n b\", \"c\"]", Code::JsonControl, 3, 4),
        (r#""\x41""#, Code::JsonEscape, 1, 3),
        (r#""\u12G4""#, Code::JsonEscape, 1, 6),
        ("\"\\é\"", Code::JsonEscape, 1, 4),
        ("\"\\", Code::JsonEscape, 1, 2),
    ];
    for (text, code, start, end) in cases {
        let (value, diagnostics) = parse(text);
        assert!(value.is_none(), "{text}");
        let found = diagnostics.first().map(|d| (d.code, d.span));
        assert_eq!(found, Some((code, Span::new(start, end))), "{text}: {diagnostics:?}");
    }
}

#[test]
fn repeated_keys_name_both_places() {
    let (value, diagnostics) = parse(r#"{"a":1,"b":2,"\u0061":3}"#);
    assert_eq!(value.as_ref().and_then(|v| v.get("a")).and_then(JsonValue::as_number), Some("1"));
    let found = diagnostics.first().expect("a repeated key");
    assert_eq!((found.code, found.span), (Code::JsonRepeatedKey, Span::new(13, 21)));
    assert_eq!(found.labels.first().map(|l| l.0), Some(Span::new(1, 4)));
    let many: String = (0..40).map(|i| format!("\"k{}\":0,", i % 39)).collect();
    let (_, diagnostics) = parse(&format!("{{{}}}", many.trim_end_matches(',')));
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
}

#[test]
fn lone_surrogates_are_errors_with_a_value() {
    for text in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\ud800""#, r#""\ud800\n""#, r#""\ud83dx""#] {
        let (value, diagnostics) = parse(text);
        assert!(value.is_some(), "{text}");
        assert!(diagnostics.iter().all(|d| d.code == Code::JsonLoneSurrogate) && !diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn limit_errors_name_the_given_value_and_the_limit() {
    let deep = "[".repeat(513) + &"]".repeat(513);
    let (value, diagnostics) = parse(&deep);
    assert!(value.is_none());
    assert!(diagnostics.first().is_some_and(|d| d.message.contains("513") && d.message.contains("512")));
    let (value, _) = parse(deep.get(1..deep.len() - 1).unwrap_or(""));
    assert!(value.is_some());
    let (value, diagnostics) = parse_with("[1,2,3]", Limits { bytes: 6, ..Limits::default() });
    assert!(value.is_none());
    assert!(diagnostics.first().is_some_and(|d| d.message == "the text is 7 bytes long; the limit is 6"));
    let few = Limits { values: 4, ..Limits::default() };
    assert!(parse_with(r#"[1,{"a":2}]"#, few).0.is_some());
    let (value, diagnostics) = parse_with("[1,2,3,4]", few);
    assert!(value.is_none());
    let message = "the text has more than 4 JSON values; the limit is 4";
    assert!(diagnostics.first().is_some_and(|d| d.message == message && d.span == Span::new(7, 8)));
}

#[test]
fn deep_nesting_is_refused_and_deep_values_can_be_dropped() {
    let endless = "[{\"a\":".repeat(1_000_000);
    assert!(parse(&endless).0.is_none());
    let text = "[{\"a\":".repeat(2048) + "1" + &"}]".repeat(2048);
    let (value, diagnostics) = parse_with(&text, Limits { depth: u32::MAX, ..Limits::default() });
    assert_eq!(diagnostics, []);
    drop(value);
    let mut tower = JsonValue { span: Span::default(), kind: JsonKind::Null };
    for _ in 0..1_000_000 {
        tower = JsonValue { span: Span::default(), kind: JsonKind::Array(vec![tower]) };
    }
    drop(tower);
}

#[test]
fn accessors_return_values_with_spans() {
    let text = r#" {"t": [true, null, "s"]} "#;
    let (value, _) = parse(text);
    let value = value.expect("valid");
    assert_eq!(value.span.text(text), text.trim());
    let items = value.get("t").and_then(JsonValue::as_array).expect("an array");
    assert_eq!(items.iter().map(JsonValue::type_name).collect::<Vec<_>>(), ["boolean", "null", "string"]);
    assert_eq!(items.iter().map(|i| i.span.text(text)).collect::<Vec<_>>(), ["true", "null", "\"s\""]);
    assert!(items.first().is_some_and(|i| i.as_bool() == Some(true)));
    assert!(items.get(1).is_some_and(JsonValue::is_null));
    assert!(items.last().is_some_and(|i| i.as_str() == Some("s")));
    assert!(matches!(value.into_kind(), JsonKind::Object(members) if members.len() == 1));
}
