//! `ogc explain`: what a diagnostic code means, with an example and the way out.

use crate::args::Explain;
use crate::explain;
use crate::message::Message;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::table::Table;

pub(crate) fn run(args: &Explain, output: &Output) -> Result<Verdict, Problem> {
    match &args.code {
        Some(code) => one(code, output)?,
        None => all(output)?,
    }
    Ok(Verdict::Good)
}

fn one(code: &str, output: &Output) -> Result<(), Problem> {
    let text =
        explain::text(code).ok_or_else(|| Problem::UnknownCode { code: code.to_owned(), near: explain::near(code) })?;
    let message = Message::Explanation { code: code.to_owned(), text: text.to_owned() };
    Ok(output.either(message, || text.trim_end().to_owned())?)
}

fn all(output: &Output) -> Result<(), Problem> {
    let mut table = Table::new(&["code", "meaning"]);
    for (code, text) in explain::ALL {
        let meaning = explain::title(text);
        if output.is_json() {
            output.say(&Message::Code { code: (*code).to_owned(), meaning: meaning.to_owned() })?;
        }
        table.row(vec![(*code).to_owned(), meaning.to_owned()]);
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}
