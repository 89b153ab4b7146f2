//! `ogc export`: writes a format in another notation that means the same, or as a description for a model. A
//! construct that the notation lacks is an error.

use std::path::Path;

use ogc_compiler::db::Language;
use ogc_compiler::foreign::foreign_grammar;
use ogc_compiler::hir::elaborate;
use ogc_compiler::pipeline::Format;
use ogc_export::notation::{Refusal, exported};
use ogc_grammar::{Code, Diagnostic};

use crate::args::{Export, Notation};
use crate::files;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;
use crate::visible::file_name;

pub(crate) fn run(args: &Export, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    if session.compile(&format, output)?.is_none() {
        return Ok(Verdict::Bad);
    }
    let text = match exported(&session.db, &format, args.to.into()) {
        Ok((text, found)) => {
            for diagnostic in &found {
                output.diagnostic(session.text(file), diagnostic)?;
            }
            text
        }
        Err(Refusal::NoStage(message)) => return Err(Problem::NoStage { path: args.file.clone(), message }),
        Err(Refusal::Findings(found)) => {
            for diagnostic in &found {
                output.diagnostic(session.text(file), diagnostic)?;
            }
            return Ok(Verdict::Bad);
        }
    };
    if let Some(lost) = lost_captures(&session, &format, args.to) {
        output.diagnostic(session.text(file), &lost)?;
    }
    write(&text, args, output)?;
    Ok(Verdict::Good)
}

/// Writes the export to its file or to standard output.
fn write(text: &str, args: &Export, output: &Output) -> Result<(), Problem> {
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(path) = path {
        files::write_changed(path, text.as_bytes())?;
    }
    if output.is_json() {
        let (text, path) = (path.is_none().then(|| text.to_owned()), path.map(file_name));
        output.say(&Message::Export { notation: args.to.name().to_owned(), path, text })?;
    } else if path.is_none() {
        output.data(text)?;
    }
    Ok(())
}

/// Makes the finding that captures are lost: exports as rules have none, which do not affect the set of texts.
fn lost_captures(session: &Session, format: &Format, to: Notation) -> Option<Diagnostic> {
    let rules = matches!(to, Notation::Gbnf | Notation::Lark | Notation::Regex);
    let Some(name) = format.name.clone() else {
        let language = format.file.language(&session.db);
        if !(rules || to == Notation::Ogc) || !matches!(language, Language::Lark | Language::Gbnf | Language::Ebnf) {
            return None;
        }
        let placed = foreign_grammar(&session.db, format.file).0.as_ref()?;
        let captured = placed.grammar.captures.first()?;
        return Some(left_out(&captured.name, placed.places.get(captured.origin).unwrap_or_default()));
    };
    if !rules {
        return None;
    }
    let module = elaborate::module(&session.db, format.file, name)?;
    let captured = module.grammar.captures.first()?;
    Some(module.resolve(&session.db, format.file, &left_out(&captured.name, captured.origin)))
}

/// Makes the finding that the captures of a grammar are left out.
fn left_out<P>(name: &str, place: P) -> Diagnostic<P> {
    let message = format!("captures are left out, `{name}` and all others: the texts are the same");
    let note = Diagnostic::note(Code::ExportCaptures, place, message);
    note.help("to read captures from an output, use the file itself or its artifact")
}
