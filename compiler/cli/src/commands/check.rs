//! `ogc check`: compiles formats and shows findings; with `--fix`, corrects the files.

mod fix;
mod watch;

use std::path::Path;

use ogc_compiler::db::SourceFile;
use ogc_lint::findings::gathered;
use ogc_workbench::correct::Corrections;
use ogc_workbench::words::counted;

use crate::args::Check;
use crate::files::{self, Listing};
use crate::message::Counts;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::source::is_stdin;
use crate::verdict::Verdict;

pub(crate) fn run(args: &Check, output: &Output) -> Result<Verdict, Problem> {
    if args.paths.iter().any(|path| is_stdin(path)) && (args.watch || args.fix) {
        let message = "standard input can be neither watched nor corrected".to_owned();
        return Err(Problem::Usage { message });
    }
    if args.watch {
        return watch::run(args, output);
    }
    let mut session = Session::with_levels(&args.format, &args.levels).speaking(args.vocab.as_deref(), &args.ends);
    let Listing { found, problems } = files::formats(&args.paths)?;
    // All files are opened first, so that each knows which others import it. Standard input can be read only once.
    let files = found.iter().filter(|format| !is_stdin(&format.path));
    files.for_each(|format| drop(session.open(&format.path)));
    let verdicts = found.iter().map(|format| one(&mut session, &format.path, args, output));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
    let unsearched = output.problems(&problems);
    let (all, good) = (verdicts.len(), good(&verdicts));
    let counts = Counts { formats: Some(all), good: Some(good), ..Counts::default() };
    output.summary(counts, || words(all, good))?;
    Ok(verdicts.into_iter().max().unwrap_or(Verdict::Good).max(unsearched))
}

/// Returns the summary: the number of formats that were checked, and of those with errors.
fn words(all: usize, good: usize) -> String {
    match all - good {
        0 => format!("{} checked, no errors", counted(all, "format")),
        bad => format!("{} checked, {bad} with errors", counted(all, "format")),
    }
}

fn good(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|&&verdict| verdict == Verdict::Good).count()
}

/// Checks a file. One that cannot be read is reported, and the others are still checked.
fn one(session: &mut Session, path: &Path, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let fixed = if args.fix { fix::run(session, path, args, output)? } else { Verdict::Good };
    let file = match session.open(path) {
        Ok(file) => file,
        Err(problem) => {
            output.problem(&problem);
            return Ok(problem.verdict());
        }
    };
    let checked = verdict(session, file, args, output).or_else(|problem| match problem {
        Problem::Definition { .. } => Ok(output.problems(&[problem])),
        _ => Err(problem),
    })?;
    Ok(checked.max(fixed))
}

/// Shows the findings of a file; with a vocabulary, also those about the cost of its masks.
fn verdict(session: &mut Session, file: SourceFile, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let vocabulary = args.vocab.as_deref().map(|flag| session.vocabulary(Some(flag), file)).transpose()?;
    let found = session.all_diagnostics(file, vocabulary);
    let corrections =
        if args.fix || output.is_json() { Corrections::default() } else { fix::tried(session, file, &found) };
    let found = gathered(found);
    let sound = session.show_correctable(file, &found, |one| corrections.has(one), output)?;
    session.formats(file)?;
    Ok(if sound { Verdict::Good } else { Verdict::Bad })
}
