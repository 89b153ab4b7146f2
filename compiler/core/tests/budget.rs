//! The budget of a compilation: exceeding it is one error, at the place that used most, and the result depends on
//! nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::sync::{Arc, Mutex};

use ogc_compiler::db::{Allowance, Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Usage};
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::pipeline::{automaton, diagnostics, formats, lower_module};
use ogc_grammar::{Code, Diagnostic};

const PLENTY: u64 = u64::MAX;

fn file(db: &Compiler, text: &str, language: Language, budget: Allowance) -> SourceFile {
    let limits = Limits { budget, ..Limits::default() };
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), limits);
    SourceFile::new(db, "test".to_owned(), text.to_owned(), language, options)
}

/// Returns the first error of a text under a budget, and the text at its place; all errors must be limits.
fn refused(text: &str, language: Language, budget: Allowance) -> (Diagnostic, String) {
    let db = Compiler::default();
    let found = diagnostics(&db, file(&db, text, language, budget)).clone();
    assert!(found.iter().all(|one| !one.is_error() || one.code == Code::Limit), "{found:?}");
    let error = found.into_iter().find(Diagnostic::is_error).expect("the budget is exceeded");
    let place = text[error.span.start as usize..error.span.end as usize].to_owned();
    (error, place)
}

fn compiles(text: &str, language: Language) -> bool {
    let db = Compiler::default();
    let file = file(&db, text, language, Allowance::default());
    let found = diagnostics(&db, file);
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
    formats(&db, file).into_iter().all(|format| automaton(&db, format).is_some())
}

/// A text in each language, with a word from its most expensive part.
const COSTLY: [(&str, Language, &str); 8] = [
    (
        r#"{"properties":{"small":{"pattern":"^a$"},"big":{"pattern":"^[ab]*a[ab]{7}$"}}}"#,
        Language::JsonSchema,
        "[ab]{7}",
    ),
    (
        r#"{"properties":{"small":{"const":1},"big":{"anyOf":[{"pattern":"a.{7}b"},{"pattern":"b.{8}a"}]}}}"#,
        Language::JsonSchema,
        ".{7}",
    ),
    (
        "root ::= \"x\" big\nbig ::= [ab]* \"a\" [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] big?\n",
        Language::Gbnf,
        "big",
    ),
    ("start: SMALL BIG\nSMALL: /a/\nBIG: /[ab]*a[ab]{7}/\n", Language::Lark, "{7}"),
    (
        "root ::= \"x\" big\nbig ::= [ab]* \"a\" [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] big?\n",
        Language::Ebnf,
        "big",
    ),
    ("[ab]*a[ab]{7}", Language::Regex, ""),
    ("type Small = int\ntype ab = /[ab]*a[ab]{7}/\noutput Out = { a: Small, b: ab }\n", Language::Ogc, "ab"),
    ("rule small = \"a\"\nrule big = /[ab]*a[ab]{7}/\noutput Out = small big\n", Language::Ogc, "big"),
];

#[test]
fn work_over_the_budget_is_an_error_with_a_span() {
    for (text, language, part) in COSTLY {
        assert!(compiles(text, language), "{text}");
        let (error, place) = refused(text, language, Allowance { work: 1_500, bytes: PLENTY });
        assert_eq!(error.code, Code::Limit, "{text}: {error:?}");
        assert!(error.message.starts_with("steps of one compilation: "), "{error:?}");
        assert!(error.message.contains("; the limit is 1500"), "{error:?}");
        assert!(place.contains(part), "{text}: `{place}` is shown");
    }
}

#[test]
fn memory_over_the_budget_is_an_error() {
    let long = "x".repeat(20_000);
    for (text, language) in [
        (format!(r#"{{"const":"{long}"}}"#), Language::JsonSchema),
        (format!("root ::= \"{long}\"\n"), Language::Gbnf),
        (format!("type T = \"{long}\"\noutput Out = T\n"), Language::Ogc),
        (format!("output Out = \"{long}\" \"y\"\n"), Language::Ogc),
    ] {
        assert!(compiles(&text, language));
        let (error, _) = refused(&text, language, Allowance { work: PLENTY, bytes: 500_000 });
        assert_eq!(error.code, Code::Limit);
        assert!(error.message.starts_with("bytes of memory for one compilation: "), "{error:?}");
    }
}

#[test]
fn doubling_generic_types_exceed_the_budget_before_expansion() {
    let mut text = "type T0<A> = tuple<A, A>\n".to_owned();
    for at in 1..40 {
        text += &format!("type T{at}<A> = T{}<tuple<A, A>>\n", at - 1);
    }
    text += "output Out = T39<int>\n";
    let (error, _) = refused(&text, Language::Ogc, Allowance { work: 100_000, bytes: 10_000_000 });
    assert_eq!(error.code, Code::Limit);
}

/// Returns the usage of the definition `Out` of a text, after compiling other definitions.
fn usage(text: &str, before: &[&str]) -> (Usage, Usage) {
    let db = Compiler::default();
    let file = file(&db, text, Language::Ogc, Allowance::default());
    for name in before {
        let _ = lower_module(&db, file, (*name).into());
    }
    (module(&db, file, "Out".into()).unwrap().usage, lower_module(&db, file, "Out".into()).usage)
}

#[test]
fn earlier_compilations_do_not_change_the_budget_that_one_draws() {
    let text = "type A = { mail: email, when: datetime }\ntype B = A & { mail: string<..20>, ... }\n\
                output Out = { a: A, b: B[0..3], n: int<0..> }\noutput Other = \"x\" A\n";
    let alone = usage(text, &[]);
    assert!(alone.0.work > 0 && alone.1.work > 0);
    assert_eq!(usage(text, &["A", "B", "Other"]), alone);
    assert_eq!(usage(text, &["Out", "Other"]), alone);
}

#[test]
fn a_file_has_a_budget_for_all_its_definitions() {
    let text: String = (0..6).map(|at| format!("output Out{at} = /[ab]*a[ab]{{7}}{at}/\n")).collect();
    let one = usage(&text.replace("Out0", "Out"), &[]);
    let budget = Allowance { work: one.0.work.max(one.1.work) + 100, bytes: PLENTY };
    let (error, place) = refused(&text, Language::Ogc, budget);
    assert_eq!(error.code, Code::Limit);
    assert!(error.message.starts_with("steps of all definitions of the file: "), "{error:?}");
    assert!(place.starts_with("Out") && place != "Out0", "{place}");
}

#[test]
fn emptiness_of_mutually_recursive_types_is_asked_once() {
    let ran = Arc::new(Mutex::new(0));
    let count = Arc::clone(&ran);
    let db = Compiler::with_events(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            *count.lock().unwrap() += usize::from(format!("{database_key:?}").starts_with("emptiness"));
        }
    });
    let ring: String = (0..200).map(|at| format!("type T{at} = {{ next: T{} | null }}\n", (at + 1) % 200)).collect();
    let text = ring + "type Empty = { a: int & string }\ntype Uses = { e: Empty }\n";
    let file = file(&db, &text, Language::Ogc, Allowance::default());
    let found: Vec<&str> =
        diagnostics(&db, file).iter().map(|one| &text[one.span.start as usize..one.span.end as usize]).collect();
    assert_eq!(*ran.lock().unwrap(), 2, "the ring, and two beside it, of which one uses the other");
    assert_eq!(found, ["Empty"]);
}

#[test]
fn long_chains_of_types_stay_within_the_budget() {
    let chain: String = (1..3_000).map(|at| format!("type T{at} = {{ a: int, b?: T{} }}\n", at - 1)).collect();
    assert!(compiles(&format!("type T0 = int\n{chain}"), Language::Ogc));
    let tests: String = (0..3_000).map(|at| format!("test T{at} {{ accept \"1\" }}\n")).collect();
    assert!(compiles(&format!("type T0 = int\n{chain}{tests}"), Language::Ogc));
}

#[test]
fn long_enums_and_unions_stay_within_the_budget() {
    let many = |one: &dyn Fn(usize) -> String, count: usize| (0..count).map(one).collect::<Vec<_>>().join(",");
    let object = |at: usize| format!(r#"{{"a":{at},"b":[{at}]}}"#);
    let constant = |at: usize| format!(r#"{{"const":"c{at}"}}"#);
    let number = |at: usize| format!(r#"{{"const":{at}}}"#);
    for text in [
        format!(r#"{{"enum":[{}]}}"#, many(&object, 1_100)),
        format!(r#"{{"anyOf":[{}]}}"#, many(&constant, 3_000)),
        format!(r#"{{"anyOf":[{}]}}"#, many(&number, 3_000)),
        format!(r#"{{"oneOf":[{}]}}"#, many(&constant, 1_500)),
    ] {
        assert!(compiles(&text, Language::JsonSchema), "{}...", &text[..60]);
    }
}

#[test]
fn chains_of_property_names_stay_within_the_budget() {
    let one = |at: usize| format!(r##""n{at}":{{"propertyNames":{{"$ref":"#/$defs/n{}"}}}}"##, at + 1);
    let chain: Vec<String> = (0..30).map(one).collect();
    let text = format!(
        r##"{{"$defs":{{{},"n30":{{"pattern":"^a"}}}},"type":"object","$ref":"#/$defs/n0"}}"##,
        chain.join(",")
    );
    assert!(compiles(&text, Language::JsonSchema));
    assert!(compiles(r##"{"type":"object","propertyNames":{"$ref":"#"}}"##, Language::JsonSchema));
}
