//! `ogc report`: writes an HTML page about a format: diagrams, costs by rule, the sizes of its masks, samples,
//! findings.
//!
//! # Steps
//!
//! 1. [`facts`] compiles and measures.
//! 2. [`ogc_workbench::diagram`] writes the rules or types of the source as railroad diagrams.
//! 3. [`page`] joins both in one self-contained HTML file.

mod facts;
mod masks;
mod page;
mod place;
mod sections;

use std::path::{Path, PathBuf};

use ogc_workbench::diagram::definitions;

use crate::args::Report;
use crate::files;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;
use crate::visible::file_name;

pub(crate) fn run(args: &Report, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format).speaking(args.vocab.as_deref(), &args.ends);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let facts = facts::measure(&session, &format, args)?;
    let page = page::page(&facts, &definitions(&session.db, file));
    let path = target(args);
    let bytes = page.len();
    if path == Path::new("-") && output.is_json() {
        output.say(&Message::Report { path: None, bytes, page: Some(page) })?;
    } else if path == Path::new("-") {
        output.data(&page)?;
    } else {
        files::write_changed(&path, page.as_bytes())?;
        let name = file_name(&path);
        output.either(Message::Report { path: Some(name.clone()), bytes, page: None }, || name)?;
    }
    Ok(if facts.machine.is_some() { Verdict::Good } else { Verdict::Bad })
}

fn target(args: &Report) -> PathBuf {
    args.output.clone().unwrap_or_else(|| {
        let name = if args.file == Path::new("-") { Path::new("stdin") } else { args.file.as_path() };
        let mut name = name.as_os_str().to_owned();
        name.push(".html");
        name.into()
    })
}
