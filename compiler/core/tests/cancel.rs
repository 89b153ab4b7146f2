//! A compilation can be stopped anywhere: every phase regularly calls the watch, and a database in which a compilation
//! was stopped still gives the right results later.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, watched};
use ogc_compiler::pipeline::{bare_artifact, definitions, diagnostics, formats};
use ogc_kit::Random;

/// The payload of the panic that stops a compilation.
struct Stopped;

/// Texts in all notations, long enough that each phase calls the watch several times.
fn texts() -> Vec<(&'static str, Language, String)> {
    let repeat = |line: &dyn Fn(usize) -> String, n: usize| (0..n).map(line).collect::<String>();
    let gbnf = |at: usize| format!("r{at} ::= \"a{at}\" [a-z]{{1,3}} ({} | \"x\")?\n", rule(at, 400));
    let iso = |at: usize| format!("r{at} = 'a{at}', [ {} ], {{ 'b' | 'c' }};\n", rule(at, 400));
    let lark =
        |at: usize| format!("r{at}: T{at} ({})? | T{at}~1..3\nT{at}: /a{at}[a-z]+/ & ~/a{at}bc/\n", rule(at, 150));
    let property = |at: usize| format!("\"p{at}\": {{ \"type\": \"string\", \"pattern\": \"^a{at}.*b{at}$\" }}, ");
    let tool = |at: usize| {
        format!(
            "{{ \"name\": \"t{at}\", \"parameters\": {{ \"type\": \"object\", \"properties\": {{ {}\"z\": true }} }} }}, ",
            property(at)
        )
    };
    let typed = |at: usize| {
        format!("/// Of type {at}.\ntype T{at} = {{ a: int<0..{at}>, b?: T{}, c: /a{at}.*b/ }}\n", (at + 1) % 100)
    };
    vec![
        ("GBNF", Language::Gbnf, "root ::= r0\n".to_owned() + &repeat(&gbnf, 400)),
        ("W3C EBNF", Language::Ebnf, "root ::= r0\n".to_owned() + &repeat(&gbnf, 400).replace("{1,3}", "+")),
        ("ISO EBNF", Language::Ebnf, "root = r0;\n".to_owned() + &repeat(&iso, 400)),
        ("Lark", Language::Lark, "start: r0\n".to_owned() + &repeat(&lark, 150)),
        ("regex", Language::Regex, "(?:ab|[cd]{2,4}|ef)?".repeat(60)),
        ("JSON Schema", Language::JsonSchema, format!("{{ \"properties\": {{ {}\"z\": true }} }}", repeat(&property, 60))),
        ("tools", Language::JsonSchema, format!("[{}{{ \"name\": \"last\" }}]", repeat(&tool, 30))),
        ("types", Language::Ogc, repeat(&typed, 100) + "output O = T0\n"),
        ("rules", Language::Ogc, "output O = name: /[a-z]{1,9}/ \" \" value: json<{ a: int, b: string }> \"\\n\" mix<text, \"<a>\" /[a-z]+/ \"</a>\">\n".to_owned()),
    ]
}

fn rule(at: usize, of: usize) -> String {
    format!("r{}", (at * 7 + 1) % of)
}

fn open(db: &Compiler, text: &str, language: Language) -> SourceFile {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    SourceFile::new(db, "test".to_owned(), text.to_owned(), language, options)
}

/// Runs all phases: returns the findings, and the artifact of each format.
fn compiled(db: &Compiler, file: SourceFile) -> (Vec<String>, Vec<Option<Vec<u8>>>) {
    let found = diagnostics(db, file).iter().map(|one| one.message.clone()).collect();
    let all = formats(db, file).into_iter().chain(definitions_of(db, file));
    (found, all.map(|format| bare_artifact(db, format).map(|bytes| bytes.to_vec())).collect())
}

fn definitions_of(db: &Compiler, file: SourceFile) -> Vec<ogc_compiler::pipeline::Format> {
    if file.language(db) == Language::Ogc { definitions(db, file).into_iter().take(2).collect() } else { Vec::new() }
}

/// Runs something that call number `stop` of its watch stops; returns whether it was stopped, and the number of calls.
fn stopped_at(stop: usize, run: impl FnOnce()) -> (bool, usize) {
    let calls = Rc::new(Cell::new(0));
    let count = Rc::clone(&calls);
    let watch = move || {
        count.set(count.get() + 1);
        if count.get() == stop {
            resume_unwind(Box::new(Stopped));
        }
    };
    let ended = catch_unwind(AssertUnwindSafe(|| watched(watch, run)));
    let is_stopped = ended.is_err_and(|panic| panic.is::<Stopped>() || panic.is::<salsa::Cancelled>());
    (is_stopped, calls.get())
}

#[test]
fn repeating_a_cancelled_compilation_gives_the_same_result() {
    let mut random = Random::new(ogc_kit::first_seed());
    for (name, language, text) in texts() {
        let db = Compiler::default();
        let file = open(&db, &text, language);
        let expected = compiled(&db, file);
        assert!(expected.1.iter().all(Option::is_some), "{name}: {:?}", expected.0);
        let db = Compiler::default();
        let file = open(&db, &text, language);
        let (_, calls) = stopped_at(usize::MAX, || drop(compiled(&db, file)));
        assert!(calls >= 2, "{name}: the watch is called {calls} times");
        let db = Compiler::default();
        let file = open(&db, &text, language);
        // The same database is stopped repeatedly, each time further on.
        for _ in 0..8 {
            let stop = 1 + random.below(calls / 2);
            let (_, before) = stopped_at(stop, || drop(compiled(&db, file)));
            assert!(before <= stop, "{name}: not stopped at {stop}");
        }
        assert!(compiled(&db, file) == expected, "{name}: another answer after it was stopped");
        // A new database is stopped at the first, the last and some other calls.
        for stop in [1, calls, 1 + random.below(calls), 1 + random.below(calls)] {
            let db = Compiler::default();
            let file = open(&db, &text, language);
            // Counters for reading and writing continue from earlier work, so the number of calls varies slightly.
            let (is_stopped, at) = stopped_at(stop, || drop(compiled(&db, file)));
            assert_eq!(is_stopped, at == stop, "{name}: {at} calls");
            assert!(
                compiled(&db, file) == expected,
                "{name}: another answer after it was stopped at {stop} of {calls}"
            );
        }
    }
}

/// Cap on the bytes read between two calls of the watch.
const BYTES: usize = 1 << 16;

#[test]
fn readers_poll_for_cancellation() {
    let end = " )";
    for (name, language, head, item) in [
        ("GBNF", Language::Gbnf, "root ::= ", "\"a\" b "),
        ("W3C EBNF", Language::Ebnf, "root ::= ", "\"a\" b "),
        ("ISO EBNF", Language::Ebnf, "root = ", "'a', b, "),
        ("Lark", Language::Lark, "start: ", "\"a\" b "),
        ("JSON", Language::JsonSchema, "[", "[1, \"a\"], "),
        ("ogc", Language::Ogc, "output O = ", "\"a\" b? "),
        ("ogc items", Language::Ogc, "", "type A = int\n"),
    ] {
        // A mistake at the end, so that only the parser runs.
        let text = head.to_owned() + &item.repeat(200_000 / item.len()) + end;
        let db = Compiler::default();
        let file = open(&db, &text, language);
        let (_, calls) = stopped_at(usize::MAX, || assert!(!diagnostics(&db, file).is_empty()));
        assert!(calls > text.len() / BYTES, "{name}: {calls} calls for {} bytes", text.len());
    }
}
