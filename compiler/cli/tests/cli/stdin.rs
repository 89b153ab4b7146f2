//! Commands report what they examined: standard input, languages, definitions, folders without formats.

use super::Folder;

const GOOD: &str = "output Out = \"a\"\ntest Out { accept \"a\" }\n";
const WRONG: &str = "output Out = \"a\"\ntest Out { accept \"b\" }\n";

fn folder() -> Folder {
    Folder::with(&[("a.ogc", GOOD), ("empty/note.md", ""), ("plain/a.gbnf", "root ::= \"a\"\n"), ("wrong.txt", WRONG)])
}

#[test]
fn standard_input_is_checked() {
    let folder = folder();
    for (text, language, code) in [
        ("output Out = Missing\n", "ogc", 1),
        ("output = = =\n", "ogc", 1),
        (GOOD, "ogc", 0),
        (r#"{"type": "nothing"}"#, "json-schema", 1),
        (r#"{"type": "string"}"#, "json-schema", 0),
        ("root ::= missing\n", "gbnf", 1),
    ] {
        for command in [&["check"][..], &["build", "--no-masks", "-o", "out"]] {
            let arguments = [command, &["-", "--language", language]].concat();
            let ran = folder.run_with(&arguments, text);
            assert_eq!(ran.code, code, "{arguments:?} {text}: {ran:?}");
        }
    }
    assert_eq!(folder.run_with(&["check", "-"], GOOD).code, 2, "no language is said");
    assert_eq!(folder.run_with(&["check", "-", "-", "--language", "ogc"], GOOD).code, 0, "it is read once");
}

#[test]
fn imports_of_standard_input_keep_their_languages() {
    let folder = Folder::with(&[("a.schema.json", r#"{"type": "string"}"#)]);
    let text = "import root as A from \"a.schema.json\"\noutput Out = A\n";
    assert_eq!(folder.run_with(&["check", "-", "--language", "ogc"], text).code, 0);
}

#[test]
fn standard_input_is_not_read_twice() {
    let folder = folder();
    let ran = folder.run_with(&["run", "-", "-", "--language", "ogc"], GOOD);
    assert!(ran.code == 2 && ran.err.contains("stdin-twice"), "{ran:?}");
    let ran = folder.run_with(&["check", "-", "--vocab", "-", "--language", "ogc"], GOOD);
    assert!(ran.code == 2 && ran.err.contains("stdin-twice"), "{ran:?}");
    assert_eq!(folder.run_with(&["check", "--fix", "-", "--language", "ogc"], GOOD).code, 2);
}

#[test]
fn standard_input_that_is_not_utf_8_is_reported() {
    let folder = folder();
    std::fs::write(folder.path("bytes"), [0xff, 0xfe]).expect("a file");
    let mut command = folder.command(&["check", "-", "--language", "ogc"]);
    let input = std::fs::File::open(folder.path("bytes")).expect("a file");
    let ran = command.stdin(input).output().expect("the program runs");
    assert_eq!(ran.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("not-utf8"), "{ran:?}");
}

#[test]
fn an_unreadable_vocabulary_is_reported_once() {
    let folder = folder();
    let ran = folder.run(&["check", "a.ogc", "plain", "--vocab", "none.json"]);
    assert!(ran.code == 3 && ran.err.matches("error[").count() == 1, "{ran:?}");
}

#[test]
fn tests_run_for_any_file_name_if_the_language_is_given() {
    let folder = folder();
    assert_eq!(folder.run_with(&["test", "-", "--language", "ogc"], GOOD).code, 0);
    assert_eq!(folder.run_with(&["test", "-", "--language", "ogc"], WRONG).code, 1);
    assert_eq!(folder.run(&["test", "wrong.txt", "--language", "ogc"]).code, 1);
    assert_eq!(folder.run(&["test", "a.ogc"]).out, "1 test case passed\n");
}

#[test]
fn commands_without_anything_to_do_fail() {
    let folder = folder();
    folder.write("b.ogc", "output Out = int\n");
    for arguments in [
        &["test", "b.ogc"][..],
        &["test", "plain"],
        &["test", "plain/a.gbnf"],
        &["test", "empty"],
        &["check", "empty"],
        &["build", "empty"],
        &["fmt", "empty"],
        &["check", "a.ogc", "-d", "Missing"],
        &["test", "a.ogc", "-d", "Missing"],
        &["check", "plain/a.gbnf", "-d", "missing"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == 2 && ran.err.contains("error["), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn the_definition_option_selects_the_tests_to_run() {
    let text = "output A = \"a\"\noutput B = \"b\"\ntest A { accept \"a\" }\ntest B { accept \"x\" }\n";
    let folder = Folder::with(&[("a.ogc", text)]);
    assert_eq!(folder.run(&["test", "a.ogc"]).code, 1);
    assert_eq!(folder.run(&["test", "a.ogc", "-d", "A"]).code, 0);
    assert_eq!(folder.run(&["test", "a.ogc", "-d", "B"]).code, 1);
}

#[test]
fn a_file_that_is_named_twice_is_counted_once() {
    let folder = folder();
    assert!(folder.run(&["check", "a.ogc", "./a.ogc", "."]).out.starts_with("2 formats checked, no errors"));
}

#[test]
fn a_path_to_a_file_called_minus_is_not_standard_input() {
    let folder = Folder::with(&[("-", "output Out = Missing\n")]);
    let ran = folder.run_with(&["check", "./-", "-", "--language", "ogc"], GOOD);
    assert!(ran.code == 1 && ran.out.starts_with("2 formats checked, 1 with errors"), "{ran:?}");
}

#[test]
fn fmt_reads_standard_input_for_the_path_minus() {
    let folder = folder();
    let ran = folder.run_with(&["fmt", "-"], "type A={a:string}\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "type A = { a: string }\n"));
    assert_eq!(folder.run_with(&["fmt", "--check", "-"], "type A={a:string}\n").code, 1);
    assert_eq!(folder.run_with(&["fmt", "-", "a.ogc"], GOOD).code, 2);
}
