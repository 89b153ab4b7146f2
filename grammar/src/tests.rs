//! Tests of the crate as a whole: public grammars, and unusual inputs.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use ogc_kit::Random;

use crate::diagnostic::Diagnostic;
use crate::rules::{Grammar, print};
use crate::{Code, ebnf, gbnf, json, parse_ebnf, parse_gbnf, parse_lark};

/// Returns the public grammars of one folder: file names and texts. If the folder is absent, the test counts as
/// skipped.
fn corpus(folder: &str) -> Vec<(String, String)> {
    let Some(folder) = ogc_kit::corpora::find(&format!("grammars/{folder}")) else { return Vec::new() };
    let paths = std::fs::read_dir(folder).expect("a readable folder").filter_map(|entry| entry.ok().map(|e| e.path()));
    let mut files: Vec<_> = paths
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("a readable grammar")))
        .collect();
    files.sort();
    files
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|d| d.code).collect()
}

/// Returns a tree as text without spans.
pub(crate) fn shape(grammar: &Grammar) -> String {
    let rules = grammar.rules.iter().map(|r| format!("{} = {}", r.name.value, crate::rules::shape(&r.body)));
    rules.collect::<Vec<_>>().join("\n")
}

#[test]
fn public_grammars_read_without_findings_and_print_to_themselves() {
    for (path, text) in corpus("gbnf").into_iter().chain(corpus("ebnf")) {
        let (grammar, diagnostics) = gbnf::parse(&text);
        assert_eq!(diagnostics, [], "{path}");
        let printed = print(&grammar).expect("GBNF prints");
        let (again, diagnostics) = gbnf::parse(&printed);
        assert_eq!(diagnostics, [], "{path}:\n{printed}");
        assert_eq!(shape(&again), shape(&grammar), "{path}:\n{printed}");
    }
}

#[test]
fn names_in_public_grammars_resolve() {
    for (path, text) in corpus("gbnf").into_iter().chain(corpus("ebnf")) {
        let (_, diagnostics) = parse_gbnf(&text);
        assert_eq!(codes(&diagnostics), [], "{path}: {diagnostics:#?}");
    }
}

/// Runs every reader on one text, and checks that none panics and that spans lie in the text.
fn read_all(text: &str) {
    let found = [parse_gbnf(text).1, parse_ebnf(text).1, parse_lark(text).1, json::parse(text).1];
    for diagnostic in found.iter().flatten() {
        let places = diagnostic.labels.iter().map(|l| l.0).chain([diagnostic.span]);
        for place in places {
            let (start, end) = (place.start as usize, place.end as usize);
            assert!(text.get(start..end).is_some(), "{diagnostic:?} in {text:?}");
        }
    }
}

const SEEDS: [&str; 6] = [
    "root ::= (\"a\\n\" | [^a-z\\]\\x41] b-c{2,3})* # c\nb-c ::= . <tok> !<[12]> | \n  \"é\"?\n",
    "[1] a ::= 'x' (b - 'y')* #xA | [#x20-#x7Eü] /* c */\nb ::= [^<&]+ - \"]]>\"?",
    "letter list = letter, { \",\", 3 * letter } ; (* c (* d *) *)\nletter = 'a' | [ \"b\" ] - 'c' | {x}- ; x = ? s ? ;",
    r#"{"a": [1, -2.5e+10, "\u0041\ud83d\ude00\n", true, null], "b": {"c": {}}, "é": []}"#,
    "%import common (INT, WS) // c\n?start.2: s{INT, \"x\"i}~2..3 | A -> b\ns{a, b}: [a] (b a)*\nA[lazy]: /[^\\n\\d]+?(?i:x)/s & ~\"q\"..\"r\" <t>\n%ignore WS\n",
    "r[lazy] ::= Regex(\"x\", y=1) (= \"z\") 'q' \\ {,} {2 [z-a] \"\\q\" \"",
];

#[test]
fn no_mutation_makes_a_reader_panic() {
    let mut dice = Random::new(7);
    let splinters: Vec<char> = "()[]{}<>|*+?.,;:=-!#x'\"\\/\n\r\t 0a_^é😀\u{0}\u{feff}\u{2028}".chars().collect();
    for _ in 0..6000 {
        let mut text: Vec<char> = dice.pick(&SEEDS).chars().collect();
        for _ in 0..1 + dice.below(6) {
            let at = dice.below(text.len() + 1);
            match dice.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => text.truncate(at.max(text.len() / 2)),
                _ => text.insert(at, *dice.pick(&splinters)),
            }
        }
        read_all(&text.into_iter().collect::<String>());
    }
}

#[test]
fn no_random_bytes_make_a_reader_panic() {
    let mut dice = Random::new(11);
    for _ in 0..3000 {
        let len = dice.below(60);
        let bytes: Vec<u8> = (0..len).map(|_| u8::try_from(dice.below(256)).unwrap_or(0)).collect();
        read_all(&String::from_utf8_lossy(&bytes));
        let ascii: String = bytes.iter().map(|b| char::from(b & 0x7f)).collect();
        read_all(&ascii);
    }
}

#[test]
fn deep_nesting_is_refused_with_depth_and_limit() {
    let parentheses = "root ::= ".to_owned() + &"(".repeat(100_000);
    let braces = "a = ".to_owned() + &"{".repeat(100_000);
    for diagnostics in [parse_gbnf(&parentheses).1, parse_ebnf(&parentheses).1, parse_ebnf(&braces).1] {
        let deep = diagnostics.iter().find(|d| d.code == Code::NestingTooDeep);
        let named = deep.is_some_and(|d| d.message.contains("201") && d.message.contains("200"));
        assert!(named, "{diagnostics:?}");
    }
    let at_limit = format!("root ::= {}\"a\"{}", "(".repeat(200), ")".repeat(200));
    assert_eq!(codes(&gbnf::parse(&at_limit).1), []);
    let chain = format!("a ::= {}", vec!["'b'"; 50_000].join(" - "));
    assert_eq!(codes(&ebnf::parse(&chain).1), []);
    let stacked = format!("root ::= \"a\"{}", "*".repeat(100_000));
    assert_eq!(codes(&gbnf::parse(&stacked).1), [Code::NestingTooDeep]);
}

#[test]
fn a_cycle_of_100_000_rules_is_read() {
    let rules: String = (0..100_000).map(|i| format!("r{i} ::= \"x\" r{} | [a-z]\n", (i + 1) % 100_000)).collect();
    let (grammar, diagnostics) = crate::gbnf::parse_gbnf_rooted(&rules, crate::rules::Start::Named("r0"));
    assert_eq!((grammar.rules.len(), diagnostics), (100_000, Vec::new()));
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    let started = std::time::Instant::now();
    let pieces = [
        "{",
        "(",
        "[",
        "\"",
        "\"\n\n",
        "'",
        "<",
        "?",
        "a\n",
        "a ",
        "(*",
        "/*",
        "a ::= Regex(\"\")\n",
        "a = ",
        "\\",
        "[1] ",
        ",",
    ];
    for piece in pieces {
        for head in ["root ::= ", "root = ", ""] {
            read_all(&(head.to_owned() + &piece.repeat(50_000)));
        }
    }
    assert!(started.elapsed().as_secs() < 20, "some text takes time in proportion to its square");
}
