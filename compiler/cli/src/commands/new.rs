//! `ogc new`: begins a format with a template. What is there already stays.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::args::New;
use crate::files;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::table::Table;
use crate::templates::{self, Template};

pub(crate) fn run(args: &New, output: &Output) -> Result<Verdict, Problem> {
    match &args.path {
        Some(path) if !args.list => begin(path, &args.template, output)?,
        _ => list(output)?,
    }
    Ok(Verdict::Good)
}

fn begin(path: &Path, template: &str, output: &Output) -> Result<(), Problem> {
    let Some(template) = templates::ALL.iter().find(|known| known.name == template) else { return list(output) };
    if path == Path::new("-") {
        let object = json!({"type": "new", "template": template.name, "text": template.text});
        return Ok(output.either(object, || template.text.trim_end().to_owned())?);
    }
    let path = with_ending(path);
    files::create(&path, template.text)?;
    let name = path.display().to_string();
    let object = json!({"type": "new", "file": name, "template": template.name});
    Ok(output.either(object, || format!("{name}: {}", template.about()))?)
}

/// The path, with `.ogc` at its end.
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
            output.line(object(template))?;
        }
        table.row(vec![template.name.to_owned(), template.about().to_owned()]);
    }
    if !output.is_json() {
        output.line(table.render())?;
    }
    Ok(())
}

fn object(template: &Template) -> serde_json::Value {
    json!({"type": "template", "template": template.name, "about": template.about()})
}
