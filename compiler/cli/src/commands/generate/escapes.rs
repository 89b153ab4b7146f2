//! Formats that models write: with canonical escapes, unless they say otherwise.
//!
//! Where JSON's escapes are free, `"c\u0069ty"` is as good as `"city"`, and a model that is not sure of the key drifts into escapes.
//! Canonical escapes are a part of any escapes, so that the text is of the format all the same.

use std::borrow::Cow;
use std::path::Path;

use ogc_compiler::db::{Language, SourceFile};
use ogc_runtime::automaton::Escapes;

use crate::args::{FormatArgs, LanguageName};
use crate::problem::Problem;
use crate::session::Session;

/// The policy of an `.ogc` file that says nothing of escapes.
const CANONICAL: &str = "\npolicy escapes = \"canonical\"\n";

/// Opens a format that a model is to write.
pub(in crate::commands) fn open(args: &FormatArgs, path: &Path) -> Result<(Session, SourceFile), Problem> {
    let is_ogc = match args.language {
        Some(name) => name == LanguageName::Ogc,
        None => matches!(Language::of_name(&path.to_string_lossy()), Ok(Language::Ogc)),
    };
    // An `.ogc` file sets its own policies.
    let args = if is_ogc { args.clone() } else { canonical(args) };
    let mut session = Session::new(&args);
    let file = session.open(path)?;
    if is_ogc && let Cow::Owned(text) = with_escapes(file.text(&session.db)) {
        session.set_text(file, text);
    }
    Ok((session, file))
}

/// Returns the arguments of a format in another language.
pub(in crate::commands) fn canonical(args: &FormatArgs) -> FormatArgs {
    FormatArgs { escapes: args.escapes.or(Some(Escapes::Canonical)), ..args.clone() }
}

/// Returns an `.ogc` text that sets its escapes: places in it are where they were.
pub(in crate::commands) fn with_escapes(text: &str) -> Cow<'_, str> {
    if text.contains("escapes") { text.into() } else { [text, CANONICAL].concat().into() }
}
