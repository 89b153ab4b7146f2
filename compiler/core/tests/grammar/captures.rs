//! Captures of grammars: the parts that rules with `capture` match, without the ignored text behind them.

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
use ogc_compiler::pipeline::{automaton, captures, diagnostics};
use ogc_grammar::Code;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::{Capture, CaptureReader, Captures};

use super::simulator::accepts;

/// A grammar and the automaton of its captures.
struct Reading {
    automaton: Arc<Automaton>,
    captures: Option<Arc<Captures>>,
    found: Vec<Code>,
}

impl Reading {
    fn of(language: Language, text: &str) -> Reading {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
        let file = SourceFile::new(&db, "it".to_owned(), text.to_owned(), language, options);
        let found = diagnostics(&db, file).iter().map(|one| one.code).collect();
        let automaton = automaton(&db, file).unwrap_or_else(|| panic!("{found:?}\n{text}"));
        Reading { automaton, captures: captures(&db, file).captures, found }
    }

    /// Returns the captures of a text, each as its name and its part; `None` if the text is no text of the grammar.
    fn parts<'t>(&self, text: &'t str) -> Option<Vec<(String, &'t str)>> {
        let mut reader = CaptureReader::new(Arc::clone(self.captures.as_ref().unwrap()));
        reader.accept_bytes(text.as_bytes()).ok()?;
        let mut all = Vec::new();
        collect(&reader.captures(), text, &mut all);
        reader.is_complete().then_some(all)
    }

    /// Asserts the captures of a text.
    #[track_caller]
    fn check(&self, text: &str, expected: &[(&str, &str)]) {
        let found = self.parts(text).unwrap_or_else(|| panic!("refused {text:?}"));
        let found: Vec<(&str, &str)> = found.iter().map(|(name, part)| (name.as_str(), *part)).collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

/// Adds the name and the part of each capture, outer before inner.
fn collect<'t>(captures: &[Capture], text: &'t str, all: &mut Vec<(String, &'t str)>) {
    for one in captures {
        all.push((one.name.clone(), &text[one.start..one.end.unwrap_or(text.len())]));
        collect(&one.inner, text, all);
    }
}

#[test]
fn ignored_text_stays_outside() {
    let grammar = "start: pair (\",\" pair)*\n\
                   pair[capture]: KEY \"=\" value\n\
                   value[capture=\"the value\"]: WORD+ | \"(\" pair \")\" | \"none\" note?\n\
                   note: \"!\"*\n\
                   KEY[capture]: /[a-c]+/\nWORD: /[w-z]+/\n%ignore / +/\n";
    let it = Reading::of(Language::Lark, grammar);
    assert_eq!(it.found, []);
    it.check("  a = x yy  ", &[("pair", "a = x yy"), ("KEY", "a"), ("the value", "x yy")]);
    it.check(
        "a=x , b = ( c=y ) ",
        &[
            ("pair", "a=x"),
            ("KEY", "a"),
            ("the value", "x"),
            ("pair", "b = ( c=y )"),
            ("KEY", "b"),
            ("the value", "( c=y )"),
            ("pair", "c=y"),
            ("KEY", "c"),
            ("the value", "y"),
        ],
    );
    it.check("a=none ", &[("pair", "a=none"), ("KEY", "a"), ("the value", "none")]);
    it.check("a=none ! !  ", &[("pair", "a=none ! !"), ("KEY", "a"), ("the value", "none ! !")]);
}

/// The table of llguidance's documentation.
#[test]
fn ends_of_rules_are_captured_as_llguidance_does() {
    let ending = |attributes: &str, body: &str, rest: &str| {
        let grammar = format!("start: outer rest\nouter[capture]: it\nit[{attributes}]: {body}\nrest: {rest}\n");
        Reading::of(Language::Lark, &grammar)
    };
    let suffix = ending("capture, suffix=\"<end>\"", "/.*/", "/.*/");
    suffix.check("foo<end>bar<end>", &[("outer", "foo<end>"), ("it", "foo")]);
    let stop = ending("stop=\"<end>\", capture=\"one\", stop_capture=\"two\"", "/.*/", "/.*/");
    stop.check("foo<end>b", &[("outer", "foo<end>"), ("one", "foo"), ("two", "<end>")]);
    let lazy = ending("capture, lazy", "/.*<end>/", "/.*/");
    lazy.check("foo<end>b", &[("outer", "foo<end>"), ("it", "foo<end>")]);
    let overlapping = ending("capture, suffix=\"aba\", max_chars=9", "/[abc]*/", "/[abc]*/");
    overlapping.check("ababa", &[("outer", "aba"), ("it", "")]);
    overlapping.check("cababc", &[("outer", "caba"), ("it", "c")]);
    let named = Reading::of(Language::Lark, "start: a /.*/\na[capture, suffix=END]: /.*/\nEND: \";\"\n");
    named.check("x;y", &[("a", "x")]);
}

#[test]
fn captures_that_cannot_be_reported_have_a_finding() {
    let cases = [
        ("start: a\na[capture]: a \"+\" B | B\nB: \"b\"\n%ignore \" \"\n", [Code::LostCapture].as_slice()),
        ("start: a\na[capture, suffix=/;+/]: /[a-z]*/\n", &[Code::LarkCapture]),
        ("start: a\na[capture, stop_capture=\"x\"]: /[a-z]*/\n", &[Code::LarkCapture]),
        ("start: A\nA: B & /b+/\nB[capture]: /[a-c]+/\n", &[Code::LostCapture]),
        ("start[temperature=0.5]: \"a\"\n", &[Code::LarkCapture]),
        ("start: a\na[capture]: \"x\" a | \"y\"\n%ignore \" \"\n", &[]),
    ];
    for (grammar, expected) in cases {
        assert_eq!(Reading::of(Language::Lark, grammar).found, expected, "{grammar}");
    }
}

#[test]
fn templates_and_inner_grammars_have_captures() {
    let it = Reading::of(
        Language::Lark,
        "start: list{word} %lark {\nstart: \"<\" inner \">\"\ninner[capture]: /[a-z]+/ /[0-9]+/?\n%ignore \"_\"\n}\n\
         list{x}[capture=\"all\"]: x (\",\" x)*\nword[capture]: /[a-z]+/\n%ignore \" \"\n",
    );
    it.check(" a , b <c_1_>", &[("all", "a , b"), ("word", "a"), ("word", "b"), ("inner", "c_1")]);
}

#[test]
fn rules_of_gbnf_are_captured() {
    let it = Reading::of(
        Language::Gbnf,
        "root ::= key \"=\" v*\nkey[capture] ::= [a-z]+\nv[capture=\"it\"] ::= [0-9] \",\"\n",
    );
    assert_eq!(it.found, []);
    it.check("ab=1,2,", &[("key", "ab"), ("it", "1,"), ("it", "2,")]);
}

/// Grammars in which ignored text, empty rules and recursion meet. The judge tries all texts of up to six bytes.
#[test]
fn readers_accept_the_texts_of_the_grammar_and_cut_each_capture() {
    let bodies = [
        "A B?",
        "A b? b?",
        "(A | b)* ",
        "b b",
        "A a?",
        "\"(\" a \")\" | b",
        "A c\nc: a | \"\"",
        "(b | A B)~1..2 (\"(\" \")\")?",
        "c c\nc: \"(\" a \")\" b | A",
        "",
    ];
    for body in bodies {
        let rules = "b: B*\nA: \"x\"\nB: \"y\"\n%ignore \" \"\n";
        let grammar = format!("start: \"(\" a \")\" | A a\na[capture]: {body}\n{rules}");
        let alone = Reading::of(Language::Lark, &format!("start: a\na: {body}\n{rules}")).automaton;
        let it = Reading::of(Language::Lark, &grammar);
        for text in texts(b"xy ()", 6) {
            let parts = it.parts(&text);
            assert_eq!(parts.is_some(), accepts(&it.automaton, text.as_bytes()), "{text:?} of {grammar}");
            for (_, part) in parts.into_iter().flatten() {
                let is_cut = !part.starts_with(' ') && !part.ends_with(' ');
                assert!(is_cut && accepts(&alone, part.as_bytes()), "{part:?} in {text:?} of {grammar}");
            }
        }
    }
}

/// Returns all texts over an alphabet of up to a length.
fn texts(alphabet: &[u8], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = 0;
    for _ in 0..most {
        let end = all.len();
        let longer =
            all[last..end].iter().flat_map(|text| alphabet.iter().map(move |&byte| format!("{text}{}", byte as char)));
        let longer: Vec<String> = longer.collect();
        last = end;
        all.extend(longer);
    }
    all
}
