//! `quoted<x>` is exactly the set of JSON strings, in their shortest spelling, whose decoded text is a text of `x`:
//! also for recursive grammars, and next to other JSON.

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{Format, automaton, diagnostics};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

/// Rules, among them the quoted rule `g`, with the characters of test texts.
const GRAMMARS: [(&str, &str); 5] = [
    ("rule g = \"(\" g \"\\\\\" g \")\" | \"\\\"\" | \"\\n\"\n", "(\\)\"\n"),
    (
        "rule g = (line % \"\\n\") \"\\n\"\nrule line = (\"+\" | \"-\") /[^\\n]{0,3}/\n",
        "+-\n\"\\\u{1}\u{7f}\u{e9}\u{10348}",
    ),
    ("rule g = (/[ -~\\t]{1,4}/ - \"\\\"\\\"\") & /.*[\"\\\\\\t].*/\n", "a\"\\\t "),
    ("rule g = lazy</[^]*\\\\/> (\"\\u0000\" | \"\\u001f\" | \"\\u2028\")?\n", "\\\u{0}\u{1f}\u{2028}a"),
    ("rule g = \"a\"[2..3] % (\",\" | \"\\r\\f\\b\")\n", "a,\r\u{c}\u{8}"),
];

fn automata(rules: &str) -> [Arc<Automaton>; 2] {
    let db = Compiler::default();
    let text = format!("{rules}output Plain = g\noutput Quoted = \"<\" quoted<g> \">\"\n");
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "main.ogc".to_owned(), text, Language::Ogc, options);
    Workspace::new(&db, [("main.ogc".to_owned(), file)].into());
    let found: Vec<String> = diagnostics(&db, file).iter().map(|one| one.message.clone()).collect();
    assert_eq!(found, Vec::<String>::new(), "{rules}");
    ["Plain", "Quoted"].map(|name| automaton(&db, Format::named(file, name)).expect("an automaton"))
}

fn accepts(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&bytes, &[]).expect("a vocabulary");
    let mut matcher = Matcher::new(Arc::clone(automaton), MaskStore::new(Arc::new(vocabulary)));
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}

#[test]
fn quoted_rules_accept_the_json_strings_of_their_texts() {
    let mut random = Random::new(3);
    for (rules, characters) in GRAMMARS {
        let [plain, quoted] = automata(rules);
        let characters: Vec<char> = characters.chars().collect();
        let mut right = 0;
        for _ in 0..400 {
            let text: String = (0..random.below(9)).map(|_| *random.pick(&characters)).collect();
            let written = format!("<{}>", serde_json::to_string(&text).expect("JSON"));
            let is_right = accepts(&plain, text.as_bytes());
            assert_eq!(accepts(&quoted, written.as_bytes()), is_right, "{rules}{written}");
            right += usize::from(is_right);
            // Every accepted text is such a string.
            let nearly: String = written.chars().filter(|_| !random.one_in(12)).collect();
            let inside = nearly.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
            let decoded: Option<String> = serde_json::from_str(inside).ok();
            let decoded = decoded.filter(|decoded| serde_json::to_string(decoded).is_ok_and(|again| again == inside));
            let expected = decoded.is_some_and(|decoded| accepts(&plain, decoded.as_bytes()));
            assert_eq!(accepts(&quoted, nearly.as_bytes()), expected, "{rules}{nearly}");
        }
        assert!(right > 0, "no text of {rules} was tried");
    }
}
