//! Inputs made to explode: the result is an error within the limits, or an automaton, in short time.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_grammar::Code;

/// Compiles in bounded time; returns the codes of the errors.
fn soon(name: &str, text: &str, dialect: Dialect) -> Vec<Code> {
    let started = Instant::now();
    let (automaton, found) = compile_grammar(text, dialect, &Limits::default());
    let spent = started.elapsed();
    let errors: Vec<_> = found.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
    assert_eq!(automaton.is_some(), errors.is_empty(), "{name}");
    eprintln!("{name}: {spent:?} {errors:?} {:?} states", automaton.map(|a| a.states.len()));
    assert!(spent < Duration::from_secs(60), "{name} took {spent:?}");
    errors
}

fn rules(count: u32, mut write: impl FnMut(u32, &mut String)) -> String {
    let mut text = String::from("root ::= r0\n");
    for at in 0..count {
        let _ = write!(text, "r{at} ::= ");
        write(at, &mut text);
        text.push('\n');
    }
    let _ = write!(text, "r{count} ::= \"z\" root? \"y\"");
    text
}

#[test]
fn grammars_with_many_rules_end_soon() {
    let chain = rules(100_000, |at, text| _ = write!(text, "r{}", at + 1));
    assert_eq!(soon("chain", &chain, Dialect::Gbnf), []);
    let pairs = rules(1_000, |at, text| _ = write!(text, "r{0} r{0} | \"a\"", at + 1));
    soon("pairs", &pairs, Dialect::Gbnf);
    let first = rules(5_000, |at, text| _ = write!(text, "r{} \"a\" root? | \"b\" r{at}", at + 1));
    soon("deep first calls", &first, Dialect::Gbnf);
    let flat: String = (0..50_000).fold(String::from("root ::= \"x\""), |text, at| format!("{text} | \"w{at}\""));
    soon("flat", &format!("{flat}\n"), Dialect::Gbnf);
}

#[test]
fn towers_of_left_recursion_end_soon() {
    let tower = rules(2_000, |at, text| _ = write!(text, "r{} \"a\" | r0 \"b\" r{}", at + 1, at / 2));
    soon("tower", &tower, Dialect::Gbnf);
    let hidden = rules(300, |at, text| _ = write!(text, "r{}? r{} r0 \"a\" | \"b\"?", at / 2, at + 1));
    soon("hidden", &hidden, Dialect::Gbnf);
}

#[test]
fn nested_and_large_repetitions_end_soon() {
    assert_eq!(soon("nested", "root ::= ((((\"a\"{900}){900}){900}){900})", Dialect::Gbnf), []);
    soon("copies", "root ::= ((((((((\"ab\"{16}){16}){16}){16}){16}){16}){16}){16})", Dialect::Gbnf);
    soon("optional", "root ::= (\"a\"? | \"b\"?){0,4000000000} \"a\"{0,16} \"a\"{0,16} \"a\"{0,16}", Dialect::Gbnf);
    soon("left", "root ::= root{1,4000000} \"x\" | \"y\"", Dialect::Gbnf);
    soon("nullable", "root ::= x{0,100000} \"b\"\nx ::= (y*)* | \"\"\ny ::= (x? \"a\"?)*", Dialect::Gbnf);
}

#[test]
fn grammars_with_exponential_automata_end_soon() {
    soon("suffix", "root ::= [ab]* \"a\" [ab]{40} | [ab]* \"b\" ([ab] [ab]?){9}", Dialect::Gbnf);
    let words: Vec<String> = (0..400).map(|at| format!("[a-z]* \"{at}\" [a-z]*")).collect();
    soon("words", &format!("root ::= ({})*", words.join(" | ")), Dialect::Gbnf);
    soon(
        "exception",
        "root ::= (x - y) 'z'\nx ::= [ab]*\ny ::= [ab]* 'a' [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab]",
        Dialect::Ebnf,
    );
    let many: String = (0..3_000).map(|at| format!("e{at} ::= [a-z]+ - 'w{at}'\n")).collect();
    let names: Vec<String> = (0..3_000).map(|at| format!("e{at}")).collect();
    soon("exceptions", &format!("root ::= {}\n{many}", names.join(" | ")), Dialect::Ebnf);
}

#[test]
fn deep_nesting_ends_soon() {
    let open = |depth: usize| format!("root ::= {}\"a\"{}", "(".repeat(depth), ")?".repeat(depth));
    soon("parentheses", &open(190), Dialect::Gbnf);
    assert!(!soon("too many parentheses", &open(100_000), Dialect::Gbnf).is_empty());
}
