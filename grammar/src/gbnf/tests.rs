//! Tests of the GBNF reader, as tables.

use super::{parse, parse_gbnf};
use crate::Code;
use crate::fix::apply;
use crate::rules::shape;

fn body(text: &str) -> String {
    let source = format!("root ::= {text}\n");
    let (grammar, diagnostics) = parse(&source);
    assert_eq!(diagnostics, [], "{source}");
    assert_eq!(grammar.rules.len(), 1, "{source}");
    shape(&grammar.rules[0].body)
}

#[test]
fn parses_gbnf_expressions() {
    let cases = [
        (r#""abc""#, "\"abc\""),
        (r#""\n\r\t\\\"\[\]\-\x41\x85\u20AC\U0001F600""#, "\"\\n\\r\\t\\\\\\\"[]-A\\u{85}€😀\""),
        (r#""""#, "\"\""),
        ("\"a\nb\"", "\"a\\nb\""),
        ("[a-z_]", "['a'-'z' '_']"),
        (r"[^\]\\a-]", "[^']' '\\\\' 'a' '-']"),
        ("[-+*/]", "['-' '+' '*' '/']"),
        (r"[a\-z]", "['a' '-' 'z']"),
        (r"[\x00-\x1F]", "['\\0'-'\\u{1f}']"),
        ("[a^]", "['a' '^']"),
        ("[[]", "['[']"),
        ("[ぁ-ゟ]", "['ぁ'-'ゟ']"),
        (".", "."),
        ("a b", "(, a b)"),
        ("a | b c | ()", "(| a (, b c) (, ))"),
        ("| a", "(| (, ) a)"),
        ("", "(, )"),
        ("()", "(, )"),
        ("(a)", "a"),
        ("(a | b) c", "(, (| a b) c)"),
        ("(a\n  b\n)", "(, a b)"),
        ("a\n  b\n\t\"c\"", "(, a b \"c\")"),
        ("a |\n  b", "(| a b)"),
        ("a\n  | b", "(| a b)"),
        ("# c\n a # d", "a"),
        ("a* b+ c?", "(, a{0,} b{1,} c{0,1})"),
        ("a{2} b{2,} c{,3} d { 2 , 3 }", "(, a{2,2} b{2,} c{0,3} d{2,3})"),
        ("a{0, -1} b{2,-1}", "(, a{0,} b{2,})"),
        ("a* ?", "a{0,}{0,1}"),
        ("\"ab\"+", "\"ab\"{1,}"),
        ("term(\"*\" a)*", "(, term (, \"*\" a){0,})"),
        ("<think> !</think>* <[12]> !<[3]>", "(, token <think> token !</think>{0,} token <[12]> token <[^3]>)"),
        ("a-b 0x x_y -", "(, a-b 0x x_y -)"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn rules_end_at_line_breaks_outside_of_groups() {
    let cases = [
        ("a ::= b\nb ::= c", 2),
        ("a ::=\n  b\n\n\nb ::= c", 2),
        ("a ::=\nb ::= c", 2),
        ("a ::= b\r\nb ::= c\r", 2),
        ("# only\n", 0),
    ];
    for (text, rules) in cases {
        let (grammar, diagnostics) = parse(text);
        assert_eq!((grammar.rules.len(), diagnostics), (rules, vec![]), "{text}");
    }
}

/// Empty alternatives are legal, but some are probably not intended.
#[test]
fn empty_alternatives_are_warned_of() {
    let found =
        |text: &str| parse(text).1.iter().map(|one| (one.code, one.is_error(), one.span.start)).collect::<Vec<_>>();
    for (text, place) in
        [("a ::= b |\nb ::= c", 8), ("a ::= b || c", 8), ("a ::= (b || c) d", 9), ("a ::= b | # c\n", 8)]
    {
        assert_eq!(found(text), [(Code::EmptyAlternative, false, place)], "{text}");
    }
    for text in ["a ::= | b", "a ::= (b | ) c", "a ::= b | | c", "a ::= b |\n  c", "a ::= () | b"] {
        assert_eq!(found(text), [], "{text}");
    }
}

/// Hyphens alone may be the name of a rule.
#[test]
fn hyphens_that_are_a_rule_begin_no_comment() {
    assert_eq!(parse_gbnf("root ::= -- \"a\"\n-- ::= \"x\"").1, []);
    assert_eq!(parse_gbnf("root ::= \"a\" -- b\n").1.len(), 1);
}

/// Each error gives one diagnostic at one place, and the rule after it is read.
#[test]
fn each_mistake_is_one_diagnostic_and_parsing_resumes() {
    let cases = [
        ("a ::= \"x", Code::GbnfUnclosed, "\""),
        ("a ::= [x", Code::GbnfUnclosed, "["),
        ("a ::= (x", Code::UnclosedGroup, "("),
        ("a ::= x)", Code::UnmatchedParenthesis, ")"),
        ("a ::= []", Code::EmptyClass, "[]"),
        ("a ::= [z-a]", Code::ReversedRange, "z-a"),
        ("a ::= [\\\\x1f-\\\\xff]", Code::GbnfEscape, "\\\\xff"),
        ("a ::= [\\\\x00-\\\\u007f]", Code::GbnfEscape, "\\\\u007f"),
        ("a ::= [a - z]", Code::SpacedRange, " - "),
        ("a ::= \"\\q\"", Code::GbnfEscape, "\\q"),
        ("a ::= [\\d]", Code::GbnfEscape, "\\d"),
        ("a ::= \"\\x4\"", Code::GbnfEscape, "\\x4"),
        ("a ::= \"\\uD800\"", Code::GbnfEscape, "\\uD800"),
        ("a ::= \"\\U00110000\"", Code::GbnfEscape, "\\U00110000"),
        ("a ::= x{}", Code::GbnfRepetition, "{}"),
        ("a ::= x{3,2}", Code::GbnfRepetition, "{3,2}"),
        ("a ::= x{99999999999}", Code::GbnfRepetition, "{99999999999}"),
        ("a ::= x{a}", Code::GbnfRepetition, "{"),
        ("a ::= *", Code::NothingToRepeat, "*"),
        ("a ::= (?:x)", Code::NothingToRepeat, "?"),
        ("a ::= x | +", Code::NothingToRepeat, "+"),
        ("a ::= x*****", Code::NestingTooDeep, "*"),
        ("a ::= 'x'", Code::GbnfSingleQuotes, "'x'"),
        ("a ::= <x", Code::GbnfToken, "<x"),
        ("a ::= <[x]>", Code::GbnfToken, "<[x]>"),
        ("a ::= x, y", Code::UnexpectedCharacter, ","),
        ("a ::= x;", Code::UnexpectedCharacter, ";"),
        ("a = x", Code::ExpectedRule, "="),
        ("a ::= x\ny", Code::ExpectedRule, "y"),
        ("a ::= x\n\"y\"", Code::GbnfLine, "\"y\""),
        ("a ::= x b ::= y", Code::GbnfLine, "b"),
        ("<a> ::= x", Code::ExpectedRule, "<a>"),
        ("a ::= /* c */ x", Code::UnexpectedCharacter, "/*"),
    ];
    for (text, code, place) in cases {
        let source = format!("{text}\nnext ::= \"n\"\n");
        let (grammar, diagnostics) = parse(&source);
        let found: Vec<_> = diagnostics.iter().map(|d| (d.code, d.span.text(&source))).collect();
        assert_eq!(found, [(code, place)], "{text}");
        let last = grammar.rules.last().map(|r| (r.name.value.as_str(), shape(&r.body)));
        assert_eq!(last, Some(("next", "\"n\"".to_owned())), "{text}");
    }
}

#[test]
fn a_call_of_a_defined_rule_is_a_name_and_a_group() {
    let (grammar, diagnostics) = parse("root ::= Regex(\"a\")\nRegex ::= \"b\"");
    assert_eq!(diagnostics, []);
    assert_eq!(shape(&grammar.rules[0].body), "(, Regex \"a\")");
}

#[test]
fn spans_of_expressions_give_their_source_text() {
    let source = "root ::= (\"a\" | bc)* \"é\"";
    let (grammar, _) = parse(source);
    let mut texts = Vec::new();
    grammar.rules[0].body.walk(&mut |e| texts.push(e.span.text(source)));
    assert_eq!(texts, ["(\"a\" | bc)* \"é\"", "(\"a\" | bc)*", "(\"a\" | bc)", "\"a\"", "bc", "\"é\""]);
}

/// `?` after another repetition sign is legal, but does not make the repetition lazy.
#[test]
fn lazy_repetitions_are_warned_of() {
    for (text, place) in
        [("root ::= [^a]*? \"a\"", Some(14)), ("root ::= \"a\"+?", Some(13)), ("root ::= \"a\"{2,}?", Some(16))]
    {
        let found = parse_gbnf(text).1;
        let found: Vec<_> = found.iter().map(|one| (one.code, one.is_error(), Some(one.span.start as usize))).collect();
        assert_eq!(found, [(Code::DoubtfulPattern, false, place)], "{text}");
    }
    assert_eq!(parse_gbnf("root ::= (\"a\"+)? \"b\"* ?").1, []);
}

/// A flag after a text is corrected to classes in every position.
#[test]
fn case_flags_of_texts_are_corrected_to_classes() {
    let cases = [
        ("root ::= \"abc\"i", "root ::= [aA][bB][cC]"),
        ("root ::= \"a b\"i | \"no\"i \"x\"", "root ::= [aA]\" \"[bB] | [nN][oO] \"x\""),
        ("root ::= (\"x1\"i)* \"é\"i+", "root ::= ([xX]\"1\")* ([éÉ])+"),
    ];
    for (text, corrected) in cases {
        let found = parse_gbnf(text).1;
        let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(one.code == Code::UndefinedRule && one.message.contains("no flags"), "{one:?}");
        let (after, _) = apply(text, one.fix.iter());
        assert_eq!((after.as_str(), parse_gbnf(&after).1), (corrected, Vec::new()));
    }
    assert_eq!(parse_gbnf("root ::= \"abc\"i\ni ::= \"x\"").1, []);
    let apart = parse_gbnf("root ::= \"abc\" i").1;
    assert!(apart.len() == 1 && apart[0].fix.is_none(), "{apart:?}");
}

/// Brackets are classes here; in other notations they make their content optional.
#[test]
fn suspicious_classes_give_a_warning() {
    for (text, place) in [
        ("root ::= \"a\" [item]\nitem ::= \"b\"", "[item]"),
        ("root ::= [\"b\"]", "[\"b\"]"),
        ("root ::= ['b c']", "['b c']"),
    ] {
        let found = parse_gbnf(text).1;
        let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(one.code == Code::DoubtfulPattern && !one.is_error() && one.span.text(text) == place, "{one:?}");
        let fix = one.fix.iter().chain(&one.guesses).next().expect("a correction");
        let (after, _) = apply(text, std::iter::once(fix));
        assert_eq!(parse_gbnf(&after).1, [], "{after}");
    }
    assert_eq!(parse_gbnf("root ::= [ab] ab [item]\nab ::= \"b\"").1, []);
}
