//! `ogc sample`: writes random texts of a format.

use ogc_workbench::sample::{SampleOptions, samples};

use crate::args::Sample;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;

pub(crate) fn run(args: &Sample, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let options = SampleOptions { count: args.count, seed: args.seed, length: args.length };
    let texts = samples(&automaton, options);
    for text in texts.map_err(|error| Problem::Engine { path: args.file.clone(), message: error.to_string() })? {
        let shown = String::from_utf8_lossy(&text).into_owned();
        if output.is_json() {
            output.say(&Message::Sample { text: shown })?;
        } else {
            output.data(&format!("{shown}\n"))?;
        }
    }
    Ok(Verdict::Good)
}
