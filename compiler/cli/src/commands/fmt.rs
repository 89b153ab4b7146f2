//! `ogc fmt`: formats `.ogc` files. Items with errors are reported and stay as they are.

mod diff;

use std::path::{Path, PathBuf};

use ogc_grammar::ogc;
use ogc_workbench::words::part_of;

use crate::args::Fmt;
use crate::files::{self, Listing};
use crate::message::{Counts, Layout, Message};
use crate::output::Output;
use crate::problem::Problem;
use crate::source::{STDIN, Text, is_stdin};
use crate::verdict::Verdict;
use crate::visible::{file_name, visible_line};

/// The outcome of formatting one file.
struct Outcome {
    changed: bool,
    verdict: Verdict,
}

pub(crate) fn run(args: &Fmt, output: &Output) -> Result<Verdict, Problem> {
    if args.stdin || args.paths.iter().all(|path| is_stdin(path)) {
        return stdin(args, output);
    }
    let Listing { found, problems } = files::matching(&args.paths, is_ogc);
    if found.is_empty() && problems.is_empty() {
        return Err(Problem::NoFormats { paths: args.paths.clone() });
    }
    let unsearched = output.problems(&problems);
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
    Ok(outcomes.into_iter().map(|outcome| outcome.verdict).max().unwrap_or(Verdict::Good).max(unsearched))
}

fn is_ogc(name: &str) -> bool {
    name.ends_with(".ogc")
}

/// Reports a file that cannot be read or written; the other files are still formatted.
fn failed(problem: &Problem, output: &Output) -> Outcome {
    output.problem(problem);
    Outcome { changed: false, verdict: problem.verdict() }
}

fn one(path: &Path, args: &Fmt, output: &Output) -> Result<Outcome, Problem> {
    if is_stdin(path) {
        let message = "standard input and files cannot be formatted together".to_owned();
        return Err(Problem::Usage { message });
    }
    if !is_ogc(&path.to_string_lossy()) {
        return Err(Problem::NotOgc { path: path.to_owned() });
    }
    let text = files::read_exact_text(path, args.max_input)?;
    let name = file_name(path);
    let source = Text { name: &name, text: &text };
    let errors = report(source, output)?;
    let formatted = ogc::format(&text);
    let changed = formatted != text;
    if changed && args.check {
        show(source, &formatted, output)?;
    } else if changed {
        files::rewrite(path, &formatted)?;
        let message = Layout { file: name.clone(), changed: true, ..Layout::default() };
        output.either(Message::Format(message), || format!("{name}: formatted"))?;
    }
    let bad = errors || changed && args.check;
    Ok(Outcome { changed, verdict: if bad { Verdict::Bad } else { Verdict::Good } })
}

fn stdin(args: &Fmt, output: &Output) -> Result<Verdict, Problem> {
    let text = files::read_exact_text(&PathBuf::from("-"), args.max_input)?;
    let source = Text { name: STDIN, text: &text };
    let errors = report(source, output)?;
    let formatted = ogc::format(&text);
    let changed = formatted != text;
    if args.check && changed {
        show(source, &formatted, output)?;
    } else if !args.check && output.is_json() {
        let text = Some(formatted);
        output.say(&Message::Format(Layout { file: source.name.to_owned(), changed, text, diff: None }))?;
    } else if !args.check {
        output.data(&formatted)?;
    }
    Ok(if errors || args.check && changed { Verdict::Bad } else { Verdict::Good })
}

/// Shows the errors of a file; items with errors are not formatted.
fn report(source: Text<'_>, output: &Output) -> Result<bool, Problem> {
    let found = ogc::parse(source.text).diagnostics;
    let mut errors = found.iter().filter(|diagnostic| diagnostic.is_error()).peekable();
    let some = errors.peek().is_some();
    errors.try_for_each(|diagnostic| output.diagnostic(source, diagnostic))?;
    Ok(some)
}

/// Shows the changes that formatting would make.
fn show(source: Text<'_>, formatted: &str, output: &Output) -> Result<(), Problem> {
    if output.is_json() {
        let diff = Some(diff::diff(source.text, formatted, false));
        let message = Layout { file: source.name.to_owned(), changed: true, text: None, diff };
        return Ok(output.say(&Message::Format(message))?);
    }
    let diff = diff::diff(source.text, formatted, output.colours_of_results());
    Ok(output.painted(&format!("{}:\n{}", visible_line(source.name), diff.trim_end()))?)
}

fn summary(changed: usize, all: usize, check: bool, output: &Output) -> Result<(), Problem> {
    let counts = Counts { files: Some(all), changed: Some(changed), ..Counts::default() };
    Ok(output.summary(counts, || match check {
        true => format!("{} would change", part_of(changed, all, "file")),
        false => format!("{} changed", part_of(changed, all, "file")),
    })?)
}
