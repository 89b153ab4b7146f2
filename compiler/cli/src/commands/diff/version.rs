//! One version of a format's file, compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::pipeline::{self, Format, is_value};
use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;

use crate::args::FormatArgs;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;

/// One version of a file.
pub(super) struct Version {
    pub(super) path: PathBuf,
    /// The outputs to compare: the named definition, or all outputs; never empty.
    pub(super) outputs: Vec<Compiled>,
}

/// A compiled output.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// The name; `None` for a file that is one format.
    pub(super) name: Option<String>,
    pub(super) automaton: Arc<Automaton>,
    /// Whether its texts are JSON values.
    pub(super) is_value: bool,
}

impl Version {
    /// Compiles a version, and shows its errors; `None` if it has any.
    pub(super) fn open(args: &FormatArgs, path: &Path, output: &Output) -> Result<Option<Self>, Problem> {
        let mut session = Session::new(args);
        let file = session.open(path)?;
        let mut errors = session.diagnostics(file);
        errors.retain(Diagnostic::is_error);
        if !session.show(file, &errors, output)? {
            return Ok(None);
        }
        let mut formats = session.formats(file)?;
        if formats.is_empty() {
            formats.push(session.format(file)?);
        }
        let outputs = formats.into_iter().map(|format| compiled(&session, format)).collect::<Option<_>>();
        Ok(outputs.map(|outputs| Self { path: path.to_owned(), outputs }))
    }

    /// Returns the output of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Compiled> {
        self.outputs.iter().find(|output| output.name() == name)
    }
}

fn compiled(session: &Session, format: Format) -> Option<Compiled> {
    let (name, is_value) = (format.name.as_deref().map(str::to_owned), is_value(&session.db, &format));
    pipeline::automaton(&session.db, format).map(|automaton| Compiled { name, automaton, is_value })
}

impl Compiled {
    /// Returns the name; empty for a file that is one format.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }
}
