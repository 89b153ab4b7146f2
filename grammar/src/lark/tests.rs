//! Tests of the Lark reader, as tables.

use super::{parse, parse_lark};
use crate::rules::shape;

/// The rules as text, helper rules included.
fn rules(text: &str) -> Vec<String> {
    let (grammar, found) = parse(text);
    assert_eq!(found.iter().filter(|d| d.is_error()).collect::<Vec<_>>(), Vec::<&crate::Diagnostic>::new(), "{text}");
    grammar.rules.iter().map(|rule| format!("{} = {}", rule.name.value, shape(&rule.body))).collect()
}

fn body(text: &str) -> String {
    let all = rules(&format!("start: {text}\n"));
    all[0].strip_prefix("start = ").map(str::to_owned).unwrap_or_default()
}

#[test]
fn expressions() {
    let cases = [
        (r#""abc""#, "\"abc\""),
        (r#""\n\t\\\"\x41\u00e9\U0001F600\/""#, "\"\\n\\t\\\\\\\"Aé😀/\""),
        (r#""ab"i"#, "/(?i)ab/"),
        (r#""1+"i"#, "\"1+\""),
        (r#""a".."f""#, "['a'-'f']"),
        ("a B", "(, a B)"),
        ("a | b c |", "(| a (, b c) (, ))"),
        ("| a", "(| (, ) a)"),
        ("a -> first\n  | b -> second", "(| a b)"),
        ("(a | b) c", "(, (| a b) c)"),
        ("(a\n  b\n)", "(, a b)"),
        ("[a b]", "(, a b){0,1}"),
        ("a? b* c+", "(, a{0,1} b{0,} c{1,})"),
        ("a~2 b~2..3 c{2} d{2,} e{,3} f{1,2}", "(, a{2,2} b{2,3} c{2,2} d{2,} e{0,3} f{1,2})"),
        ("a // c\n  | b # d", "(| a b)"),
        ("<|think|> <[12]> <[^1,20-30]>", "(, token <|think|> token <[12]> token <[^1,20-30]>)"),
        ("()", "(, )"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn patterns_mean_what_python_means() {
    let cases = [
        (r"/a.b/", r"a[^\n]b"),
        (r"/a.b/s", r"a(?s:.)b"),
        (r"/AB/i", r"(?i)AB"),
        (r"/(?i)AB/", r"(?i)AB"),
        (r"/(?i:a)(?s:.)./", r"(?i:a)(?:(?s:.))[^\n]"),
        (r"/ a b # c\n/x", "ab"),
        (r"/(?P<x>a)(?<y>b)(?:c)/", "(?:a)(?:b)(?:c)"),
        (r"/\/\-\x41\u0042\U00000043\u{44}\101/", r"\/\-ABCDA"),
        (r"/[]a^-]/", r"[\]a\^\-]"),
        (r"/[^a-z\]]/", r"[^a-z\]]"),
        (r"/[\d_]\d/", r"[\p{Nd}_]\p{Nd}"),
        (r"/a{2}b{,3}c{x}/", r"a{2}b{0,3}c\{x\}"),
        (r"/\w/", r"[\p{L}\p{N}_]"),
        (r"/\pL\p{Lu}/", r"\p{L}\p{Lu}"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), format!("/{expected}/"), "{text}");
    }
}

#[test]
fn ignored_text_stands_between_terminals_and_around_all() {
    let woven = rules("start: A b\nb: \"x\"* A?\nA: /a/ \"c\"\n%ignore \" \"\n");
    let expected = [
        "start = (, %ignore (, (, A %ignore) b) (, ))",
        "b = (, (, \"x\" %ignore){0,} (, A %ignore){0,1})",
        "A = (, /a/ \"c\")",
        "%ignore = \" \"{0,}",
    ];
    assert_eq!(woven, expected);
    let later = rules("%llguidance {\"ignore_once\": true}\nstart: \"a\"\n%ignore /x/\n");
    assert_eq!(later, ["start = (, (, ) (, \"a\" %ignore) (, ))", "%ignore = /x/{0,1}"]);
}

#[test]
fn imports_templates_and_changes() {
    let all =
        rules("start: sep{NUMBER, \",\"} sep{w, \",\"}\nsep{x, s}: x (s x)*\nw: \"w\"\n%import common.INT -> NUMBER\n");
    let expected = [
        "start = (, sep{NUMBER,\",\"} sep{w,\",\"})",
        "w = \"w\"",
        "NUMBER = /[0-9]+/",
        "sep{NUMBER,\",\"} = (, NUMBER (, \",\" NUMBER){0,})",
        "sep{w,\",\"} = (, w (, \",\" w){0,})",
    ];
    assert_eq!(all, expected);
    let changed = rules("start: WS INT\n%import common (WS, INT)\n%override WS: \" \"\n%extend INT: \"x\"\n");
    assert_eq!(changed[1..], ["WS = \" \"", "INT = (| /[0-9]+/ \"x\")"]);
}

#[test]
fn lazy_rules_and_boolean_terminals() {
    let lazy = rules("start: a \"x\"\na[lazy, capture=\"c\"]: /[a-z]*/\n");
    assert_eq!(lazy[1], "a = (- a%whole (, a%whole .{1,}))");
    let stop = rules("start: a \"x\"\na[stop=\"b\"]: A\nA: /[a-z]*/\n");
    assert_eq!(stop[3], "a%whole = (, A \"b\")");
    let sets = rules("start: A\nA: /a/ & /b/ | /c/ & ~/d/ | ~\"e\"\n");
    assert_eq!(sets[1], "A = (| (- /a/ (- .{0,} /b/)) (- /c/ /d/) (- .{0,} \"e\"))");
}

/// Each mistake is one finding at one place, and the rule after it is read.
#[test]
fn mistakes() {
    let cases = [
        ("a: \"x", "lark-unclosed", "\""),
        ("a: /x", "lark-unclosed", "/"),
        ("a: / \"test\"", "lark-unclosed", "/"),
        ("a: \"\\q\"", "lark-escape", "\\q"),
        ("a: \"\\xZZ\"", "lark-escape", "\\x"),
        ("a: 'x'", "lark-single-quotes", "'x'"),
        ("a: (x", "unclosed-group", "("),
        ("a: x)", "unmatched-parenthesis", ")"),
        ("a: *", "nothing-to-repeat", "*"),
        ("a: x*****", "nesting-too-deep", "*"),
        ("a: x{3,2}", "lark-repetition", "{3,2}"),
        ("a: x{0,-1}", "lark-repetition", "{"),
        ("a: x~3..2", "lark-repetition", "~3..2"),
        ("a: \"a\"..\"cd\"", "lark-range", "\"a\"..\"cd\""),
        ("a: \"b\"..\"a\"", "reversed-range", "\"b\"..\"a\""),
        ("a: x\n  y", "lark-line", "y"),
        ("a = x", "expected-rule", "a"),
        ("a: x;", "unexpected-character", ";"),
        ("a: <[2-1]>", "lark-token", "<[2-1]>"),
        ("a: <>", "lark-token", "<>"),
        ("Ab: \"x\"", "lark-name", "Ab"),
        ("%declare X", "lark-declare", "%declare"),
        ("%foo X", "lark-directive", "%foo"),
        ("%import python.NAME", "lark-import", "python.NAME"),
        ("%import .other.NAME", "lark-import", ".other.NAME"),
        ("%import common.INTT", "lark-import", "INTT"),
        ("%override x: \"a\"", "lark-override", "x"),
        ("%llguidance {\"x\": 1}", "lark-option", "\"x\""),
        ("a: %json {\"x\": \"}\"}", "lark-embedded", "%json {\"x\": \"}\"}"),
        ("a: %lark { start: \"x\" }", "lark-embedded", "%lark { start: \"x\" }"),
        ("a: @other", "lark-embedded", "@"),
        ("a::_ : \"x\"", "lark-parametric", "::"),
        ("a: \"x\" %if eq(0, 0)", "lark-parametric", "%if"),
        ("a[max_tokens=10]: \"x\"", "lark-attribute", "max_tokens"),
        ("a[lazy=1]: \"x\"", "lark-attribute", "lazy"),
        ("a[stop=\"\"]: \"x\"", "lark-attribute", "stop"),
        ("a[foo]: \"x\"", "lark-attribute", "foo"),
        ("a: \"x\" & \"y\"", "lark-terminal-only", "\"x\" & \"y\""),
        ("A: start", "lark-terminal-only", "start"),
        ("A: <x>", "lark-terminal-only", "<x>"),
        ("A: \"x\" A", "lark-terminal-cycle", "A"),
        ("a: t{\"x\"}", "lark-template", "t"),
        ("t{x}: x\na: t", "lark-template", "t"),
        ("t{x}: x\na: t{\"a\", \"b\"}", "lark-template", "t"),
        ("a: /a(?=b)/", "lark-regex", "(?="),
        ("a: /^a/", "lark-regex", "^"),
        ("a: /a\\b/", "lark-regex", "\\b"),
        ("a: /(a)\\1/", "lark-regex", "\\1"),
        ("a: /[b-a]/", "lark-regex", "b-a"),
        ("a: /a++/", "lark-regex", "++"),
        ("a: /[[:alpha:]]/", "lark-regex", "[["),
        ("a: /a/l", "lark-regex", "l"),
    ];
    for (text, code, place) in cases {
        let source = format!("{text}\nstart: \"n\"\n");
        let (grammar, found) = parse(&source);
        let found: Vec<_> = found.iter().map(|d| (d.code, d.span.text(&source))).collect();
        assert_eq!(found, [(code, place)], "{text}");
        assert!(grammar.rules.iter().any(|r| r.name.value == "start" && shape(&r.body) == "\"n\""), "{text}");
    }
}

#[test]
fn names_are_checked_and_the_start_is_not_guessed() {
    let cases = [
        ("a: \"x\"", "missing-root", "add `start: a`"),
        ("start: valeu\nvalue: \"a\"", "undefined-rule", "did you mean `value`?"),
        ("start: \"a\"\nstart: \"b\"", "duplicate-rule", "another name"),
    ];
    for (text, code, help) in cases {
        let found = parse_lark(text).1;
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(only.code == code && only.help.as_deref().is_some_and(|h| h.contains(help)), "{text}: {only:?}");
    }
}

#[test]
fn what_has_no_effect_is_said() {
    let cases = [
        ("start.2: \"a\"", "lark-priority"),
        ("start: /a+?/", "lark-lazy-repetition"),
        ("start[capture]: \"a\"", "lark-capture"),
    ];
    for (text, code) in cases {
        let found = parse_lark(text).1;
        assert_eq!(found.iter().map(|d| (d.code, d.is_error())).collect::<Vec<_>>(), [(code, false)], "{text}");
    }
}

#[test]
fn lazy_rules_beside_others_are_refused() {
    let text = "start: head* tail\nhead[lazy]: T \"x\"\ntail: T\nT: /[a-z]*/\n";
    let found = parse_lark(text).1;
    assert_eq!(found.iter().map(|d| (d.code, d.span.text(text))).collect::<Vec<_>>(), [("lark-lazy-choice", "head")]);
}

#[test]
fn endless_templates_are_refused_with_given_and_limit() {
    let text = "start: a{\"x\"}\na{x}: a{b{x}}\nb{x}: x \"y\"\n";
    let found = parse_lark(text).1;
    assert!(found[0].code == "lark-template" && found[0].message.contains("1001") && found[0].message.contains("1000"));
}
