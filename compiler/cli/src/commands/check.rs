//! `ogc check`: compiles formats and shows what is found; writes nothing.

use serde_json::json;

use crate::args::Check;
use crate::files::{self, Found};
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;

pub(crate) fn run(args: &Check, output: &Output) -> Result<Verdict, Problem> {
    let session = Session::new(&args.format);
    let found = files::formats(&args.paths)?;
    let verdicts = found.iter().map(|format| one(&session, format, output));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
    let good = verdicts.iter().filter(|&&verdict| verdict == Verdict::Good).count();
    let all = verdicts.len();
    let summary = json!({"type": "summary", "formats": all, "good": good});
    output.either(summary, || format!("{good} of {all} formats are good"))?;
    Ok(verdicts.into_iter().max().unwrap_or(Verdict::Good))
}

/// A file that cannot be read does not keep the others from being checked.
fn one(session: &Session, format: &Found, output: &Output) -> Result<Verdict, Problem> {
    let file = match session.open(&format.path) {
        Ok(file) => file,
        Err(problem) => {
            output.problem(&problem);
            return Ok(problem.verdict());
        }
    };
    let automaton = session.compile(file, output)?;
    Ok(if automaton.is_some() { Verdict::Good } else { Verdict::Bad })
}
