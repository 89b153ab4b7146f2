//! Tests of regexes without slashes in programs, and of brackets that are not regexes.

use crate::ogc::token::TokenKind;
use crate::ogc::{notation, tokens};

/// Returns the bare regexes of a text.
fn bare(text: &str) -> Vec<&str> {
    let all = tokens(text).into_iter().filter(|token| token.kind == TokenKind::BareRegex);
    all.map(|token| token.span.text(text)).collect()
}

#[test]
fn classes_and_escapes_without_slashes_are_regexes() {
    for regex in [
        "[^,]+",
        "[ \\t]*",
        "[a-z\"]",
        "[^'\"]*",
        "[a-zA-Z0-9_]+",
        "[^\"\\\\]*",
        "[\\s]+",
        "\\d+",
        "[^\\n]+",
        "[^|\\n]+",
        "[a-z]{2,5}",
        "[[:alpha:]]+",
        "[\\]a]",
        "[^\"]",
        "\\d{4}-\\d{2}",
        "[A-Z]{3}-\\d+",
        "[0-9]",
        "[\"]",
        "[a-f][^x]?",
        "[']",
        "[^^]",
        "\\w+@\\w+",
        "\\n",
    ] {
        for around in ["rule a = # \"b\"\n", "rule a = \"b\" # \"c\"\n", "rule a = (# | \"b\")\n"] {
            let text = around.replace('#', regex);
            assert_eq!(bare(&text), [regex], "{text}");
            let found = notation(&text);
            let [one] = &found[..] else { panic!("{text}: {found:?}") };
            assert_eq!((one.code.name(), one.span.text(&text)), ("missing-slashes", regex), "{text}");
        }
        let text = format!("type A = {{ a: {regex}, b: string<{regex}> }}\n");
        assert_eq!(bare(&text), [regex, regex], "{text}");
    }
    for regex in ["[+-]?", "[.,;:!?]", "[*/]", "[/]+", "[_.-]"] {
        let text = format!("rule a = {regex} \"b\"\n");
        assert_eq!((bare(&text), notation(&text).len()), (vec![regex], 1), "{text}");
    }
}

#[test]
fn other_brackets_are_not_read_as_regexes() {
    for text in [
        "type A = { [/x-[a-z]+/]: int, [/\\d+/]: int, [\"a\\n\"]: int, [\"a]b\" | \"it's\"]: int }\n",
        "type A = { [string<3..9, /x-.*/> - \"x-id\"]: int, [string & /[a\\d]/]: int }\n",
        "test A {\n accept [\"a]b\", 1, \"\\\\d\"]\n accept { \"a\": [\"it's]\", \"\\n\"] }\n accept [\"[^a]\"]\n}\n",
        "type A = B[0..5]\ntype C = B[n] | B[..3]\n",
        "rule a = \"x\"[0..5] /[^\"]/ '[^a]' b[2]  // [^a]\n",
        "@examples([1, 2])\ntype A = [int]\n",
        "type A = T[0-9]\ntype B = [\"a\", \"b\"]\n",
        "type A = { a: [first-name] }\nrule a = b [*]\n",
        "type A = { [a.\"it's\"]: int, [a.\"\u{e9}'\"]: int }\n",
    ] {
        assert_eq!(bare(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn slashes_are_put_around_bare_regexes() {
    for (written, meant) in [
        ("rule a = [^,]+ (\"x\" [ \\t]*)\n", "rule a = /[^,]+/ (\"x\" /[ \\t]*/)\n"),
        ("rule a = [^'\"]* \"b\" [/]\n", "rule a = /[^'\"]*/ \"b\" /[/]/\n"),
        ("type A = { a: [A-Z]{3}-\\d+, b: int }\n", "type A = { a: /[A-Z]{3}-\\d+/, b: int }\n"),
        ("rule a = [[:alpha:]_]+\n", "rule a = /[A-Za-z_]+/\n"),
    ] {
        assert_eq!(crate::ogc::correct(written, &mut notation).text, meant);
    }
}
