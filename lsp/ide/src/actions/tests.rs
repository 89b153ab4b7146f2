//! Tests of actions: a selection, the command, and the text after it. If an action claims to keep the meaning, the
//! tests compare the automata of all definitions before and after, or the texts that they accept.

use super::*;
use crate::fixture::Fixture;
use crate::place::applied;
use crate::same::same_definitions;
use crate::scratch::Scratch;

/// Returns the change of an action of the fixture, if it is offered.
pub(crate) fn chosen(read: &Fixture, is_wanted: impl Fn(Command) -> bool) -> Option<Change> {
    let all = actions(&read.snapshot, read.selection(), &[]);
    let action = all.into_iter().find(|action| is_wanted(action.id.command))?;
    action.change.clone().or_else(|| resolve(&read.snapshot, &action.id))
}

/// Returns the text of the file of the selection after a change.
pub(crate) fn after(read: &Fixture, change: &Change) -> String {
    let file = read.cursor().file;
    let text = read.snapshot.text(file);
    let own = change.edits.iter().find(|one| one.file == file);
    own.map_or(text.to_owned(), |own| applied(text, &own.edits))
}

#[track_caller]
fn check(fixture: &str, command: Command, expected: &str) -> Fixture {
    let read = Fixture::new(fixture);
    let change = chosen(&read, |one| one == command).unwrap_or_else(|| panic!("{command:?} is offered for {fixture}"));
    assert_eq!(after(&read, &change), expected, "{fixture}");
    read
}

/// Checks a change, and that all definitions that exist before and after it accept the same texts.
#[track_caller]
fn check_same(fixture: &str, command: Command, expected: &str) {
    let read = check(fixture, command, expected);
    let change = chosen(&read, |one| one == command).unwrap();
    assert_eq!(is_same(&read, &change), Ok(()), "{expected}");
}

/// Checks that all definitions of the file accept the same texts after a change.
pub(crate) fn is_same(read: &Fixture, change: &Change) -> Result<(), String> {
    let file = read.cursor().file;
    let mut scratch = Scratch::of(&read.snapshot);
    for made in &change.creates {
        scratch.add(&made.name, &made.text, Language::of_name(&made.name).unwrap(), file);
    }
    scratch.edit(&change.edits);
    let copy = scratch.copy(file).unwrap();
    scratch.read(|after| same_definitions((&read.snapshot, file), (after, copy)))
}

#[track_caller]
fn check_not(fixture: &str, command: Command) {
    let read = Fixture::new(fixture);
    let change = chosen(&read, |one| one == command);
    assert_eq!(change.map(|change| after(&read, &change)), None, "{fixture}");
}

#[test]
fn corrections_of_findings_are_quick_fixes() {
    check("type A$0: int\noutput O = A\n", Command::Fix, "type A = int\noutput O = A\n");
    check_not("type A = int\noutput O = $0A\n", Command::Fix);
    let read = Fixture::new("type A$0: int\noutput O = A\n");
    let all = actions(&read.snapshot, read.selection(), &[ActionKind::QuickFix]);
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.title.as_str(), one.is_preferred), ("Write `=`", true));
    assert!(one.fixes.is_some_and(|(code, _)| code == Code::ColonForEquals));
    assert_eq!(actions(&read.snapshot, read.selection(), &[ActionKind::Inline]), []);
}

#[test]
fn suggestions_of_findings_are_offered_as_not_preferred() {
    let read =
        check("type Person = int\noutput O = Per$0son2\n", Command::Fix, "type Person = int\noutput O = Person\n");
    let all = actions(&read.snapshot, read.selection(), &[ActionKind::QuickFix]);
    let [one, create, _] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.title.as_str(), one.is_preferred), ("Write `Person`", false));
    assert_eq!((create.title.as_str(), create.is_preferred), ("Create the type `Person2`", false));
    check("output O = { unit: \"c\" | fahr$0enheit }\n", Command::Fix, "output O = { unit: \"c\" | \"fahrenheit\" }\n");
    check("output O = int[8..$01]\n", Command::Fix, "output O = int[1..8]\n");
    check("output O = { a: te$0xt }\n", Command::Fix, "output O = { a: string }\n");
    check("output O = text<max_token$0 = 9>\n", Command::Fix, "output O = text<max_tokens = 9>\n");
    check("a$0bc = \"x\"\noutput O = abc\n", Command::Fix, "rule abc = \"x\"\noutput O = abc\n");
    check_not("type A = int\noutput O = $0A\n", Command::Fix);
}

#[test]
fn all_corrections_are_applied_until_nothing_changes() {
    check(
        "type A: { a: string b: int[1,3] };\n$0type B: A // kept\noutput O = A | B\n",
        Command::FixAll,
        "type A = { a: string, b: int[1..3] }\ntype B = A // kept\noutput O = A | B\n",
    );
    check(
        "type A$0: int\ntype B: A\ntype C = { a: string b: int }\noutput O = A | B | C\n",
        Command::FixCode(Code::ColonForEquals),
        "type A = int\ntype B = A\ntype C = { a: string b: int }\noutput O = A | B | C\n",
    );
    check_not("type A = int\noutput O = $0A\n", Command::FixAll);
    check_not("type A$0: int\noutput O = A\n", Command::FixCode(Code::ColonForEquals));
}

#[test]
fn an_allow_attribute_is_added_to_the_item() {
    let code = Code::UnusedItem;
    check(
        "/// A.\ntype $0A = int\noutput O = string\n",
        Command::Allow(code),
        "/// A.\n@allow(\"unused-item\")\ntype A = int\noutput O = string\n",
    );
    check(
        "@allow(\"open-record\")\ntype $0A = int\noutput O = string\n",
        Command::Allow(code),
        "@allow(\"open-record\", \"unused-item\")\ntype A = int\noutput O = string\n",
    );
    check_not("type $0A = B\noutput O = A\n", Command::Allow(Code::UnknownName));
}

#[test]
fn unused_items_are_removed_with_what_only_they_use() {
    check(
        "// about all\n\n/// A.\ntype A = B // its own\n\n// stays\n\ntype B = int\n\noutput O = string$0\n",
        Command::RemoveUnused,
        "// about all\n\n // its own\n\n// stays\n\noutput O = string\n",
    );
    check_not("type A = B\noutput O = string$0\n", Command::RemoveUnused);
    check_not("output O = string$0\n", Command::RemoveUnused);
}

#[test]
fn expressions_are_extracted_into_definitions() {
    let command = Command::Extract;
    check_same(
        "type A = { at: $0{ x: int, y: int }$0, b: int } // end\noutput O = A\n",
        command,
        "type A = { at: At, b: int } // end\ntype At = { x: int, y: int }\noutput O = A\n",
    );
    check_same(
        "output O = x: $0(\"a\" | \"b\")$0 \"c\"\n",
        command,
        "output O = x: x \"c\"\nrule x = (\"a\" | \"b\")\n",
    );
    check_same(
        "type X = int\noutput O = $0\"n\"$0 | X\n",
        command,
        "type X = int\noutput O = Extracted | X\ntype Extracted = \"n\"\n",
    );
    check(
        "type P<T, max> = { a: $0T[0..max]$0 }\noutput O = P<int, 3>\n",
        command,
        "type P<T, max> = { a: A<T, max> }\ntype A<T, max> = T[0..max]\noutput O = P<int, 3>\n",
    );
    check_same(
        "output O = \"a\" $0\"b\" \"c\"$0 \"d\"\n",
        command,
        "output O = \"a\" extracted \"d\"\nrule extracted = \"b\" \"c\"\n",
    );
    check_same(
        "type A = $0int | null$0 | \"x\"\noutput O = A\n",
        command,
        "type A = Extracted | \"x\"\ntype Extracted = int | null\noutput O = A\n",
    );
    check_same(
        "output O = $0text<max_chars = 3>$0 \"END\"\n",
        command,
        "output O = extracted \"END\"\nrule extracted = text<max_chars = 3>\n",
    );
    check_same(
        "type X = { a: int }\noutput O = $0json<X, space = \"spaced\">$0 \"!\"\n",
        command,
        "type X = { a: int }\noutput O = extracted \"!\"\nrule extracted = json<X, space = \"spaced\">\n",
    );
    check_same(
        "type X = { a: int }\noutput O = \"n\" $0X[0..2]$0\n",
        command,
        "type X = { a: int }\noutput O = \"n\" Extracted\ntype Extracted = X[0..2]\n",
    );
    check_not("type X = int\noutput O = $0X | \"z\"$0 | /y/\n", command);
    check_same(
        "type X = int\noutput O = X | $0\"z\" | /y/$0\n",
        command,
        "type X = int\noutput O = X | extracted\nrule extracted = \"z\" | /y/\n",
    );
    check_not("output O = \"a\" $0\"b\" \"$0c\" \"d\"\n", command);
    check_not("type A = $0int$0\noutput O = A\n", command);
    check_not("type A = { a: $0B$0 }\ntype B = int\noutput O = A\n", command);
    check_not("type A = { a: i$0nt }\noutput O = A\n", command);
    check_not("@skip(/ ?/)\noutput O = $0(\"a\" \"b\")$0 \"c\"\n", command);
}

#[test]
fn definitions_are_inlined_at_one_use_or_all() {
    let (one, all) = (Command::InlineUse, Command::InlineAll);
    check_same(
        "type A = int | null\ntype B = { a: $0A, b: A[2] }\noutput O = B\n",
        one,
        "type A = int | null\ntype B = { a: int | null, b: A[2] }\noutput O = B\n",
    );
    check_same(
        "type A = int | null\ntype B = { a: A, b: $0A[2] }\noutput O = B\n",
        all,
        "type B = { a: int | null, b: (int | null)[2] }\noutput O = B\n",
    );
    check_same("rule a = \"x\" | \"y\"\noutput O = $0a a?\n", all, "output O = (\"x\" | \"y\") (\"x\" | \"y\")?\n");
    check_same(
        "type P<T, n> = { a: T[0..n] }\ntype Q = $0P<int | null, 3>\noutput O = Q\n",
        all,
        "type Q = { a: (int | null)[0..3] }\noutput O = Q\n",
    );
    check_same("rule a = text\noutput O = $0a \"END\"\n", all, "output O = text \"END\"\n");
    check_same("rule a = x: \"x\"\noutput O = y: $0a a\n", one, "rule a = x: \"x\"\noutput O = y: (x: \"x\") a\n");
    check_not("type T = { a: $0T | null }\noutput O = T\n", one);
    check_not("@title(\"A\")\ntype A = int\ntype B = $0A\noutput O = B\n", one);
    check_not("type A = \"x\"\noutput O = $0A \"y\"\n", one);
    check_not("rule a = \"x\"\ntype X = int\noutput O = $0a | X\n", one);
    check_not("type A = int\ntype B = $0A\ntest A { accept '1' }\noutput O = B\n", all);
}

#[test]
fn records_are_opened_and_closed() {
    let (open, close) = (Command::OpenRecord, Command::CloseRecord);
    check("type A = { a: in$0t }\n", open, "type A = { a: int, ... }\n");
    check("type A = {$0}\n", open, "type A = { ... }\n");
    check("type A = {\n  a: int,  // one\n$0}\n", open, "type A = {\n  a: int,  // one\n  ...,\n}\n");
    check("type A = {\n  a: int  // one\n$0}\n", open, "type A = {\n  a: int,  // one\n  ...\n}\n");
    check("type A = { a: { b: int$0, ... }, ... }\n", close, "type A = { a: { b: int }, ... }\n");
    check("type A = { $0..., a: int }\n", close, "type A = { a: int }\n");
    check("type A = {\n  a: int,  // one\n  ...,$0\n}\n", close, "type A = {\n  a: int,  // one\n}\n");
    check("type A = {\n  a: int,  // one\n  ...$0\n}\n", close, "type A = {\n  a: int,  // one\n}\n");
    check_not("type A = in$0t\n", open);
    check_not("type A = { a int$0 }\n", open);
}

#[test]
fn a_discriminator_is_added_to_unions() {
    let command = Command::Discriminate;
    check_same(
        "/// U.\ntype $0U = { k: \"a\", n: \"x\" } | B\ntype B = { n: \"x\", k: \"b\" | \"c\" }\noutput O = U\n",
        command,
        "/// U.\n@discriminator(\"k\")\ntype U = { k: \"a\", n: \"x\" } | B\ntype B = { n: \"x\", k: \"b\" | \"c\" }\noutput O = U\n",
    );
    check_not("type $0U = { k: \"a\" } | { k: \"a\", b: int }\noutput O = U\n", command);
    check_not("type $0U = { k?: \"a\" } | { k: \"b\" }\noutput O = U\n", command);
    check_not("type $0U = { k: \"a\" } | null\noutput O = U\n", command);
    check_not("@discriminator(\"k\")\ntype $0U = { k: \"a\" } | { k: \"b\" }\noutput O = U\n", command);
}

#[test]
fn unbounded_repetitions_lengths_and_depths_get_bounds() {
    let command = Command::Bound;
    check("output O = \"a\"$0*\n", command, "output O = \"a\"[0..100]\n");
    check("output O = (\"a\" \"b$0\") + \"c\"\n", command, "output O = (\"a\" \"b\") [1..100] \"c\"\n");
    check("output O = \"a\"$0* % \",\"\n", command, "output O = \"a\"[0..100] % \",\"\n");
    check("type A = int[2 ..$0]\n", command, "type A = int[2 ..102]\n");
    check("type A = { a: str$0ing[2..] }\n", command, "type A = { a: string<..200>[2..] }\n");
    check_not("type A = { a: string<..$03>[2..5] }\n", command);
    check("type $0A = { a: A | null }\n", Command::BoundDepth, "@depth(8)\ntype A = { a: A | null }\n");
    check_not("type $0A = { a: int }\n", Command::BoundDepth);
    check_not("@depth(3)\ntype $0A = { a: A | null }\n", Command::BoundDepth);
}

#[test]
fn a_test_is_added_from_a_sample() {
    let command = Command::AddTest;
    check_same(
        "type $0A = 7 // seven\noutput O = A\n",
        command,
        "type A = 7 // seven\ntest A {\n  accept \"7\"\n}\noutput O = A\n",
    );
    check_same(
        "type $0A = { a: \"x\" }\ntest A {\n  reject '{}'\n}\n",
        command,
        "type A = { a: \"x\" }\ntest A {\n  reject '{}'\n  accept '{\"a\":\"x\"}'\n}\n",
    );
    check("rule $0a = \"x\"\ntest a { }\n", command, "rule a = \"x\"\ntest a { accept \"x\" }\n");
    check_not("rule $0a = \"x\"\ntest a { accept \"x\" }\n", command);
    check_not("type $0A<T> = T\n", command);
    check_not("type $0A = B\n", command);
    check_not("type A = $0int\n", command);
}

#[test]
fn failing_test_cases_are_updated_to_the_current_result() {
    let chosen = |fixture: &str, title: &str| {
        let read = Fixture::new(fixture);
        let all = actions(&read.snapshot, read.selection(), &[ActionKind::QuickFix]);
        let action = all.iter().find(|action| action.title == title).unwrap_or_else(|| panic!("{all:?}"));
        assert_eq!(action.fixes.map(|(code, _)| code), Some(Code::Test));
        let change = action.change.clone().or_else(|| resolve(&read.snapshot, &action.id)).expect("a change");
        after(&read, &change)
    };
    let text = "type A = { a: int<0..9>, b: bool }\ntest A {\n  accept { a: 10 }$0\n  reject { a: 1, b: true }\n}\n";
    assert_eq!(
        chosen(text, "Write a text that `A` accepts"),
        "type A = { a: int<0..9>, b: bool }\ntest A {\n  accept {\"a\":1,\"b\":true}\n  reject { a: 1, b: true }\n}\n"
    );
    assert_eq!(
        chosen(text, "Expect that `A` rejects it"),
        "type A = { a: int<0..9>, b: bool }\ntest A {\n  reject { a: 10 }\n  reject { a: 1, b: true }\n}\n"
    );
    let text = "rule r = \"ab\" \"\\n\"?\ntest r { accept \"ac\\n\" because \"why\" reje$0ct 'ab' }\n";
    assert_eq!(
        chosen(text, "Expect that `r` accepts it"),
        "rule r = \"ab\" \"\\n\"?\ntest r { accept \"ac\\n\" because \"why\" accept 'ab' }\n"
    );
    let text = text.replace("reje$0ct", "reject").replace("because", "be$0cause");
    assert_eq!(
        chosen(&text, "Write a text that `r` accepts"),
        "rule r = \"ab\" \"\\n\"?\ntest r { accept \"ab\\n\" because \"why\" reject 'ab' }\n"
    );
    let spaced = "policy space = \"spaced\"\ntype A = { a: int[1..9] }\ntest A { accept$0 { a: [] } }\n";
    assert_eq!(
        chosen(spaced, "Write a text that `A` accepts"),
        "policy space = \"spaced\"\ntype A = { a: int[1..9] }\ntest A { accept {\"a\": [0]} }\n"
    );
    let accepted = |fixture: &str| {
        let read = Fixture::new(fixture);
        accepted_case(&read.snapshot, read.cursor()).map(|change| after(&read, &change))
    };
    assert_eq!(
        accepted("rule r = \"ab\"\ntest r { $0accept \"abc\" }\n").as_deref(),
        Some("rule r = \"ab\"\ntest r { accept \"ab\" }\n")
    );
    assert_eq!(
        accepted("rule r = \"ab\"\ntest r { $0reject \"ab\" }\n").as_deref(),
        Some("rule r = \"ab\"\ntest r { accept \"ab\" }\n")
    );
    assert_eq!(accepted("rule r = \"ab\"\ntest r { $0accept \"ab\" }\n"), None);
    let none = Fixture::new("rule r = \"ab\"\ntest r { accept$0 \"ab\" }\n");
    assert_eq!(actions(&none.snapshot, none.selection(), &[ActionKind::QuickFix]), []);
}

#[test]
fn imports_are_converted_to_ogc_definitions() {
    let command = Command::Convert;
    let schema = "{\"$defs\": {\"Age\": {\"type\": \"integer\", \"minimum\": 0}}, \"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/Age\"}}";
    check_same(
        &format!(
            "//- a.ogc\nimport $0Age, root as All from 's.schema.json'\noutput O = Age All\n//- s.schema.json\n{schema}"
        ),
        command,
        "import Age, Root as All from 's.ogc'\noutput O = Age All\n",
    );
    let read = Fixture::new(
        "//- x/a.ogc\nimport $0\"../g.gbnf\" as g\noutput O = g.root g.item\n//- g.gbnf\nroot ::= item+\nitem ::= \"a\" | \"b\"\n",
    );
    let change = chosen(&read, |one| one == command).unwrap();
    assert_eq!(after(&read, &change), "import \"../g.ogc\" as g\noutput O = g.root g.item\n");
    assert_eq!(is_same(&read, &change), Ok(()));
    let [made] = change.creates.as_slice() else { panic!("{change:?}") };
    assert_eq!(
        (made.name.as_str(), made.text.as_str()),
        ("/w/g.ogc", "rule root = item+\nrule item = \"a\" | \"b\"\noutput Output = root\n")
    );
    check_not("//- a.ogc\nimport $0A from \"b.ogc\"\n//- b.ogc\ntype A = int\n", command);
    check_not("//- a.ogc\nimport $0now from \"t.json\"\n//- t.json\n[{\"name\": \"now\"}]", command);
    check_not("//- a.ogc\nimport $0r from \"g.gbnf\"\n//- g.gbnf\nroot ::= (\n", command);
    check_not(
        "//- a.ogc\nimport $0root from \"g.gbnf\"\n//- g.gbnf\nroot ::= \"a\"\n//- g.ogc\ntype A = int\n",
        command,
    );
}
