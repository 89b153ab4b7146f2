//! xgrammar's additions to GBNF: hand-written texts, accepted and rejected, and a slow implementation of `TagDispatch`.

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_kit::Random;

use crate::grammar::simulator::accepts;
use crate::grammar::unit::{check, gbnf};

#[test]
fn classes_names_and_escapes_follow_xgrammar() {
    check("root ::= [^] a.b\na.b ::= [\\^\\x1F600]", &["\n^", "é😀"], &["^", "aa", "aab"]);
    check("root ::= \"a\"\n  \"b\"\n  [c]", &["abc"], &["a", "ab"]);
}

#[test]
fn patterns_follow_the_rules_of_xgrammar() {
    check("root ::= Regex(\"a.c\")", &["abc", "a\nc", "aéc"], &["ac"]);
    check("root ::= Regex(\"a.c\", flags=\"i\")", &["aBC"], &["a\nc"]);
    check("root ::= Regex(\"(?i)[k-l]\\\\s\")", &["k ", "L\t", "K\u{b}"], &["\u{212a} ", "k\u{a0}", "m "]);
    check("root ::= Regex(\"(?i)[^k]\")", &["a"], &["k", "K"]);
    check(
        "root ::= Regex(\"\\\\S+\", json_string=true) \"\\\"\"",
        &["a.b\"", "é\""],
        &["a\"b\"", "a\\b\"", "a b\"", "\""],
    );
    check("root ::= \"x\" Regex(\"^[0-9]+$\") \"y\"", &["x12y"], &["xy"]);
}

#[test]
fn patterns_that_match_nothing_are_errors_with_help() {
    let found = |text: &str| {
        let (automaton, found) = compile_grammar(text, Dialect::Gbnf, &Limits::default());
        assert!(automaton.is_none(), "{text}");
        found[0].clone()
    };
    let slashes = found("root ::= Regex(\"/^[a-z]+$/i\")");
    assert!(slashes.help.is_some_and(|help| help.contains("leave the slashes out")));
    let empty = found("root ::= \"a\" Regex(\"b^\")");
    assert!(empty.help.is_some_and(|help| !help.contains("leads back")) && empty.labels.len() == 1);
}

#[test]
fn rule_options_bound_their_texts() {
    check("root ::= \"<\" name \">\" rest\nname[lazy] ::= [a-z]+\nrest ::= [a-z]+", &["<a>b"], &["<ab>c", "<>a"]);
    check("root ::= r \">\"\nr[max_chars=2] ::= [^>]*", &[">", "a>", "中é>"], &["abc>", "中éa>"]);
}

#[test]
fn substring_rules_accept_runs_of_chunks() {
    check(
        "root ::= \"x\" Substring(\"ab\", \"cd\", \"é\") \"y\"",
        &["xy", "xaby", "xcdéy", "xabcdéy"],
        &["xbcy", "xabéy", "xay"],
    );
    check("root ::= Substring() \"z\"", &["z"], &["az"]);
}

/// Reads a text by the rules of `TagDispatch`: character by character until a tag occurs.
fn dispatched(text: &str, tags: &[(&str, &str)], excluded: &[&str], loops: bool) -> bool {
    let mut read = 0;
    for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
        let stretch = &text[..at];
        if excluded.iter().any(|one| stretch.ends_with(one)) {
            return false;
        }
        let rest = &text[at..];
        if let Some((_, body)) = tags.iter().find(|(tag, _)| stretch.ends_with(tag)) {
            let behind = rest.strip_prefix(body);
            return behind.is_some_and(|behind| {
                if loops { dispatched(behind, tags, excluded, true) } else { behind.is_empty() }
            });
        }
        read = at;
    }
    read == text.len()
}

#[test]
fn tag_dispatches_agree_with_a_slow_reader() {
    let mut random = Random::new(7);
    let pool = ["<a>", "<b", "ab", "ba", "aab", "b<"];
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..60 {
        let mut words: Vec<&str> = (0..1 + random.below(3)).map(|_| *random.pick(&pool)).collect();
        words.sort_unstable();
        words.dedup();
        let is_apart = |one: &&str| words.iter().all(|other| one == other || !other.contains(*one));
        if !words.iter().all(is_apart) {
            continue;
        }
        let split = random.below(words.len() + 1);
        let (excluded, tags) = words.split_at(split);
        let tags: Vec<(&str, &str)> = tags.iter().map(|tag| (*tag, "b!")).collect();
        let loops = random.below(2) == 0;
        let pairs: Vec<String> = tags.iter().map(|(tag, _)| format!("(\"{tag}\", body)")).collect();
        let refused: String = excluded.iter().map(|one| format!("\"{one}\", ")).collect();
        let arguments = [pairs, vec![format!("excludes=({refused})"), format!("loop_after_dispatch={loops}")]].concat();
        let grammar = format!("root ::= TagDispatch({})\nbody ::= \"b!\"", arguments.join(", "));
        let automaton = gbnf(&grammar);
        for _ in 0..300 {
            let text: String = (0..random.below(12)).map(|_| *random.pick(&['a', 'b', '<', '>', '!', 'b'])).collect();
            let expected = dispatched(&text, &tags, excluded, loops);
            assert_eq!(accepts(&automaton, text.as_bytes()), expected, "{grammar}\n{text}");
            *if expected { &mut right } else { &mut wrong } += 1;
        }
    }
    assert!(right > 500 && wrong > 500, "{right} {wrong}");
}

#[test]
fn a_tag_dispatch_can_be_followed_by_other_text() {
    let text = "root ::= body \"</answer>\"\nbody ::= TagDispatch((\"<t>\", call), excludes=(\"</answer>\",))\ncall ::= \"{\" [^}]* \"}\"";
    check(
        text,
        &["</answer>", "hi <t>{x}</answer>", "<t>{</answer>}</answer>"],
        &["</answer></answer>", "<t>x</answer>", "<t>{}"],
    );
}

#[test]
fn lookaheads_change_no_text() {
    let (automaton, found) =
        compile_grammar("root ::= a \"b\"\na ::= \"a\"* (=\"b\")", Dialect::Gbnf, &Limits::default());
    assert!(automaton.is_some_and(|automaton| accepts(&automaton, b"aab")));
    assert_eq!(found.len(), 1);
}
