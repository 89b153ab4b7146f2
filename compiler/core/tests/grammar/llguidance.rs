//! llguidance's additions to Lark: hand-written texts, accepted and rejected.

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits as AllLimits, Options, SourceFile, Workspace};
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;
use std::sync::Arc;

fn accepts(automaton: &Automaton, text: &[u8]) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&bytes, &[]).expect("a vocabulary");
    let mut matcher = Matcher::new(Arc::new(automaton.clone()), MaskStore::new(Arc::new(vocabulary)));
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

fn lark(text: &str) -> Automaton {
    let (automaton, found) = compile_grammar(text, Dialect::Lark, &Limits::default());
    automaton.unwrap_or_else(|| panic!("{found:?}\n{text}"))
}

fn check(text: &str, accepted: &[&str], refused: &[&str]) {
    verdicts(&lark(text), accepted, refused);
}

fn verdicts(automaton: &Automaton, accepted: &[&str], refused: &[&str]) {
    for input in accepted {
        assert!(accepts(automaton, input.as_bytes()), "refused {input:?}");
    }
    for input in refused {
        assert!(!accepts(automaton, input.as_bytes()), "accepted {input:?}");
    }
}

/// Returns the code and place of a grammar's only error.
fn error(text: &str) -> (Code, &str) {
    let (_, found) = compile_grammar(text, Dialect::Lark, &Limits::default());
    let errors: Vec<&Diagnostic> = found.iter().filter(|one| one.is_error()).collect();
    let [one] = errors.as_slice() else { panic!("{text}: {found:?}") };
    (one.code, one.span.text(text))
}

#[test]
fn inline_json_schemas_constrain_rules() {
    let text = r##"start: "call " (a | b) ";"
a: %json {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}, "required": ["x"], "additionalProperties": false,
  "$defs": {"n": {"type": "integer", "minimum": 3, "maximum": 5}}}
b: %json {"type": "array", "items": {"type": "boolean"}, "maxItems": 1}
"##;
    check(
        text,
        &["call {\"x\":4};", "call [];", "call [true];"],
        &["call {\"x\":9};", "call {};", "call 4;", "call [1];"],
    );
}

#[test]
fn ignored_text_is_allowed_beside_json_values_but_not_inside() {
    let text = "start: %json {\"const\": [1, 2]} \"!\"\n%ignore \"_\"\n";
    check(text, &["[1,2]!", "_[1,2]_!_"], &["[1_,2]!"]);
}

#[test]
fn mistakes_in_inline_schemas_have_spans() {
    assert_eq!(error("start: %json {\"type\": \"strin\"}\n").1, "\"strin\"");
    assert_eq!(error("start: %json {\"type\": }\n").1, "}");
    assert_eq!(
        error("start: \"a\" %json {\"minimum\": 2, \"maximum\": 1, \"type\": \"integer\"}\n").0,
        Code::EmptyFormat
    );
    assert_eq!(error("start: A\nA: %json {}\n").0, Code::LarkTerminalOnly);
}

#[test]
fn substring_patterns_accept_runs_of_chunks() {
    check(
        "start: \"x\" %regex {\"substring_words\": \"foo bar. baz\"} \"y\"\n",
        &["xy", "xfooy", "xfoo bar.y", "x. bazy"],
        &["xfoy", "xfoo bazy"],
    );
    check("start: \"x\" A\nA: %regex {\"substring_chars\": \"aéb\"} \"!\"\n", &["x!", "xaé!", "xb!"], &["xab!"]);
    check("start: \"x\" %regex {\"substring_chunks\": [\"ab\", \"c\"]}\n", &["x", "xab", "xabc"], &["xa", "xbc"]);
    assert_eq!(error("start: %regex {\"pattern\": \"a\"}\n").0, Code::LarkEmbedded);
}

#[test]
fn nested_grammars_have_their_own_names() {
    let text = "start: \"<\" %lark {\n  start: a \"}\" | /[\"{]/  // }\n  a: \"1\"+\n  %ignore \" \"\n} \">\" a\na: \"2\"\n%ignore \"_\"\n";
    check(text, &["<11}>2", "_<1 1 } >2_", "<\"_>2"], &["<2}>2", "<1_1}>2", "< 1}>2", "<1}>1", "<1}> 2"]);
    check("start: %lark { start: %lark { start: \"a\" } \"b\" } \"c\"\n", &["abc"], &["ab"]);
    assert_eq!(error("start: %lark { start: b }\nb: \"x\"\n"), (Code::UndefinedRule, "b"));
    let deep = "%lark { start: ".repeat(9) + "\"a\"" + &" }".repeat(9);
    assert_eq!(error(&format!("start: {deep}\n")).0, Code::NestingTooDeep);
}

#[test]
fn rules_obey_max_chars_and_max_tokens() {
    check("start: a \".\"\na[max_chars=3]: /[a-zé]*/\n", &[".", "abé."], &["abcd."]);
    check("start: a\na[lazy, max_chars=3]: /[a-z]*;/\n", &["ab;"], &["abc;", "a;b;"]);
    let automaton = lark("start: a \".\"\na[max_tokens=3]: /[a-z]*/\n");
    assert!(accepts(&automaton, b"ab."));
    assert_eq!(error("start: a \".\"\na[max_tokens=3]: /([a-zé]* )+/\n").0, Code::TokenLimit);
    assert!(accepts(&lark("start: a \".\"\na[max_tokens=3]: /[a-zé]+/\n"), "aé.".as_bytes()));
    assert_eq!(error("start: a\na[max_tokens=0]: /x/\n"), (Code::LarkAttribute, "max_tokens"));
    assert_eq!(error("start: a\na[max_tokens=2]: %json {}\n").0, Code::LarkTerminalOnly);
}

#[test]
fn lookarounds_within_a_terminal_are_supported() {
    check("start: A \";\"\nA: /\\/\\*(\\*(?!\\/)|[^*])*\\*\\//\n", &["/**/;", "/*a*b*/;"], &["/*a*/b*/;", "/*/;"]);
    check("start: A+\nA: /\"[^\"]*(?<!\\\\)\"/\n", &["\"a\"", "\"\"\"b\""], &["\"a\\\"", "\""]);
    check("start: A B\nA: /(?!if)[a-z][a-z]/\nB: /x*/\n", &["ab", "iax"], &["if", "ifx"]);
    for text in [
        "start: A \"b\"\nA: /a(?!b)/\n",
        "start: \"a\" A\nA: /(?<!a)b/\n",
        "start: A\nA: /a(?!bc)[a-z]/\n",
        "start: A\nA: /a(?=b*)c/\n",
        "start: A\nA: /a(?!b)c?/\n",
    ] {
        assert_eq!(error(text).0, Code::LarkRegex, "{text}");
    }
}

#[test]
fn line_continuations_and_library_imports_are_read() {
    check("start: \"a\" \\\n  \"b\" \\  \r\n\"c\"\n", &["abc"], &["ab"]);
    let text = "start: NAME \"=\" H WS\n%import python (NAME)\n%import python.HEX_NUMBER -> H\n%import unicode.WS\n";
    check(text, &["é1=0xf_f\u{a0}"], &["1a=0xf ", "a=0x_ "]);
}

#[test]
fn mistakes_in_patterns_are_reported_once() {
    assert_eq!(error("start: /\\Aabc\\Z/\n"), (Code::LarkRegex, "\\A"));
    assert_eq!(error("start: /[\\\\x1f-\\\\xff]/\n").0, Code::LarkRegex);
    let (_, found) = compile_grammar("start: /[a - z]/\n", Dialect::Lark, &Limits::default());
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::SpacedRange]);
}

#[test]
fn imported_grammars_bring_their_inline_schemas() {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), AllLimits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let grammar = "start: call\ncall: \"f(\" %json {\"type\": \"array\", \"items\": {\"enum\": [1, 2]}} \")\"\n";
    let main = file("main.ogc", "import call from \"g.lark\"\noutput O = call \";\" call\n", Language::Ogc);
    let other = file("g.lark", grammar, Language::Lark);
    Workspace::new(&db, [("main.ogc".to_owned(), main), ("g.lark".to_owned(), other)].into());
    assert_eq!(diagnostics(&db, main), &[]);
    let output = formats(&db, main).into_iter().next().expect("an output");
    let made = automaton(&db, output).expect("it compiles");
    verdicts(&made, &["f([]);f([1,2])"], &["f([3]);f([])", "f([])"]);
}

/// A lexer ends a text at the first `head`; if the other terminals exclude texts that begin with one, sets of texts
/// give the same result.
#[test]
fn lazy_rules_are_accepted_only_beside_terminals_that_exclude_their_texts() {
    let lazy = "start: (head | TAIL)*\nhead[lazy]: /[a-c]*/ \"x\"\n";
    for any in ["/(?s:.*)/", "/.*/s", "/./s*"] {
        let text = format!("{lazy}TAIL: /[a-cx]{{1,4}};/ & ~(head {any})\n");
        check(&text, &["", "x", "abx", "xab;"], &["ab", ";", "abx;"]);
        check(&text, &["axbx", "ab;x"], &["axb"]);
    }
    // `x;` is a head followed by `;`, so it is no text of `TAIL`; without the exclusion it would be one.
    check(&format!("{lazy}TAIL: /[a-cx]*;/ & ~(head /(?s:.*)/)\n"), &["ab;", "xab;", "x;"], &["x"].map(|_| "a"));
    for other in ["/[a-cx]*;/", "/[a-cx]*;/ & ~(head /.*/)", "/[a-cx]*;/ & ~head", "\"q\" & /.*/"] {
        assert_eq!(error(&format!("{lazy}TAIL: {other}\n")), (Code::LarkLazyChoice, "head"), "{other}");
    }
    let two = "start: (head | other | TAIL)*\nhead[lazy]: \"x\"\nother[lazy]: \"y\"\nTAIL: /./ & ~(head /.*/s) & ~(other /.*/s)\n";
    assert_eq!(error(two), (Code::LarkLazyChoice, "head"));
}
