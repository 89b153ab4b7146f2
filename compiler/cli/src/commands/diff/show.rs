//! Shows the result of a comparison.

use ogc_workbench::words::counted;

use super::compare::Comparison;
use crate::args::Expected;
use crate::message::{Message, Presence};
use crate::output::Output;
use crate::problem::Problem;

/// Shows the difference of an output.
pub(super) fn result(comparison: &Comparison, expected: Expected, output: &Output) -> Result<(), Problem> {
    if output.is_json() {
        return Ok(output.say(&Message::Difference(comparison.message(expected)))?);
    }
    if let Some(name) = &comparison.name {
        output.line(format!("{name}:"))?;
    }
    let indent = if comparison.name.is_some() { "  " } else { "" };
    for line in lines(comparison) {
        output.line(format!("{indent}{line}"))?;
    }
    if comparison.bounds_tokens {
        output.aside("note: bounds on tokens (`max_tokens`) are not compared, as they depend on the vocabulary")?;
    }
    Ok(())
}

fn lines(comparison: &Comparison) -> Vec<String> {
    match (comparison.versions, comparison.keeps, comparison.adds) {
        (Presence::Old, _, _) => vec!["it is gone: the new file has no output of this name".to_owned()],
        (Presence::New, _, _) => vec!["it is new: the old file has no output of this name".to_owned()],
        (Presence::Both, Some(true), Some(false)) => vec!["both accept the same texts".to_owned()],
        (Presence::Both, keeps, adds) => [kept(keeps, comparison), added(adds, comparison)].concat(),
    }
}

fn kept(keeps: Option<bool>, comparison: &Comparison) -> Vec<String> {
    match (keeps, &comparison.refused) {
        (_, Some((text, refused))) => {
            let help = refused.reason.help.as_ref().map(|help| format!("  help: {help}"));
            let head = [format!("refused now:  {}", quoted(text)), format!("  why: {}", refused.reason.message)];
            head.into_iter().chain(help).collect()
        }
        (None, None) => vec![format!("not known: whether each old text is still accepted; {}", unknown(comparison))],
        (Some(_), None) => vec!["each old text is still accepted".to_owned()],
    }
}

fn added(adds: Option<bool>, comparison: &Comparison) -> Vec<String> {
    vec![match (adds, &comparison.accepted) {
        (_, Some(text)) => format!("accepted now: {}", quoted(text)),
        (None, None) => format!("not known: whether more is accepted; {}", unknown(comparison)),
        (Some(_), None) => "nothing more is accepted".to_owned(),
    }]
}

/// Returns a text on one line in quotes; the empty text in words.
fn quoted(text: &str) -> String {
    match text {
        "" => "the empty text".to_owned(),
        _ => text.replace('\n', "\\n"),
    }
}

/// Returns the reason why a search did not decide.
fn unknown(comparison: &Comparison) -> &'static str {
    if comparison.has_distinct_items {
        "items that must differ (`uniqueItems`) are compared as if each were new"
    } else {
        "the formats have too many states together to look at all"
    }
}

/// Returns the summary: the number of comparisons, and how many changes were not the expected ones.
pub(super) fn summary(all: usize, good: usize, expected: Expected) -> String {
    let compared = format!("{} compared", counted(all, "format"));
    match (all - good, expected) {
        (0, Expected::Same) => format!("{compared}, no difference"),
        (0, _) => format!("{compared}, none changed otherwise than `--expect {}` says", expected.name()),
        (bad, Expected::Same) => format!("{compared}, {bad} with differences"),
        (bad, _) => format!("{compared}, {bad} changed otherwise than `--expect {}` says", expected.name()),
    }
}
