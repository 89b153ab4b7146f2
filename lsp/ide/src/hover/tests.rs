//! Tests of hovers: the place and the Markdown at a cursor.

use super::hover;
use crate::fixture::Fixture;
use crate::place::FileSpan;

/// Returns the place and the Markdown at the cursor, blocks of code without their fences; nothing if there is no hover.
fn shown(text: &str) -> String {
    let fixture = Fixture::new(text);
    let cursor = fixture.cursor();
    let Some(found) = hover(&fixture.snapshot, cursor) else { return String::new() };
    assert!(found.span.start <= cursor.offset && cursor.offset <= found.span.end);
    let markdown = found.parts.markdown();
    let lines = markdown.lines().filter(|line| !line.is_empty() && !line.starts_with("```"));
    let place = fixture.shown(FileSpan::new(cursor.file, found.span));
    let format = found.format.map(|format| format!(" compiles {}", format.name.as_deref().unwrap_or("the file")));
    format!("{place}{}\n{}", format.unwrap_or_default(), lines.collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(text), expected, "at {text}");
}

#[track_caller]
fn has(text: &str, part: &str) {
    let found = shown(text);
    assert!(found.contains(part), "`{part}` is not in {found} at {text}");
}

#[test]
fn definitions_are_shown_with_docs_and_body() {
    check(
        "/// An age.\n/// In years.\ntype Age = int<0..150>\ntype A = { age: A$0ge }",
        "a.ogc:4:17 Age compiles Age\ntype Age\nAn age.\nIn years.\nint<0..150>",
    );
    check("type A$0ge = int", "a.ogc:1:6 Age compiles Age\ntype Age\nint");
    check("rule a = \"x\" b\nrule $0b = \"y\"", "a.ogc:2:6 b compiles b\nrule b\n\"y\"");
    has("@deprecated(\"use B\") type A = int\ntype C = $0A", "Deprecated: use B");
}

#[test]
fn parameters_are_replaced_by_arguments() {
    let page = "type Page<T, max = 5> = { items: T[0..max], next: string | null }\n";
    check(
        &format!("{page}type A = $0Page<int | null>"),
        "a.ogc:2:10 Page\ntype Page<T, max = 5>\n{ items: (int | null)[0..5], next: string | null }",
    );
    has(&format!("{page}type A = $0Page<int, max = 9>"), "{ items: int[0..9], ");
    has(&format!("{page}type A = $0Page"), "{ items: T[0..5], ");
    check("type Page<T, m$0ax = 5> = T", "a.ogc:1:14 max\nmax = 5\nA parameter of `Page`.");
}

#[test]
fn fields_are_shown_with_their_type() {
    let file = "type P = { x: int }\n";
    check(
        &format!("{file}type A = {{\n/// Where.\nat$0?: P,\n}}"),
        "a.ogc:4:1 at compiles P\nat?: P\nWhere.\n{ x: int }",
    );
    check("type A = { a$0: int }", "a.ogc:1:12 a\na: int\nA field in `A`.");
    has("rule a = name$0: \"x\"", "name: \"x\"\nA capture in `a`.");
}

#[test]
fn built_in_names_attributes_and_settings_have_docs() {
    has("type A = in$0t", "int<a..b, above = number, below = number, multiple_of = number>\nAn integer.");
    has("type A = int<ab$0ove = 1>", "The numbers are greater than this.");
    has("type A = da$0te", "2024-05-01");
    has("@tit$0le(\"x\") type A = int", "@title\nGives a name for people");
    has("@spa$0ce(\"any\") type A = int", "@space(...)\nThe white space");
    has("@objec$0ts(\"closed\") import \"s.json\" as s", "@objects(...)\nWhether objects of imported schemas");
    has("policy anno$0tate = \"uniqueItems\"", "annotate = ...\nThe keywords of imported schemas");
    has("policy spa$0ce = \"any\"", "space = ...\nThe white space");
    has("policy space = \"a$0ny\"", "all that JSON allows");
    has("@space(\"compa$0ct\") type A = int", "space = \"compact\"");
    has("@budget(sta$0tes = 5) type A = int", "states");
}

#[test]
fn lint_codes_are_explained() {
    has("@allow(\"wide-re$0cord\") type A = int", "**wide-record**: ");
    check("@allow(\"no-such$0\") type A = int", "");
}

#[test]
fn literals_have_a_short_note() {
    check("rule a = \"xé$0\"", "a.ogc:1:10 \"xé\"\n\"xé\"\nExactly this text: 2 characters, 3 bytes in UTF-8.");
    has("type A = \"$0x\"", "The JSON string `\"x\"`.");
    has("rule a = { k: \"$0x\" }", "The JSON string `\"x\"`.");
    has("rule a = /[a-$0z]/", "Texts that the pattern matches as a whole");
    has("rule a = tok\"<th$0ink>\"", "The one token `<think>`");
    has("type A = 0..$05", "Integers in this range");
    has("type A = 0..$00.5", "Numbers in this range");
}

#[test]
fn no_hover_is_shown_between_symbols() {
    for text in [
        "// A$0\ntype A = int",
        "type A =$0  int",
        "type A = None$0",
        "test A { acc$0ept \"x\" }",
        "$0",
        "type A = {$0 }",
    ] {
        check(text, "");
    }
}

const FILES: &str = "//- s.json\n{\"title\":\"Order\",\"description\":\"An order.\",\"$defs\":{\"Line\":{\"title\":\"A line\",\"type\":\"string\"}}}\n//- g.gbnf\nroot ::= item\nitem ::= \"a\"\n//- b.ogc\n/// Docs of B.\ntype B = int\n//- a.ogc\n";

#[test]
fn imported_definitions_and_files_are_shown() {
    check(
        &format!("{FILES}import Line from \"s.json\"\ntype A = Li$0ne"),
        "a.ogc:2:10 Line\n**A line**\nFrom `s.json`.\n{\"title\":\"A line\",\"type\":\"string\"}",
    );
    has(&format!("{FILES}import Ord$0er from \"s.json\""), "An order.");
    check(
        &format!("{FILES}import \"g.gbnf\" as g\nrule a = g.it$0em"),
        "a.ogc:2:12 item\nitem ::= \"a\"\nFrom `g.gbnf`.",
    );
    has(&format!("{FILES}import B from \"b.ogc\"\ntype A = $0B"), "Docs of B.");
    has(&format!("{FILES}import B from \"b.$0ogc\""), "`/w/b.ogc`: ogc.\nIt has `B`.");
    has(&format!("{FILES}import Line from \"s.j$0son\""), "JSON Schema");
    has("import \"std.to$0ols\" as std", "standard library");
}

#[test]
fn rules_are_shown_in_grammars() {
    check("//- g.gbnf\nroot ::= it$0em\nitem ::= \"a\" | \"b\"\n", "g.gbnf:1:10 item\nitem ::= \"a\" | \"b\"");
    check("//- g.lark\nst$0art: \"a\"\n", "g.lark:1:1 start compiles the file\nstart: \"a\"");
    check("//- g.gbnf\nroot ::= \"it$0em\"\n", "");
}

#[test]
fn keywords_and_references_are_shown_in_schemas() {
    has("//- s.json\n{\"ty$0pe\": \"string\"}", "The type of the value");
    check("//- s.json\n{\"properties\": {\"ty$0pe\": {}}}", "");
    has("//- s.json\n{\"$ref\": \"#/$defs/$0A\", \"$defs\": {\"A\": {\"description\": \"An A.\"}}}", "An A.");
    has("//- s.json\n{\"format\": \"da$0te\"}", "A date");
    check("//- s.json\n{\"$ref\": \"#/$defs/$0B\"}", "");
    check("//- s.json\n{\"title\": \"x$0\"}", "");
}
