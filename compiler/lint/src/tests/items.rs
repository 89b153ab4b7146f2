//! Lints about files: unused definitions, and constraints that other engines ignore.

use ogc_compiler::db::Language;
use ogc_grammar::Code;

use super::{Checked, check};
use crate::findings::{Levels, Subject, findings};

#[test]
fn unused_items_and_their_dependencies_are_found() {
    let text =
        "type A = B\ntype B = int\ntype C<T> = T[0..3]\nrule r = \"x\"\noutput Out = { c: C<D> }\ntype D = string\n";
    check(
        text,
        Code::UnusedItem,
        &[
            "A: no output and no test uses `A`",
            "B: no output and no test uses `B`",
            "r: no output and no test uses `r`",
        ],
    );
    assert_eq!(Checked::ogc(text).fixed(), "type C<T> = T[0..3]\noutput Out = { c: C<D> }\ntype D = string\n");
}

#[test]
fn names_in_tests_and_attributes_count_as_uses() {
    check("type A = int\ntest A { accept '1' }\noutput Out = string\n", Code::UnusedItem, &[]);
    check("rule space = / /\n@skip(space)\noutput Out = \"a\" \"b\"\n", Code::UnusedItem, &[]);
    check(
        "type A = int\ntype B<A> = A[0..2]\noutput Out = B<string>\n",
        Code::UnusedItem,
        &["A: no output and no test uses `A`"],
    );
}

#[test]
fn no_unused_items_are_reported_without_outputs_or_with_errors() {
    check("type A = int\n", Code::UnusedItem, &[]);
    let broken = Checked::ogc("type A = int\noutput Out = = string\n");
    assert!(super::file_lints(&broken.db, broken.file).is_empty());
}

#[test]
fn the_intended_target_of_a_misspelled_name_is_not_unused() {
    let broken = Checked::ogc("type Person = int\noutput Out = Persn\n");
    assert!(super::file_lints(&broken.db, broken.file).is_empty());
}

#[test]
fn removing_an_item_removes_its_documentation() {
    let text =
        "output Out = string\n\n/// Old.\n@deprecated\ntype Old = int\n\n// Kept.\ntype New = int\noutput Two = New\n";
    let fixed = Checked::ogc(text).fixed();
    assert_eq!(fixed, "output Out = string\n\n// Kept.\ntype New = int\noutput Two = New\n");
}

#[test]
fn each_unused_imported_name_is_found() {
    let other = [("b.ogc", "type X = int\ntype Y = int\ntype Z = int\n")];
    let find = |text: &str| Checked::beside(text, Language::Ogc, &other);
    let some = find("import X, Y as Why, Z from \"b.ogc\"\noutput Out = { x: X, z: Z }\n");
    assert_eq!(some.found(Code::UnusedItem), ["Y as Why: no output and no test uses `Why`"]);
    assert_eq!(some.fixed(), "import X, Z from \"b.ogc\"\noutput Out = { x: X, z: Z }\n");
    let none = find("import \"b.ogc\" as b\nimport X from \"b.ogc\"\noutput Out = int\n");
    assert_eq!(none.found(Code::UnusedItem).len(), 2);
    assert_eq!(none.fixed(), "output Out = int\n");
    assert!(find("import \"b.ogc\" as b\noutput Out = b.X\n").found(Code::UnusedItem).is_empty());
}

#[test]
fn items_imported_by_another_file_are_used() {
    let text = "type A = int\ntype B = int\ntype C = int\noutput Out = string\n";
    let others = [("b.ogc", "import A from \"a\"\noutput O = A\n"), ("c.ogc", "import \"a\" as a\noutput O = a.B\n")];
    let checked = Checked::beside(text, Language::Ogc, &others);
    assert_eq!(checked.found(Code::UnusedItem), ["C: no output and no test uses `C`"]);
}

#[test]
fn keywords_ignored_by_other_engines_are_quiet_notes() {
    let schema = Checked::schema(r#"{"type": "integer", "multipleOf": 5}"#);
    let found = schema.all(None);
    assert!(
        found.iter().any(|found| found.code == Code::IgnoredElsewhere && super::super::is_quiet(found)),
        "{found:?}"
    );
    assert!(schema.found(Code::IgnoredElsewhere)[0].starts_with("\"multipleOf\""));
    let text =
        "type A = { a: int & int<0..5>, [/x-.*/]: string }\ntype B = map<string, int>\noutput Out = { a: A, b: B }\n";
    let found = Checked::ogc(text).found(Code::IgnoredElsewhere);
    assert!(
        found.len() == 2 && found[0].starts_with("int & int<0..5>: ") && found[1].starts_with("[/x-.*/]: string: "),
        "{found:?}"
    );
    check("@warn(\"ignored-elsewhere\")\ntype A = int\noutput Out = A\n", Code::IgnoredElsewhere, &[]);
}

#[test]
fn operators_that_look_like_sums_are_found() {
    let text = "rule a = \"a\" + \"b\"\nrule b = x: \"a\" * \"b\" ? \"c\"\noutput Out = a b \"x\"+ \"y\"\n";
    let message = "repeats what stands before it; it joins nothing to what follows";
    let expected: Vec<String> = ["+", "*", "?"].iter().map(|sign| format!("{sign}: `{sign}` {message}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(text, Code::SpacedOperator, &expected);
    // Whether they are to be joined or repeated is unknown.
    assert_eq!(Checked::ogc(text).fixed(), text);
}

#[test]
fn operators_at_the_end_of_a_line_are_not_reported() {
    check("output Out = (\"a\" | \"b\") +\n  \"c\"\n", Code::SpacedOperator, &[]);
    check("output Out = \"a\" +\n", Code::SpacedOperator, &[]);
    check("@allow(\"spaced-operator\")\noutput Out = \"a\" + \"b\"\n", Code::SpacedOperator, &[]);
}

#[test]
fn names_of_types_in_quotes_are_found() {
    let text = "type A = { name: \"string\", n: \"integer\", kind: \"string\", u: \"string\" | \"number\", s: \"strings\" }\n\
        output Out = A\n";
    let said =
        |name: &str| format!("\"{name}\": `\"{name}\"` is this text and no other; the type stands without quotes");
    check(text, Code::QuotedType, &[&said("string"), &said("integer")]);
    assert!(Checked::ogc(text).fixed().starts_with("type A = { name: string, n: int, kind: \"string\","));
}

#[test]
fn fields_that_are_the_text_of_the_type_they_are_named_after_are_found() {
    let said = "\"Pet\": `\"Pet\"` is this text and no other; the type `Pet` stands without quotes";
    check("type Pet = { name: string }\noutput Out = { id: int, pet: \"Pet\" }\n", Code::QuotedType, &[said]);
    for silent in [
        "type Pet = { kind: \"Pet\", name: string }\noutput Out = Pet\n",
        "type Pet = { name: string }\noutput Out = { event: \"Pet\", value: Pet }\n",
        "output Out = { pet: \"Pet\" }\n",
        "type pet = { name: string }\noutput Out = { pet: \"pet\", it: pet }\n",
    ] {
        check(silent, Code::QuotedType, &[]);
    }
}

#[test]
fn records_that_read_like_schemas_are_found_once() {
    let schema =
        "{ \"type\": \"object\", \"properties\": { \"name\": { \"type\": \"string\" }, a: { b: \"string\" } } }";
    let message = "this record reads like a JSON Schema, and describes objects that have these keys";
    check(&format!("output Out = {schema}\n"), Code::QuotedType, &[&format!("{schema}: {message}")]);
    check("output Out = { type: \"object\", name: string }\n", Code::QuotedType, &[]);
}

#[test]
fn json_strings_within_text_are_found() {
    let message = |name: &str| format!("in text, `{name}` is a JSON string: it is written with quotes around it");
    let text = "rule a = \"name: \" name: string<1..9> \"\\n\"\noutput Out = a (date) \" is the day\"\n";
    let expected = [format!("string<1..9>: {}", message("string")), format!("date: {}", message("date"))];
    check(text, Code::QuotedText, &expected.each_ref().map(String::as_str));
    let tagged = "rule think = tok\"<think>\" thought: string tok\"</think>\"\noutput Out = think\n";
    check(tagged, Code::QuotedText, &[&format!("string: {}", message("string"))]);
}

#[test]
fn strings_meant_as_json_are_not_reported() {
    for text in [
        "output Out = \"name: \" json<string>\n",
        "output Out = \"name: \" /[a-z]+/ text\n",
        "output Out = \"[\" string \"]\" \"key\\\": \" string \", \" string\n",
        "type Name = string\noutput Out = \"name: \" Name\n",
        "output Out = \"n: \" int string\n",
        "output Out = string | \"none\"\n",
        "@allow(\"quoted-text\")\noutput Out = \"name: \" string\n",
    ] {
        check(text, Code::QuotedText, &[]);
    }
}

#[test]
fn repetitions_of_repetitions_are_found() {
    let text = "rule a = \"a\"*? \"b\"+? \"c\"??\noutput Out = a x: (\"d\" | \"e\")*+ \"f\"++ \"g\"?+\n";
    let said =
        |signs: &str, same: &str| format!("{signs}: `{signs}` is a repetition of a repetition, the same as `{same}`");
    let expected =
        [said("*?", "*"), said("+?", "*"), said("??", "?"), said("*+", "*"), said("++", "+"), said("?+", "*")];
    check(text, Code::StackedRepetition, &expected.each_ref().map(String::as_str));
    // `+?` is not corrected: whether `+` or `*` was meant is unknown.
    let fixed = "rule a = \"a\"* \"b\"+? \"c\"?\noutput Out = a x: (\"d\" | \"e\")* \"f\"+ \"g\"*\n";
    assert_eq!(Checked::ogc(text).fixed(), fixed);
}

#[test]
fn parenthesised_and_counted_nested_repetitions_are_not_reported() {
    check("output Out = (\"a\"+)? \"b\"[2]? \"c\"[1..2][3]\n", Code::StackedRepetition, &[]);
    check("@allow(\"stacked-repetition\")\noutput Out = \"a\"+?\n", Code::StackedRepetition, &[]);
}

#[test]
fn lazy_repetitions_in_regexes_are_found() {
    let text = "rule a = /<.*?>a+?b{1,2}?[*?]\\*?\\p{L}?\\u{61}?(?:x)??/\noutput Out = a\n";
    let said = |sign: &str| {
        let same = &sign[..1];
        format!("{sign}: `{sign}` is the same as `{same}`: a set of texts has no lazy ways")
    };
    let expected = [said("*?"), said("+?"), said("}?"), said("??")];
    check(text, Code::StackedRepetition, &expected.each_ref().map(String::as_str));
    let fixed = "rule a = /<.*>a+b{1,2}[*?]\\*?\\p{L}?\\u{61}?(?:x)?/\noutput Out = a\n";
    assert_eq!(Checked::ogc(text).fixed(), fixed);
}

#[test]
fn regexes_with_a_comment_directly_behind_are_found() {
    let text = "rule a = /x/// note\n  \"x\" /x/ /y/\noutput Out = a\n";
    check(text, Code::SplitRegex, &["//: the regex ends at the first of these `/`"]);
    assert_eq!(Checked::ogc(text).fixed(), text);
}

#[test]
fn files_without_outputs_are_found() {
    check("type A = int\n", Code::NoOutput, &["type A = int: this file has no output, so nothing is compiled"]);
    check("", Code::NoOutput, &[": this file is empty, so nothing is compiled"]);
    check(" // so\n", Code::NoOutput, &[": this file has comments only, so nothing is compiled"]);
    check("output A = int\n", Code::NoOutput, &[]);
    assert_eq!(Checked::new(" \n", Language::Regex).found(Code::NoOutput), [": this pattern is white space alone"]);
}

#[test]
fn schema_keywords_used_as_record_keys_are_found() {
    let text = "output Out = { name: string, additionalProperties: false }\n";
    let said = "additionalProperties: false: this is a key of the object, `additionalProperties`, and says nothing about others";
    check(text, Code::QuotedType, &[said]);
}

#[test]
fn a_misspelled_keyword_that_leaves_nothing_is_one_finding() {
    let closed = r#"{"property": {"a": {}}, "required": ["a"], "additionalProperties": false, "type": "object"}"#;
    let unevaluated = closed.replace("additionalProperties", "unevaluatedProperties");
    let inner = format!(r#"{{"type": "object", "properties": {{"b": {closed}}}, "required": ["b"]}}"#);
    let optional = format!(r#"{{"type": "object", "properties": {{"b": {closed}}}}}"#);
    let cases = [
        (closed, Code::EmptyFormat),
        (unevaluated.as_str(), Code::EmptyFormat),
        (inner.as_str(), Code::EmptyFormat),
        (optional.as_str(), Code::EmptyBranch),
    ];
    for (schema, code) in cases {
        let Checked { db, file } = Checked::schema(schema);
        let found = findings(&db, &Subject::whole(&db, file), None, &Levels::default());
        let [one] = &found[..] else { panic!("{schema}: {found:?}") };
        assert_eq!((one.code, one.span.text(schema)), (code, "\"property\""), "{schema}");
        let fixed = ogc_grammar::fix::apply(schema, one.fix.iter()).0;
        let Checked { db, file } = Checked::schema(&fixed);
        assert_eq!(findings(&db, &Subject::whole(&db, file), None, &Levels::default()), [], "{fixed}");
    }
    // Elsewhere, both are said: the closed object does not have the misspelled keyword.
    let other = r#"{"allOf": [{"property": {"a": {}}, "type": "object"}], "required": ["a"], "additionalProperties": false, "type": "object"}"#;
    let Checked { db, file } = Checked::schema(other);
    let found = findings(&db, &Subject::whole(&db, file), None, &Levels::default());
    assert_eq!(found.len(), 2, "{found:?}");
}
