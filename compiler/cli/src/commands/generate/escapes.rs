//! Defaults for formats that models write: no white space, canonical escapes, and numbers without exponents, unless the
//! format, `ogc.toml` or arguments say otherwise.
//!
//! If JSON's escapes are free, `"c\u0069ty"` is as good as `"city"`, and a model that is unsure of the key drifts into
//! escapes. It also drifts into exponents: `3.02e131211` is a JSON number, but too large for most programs. The format
//! allows both, so the text is valid all the same. Free white space took 40% of the characters of answers. `.ogc` files
//! have no exponents and no white space unless they ask for them.

use std::borrow::Cow;
use std::path::Path;

use ogc_compiler::db::{Language, Limits, SourceFile, Space, Spelling};
use ogc_runtime::automaton::Escapes;
use ogc_workbench::settings::Policy;

use crate::args::{FormatArgs, LanguageName};
use crate::problem::Problem;
use crate::session::Session;

/// The policy appended to an `.ogc` file that does not mention escapes.
const CANONICAL: &str = "\npolicy escapes = \"canonical\"\n";

/// The policies of a format in another language, for policies that nothing sets.
pub(in crate::commands) const WRITTEN: Policy = Policy {
    space: Some(Space::Compact),
    order: None,
    escapes: Some(Escapes::Canonical),
    numbers: Some(Spelling::Plain),
    words: None,
    formats: None,
    annotate: None,
    objects: None,
};

/// Opens a format for a model to write.
pub(in crate::commands) fn open(
    args: &FormatArgs,
    path: &Path,
    limits: Limits,
) -> Result<(Session, SourceFile), Problem> {
    let is_ogc = match args.language {
        Some(name) => name == LanguageName::Ogc,
        None => matches!(Language::of_name(&path.to_string_lossy()), Ok(Language::Ogc)),
    };
    // An `.ogc` file sets its own policies.
    let mut session = Session::with_defaults(args, if is_ogc { Policy::default() } else { WRITTEN }).within(limits);
    let file = session.open(path)?;
    if is_ogc && let Cow::Owned(text) = with_escapes(file.text(&session.db)) {
        session.set_text(file, text);
    }
    Ok((session, file))
}

/// Returns an `.ogc` text that sets its escapes; places in the original text stay valid.
pub(in crate::commands) fn with_escapes(text: &str) -> Cow<'_, str> {
    if text.contains("escapes") { text.into() } else { [text, CANONICAL].concat().into() }
}
