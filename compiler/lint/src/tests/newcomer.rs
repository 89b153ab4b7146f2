//! Mistakes of authors used to other languages: each has exactly one finding, at its place, with advice.

use ogc_compiler::db::Language;

use super::Checked;
use crate::findings::{Levels, Subject, findings};

/// A file's text, the place and code of its only finding, and a part of the help.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

#[track_caller]
fn check(language: Language, mistakes: &[Mistake]) {
    for (text, place, code, way_out) in mistakes {
        let checked = Checked::new(text, language);
        let found = findings(&checked.db, &Subject::whole(&checked.db, checked.file), None, &Levels::default());
        let [one] = &found[..] else { panic!("{text}: {found:#?}") };
        assert_eq!((one.span.text(text), one.code.name()), (*place, *code), "{text}: {one:#?}");
        let help = one.help.as_deref().unwrap_or_default();
        assert!(help.contains(way_out), "{text}: {help}");
    }
}

#[test]
fn mistakes_in_ogc_files_have_one_finding() {
    check(
        Language::Ogc,
        &[
            ("output Out = \"x\" [^,]+ [ \\t]*\n", "[^,]+", "missing-slashes", "`/[^,]+/`"),
            ("output Out = { a: int(ge=0, lt=5) }\n", "int(ge=0, lt=5)", "foreign-type", "`int<0.., below = 5>`"),
            ("output Out = { a: string(10) }\n", "string(10)", "foreign-type", "`string<..10>`"),
            ("output Out = { a: Dict[str, List[float]] }\n", "Dict", "foreign-type", "`map<string, number[0..]>`"),
            ("output Out = { a: Optional[str] }\n", "Optional", "foreign-type", "`(string | null)`"),
            ("type P<T> = { a: T }\noutput Out = P[int]\n", "[", "call", "`P<int>`"),
            (
                "type P<T, U> = { a: T, b: U }\noutput Out = { p: P[A, int] }\ntype A = int\n",
                "[",
                "call",
                "`P<A, int>`",
            ),
            ("rule p<x> = x\noutput Out = p[\"a\"]\n", "[", "call", "`p<\"a\">`"),
            (
                "output Out = { a: int @deprecated(\"no\"), b: int }\n",
                "@deprecated(\"no\")",
                "stray-attribute",
                "a: ...",
            ),
            ("output Out = int\ntest Out { accept \"{\"a\":1}\" }\n", "\"{\"a\":1}\"", "split-string", "`'{\"a\":1}'`"),
            ("output Out = \"say \"hi\" now\"\n", "hi", "unknown-name", "a quote inside of a text"),
            ("{\n  \"type\": \"object\"\n}\n", "{", "other-notation", "x.schema.json"),
            ("[{\"name\": \"f\", \"input_schema\": {}}]\n", "[", "other-notation", "import tools"),
            ("output Out = { \"type\": \"object\", \"required\": [\"a\"] }\n", "[", "leading-bracket", "x.schema.json"),
            ("type C = [\"red\", \"green\"]\noutput Out = C\n", "[", "leading-bracket", "`\"red\" | \"green\"`"),
            ("type A = { a: int, b: int }\noutput Out = Omit<A, \"a\">\n", "Omit", "unknown-name", "`omit`"),
            ("type A = { a: int }\noutput Out = Partial<A>\n", "Partial", "unknown-name", "`?` behind each name"),
            ("type A = int\noutput Out = NonNullable<A>\n", "NonNullable", "unknown-name", "`A - null`"),
            ("output Out = /(?<year>[0-9]{4})/\n", "(?<year>", "lost-capture", "`year: /.../`"),
            ("output Out = /[a–z]+/\n", "a–z", "doubtful-pattern", "`a-z`"),
            ("output Out = { a: string<1–5> }\n", "–", "unknown-character", "`..`"),
            ("output Out = { a: /[0−9]/ }\n", "0−9", "doubtful-pattern", "`0-9`"),
        ],
    );
}

#[test]
fn mistakes_in_grammars_have_one_finding() {
    check(
        Language::Gbnf,
        &[
            ("root ::= \\d+ \"x\"\n", "\\d", "gbnf-escape", "`[0-9]`"),
            ("root = \"a\" b\nb = \"c\"\n", "=", "expected-rule", "`::=`"),
            ("root ::= \"a\" b\nb -> \"c\"\n", "->", "expected-rule", "`::=`"),
            ("root ::= <digit>\ndigit ::= [0-9]\n", "<digit>", "gbnf-token", "`digit`"),
            ("root ::= \"a\" {\"b\"}\n", "{", "gbnf-repetition", "`(x)*`"),
            ("root ::= \"a\" [\"b\"]\n", "[\"b\"]", "doubtful-pattern", "`(\"b\")?`"),
            ("root ::= [a–z]+\n", "a–z", "doubtful-pattern", "`a-z`"),
            ("root ::= \"a\" ~ \"b\"\n", "~", "unexpected-character", "`[^x]`"),
            ("// x\nroot ::= \"a\"\n", "//", "unexpected-character", "`#`"),
        ],
    );
    check(
        Language::Lark,
        &[
            ("start: [a-z]+ \"x\"\n", "[a-z]+", "missing-slashes", "`/[a-z]+/`"),
            ("start: [^,]+ \"x\"\n", "[^,]+", "missing-slashes", "`/[^,]+/`"),
            ("start: \\d+\n", "\\d+", "missing-slashes", "`/\\d+/`"),
            ("start = \"a\" b\nb = \"c\"\n", "=", "expected-rule", "`:`"),
            ("start: \"a\"\n%ingore \" \"\n", "%ingore", "lark-directive", "`%ignore`"),
            ("start: WORD\n%import comon.WORD\n", "comon.WORD", "lark-import", "`common`"),
            ("start: /[a–z]+/\n", "a–z", "doubtful-pattern", "`a-z`"),
        ],
    );
    check(
        Language::Abnf,
        &[
            ("root = [a-z]\n", "[a-z]", "undefined-rule", "`%x61-7A`"),
            ("root = \"a\" [0-9]\n", "[0-9]", "abnf-sign", "`%x30-39`"),
            ("root = [^,] \"a\"\n", "[^,]", "abnf-sign", "one for each"),
            ("root = \\d\n", "\\d", "abnf-sign", "one for each"),
        ],
    );
    check(
        Language::Regex,
        &[
            ("(?<year>[0-9]{4})", "(?<year>", "lost-capture", "`.ogc`"),
            ("[a–z]+", "a–z", "doubtful-pattern", "`a-z`"),
            ("/[a-z]+/", "/[a-z]+/", "doubtful-pattern", "`[a-z]+`"),
            ("(a|b", "(", "regex", "close it"),
        ],
    );
}

#[test]
fn mistakes_in_schemas_have_one_finding() {
    check(
        Language::JsonSchema,
        &[
            (
                r##"{"$defs": {"Address": {}}, "$ref": "#/$defs/Adres"}"##,
                "\"#/$defs/Adres\"",
                "unresolved-reference",
                "Address",
            ),
            (
                r##"{"$defs": {"A": {}}, "$ref": "#/definitions/A"}"##,
                "\"#/definitions/A\"",
                "unresolved-reference",
                "#/$defs/A",
            ),
            (
                r##"{"$defs": {"Address": {}}, "$ref": "Address"}"##,
                "\"Address\"",
                "remote-reference",
                "#/$defs/Address",
            ),
            (
                r##"{"$defs": {"Address": {}}, "$ref": "#Address"}"##,
                "\"#Address\"",
                "unresolved-reference",
                "#/$defs/Address",
            ),
            (
                r##"{"$def": {"A": {}}, "$ref": "#/$defs/A"}"##,
                "\"#/$defs/A\"",
                "unresolved-reference",
                "call it `$defs`",
            ),
            (
                r#"{"type": "string", "pattern": "/^[a-z]+$/"}"#,
                r#"{"type": "string", "pattern": "/^[a-z]+$/"}"#,
                "empty-format",
                "slashes",
            ),
            (r#"{"type": "object", "additionalProperties": "false"}"#, "\"false\"", "not-a-schema", "without quotes"),
            (r#"{"type": "string", "pattern": "^(a|b$"}"#, "\"^(a|b$\"", "pattern", "close it"),
            (r#"{"type": "string", "pattern": "^[a–z]$"}"#, "\"^[a–z]$\"", "doubtful-pattern", "`a-z`"),
        ],
    );
}

#[test]
fn joined_records_are_not_opened_automatically() {
    let fixes = |text: &str| {
        let checked = Checked::ogc(text);
        let found = findings(&checked.db, &Subject::whole(&checked.db, checked.file), None, &Levels::default());
        let [one] = &found[..] else { panic!("{text}: {found:#?}") };
        (one.fix.is_some(), one.guesses.len())
    };
    let types = "type A = { a: int }\ntype B = { b: int }\n";
    assert_eq!(fixes(&format!("{types}type C = A & B\noutput Out = C\n")), (false, 1));
    assert_eq!(fixes(&format!("{types}type C = A & B\noutput Out = C\noutput Other = A\n")), (false, 1));
    assert_eq!(fixes(&format!("{types}output C = A & B\ntest B {{ reject \"{{}}\" }}\n")), (false, 1));
}
