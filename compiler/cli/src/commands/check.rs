//! `ogc check`: compiles formats and shows what is found; writes nothing, unless it is asked to correct.

mod fix;
mod watch;

use std::path::Path;

use ogc_compiler::db::SourceFile;
use serde_json::json;

use crate::args::Check;
use crate::files;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;

pub(crate) fn run(args: &Check, output: &Output) -> Result<Verdict, Problem> {
    if args.watch {
        return watch::run(args, output);
    }
    let mut session = Session::with_levels(&args.format, &args.levels);
    let found = files::formats(&args.paths)?;
    // Each file is to know which others import it.
    found.iter().for_each(|format| drop(session.open(&format.path)));
    let verdicts = found.iter().map(|format| one(&mut session, &format.path, args, output));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
    let (all, good) = (verdicts.len(), good(&verdicts));
    let summary = json!({"type": "summary", "formats": all, "good": good});
    output.either(summary, || format!("{good} of {all} formats are good"))?;
    Ok(verdicts.into_iter().max().unwrap_or(Verdict::Good))
}

fn good(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|&&verdict| verdict == Verdict::Good).count()
}

/// A file that cannot be read does not keep the others from being checked.
fn one(session: &mut Session, path: &Path, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    if args.fix {
        fix::run(session, path, args.format.max_input, output)?;
    }
    let file = match session.open(path) {
        Ok(file) => file,
        Err(problem) => {
            output.problem(&problem);
            return Ok(problem.verdict());
        }
    };
    verdict(session, file, args, output)
}

/// Shows what is found in a file, with what the masks for a vocabulary cost if one is named.
fn verdict(session: &Session, file: SourceFile, args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let vocabulary = args.vocab.as_deref().map(|flag| session.vocabulary(Some(flag), file)).transpose()?;
    Ok(if session.check_all(file, vocabulary, output)? { Verdict::Good } else { Verdict::Bad })
}
