//! Paths of imports: the entries of a disk.

use super::after;
use crate::completion::{CompletionItem, CompletionKind, FolderListing, completion_with, import_folder};
use crate::fixture::Fixture;

/// The files and folders beside `x/a.ogc`, and those of other folders.
const DISK: [(&str, &[&str], &[&str]); 4] = [
    ("/w/x", &["a.ogc", "b.gbnf", "c.schema.json", "d.json", "e.txt"], &["sub", "odd$}"]),
    ("/w/x/sub", &["f.lark", "g.abnf", "h.ebnf", "i.regex"], &[]),
    ("/w", &["j.ogc"], &["x"]),
    ("/", &[], &["w"]),
];

/// Returns the entries at the cursor of `x/a.ogc`, and the fixture; the file `x/b.gbnf` is known.
fn listed(text: &str) -> (Fixture, Vec<CompletionItem>) {
    let read = Fixture::new(&format!("//- x/b.gbnf\nroot ::= \"a\"\n//- x/a.ogc\n{text}"));
    let folder = import_folder(&read.snapshot, read.cursor()).expect("a path");
    let (_, files, folders) = DISK.iter().find(|(name, ..)| *name == folder).unwrap_or(&("", &[], &[]));
    let names = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    let listing = FolderListing { files: names(files), folders: names(folders) };
    let items = completion_with(&read.snapshot, read.cursor(), None, &listing).items;
    (read, items)
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut items = listed(text).1;
    items.sort_by(|a, b| a.sort.cmp(&b.sort));
    let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels, expected, "{text}");
}

#[track_caller]
fn writes(text: &str, label: &str, expected: &str) {
    let (read, items) = listed(text);
    let item = items.iter().find(|item| item.label == label).expect("the label is in the list");
    assert_eq!(after(read.snapshot.text(read.cursor().file), item), expected);
}

#[test]
fn files_of_all_languages_and_folders_are_listed() {
    let own = ["b.gbnf", "c.schema.json", "d.json", "odd$}/", "sub/", "../", "std.tools"];
    check("import A from \"$0\"", &own);
    check("import A from \"c$0.json\"", &own);
    check("import A from $0", &own);
    check("import \"$0\" as a", &own);
    check(
        "import A from \"sub/$0\"",
        &["b.gbnf", "sub/f.lark", "sub/g.abnf", "sub/h.ebnf", "sub/i.regex", "std.tools"],
    );
    check("import A from \"../$0\"", &["../j.ogc", "b.gbnf", "../x/", "../../", "std.tools"]);
    check("import A from \"../../$0\"", &["b.gbnf", "../../w/", "std.tools"]);
    check(
        "import A from \"./$0\"",
        &["./b.gbnf", "./c.schema.json", "./d.json", "b.gbnf", "./odd$}/", "./sub/", "std.tools"],
    );
    check("import A from \"nowhere/$0\"", &["b.gbnf", "std.tools"]);
}

#[test]
fn paths_are_written_with_their_quotes() {
    writes("import A from \"$0\"", "d.json", "import A from \"d.json\"");
    writes("import A from \"$0", "d.json", "import A from \"d.json\"");
    writes("import A from $0", "d.json", "import A from \"d.json\"");
    writes("import A from \"su$0\"", "sub/", "import A from \"sub/\"");
    writes("import A from \"su$0", "sub/", "import A from \"sub/");
    writes("import A from $0", "sub/", "import A from \"sub/$0\"");
    writes("import A from $0", "odd$}/", "import A from \"odd\\$\\}/$0\"");
}

#[test]
fn schema_references_list_files_on_the_disk() {
    let listed = |text: &str| {
        let read = Fixture::new(&format!("//- x/s.json\n{text}"));
        let listing = FolderListing {
            files: ["s.json", "c.schema.json", "g.gbnf"].map(str::to_owned).into(),
            folders: vec!["sub".to_owned()],
        };
        let mut items = completion_with(&read.snapshot, read.cursor(), None, &listing).items;
        items.sort_by(|a, b| a.sort.cmp(&b.sort));
        let after = |item: &CompletionItem| after(read.snapshot.text(read.cursor().file), item);
        items.iter().map(|item| (item.label.clone(), after(item))).collect::<Vec<_>>()
    };
    let labels = |text: &str| listed(text).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
    assert_eq!(labels("{\"$ref\": \"$0\"}"), ["#", "c.schema.json", "sub/", "../"]);
    assert_eq!(labels("{\"$ref\": \"y/$0\"}"), ["#", "y/c.schema.json", "y/s.json", "y/sub/"]);
    assert_eq!(labels("{\"$ref\": \"#$0\"}"), ["#"]);
    let folder = |text: &str| listed(text).into_iter().find(|(label, _)| label == "sub/").map(|(_, after)| after);
    assert_eq!(folder("{\"$ref\": \"$0\"}").as_deref(), Some("{\"$ref\": \"sub/\"}"));
    assert_eq!(folder("{\"$ref\": \"$0").as_deref(), Some("{\"$ref\": \"sub/"));
    assert_eq!(folder("{\"$ref\": $0}").as_deref(), Some("{\"$ref\": \"sub/\"}"));
}

#[test]
fn folders_are_requested_only_within_paths() {
    let wanted = |text: &str| {
        let read = Fixture::new(text);
        import_folder(&read.snapshot, read.cursor())
    };
    assert_eq!(wanted("import A from \"x/y$0\"").as_deref(), Some("/w/x"));
    assert_eq!(wanted("import A from \"/etc/y$0\"").as_deref(), Some("/etc"));
    assert_eq!(wanted("import A$0 from \"x/y\""), None);
    assert_eq!(wanted("type A = \"x/$0\""), None);
    assert_eq!(wanted("//- s.json\n{\"$ref\": \"x/$0\"}").as_deref(), Some("/w/x"));
    assert_eq!(wanted("//- s.json\n{\"$ref\": \"x.json#/$0\"}"), None);
    assert_eq!(wanted("//- s.json\n{\"$ref\": \"https://x/$0\"}"), None);
    assert_eq!(wanted("//- s.json\n{\"$id\": \"x/$0\"}"), None);
    assert_eq!(wanted("//- g.gbnf\nroot ::= \"$0\""), None);
    let (_, items) = listed("import A from \"$0\"");
    let kinds = items.iter().filter(|item| item.label.ends_with('/')).map(|item| item.kind);
    assert!(kinds.into_iter().all(|kind| kind == CompletionKind::Folder));
}
