//! `ogc new`: creates a format from a template. It never overwrites a file.

use std::path::{Path, PathBuf};

use always_assert::never;

use crate::args::New;
use crate::files;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::table::Table;
use crate::templates::{self, Template};
use crate::verdict::Verdict;
use crate::visible::file_name;

pub(crate) fn run(args: &New, output: &Output) -> Result<Verdict, Problem> {
    match &args.path {
        Some(path) if !args.list => begin(path, &args.template, output)?,
        _ => list(output)?,
    }
    Ok(Verdict::Good)
}

fn begin(path: &Path, template: &str, output: &Output) -> Result<(), Problem> {
    let Some(template) = templates::ALL.iter().find(|known| known.name == template) else {
        never!("the command line has taken the template `{}`, which is none", template);
        return list(output);
    };
    if path == Path::new("-") {
        let (template, text) = (template.name.to_owned(), template.text);
        if output.is_json() {
            return Ok(output.say(&Message::New { file: None, template, text: Some(text.to_owned()) })?);
        }
        return Ok(output.data(text)?);
    }
    let path = with_ending(path);
    files::create(&path, template.text)?;
    let name = file_name(&path);
    let message = Message::New { file: Some(name.clone()), template: template.name.to_owned(), text: None };
    Ok(output.either(message, || format!("{name}: {}", template.about()))?)
}

/// Adds `.ogc` to a path, unless the path ends in it.
fn with_ending(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|ending| ending == "ogc") {
        return path.to_owned();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".ogc");
    name.into()
}

fn list(output: &Output) -> Result<(), Problem> {
    let mut table = Table::new(&["template", ""]);
    for template in templates::ALL {
        if output.is_json() {
            output.say(&object(template))?;
        }
        table.row(vec![template.name.to_owned(), template.about().to_owned()]);
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}

fn object(template: &Template) -> Message {
    Message::Template { template: template.name.to_owned(), about: template.about().to_owned() }
}
