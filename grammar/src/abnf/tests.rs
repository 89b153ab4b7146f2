//! Tests of the reader of ABNF, as tables.

use super::parse_abnf;
use crate::rules::shape;
use crate::{Code, Severity};

fn bodies(text: &str) -> Vec<String> {
    let (grammar, found) = super::parse(text);
    assert_eq!(found, [], "{text}");
    grammar.rules.iter().map(|rule| format!("{} {}", rule.name.value, shape(&rule.body))).collect()
}

#[test]
fn parses_abnf_expressions() {
    let cases = [
        ("%s\"aB\"", "\"aB\""),
        ("%s\"a\" \"1\"", "(, \"a\" \"1\")"),
        ("\"a-1\"", "(, ['A' 'a'] \"-1\")"),
        ("%I\"a\"", "['A' 'a']"),
        ("\"\"", "\"\""),
        ("%x41", "\"A\""),
        ("%X41.42.63 / %d13.10", "(| \"ABc\" \"\\r\\n\")"),
        ("%x41-5a", "['A'-'Z']"),
        ("%b1000001", "\"A\""),
        ("%d48-57", "['0'-'9']"),
        ("b / c / d e", "(| b c (, d e))"),
        ("b (c / d) [e]", "(, b (| c d) e{0,1})"),
        ("*b 2*b *4b 2*4b 3b", "(, b{0,} b{2,} b{0,4} b{2,4} b{3,3})"),
        ("1*(b c)", "(, b c){1,}"),
        ("2[b]", "b{0,1}{2,2}"),
        ("<b>", "b"),
        ("b ; (c) /\n  d ; e\n  / e", "(| (, b d) e)"),
        ("b /\n c", "(| b c)"),
        ("(*b) (*(c))", "(, b{0,} c{0,})"),
        ("\"(\"b\")\"", "(, \"(\" b \")\")"),
        ("%x80-10FFFF", "['\\u{80}'-'\\u{10ffff}']"),
        ("%x20-D7FF / %xE000-FFFD", "(| [' '-'\\u{d7ff}'] ['\\u{e000}'-'\u{FFFD}'])"),
        ("%x00A7", "\"§\""),
        ("%x00A0-00FF", "['\\u{a0}'-'ÿ']"),
        ("%xA7 / %x2026", "(| \"§\" \"…\")"),
    ];
    for (text, expected) in cases {
        assert_eq!(bodies(&format!("a = {text}")), [format!("a {expected}")], "{text}");
    }
}

#[test]
fn names_ignore_case_and_rules_can_be_extended() {
    assert_eq!(bodies("a = B\nb = A / c\nC = b\nB =/ a\n"), ["a b", "b (| a C a)", "C b"]);
    assert_eq!(bodies("a = %s\"x\"\na =/ %s\"y\" / a\n"), ["a (| \"x\" \"y\" a)"]);
    assert_eq!(bodies("   a = b\n      a\n   b = a"), ["a (, b a)", "b a"], "a text that is indented as a whole");
    assert_eq!(bodies("a = b\r\n  a\r\nb = a\r\n"), ["a (, b a)", "b a"]);
}

#[test]
fn core_rules_are_added_if_used() {
    assert_eq!(bodies("a = digit / DIGIT"), ["a (| DIGIT DIGIT)", "DIGIT ['0'-'9']"]);
    assert_eq!(bodies("a = Hexdig\nHEXDIG = \"0\""), ["a HEXDIG", "HEXDIG \"0\""], "its own definition comes first");
    assert_eq!(bodies("a = LWSP")[1], "LWSP (| [' ' '\\t'] (, \"\\r\\n\" [' ' '\\t'])){0,}");
    let (grammar, found) = parse_abnf(&format!("a = {}", super::core::NAMES.join(" ")));
    assert_eq!(grammar.rules.len(), 1 + super::core::NAMES.len());
    assert!(found.iter().all(|one| one.code == Code::AbnfOctets && one.severity == Severity::Warning), "{found:?}");
}

/// Checks that each error gives one diagnostic at one place, and that the rule after it is read.
#[test]
fn each_mistake_is_one_diagnostic_and_parsing_resumes() {
    let cases = [
        ("a = \"x", Code::AbnfUnclosed, "\""),
        ("a = <x", Code::AbnfUnclosed, "<"),
        ("a = \"é\"", Code::AbnfCharacter, "é"),
        ("a = <see RFC 1>", Code::AbnfProse, "<see RFC 1>"),
        ("a = 1#b", Code::AbnfList, "1#"),
        ("a = #b", Code::AbnfList, "#"),
        ("a = b*", Code::AbnfRepetition, "*"),
        ("a = b* b", Code::AbnfRepetition, "*"),
        ("a = b*b", Code::AbnfRepetition, "*"),
        ("a = * b", Code::AbnfRepetition, "*"),
        ("a = 3", Code::AbnfRepetition, "3"),
        ("a = 3*2b", Code::AbnfRepetition, "3*2"),
        ("a = 99999999999b", Code::AbnfRepetition, "99999999999"),
        ("a = b | c", Code::AbnfSign, "|"),
        ("a = b+", Code::AbnfSign, "+"),
        ("a = b?", Code::AbnfSign, "?"),
        ("a = {b}", Code::AbnfSign, "{"),
        ("a = 'b'", Code::AbnfSign, "'"),
        ("a = b - c", Code::AbnfSign, "-"),
        ("a = (b, c)", Code::AbnfSign, ","),
        ("a = \"b\"\"c\"", Code::AbnfSign, "\"b\"\"c\""),
        ("a ::= b", Code::ExpectedRule, "::="),
        ("a = b // c", Code::AbnfSign, "//"),
        ("a = b /* c */", Code::AbnfSign, "/*"),
        ("a: b", Code::ExpectedRule, ":"),
        ("a = (b", Code::UnclosedGroup, "("),
        ("a = (b]", Code::UnclosedGroup, "("),
        ("a = b)", Code::UnmatchedParenthesis, ")"),
        ("a = b / ", Code::ExpectedExpression, ""),
        ("a = ", Code::ExpectedExpression, ""),
        ("a = b next = c", Code::AbnfLine, "next"),
        ("a = b\nc", Code::AbnfLine, "c"),
        ("a =/ b", Code::AbnfIncremental, "a"),
        ("a = %x", Code::AbnfValue, ""),
        ("a = %x41-", Code::AbnfValue, ""),
        ("a = %q", Code::AbnfValue, "%"),
        ("a = %xD800", Code::AbnfValue, "D800"),
        ("a = %x110000", Code::AbnfValue, "110000"),
        ("a = %d99999999999999", Code::AbnfValue, "99999999999999"),
        ("a = %x5A-41", Code::ReversedRange, "41"),
        ("a = %xA7", Code::AbnfOctetOrCharacter, "%xA7"),
        ("a = %xC2-DF", Code::AbnfOctetOrCharacter, "%xC2-DF"),
        ("a = %xA0-FF", Code::AbnfOctetOrCharacter, "%xA0-FF"),
        ("a = OCTET %x2026", Code::AbnfOctetOrCharacter, "OCTET"),
        ("a = %x80-FF", Code::AbnfOctets, "%x80-FF"),
        ("a = %xEF.BB.BF", Code::AbnfOctets, "%xEF.BB.BF"),
        ("a = octet", Code::AbnfOctets, "octet"),
    ];
    for (text, code, place) in cases {
        let source = format!("{text}\nnext = %s\"n\"\n");
        let (grammar, diagnostics) = super::parse(&source);
        let found: Vec<_> = diagnostics.iter().map(|d| (d.code, d.span.text(&source))).collect();
        assert_eq!(found, [(code, place)], "{text}");
        let last = grammar.rules.iter().rfind(|rule| rule.name.value == "next");
        assert_eq!(last.map(|rule| shape(&rule.body)), Some("\"n\"".to_owned()), "{text}");
    }
}

#[test]
fn octets_of_utf_8_become_the_encoded_characters() {
    let (grammar, _) = super::parse("a = %xEF.BB.BF / %x00-FF / %x80-FF");
    assert_eq!(shape(&grammar.rules[0].body), "(| \"\\u{feff}\" ['\\0'-'\\u{10ffff}'] ['\\u{80}'-'\\u{10ffff}'])");
}

#[test]
fn names_are_checked_without_regard_to_case() {
    let codes = |text| parse_abnf(text).1.iter().map(|one| one.code).collect::<Vec<_>>();
    assert_eq!(codes("a = B\nb = A"), []);
    assert_eq!(codes("a = DIGTI"), [Code::UndefinedRule]);
    assert_eq!(codes("a = \"x\"\nA = \"y\""), [Code::DuplicateRule]);
    assert_eq!(codes(""), [Code::NoRules]);
    let (_, found) = parse_abnf("a = DIGTI");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `DIGIT`?"));
    let start = crate::rules::Start::Named("List");
    assert_eq!(super::parse_abnf_rooted("item = ALPHA\nlist = *item", start).1, []);
}

#[test]
fn the_total_length_of_texts_is_bounded() {
    let line = format!("a =/ \"{}\"\n", "x".repeat(1_000_000));
    let (_, found) = super::parse(&format!("a = \"x\"\n{}", line.repeat(3)));
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::TextTooLong]);
}
