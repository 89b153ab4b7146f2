//! Tests of both EBNF readers, as tables.

use super::{Style, parse, style};
use crate::Code;
use crate::rules::shape;

fn bodies(text: &str) -> Vec<String> {
    let (grammar, diagnostics) = parse(text);
    assert_eq!(diagnostics, [], "{text}");
    grammar.rules.iter().map(|r| format!("{} {}", r.name.value, shape(&r.body))).collect()
}

#[test]
fn the_first_defining_sign_decides_the_style() {
    let cases = [
        ("a ::= 'x = y'", Style::W3c),
        ("/* = */ [1] a ::= b", Style::W3c),
        ("a = 'x ::= y';", Style::Iso),
        ("(* ::= *) two words = b;", Style::Iso),
        ("a-b ::= c", Style::W3c),
        ("", Style::W3c),
        ("// a = b\na ::= b", Style::W3c),
        ("# c\nroot ::= \"a\"", Style::Gbnf),
        ("root ::= \"a\\n\" | \"it's\"", Style::Gbnf),
        ("a ::= 'x' | \"a\\n\"", Style::W3c),
        ("a ::= \"a\\n\"", Style::W3c),
        ("a ::= \"a\"{2,3}", Style::Gbnf),
        ("root ::= \"\\\"\" [^\"\\]* \"'\" ['-] \"\\\"\"", Style::Gbnf),
        ("# don't\nroot ::= a\na ::= [^\\n]", Style::Gbnf),
        ("nl ::= #xA", Style::W3c),
        ("a ::= \"b\" [ WFC: unique ]", Style::W3c),
        ("a ::= [#x20-#x7E] | 'b", Style::W3c),
        ("root ::= [0-9]+ # number 'x'\n    )", Style::Gbnf),
    ];
    for (text, expected) in cases {
        assert_eq!(style(text), expected, "{text}");
    }
}

#[test]
fn parses_w3c_expressions() {
    let cases = [
        ("'a' \"b'\" '\"'", "(, \"a\" \"b'\" \"\\\"\")"),
        ("#x9 | #xA | #x1F600", "(| \"\\t\" \"\\n\" \"😀\")"),
        ("[a-zA-Z]", "['a'-'z' 'A'-'Z']"),
        ("[#x20-#x7E#xA-]", "[' '-'~' '\\n' '-']"),
        ("[^<&\"']", "[^'<' '&' '\"' '\\'']"),
        ("b - c", "(- b c)"),
        ("b - c - d", "(- b (| c d))"),
        ("b c - d e", "(, b (- c d) e)"),
        ("[^<&]* - ([^<&]* ']]>' [^<&]*)", "(- [^'<' '&']{0,} (, [^'<' '&']{0,} \"]]>\" [^'<' '&']{0,}))"),
        ("b-c", "b-c"),
        ("b- c", "(- b c)"),
        ("b? (c | d)* e+", "(, b{0,1} (| c d){0,} e{1,})"),
        ("b\n  c\n  | d /* x */", "(| (, b c) d)"),
        ("", "(, )"),
    ];
    for (text, expected) in cases {
        assert_eq!(bodies(&format!("a ::= {text}")), [format!("a {expected}")], "{text}");
    }
    assert_eq!(bodies("[1] a ::= b [2]\n[2a]  b.c ::= 'd'"), ["a (, b ['2'])", "b.c \"d\""]);
}

#[test]
fn parses_iso_expressions() {
    let cases = [
        ("'a', \"b\"", "(, \"a\" \"b\")"),
        ("b | c / d ! e", "(| b c d e)"),
        ("[b], {c}, (d)", "(, b{0,1} c{0,} d)"),
        ("(/ b /), (: c :)", "(, b{0,1} c{0,})"),
        ("3 * b", "b{3,3}"),
        ("2 * [b], c", "(, b{0,1}{2,2} c)"),
        ("b - c", "(- b c)"),
        ("b-c, d", "(, (- b c) d)"),
        ("{'b'}-", "\"b\"{1,}"),
        ("{['b']}-", "(- \"b\"{0,1}{0,} (, ))"),
        ("b c, d_1", "(, b-c d_1)"),
        ("", "(, )"),
        ("'b' | ", "(| \"b\" (, ))"),
        ("(* x (* y *) ; *) b", "b"),
    ];
    for (text, expected) in cases {
        assert_eq!(bodies(&format!("a = {text};")), [format!("a {expected}")], "{text}");
    }
    assert_eq!(bodies("a = {b}-;\nb c = 'd'. b = b c;"), ["a b{1,}", "b-c \"d\"", "b b-c"]);
}

/// Checks that each error gives one diagnostic at one place, and that the rule after it is read.
#[test]
fn each_mistake_is_one_diagnostic_and_parsing_resumes() {
    let cases = [
        ("a ::= 'x", Code::EbnfUnclosed, "'"),
        ("a ::= [x", Code::EbnfUnclosed, "["),
        ("a ::= []", Code::EmptyClass, "[]"),
        ("a ::= [z-a]", Code::ReversedRange, "z-a"),
        ("a ::= #xD800", Code::EbnfCharacter, "#xD800"),
        ("a ::= (b", Code::UnclosedGroup, "("),
        ("a ::= b)", Code::UnmatchedParenthesis, ")"),
        ("a ::= b - ", Code::ExpectedExpression, "-"),
        ("a ::= - b", Code::ExpectedExpression, "-"),
        ("a ::= b, c", Code::EbnfMixedStyles, ","),
        ("a ::= b;", Code::EbnfMixedStyles, ";"),
        ("a ::= b\nc = d", Code::EbnfMixedStyles, "="),
        ("a ::= 'b'{2}", Code::EbnfMixedStyles, "{"),
        ("a ::= 'b' .", Code::UnexpectedCharacter, "."),
        ("a ::= 'b' # c", Code::UnexpectedCharacter, "#"),
        ("a ::= b [ WFC: unique ]", Code::EbnfConstraint, "[ WFC: unique ]"),
        ("a ::= 'x\\n'", Code::EbnfBackslash, "\\n"),
        ("a ::= [\\n]", Code::EbnfBackslash, "\\n"),
        ("a = 'x;", Code::EbnfUnclosed, "'"),
        ("a = (b;", Code::UnclosedGroup, "("),
        ("a = b};", Code::UnmatchedParenthesis, "}"),
        ("a = b 'c';", Code::ExpectedExpression, "'c'"),
        ("a = b*;", Code::ExpectedExpression, "*"),
        ("a = b+;", Code::EbnfMixedStyles, "+"),
        ("a = b?;", Code::EbnfMixedStyles, "?"),
        ("a = ? any ?;", Code::EbnfSpecialSequence, "? any ?"),
        ("a = 3 b;", Code::EbnfRepetition, "3"),
        ("a = [0-9];", Code::EbnfRepetition, "0"),
        ("a = b", Code::EbnfTerminator, ""),
        ("a = b;\nc ::= d", Code::EbnfMixedStyles, "::="),
        ("a = 'x\\n';", Code::EbnfBackslash, "\\n"),
    ];
    for (text, code, place) in cases {
        let next = if super::first_sign(text) == Style::W3c { "next ::= 'n'" } else { "next = 'n';" };
        let source = format!("{text}\n{next}\n");
        let (grammar, diagnostics) = parse(&source);
        let found: Vec<_> = diagnostics.iter().map(|d| (d.code, d.span.text(&source))).collect();
        assert_eq!(found, [(code, place)], "{text}");
        let last = grammar.rules.last().map(|r| (r.name.value.as_str(), shape(&r.body)));
        assert_eq!(last, Some(("next", "\"n\"".to_owned())), "{text}");
    }
}

/// Reads a text; returns its rules and their start, or the codes of its errors.
fn read(text: &str) -> Result<(Vec<String>, Option<String>), Vec<Code>> {
    let (grammar, found) = super::parse_ebnf(text);
    if !found.is_empty() {
        return Err(found.iter().map(|one| one.code).collect());
    }
    let bodies = grammar.rules.iter().map(|rule| format!("{} {}", rule.name.value, shape(&rule.body)));
    Ok((bodies.collect(), grammar.start))
}

#[test]
fn gbnf_in_ebnf_files_is_read_as_gbnf() {
    let read = |text| read(text).map(|(rules, start)| (rules.join("; "), start.unwrap_or_default()));
    let ok = |rules: &str, start: &str| Ok((rules.to_owned(), start.to_owned()));
    assert_eq!(read("root ::= \"a\\n\" b\nb ::= [\\t]"), ok("root (, \"a\\n\" b); b ['\\t']", "root"));
    assert_eq!(read("b ::= \"\\\"\"\nroot ::= b"), ok("b \"\\\"\"; root b", "root"));
    assert_eq!(read("# c\na ::= \"x\""), ok("a \"x\"", ""), "without `root` the first rule is the start");
    assert_eq!(read("digit ::= [0-9]\nroot ::= digit+"), ok("digit ['0'-'9']; root digit{1,}", "root"));
    assert_eq!(read("/* W3C */ digit ::= [0-9]\nroot ::= digit"), ok("digit ['0'-'9']; root digit", ""));
    assert_eq!(read("root ::= \"(\" root \")\" | \"\""), ok("root (| (, \"(\" root \")\") \"\")", ""));
}

#[test]
fn text_that_is_both_gbnf_and_ebnf_is_an_error() {
    assert_eq!(read("a ::= \"x\\n\""), Err(vec![Code::EbnfBackslash]));
    assert_eq!(read("a ::= [\\t ]"), Err(vec![Code::EbnfBackslash]));
    assert_eq!(read("/* W3C */ root ::= \"x\\n\""), Err(vec![Code::EbnfBackslash]));
    assert_eq!(read("list ::= root \",\" root\nroot ::= [a-z]"), Err(vec![Code::EbnfDialect]));
    assert_eq!(read("root ::= \"a\" #xFF"), Err(vec![Code::EbnfDialect]));
    assert_eq!(read("a ::= \"[\\]\" | \"b\""), Err(vec![Code::EbnfDialect]), "GBNF has `\\]`");
    let (_, found) =
        super::parse_ebnf_rooted("list ::= root \",\" root\nroot ::= [a-z]", crate::rules::Start::Named("list"));
    assert_eq!(found, [], "whoever names the start rule has chosen");
}

#[test]
fn other_notations_are_named() {
    let cases = [
        ("uri = scheme \":\" *ALPHA\n", "ABNF"),
        ("<a> ::= <b> | \"x\"\n<b> ::= \"y\"\n", "BNF with names in angle brackets"),
        ("grammar A;\na : 'x' ;\n", "ANTLR"),
        ("start: \"x\" y\ny: \"z\"\n", "Lark"),
        ("A <- 'x' / B\nB <- 'y'\n", "PEG"),
        ("{\"type\": \"string\"}", "JSON"),
    ];
    for (text, name) in cases {
        let (_, found) = super::parse_ebnf(text);
        let [found] = &found[..] else { panic!("{text} {found:?}") };
        assert_eq!(found.code, Code::OtherNotation, "{text}");
        assert!(found.message.starts_with(&format!("this is {name}, ")) && found.help.is_some(), "{found:?}");
    }
}
