//! A second `ogc build`: only what has changed is compiled again.

use super::Folder;

/// Makes a vocabulary of single bytes.
pub(super) fn vocabulary(more: &str) -> String {
    const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |at: usize| char::from(BASE64[at]);
    let line = |byte: usize| format!("{}{}== {byte}\n", digit(byte >> 2), digit((byte & 3) << 4));
    (0..256).map(line).chain([more.to_owned()]).collect()
}

fn folder() -> Folder {
    Folder::with(&[
        ("f/a.ogc", "import unit from \"b.ogc\"\noutput One = \"1\" unit\noutput Two = \"2\" unit\n"),
        ("f/b.ogc", "rule unit = \"mm\"\n"),
        ("f/c.gbnf", "root ::= \"a\"\n"),
        ("v.tiktoken", &vocabulary("")),
    ])
}

/// Returns, for each artifact of a build, whether it was up to date.
fn fresh(folder: &Folder, more: &[&str]) -> Vec<bool> {
    let arguments = [
        &[
            "build",
            "f/a.ogc",
            "f/c.gbnf",
            "--vocab",
            "v.tiktoken",
            "--end",
            "</s>=300",
            "-o",
            "out",
            "--message-format",
            "json",
        ],
        more,
    ];
    let ran = folder.run(&arguments.concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.objects("artifact").iter().map(|artifact| artifact["up_to_date"] == true).collect()
}

#[test]
fn unchanged_formats_are_not_rebuilt() {
    let folder = folder();
    assert_eq!(fresh(&folder, &[]), [false; 3]);
    assert_eq!(fresh(&folder, &[]), [true; 3]);
    let ran = folder.run(&["build", "f/c.gbnf", "--vocab", "v.tiktoken", "--end", "</s>=300", "-o", "out"]);
    assert!(ran.out.contains("up to date"), "{ran:?}");
}

#[test]
fn every_change_of_an_input_causes_a_rebuild() {
    let folder = folder();
    let built = |change: &dyn Fn(&Folder), expected: [bool; 3]| {
        fresh(&folder, &[]);
        assert_eq!(fresh(&folder, &[]), [true; 3]);
        change(&folder);
        assert_eq!(fresh(&folder, &[]), expected);
    };
    built(&|folder| folder.write("f/c.gbnf", "root ::= \"b\"\n"), [true, true, false]);
    built(&|folder| folder.write("f/b.ogc", "rule unit = \"cm\"\n"), [false, false, true]);
    built(&|folder| folder.write("v.tiktoken", &vocabulary("YWI= 256\n")), [false; 3]);
    built(&|folder| folder.write("out/a.ogc.One.ogca", "spoilt"), [false, false, true]);
    built(&|folder| std::fs::remove_file(folder.path("out/c.gbnf.ogca")).expect("an artifact"), [true, true, false]);
    built(&|folder| folder.write("out/.c.gbnf.ogca.built", "{"), [true, true, false]);
    built(&|folder| folder.write("f/ogc.toml", "[lints]\nunused-item = \"warn\"\n"), [false; 3]);
    fresh(&folder, &[]);
    assert_eq!(fresh(&folder, &["--no-masks"]), [false; 3]);
    assert_eq!(fresh(&folder, &["--no-masks"]), [true; 3]);
    assert_eq!(fresh(&folder, &["-A", "unused-item", "--no-masks"]), [false; 3]);
}

#[test]
fn a_rebuilt_artifact_equals_a_first_build() {
    let (one, two) = (folder(), folder());
    fresh(&one, &[]);
    [&one, &two].into_iter().for_each(|folder| folder.write("f/b.ogc", "rule unit = \"km\"\n"));
    fresh(&one, &[]);
    fresh(&two, &[]);
    for name in ["out/a.ogc.One.ogca", "out/a.ogc.Two.ogca", "out/c.gbnf.ogca"] {
        assert_eq!(std::fs::read(one.path(name)).expect("an artifact"), std::fs::read(two.path(name)).expect("one"));
    }
}

/// Every build shows the findings, not only the one that compiles.
#[test]
fn warnings_are_shown_again() {
    let folder =
        Folder::with(&[("a.ogc", "output Out = int\ntype Unused = int\n"), ("b.ogc", "output Out = Missing\n")]);
    for _ in 0..2 {
        let ran = folder.run(&["build", "a.ogc", "--no-masks"]);
        assert!(ran.code == 0 && ran.err.contains("unused-item"), "{ran:?}");
        assert_eq!(folder.run(&["build", "b.ogc", "--no-masks"]).code, 1);
    }
}

/// A missing import is an error, also after a successful build.
#[test]
fn a_missing_import_is_found() {
    let folder = folder();
    fresh(&folder, &[]);
    std::fs::remove_file(folder.path("f/b.ogc")).expect("a file");
    let ran = folder.run(&["build", "f/a.ogc", "--vocab", "v.tiktoken", "--end", "</s>=300", "-o", "out"]);
    assert_eq!(ran.code, 1, "{ran:?}");
}
