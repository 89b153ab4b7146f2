//! `ogc explain`: what a diagnostic code means, with an example and the way out.

use serde_json::json;

use crate::args::Explain;
use crate::explain;
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
    let text = explain::text(code).ok_or_else(|| Problem::UnknownCode { code: code.to_owned() })?;
    let object = json!({"type": "explanation", "code": code, "text": text});
    Ok(output.either(object, || text.trim_end().to_owned())?)
}

fn all(output: &Output) -> Result<(), Problem> {
    let mut table = Table::new(&["code", "meaning"]);
    for (code, text) in explain::ALL {
        let meaning = explain::title(text);
        if output.is_json() {
            output.line(json!({"type": "code", "code": code, "meaning": meaning}))?;
        }
        table.row(vec![(*code).to_owned(), meaning.to_owned()]);
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}
