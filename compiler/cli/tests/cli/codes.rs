//! Every code that no example of an explanation produces is produced here by a command. The output for small files is
//! in `tests/codes/CODE.txt`, which `OGC_BLESS=1` rewrites; for large files, only the code is checked.

#[path = "../../../lint/tests/explanations/elsewhere.rs"]
mod elsewhere;

use std::path::Path;

use ogc_grammar::Code;

use super::Folder;
use elsewhere::{ELSEWHERE, is_outside};

/// A code, the files of a folder, and the arguments of a command that produces the code there.
type Small = (Code, &'static [(&'static str, &'static str)], &'static str);

const SMALL: &[Small] = &[
    (Code::Definition, &[("a.ogc", "output A = \"a\"\noutput B = \"b\"\n")], "run a.ogc a"),
    (Code::ExportCaptures, &[("a.ogc", "output A = x: \"a\"\n")], "export a.ogc --to gbnf"),
    (Code::ExportContains, &[("a.json", r#"{"type": "array", "contains": {"const": 1}}"#)], "export a.json --to gbnf"),
    (
        Code::ExportIntegers,
        &[("a.json", r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}"#)],
        "export a.json --to ogc",
    ),
    (
        Code::ExportLength,
        &[("a.json", r#"{"type": "string", "pattern": "^(a|b)*c$", "maxLength": 100000}"#)],
        "export a.json --to gbnf",
    ),
    (Code::ExportNotation, &[("a.gbnf", "root ::= <think> \"x\"\n")], "export a.gbnf --to regex"),
    (Code::ExportOrder, &[("a.json", r#"{"properties": {"a": {}, "b": {}}}"#)], "export a.json --to gbnf --order any"),
    (
        Code::ExportPolicy,
        &[(
            "a.ogc",
            "type Entry = { id: int, note: @space(\"any\") { text: string } }\noutput Log = \"log: \" json<Entry>\n",
        )],
        "export a.ogc --to gbnf",
    ),
    (
        Code::ExportRecursion,
        &[("a.ogc", "type Tree = { left: Tree | null, right: Tree | null }\noutput Out = Tree\n")],
        "export a.ogc --to regex",
    ),
    (Code::ExportSize, &[("a.ogc", "output Contact = email\n")], "export a.ogc --to gbnf"),
    (Code::ExportTextLimit, &[("a.ogc", "output A = text<max_tokens = 200> \"\\n\"\n")], "export a.ogc --to gbnf"),
    (Code::ExportToken, &[("a.ogc", "output A = tok\"[INST]\" text tok\"[/INST]\"\n")], "export a.ogc --to gbnf"),
    (Code::FileExists, &[("a.ogc", "output A = \"a\"\n")], "new a.ogc"),
    (Code::FileTooLarge, &[("a.ogc", "output A = \"a\"\n")], "check a.ogc --max-input 5"),
    (Code::FileUnreadable, &[], "check a.ogc"),
    (Code::FileUnwritable, &[("a.regex", "a"), ("out", "a file\n")], "export a.regex --to gbnf -o out/a.gbnf"),
    (Code::ImportCycle, &[("a.ogc", "import A from \"a.ogc\"\noutput B = A\n")], "check a.ogc"),
    (
        Code::ImportErrors,
        &[("a.ogc", "import root as A from \"b.gbnf\"\noutput B = A\n"), ("b.gbnf", "root ::= missing\n")],
        "check a.ogc",
    ),
    (Code::NoFormats, &[("a.txt", "a")], "check ."),
    (Code::NoStage, &[("a.regex", "a")], "inspect a.regex --stage schema"),
    (Code::NoTests, &[("a.ogc", "output A = \"a\"\n")], "test a.ogc"),
    (Code::NoTexts, &[("a.regex", "a"), ("t.jsonl", "\n")], "run a.regex --jsonl --file t.jsonl"),
    (Code::NotOgc, &[("a.regex", "a")], "fmt a.regex"),
    (Code::PolicyFlag, &[("a.ogc", "output A = int\n")], "check a.ogc --space any"),
    (
        Code::PythonName,
        &[
            (
                "a.ogc",
                "import tools from \"tools.json\"\nimport \"std.tools\" as std\noutput Calls = std.pythonic<tools>\n",
            ),
            (
                "tools.json",
                r#"[{"name": "get-it", "parameters": {"type": "object", "properties": {"from": {"type": "string"}}}}]"#,
            ),
        ],
        "check a.ogc",
    ),
    (Code::SettingValue, &[("a.regex", "a"), ("ogc.toml", "[lints]\nstray-doc = 1\n")], "check a.regex"),
    (Code::SettingsSyntax, &[("a.regex", "a"), ("ogc.toml", "[lints\n")], "check a.regex"),
    (Code::StdinTwice, &[], "run - - --language regex"),
    (Code::Test, &[("a.ogc", "output A = \"a\"\ntest A { accept \"b\" }\n")], "test a.ogc"),
    (Code::UnknownCode, &[], "explain unknown-nam"),
    (Code::UnknownLanguage, &[("a.txt", "a")], "check a.txt"),
    (Code::UnknownSetting, &[("a.regex", "a"), ("ogc.toml", "[lint]\n")], "check a.regex"),
    (
        Code::UnspelledText,
        &[
            ("a.ogc", "output A = \"caf\" (\"é\" | \"e\")\n"),
            ("v.tiktoken", "Yw== 0\nYQ== 1\nZg== 2\nZQ== 3\nww== 4\n"),
        ],
        "check a.ogc --vocab v.tiktoken",
    ),
    (Code::Usage, &[("a.regex", "a")], "check a.regex --nonsense"),
    (Code::Vocabulary, &[("a.regex", "a"), ("v.json", "{}")], "check a.regex --vocab v.json"),
    (
        Code::WeakenedKeyword,
        &[("a.json", r#"{"type": "array", "uniqueItems": true}"#)],
        "check a.json --annotate uniqueItems",
    ),
];

/// Returns a large file that produces a code: its extension and its text.
fn large(code: Code) -> Option<(&'static str, String)> {
    let keys = |count: u32| -> String { (0..count).map(|at| format!("k{at}_and_more?: int, ")).collect() };
    let many = |count: u32, of: &dyn Fn(u32) -> String| (0..count).map(of).collect::<String>();
    Some(match code {
        Code::CapturesLimit => {
            ("ogc", format!("output Form = {}\n", many(1_100, &|at| format!("line_{at}: /[a-z]/ \"\\n\" "))))
        }
        Code::ExpensivePart => {
            let word = |at: u32| format!("\"{:x}\"", u64::from(at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let words: Vec<String> = (0..900).map(word).collect();
            ("ogc", format!("output Out = {{ a: {}, b: int }}\n", words.join(" | ")))
        }
        Code::GrammarLimit => ("gbnf", format!("root ::= {}\n", "\"a\" ".repeat(600_000))),
        Code::JsonTooDeep => ("json", format!("{}true{}", r#"{"not":"#.repeat(300), "}".repeat(300))),
        Code::LooseSpace => {
            let fields = many(800, &|at| format!("k{at}: {{ a: int }}, "));
            ("ogc", format!("policy space = \"any\"\noutput Out = {{ {fields} }}\n"))
        }
        Code::MoreDiagnostics => ("gbnf", many(200, &|at| format!("r{at} ::= missing{at}\n"))),
        Code::NestingTooDeep => ("gbnf", format!("root ::= {}\"a\"{}\n", "(".repeat(5_000), ")".repeat(5_000))),
        Code::NondeterministicRule => {
            ("gbnf", "root ::= ([ab]* \"a\" [ab]{13} | \"b\" [ab]* \"b\" [ab]{14}) \"c\"\n".to_owned())
        }
        Code::OpenRecord => ("ogc", format!("output Out = {{ {} ... }}\n", keys(400))),
        Code::WideRecord => ("ogc", format!("@order(\"any\")\ntype A = {{ {} }}\noutput Out = A\n", keys(400))),
        Code::TextTooLong => ("ogc", format!("output A = {}\n", "\"a\" ".repeat(1_100_000))),
        _ => return None,
    })
}

/// The reason why no small file produces the findings of `ogc fit`.
const FIT: &str = "it takes a model: `commands/fit/tests.rs` makes up what one wants, `fit.rs` runs some";

/// Codes that no command here produces, with the reasons.
const NEVER: &[(Code, &str)] = &[
    (Code::Automaton, "an invariant of the compiler is broken"),
    (Code::Engine, "the engine gives up on a text or a format: after long work, or where an invariant is broken"),
    (Code::ExportUnique, "the compiler refuses the schema before it is exported"),
    (Code::FitEnd, FIT),
    (Code::FitEscape, FIT),
    (Code::FitKey, FIT),
    (Code::FitLength, FIT),
    (Code::FitOrder, FIT),
    (Code::FitPreface, FIT),
    (Code::FitSpace, FIT),
    (Code::FitText, FIT),
    (Code::FitValue, FIT),
    (Code::FolderTooDeep, "`files.rs` makes the folders"),
    (Code::Format, "an invariant of the compiler is broken"),
    (Code::GrammarAutomaton, "an invariant of the compiler is broken"),
    (Code::LintLimit, "not provoked yet: in what was tried, compilation reached the budget first"),
    (
        Code::MoreFindings,
        "the list of all findings of a file ends first; `json_schema/tests/keywords.rs` reads a schema alone",
    ),
    (Code::NotUtf8, "`stdin.rs` gives the bytes"),
    (Code::Output, "the test of a full disk below gives it"),
    (Code::PrintFormat, "readers of schemas keep only formats that have a type in ogc"),
    (Code::PrintPattern, "the schema is refused before it is exported; `export/src/ogc/tests.rs` exports it alone"),
    (Code::PrintToken, "the grammar is refused before it is exported; `export/src/ogc/tests.rs` exports it alone"),
    (Code::RemoteSyntax, "commands have no schemas but those of files; `json_schema/tests/references.rs` has"),
    (Code::Settings, "the mistakes of the settings are shown in its place"),
    (
        Code::TooManySchemas,
        "the budget of a compilation is less than its limit; `json_schema/tests/keywords.rs` lowers that",
    ),
    (Code::UnbuiltMasks, "the build of masks reaches its limit after 20 seconds"),
    (Code::Watch, "the system refuses to watch files"),
];

#[test]
fn every_code_is_produced_by_a_command_or_listed_as_unreachable() {
    let mut wrong = Vec::new();
    for &code in Code::ALL.iter().filter(|code| is_outside(code.group()) || ELSEWHERE.contains(code)) {
        let is_given = SMALL.iter().any(|(small, ..)| *small == code) || large(code).is_some();
        let is_never = NEVER.iter().any(|(never, _)| *never == code);
        if is_given == is_never {
            wrong.push(format!("{code}: a command gives it: {is_given}; it cannot be given: {is_never}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_on_small_files_produce_the_expected_codes() {
    let wrong: Vec<String> = SMALL.iter().filter_map(small).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a command and returns the difference from its expected output.
fn small((code, files, arguments): &Small) -> Option<String> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let given = given(&Folder::with(files), &arguments);
    if !given.contains(&code.name().to_owned()) {
        return Some(format!("{code}: {arguments:?} gives {given:?}"));
    }
    let folder = Folder::with(files);
    let ran = folder.run_with(&arguments, "a");
    let found = format!("$ ogc {}\n{}{}", arguments.join(" "), ran.out, ran.err);
    let found = found.replace(&format!("{}/", folder.place.path().display()), "");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/codes/{code}.txt"));
    if std::env::var_os("OGC_BLESS").is_some() {
        std::fs::write(&kept, &found).expect("a writable expectation");
    }
    let is_kept = std::fs::read_to_string(&kept).is_ok_and(|text| text == found);
    (!is_kept).then(|| format!("{} (OGC_BLESS=1 accepts):\n{found}", kept.display()))
}

#[test]
fn large_files_produce_the_expected_codes() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let Some((ending, text)) = large(code) else { continue };
        let name = format!("a.{ending}");
        // `ogc check` does not compile captures.
        let arguments: &[&str] = if code == Code::CapturesLimit { &["build", "--no-masks"] } else { &["check"] };
        let given = given(&Folder::with(&[(&name, &text)]), &[arguments, &[&name]].concat());
        if !given.contains(&code.name().to_owned()) {
            wrong.push(format!("{code}: {given:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the codes that a command reports with JSON output.
fn given(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let ran = folder.run_with(&[arguments, &["--message-format", "json"]].concat(), "a");
    let objects = ran.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    objects.filter_map(|object| object["code"].as_str().map(str::to_owned)).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_reported() {
    let folder = Folder::with(&[("a.regex", "a")]);
    let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
    let ran = folder.command(&["export", "a.regex", "--to", "gbnf"]).stdout(full).output().expect("the program ends");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains(Code::Output.name()), "{said}");
}
