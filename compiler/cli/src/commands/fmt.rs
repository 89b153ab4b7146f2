//! `ogc fmt`: the one layout of `.ogc` files. Items with errors are reported and stay as they are.

mod diff;

use std::path::{Path, PathBuf};

use ogc_grammar::ogc;
use serde_json::json;

use crate::args::Fmt;
use crate::files;
use crate::output::{Output, Text, Verdict};
use crate::problem::Problem;

/// What happened to one file.
struct Outcome {
    changed: bool,
    verdict: Verdict,
}

pub(crate) fn run(args: &Fmt, output: &Output) -> Result<Verdict, Problem> {
    if args.stdin {
        return stdin(args, output);
    }
    let found = files::matching(&args.paths, is_ogc)?;
    let outcomes: Vec<Outcome> = found
        .iter()
        .map(|file| {
            one(&file.path, args, output).or_else(|problem| match problem {
                Problem::Output(_) => Err(problem),
                _ => Ok(failed(&problem, output)),
            })
        })
        .collect::<Result<_, _>>()?;
    let changed = outcomes.iter().filter(|outcome| outcome.changed).count();
    summary(changed, found.len(), args.check, output)?;
    Ok(outcomes.into_iter().map(|outcome| outcome.verdict).max().unwrap_or(Verdict::Good))
}

fn is_ogc(name: &str) -> bool {
    name.ends_with(".ogc")
}

/// A file that cannot be read or written does not keep the others from their layout.
fn failed(problem: &Problem, output: &Output) -> Outcome {
    output.problem(problem);
    Outcome { changed: false, verdict: problem.verdict() }
}

fn one(path: &Path, args: &Fmt, output: &Output) -> Result<Outcome, Problem> {
    if !is_ogc(&path.to_string_lossy()) {
        return Err(Problem::NotOgc { path: path.to_owned() });
    }
    let text = files::read_exact_text(path, args.max_input)?;
    let name = path.to_string_lossy();
    let source = Text { name: &name, text: &text };
    let errors = report(source, output)?;
    let formatted = ogc::format(&text);
    let changed = formatted != text;
    if changed && args.check {
        show(source, &formatted, output)?;
    } else if changed {
        files::rewrite(path, &formatted)?;
        output.either(json!({"type": "format", "file": name, "changed": true}), || format!("{name}: laid out"))?;
    }
    let bad = errors || changed && args.check;
    Ok(Outcome { changed, verdict: if bad { Verdict::Bad } else { Verdict::Good } })
}

fn stdin(args: &Fmt, output: &Output) -> Result<Verdict, Problem> {
    let text = files::read_exact_text(&PathBuf::from("-"), args.max_input)?;
    let source = Text { name: "<stdin>", text: &text };
    let errors = report(source, output)?;
    let formatted = ogc::format(&text);
    let changed = formatted != text;
    if args.check && changed {
        show(source, &formatted, output)?;
    } else if !args.check && output.is_json() {
        output.line(json!({"type": "format", "file": source.name, "changed": changed, "text": formatted}))?;
    } else if !args.check {
        output.raw(formatted.as_bytes())?;
    }
    Ok(if errors || args.check && changed { Verdict::Bad } else { Verdict::Good })
}

/// Shows the errors of a file, which is why items of it stay as they are.
fn report(source: Text<'_>, output: &Output) -> Result<bool, Problem> {
    let found = ogc::parse(source.text).diagnostics;
    let mut errors = found.iter().filter(|diagnostic| diagnostic.is_error()).peekable();
    let some = errors.peek().is_some();
    errors.try_for_each(|diagnostic| output.diagnostic(source, diagnostic))?;
    Ok(some)
}

/// Shows what would change.
fn show(source: Text<'_>, formatted: &str, output: &Output) -> Result<(), Problem> {
    if output.is_json() {
        let diff = diff::diff(source.text, formatted, false);
        output.line(json!({"type": "format", "file": source.name, "changed": true, "diff": diff}))?;
        return Ok(());
    }
    let diff = diff::diff(source.text, formatted, output.colours_of_results());
    Ok(output.line(format_args!("{}:\n{}", source.name, diff.trim_end()))?)
}

fn summary(changed: usize, all: usize, check: bool, output: &Output) -> Result<(), Problem> {
    let object = json!({"type": "summary", "files": all, "changed": changed});
    let what = if check { "would change" } else { "changed" };
    Ok(output.either(object, || format!("{changed} of {all} files {what}"))?)
}
