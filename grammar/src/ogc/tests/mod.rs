//! Tests of the front end as a whole.

mod bare;
mod corrections;
mod examples;
mod format;
mod mutations;
mod random;

use super::parse;
use crate::fix::{Fix, apply};

/// Only the imported names must not have hyphens or a preceding keyword.
#[test]
fn replacements_of_imports_are_expressions() {
    for import in ["import a, b from \"x.gbnf\"", "import \"x.gbnf\" as m"] {
        let text = format!("{import} with {{ a = a.type b, b = c-d }}\n");
        assert_eq!(parse(&text).diagnostics, [], "{text}");
    }
    for wrong in
        ["import type a from \"x.gbnf\"", "import odd-rule from \"x.gbnf\"", "import a from \"x\" with { b-c = d }"]
    {
        assert!(!parse(wrong).diagnostics.is_empty(), "{wrong}");
    }
}

#[test]
fn arrays_in_test_cases_are_not_read_as_repetitions() {
    for array in ["[1, 2]", "[1]", "[]", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[\"a\", 2]"] {
        let text = format!("test A {{\n  accept {array}\n  reject {array} because \"so\"\n}}\n");
        assert_eq!(parse(&text).diagnostics, [], "{text}");
    }
}

/// Checks that words with a meaning in other languages are names where ogc reads them as names.
#[test]
fn words_of_other_languages_are_names_elsewhere() {
    let programs = [
        "type A = { a: choice[3], b: at, at?: int, in: string, record: record }",
        "type at<in> = in",
        "type choice = either | oneof[1..3] | any[2]",
        "type A = int<-5..5>",
        "type A = { a: (string)[0..], [string]: any }",
        "rule a = date.year(\"x\") string.min(1) x.join (\"y\")",
        "rule a = from c\nimport b from \"x.ogc\"",
        "rule a = b\nfrom c import d from \"x.ogc\"",
        "rule a = b\nreturn c\n@title(\"x\") d",
        "import a\nfrom \"x.ogc\"\nwith { b = c }",
        "import \"x.ogc\"\nas c",
        "type A = int |\n@deprecated string",
        "policy space = \"any\", order = \"any\"",
        "test A<{ a: 1 }> {\n  accept { a: [1, -2, \"x\"], b: { c: null } } with { d: [true] } because \"x\"\n}",
        "output A = a - b c: \"x\" & /x/",
    ];
    for program in programs {
        assert_eq!(parse(program).diagnostics, [], "{program}");
    }
}

/// Checks that a range without ends at the end of a text is removed by its correction.
#[test]
fn a_range_without_bounds_is_removed_at_the_end_of_a_text_too() {
    for text in
        ["type A = number<..,", "type A = number<.., ", "type A = number<..,\u{13}", "type A = number<.., x = 1>"]
    {
        let fixes = parse(text).diagnostics.into_iter().filter_map(|found| found.fix);
        let removals: Vec<Fix> = fixes.filter(|fix| fix.label.contains("..")).collect();
        assert_eq!(removals.len(), 1, "{text}");
        let (corrected, _) = apply(text, removals.iter());
        assert!(!corrected.contains(".."), "{text}: {corrected}");
    }
}

/// Checks that a correction changes only the words that it is about, whatever follows them.
#[test]
fn corrections_of_foreign_keywords_change_only_the_keyword() {
    let words = [
        "export",
        "pub",
        "public",
        "declare",
        "union A = b",
        "alias A = b",
        "newtype A = b",
        "enum A = \"a\"",
        "enum A { b }",
    ];
    for (word, behind) in words.iter().flat_map(|word| ["", "//", "→", "\ntype B = c"].map(|behind| (word, behind))) {
        let text = format!(">{word}{behind}");
        for fix in parse(&text).diagnostics.into_iter().filter_map(|found| found.fix) {
            let (corrected, applied) = apply(&text, std::iter::once(&fix));
            assert_eq!(applied, [0], "{text}: {fix:?}");
            assert!(corrected.ends_with(behind), "{text}: {corrected}");
        }
    }
}
