//! Tests of the Lark reader, as tables.

use super::{parse, parse_lark};
use crate::Code;
use crate::rules::shape;

/// Returns the rules as text, helper rules included.
fn rules(text: &str) -> Vec<String> {
    let (grammar, found) = parse(text);
    assert_eq!(found.iter().filter(|d| d.is_error()).collect::<Vec<_>>(), Vec::<&crate::Diagnostic>::new(), "{text}");
    grammar.rules.iter().map(|rule| format!("{} = {}", rule.name.value, shape(&rule.body))).collect()
}

fn body(text: &str) -> String {
    let all = rules(&format!("start: {text}\n"));
    all[0].strip_prefix("start = ").map(str::to_owned).unwrap_or_default()
}

#[test]
fn parses_lark_expressions() {
    let cases = [
        (r#""abc""#, "\"abc\""),
        (r#""\n\t\\\"\x41\u00e9\U0001F600\/""#, "\"\\n\\t\\\\\\\"Aé😀/\""),
        (r#""ab"i"#, "/(?i)ab/"),
        (r#""1+"i"#, "\"1+\""),
        (r#""a".."f""#, "['a'-'f']"),
        ("a B", "(, a B)"),
        ("a | b c |", "(| a (, b c) (, ))"),
        ("| a", "(| (, ) a)"),
        ("a -> first\n  | b -> second", "(| a b)"),
        ("(a | b) c", "(, (| a b) c)"),
        ("(a\n  b\n)", "(, a b)"),
        ("[a b]", "(, a b){0,1}"),
        ("a? b* c+", "(, a{0,1} b{0,} c{1,})"),
        ("a~2 b~2..3 c{2} d{2,} e{,3} f{1,2}", "(, a{2,2} b{2,3} c{2,2} d{2,} e{0,3} f{1,2})"),
        ("a // c\n  | b # d", "(| a b)"),
        ("<|think|> <[12]> <[^1,20-30]>", "(, token <|think|> token <[12]> token <[^1,20-30]>)"),
        ("()", "(, )"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn patterns_have_the_meaning_of_python_regexes() {
    let cases = [
        (r"/a.b/", r"a[^\n]b"),
        (r"/a.b/s", r"a(?s:.)b"),
        (r"/AB/i", r"(?i)AB"),
        (r"/(?i)AB/", r"(?i)AB"),
        (r"/(?i:a)(?s:.)./", r"(?i:a)(?:(?s:.))[^\n]"),
        (r"/ a b # c\n/x", "ab"),
        (r"/(?P<x>a)(?<y>b)(?:c)/", "(?:a)(?:b)(?:c)"),
        (r"/\/\-\x41\u0042\U00000043\u{44}\101/", r"\/\-ABCDA"),
        (r"/[]a^-]/", r"[\]a\^\-]"),
        (r"/[^a-z\]]/", r"[^a-z\]]"),
        (r"/[\d_]\d/", r"[\p{Nd}_]\p{Nd}"),
        (r"/a{2}b{,3}c{x}/", r"a{2}b{0,3}c\{x\}"),
        (r"/\w/", r"[\p{L}\p{N}_]"),
        (r"/\pL\p{Lu}/", r"\p{L}\p{Lu}"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), format!("/{expected}/"), "{text}");
    }
}

#[test]
fn ignored_text_is_allowed_between_terminals_and_at_both_ends() {
    let woven = rules("start: A b\nb: \"x\"* A?\nA: /a/ \"c\"\n%ignore \" \"\n");
    let expected = [
        "start = (, %ignore (, (, A %ignore) b) (, ))",
        "b = (, (, \"x\" %ignore){0,} (, A %ignore){0,1})",
        "A = (, /a/ \"c\")",
        "%ignore = \" \"{0,}",
    ];
    assert_eq!(woven, expected);
    let later = rules("%llguidance {\"ignore_once\": true}\nstart: \"a\"\n%ignore /x/\n");
    assert_eq!(later, ["start = (, (, ) (, \"a\" %ignore) (, ))", "%ignore = /x/{0,1}"]);
}

#[test]
fn imports_templates_overrides_and_extensions_are_expanded() {
    let all =
        rules("start: sep{NUMBER, \",\"} sep{w, \",\"}\nsep{x, s}: x (s x)*\nw: \"w\"\n%import common.INT -> NUMBER\n");
    let expected = [
        "start = (, sep{NUMBER,\",\"} sep{w,\",\"})",
        "w = \"w\"",
        "NUMBER = /[0-9]+/",
        "sep{NUMBER,\",\"} = (, NUMBER (, \",\" NUMBER){0,})",
        "sep{w,\",\"} = (, w (, \",\" w){0,})",
    ];
    assert_eq!(all, expected);
    let changed = rules("start: WS INT\n%import common (WS, INT)\n%override WS: \" \"\n%extend INT: \"x\"\n");
    assert_eq!(changed[1..], ["WS = \" \"", "INT = (| /[0-9]+/ \"x\")"]);
}

#[test]
fn parses_lazy_rules_and_boolean_terminals() {
    let lazy = rules("start: a \"x\"\na[lazy, capture=\"c\"]: /[a-z]*/\n");
    assert_eq!(lazy[1], "a = (c Whole (lazy /[a-z]*/))");
    let stop = rules("start: a \"x\"\na[stop=\"b\"]: A\nA: /[a-z]*/\n");
    assert_eq!(stop[1], "a = (lazy (, A \"b\"))");
    let sets = rules("start: A\nA: /a/ & /b/ | /c/ & ~/d/ | ~\"e\"\n");
    assert_eq!(sets[1], "A = (| (- /a/ (- .{0,} /b/)) (- /c/ /d/) (- .{0,} \"e\"))");
}

/// Each error gives one diagnostic at one place, and the rule after it is read.
#[test]
fn each_mistake_is_one_diagnostic_and_parsing_resumes() {
    let cases = [
        ("a: \"x", Code::LarkUnclosed, "\""),
        ("a: /x", Code::LarkUnclosed, "/"),
        ("a: / \"test\"", Code::LarkUnclosed, "/"),
        ("a: \"\\q\"", Code::LarkEscape, "\\q"),
        ("a: \"\\xZZ\"", Code::LarkEscape, "\\x"),
        ("a: 'x'", Code::LarkSingleQuotes, "'x'"),
        ("a: (x", Code::UnclosedGroup, "("),
        ("a: x)", Code::UnmatchedParenthesis, ")"),
        ("a: *", Code::NothingToRepeat, "*"),
        ("a: (?:x)", Code::NothingToRepeat, "?"),
        ("%ignor X", Code::LarkDirective, "%ignor"),
        ("a: x*****", Code::NestingTooDeep, "*"),
        ("a: x{3,2}", Code::LarkRepetition, "{3,2}"),
        ("a: x{0,-1}", Code::LarkRepetition, "{"),
        ("a: x~3..2", Code::LarkRepetition, "~3..2"),
        ("a: \"a\"..\"cd\"", Code::LarkRange, "\"a\"..\"cd\""),
        ("a: \"b\"..\"a\"", Code::ReversedRange, "\"b\"..\"a\""),
        ("a: x\n  y", Code::LarkLine, "y"),
        ("a = x", Code::ExpectedRule, "="),
        ("a: x;", Code::UnexpectedCharacter, ";"),
        ("a: <[2-1]>", Code::LarkToken, "<[2-1]>"),
        ("a: <>", Code::LarkToken, "<>"),
        ("Ab: \"x\"", Code::LarkName, "Ab"),
        ("%declare X", Code::LarkDeclare, "%declare"),
        ("%foo X", Code::LarkDirective, "%foo"),
        ("%import python.STRINGS", Code::LarkImport, "STRINGS"),
        ("%import ..other.NAME", Code::LarkImport, ".."),
        ("%import .other", Code::LarkImport, ".other"),
        ("%import lark.RULE", Code::LarkImport, "lark.RULE"),
        ("%import .other.NAME", Code::LarkImport, ".other.NAME"),
        ("%import common.INTT", Code::LarkImport, "INTT"),
        ("%override x: \"a\"", Code::LarkOverride, "x"),
        ("%llguidance {\"x\": 1}", Code::LarkOption, "\"x\""),
        ("a: %json {\"x-guidance\": {}}", Code::LarkEmbedded, "\"x-guidance\""),
        ("a: @other", Code::LarkImport, "@other"),
        ("a: @ other", Code::LarkEmbedded, "@"),
        ("a::_ : \"x\"", Code::LarkParametric, "::"),
        ("a: \"x\" %if eq(0, 0)", Code::LarkParametric, "%if"),
        ("a[lazy=1]: \"x\"", Code::LarkAttribute, "lazy"),
        ("a[stop=\"\"]: \"x\"", Code::LarkAttribute, "stop"),
        ("a[foo]: \"x\"", Code::LarkAttribute, "foo"),
        ("a: \"x\" & \"y\"", Code::LarkTerminalOnly, "\"x\" & \"y\""),
        ("A: start", Code::LarkTerminalOnly, "start"),
        ("A: <x>", Code::LarkTerminalOnly, "<x>"),
        ("A: \"x\" A", Code::LarkTerminalCycle, "A"),
        ("a: t{\"x\"}", Code::LarkTemplate, "t"),
        ("t{x}: x\na: t", Code::LarkTemplate, "t"),
        ("t{x}: x\na: t{\"a\", \"b\"}", Code::LarkTemplate, "t"),
        ("a: /a(?=b)/", Code::LarkRegex, "(?="),
        ("a: /^a/", Code::LarkRegex, "^"),
        ("a: /a\\b/", Code::LarkRegex, "\\b"),
        ("a: /(a)\\1/", Code::LarkRegex, "\\1"),
        ("a: /[b-a]/", Code::LarkRegex, "b-a"),
        ("a: /a++/", Code::LarkRegex, "++"),
        ("a: /[[:alpha:]]/", Code::LarkRegex, "[["),
        ("a: /a/l", Code::LarkRegex, "l"),
    ];
    for (text, code, place) in cases {
        let source = format!("{text}\nstart: \"n\"\n");
        let (grammar, found) = parse(&source);
        let found: Vec<_> = found.iter().map(|d| (d.code, d.span.text(&source))).collect();
        assert_eq!(found, [(code, place)], "{text}");
        assert!(grammar.rules.iter().any(|r| r.name.value == "start" && shape(&r.body) == "\"n\""), "{text}");
    }
}

#[test]
fn undefined_names_and_a_missing_start_rule_are_errors() {
    let cases = [
        ("a: \"x\"", Code::MissingRoot, "add `start: a`"),
        ("start: valeu\nvalue: \"a\"", Code::UndefinedRule, "did you mean `value`?"),
        ("start: \"a\"\nstart: \"b\"", Code::DuplicateRule, "another name"),
    ];
    for (text, code, help) in cases {
        let found = parse_lark(text).1;
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert!(only.code == code && only.help.as_deref().is_some_and(|h| h.contains(help)), "{text}: {only:?}");
    }
}

#[test]
fn constructs_without_effect_give_a_warning() {
    let cases = [
        ("start.2: \"a\"", Code::LarkPriority),
        ("start: /a+?/", Code::LarkLazyRepetition),
        ("start: \"a\"+?", Code::DoubtfulPattern),
        ("start: \"a\"{2,}?", Code::DoubtfulPattern),
        ("start[temperature=1]: \"a\"", Code::LarkCapture),
    ];
    for (text, code) in cases {
        let found = parse_lark(text).1;
        assert_eq!(found.iter().map(|d| (d.code, d.is_error())).collect::<Vec<_>>(), [(code, false)], "{text}");
    }
}

#[test]
fn lazy_rules_beside_others_are_refused() {
    let text = "start: head* tail\nhead[lazy]: T \"x\"\ntail: T\nT: /[a-z]*/\n";
    let found = parse_lark(text).1;
    assert_eq!(found.iter().map(|d| (d.code, d.span.text(text))).collect::<Vec<_>>(), [(Code::LarkLazyChoice, "head")]);
}

#[test]
fn infinitely_expanding_templates_are_refused_with_the_limit() {
    let text = "start: a{\"x\"}\na{x}: a{b{x}}\nb{x}: x \"y\"\n";
    let found = parse_lark(text).1;
    assert!(
        found[0].code == Code::LarkTemplate && found[0].message.contains("1001") && found[0].message.contains("1000")
    );
}

/// Checks that reading a text of these lines gives no error, or only this one.
#[track_caller]
fn ends(lines: impl Iterator<Item = String>, error: Option<Code>) {
    let (grammar, found) = parse(&lines.map(|line| line + "\n").collect::<String>());
    assert_eq!(found.iter().find(|one| one.is_error()).map(|one| one.code), error, "{found:?}");
    drop(grammar);
}

fn head(line: &str) -> impl Iterator<Item = String> + use<> {
    std::iter::once(line.to_owned())
}

#[test]
fn many_operands_do_not_nest_deeply() {
    ends(head(&format!("start: A\nA: {}", vec!["/a/"; 50_000].join(" & "))), None);
    ends(head(&format!("start: A\nA: {}", vec!["~/a/"; 50_000].join(" & "))), None);
    ends(head("start: A\nA: \"a\"").chain((0..50_000).map(|_| "%extend A: \"b\"".to_owned())), None);
}

#[test]
fn overriding_many_items_takes_little_time() {
    let items = |mode: &'static str| (0..20_000).map(move |at| format!("{mode}A{at}: \"a{at}\""));
    ends(head("start: A1").chain(items("")).chain(items("%override ")), None);
}

#[test]
fn lazy_terminals_are_found_behind_many_rules() {
    let rule = |at: usize| format!("r{at}: r{} | \"x\" r{}", at + 1, at + 1);
    let last = "r10000: L\nL[lazy]: /a.*b/";
    ends(head("start: r0").chain((0..10_000).map(rule)).chain(head(last)), Some(Code::LarkLazyChoice));
    ends(head("start: r0").chain(head(last)).chain((0..10_000).rev().map(rule)), Some(Code::LarkLazyChoice));
    let many = (0..5_000).map(|at| format!("s{at}: L{at} s{}\nL{at}[lazy]: /a.*b/", at + 1));
    ends(head("start: s0").chain(many).chain(head("s5000:")), None);
}

#[test]
fn copies_of_templates_are_bounded() {
    let calls: Vec<String> = (0..900).map(|at| format!("t{{\"x{at}\"}}")).collect();
    let text = |body: &str| head(&format!("start: {}\nt{{x}}: {body}", calls.join(" | ")));
    ends(text("x \"b\""), None);
    ends(text(&vec!["x \"b\""; 10_000].join(" ")), Some(Code::LarkTemplate));
    let long = format!("start: t{{/{}/}}\nt{{x}}: {}", "a".repeat(100_000), vec!["x"; 1_000].join(" "));
    ends(head(&long), Some(Code::LarkTemplate));
}

#[test]
fn misspelled_directives_are_corrected() {
    for (text, meant) in
        [("%ignor \" \"", "%ignore"), ("%inport common.WS", "%import"), ("%extends start: \"b\"", "%extend")]
    {
        let source = format!("start: \"a\"\n{text}\n");
        let found = parse_lark(&source).1;
        let [only] = found.as_slice() else { panic!("{text}: {found:?}") };
        let edits = only.fix.as_ref().map(|fix| fix.edits.clone()).unwrap_or_default();
        assert_eq!((only.code, edits), (Code::LarkDirective, vec![(only.span, meant.to_owned())]), "{text}");
    }
}
