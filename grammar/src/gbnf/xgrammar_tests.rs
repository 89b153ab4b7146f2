//! Tests of what xgrammar adds to GBNF, as tables.

use super::{names, parse};
use crate::rules::shape;
use crate::severity::Severity;
use crate::{Code, Diagnostic};

fn body(text: &str) -> String {
    let source = format!("root ::= {text}\n");
    let (grammar, found) = parse(&source);
    assert_eq!(found, [], "{source}");
    shape(&grammar.rules[0].body)
}

fn errors(source: &str) -> Vec<(Code, &str)> {
    let found = parse(source).1;
    found.iter().filter(|one| one.is_error()).map(|one| (one.code, one.span.text(source))).collect()
}

#[test]
fn parses_xgrammar_expressions() {
    let cases = [
        ("[^] [^]*", "(, . .{0,})"),
        (r#""\b\f\v\a\e\0\/\'\?""#, r#""\u{8}\u{c}\u{b}\u{7}\u{1b}\0/'?""#),
        (r"[\^\$\.\*\+\?\(\)\{\}\|\/\-\[\]]", "['^' '$' '.' '*' '+' '?' '(' ')' '{' '}' '|' '/' '-' '[' ']']"),
        (r"[^] [\x1F600-\x1F64F]", "(, . ['😀'-'🙏'])"),
        (r#"[^] "\x41B""#, "(, . \"Л\")"),
        (r#""\x41g\x110000000""#, "\"Ag\\u{11}0000000\""),
        ("Regex(\"a.c\")", "/a(?s:.)c/"),
        ("Regex(\"a.\", flags=\"\")", "/a[^\\n]/"),
        ("Regex(\"a.\", flags=\"s\")", "/a(?s:.)/"),
        ("Regex(\"(?i)K[^k-l]\\\\d\")", "/[kK][^k-lK-L]\\d/"),
        (
            "Regex(\"(?<n>\\\\s|\\\\S)[\\\\s_][\\\\S]\\\\.\")",
            "/(?:[\\t-\\r ]|[^\\t-\\r ])[\\t-\\r \\u{5f}][\\x00-\\x08\\x0e-\\x1f!-\\u{10ffff}]\\u{2e}/",
        ),
        ("Regex(\"a\", json_string=true)", "(- /a/ (, .{0,} ['\\0'-'\\u{1f}' '\"' '\\\\'] .{0,}))"),
        ("Substring(\"ab\", \"c\") \"d\"", "(, substring [\"ab\", \"c\"] \"d\")"),
        ("Token(1, 20)", "(| token <[1]> token <[20]>)"),
        ("Regex (\"a\")", "(, Regex \"a\")"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn dots_belong_to_a_name_only_if_a_rule_has_that_name() {
    let (grammar, found) = parse("root ::= a.b c.d e. .f\na.b ::= \"x\"\n");
    assert_eq!((shape(&grammar.rules[0].body).as_str(), found.len()), ("(, a.b c . d e . . f)", 0));
    let listed = names("root ::= a.b c.d\na.b ::= \"x\"\n");
    let listed: Vec<(&str, u32)> = listed.iter().map(|name| (name.name.as_str(), name.span.start)).collect();
    assert_eq!(listed, [("root", 0), ("a.b", 9), ("c", 13), ("d", 15), ("a.b", 17)]);
}

#[test]
fn parses_rule_options() {
    let cases = [
        ("root[lazy] ::= [a-z]+", "(lazy ['a'-'z']{1,})"),
        ("root[max_chars=3] ::= [^]*", ".{0,} at most Chars(3)"),
        ("root[ max_tokens = 10 , lazy] ::= \"a\"", "(lazy \"a\") at most Tokens(10)"),
        ("root [lazy] ::= \"a\"", "(lazy \"a\")"),
        ("root[capture=\"a]b\", temperature=1e-3] ::= \"a\"", "(a]b Whole \"a\")"),
    ];
    for (text, expected) in cases {
        let (grammar, found) = parse(text);
        assert!(found.iter().all(|one| one.severity == Severity::Note), "{text} {found:?}");
        assert_eq!(shape(&grammar.rules[0].body), expected, "{text}");
    }
    let notes = parse("root[capture, temperature=0.7] ::= \"a\"").1;
    assert_eq!(notes.len(), 1);
    assert_eq!(errors("a[capture=] ::= x"), [(Code::GbnfRuleAttribute, "capture=")]);
    assert_eq!(errors("a[max_tokens=0] ::= x"), [(Code::GbnfRuleAttribute, "max_tokens=0")]);
    assert_eq!(errors("a[lazy, lazy] ::= x"), [(Code::GbnfRuleAttribute, "lazy")]);
    assert_eq!(errors("a[max_chars=1, max_tokens=1] ::= x"), [(Code::GbnfRuleAttribute, "max_chars=1, max_tokens=1")]);
    assert_eq!(errors("a[suffix=\"x\"] ::= x"), [(Code::GbnfRuleAttribute, "suffix=\"x\"")]);
}

/// Each error gives one diagnostic at one place, and the rule after it is read.
#[test]
fn each_mistake_is_one_diagnostic_and_parsing_resumes() {
    let cases = [
        (r#"a ::= "\x41B""#, Code::GbnfEscape, r"\x41B"),
        (r"a ::= [\x1F600-\x1F64F]", Code::GbnfEscape, r"\x1F600"),
        (r#"a ::= "\01""#, Code::GbnfEscape, r"\0"),
        ("a ::= (x (=\"y\"))", Code::GbnfLookahead, "="),
        ("a ::= x (=\"y\") z", Code::ExpectedExpression, "z"),
        ("a ::= TagDispatch(\"t\")", Code::GbnfMacro, "\"t\""),
        ("a ::= TagDispatch((\"t\", x), loops=true)", Code::GbnfMacro, "loops"),
        ("a ::= TagDispatch((\"a<b\", x), (\"<\", y))", Code::GbnfMacro, "\"a<b\""),
        ("a ::= TagDispatch((\"ab\", x), excludes=(\"a\",))", Code::GbnfMacro, "\"ab\""),
        ("a ::= TagDispatch((\"a\", x), excludes=(\"a\",))", Code::GbnfMacro, "\"a\""),
        ("a ::= TokenTagDispatch((\"1\", x)) y", Code::GbnfMacro, "(\"1\", x)"),
        ("a ::= TokenTagDispatch((1, x), excludes=(2,)) y", Code::GbnfMacro, "excludes"),
        ("a ::= ExcludeToken(\"x\")", Code::GbnfMacro, "ExcludeToken(\"x\")"),
        ("a ::= AnyTokens(1)", Code::GbnfMacro, "AnyTokens(1)"),
        ("a ::= Token()", Code::GbnfMacro, "Token()"),
        ("a ::= Regex()", Code::GbnfMacro, "Regex()"),
        ("a ::= Regex(\"(?=a)\")", Code::GbnfMacro, "\"(?=a)\""),
        ("a ::= Regex(\"\\\\1\")", Code::GbnfMacro, "\"\\\\1\""),
        ("a ::= Regex(\"a\", flags=\"m\")", Code::GbnfMacro, "\"m\""),
        ("a ::= Regex([a-z])", Code::GbnfMacro, "[a-z]"),
        ("a ::= Regex(\"a\"", Code::UnclosedGroup, "("),
        ("a ::= Substring(\"a\" \"b\")", Code::GbnfMacro, "\"b\""),
    ];
    for (text, code, place) in cases {
        let source = format!("{text}\nnext ::= \"n\"\n");
        assert_eq!(errors(&source)[..1], [(code, place)], "{text}");
        let rules = parse(&source).0.rules;
        assert!(rules.iter().any(|rule| rule.name.value == "next" && shape(&rule.body) == "\"n\""), "{text}");
    }
}

#[test]
fn lookaheads_that_always_hold_are_dropped() {
    let kept = [
        "root ::= a \"b\"\na ::= \"a\" (=\"b\")",
        "root ::= a \"b\" \"c\" [0-9]\na ::= \"a\" (= \"b\" \"c\" [0-9])",
        "root ::= (a (\",\" | b))* \".\"\na ::= \"a\" (=[,;])\nb ::= \";\"",
        "root ::= a c\na ::= \"a\" (=\"x\" b?)\nb ::= \"y\"\nc ::= \"x\"+",
        "root ::= ws a ws \"b\"\nws ::= \" \"?\na ::= \"a\" (=ws \"b\")",
        "root ::= a [ \\n]* \"}\"\na ::= \"a\" (=[ \\n]* [},])",
        "root ::= \"x\"\nunused ::= \"a\" (=\"b\")",
        "root ::= \"x\" (=\"\")",
    ];
    for text in kept {
        let (_, found) = parse(text);
        let codes: Vec<_> = found.iter().map(|one: &Diagnostic| (one.code, one.severity)).collect();
        assert_eq!(codes, [(Code::GbnfLookahead, Severity::Note)], "{text}");
    }
}

#[test]
fn lookaheads_that_can_fail_are_errors() {
    let broken = [
        ("root ::= \"a\" (=\"b\")", "a text can end behind `root`"),
        ("root ::= a \"b\" | a \"c\"\na ::= \"a\" (=\"b\")", "\"c\" can follow `a`"),
        ("root ::= a \"b\" \"d\"\na ::= \"a\" (=\"b\" \"c\")", "\"bd\" can follow `a`"),
        ("root ::= a \"b\"?\na ::= \"a\" (=\"b\")", "a text can end behind `a`"),
        ("root ::= a \"bc\"\na ::= \"a\" (=\"b\"{1,3} \"d\")", "\"bc\" can follow `a`"),
        ("root ::= a <think>\na ::= \"a\" (=\"<\")", "too much to find out"),
        ("root ::= a r\na ::= \"a\" (=r)\nr ::= \"(\" r? \")\"", "too much to find out"),
    ];
    for (text, message) in broken {
        let (_, found) = parse(text);
        let [one] = found.as_slice() else { panic!("{text} {found:?}") };
        assert!(one.code == Code::GbnfLookahead && one.is_error() && one.message.contains(message), "{text} {one:?}");
    }
}
