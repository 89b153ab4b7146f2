//! `ogc check --fix` and `--watch`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use super::Folder;

#[test]
fn mistakes_are_corrected_in_the_file() {
    let folder = Folder::with(&[("a.ogc", "type A: { a: string b: int[1,3] };\noutput B = A\n")]);
    let ran = folder.run(&["check", "--fix", "a.ogc", "--message-format", "json"]);
    assert_eq!(folder.read("a.ogc"), "type A = { a: string, b: int[1..3] }\noutput B = A\n");
    let fixes = ran.objects("fixed");
    assert_eq!(fixes[0]["fixes"].as_array().map(Vec::len), Some(4), "{ran:?}");
    let again = folder.run(&["check", "--fix", "a.ogc", "--message-format", "json"]);
    assert!(again.objects("fixed").is_empty(), "{again:?}");
}

#[test]
fn check_fix_turns_comparisons_into_ranges_without_losing_text() {
    for (text, after) in [
        ("output A = { x: int > 5, y: int }\n", "output A = { x: int<6..>, y: int }\n"),
        ("output A = { n: string, age: >=0 & <=150 }\n", "output A = { n: string, age: int<0..150> }\n"),
        ("output A = string{1,5}\n", "output A = string<1..5>\n"),
        ("output A = /(a/b)+/\n", "output A = /(a\\/b)+/\n"),
        ("output A = { a: int # why\n}", "output A = { a: int // why\n}"),
        ("\u{feff}output A: int\r\n// kept\r\n", "\u{feff}output A = int\r\n// kept\r\n"),
    ] {
        let folder = Folder::with(&[("a.ogc", text)]);
        let ran = folder.run(&["check", "--fix", "a.ogc"]);
        assert_eq!((folder.read("a.ogc").as_str(), ran.code), (after, 0), "{ran:?}");
    }
}

#[test]
fn corrections_that_are_not_applied_are_reported_with_the_reason() {
    let text = "output A = { a: int ], b: string }\n";
    let folder = Folder::with(&[("a.ogc", text)]);
    let ran = folder.run(&["check", "--fix", "a.ogc"]);
    assert_eq!(folder.read("a.ogc"), text, "{ran:?}");
    assert!(ran.out.contains("1 correction not made") && ran.out.contains("line 1, wrong-bracket"), "{ran:?}");
}

/// Texts whose intended meaning is uncertain.
const DOUBTFUL: [&str; 20] = [
    "output Out = \"x\" + \"y\"\n",
    "output Out = \"a\" (2 * \"a\")\n",
    "output Out = { a: { b: int, c: int, d: { e: int }\n}\n",
    "output Out = { a: string | undefined }\n",
    "output Out = \"a\" { return 1 }\n",
    "output Out = { a: Set<string> }\n",
    "policy { space = \"any\" }\noutput Out = int\n",
    "output Out = { ?d: string }\n",
    "output Out = {\n  a: int; -- age\n  b: int\n}\n",
    "type A<T> where T: string = { d: T }\noutput Out = int\n",
    "output Out = { a: () => void }\n",
    "output Out = { a: tuple<> }\n",
    "output Out = { a: date(\"YYYY-MM-DD\") }\n",
    "output Out = mix(\"a\")\n",
    "output Out = enum(\"a\", \"b\")\n",
    "output Out = { a: [string!]! }\n",
    "output Out = {| name: string |}\n",
    "output Out = { a: [u8; 4] }\n",
    "output Out = { a: number(2 digits) }\n",
    "output Out = { a: tuple[int, ...] }\n",
];

#[test]
fn ambiguous_mistakes_are_left_alone_and_no_correction_is_advertised() {
    for text in DOUBTFUL {
        let folder = Folder::with(&[("a.ogc", text)]);
        let shown = folder.run(&["check", "a.ogc"]);
        assert!(!shown.err.contains("check --fix"), "{text}{shown:?}");
        folder.run(&["check", "--fix", "a.ogc"]);
        assert_eq!(folder.read("a.ogc"), text);
    }
}

#[test]
fn advertised_corrections_are_applied() {
    for (text, after) in [
        ("output Out = { a: int @deprecated }\n", "output Out = { @deprecated a: int }\n"),
        ("output A = int\ntest A { accept \"1\", \"2\" }\n", "output A = int\ntest A { accept \"1\" accept \"2\" }\n"),
        ("/** Doc */\noutput A = { a: int }\n", "/// Doc\noutput A = { a: int }\n"),
        ("\"A user\"\noutput A = { a: int }\n", "/// A user\noutput A = { a: int }\n"),
        ("\"\"\"A user\"\"\"\noutput A = { a: int }\n", "/// A user\noutput A = { a: int }\n"),
        ("output A = { first-name: string }\n", "output A = { \"first-name\": string }\n"),
        ("output A = { a: Date, b: Email, c: date_time }\n", "output A = { a: date, b: email, c: datetime }\n"),
        ("output A = { a: array<string> }\n", "output A = { a: string[0..] }\n"),
        ("output A = { a: object<string, int> }\n", "output A = { a: map<string, int> }\n"),
        ("output A = R\nenum R = \"a\" | \"b\"\n", "output A = R\ntype R = \"a\" | \"b\"\n"),
        ("@title(Hello)\noutput A = int\n", "@title(\"Hello\")\noutput A = int\n"),
        ("output A = { a: 0 <= int <= 5 }\n", "output A = { a: int<0..5> }\n"),
        ("output A = int\ntest A: { accept \"1\" }\n", "output A = int\ntest A { accept \"1\" }\n"),
        ("output A = { a: z.string().min(1) }\n", "output A = { a: string<1..> }\n"),
        ("output A = { a: conint(ge=0) }\n", "output A = { a: int<0..> }\n"),
        ("output A = { a: int = Field(ge=0) }\n", "output A = { a: int<0..> }\n"),
        ("policy space \"any\"\noutput A = int\n", "policy space = \"any\"\noutput A = int\n"),
    ] {
        let folder = Folder::with(&[("a.ogc", text)]);
        let shown = folder.run(&["check", "a.ogc"]);
        assert!(shown.err.contains("`ogc check --fix` does this"), "{text}{shown:?}");
        assert_eq!(folder.read("a.ogc"), text);
        let ran = folder.run(&["check", "--fix", "a.ogc"]);
        assert_eq!((folder.read("a.ogc").as_str(), ran.code), (after, 0), "{ran:?}");
    }
}

#[test]
fn check_fix_drops_the_keyword_type_from_imports() {
    let folder =
        Folder::with(&[("b.ogc", "type B = int\n"), ("a.ogc", "import type B from \"b.ogc\"\noutput A = B\n")]);
    let ran = folder.run(&["check", "--fix", "a.ogc"]);
    assert_eq!((folder.read("a.ogc").as_str(), ran.code), ("import B from \"b.ogc\"\noutput A = B\n", 0), "{ran:?}");
}

#[test]
fn explain_suggests_a_code_for_a_misspelled_one() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["explain", "Unclosed_Brace"]);
    assert!(ran.err.contains("did you mean `unclosed-brace`?"), "{ran:?}");
}

#[test]
fn explain_lists_codes_by_group_with_severity_and_summary() {
    let folder = Folder::with(&[]);
    let shown = folder.run(&["explain"]).out;
    let group = shown.find("[command line]").unwrap();
    assert!(shown[group..].contains("unknown-code") && !shown[..group].contains("unknown-code"), "{shown}");
    let line = shown.lines().find(|line| line.starts_with("no-output ")).unwrap();
    assert!(line.contains(" note, warning ") && line.ends_with("a file of which nothing is compiled"), "{line}");
    let codes = folder.run(&["explain", "--message-format", "json"]).objects("code");
    let code = codes.iter().find(|code| code["code"] == "no-output").unwrap();
    assert_eq!(
        (&code["group"], &code["severities"][0], &code["has_fix"]),
        (&"lints".into(), &"note".into(), &false.into())
    );
}

#[test]
fn json_messages_carry_the_edits_of_corrections() {
    let folder = Folder::with(&[("a.ogc", "type A: int\n")]);
    let ran = folder.run(&["fmt", "a.ogc", "--message-format", "json"]);
    let fix = &ran.objects("diagnostic")[0]["fix"];
    assert_eq!((&fix["edits"][0]["text"], &fix["edits"][0]["span"]["start"]), (&" =".into(), &6.into()), "{fix}");
}

/// A child process that is killed when the test ends, even by a panic.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The summaries of `ogc check --watch`: the number of good formats and of all formats.
struct Summaries {
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    _child: Running,
}

impl Summaries {
    fn of(folder: &Folder, path: &str) -> Self {
        let mut command = folder.command(&["check", "--watch", path, "--message-format", "json"]);
        let mut child = Running(command.stdout(Stdio::piped()).spawn().expect("the program runs"));
        let lines = BufReader::new(child.0.stdout.take().expect("its output")).lines();
        Self { lines, _child: child }
    }

    fn next(&mut self) -> (Option<u64>, Option<u64>) {
        loop {
            let line = self.lines.next().expect("one more line").expect("text");
            let object: Value = serde_json::from_str(&line).expect("an object a line");
            if object["type"] == "summary" {
                assert!(object["ms"].is_number(), "{object}");
                return (object["good"].as_u64(), object["formats"].as_u64());
            }
        }
    }
}

#[test]
fn check_watch_checks_each_change() {
    let folder = Folder::with(&[("f/a.schema.json", r#"{"type": "string"}"#)]);
    let mut summaries = Summaries::of(&folder, "f");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
    folder.write("f/a.schema.json", r#"{"type": "nothing"}"#);
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    folder.write("f/b.schema.json", "true");
    assert_eq!(summaries.next(), (Some(1), Some(2)));
    folder.write("f/a.schema.json", r#"{"then": {"type": "string"}}"#);
    assert_eq!(summaries.next(), (Some(2), Some(2)));
    folder.write("f/ogc.toml", "[lints]\nidle-keyword = \"deny\"\n");
    assert_eq!(summaries.next(), (Some(1), Some(2)));
    std::fs::remove_file(folder.path("f/a.schema.json")).expect("a file");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
}

#[test]
fn incessant_changes_do_not_starve_check_watch() {
    let folder = Folder::with(&[("f/a.ogc", "output O = int\n"), ("f/noise.log", "")]);
    let mut summaries = Summaries::of(&folder, "f");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let log = folder.path("f/noise.log");
    let writer = std::thread::spawn(move || {
        let pause = std::time::Duration::from_millis(15);
        while stopped.recv_timeout(pause) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            std::fs::write(&log, "more").expect("a log");
        }
    });
    folder.write("f/a.ogc", "output O = Missing\n");
    let begin = std::time::Instant::now();
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
    drop(stop);
    writer.join().expect("the writer ends");
}

#[test]
fn check_watch_also_watches_imported_files() {
    let import = "import T from \"../far/b.ogc\"\noutput O = T\n";
    let folder = Folder::with(&[("f/a.ogc", import), ("far/b.ogc", "type T = int\n")]);
    let mut summaries = Summaries::of(&folder, "f/a.ogc");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
    folder.write("far/b.ogc", "type U = int\n");
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    std::fs::remove_file(folder.path("far/b.ogc")).expect("a file");
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    folder.write("far/b.ogc", "type T = string\n");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
}

#[test]
fn a_file_that_becomes_readable_again_is_read_again() {
    let folder = Folder::with(&[("f/a.ogc", "output O = int\n")]);
    let mut summaries = Summaries::of(&folder, "f");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
    std::fs::write(folder.path("f/a.ogc"), [0xff, 0xfe]).expect("a file");
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    folder.write("f/a.ogc", "output O = Missing\n");
    assert_eq!(summaries.next(), (Some(0), Some(1)));
    std::fs::remove_file(folder.path("f/a.ogc")).expect("a file");
    assert_eq!(summaries.next(), (Some(0), Some(0)));
    folder.write("f/a.ogc", "output O = string\n");
    assert_eq!(summaries.next(), (Some(1), Some(1)));
}

#[test]
fn the_number_of_shown_findings_is_bounded() {
    let unknown: String = (0..300).map(|at| format!("type T{at} = Unknown{at}\n")).collect();
    let one: Vec<String> = (0..300).map(|at| format!("Unknown{at}")).collect();
    let failing = format!("output O = /a*/\ntest O {{\n{}}}\n", "reject \"a\"\n".repeat(300));
    let folder = Folder::with(&[
        ("a.ogc", &unknown),
        ("b.ogc", &format!("type T = {}\n", one.join(" | "))),
        ("c.ogc", &failing),
    ]);
    for arguments in [["check", "a.ogc"], ["check", "b.ogc"], ["test", "c.ogc"]] {
        let ran = folder.run(&[arguments[0], arguments[1], "--message-format", "json"]);
        let found = ran.objects("diagnostic");
        assert_eq!(found.len(), 101, "{arguments:?}");
        assert_eq!(found[100]["code"], "more-diagnostics", "{arguments:?}");
    }
}

#[test]
fn long_names_are_quoted_in_part() {
    let folder = Folder::with(&[("a.ogc", &format!("output O = {}\n", "A".repeat(1_000_000)))]);
    let ran = folder.run(&["check", "a.ogc"]);
    assert!(ran.err.contains("unknown-name") && ran.err.len() < 10_000, "{} bytes", ran.err.len());
}

#[cfg(unix)]
#[test]
fn imports_of_devices_are_not_read() {
    let folder = Folder::with(&[("f/a.ogc", "import \"zero.ogc\" as zero\noutput O = zero.x\n")]);
    std::os::unix::fs::symlink("/dev/zero", folder.path("f/zero.ogc")).expect("a link");
    let ran = folder.run(&["check", "f", "--max-input", "1000000000000"]);
    assert!(ran.code == 1 && ran.err.contains("unknown-import"), "{ran:?}");
}

/// Each mistake in an import has one finding, whose help or correction is the intended line.
#[test]
fn each_mistake_in_an_import_has_one_finding_with_a_correction() {
    for (import, way_out) in [
        ("import std from \"std.tools\"", "write `import \"std.tools\" as std`"),
        ("import lib from \"sub/lib.ogc\"", "write `import \"sub/lib.ogc\" as lib`"),
        ("import A, from \"sub/lib.ogc\"", "remove the comma"),
        ("import A， B from \"sub/lib.ogc\"", "write `,`"),
    ] {
        let main = format!("{import}\noutput O = int\n");
        let folder = Folder::with(&[("main.ogc", &main), ("sub/lib.ogc", "type A = int\ntype B = bool\n")]);
        let ran = folder.run(&["check", "main.ogc", "--message-format", "json"]);
        let found = ran.objects("diagnostic");
        let errors: Vec<_> = found.iter().filter(|one| one["severity"] == "error").collect();
        let [one] = &errors[..] else { panic!("{import} {errors:?}") };
        assert!(one["help"].as_str().is_some_and(|help| help.contains(way_out)), "{import} {one}");
    }
}

#[test]
fn grammars_are_corrected_too() {
    for (name, text, after) in [
        (
            "a.gbnf",
            "root ::= \"abc\"i item # kept\nitem ::= \"x\" [\"y\"]\n",
            "root ::= [aA][bB][cC] item # kept\nitem ::= \"x\" (\"y\")?\n",
        ),
        ("a.ebnf", "root ::= \"a\" [\"b\"]\n", "root ::= \"a\" (\"b\")?\n"),
        ("a.lark", "start: A\nA: \"a\"\n%ignor A\n", "start: A\nA: \"a\"\n%ignore A\n"),
    ] {
        let folder = Folder::with(&[(name, text)]);
        let told = folder.run(&["check", name]);
        assert!(told.err.contains("`ogc check --fix` does this"), "{told:?}");
        let ran = folder.run(&["check", "--fix", name]);
        assert_eq!((folder.read(name).as_str(), ran.code), (after, 0), "{ran:?}");
    }
}

#[test]
fn a_grammar_imported_by_the_folder_needs_no_start_rule() {
    let words = "item: WORD\nWORD: /[a-z]+/\n";
    let folder = Folder::with(&[("f/main.lark", "start: item\n%import .words.item\n"), ("f/words.lark", words)]);
    assert_eq!(folder.run(&["check", "f"]).code, 0);
    let alone = folder.run(&["check", "f/words.lark"]);
    assert!(alone.code != 0 && alone.err.contains("missing-root"), "{alone:?}");
    let by_ogc = [("f/main.ogc", "import item from \"words.lark\"\noutput O = item\n"), ("f/words.lark", words)];
    assert_eq!(Folder::with(&by_ogc).run(&["check", "f"]).code, 0);
    assert!(Folder::with(&[("f/words.lark", words)]).run(&["check", "f"]).code != 0);
}

#[test]
fn an_undefined_name_is_reported_once() {
    let text = "type A = { a: Missing, b: Missing[0..2], c: Other }\noutput O = A | Missing\n";
    let folder = Folder::with(&[("a.ogc", text)]);
    let found = folder.run(&["check", "a.ogc", "--message-format", "json"]);
    let names: Vec<Value> = found.objects("diagnostic").iter().map(|one| one["message"].clone()).collect();
    assert_eq!(names, ["`Missing` is not defined", "`Other` is not defined"], "{found:?}");
}
