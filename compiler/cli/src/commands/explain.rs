//! `ogc explain`: explains a diagnostic code, with an example and how to fix it.

use ogc_grammar::Code;
use ogc_grammar::code::Group;
use ogc_grammar::level::nearest_code;

use crate::args::Explain;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::render::severity;
use crate::table::Table;
use crate::verdict::Verdict;

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

/// Returns the code that was probably meant.
fn near(written: &str) -> Option<Code> {
    nearest_code(&written.trim().to_lowercase().replace(['_', ' '], "-"), |_| true)
}

fn all(output: &Output) -> Result<(), Problem> {
    if output.is_json() {
        return Ok(Code::ALL.iter().try_for_each(|code| output.say(&described(*code)))?);
    }
    let mut table = Table::new(&["code", "found as", "meaning"]);
    for group in Group::ALL {
        table.row(vec![format!("[{}]", group.title())]);
        for code in Code::ALL.iter().filter(|code| code.group() == *group) {
            let found_as: Vec<&str> = code.severities().iter().map(|&grave| severity(grave)).collect();
            table.row(vec![code.name().to_owned(), found_as.join(", "), code.summary().to_owned()]);
        }
    }
    Ok(output.line(table.render())?)
}

fn described(code: Code) -> Message {
    Message::Code {
        code: code.name().to_owned(),
        group: code.group().title().to_owned(),
        severities: code.severities().iter().map(|&grave| grave.into()).collect(),
        has_fix: code.has_fix(),
        meaning: code.summary().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Code;

    #[test]
    fn a_misspelled_code_finds_the_nearest_one() {
        for written in ["Unknown-Name", "unknown_name", "unkown-name"] {
            assert_eq!(super::near(written), Some(Code::UnknownName), "{written}");
        }
        assert_eq!(super::near("no-such-thing-at-all"), None);
    }
}
