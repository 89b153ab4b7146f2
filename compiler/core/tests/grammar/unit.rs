//! Small grammars with known answers.

use ogc_compiler::db::{self, Compiler, Formats, JsonPolicy, Language, Options, SourceFile};
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::frontend::regex::compile_regex;
use ogc_compiler::pass::Limits;
use ogc_compiler::pipeline::{automaton, place};
use ogc_grammar::Code;
use ogc_runtime::automaton::Automaton;

use crate::grammar::simulator::accepts;

pub(crate) fn gbnf(text: &str) -> Automaton {
    let (automaton, found) = compile_grammar(text, Dialect::Gbnf, &Limits::default());
    automaton.unwrap_or_else(|| panic!("{found:?}\n{text}"))
}

pub(crate) fn check(text: &str, accepted: &[&str], refused: &[&str]) {
    verdicts(&gbnf(text), accepted, refused);
}

fn verdicts(automaton: &Automaton, accepted: &[&str], refused: &[&str]) {
    for input in accepted {
        assert!(accepts(automaton, input.as_bytes()), "refused {input:?}");
    }
    for input in refused {
        assert!(!accepts(automaton, input.as_bytes()), "accepted {input:?}");
    }
}

fn codes(text: &str, dialect: Dialect) -> Vec<Code> {
    compile_grammar(text, dialect, &Limits::default()).1.iter().map(|d| d.code).collect()
}

#[test]
fn left_recursive_expressions_compile() {
    let text = "root ::= sum\nsum ::= sum [+-] product | product\nproduct ::= product [*/] atom | atom\natom ::= [0-9]+ | \"(\" sum \")\"";
    check(text, &["1", "1+2*3-4", "((1))*(2+3)/4"], &["", "+1", "1+", "(1", "1)", "1++2"]);
}

#[test]
fn hidden_and_indirect_left_recursion_compile() {
    check("root ::= e root \"x\" | \"y\"\ne ::= \"e\"?", &["y", "yx", "eyxx", "eeyxx"], &["", "x", "ey", "eeyx"]);
    check("root ::= a\na ::= b \"x\" | \"1\"\nb ::= a \"y\" | \"2\"", &["1", "2x", "1yx", "2xyx"], &["2", "1y", "1x"]);
    check("root ::= root | \"a\"", &["a"], &["", "aa"]);
    check("root ::= root{1,100} \"x\" | \"y\"", &["y", "yx", "yyx", "yxyx"], &["x", "yy"]);
}

#[test]
fn large_repetitions_become_counters() {
    let automaton = gbnf("root ::= [a-z]{3,60000} \";\"");
    assert!(automaton.states.len() < 10, "{}", automaton.states.len());
    let of = |count: usize| format!("{};", "q".repeat(count));
    verdicts(&automaton, &[&of(3), &of(4), &of(60000)], &[&of(2), &of(60001), ";"]);
    let automaton = gbnf("root ::= (\"a\" \"b\"?){40} | \"c\"{0,99}");
    verdicts(
        &automaton,
        &["", &"ab".repeat(40), &"a".repeat(40), &"c".repeat(99)],
        &[&"a".repeat(41), &"ab".repeat(39), &"c".repeat(100)],
    );
    let automaton = gbnf("root ::= (\"a\"?){40,50}");
    verdicts(&automaton, &["", "a", &"a".repeat(50)], &[&"a".repeat(51)]);
    let automaton = gbnf("root ::= (\"a\"{20,30} \"b\"){25}");
    verdicts(&automaton, &[&format!("{}b", "a".repeat(25)).repeat(25)], &[&format!("{}b", "a".repeat(19)).repeat(25)]);
}

#[test]
fn characters_compile_to_utf_8_bytes() {
    check("root ::= [^a-z\\n]", &["é", "𝒳", "A", "\u{7FF}"], &["a", "", "\n", "éé"]);
    assert!(!accepts(&gbnf("root ::= ."), b"\xC3"), "half a character");
    check("root ::= \"日本\" [α-ω]+", &["日本αω"], &["日本", "日"]);
}

#[test]
fn the_automaton_of_a_json_grammar_stays_small() {
    let text = "root ::= object\nvalue ::= object | \"[\" (value (\",\" value)*)? \"]\" | [0-9]+\nobject ::= \"{\" (pair (\",\" pair)*)? \"}\"\npair ::= [a-z]+ \":\" value";
    let automaton = gbnf(text);
    assert!(
        automaton.states.len() <= 24,
        "{} states, {:?}",
        automaton.states.len(),
        automaton.rules.iter().map(|r| &r.name).collect::<Vec<_>>()
    );
    verdicts(&automaton, &["{}", "{a:[1,{b:2}]}"], &["[", "{a}", "{a:1,}"]);
}

#[test]
fn grammars_that_cannot_compile_have_a_code_each() {
    assert_eq!(codes("root ::= root \"a\"", Dialect::Gbnf), [Code::EmptyGrammar]);
    assert_eq!(codes("root ::= \"\"", Dialect::Gbnf), [Code::EmptyTextOnly]);
    assert_eq!(codes("root ::= \"a\" | x\nx ::= \"(\" x \")\"", Dialect::Gbnf), [Code::UnproductiveRule]);
    assert_eq!(codes("root ::= \"a\" <[7]>", Dialect::Gbnf), [Code::TokenTerminal]);
    assert_eq!(codes("root ::= nowhere", Dialect::Gbnf), [Code::UndefinedRule]);
    assert_eq!(codes("a ::= b - 'x'\nb ::= 'x' | '(' b ')'", Dialect::Ebnf), [Code::ExceptionNotRegular]);
}

#[test]
fn exceptions_can_be_nested() {
    let text = "root ::= (word - keyword)+ ';'\nword ::= [a-z]+\nkeyword ::= ('if' | 'of' | 'or') - short\nshort ::= 'o' [a-z] - 'or'";
    let (automaton, found) = compile_grammar(text, Dialect::Ebnf, &Limits::default());
    let automaton = automaton.unwrap_or_else(|| panic!("{found:?}"));
    verdicts(&automaton, &["iff;", "of;", "i;"], &[";", "x"]);
}

#[test]
fn regular_expressions_match_the_whole_output() {
    let (automaton, found) = compile_regex("(a|bc){2,3}|", &Limits::default());
    let automaton = automaton.unwrap_or_else(|| panic!("{found:?}"));
    verdicts(&automaton, &["", "aa", "abc", "bcbcbc"], &["a", "aaaa", "xaa"]);
    assert_eq!(compile_regex("(a", &Limits::default()).1[0].code, Code::Regex);
    assert_eq!(compile_regex("[]", &Limits::default()).1[0].code, Code::EmptyGrammar);
}

#[test]
fn origins_point_into_the_source() {
    let text = "root ::= \"a\" other\nother ::= \"b\" other?";
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), db::Limits::default());
    let file = SourceFile::new(&db, "one.gbnf".to_owned(), text.to_owned(), Language::Gbnf, options);
    let automaton = automaton(&db, file).expect("it compiles");
    let rule = automaton.rules.iter().find(|rule| rule.name == "other").expect("it is called");
    let span = place(&db, file, rule.origin).expect("it has a place");
    assert_eq!((Some(span.start as usize), span.text(text)), (text.find("other ::="), "other"));
    assert!(automaton.origins.iter().all(|&origin| origin == 0 || place(&db, file, origin).is_some()));
}

#[test]
fn the_matcher_handles_ambiguous_grammars() {
    let doubled = gbnf("root ::= root root | \"a\" | \"b\"");
    let sums = gbnf("root ::= root \"ab\" root | \"(\" root \")\" | \"c\"");
    let store = crate::grammar::matcher::store();
    let (mut doubled, mut sums) =
        (crate::grammar::matcher::matcher(doubled, &store), crate::grammar::matcher::matcher(sums, &store));
    assert_eq!(crate::grammar::matcher::accepts(&mut doubled, &"ab".repeat(300)), Some(true));
    assert_eq!(crate::grammar::matcher::accepts(&mut sums, &format!("c{}", "abc".repeat(200))), Some(true));
    assert_eq!(crate::grammar::matcher::accepts(&mut sums, &format!("c{}ab", "abc".repeat(200))), Some(false));
}
