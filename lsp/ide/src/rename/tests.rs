//! Tests of renaming: a cursor, a new name, and all texts after it, or the reason against it.

use super::*;
use crate::fixture::Fixture;
use crate::place::applied;

/// Returns the fixture's files after renaming, or the reason against it.
fn renamed(fixture: &str, new: &str) -> String {
    let read = Fixture::new(fixture);
    let edits = match rename(&read.snapshot, read.cursor(), new) {
        Ok(edits) => edits,
        Err(why) => return format!("{why}").replace("/w/", ""),
    };
    let plain = fixture.replace("$0", "");
    let mut out = String::new();
    for file in read.snapshot.files() {
        let text = read.snapshot.text(file);
        let own = edits.iter().find(|one| one.file == file);
        let text = own.map_or(text.to_owned(), |own| applied(text, &own.edits));
        let name = read.snapshot.name(file).strip_prefix("/w/").unwrap().to_owned();
        out.push_str(&if plain.starts_with("//- ") { format!("//- {name}\n{text}") } else { text });
    }
    out
}

#[track_caller]
fn check(fixture: &str, new: &str, expected: &str) {
    assert_eq!(renamed(fixture, new), expected);
}

#[test]
fn definitions_are_renamed_with_their_uses() {
    check(
        "type $0A = { a: A | null }\noutput O = A[2]\ntest A { accept { a: null } }\n",
        "Tree",
        "type Tree = { a: Tree | null }\noutput O = Tree[2]\ntest Tree { accept { a: null } }\n",
    );
    check("rule a = \"x\" $0b\nrule b = \"b: b\" b: b\n", "c", "rule a = \"x\" c\nrule c = \"b: b\" b: c\n");
}

#[test]
fn renaming_a_definition_keeps_import_aliases() {
    check(
        "//- a.ogc\nimport A as X, B from \"c.ogc\"\noutput O = X B\n//- b.ogc\nimport A from \"c.ogc\"\nimport \"c.ogc\" as c\noutput P = A c.A\n//- c.ogc\ntype $0A = int\ntype B = A\n",
        "Z",
        "//- a.ogc\nimport Z as X, B from \"c.ogc\"\noutput O = X B\n//- b.ogc\nimport Z from \"c.ogc\"\nimport \"c.ogc\" as c\noutput P = Z c.Z\n//- c.ogc\ntype Z = int\ntype B = Z\n",
    );
    let same = "//- a.ogc\nimport A as A from \"b.ogc\"\noutput O = A\n//- b.ogc\ntype $0A = int\n";
    check(same, "Z", "//- a.ogc\nimport Z as A from \"b.ogc\"\noutput O = A\n//- b.ogc\ntype Z = int\n");
    let used =
        "//- a.ogc\nimport A from \"b.ogc\" with { B = int }\noutput O = $0A\n//- b.ogc\ntype A = B\ntype B = null\n";
    check(
        used,
        "Z",
        "//- a.ogc\nimport Z from \"b.ogc\" with { B = int }\noutput O = Z\n//- b.ogc\ntype Z = B\ntype B = null\n",
    );
    let replaced =
        "//- a.ogc\nimport A from \"b.ogc\" with { $0B = int }\noutput O = A\n//- b.ogc\ntype A = B\ntype B = null\n";
    check(
        replaced,
        "Z",
        "//- a.ogc\nimport A from \"b.ogc\" with { Z = int }\noutput O = A\n//- b.ogc\ntype A = Z\ntype Z = null\n",
    );
}

#[test]
fn an_alias_is_renamed_in_its_file_alone() {
    check(
        "//- a.ogc\nimport A as X from \"b.ogc\"\noutput O = $0X\n//- b.ogc\ntype A = int\n",
        "Y",
        "//- a.ogc\nimport A as Y from \"b.ogc\"\noutput O = Y\n//- b.ogc\ntype A = int\n",
    );
    check(
        "//- a.ogc\nimport \"b.ogc\" as b\ntype P<b> = b\noutput O = $0b.A b.\"A\" P<int>\n//- b.ogc\ntype A = int\n",
        "parts",
        "//- a.ogc\nimport \"b.ogc\" as parts\ntype P<b> = b\noutput O = parts.A parts.\"A\" P<int>\n//- b.ogc\ntype A = int\n",
    );
}

#[test]
fn parameters_are_renamed_with_named_arguments_and_bounds() {
    check(
        "//- a.ogc\nimport P from \"b.ogc\"\noutput O = json<P<int, max = 3>>\n//- b.ogc\ntype P<T, $0max = 9> = { max: T[0..max], s: string<..max> }\n",
        "most",
        "//- a.ogc\nimport P from \"b.ogc\"\noutput O = json<P<int, most = 3>>\n//- b.ogc\ntype P<T, most = 9> = { max: T[0..most], s: string<..most> }\n",
    );
}

#[test]
fn fields_are_renamed_with_discriminators_and_keys_of_cases() {
    check(
        "@discriminator(\"k\")\ntype U = { $0k: \"a\", k2: int } | B\ntype B = { k: \"b\" }\ntype C = { k: int }\ntest U { accept { k: \"a\", k2: 1 } reject { \"k\": \"c\" } accept '{\"k\":\"b\"}' }\ntest C { accept { k: 1 } }\n",
        "kind",
        "@discriminator(\"kind\")\ntype U = { kind: \"a\", k2: int } | B\ntype B = { kind: \"b\" }\ntype C = { k: int }\ntest U { accept { kind: \"a\", k2: 1 } reject { \"kind\": \"c\" } accept '{\"k\":\"b\"}' }\ntest C { accept { k: 1 } }\n",
    );
    check(
        "type A = { xs: B[0..2], x: int }\ntype B = { $0x: int } | { y: int }\ntest A { accept { xs: [{ x: 1 }], x: 2 } }\n",
        "two words",
        "type A = { xs: B[0..2], x: int }\ntype B = { \"two words\": int } | { y: int }\ntest A { accept { xs: [{ \"two words\": 1 }], x: 2 } }\n",
    );
    // An ambiguous key, which may belong to another branch, stays as it is.
    check(
        "type B = { $0x: int } | { x: null }\ntest B { accept { x: 1 } }\n",
        "z",
        "type B = { z: int } | { x: null }\ntest B { accept { x: 1 } }\n",
    );
}

#[test]
fn captures_of_one_name_are_renamed_together() {
    check(
        "rule a = $0x: \"a\" \",\" x: b\nrule b = x: \"b\"\n",
        "type",
        "rule a = type: \"a\" \",\" type: b\nrule b = x: \"b\"\n",
    );
    check("rule a = $0x: \"a\" y: \"b\"\n", "y", "`y` is taken in line 1 of a.ogc; choose another name");
}

#[test]
fn rules_of_imported_grammars_are_renamed_in_their_file() {
    check(
        "//- a.ogc\nimport item as thing, \"b-c\" as bc from \"g.gbnf\"\nimport \"g.gbnf\" as g\noutput O = thing g.$0item g.\"b-c\" bc\n//- g.gbnf\nroot ::= (item) b-c # item\nitem ::= \"item\"\nb-c ::= item\n",
        "part",
        "//- a.ogc\nimport part as thing, \"b-c\" as bc from \"g.gbnf\"\nimport \"g.gbnf\" as g\noutput O = thing g.part g.\"b-c\" bc\n//- g.gbnf\nroot ::= (part) b-c # item\npart ::= \"item\"\nb-c ::= part\n",
    );
    let lark = "//- a.ogc\nimport \"g.lark\" as g\noutput O = g.start\n//- g.lark\nstart: $0INT (\",\" INT)*\n%import common.INT\n%ignore \" \"\n";
    check(
        lark,
        "N",
        "//- a.ogc\nimport \"g.lark\" as g\noutput O = g.start\n//- g.lark\nstart: N (\",\" N)*\n%import common.INT -> N\n%ignore \" \"\n",
    );
    check(
        lark,
        "n",
        "/w/g.lark could not be read with that name: a name in it would mean something else".trim_start_matches("/w/"),
    );
    check(lark, "start", "`start` is taken in line 1 of g.lark; choose another name");
    let root = "//- g.gbnf\nroot ::= $0item\nitem ::= \"a\"\n";
    check(root, "a b", "g.gbnf could not be read with that name: expected a rule, which begins with a name and `::=`");
}

#[test]
fn definitions_of_schemas_are_renamed_with_references() {
    check(
        "//- a.ogc\nimport Age from \"s.schema.json\"\noutput O = Age\n//- s.schema.json\n{\"$ref\": \"#/$defs/Age\", \"$defs\": {\"$0Age\": {\"const\": \"Age\"}}}",
        "Years",
        "//- a.ogc\nimport Years from \"s.schema.json\"\noutput O = Years\n//- s.schema.json\n{\"$ref\": \"#/$defs/Years\", \"$defs\": {\"Years\": {\"const\": \"Age\"}}}",
    );
    let whole =
        "//- a.ogc\nimport $0root from \"s.schema.json\"\noutput O = root\n//- s.schema.json\n{\"type\": \"null\"}";
    check(whole, "A", "`root` means the whole file; import it with `as`, and rename that");
    let broken = "//- a.ogc\nimport A from \"s.schema.json\"\noutput O = $0A\n//- s.schema.json\n{\"$defs\": {\"A\": {}}, \"$ref\": \"#/%24defs/A\"}";
    check(
        broken,
        "B",
        "//- a.ogc\nimport B from \"s.schema.json\"\noutput O = B\n//- s.schema.json\n{\"$defs\": {\"B\": {}}, \"$ref\": \"#/%24defs/B\"}",
    );
}

#[test]
fn built_in_and_undefined_names_are_not_renamed() {
    for (fixture, why) in [
        ("type A = $0int\n", "`int` is a built-in name"),
        ("type A = number<$0digits = 2>\n", "`digits` is a built-in name"),
        ("@$0deprecated\ntype A = int\n", "`@deprecated` is an attribute of the language"),
        ("policy $0space = \"any\"\n", "`space` is a setting of the language"),
        ("type A = $0B\n", "`B` is not defined, so it is not known what to rename"),
        ("type A = \"$0B\"\n", "nothing here has a name"),
        (
            "import \"std.tools\" as std\noutput O = std.$0hermes<x>\n",
            "`hermes` is defined in the standard library, which cannot be changed",
        ),
        (
            "//- a.ogc\nimport A from \"$0b.ogc\"\noutput O = A\n//- b.ogc\ntype A = int\n",
            "this is a file; rename it where files are listed, and imports follow",
        ),
        (
            "//- a.ogc\nimport $0tools from \"t.json\"\n//- t.json\n[{\"name\": \"now\"}]",
            "`tools` means the whole file; import it with `as`, and rename that",
        ),
        (
            "//- a.ogc\nimport $0now from \"t.json\"\n//- t.json\n[{\"name\": \"now\"}]",
            "`now` is the name of a tool, which calls of it spell",
        ),
    ] {
        check(fixture, "x", why);
        let read = Fixture::new(fixture);
        assert_eq!(prepare(&read.snapshot, read.cursor()).unwrap_err().to_string(), why);
    }
}

#[test]
fn invalid_and_taken_new_names_are_refused() {
    let one = "//- a.ogc\nimport A from \"b.ogc\"\ntype C = A\ntype D<E> = { a: A, e: E }\n//- b.ogc\ntype $0A = int\ntype B = A\n";
    for (new, why) in [
        ("a b", "`a b` is no name; write letters, digits and `_`, a digit not first"),
        ("", "`` is no name; write letters, digits and `_`, a digit not first"),
        ("type", "`type` is a word of the language; choose another name"),
        ("null", "`null` is a word of the language; choose another name"),
        ("int", "`int` is a built-in name; choose another, for example `int_value`"),
        ("B", "`B` is taken in line 2 of b.ogc; choose another name"),
        ("C", "`C` is taken in line 2 of a.ogc; choose another name"),
        ("E", "`E` would mean the parameter in line 3 of a.ogc; choose another name, or rename that first"),
    ] {
        check(one, new, why);
    }
    check("type P<$0T> = { a: T, b: A }\ntype A = int\n", "A", "`A` is taken in line 1 of a.ogc; choose another name");
    check("type A = { $0x: int, y: int }\n", "y", "`y` is taken in line 1 of a.ogc; choose another name");
    check("type $0A = int\ntype B = C\n", "C", "`C` in line 2 of a.ogc would mean something else; choose another name");
}

#[test]
fn a_syntax_error_that_may_hide_uses_prevents_renaming() {
    let text = "type $0A = int\ntype B = { a: A,, }}\ntype C = A\n";
    check(text, "X", "line 2 of a.ogc has a mistake, so not every use is known; correct it first");
    let elsewhere = "type $0A = int\ntype B = { a: int b: int }\ntype C = A\n";
    check(elsewhere, "X", "type X = int\ntype B = { a: int b: int }\ntype C = X\n");
}

#[test]
fn the_name_at_the_cursor_is_offered() {
    let read = Fixture::new(
        "//- a.ogc\nimport \"g.gbnf\" as g\noutput O = g.\"$0b-c\"\n//- g.gbnf\nroot ::= b-c\nb-c ::= \"x\"\n",
    );
    let found = prepare(&read.snapshot, read.cursor()).unwrap();
    assert_eq!((read.shown(found.place).as_str(), found.placeholder.as_str()), ("a.ogc:2:15 b-c", "b-c"));
}
