//! Free text next to structured parts.

use ogc_grammar::Code;
use ogc_runtime::matcher::Matcher;

use super::{Checked, check};

const THINK: &str = "rule think = \"<think>\" t: text<max_tokens = 9> \"</think>\"\n";

/// Checks that the text after `THINK` has one finding, at `place`, and that its correction yields `fixed`, which has
/// none.
#[track_caller]
fn found(text: &str, place: &str, fixed: &str) {
    let whole = format!("{THINK}{text}\n");
    let message = "this free text may begin with \"<think>\" too, so that the part before it enforces nothing";
    check(&whole, Code::SwallowedPart, &[&format!("{place}: {message}")]);
    let corrected = Checked::ogc(&whole).fixed();
    assert_eq!(corrected, format!("{THINK}{fixed}\n"));
    check(&corrected, Code::SwallowedPart, &[]);
}

#[track_caller]
fn silent(text: &str) {
    check(&format!("{THINK}{text}\n"), Code::SwallowedPart, &[]);
}

#[test]
fn optional_and_repeated_parts_before_free_text_are_found() {
    let kept = "text<without = \"<think>\">";
    for part in ["think?", "think*", "think[0..2]", "think+", "think[1..3]", "(think | \"\")", "(think \"\\n\"?)?"] {
        found(&format!("output Out = {part} body: text"), "text", &format!("output Out = {part} body: {kept}"));
    }
}

#[test]
fn free_text_is_found_through_rules_and_enclosing_expressions() {
    let kept = "text<without = \"<think>\">";
    for (text, after) in [
        ("rule head = think?\nrule rest = body: text\noutput Out = head rest", "text"),
        ("output Out = think? \"\"? (\"a\" | text)", "text"),
        ("output Out = (\"x\" think?) text", "text"),
        ("output Out = think? (text \"!\")[0..3]", "text"),
        ("rule call = \"CALL\" /[a-z]+/\noutput Out = think? mix<text, call, calls = 0..3>", "text"),
    ] {
        found(text, after, &text.replacen("text", kept, 1));
    }
    found(
        "output Out = think? text<max_tokens = 5>",
        "text<max_tokens = 5>",
        "output Out = think? text<max_tokens = 5, without = \"<think>\">",
    );
    found(
        "output Out = think? text<without = \"a\" | \"b\">",
        "text<without = \"a\" | \"b\">",
        "output Out = think? text<without = \"a\" | \"b\" | \"<think>\">",
    );
}

#[test]
fn regexes_that_allow_most_characters_are_free_text() {
    for regex in ["/(.|\\n)*/", "/.*/", "/[^\\n]{1,200}/", "/[ -~]+/"] {
        let after = format!("output Out = think? ({regex} - (\"<think>\" text))");
        found(&format!("output Out = think? {regex}"), regex, &after);
    }
    let lines = format!("{THINK}rule line = /[^\\n]{{1,80}}/ \"\\n\"\noutput Out = think? line*\n");
    assert_eq!(Checked::ogc(&lines).found(Code::SwallowedPart).len(), 1);
    for regex in ["/[a-z ]*/", "/[^<]*/", "/\\w+/", "/[^\\n]{1,3}/"] {
        silent(&format!("output Out = think? {regex}"));
    }
}

#[test]
fn parts_distinguishable_from_the_text_are_not_reported() {
    for text in [
        "output Out = think? text<without = \"<think>\">",
        "output Out = think? text<without = \"<\">",
        "output Out = (tok\"<think>\" \"x\" tok\"</think>\")? text",
        "output Out = think text",
        "output Out = think[2] text",
        "output Out = think? \"Answer: \" text",
        "output Out = text think?",
        "output Out = think? { a: int }",
        "output Out = \"- \"? text",
        "output Out = (\"yes\" | \"no\")? text",
        "output Out = /[0-9]+/? text",
        "output Out = think? (\"<think>\" | \"a\")",
    ] {
        silent(text);
    }
}

#[test]
fn a_value_before_free_text_is_found_and_not_corrected() {
    let text = "output Out = json<{ a: int }>? text\n";
    let checked = Checked::ogc(text);
    assert_eq!(checked.found(Code::SwallowedPart).len(), 1);
    assert_eq!(checked.fixed(), text);
    check("output Out = json<{ a: int }>? text<without = \"{\">\n", Code::SwallowedPart, &[]);
}

#[test]
fn counted_literals_before_free_text_are_found() {
    assert_eq!(Checked::ogc("output Out = \"> \"[0..2] text\n").found(Code::SwallowedPart).len(), 1);
    check("output Out = \"> \"* text\n", Code::SwallowedPart, &[]);
}

#[test]
fn a_part_with_a_mistake_is_accepted_as_the_finding_says() {
    // The finding matches the accepted texts: before the correction, the mistaken thought is accepted as an answer;
    // after it, it is not.
    let text = format!("{THINK}output Out = think? text\n");
    let accepts = |text: &str, input: &str| {
        let checked = Checked::ogc(text);
        let store = checked.vocabulary().store(&checked.db);
        let mut matcher = Matcher::new(checked.automaton(), store);
        matcher.accept_bytes(input.as_bytes()).is_ok() && matcher.is_complete()
    };
    assert!(accepts(&text, "<think>never closed"));
    let corrected = Checked::ogc(&text).fixed();
    assert!(!accepts(&corrected, "<think>never closed"));
    assert!(accepts(&corrected, "<think>closed</think>It is sunny.") && accepts(&corrected, "It is sunny."));
}

#[test]
fn swallowed_alternatives_are_found_like_swallowed_parts() {
    let message = "this free text may begin with \"<think>\" too, so that the other alternative enforces nothing";
    check(
        &format!("{THINK}output Out = /(.|\\n)*/ | think\n"),
        Code::SwallowedAlternative,
        &[&format!("/(.|\\n)*/: {message}")],
    );
    check(
        &format!("{THINK}output Out = (text \"!\") | think\n"),
        Code::SwallowedAlternative,
        &[&format!("text: {message}")],
    );
    check(&format!("{THINK}output Out = /[^\\n<]+/ | think\n"), Code::SwallowedAlternative, &[]);
    check("output Out = \"other\" | /[^\\n]+/\n", Code::SwallowedAlternative, &[]);
    let fixed = Checked::ogc(&format!("{THINK}output Out = text | think\n")).fixed();
    assert_eq!(fixed, format!("{THINK}output Out = text<without = \"<think>\"> | think\n"));
}
