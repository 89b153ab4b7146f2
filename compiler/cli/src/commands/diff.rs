//! `ogc diff`: tells whether a new version of a format accepts all texts that the old one did, and whether it accepts
//! more. Shortest texts show the differences.
//!
//! # Steps
//!
//! 1. [`revision`] checks out the old files, if `--since` names a revision.
//! 2. [`version`] compiles the outputs of both versions.
//! 3. [`compare`] compares outputs with the same name, and [`show`] prints the result.

mod compare;
mod revision;
mod show;
mod version;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::args::{Diff, FormatArgs};
use crate::message::Counts;
use crate::output::Output;
use crate::problem::Problem;
use crate::source::is_stdin;
use crate::verdict::Verdict;

use compare::Comparison;
use revision::Checkout;
use version::{Compiled, Version};

pub(crate) fn run(args: &Diff, output: &Output) -> Result<Verdict, Problem> {
    let (old, new) = paths(args)?;
    let checkout = args.since.as_deref().map(|since| Checkout::of(since, &new)).transpose()?;
    let definition = args.old_definition.clone().or_else(|| args.format.definition.clone());
    let path = checkout.as_ref().map_or(&old, |checkout| &checkout.file);
    let compiled = Version::open(&FormatArgs { definition, ..args.format.clone() }, path, output)?;
    if let (None, Some(since)) = (&compiled, &args.since) {
        output.aside(&format!("note: {} has errors", revision::shown(since, &old)))?;
    }
    let (Some(old), Some(new)) = (compiled, Version::open(&args.format, &new, output)?) else {
        return Ok(Verdict::Bad);
    };
    let all = comparisons(&old, &new)?;
    for comparison in &all {
        show::result(comparison, args.expect, output)?;
    }
    let good = all.iter().filter(|one| one.is(args.expect)).count();
    let counts = Counts { formats: Some(all.len()), good: Some(good), ..Counts::default() };
    output.summary(counts, || show::summary(all.len(), good, args.expect))?;
    Ok(if good == all.len() { Verdict::Good } else { Verdict::Bad })
}

/// Returns the paths of the old and the new version; with `--since` both are the path of the new version.
fn paths(args: &Diff) -> Result<(PathBuf, PathBuf), Problem> {
    let usage = |message: &str| Err(Problem::Usage { message: message.to_owned() });
    match (&args.files[..], &args.since) {
        ([file], Some(_)) if is_stdin(file) => usage("standard input has no revisions: name a file"),
        ([file], Some(_)) => Ok((file.clone(), file.clone())),
        ([_], None) => usage("there is only one format to compare: name a second one, or a revision with `--since`"),
        ([old, new], None) if is_stdin(old) && is_stdin(new) => Err(Problem::StdinTwice),
        ([old, new], None) => Ok((old.clone(), new.clone())),
        _ => usage("`--since` names the old version: give only the new file"),
    }
}

/// Compares two versions: their single outputs whatever their names are, otherwise outputs with the same name.
fn comparisons(old: &Version, new: &Version) -> Result<Vec<Comparison>, Problem> {
    if let ([old], [one]) = (&old.outputs[..], &new.outputs[..]) {
        return Ok(vec![compare::both(old, one, &new.path)?]);
    }
    let names: BTreeSet<&str> = old.outputs.iter().chain(&new.outputs).map(Compiled::name).collect();
    names.into_iter().map(|name| of_name(old.find(name), new.find(name), &new.path)).collect()
}

fn of_name(old: Option<&Compiled>, new: Option<&Compiled>, path: &Path) -> Result<Comparison, Problem> {
    match (old, new) {
        (Some(old), Some(new)) => compare::both(old, new, path),
        (Some(old), None) => Ok(Comparison::gone(old)),
        (None, new) => Ok(Comparison::added(new)),
    }
}
