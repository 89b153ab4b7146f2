//! Lark grammars of several files, and the terminals of Lark's library `python`.

use std::collections::BTreeMap;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits as AllLimits, Options, SourceFile, Workspace};
use ogc_compiler::foreign::links;
use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::Code;
use ogc_runtime::automaton::RuleId;

use super::simulator::accepts;

/// A workspace of Lark files; the first one is compiled.
struct Files<'t> {
    db: Compiler,
    main: SourceFile,
    text: &'t str,
}

impl<'t> Files<'t> {
    fn new(texts: &[(&str, &'t str)]) -> Self {
        let db = Compiler::default();
        let options = Options::new(&db, JsonPolicy::default(), Formats::default(), AllLimits::default());
        let mut files = BTreeMap::new();
        for (name, text) in texts {
            let language = Language::of_name(name).unwrap();
            let file = SourceFile::new(&db, (*name).to_owned(), (*text).to_owned(), language, options);
            files.insert((*name).to_owned(), file);
        }
        let main = files[texts[0].0];
        Workspace::new(&db, files);
        Files { db, main, text: texts[0].1 }
    }

    /// Asserts that the files together are equivalent to a single file.
    #[track_caller]
    fn means(&self, alone: &str) {
        assert_eq!(self.findings(), []);
        let format = formats(&self.db, self.main).into_iter().next().unwrap();
        let expected = compile_grammar(alone, Dialect::Lark, &Limits::default()).0.unwrap();
        let found = automaton(&self.db, format).unwrap();
        assert_eq!(found.fingerprint(RuleId(0)), expected.fingerprint(RuleId(0)), "{alone}");
    }

    /// Returns the codes, places and messages of the findings.
    fn findings(&self) -> Vec<(Code, &'t str, &str)> {
        let found = diagnostics(&self.db, self.main);
        found.iter().map(|one| (one.code, one.span.text(self.text), one.message.as_str())).collect()
    }
}

const RULES: &str = "%import .words.NAME\nitem: NAME (\",\" item)? | pair{NAME, COLON}\npair{x, y}: x y x\nCOLON: \":\"\n\
                     %ignore \"#\"\nunused: missing_in_rules\n";
const WORDS: &str = "NAME: LETTER+\nLETTER: /[a-z]/\n";

#[test]
fn named_grammars_have_their_own_rules_and_ignored_text() {
    let item = "start: word (\",\" word)*\nword: /[a-z]+/\n%ignore \"#\"\n";
    let text = "start: \"[\" @item (word | @item)? \"]\"\nword: /[0-9]+/\n%ignore \" \"\n";
    let alone =
        format!("start: \"[\" %lark {{{item}}} (word | %lark {{{item}}})? \"]\"\nword: /[0-9]+/\n%ignore \" \"\n");
    let files = Files::new(&[("f/a.lark", text), ("f/item.lark", item)]);
    files.means(&alone);
    assert_eq!(links(&files.db, files.main).files.len(), 1);
    // Once through an import, and once as a part of another rule.
    let through = "start: r\n%import .rules.r\n%ignore \" \"\n";
    let files = Files::new(&[("a.lark", through), ("rules.lark", "r: \"<\" @item \">\"\n"), ("item.lark", item)]);
    files.means(&format!("start: \"<\" %lark {{{item}}} \">\"\n%ignore \" \"\n"));
}

#[test]
fn mistakes_in_named_grammars_are_reported_at_the_reference() {
    let found = |item: &str| {
        let files = Files::new(&[("a.lark", "start: \"<\" @item\n"), ("item.lark", item)]);
        let found = files.findings();
        let [(code, place, message)] = found.as_slice() else { panic!("{item}: {found:?}") };
        assert_eq!((*code, *place), (Code::LarkImport, "@item"), "{item}");
        (*message).to_owned()
    };
    assert!(found("start: (\n").contains("`item.lark`, line 1"));
    assert!(found("start: \"x\"\n\nother: missing\n").contains("`item.lark`, line 3: no rule is called `missing`"));
    assert!(found("word: \"x\"\n").contains("no rule is called `start`"));
    assert!(found("start: @item\n").contains("imports itself"));
    let alone = Files::new(&[("a.lark", "start: \"<\" @other\n")]);
    assert_eq!(alone.findings()[0].0, Code::LarkImport);
    assert_eq!(links(&alone.db, alone.main).wanted, ["other.lark"]);
    let terminal = Files::new(&[("a.lark", "start: A\nA: @item\n"), ("item.lark", "start: \"x\"\n")]);
    assert_eq!(terminal.findings()[0].0, Code::LarkTerminalOnly);
}

#[test]
fn imported_files_are_found_beside_the_grammar_and_in_folders() {
    let alone = "start: \"<\" item \">\" WS\nitem: NAME (\",\" item)? | NAME \":\" NAME\nNAME: /[a-z]+/\nWS: \" \"\n%ignore WS\n";
    for (main, import, rules, words) in [
        ("a.lark", ".rules.item", "rules.lark", "words.lark"),
        ("a.lark", "rules.item", "rules.lark", "words.lark"),
        ("f/a.lark", ".g.h.rules (item)", "f/g/h/rules.lark", "f/g/h/words.lark"),
        ("../a.lark", "g.rules (item)", "../g/rules.lark", "../g/words.lark"),
        ("/r/a.lark", ".rules.item", "/r/rules.lark", "/r/words.lark"),
    ] {
        let text = format!("start: \"<\" item \">\" WS\n%import {import}\nWS: \" \"\n%ignore WS\n");
        let files = Files::new(&[(main, &text), (rules, RULES), (words, WORDS)]);
        files.means(alone);
        let linked = links(&files.db, files.main);
        let names: Vec<&str> = linked.files.iter().map(|file| file.name(&files.db)).collect();
        assert_eq!((names, linked.wanted.len()), (vec![rules, words], 0));
    }
}

#[test]
fn equal_names_of_different_files_do_not_clash() {
    // Both files define `x` and `T`, and so does the importing grammar.
    let texts = [
        ("a.lark", "start: x T a b\nx: \"1\"\nT: \"2\"\n%import .f.a\n%import .g.a -> b\n"),
        ("f.lark", "a: x T\nx: \"3\"\nT: \"4\"\n"),
        ("g.lark", "a: x T\nx: \"5\" c?\nT: \"6\"\n%import .f.a -> c\n"),
    ];
    Files::new(&texts).means("start: \"1234\" \"5\" \"34\"? \"6\"");
}

#[test]
fn imported_rules_can_be_extended_overridden_and_shared() {
    let texts = [
        (
            "a.lark",
            "start: item other twice\n%import .f (item, other)\n%import .f.item -> twice\n%extend item: \"z\"\n",
        ),
        ("f.lark", "other: \"o\" item\nitem: \"i\"\n%override other: \"p\" item\n"),
    ];
    Files::new(&texts).means("start: (\"i\" | \"z\") \"p\" (\"i\" | \"z\") \"i\"");
    let template =
        [("a.lark", "start: list{A}\n%import .f.list\nA: \"a\""), ("f.lark", "list{x}: x (SEP x)*\nSEP: \",\"")];
    Files::new(&template).means("start: \"a\" (\",\" \"a\")*");
    let schema = [("a.lark", "start: v\n%import .f.v"), ("f.lark", "// a comment\nv: %json {\"type\": \"boolean\"}\n")];
    Files::new(&schema).means("start: %json {\"type\": \"boolean\"}");
}

/// Each mistake has one finding, in the compiled text.
#[test]
fn mistakes_in_imports_have_spans() {
    let cases: [(&str, &str, &str, &str); 9] = [
        ("%import .g.b", "b: \"b\"", ".g.b", "there is no file `g.lark` here"),
        ("%import .f.c", "b: \"b\"", "c", "has no rule or terminal `c`"),
        ("%import .f.b -> B", "b: \"b\"", "B", "`b` is a rule, and `B` is the name of a terminal"),
        ("%import .f.b", "b: \"b\n", ".f.b", "`f.lark`, line 1:"),
        ("%import .f.b", "x: \"x\"\nb: x x)\n", ".f.b", "`f.lark`, line 2:"),
        ("%import .f.b", "b: missing", "b", "`f.missing`"),
        ("%import .f.b", "b: \"b\"\n%import .a.start", ".f.b", "`a.lark` imports itself through `f.lark`"),
        ("%import .a.b", "", ".a.b", "`a.lark` imports itself"),
        ("%import .f.b", "b: %json {\"type\": \"strin\"}", "b", "strin"),
    ];
    for (import, other, place, words) in cases {
        let text = format!("start: b\n{import}\n");
        let files = Files::new(&[("a.lark", &text), ("f.lark", other)]);
        let found = files.findings();
        let [(_, at, message)] = found.as_slice() else { panic!("{import}: {found:?}") };
        assert!(*at == place && message.contains(words), "{import}: {at} {message}");
    }
}

/// Files that each import two others, doubling at every level, are bounded by a limit.
#[test]
fn the_number_of_imports_is_bounded() {
    let texts: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("f{at}.lark"),
                format!(
                    "start: a b\n%import .f{0}.start -> a\n%import f{0}.start -> b\n%import .g{0}.start -> c\n",
                    at + 1
                ),
            )
        })
        .flat_map(|(name, text)| [(name.replace('f', "g"), text.clone()), (name, text)])
        .collect();
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.swap(0, 1);
    let files = Files::new(&files);
    assert!(files.findings().iter().any(|(code, ..)| *code == Code::LarkImport));
}

/// A grammar without a workspace can import nothing.
#[test]
fn a_grammar_without_a_workspace_imports_no_files() {
    let (_, found) = compile_grammar("start: a\n%import .b.a\n", Dialect::Lark, &Limits::default());
    assert!(found[0].code == Code::LarkImport && found[0].message.contains("`b.lark`"), "{found:?}");
}

/// Returns whether Python's `STRING` or `LONG_STRING` matches a whole text and no shorter one: it ends at the first
/// quotes that follow an even number of backslashes, as in `.*?(?<!\\)(\\\\)*?"`.
fn is_string(text: &str, is_long: bool) -> bool {
    let prefix = text.find(['"', '\'']).unwrap_or(text.len());
    let known = ["", "u", "b", "f", "r", "ur", "br", "fr", "ru", "rb", "rf"];
    let Some(quote) = text.get(prefix..=prefix).filter(|_| known.contains(&&*text[..prefix].to_lowercase())) else {
        return false;
    };
    let quote = quote.repeat(if is_long { 3 } else { 1 });
    let Some(rest) = text[prefix..].strip_prefix(&quote) else { return false };
    let is_end = |at: usize| {
        let backslashes = rest[..at].chars().rev().take_while(|c| *c == '\\').count();
        rest[at..].starts_with(&quote) && backslashes.is_multiple_of(2)
    };
    let first = (0..rest.len()).find(|&at| is_end(at));
    first.is_some_and(|at| at + quote.len() == rest.len() && (is_long || !rest[..at].contains('\n')))
}

#[test]
fn python_string_terminals_end_at_the_closing_quotes() {
    for (name, is_long, most) in [("STRING", false, 7), ("LONG_STRING", true, 9)] {
        let grammar = format!("start: {name}\n%import python.{name}\n");
        let compiled = compile_grammar(&grammar, Dialect::Lark, &Limits::default()).0.unwrap();
        let mut accepted = 0;
        let mut texts = vec![String::new()];
        // All texts of these characters after the opening quotes.
        let signs: &[&str] = if is_long { &["\"", "\\", "\n"] } else { &["\"", "\\", "\n", "'", "r"] };
        let open = if is_long { "\"\"\"" } else { "\"" };
        for _ in 0..most - open.len() + 1 {
            texts = texts.iter().flat_map(|text| signs.iter().map(move |sign| format!("{text}{sign}"))).collect();
            for text in &texts {
                for whole in [format!("{open}{text}"), text.clone()] {
                    let expected = is_string(&whole, is_long);
                    assert_eq!(accepts(&compiled, whole.as_bytes()), expected, "{name} {whole:?}");
                    accepted += usize::from(expected);
                }
            }
        }
        assert!(accepted > 50, "{name}: {accepted}");
    }
    let compiled =
        compile_grammar("start: STRING\n%import python.STRING\n", Dialect::Lark, &Limits::default()).0.unwrap();
    for (text, expected) in [("Rb'x'", true), ("bu'x'", false), ("f\"\\\"\"", true), ("ff''", false)] {
        assert_eq!((accepts(&compiled, text.as_bytes()), is_string(text, false)), (expected, expected), "{text}");
    }
}

#[test]
fn python_number_terminals_match_whole_numbers() {
    let cases: [(&str, &[&str], &[&str]); 3] = [
        ("DEC_NUMBER", &["0", "0_0", "12_3"], &["01", "_1", "1__2"]),
        ("IMAG_NUMBER", &["1j", "1.5e-3J", ".5j", "0_1j"], &["j", "1", "1ej"]),
        ("_SPECIAL_DEC", &["0", "0_1"], &["_0", "1_"]),
    ];
    for (name, good, bad) in cases {
        let text = format!("start: {name}\n%import python.{name}\n");
        let compiled = compile_grammar(&text, Dialect::Lark, &Limits::default()).0.unwrap();
        good.iter().for_each(|text| assert!(accepts(&compiled, text.as_bytes()), "{name} {text}"));
        bad.iter().for_each(|text| assert!(!accepts(&compiled, text.as_bytes()), "{name} {text}"));
    }
}
