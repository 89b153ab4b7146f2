//! Levels set by attributes of items, and the codes that these name.

use ogc_compiler::pipeline::diagnostics;
use ogc_grammar::{Code, Severity};
use salsa::Setter;

use super::Checked;

fn severities(text: &str, code: Code) -> Vec<Severity> {
    let checked = Checked::ogc(text);
    let all = checked.all(None).into_iter().chain(diagnostics(&checked.db, checked.file).iter().cloned());
    all.filter(|found| found.code == code).map(|found| found.severity).collect()
}

#[test]
fn attributes_change_the_levels_of_findings_in_their_item() {
    let with = |attribute: &str| format!("{attribute}\ntype A = int\noutput Out = string\n");
    assert_eq!(severities(&with(""), Code::UnusedItem), [Severity::Warning]);
    assert_eq!(severities(&with("@allow(\"unused-item\")"), Code::UnusedItem), []);
    assert_eq!(severities(&with("@deny(\"large-pattern\", \"unused-item\")"), Code::UnusedItem), [Severity::Error]);
    assert_eq!(severities(&with("@deny(\"unused-item\") @allow(\"unused-item\")"), Code::UnusedItem), []);
}

#[test]
fn attributes_change_every_stage_but_not_errors() {
    let text = |attribute: &str| format!("{attribute}\noutput Out = \"a\" text text \".\"\n");
    assert_eq!(severities(&text(""), Code::TextWithoutStop), [Severity::Warning]);
    assert_eq!(severities(&text("@allow(\"text-without-stop\")"), Code::TextWithoutStop), []);
    let twice = |attribute: &str| format!("{attribute}\ntype A = \"x\" | \"x\"\noutput Out = A\n");
    assert_eq!(severities(&twice(""), Code::RepeatedLiteral), [Severity::Warning]);
    assert_eq!(severities(&twice("@allow(\"repeated-literal\")"), Code::RepeatedLiteral), []);
    let broken = Checked::ogc("@allow(\"unknown-name\")\noutput Out = Nothing\n");
    assert!(diagnostics(&broken.db, broken.file).iter().any(|found| found.code == Code::UnknownName));
}

#[test]
fn quiet_lints_are_shown_where_an_item_asks() {
    let text = |attribute: &str| format!("{attribute}\ntype A = int & int<0..5>\noutput Out = {{ a: A }}\n");
    assert_eq!(severities(&text(""), Code::IgnoredElsewhere), [Severity::Note]);
    assert_eq!(severities(&text("@warn(\"ignored-elsewhere\")"), Code::IgnoredElsewhere), [Severity::Warning]);
}

#[test]
fn unknown_codes_are_named_with_a_suggestion() {
    let checked = Checked::ogc("@allow(\"unused-itme\")\ntype A = int\noutput Out = { a: A }\n");
    let found = diagnostics(&checked.db, checked.file);
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((found.code, found.help.as_deref()), (Code::UnknownLint, Some("did you mean `unused-item`?")));
}

#[test]
fn moving_text_does_not_measure_costs_again() {
    let ran = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = std::sync::Arc::clone(&ran);
    let mut db = ogc_compiler::db::Compiler::with_events(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            log.lock().unwrap().push(format!("{database_key:?}"));
        }
    });
    let text = "type Tree = { children: Tree[0..4] }\noutput Out = Tree\n";
    let options = ogc_compiler::db::Options::new(
        &db,
        ogc_compiler::db::JsonPolicy::default(),
        ogc_compiler::db::Formats::default(),
        ogc_compiler::db::Limits::default(),
    );
    let language = ogc_compiler::db::Language::Ogc;
    let file = ogc_compiler::db::SourceFile::new(&db, "a".to_owned(), text.to_owned(), language, options);
    let format = ogc_compiler::pipeline::Format::named(file, "Out");
    let before = super::super::lints(&db, &format, None);
    ran.lock().unwrap().clear();
    file.set_text(&mut db).to(format!("// A comment.\n\n{text}"));
    let after = super::super::lints(&db, &format, None);
    assert_eq!(after[0].span, before[0].span.shifted("// A comment.\n\n".len() as u32));
    let ran = ran.lock().unwrap();
    assert!(!ran.iter().any(|query| query.starts_with("measured")), "{ran:?}");
}
