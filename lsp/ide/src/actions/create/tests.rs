//! Tests of creations: the resulting text, and that it has no new error, also on random programs.

use ogc_compiler::db::Language;
use ogc_grammar::Diagnostic;
use ogc_kit::Random;

use super::NewDefinition::{self, Rule, Type};
use super::errors;
use crate::actions::tests::{after, chosen};
use crate::actions::{ActionKind, Command, actions, resolve};
use crate::fixture::Fixture;
use crate::place::{FileSpan, applied};
use crate::property::program;
use crate::{Host, Snapshot, SourceFile};
use ogc_grammar::Span;
use ogc_lint::findings::{Levels, Subject, findings};

fn found(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    findings(&snapshot.db, &Subject::whole(&snapshot.db, file), None, &Levels::default())
}

/// Returns the definitions that can be created at the cursor, in order.
fn offered(read: &Fixture) -> Vec<NewDefinition> {
    let all = actions(&read.snapshot, read.selection(), &[ActionKind::QuickFix]).into_iter();
    let kind = |command| if let Command::Create(kind, _) = command { Some(kind) } else { None };
    all.filter_map(|action| kind(action.id.command)).collect()
}

/// Checks the definitions that can be created at the cursor, and the text after the first of them, which must have no
/// error.
#[track_caller]
fn check(fixture: &str, kinds: &[NewDefinition], expected: &str) {
    let read = Fixture::new(fixture);
    assert_eq!(offered(&read), kinds, "{fixture}");
    let change = chosen(&read, |one| matches!(one, Command::Create(..))).expect("a change");
    let text = after(&read, &change);
    assert_eq!(text, expected, "{fixture}");
    let mut host = Host::new();
    let file = read.cursor().file;
    let (name, language) = (read.snapshot.name(file), read.snapshot.language(file));
    let file = host.set_file(name, text, language);
    assert_eq!(errors(&found(&host.snapshot(), file)), [].into(), "{expected}");
}

#[track_caller]
fn check_none(fixture: &str) {
    assert_eq!(offered(&Fixture::new(fixture)), [], "{fixture}");
}

#[test]
fn undefined_types_and_rules_are_created_after_their_user() {
    check(
        "type A = { at: Po$0int } // a\noutput O = A\n",
        &[Type],
        "type A = { at: Point } // a\ntype Point = {}\noutput O = A\n",
    );
    check("output O = gre$0eting \"!\"\n", &[Rule, Type], "output O = greeting \"!\"\nrule greeting = \"greeting\"\n");
    check("output O = \"a\" Us$0er\n", &[Type, Rule], "output O = \"a\" User\ntype User = {}\n");
    check("output O = json<po$0int>\n", &[Type], "output O = json<point>\ntype point = {}\n");
    check("output O = quoted<sq$0l>\n", &[Rule], "output O = quoted<sql>\nrule sql = \"sql\"\n");
    check("output O = lazy<a$0a> \"b\"\n", &[Rule], "output O = lazy<aa> \"b\"\nrule aa = \"aa\"\n");
}

#[test]
fn created_bodies_fit_the_place_of_use() {
    let file = "output O = { ...Ba$0se, a: int }\n";
    check(file, &[Type], "output O = { ...Base, a: int }\ntype Base = {}\n");
    let file = "type A = Ba$0se & { a: int }\noutput O = A\n";
    check(file, &[Type], "type A = Base & { a: int }\ntype Base = { ... }\noutput O = A\n");
    let file = "output O = map<Ke$0y, int>\n";
    check(file, &[Type], "output O = map<Key, int>\ntype Key = string\n");
    check("output O = { [Ke$0y]: int }\n", &[Type], "output O = { [Key]: int }\ntype Key = string\n");
    check("output O = raw<Va$0l> \"\\n\"\n", &[Type], "output O = raw<Val> \"\\n\"\ntype Val = int\n");
}

#[test]
fn arguments_of_an_undefined_name_become_parameters() {
    check(
        "type A = { users: Pa$0ge<int, 3> }\noutput O = A\n",
        &[Type],
        "type A = { users: Page<int, 3> }\ntype Page<T, n> = { t: T, n: n }\noutput O = A\n",
    );
    check(
        "type A<T> = Pa$0ge<T, T, most = 3>\noutput O = A<int>\n",
        &[Type],
        "type A<T> = Page<T, T, most = 3>\ntype Page<T, T2, most> = { t: T, t2: T2, most: most }\noutput O = A<int>\n",
    );
    check(
        "output O = ca$0ll<\"now\", { a: int }>\n",
        &[Rule, Type],
        "output O = call<\"now\", { a: int }>\nrule call<name, T> = \"call\" name T\n",
    );
    check(
        "type A = { a: int }\noutput O = each<A, fi$0eld, \"x\">\n",
        &[Rule],
        "type A = { a: int }\noutput O = each<A, field, \"x\">\nrule field<name, Value, name2> = name \": \" raw<Value, without = \"\\n\"> \"\\n\"\n",
    );
    let tools = "[{\"name\": \"now\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}]";
    check_calls(tools);
}

#[track_caller]
fn check_calls(tools: &str) {
    let read = Fixture::new(&format!(
        "//- a.ogc\nimport tools from \"t.json\"\noutput O = any_tool<tools, ca$0ll>\n//- t.json\n{tools}"
    ));
    assert_eq!(offered(&read), [Rule, Type]);
    let change = chosen(&read, |one| matches!(one, Command::Create(..))).unwrap();
    let expected = "rule call<name, Args> = json<{ name: name, arguments: Args }> \"\\n\"\n";
    assert!(after(&read, &change).ends_with(expected), "{}", after(&read, &change));
}

#[test]
fn creation_is_offered_only_for_undefined_names() {
    check_none("type A = int\noutput O = $0A\n");
    check_none("type A = Str$0ing\noutput O = A\n");
    check_none("output O = r$0\"x\"\n");
    check_none("output O = Fo$0o )\n");
    check_none("type A = string</a/> | b$0\"x\"\noutput O = A\n");
    check_none("output O = string.mi$0n\n");
    check_none("output O = $0m.x\n");
}

#[test]
fn rules_of_grammars_are_created() {
    check(
        "//- a.gbnf\nroot ::= it$0em+ # all\nx ::= root\n",
        &[Rule],
        "root ::= item+ # all\nitem ::= \"item\"\nx ::= root\n",
    );
    check("//- a.ebnf\nlist ::= it$0em*\n", &[Rule], "list ::= item*\nitem ::= \"item\"\n");
    check(
        "//- a.ebnf\na list = { it$0em }\n;\nb = a list;",
        &[Rule],
        "a list = { item }\n;\nb = a list;\nitem = \"item\";",
    );
    check("//- a.abnf\nlist = 1*it$0em\n", &[Rule], "list = 1*item\nitem = \"item\"\n");
    check("//- a.lark\nstart: it$0em WS\nWS: \" \"\n", &[Rule], "start: item WS\nitem: \"item\"\nWS: \" \"\n");
    check("//- a.lark\nstart: x W$0S\nx: \"a\"\n", &[Rule], "start: x WS\nWS: \"WS\"\nx: \"a\"\n");
    check_none("//- a.lark\nstart: pa$0ir{X}\nX: \"a\"\n");
    check_none("//- a.gbnf\nroot ::= [a] $0- [b]\n");
}

/// Checks the titles of the creations at the cursor, and the text of `b.*` after the first of them.
#[track_caller]
fn check_other(fixture: &str, titles: &[&str], expected: &str) {
    let read = Fixture::new(fixture);
    let all = actions(&read.snapshot, read.selection(), &[ActionKind::QuickFix]).into_iter();
    let all: Vec<_> = all.filter(|one| matches!(one.id.command, Command::Create(..))).collect();
    assert_eq!(all.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(), titles, "{fixture}");
    let Some(first) = all.first() else { return };
    let change = resolve(&read.snapshot, &first.id).expect("what is offered can be made");
    let [own] = change.edits.as_slice() else { panic!("{change:?}") };
    assert!(read.snapshot.name(own.file).contains("/b."), "{change:?}");
    assert_eq!(applied(read.snapshot.text(own.file), &own.edits), expected);
    let mut scratch = crate::scratch::Scratch::of(&read.snapshot);
    scratch.edit(&change.edits);
    let copy = scratch.copy(read.cursor().file).unwrap();
    scratch.read(|after| assert_eq!(errors(&found(after, copy)), [].into(), "{fixture}"));
}

#[test]
fn undefined_imported_names_are_created_in_the_imported_file() {
    let files = |user: &str, b: &str| format!("//- a.ogc\n{user}\n//- b.ogc\n{b}");
    let both = ["Create the type `Foo` in b.ogc", "Create the rule `Foo` in b.ogc"];
    let user = "import Fo$0o from \"b.ogc\"\noutput O = Foo";
    check_other(&files(user, "type A = int\n"), &both, "type A = int\n\ntype Foo = {}\n");
    check_other(&files(user, ""), &both, "type Foo = {}\n");
    let user = "import \"b.ogc\" as b\noutput O = { a: b.Fo$0o<int>[0..2] }";
    check_other(&files(user, "// b\n"), &both[..1], "// b\n\ntype Foo<T> = { t: T }\n");
    check_other(&files("import A from \"b.ogc\"\noutput O = A b.Fo$0o", "type A = int\n"), &[], "");
    check_other(&files("import \"b.ogc\" as b\noutput O = b.te$0xt", "type A = int\n"), &[], "");
    check_other("//- a.ogc\nimport \"std.tools\" as std\noutput O = std.Non$0e\n", &[], "");
}

#[test]
fn rules_are_created_in_imported_grammars() {
    let user = "//- a.ogc\nimport it$0em from \"b.gbnf\"\noutput O = item\n//- b.gbnf\nroot ::= \"a\"\n";
    check_other(user, &["Create the rule `item` in b.gbnf"], "root ::= \"a\"\nitem ::= \"item\"\n");
    let user = "//- a.ogc\nimport \"b.lark\" as b\noutput O = b.it$0em\n//- b.lark\nstart: \"a\"\n";
    check_other(user, &["Create the rule `item` in b.lark"], "start: \"a\"\nitem: \"item\"\n");
    let schema = "//- a.ogc\nimport \"b.json\" as b\noutput O = b.it$0em\n//- b.json\n{\"$defs\": {\"x\": {}}}\n";
    check_other(schema, &[], "");
}

/// The programs on which creations are tried.
const PROGRAMS: u64 = 60;

#[test]
fn creations_define_the_name_without_new_errors() {
    let mut counts = [0; 2];
    for seed in 0..PROGRAMS {
        let random = &mut Random::new(seed);
        let [(name, text), _] = program(random);
        let (old, new) = *random.pick(&[("A", "Lost"), ("B", "Lost"), ("r", "lost")]);
        let text = undefined(&text, old, new);
        let mut host = Host::new();
        let file = host.set_file(name, text.clone(), Language::Ogc);
        let snapshot = host.snapshot();
        let before = errors(&found(&snapshot, file));
        for action in actions(&snapshot, FileSpan::new(file, Span::of(0, text.len())), &[ActionKind::QuickFix]) {
            let Command::Create(kind, _) = action.id.command else { continue };
            let change = resolve(&snapshot, &action.id).expect("what is offered can be made");
            let after = applied(&text, &change.edits.first().expect("edits of the file").edits);
            let mut host = Host::new();
            let copy = host.set_file(name, after.clone(), Language::Ogc);
            let errors = errors(&found(&host.snapshot(), copy));
            let lost = |(code, message): &&(&str, String)| *code == "unknown-name" && message.contains(new);
            assert_eq!(errors.iter().find(lost), None, "{after}");
            let added: Vec<_> = errors.difference(&before).collect();
            // The name does not tell whether a rule or a type fits.
            assert!(added.is_empty() || new.starts_with('L') != (kind == Type), "{added:?}\n{after}");
            counts[usize::from(kind == Type)] += usize::from(added.is_empty());
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// Renames a definition but not its uses.
fn undefined(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        let is_defined = out.ends_with("type ") || out.ends_with("rule ");
        let is_quoted = c == '"' || out.ends_with('"') || out.ends_with('/');
        out.push_str(if word == old && !is_defined && !is_quoted { new } else { &word });
        word.clear();
        out.push(c);
    }
    out
}
