//! `ogc fmt`.

use super::Folder;

const MESSY: &str = "type A={a:string}\n";
const NEAT: &str = "type A = { a: string }\n";
const BROKEN: &str = "type  A=int\ntype B: {a  : int}\n";

#[test]
fn fmt_rewrites_only_files_that_change() {
    let folder = Folder::with(&[("a.ogc", MESSY), ("deep/b.ogc", NEAT), ("c.json", "{ }")]);
    let ran = folder.run(&["fmt"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert!(ran.out.contains("a.ogc: formatted") && ran.out.contains("1 of 2 files changed"), "{ran:?}");
    assert_eq!((folder.read("a.ogc"), folder.read("c.json")), (NEAT.to_owned(), "{ }".to_owned()));
    assert!(folder.run(&["fmt", "a.ogc"]).out.contains("0 of 1 file changed"));
}

#[test]
fn a_check_shows_a_difference_and_writes_nothing() {
    let folder = Folder::with(&[("a.ogc", MESSY)]);
    let ran = folder.run(&["fmt", "--check", "a.ogc"]);
    assert_eq!((ran.code, folder.read("a.ogc").as_str()), (1, MESSY));
    assert!(ran.out.contains("-type A={a:string}\n+type A = { a: string }\n"), "{ran:?}");
    let ran = folder.run(&["fmt", "--check", "a.ogc", "--message-format", "json"]);
    assert_eq!((ran.code, ran.objects("format")[0]["changed"].as_bool()), (1, Some(true)));
    folder.write("a.ogc", NEAT);
    assert_eq!(folder.run(&["fmt", "--check"]).code, 0);
}

#[test]
fn fmt_reports_broken_items_and_leaves_them_unchanged() {
    let folder = Folder::with(&[("a.ogc", BROKEN)]);
    let ran = folder.run(&["fmt", "a.ogc"]);
    assert!(ran.code == 1 && ran.err.contains("colon-for-equals"), "{ran:?}");
    assert_eq!(folder.read("a.ogc"), "type A = int\ntype B: {a  : int}\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::with(&[]);
    let ran = folder.run_with(&["fmt", "--stdin"], MESSY);
    assert_eq!((ran.code, ran.out.as_str()), (0, NEAT));
    let ran = folder.run_with(&["fmt", "--stdin", "--check"], MESSY);
    assert!(ran.code == 1 && ran.out.contains("+type A = { a: string }"), "{ran:?}");
    let ran = folder.run_with(&["fmt", "--stdin", "--message-format", "json"], MESSY);
    assert_eq!(ran.objects("format")[0]["text"], NEAT);
}

#[test]
fn fmt_refuses_other_languages_and_missing_files() {
    let folder = Folder::with(&[("a.json", "{}"), ("b.ogc", MESSY)]);
    let ran = folder.run(&["fmt", "a.json", "none.ogc", "b.ogc"]);
    assert!(ran.code == 3 && ran.err.contains("not-ogc") && ran.err.contains("file-unreadable"), "{ran:?}");
    assert_eq!(folder.read("b.ogc"), NEAT, "the others are laid out all the same");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_symlinks_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("a.ogc", MESSY)]);
    let mode = |name| std::fs::metadata(folder.path(name)).expect("a file").permissions().mode() & 0o777;
    std::fs::set_permissions(folder.path("a.ogc"), std::fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("a.ogc", folder.path("link.ogc")).expect("a link");
    assert_eq!(folder.run(&["fmt", "link.ogc"]).code, 0);
    assert_eq!((folder.read("a.ogc").as_str(), mode("a.ogc")), (NEAT, 0o640));
    assert!(std::fs::symlink_metadata(folder.path("link.ogc")).expect("a link").is_symlink());
}

#[test]
fn a_large_file_is_compared_within_thirty_seconds() {
    let list: Vec<String> = (0..60_000).map(|at| format!("\"a{at}\"")).collect();
    let folder = Folder::with(&[("a.ogc", &format!("output O =\n{}\n", list.join("\n|")))]);
    let begin = std::time::Instant::now();
    let ran = folder.run(&["fmt", "--check", "a.ogc"]);
    assert!(ran.code == 1 && begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
}
