//! The grammar IR as text.

use ogc_compiler::lower::grammar::lower;
use ogc_grammar::{parse_ebnf, parse_gbnf};

fn body(gbnf: &str) -> String {
    let (tree, found) = parse_gbnf(&format!("root ::= {gbnf}\n"));
    assert_eq!(found, []);
    let text = lower(&tree, Some("root")).0.unwrap().grammar.print(|_| String::new());
    text.lines().skip(2).take_while(|line| *line != "automata:").map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn printed_rules_have_only_needed_parentheses() {
    assert_eq!(body("(\"a\" | \"b\" \"c\")* \"d\""), "= (\"a\" | \"b\" \"c\")* \"d\"");
    assert_eq!(body("((\"a\"?)+){2,3} | (\"b\" | \"\")"), "= ((\"a\"?)+){2,3} | (\"b\" | \"\")");
}

#[test]
fn long_rules_are_printed_with_one_alternative_per_line() {
    let long = "x".repeat(60);
    assert_eq!(body(&format!("\"{long}\" | \"y{long}\" | \"\"")), format!("= \"{long}\"\n| \"y{long}\"\n| \"\""));
}

#[test]
fn differences_and_long_literals_are_printed() {
    let (tree, _) = parse_ebnf(&format!("a ::= ([a-z] - 'q') '{}'\n", "é".repeat(99)));
    let text = lower(&tree, None).0.unwrap().grammar.print(|_| String::new());
    assert!(text.contains("(automaton #0 (2 states) - \"q\") \"éé"), "{text}");
    assert!(text.contains("\"... (198 bytes)"), "{text}");
}
