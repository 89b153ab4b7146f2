//! Tests that the memory of editor features grows linearly with the text, not quadratically, and that old versions of a
//! text leave nothing.
//!
//! Each measurement runs in a process of its own (this program with one ignored test), which reports its peak memory.
//! `MEMORY=ring` runs only measurements with that word in their names; `--nocapture` shows the figures.

#![allow(clippy::disallowed_methods, reason = "memory is read from the files of the system")]
#![allow(clippy::print_stdout, reason = "a process says its figures, and people look at them")]

use std::process::Command;

use ogc_ide::{FilePosition, FileSpan, Host, Language, Snapshot, SourceFile, Span};
use ogc_ide::{actions, call_hierarchy, code_lens, completion, diagnostics, folding, hover, inlay_hints};
use ogc_ide::{references, rename, semantic_tokens, symbols, tests};

/// Makes a text of `n` definitions. No text has many outputs, because each output is compiled with all that it uses,
/// until the file's budget is used up.
type Shape = fn(usize) -> String;

const SHAPES: [(&str, usize, Shape); 7] = [
    ("ring", 200, ring),
    ("ring of rules", 200, |n| {
        lines(n, |at, next| format!("rule r{at} = \"a{at}\" (\"(\" r{next} \")\")? | text \"b{at}\""))
    }),
    ("ring with tests", 100, |n| {
        ring(n) + &lines(n, |at, _| format!("test T{at} {{ accept {{\"a\":1,\"b\":\"\"}} }}"))
    }),
    ("chain", 200, |n| lines(n, |at, _| format!("type T{at} = {{ a: int, c?: {} }}", below(at)))),
    ("chain downwards", 200, |n| lines(n, |at, next| format!("type T{at} = {{ a: int, c?: {} }}", above(at, next)))),
    ("clique", 20, |n| {
        let all = |at| {
            (0..n).map(|other| format!("f{other}?: T{other}")).collect::<Vec<_>>().join(", ") + &format!(", a{at}: int")
        };
        // n definitions have n * n fields, so a text of twice the length has twice as many fields.
        (0..n).map(|at| format!("type T{at} = {{ {} }}\n", all(at))).collect()
    }),
    ("union", 300, |n| {
        let branches: Vec<String> = (0..n).map(|at| format!("{{ kind: \"k{at}\", v: int }}")).collect();
        format!("type U = {}\noutput T0 = U\n", branches.join(" | "))
    }),
];

fn lines(n: usize, line: impl Fn(usize, usize) -> String) -> String {
    (0..n).map(|at| line(at, (at + 1) % n) + "\n").collect()
}

fn ring(n: usize) -> String {
    lines(n, |at, next| format!("type T{at} = {{ a: int, b: string, c?: T{next} | null }}"))
}

fn below(at: usize) -> String {
    at.checked_sub(1).map_or("int".to_owned(), |below| format!("T{below}"))
}

fn above(at: usize, next: usize) -> String {
    if next > at { format!("T{next}") } else { "int".to_owned() }
}

/// Returns the peak memory of this process so far, in KiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Runs one measurement in a process of its own; returns the growth of its peak memory, in KiB.
fn measured(name: &str, n: usize) -> u64 {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program);
    child
        .args(["--exact", "print_memory_of_one_case", "--ignored", "--nocapture"])
        .env("MEMORY_OF", format!("{name}/{n}"));
    let out = child.output().expect("a process");
    let text = String::from_utf8_lossy(&out.stdout);
    let figure = text.split("needed ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let figure = figure.and_then(|figure| figure.parse().ok());
    figure.unwrap_or_else(|| panic!("{name} with {n}: {text}{}", String::from_utf8_lossy(&out.stderr)))
}

#[test]
#[ignore = "one measurement, for the tests below"]
fn print_memory_of_one_case() {
    let case = std::env::var("MEMORY_OF").expect("a name");
    let (name, n) = case.split_once('/').expect("a name and a number");
    let n: usize = n.parse().expect("a number");
    let before = peak().expect("a system that says it");
    match name {
        "versions" => versions(n),
        "files" => files(n),
        "many files" => many_files(n),
        _ => {
            let (_, _, shape) = SHAPES.iter().find(|(shape, ..)| *shape == name).expect("a shape");
            let mut host = Host::new();
            let file = host.set_file("/w/a.ogc", shape(n), Language::Ogc);
            features(&host.snapshot(), file);
        }
    }
    println!("needed {} KiB", peak().expect("as before") - before);
}

/// Runs the features about whole files, and the others at some places.
fn features(snapshot: &Snapshot, file: SourceFile) {
    let text = snapshot.text(file).to_owned();
    let whole = Span::of(0, text.len());
    drop(diagnostics::diagnostics(snapshot, file));
    drop(inlay_hints::inlay_hints(snapshot, file, whole, &inlay_hints::HintKind::ALL));
    drop(semantic_tokens::semantic_tokens(snapshot, file, None));
    drop(code_lens::code_lenses(snapshot, file));
    drop(tests::run_tests(snapshot, file, None));
    drop(symbols::document_symbols(snapshot, file));
    drop(symbols::workspace_symbols(snapshot, "T"));
    drop(folding::folds(snapshot, file));
    let starts = text.match_indices("type T").map(|(at, _)| at as u32 + 5).take(10);
    for offset in starts {
        let at = FilePosition { file, offset };
        drop(hover::hover(snapshot, at));
        drop(references::references(snapshot, at, true));
        drop(completion::completion(snapshot, FilePosition { file, offset: offset + 10 }, None));
        drop(actions::actions(snapshot, FileSpan::new(file, Span::empty(offset)), &[]));
        drop(call_hierarchy::prepare(snapshot, at).map(|item| call_hierarchy::incoming(snapshot, &item.id)));
    }
    drop(rename::rename(snapshot, FilePosition { file, offset: 5 }, "Other"));
}

/// Repeatedly replaces a text of 1,000 definitions, which all get new names each time.
fn versions(n: usize) {
    let mut host = Host::new();
    for at in 0..n {
        let text = lines(1_000, |line, _| {
            format!("/// A type with words about it.\ntype V{at}x{line} = {{ a: int, b: string }}")
        });
        let file = host.set_file("/w/a.ogc", text, Language::Ogc);
        drop(diagnostics::diagnostics(&host.snapshot(), file));
    }
}

/// Repeatedly opens and closes a file of 500 definitions.
fn files(n: usize) {
    let mut host = Host::new();
    for at in 0..n {
        let name = format!("/w/{}.ogc", at % 3);
        let file = host.set_file(&name, ring(500), Language::Ogc);
        drop(diagnostics::diagnostics(&host.snapshot(), file));
        host.remove_file(&name);
    }
}

/// Runs features on many files that import each other.
fn many_files(n: usize) {
    let mut host = Host::new();
    let text = |at: usize| {
        format!("import T as N from \"{}.ogc\"\ntype T = {{ a: int }}\noutput O = {{ t: T, n: N }}\n", (at + 1) % n)
    };
    host.set_files((0..n).map(|at| (format!("/w/{at}.ogc"), text(at), Language::Ogc)));
    let snapshot = host.snapshot();
    for file in snapshot.files() {
        features(&snapshot, file);
    }
}

/// Returns whether measurements are possible and the one with this name is wanted.
fn is_wanted(name: &str) -> bool {
    if peak().is_none() {
        ogc_kit::skip("the system does not say how much memory a process needs");
        return false;
    }
    std::env::var("MEMORY").map_or(true, |wanted| name.contains(&wanted))
}

/// Checks that a text of twice the length needs about twice the memory, apart from a constant part and the allocator's
/// rounding.
fn check(name: &str, n: usize) {
    if is_wanted(name) {
        let (once, twice) = (measured(name, n), measured(name, 2 * n));
        println!("{name}: {n} need {once} KiB, {} need {twice} KiB", 2 * n);
        assert!(twice <= 2 * once + once / 2 + (4 << 10), "{name}: {n} need {once} KiB, {} need {twice}", 2 * n);
    }
}

#[test]
fn memory_of_features_is_linear_in_the_length_of_texts() {
    SHAPES.iter().for_each(|(name, n, _)| check(name, *n));
    check("many files", 20);
}

/// Checks that repetition needs no more memory than the bound on kept old versions.
fn check_flat(name: &str, n: usize) {
    if is_wanted(name) {
        let (once, twice) = (measured(name, n), measured(name, 2 * n));
        println!("{name}: {n} need {once} KiB, {} need {twice} KiB", 2 * n);
        assert!(twice <= once + once / 5, "{name}: {n} need {once} KiB, {} need {twice}", 2 * n);
    }
}

#[test]
fn old_versions_are_not_kept() {
    check_flat("versions", 30);
    check_flat("files", 60);
}
