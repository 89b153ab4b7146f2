//! `ogc explain`: what a diagnostic code means, with an example and the way out.

use ogc_compiler::lint::level::nearest_code;
use ogc_grammar::Code;

use crate::args::Explain;
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
    let known = Code::from_name(code);
    let code = known.ok_or_else(|| Problem::UnknownCode { code: code.to_owned(), near: near(code) })?;
    let text = code.explanation();
    let message = Message::Explanation { code: code.name().to_owned(), text: text.to_owned() };
    Ok(output.either(message, || text.trim_end().to_owned())?)
}

/// The code that was probably meant.
fn near(written: &str) -> Option<Code> {
    nearest_code(&written.trim().to_lowercase().replace(['_', ' '], "-"), |_| true)
}

fn all(output: &Output) -> Result<(), Problem> {
    let mut table = Table::new(&["code", "meaning"]);
    for code in Code::ALL {
        let (code, meaning) = (code.name().to_owned(), code.summary().to_owned());
        if output.is_json() {
            output.say(&Message::Code { code: code.clone(), meaning: meaning.clone() })?;
        }
        table.row(vec![code, meaning]);
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Code;

    #[test]
    fn codes_that_are_nearly_right_are_found() {
        for written in ["Unknown-Name", "unknown_name", "unkown-name"] {
            assert_eq!(super::near(written), Some(Code::UnknownName), "{written}");
        }
        assert_eq!(super::near("no-such-thing-at-all"), None);
    }
}
