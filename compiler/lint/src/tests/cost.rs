//! Lints about size; the figures equal those of the automaton.

use ogc_compiler::db::Language;
use ogc_grammar::Code;

use super::{Checked, check};

/// The automaton must remember the last ten characters, though no bound is large by itself.
const LARGE: &str = "[a-z0-9]*[0-9][a-z0-9]{10}";

#[test]
fn large_patterns_are_found_with_their_states() {
    let text = format!("type A = {{ a: /{LARGE}/, b: /[a-z]{{1,40}}/ }}\noutput Out = A\n");
    let checked = Checked::ogc(&text);
    let automaton = checked.automaton();
    let states =
        automaton.rules.iter().filter(|rule| rule.name == "pattern").map(|rule| rule.states.len).max().unwrap();
    assert!(states > 1_000);
    let found = checked.found(Code::LargePattern);
    assert_eq!(found.len(), 1);
    let begin = format!("/{LARGE}/: this pattern needs {states} states (");
    assert!(found[0].starts_with(&begin), "{found:?}");
}

#[test]
fn large_patterns_are_found_in_rules_and_regex_files() {
    let found = Checked::ogc(&format!("rule a = \"<\" /{LARGE}/ \">\"\noutput Out = a\n")).found(Code::LargePattern);
    assert!(found.len() == 1 && found[0].starts_with(&format!("/{LARGE}/: ")), "{found:?}");
    let file = Checked::new(LARGE, Language::Regex).found(Code::LargePattern);
    assert!(file.len() == 1 && file[0].starts_with(&format!("{LARGE}: ")), "{file:?}");
    assert!(Checked::new("[a-z]{1,40}-[0-9]", Language::Regex).found(Code::LargePattern).is_empty());
    check("rule a = /[a-z]/[1..40] \"-\"\noutput Out = a\n", Code::LargePattern, &[]);
}

#[test]
fn the_help_for_long_lists_of_texts_does_not_mention_repetitions() {
    let word = |at: u64| format!("\"{:016x}\"", (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let words: Vec<String> = (0..300).map(word).collect();
    let text = format!("type A = {}\noutput Out = raw<A> \"\\n\"\n", words.join(" | "));
    let found = Checked::ogc(&text).found(Code::LargePattern);
    assert!(found.len() == 1 && found[0].starts_with("A: this set of texts needs "), "{found:?}");
    assert!(Checked::ogc(&text).helps(Code::LargePattern)[0].starts_with("list fewer texts"));
    let pattern = format!("output Out = {{ a: /{LARGE}/ }}\n");
    assert!(Checked::ogc(&pattern).helps(Code::LargePattern)[0].starts_with("count repetitions outside"));
}

fn keys(count: u32) -> String {
    (0..count).map(|at| format!("k{at}_and_more?: int, ")).collect()
}

#[test]
fn costs_within_the_standard_library_are_not_reported() {
    let text = "import tools from \"tools.json\"\nimport \"std.tools\" as std\noutput Out = std.qwen_coder<tools>\n";
    let tools = r#"[{"name": "book", "parameters": {"type": "object", "additionalProperties": false, "required": ["from", "to", "count"],
        "properties": {"from": {"type": "string", "maxLength": 30}, "to": {"type": "string", "maxLength": 30},
        "count": {"type": "integer", "minimum": 1, "maximum": 9}}}}]"#;
    let checked = Checked::beside(text, Language::Ogc, &[("tools.json", tools)]);
    let states = checked.automaton().states.len();
    assert!(states > 1_000, "strings without their closing tag take many states: {states}");
    assert!(checked.found(Code::LargePattern).is_empty());
}

#[test]
fn wide_records_are_found() {
    let record =
        |order: &str, count: u32| format!("@order(\"{order}\")\ntype A = {{ {} }}\noutput Out = A\n", keys(count));
    let found = Checked::ogc(&record("any", 400)).found(Code::WideRecord);
    assert!(found.len() == 1 && found[0].contains("400 keys in any order need "), "{found:?}");
    check(&record("declared", 400), Code::WideRecord, &[]);
    check(&record("any", 20), Code::WideRecord, &[]);
}

#[test]
fn patterns_of_keys_are_found() {
    let record = |most: u32| format!("type A = {{ [/[a-z0-9]*[0-9][a-z0-9]{{{most}}}/]: int }}\noutput Out = A\n");
    let checked = Checked::ogc(&record(10));
    let found = checked.found(Code::WideRecord);
    assert!(found.len() == 1 && found[0].contains("because some follow a pattern"), "{found:?}");
    check(&record(4), Code::WideRecord, &[]);
}

#[test]
fn open_records_with_many_keys_are_found() {
    let record = |count: u32, rest: &str| format!("type A = {{ {} {rest} }}\noutput Out = A\n", keys(count));
    let found = Checked::ogc(&record(400, "...")).found(Code::OpenRecord);
    assert!(found.len() == 1 && found[0].contains("beside the 400 declared ones, at "), "{found:?}");
    check(&record(400, ""), Code::OpenRecord, &[]);
    check(&record(20, "..."), Code::OpenRecord, &[]);
    check("output Out = map<string, int>\n", Code::OpenRecord, &[]);
}

#[test]
fn the_cost_of_free_white_space_is_measured_against_compact() {
    let record: String = (0..800).map(|at| format!("k{at}: {{ a{at}: int }}, ")).collect();
    let text = |space: &str| format!("@space(\"{space}\")\noutput Out = {{ {record} }}\n");
    let (loose, tight) = (Checked::ogc(&text("any")), Checked::ogc(&text("compact")));
    let [loose_states, tight_states] = [&loose, &tight].map(|checked| checked.automaton().states.len());
    let found = loose.found(Code::LooseSpace);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("@space(\"any\"): ") && found[0].contains(&format!(" {loose_states} states")),
        "{found:?}"
    );
    assert!(found[0].contains(&format!("compact, it needs {tight_states} states")), "{found:?}");
    assert!(tight.found(Code::LooseSpace).is_empty());
    check("@space(\"any\")\noutput Out = { a: int }\n", Code::LooseSpace, &[]);
}

#[test]
fn costly_white_space_is_reported_at_its_policy() {
    let record: String = (0..800).map(|at| format!("k{at}: {{ a{at}: int }}, ")).collect();
    let places = |text: String| {
        let checked = Checked::ogc(&text);
        let found = checked.all(None).into_iter().find(|found| found.code == Code::LooseSpace).unwrap();
        let spans = std::iter::once(&found.span).chain(found.labels.iter().map(|(span, _)| span));
        spans.map(|span| span.text(&text).to_owned()).collect::<Vec<_>>()
    };
    let (any, attribute) = ("space = \"any\"", "@space(\"any\")");
    assert_eq!(places(format!("policy {any}\noutput Out = {{ {record} }}\n")), [any]);
    assert_eq!(places(format!("output Out = json<{{ {record} }}, {any}> \".\"\n")), [any]);
    let inner = format!("{attribute}\ntype A = {{ {record} }}\n");
    assert_eq!(places(format!("{inner}output Out = {{ a: A }}\n")), [attribute]);
    assert_eq!(places(format!("policy {any}\n{inner}output Out = {{ a: A }}\n")), [attribute, any]);
    assert_eq!(places(format!("policy {any}\n{inner}@space(\"compact\")\noutput Out = {{ a: A }}\n")), [attribute]);
    let schema: String = (0..800).map(|at| format!("\"k{at}\": {{\"properties\": {{\"a\": {{}}}}}}, ")).collect();
    let found = Checked::schema(&format!("{{\"properties\": {{ {schema} \"z\": false }} }}")).found(Code::LooseSpace);
    assert!(found.len() == 1 && found[0].starts_with("{: with white space"), "the format: {found:?}");
}

#[test]
fn the_most_expensive_part_is_reported_unless_another_lint_explains_it() {
    let word = |at: u32| format!("\"{:x}\"", u64::from(at).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let words: Vec<String> = (1..900).map(word).collect();
    let text = format!("type A = {{ a: {}, b: int }}\noutput Out = A\n", words.join(" | "));
    let checked = Checked::ogc(&text);
    let (states, whole) = (checked.states("enum"), checked.automaton().states.len());
    let found = checked.found(Code::ExpensivePart);
    assert!(found.len() == 1, "{states} of {whole}");
    assert!(
        found[0].contains(&format!("takes {states} states (")) && found[0].contains(&format!("of {whole} states")),
        "{found:?}"
    );
    assert!(checked.helps(Code::ExpensivePart).iter().all(|help| help.contains("canonical")));
    let canonical = Checked::ogc(&format!("policy escapes = \"canonical\"\n{text}"));
    assert!(canonical.helps(Code::ExpensivePart).iter().all(|help| !help.contains("canonical")));
    check("output Out = { a: \"x\" | \"y\" }\n", Code::ExpensivePart, &[]);
    check("output Out = { a: /([a-z]{1,90}-){1,90}[0-9]/ }\n", Code::ExpensivePart, &[]);
}
