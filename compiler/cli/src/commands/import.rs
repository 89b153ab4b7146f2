//! `ogc import`: shows whether each keyword of a JSON Schema is enforced. It also reads the schemas in a list of tools,
//! and those that an `.ogc` file imports. For a structural tag, it shows the equivalent `.ogc` text.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::structural_tag;
use ogc_compiler::frontend::json_schema::{Fate, FateKind};
use ogc_compiler::pipeline;
use ogc_grammar::{Diagnostic, LineIndex, Severity};
use ogc_workbench::words::counted;

use crate::args::Import;
use crate::message::{Counts, KeywordCounts, KeywordFate, Message};
use crate::output::Output;
use crate::problem::Problem;
use crate::render;
use crate::session::Session;
use crate::table::Table;
use crate::verdict::Verdict;

pub(crate) fn run(args: &Import, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    if let Some(tag) = structural_tag(&session.db, file) {
        let compiled = session.check(file, output)?;
        output.data(&tag.as_ogc())?;
        return Ok(if compiled { Verdict::Good } else { Verdict::Bad });
    }
    let mut schemas = match file.language(&session.db) {
        Language::JsonSchema => vec![(None, file, pipeline::schema_fates(&session.db, file))],
        Language::Ogc => {
            let imported = pipeline::imported_fates(&session.db, file);
            imported.into_iter().map(|(schema, fates)| (Some(schema.name(&session.db)), schema, fates)).collect()
        }
        _ => Vec::new(),
    };
    if schemas.is_empty() {
        let message = "only JSON Schema has keywords to report on, and `.ogc` files that import schemas".to_owned();
        return Err(Problem::NoStage { path: args.file.clone(), message });
    }
    let compiled = session.check(file, output)?;
    for (_, schema, fates) in &mut schemas {
        refuse(fates, schema.text(&session.db), &session.diagnostics(*schema));
    }
    if args.report {
        report(&schemas, &session, output)?;
    }
    let fates: Vec<Fate> = schemas.into_iter().flat_map(|(_, _, fates)| fates).collect();
    summary(&fates, &session.diagnostics(file), output)?;
    Ok(if compiled { Verdict::Good } else { Verdict::Bad })
}

/// Changes the fate of keywords that were read and could not be compiled, such as a `pattern` with a backreference: the
/// error is at the keyword or at its value.
fn refuse(fates: &mut [Fate], text: &str, found: &[Diagnostic]) {
    for error in found.iter().filter(|one| one.is_error()) {
        let is_value = |end: u32| {
            let between = text.get(end as usize..error.span.start as usize);
            between.is_some_and(|between| between.trim() == ":")
        };
        let is_its = |fate: &&mut Fate| fate.span.start == error.span.start || is_value(fate.span.end);
        if let Some(fate) = fates.iter_mut().find(is_its).filter(|fate| fate.fate == FateKind::Enforced) {
            fate.fate = FateKind::Error(error.message.clone());
        }
    }
}

/// Returns the name and the reason of a keyword's fate.
fn words(fate: &FateKind) -> (&'static str, &str) {
    match fate {
        FateKind::Enforced => ("enforced", ""),
        FateKind::Annotation => ("annotation", ""),
        FateKind::Warning(reason) => ("warning", reason),
        FateKind::Error(reason) => ("error", reason),
    }
}

/// Writes the fate of each keyword of schemas; imported schemas have names.
fn report(
    schemas: &[(Option<&str>, SourceFile, Vec<Fate>)],
    session: &Session,
    output: &Output,
) -> Result<(), Problem> {
    let mut table = Table::new(&["keyword", "fate", "why"]);
    for (name, file, fates) in schemas {
        let lines = LineIndex::new(file.text(&session.db));
        for fate in fates {
            let (kind, reason) = words(&fate.fate);
            if output.is_json() {
                output.say(&Message::Keyword(KeywordFate {
                    file: name.map(str::to_owned),
                    pointer: fate.pointer.clone(),
                    keyword: fate.keyword.clone(),
                    fate: kind.to_owned(),
                    reason: reason.to_owned(),
                    span: render::place(&lines, fate.span),
                }))?;
            }
            let pointer = name.map_or_else(|| fate.pointer.clone(), |name| format!("{name}#{}", fate.pointer));
            table.row(vec![pointer, kind.to_owned(), reason.to_owned()]);
        }
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}

/// Writes the numbers of keywords by fate and of findings by severity.
fn summary(fates: &[Fate], found: &[Diagnostic], output: &Output) -> Result<(), Problem> {
    let count = |name| fates.iter().filter(|fate| words(&fate.fate).0 == name).count();
    let of_severity = |severity| found.iter().filter(|one| one.severity == severity).count();
    let (enforced, annotations) = (count("enforced"), count("annotation"));
    let (warnings, errors) = (of_severity(Severity::Warning), of_severity(Severity::Error));
    let keywords = KeywordCounts { enforced, annotations, warnings, errors };
    let counts = Counts { keywords: Some(keywords), ..Counts::default() };
    Ok(output.summary(counts, || {
        let [keywords, annotations] = [counted(enforced, "keyword"), counted(annotations, "annotation")];
        let [warnings, errors] = [counted(warnings, "warning"), counted(errors, "error")];
        format!("{keywords} enforced, {annotations}, {warnings}, {errors}")
    })?)
}
