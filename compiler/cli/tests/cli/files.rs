//! Files: a failure leaves nothing behind, links stay links, unreadable files are reported, and file names cannot
//! control the terminal.

use super::Folder;

fn names(folder: &Folder, below: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(below)).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    const LONG: &str = "output Out = /[a-z]{1,200}[0-9]{1,200}/\n";

    /// Runs a command with file sizes limited to 1,024 bytes, as if the disk were full.
    fn cramped(folder: &Folder, arguments: &str) -> i32 {
        let script = format!("trap '' XFSZ; ulimit -f 2; exec {} {arguments}", env!("CARGO_BIN_EXE_ogc"));
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.place.path());
        command.output().expect("the shell runs").status.code().unwrap_or(-1)
    }

    #[test]
    fn a_full_disk_leaves_no_partial_files() {
        let folder = Folder::with(&[("a.ogc", LONG), ("a.ogc.Out.ogca", "before")]);
        for _ in 0..2 {
            assert_eq!(cramped(&folder, "build a.ogc --no-masks"), 3);
        }
        assert_eq!(names(&folder, "."), ["a.ogc", "a.ogc.Out.ogca"]);
        assert_eq!(folder.read("a.ogc.Out.ogca"), "before");
    }

    #[test]
    fn a_full_disk_loses_no_text() {
        let messy: String = (0..60).map(|at| format!("type  A{at}={{a:string,b:int}}\n")).collect();
        for hard in [false, true] {
            let folder = Folder::with(&[("a.ogc", &messy)]);
            if hard {
                std::fs::hard_link(folder.path("a.ogc"), folder.path("b.ogc")).expect("a link");
            }
            assert_eq!(cramped(&folder, "fmt a.ogc"), 3);
            assert_eq!(folder.read("a.ogc"), messy);
            assert_eq!(names(&folder, ".").len(), if hard { 2 } else { 1 });
        }
    }

    #[test]
    fn hard_links_stay_links() {
        for text in ["type A={a:string}\n", "type A                        =         {a:string}\n"] {
            let folder = Folder::with(&[("a.ogc", text)]);
            std::fs::hard_link(folder.path("a.ogc"), folder.path("b.ogc")).expect("a link");
            assert_eq!(folder.run(&["fmt", "a.ogc"]).code, 0);
            assert_eq!(folder.read("b.ogc"), "type A = { a: string }\n");
            assert_eq!(std::fs::metadata(folder.path("a.ogc")).expect("a file").nlink(), 2);
            assert_eq!(names(&folder, "."), ["a.ogc", "b.ogc"]);
        }
    }

    #[test]
    fn output_files_follow_symlinks_and_keep_permissions() {
        let folder = Folder::with(&[("a.ogc", LONG), ("far/kept.gbnf", "before")]);
        symlink("far/kept.gbnf", folder.path("out.gbnf")).expect("a link");
        std::fs::set_permissions(folder.path("far/kept.gbnf"), PermissionsExt::from_mode(0o604)).expect("permissions");
        assert_eq!(folder.run(&["export", "a.ogc", "--to", "gbnf", "-o", "out.gbnf"]).code, 0);
        assert!(std::fs::symlink_metadata(folder.path("out.gbnf")).expect("a link").is_symlink());
        assert!(folder.read("far/kept.gbnf").contains("root ::="));
        let mode = std::fs::metadata(folder.path("far/kept.gbnf")).expect("a file").mode();
        assert_eq!(mode & 0o777, 0o604);
    }

    #[test]
    fn devices_are_written_to_and_not_replaced() {
        let folder = Folder::with(&[("a.ogc", LONG)]);
        symlink("/dev/full", folder.path("full")).expect("a link");
        symlink("/dev/null", folder.path("null")).expect("a link");
        assert_eq!(folder.run(&["export", "a.ogc", "--to", "gbnf", "-o", "full"]).code, 3);
        assert_eq!(folder.run(&["export", "a.ogc", "--to", "gbnf", "-o", "null"]).code, 0);
        assert_eq!(folder.run(&["export", "a.ogc", "--to", "gbnf", "-o", "/dev/null"]).code, 0);
        assert!(!std::fs::metadata("/dev/null").expect("a device").is_file());
    }

    #[test]
    fn an_unreadable_folder_or_file_does_not_stop_the_others() {
        let folder = Folder::with(&[("f/a/a.ogc", "output Out = Missing\n"), ("f/z.ogc", "output Out = int\n")]);
        let mut deep = String::from("f/deep");
        (0..40).for_each(|_| deep.push_str("/d"));
        folder.write(&format!("{deep}/x.ogc"), "output Out = int\n");
        symlink("nowhere", folder.path("f/gone.ogc")).expect("a link");
        for command in [&["check", "f"][..], &["build", "f", "--no-masks"], &["test", "f"], &["fmt", "--check", "f"]] {
            let ran = folder.run(command);
            assert!(ran.code == 3 && ran.err.contains("folder-too-deep"), "{command:?}: {ran:?}");
            assert!(ran.err.contains("gone.ogc: cannot be read"), "{command:?}: {ran:?}");
            assert!(command[0] == "fmt" || ran.err.contains("unknown-name"), "{command:?}: {ran:?}");
        }
        let locked = folder.path("f/a");
        std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o000)).expect("permissions");
        let ran = folder.run(&["check", "f"]);
        // The superuser can read the file anyway.
        let privileged = std::fs::read_dir(&locked).is_ok();
        std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o755)).expect("permissions");
        assert!(ran.code == 3 && (privileged || ran.err.contains("f/a: cannot be read")), "{ran:?}");
    }

    #[test]
    fn files_whose_names_are_not_utf_8_are_told_apart() {
        let folder = Folder::with(&[]);
        let path = |byte: u8| folder.place.path().join(OsStr::from_bytes(&[b'a', byte, b'.', b'o', b'g', b'c']));
        if std::fs::write(path(0xfe), "output Out = int\n").is_err() {
            return; // This file system has only names that are text.
        }
        std::fs::write(path(0xff), "output Out = Missing\n").expect("a file");
        let ran = folder.run(&["check", "."]);
        assert!(ran.code == 1 && ran.out.starts_with("2 formats checked, 1 with errors"), "{ran:?}");
        assert!(ran.err.contains("a\\xff.ogc") && !ran.err.contains("a\\xfe.ogc"), "{ran:?}");
        assert_eq!(folder.run(&["build", ".", "--no-masks"]).code, 1);
    }

    #[test]
    fn cyclic_and_upward_symlinks_are_handled() {
        let folder = Folder::with(&[("f/a.ogc", "output Out = int\n"), ("g/sub/b.ogc", "output Out = Missing\n")]);
        symlink(".", folder.path("f/again")).expect("a link");
        symlink("self.ogc", folder.path("f/self.ogc")).expect("a link");
        let ran = folder.run(&["check", "f"]);
        assert!(ran.code == 3 && ran.out.starts_with("2 formats checked, 1 with errors"), "{ran:?}");
        // `up/../b.ogc` is `g/b.ogc`, not `b.ogc`.
        symlink("g/sub", folder.path("up")).expect("a link");
        folder.write("b.ogc", "output Out = int\n");
        folder.write("g/b.ogc", "output Out = Missing\n");
        let ran = folder.run(&["check", "b.ogc", "up/../b.ogc"]);
        assert!(ran.code == 1 && ran.out.starts_with("2 formats checked, 1 with errors"), "{ran:?}");
    }

    #[test]
    fn names_and_texts_send_no_control_characters_to_the_terminal() {
        let name = "a\x1b]0;title\x07\u{202e}.ogc";
        let folder = Folder::with(&[(name, "// \x1b[2J\u{202e}\noutput Out = \x1b[31m Missing \"\u{9b}\"\n")]);
        let wild = |text: &str| text.contains(['\x1b', '\x07', '\u{202e}', '\u{9b}']);
        for command in [
            &["check", name][..],
            &["check", "."],
            &["check", "none\x1b[1m.ogc"],
            &["check", "--no-such\x1b[1m"],
            &["build", name, "--no-masks"],
            &["fmt", "--check", name],
            &["test", name],
            &["run", name, "\x1b[2J"],
            &["explain", "\x1b[2J"],
        ] {
            let ran = folder.run(command);
            assert!(ran.code != 0 && !wild(&ran.out) && !wild(&ran.err), "{command:?}: {ran:?}");
        }
        folder.write("b.ogc", "output Out = \"x\\u{1b}[2J\u{9b}\"\n");
        for text in ["x\x1b[1J", "\x1b[2Jx", "x\x1b[2J\u{9b}", "x\u{202e}"] {
            let ran = folder.run(&["run", "b.ogc", text]);
            assert!(!wild(&ran.out) && !wild(&ran.err), "{text:?}: {ran:?}");
        }
    }

    #[test]
    fn results_written_to_a_pipe_are_not_escaped() {
        let folder = Folder::with(&[("b.ogc", "output Out = \"x\u{202e}\u{9b}\"\n")]);
        assert_eq!(folder.run(&["sample", "b.ogc", "-n", "1"]).out, "x\u{202e}\u{9b}\n");
        assert_eq!(folder.run_with(&["fmt", "-"], "// \u{202e}\u{9b}\n").out, "// \u{202e}\u{9b}\n");
    }
}

#[test]
fn files_over_the_fixed_limit_do_not_advise_raising_max_input() {
    let folder = Folder::with(&[("a.ogc", "output Out = int\n")]);
    let ran = folder.run(&["check", "a.ogc", "--max-input", "5"]);
    assert!(ran.code == 3 && ran.err.contains("raise the limit with --max-input"), "{ran:?}");
    folder.write("big.regex", &"a".repeat((32 << 20) + 1));
    let ran = folder.run(&["check", "big.regex", "--max-input", "100000000"]);
    assert!(ran.code == 3 && ran.err.contains("33554432") && !ran.err.contains("--max-input"), "{ran:?}");
    assert_eq!(names(&folder, "."), ["a.ogc", "big.regex"]);
}
