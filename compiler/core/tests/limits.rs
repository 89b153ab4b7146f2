//! Limits of a whole compilation: each error states the given and the allowed number.

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::diagnostics;

/// Returns the first finding about a program under limits.
fn first(text: &str, limits: Limits) -> Option<String> {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), limits);
    let file = SourceFile::new(&db, "a.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
    Workspace::new(&db, [("a.ogc".to_owned(), file)].into());
    diagnostics(&db, file).first().map(|found| format!("{}: {}", found.code, found.message))
}

#[test]
fn all_combinations_of_an_intersection_share_one_step_limit() {
    let kinds = |name: &str| (0..8).map(|at| format!("{{ {name}: {at}, ... }}")).collect::<Vec<_>>().join(" | ");
    let text = format!("output O = ({}) & ({})", kinds("a"), kinds("b"));
    let mut limits = Limits::default();
    assert_eq!(first(&text, limits), None);
    limits.schema.steps = 20;
    let found = first(&text, limits).expect("a finding");
    let counted = found.strip_prefix("limit: steps to resolve all combinations of the schema: ");
    let given = counted.and_then(|rest| rest.strip_suffix("; the limit is 20")).and_then(|given| given.parse().ok());
    assert!(given.is_some_and(|given: u32| given > 20), "{found}");
}
